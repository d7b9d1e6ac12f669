//EXPECT: SAFE
// The readers-writer lock of Flanagan, Freund and Qadeer ("Thread-modular
// verification for shared-memory programs", ESOP 2002) with one thread of each
// kind. `w` is set while somebody writes, `r` counts those who read.
//
// Modular: nobody else changes `r`, so the reader knows that it is above 0; then
// `w` stays 0, and whoever changes `data` has `w` set. With two readers the
// count would not say whose it is, and no modular proof would exist.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int w; // is there a writer?
int r; // number of readers
int data;

void *writer(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
    __VERIFIER_atomic_end();

    data = 3;

    w = 0;
    return 0;
}

void *reader(void *arg)
{
    int copy;
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(w == 0);
    r++;
    __VERIFIER_atomic_end();

    copy = data;
    assert(copy == data);

    __VERIFIER_atomic_begin();
    r--;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
