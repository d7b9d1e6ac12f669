//EXPECT: SAFE
// A post beyond the largest value fails with EOVERFLOW.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

sem_t s;

int main(void)
{
    sem_init(&s, 0, 2147483647u);
    assert(sem_post(&s) == -1);
    assert(errno == EOVERFLOW);
    assert(sem_wait(&s) == 0);
    assert(sem_post(&s) == 0);
}
