//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model pso
//REASON: now visible: latch[
/* Two workers hand over to each other, for ever: who is woken up by its latch has work. So did PostgreSQL's (its developers' mailing list, 2011; J. Alglave, D. Kroening,
   V. Nimal, M. Tautschnig: Software verification for weak memory via program transformation. ESOP 2013). Where writes become visible in order, that is right;
   else the latch may be visible before the work. */
#include <assert.h>
#include <pthread.h>

volatile int latch[2] = {1, 0};
volatile int work[2] = {1, 0};

void *worker(void *number)
{
    int own = number != 0;
    for (;;) {
        while (!latch[own])
            ;
        assert(work[own]);
        latch[own] = 0;
        if (work[own]) {
            work[own] = 0;
            work[1 - own] = 1;
            latch[1 - own] = 1;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, worker, &other);
    worker(0);
    return 0;
}
