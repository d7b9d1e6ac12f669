//EXPECT: UNSAFE
// The user's semaphore does not block.
#include <assert.h>

typedef int sem_t;
int sem_wait(sem_t *s) { return --*s; }

int main(void)
{
    sem_t s = 0;
    assert(sem_wait(&s) == 0);
}
