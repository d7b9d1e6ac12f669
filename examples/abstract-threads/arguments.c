//EXPECT: SAFE
/* Threads that are given something when they are created: a number, a pointer.

   An abstract thread has the argument of its thread. It does not change as long as the thread
   runs, so it may be kept in a local variable, and nobody needs to say which values
   there are: they are found where the threads are created. */

#include <assert.h>
#include <pthread.h>

#define GUESTS 3

extern int __VERIFIER_nondet_int(void);

int last, left, right;

void *guest(void *number)
{
    int id = (int)(long)number;
    while (__VERIFIER_nondet_int())
        last = id;
    return 0;
}

void *__rely_abstract_guest(void *number)
{
    int id = (int)(long)number;
Here:
    if (__VERIFIER_nondet_int()) {
        last = id;
        goto Here;
    }
Gone:
    return 0;
}

void *setter(void *place)
{
    int *target = place;
    *target = 1;
    assert(*target == 1);
    return 0;
}

void *__rely_abstract_setter(void *place)
{
    int *target = place;
Unset:
    *target = 1;
Set:
    assert(*target == 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    for (long i = 0; i < GUESTS; i++)
        pthread_create(&thread, 0, guest, (void *)(i + 10));
    pthread_create(&thread, 0, setter, &left);
    pthread_create(&thread, 0, setter, &right);
    assert(last == 0 || last >= 10 && last < 10 + GUESTS);
    return 0;
}
