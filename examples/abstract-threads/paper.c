//EXPECT: UNKNOWN
/* The example of "Abstract Threads" (Lahiri, Malkis, Qadeer, TACAS 2010): Figures 2 and 3.

   Thread A computes with a local number, sometimes taken from `g`, and publishes it.
   Thread B publishes a number of its own and expects `g` to be positive. Each has an
   abstract thread that says what others see of it: it makes `g` some positive number.
   The local numbers are gone; in exchange A's abstract thread insists on a positive `g`. (In C, B may overflow: for `rely check` this is no SAFE.) */

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int g = 1;

void *A(void *unused)
{
    int x = 1;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            x = g;
        else
            x = x + 1;
    }
    g = x;
    return 0;
}

void *__rely_abstract_A(void *unused)
{
X1: assert(g > 0);
    __VERIFIER_atomic_begin();
    g = __VERIFIER_nondet_int();
    __VERIFIER_assume(g > 0);
    __VERIFIER_atomic_end();
X2: return 0;
}

void *B(void *unused)
{
    int y = 1;
    while (__VERIFIER_nondet_int())
        y = y + 1;
    g = y;
    assert(g > 0);
    return 0;
}

void *__rely_abstract_B(void *unused)
{
Y1: __VERIFIER_atomic_begin();
    g = __VERIFIER_nondet_int();
    __VERIFIER_assume(g > 0);
    __VERIFIER_atomic_end();
Y2: assert(g > 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, A, 0);
    pthread_create(&b, 0, B, 0);
    return 0;
}
