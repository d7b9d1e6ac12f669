//EXPECT: UNKNOWN
//REASON: the number of an address
// An address that goes to another thread bit by bit: it is the other thread's local there.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

uintptr_t sent;
int ready;

void *worker(void *arg)
{
    int mine = arg != 0;
    int *p = &mine;
    if (arg) {
        for (int i = 0; i < 64; i++)
            if ((uintptr_t)p >> i & 1) sent |= (uintptr_t)1 << i;
        __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST)) {}
    } else {
        while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST)) {}
        p = (int *)sent;
        assert(*p == 0);
        __atomic_store_n(&ready, 0, __ATOMIC_SEQ_CST);
    }
    return 0;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, worker, (void *)1);
    pthread_create(&t, 0, worker, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
}
