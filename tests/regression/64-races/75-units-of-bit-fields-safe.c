//EXPECT: SAFE
//ARGS: --check races
// A bit-field of width zero ends a sequence of adjacent bit-fields.
#include <pthread.h>
struct { unsigned a : 20; unsigned : 0; unsigned b : 20; } s;
struct { unsigned char a : 8; unsigned char : 0; unsigned char b : 8; } c;

void *worker(void *unused)
{
    s.a = 1;
    c.a = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    s.b = 2;
    c.b = 2;
    pthread_join(t, 0);
    return s.a + s.b + c.a + c.b;
}
