//EXPECT: SAFE
/* Threads that share an account, protected by a lock.

   Conformance is asked of each thread alone, and the lock is nothing but a variable that
   others could ignore. So the abstract thread says what it relies on: as long as it has
   seen that there is money (state Rich), it insists that there is. That others
   keep to it is then shown for the abstract threads together, with the lock. How much is taken
   is nobody's business: some money is left, or none. */

#include <assert.h>
#include <pthread.h>

#ifndef PAYERS
#define PAYERS 2
#endif

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 10;

void *payer(void *unused)
{
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        if (balance > 0)
            balance = balance - 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *__rely_abstract_payer(void *unused)
{
Free:
    if (__VERIFIER_nondet_int())
        return 0;
    pthread_mutex_lock(&lock);
Locked:
    if (balance <= 0)
        goto Unlock;
Rich:
    assert(balance > 0);
    __VERIFIER_atomic_begin();
    balance = __VERIFIER_nondet_int();
    __VERIFIER_assume(balance >= 0);
    __VERIFIER_atomic_end();
Unlock:
    pthread_mutex_unlock(&lock);
    goto Free;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < PAYERS; i++)
        pthread_create(&thread, 0, payer, 0);
    assert(balance >= 0);
    return 0;
}
