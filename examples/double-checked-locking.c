//EXPECT: UNSAFE
// The same with a flag that is looked at before the mutex is locked. The flag
// is set before the table is complete.
//
// Shows: how double-checked locking goes wrong even on a machine without any
// reordering.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ready;
int table[2];

int look_up(int i)
{
    if (!ready) { // first check, without the mutex
        pthread_mutex_lock(&lock);
        if (!ready) { // second check, with it
            ready = 1; // wrong: must come last
            for (int k = 0; k < 2; k++) table[k] = k + 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return table[i];
}

void *worker(void *arg)
{
    int value = look_up(1);
    assert(value == 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
