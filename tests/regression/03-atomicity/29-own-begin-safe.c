//EXPECT: SAFE
// Functions of the program itself: these lock a mutex.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&lock); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&lock); }

void *add(void *unused)
{
    __VERIFIER_atomic_begin();
    x = x + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2);
}
