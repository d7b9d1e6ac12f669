//EXPECT: UNSAFE
// A readers-writer lock after Flanagan, Freund and Qadeer ("Thread-modular
// verification for shared-memory programs", 2002): many readers or one writer.
// Two threads write, two read; the readers leave in two steps.
//
// Shows: of two decrements one can get lost or come too late, so a writer meets
// a reader. `read_write_safe.c` leaves in one step.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int w;    // is there a writer?
int r;    // number of readers
int x, y; // the data, and a copy

void begin_write(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
    __VERIFIER_atomic_end();
}

void begin_read(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(w == 0);
    r++;
    __VERIFIER_atomic_end();
}

void *writer(void *arg)
{
    begin_write();
    x = 3;
    w = 0;
    return 0;
}

void *reader(void *arg)
{
    begin_read();
    y = x;
    assert(y == x);
    r--; // a read and a write
    return 0;
}

int main(void)
{
    pthread_t w1, r1, w2, r2;
    pthread_create(&w1, 0, writer, 0);
    pthread_create(&r1, 0, reader, 0);
    pthread_create(&w2, 0, writer, 0);
    pthread_create(&r2, 0, reader, 0);
    pthread_join(w1, 0);
    pthread_join(r1, 0);
    pthread_join(w2, 0);
    pthread_join(r2, 0);
}
