//EXPECT: SAFE
//ARGS: --check races
// Bit-fields with one of width zero between them are memory locations of their own (C11, 3.14).
#include <pthread.h>
struct { unsigned a : 4; unsigned : 0; unsigned b : 4; } s;

void *worker(void *unused)
{
    s.a = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    s.b = 2;
    pthread_join(t, 0);
    return 0;
}
