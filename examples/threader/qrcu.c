//EXPECT: SAFE
// QRCU, a read-copy-update whose updaters are quick when nobody reads, after the
// Promela model of McKenney ("Using Promela and Spin to verify parallel
// algorithms", LWN.net, 2007). Two threads read, one updates, each once.
//
// A reader counts itself in one of two counters, the one that `idx` names. An
// updater whose sum of both counters says that somebody may be reading sends new
// readers to the other counter and waits until the old one is 0. The property: a
// reader that was in its section when the update began has left it at the end.
//
// Modular: where a reader is counted stands in `slot1` or `slot2`, which all can
// see. (The model of McKenney keeps it in a local variable; then the environment
// could give up the same share twice, and no modular proof exists.) So each
// counter is the number of slots that name it, and one more for the updater's own
// share: a matter of shared variables alone.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

enum { NONE, FIRST, SECOND }; // names of the counters

int idx = FIRST;          // where new readers count themselves
int first = 1, second;    // the counters; where new readers go, there is one more
int slot1, slot2;         // where each reader is counted
int progress1, progress2; // of each reader: 0 before, 1 in, 2 after its section
pthread_mutex_t updates;  // one update at a time

void *reader1(void *arg)
{
    int mine;
    do {
        mine = idx;
        __VERIFIER_atomic_begin();
        if (mine == FIRST && first > 0) {
            first++;
            slot1 = FIRST;
        } else if (mine == SECOND && second > 0) {
            second++;
            slot1 = SECOND;
        }
        __VERIFIER_atomic_end();
    } while (slot1 == NONE); // again if the counter was out of use

    progress1 = 1; // here it reads
    progress1 = 2;

    __VERIFIER_atomic_begin();
    if (slot1 == FIRST) {
        first--;
    } else {
        second--;
    }
    slot1 = NONE;
    __VERIFIER_atomic_end();
    return 0;
}

void *reader2(void *arg)
{
    int mine;
    do {
        mine = idx;
        __VERIFIER_atomic_begin();
        if (mine == FIRST && first > 0) {
            first++;
            slot2 = FIRST;
        } else if (mine == SECOND && second > 0) {
            second++;
            slot2 = SECOND;
        }
        __VERIFIER_atomic_end();
    } while (slot2 == NONE); // again if the counter was out of use

    progress2 = 1; // here it reads
    progress2 = 2;

    __VERIFIER_atomic_begin();
    if (slot2 == FIRST) {
        first--;
    } else {
        second--;
    }
    slot2 = NONE;
    __VERIFIER_atomic_end();
    return 0;
}

// The sum of the counters, read one after the other in any order.
int sum_unordered(void)
{
    int sum;
    if (__VERIFIER_nondet_int()) {
        sum = first;
        sum += second;
    } else {
        sum = second;
        sum += first;
    }
    return sum;
}

// Sends new readers to the other counter and waits for the old ones.
void flip_and_wait(void)
{
    if (idx == FIRST) {
        __VERIFIER_atomic_begin();
        second++;
        __VERIFIER_atomic_end();
        idx = SECOND;
        __VERIFIER_atomic_begin();
        first--;
        __VERIFIER_atomic_end();
        while (first > 0) {}
    } else {
        __VERIFIER_atomic_begin();
        first++;
        __VERIFIER_atomic_end();
        idx = FIRST;
        __VERIFIER_atomic_begin();
        second--;
        __VERIFIER_atomic_end();
        while (second > 0) {}
    }
}

void *updater(void *arg)
{
    int start1, start2, sum;
    __VERIFIER_atomic_begin();
    start1 = progress1;
    start2 = progress2;
    __VERIFIER_atomic_end();

    sum = sum_unordered();
    if (sum <= 1) sum = sum_unordered(); // a flip may have hidden a reader
    if (sum > 1) {
        pthread_mutex_lock(&updates);
        flip_and_wait();
        pthread_mutex_unlock(&updates);
    }

    assert(start1 != 1 || progress1 != 1);
    assert(start2 != 1 || progress2 != 1);
    return 0;
}

int main(void)
{
    pthread_t a, b, u;
    pthread_create(&a, 0, reader1, 0);
    pthread_create(&b, 0, reader2, 0);
    pthread_create(&u, 0, updater, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(u, 0);
}
