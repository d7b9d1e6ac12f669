//EXPECT: UNKNOWN
//REASON: undefined
// To lock one's own plain mutex is undefined in C11.
#include <threads.h>

mtx_t m;

int main(void)
{
    mtx_init(&m, mtx_plain);
    mtx_lock(&m);
    mtx_lock(&m);
}
