//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// Adjacent bit-fields are one memory location, whatever the units are that they lie in (C11, 3.14).
#include <pthread.h>
struct { unsigned a : 20; unsigned b : 20; } s;
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
