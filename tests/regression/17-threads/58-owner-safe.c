//EXPECT: SAFE
// Both threads exist at the same time: their ids differ.
#include <assert.h>
#include <pthread.h>

pthread_t owner;
int owned;

void *first(void *unused)
{
    owner = pthread_self();
    owned = 1;
    return 0;
}

void *second(void *unused)
{
    assert(!owned || owner != pthread_self());
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
