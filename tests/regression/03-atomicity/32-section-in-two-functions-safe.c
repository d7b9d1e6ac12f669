//EXPECT: SAFE
// A section begins in one function and ends in another.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

void begin(void) { __VERIFIER_atomic_begin(); }
void end(void) { __VERIFIER_atomic_end(); }

void *both(void *unused)
{
    begin();
    x++;
    y++;
    end();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, both, 0);
    begin();
    assert(x == y);
    end();
    pthread_join(t, 0);
}
