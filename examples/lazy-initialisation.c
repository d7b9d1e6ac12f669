//EXPECT: SAFE
// A table that is set up by whoever needs it first, with pthread_once.
//
// Shows: pthread_once runs the routine once, and nobody goes on before it has
// returned.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int table[2];
int set_up; // how often

void set_up_table(void)
{
    set_up++;
    for (int i = 0; i < 2; i++) table[i] = i + 1;
}

int look_up(int i)
{
    pthread_once(&once, set_up_table);
    return table[i];
}

void *worker(void *arg)
{
    assert(look_up(1) == 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(look_up(0) == 1);
    pthread_join(t, 0);
    assert(set_up == 1);
}
