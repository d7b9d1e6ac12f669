// The error needs two values from outside, and a thread that runs in between.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}
int g;

int twice(int a)
{
    return a * 2;
}

void *doubler(void *unused)
{
    int x = __VERIFIER_nondet_int();
    if (x > 5 && x < 9)
        g = twice(x);
    return 0;
}

int main(void)
{
    pthread_t thread;
    unsigned char c = __VERIFIER_nondet_uchar();
    if (pthread_create(&thread, 0, doubler, 0) != 0)
        return 1;
    pthread_join(thread, 0);
    if (g == 14 && c == __VERIFIER_nondet_uchar() + 3)
        reach_error();
    return 0;
}
