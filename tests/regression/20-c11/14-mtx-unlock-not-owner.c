//EXPECT: UNKNOWN
//REASON: does not own
// Only the owner may unlock.
#include <threads.h>

mtx_t m;

int main(void)
{
    mtx_init(&m, mtx_plain);
    mtx_unlock(&m);
}
