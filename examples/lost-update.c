//EXPECT: UNSAFE
// The smallest race: two threads count the same visitors.
//
// Shows: `visitors++` is a read and a write, and one of two can get lost. Try
// `_Atomic int visitors;`: then the answer is SAFE.
#include <assert.h>
#include <pthread.h>

int visitors;

void *door(void *arg)
{
    visitors++;
    return 0;
}

int main(void)
{
    pthread_t front, back;
    pthread_create(&front, 0, door, 0);
    pthread_create(&back, 0, door, 0);
    pthread_join(front, 0);
    pthread_join(back, 0);
    assert(visitors == 2);
}
