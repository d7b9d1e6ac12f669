//EXPECT: SAFE
// Different threads have different ids and arguments.
#include <assert.h>
#include <pthread.h>

int got[2];

void *worker(void *arg)
{
    long i = (long)arg;
    got[i] = 10 + (int)i;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, (void *)i);
    assert(!pthread_equal(t[0], t[1]));
    for (int i = 0; i < 2; i++) {
        void *r;
        pthread_join(t[i], &r);
        assert((long)r == i);
    }
    assert(got[0] == 10 && got[1] == 11);
}
