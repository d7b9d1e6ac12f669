//EXPECT: SAFE
//VACUOUS: the threads run for ever
// The dining philosophers of the paper in C, for three: each takes its left fork, then its right one.
// That they may starve is not the question, but that no fork is used by two.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t fork_a, fork_b, fork_c;
int a_used, b_used, c_used;

#define PHILOSOPHER(name, left, right)         \
    void *name(void *arg)                      \
    {                                          \
        for (;;) {                             \
            pthread_mutex_lock(&fork_##left);  \
            pthread_mutex_lock(&fork_##right); \
            assert(!left##_used && !right##_used); \
            left##_used = right##_used = 1;    \
            left##_used = right##_used = 0;    \
            pthread_mutex_unlock(&fork_##right); \
            pthread_mutex_unlock(&fork_##left);  \
        }                                      \
    }

PHILOSOPHER(first, a, b)
PHILOSOPHER(second, b, c)
PHILOSOPHER(third, c, a)

int main(void)
{
    pthread_t one, two, three;
    pthread_mutex_init(&fork_a, 0);
    pthread_mutex_init(&fork_b, 0);
    pthread_mutex_init(&fork_c, 0);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_create(&three, 0, third, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
}
