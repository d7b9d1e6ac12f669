//EXPECT: SAFE
// getvalue tells the value; a value above the limit is EINVAL.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

sem_t s;

int main(void)
{
    int v;
    assert(sem_init(&s, 0, 2147483648u) == -1 && errno == EINVAL);
    assert(sem_init(&s, 0, 2) == 0);
    sem_wait(&s);
    assert(sem_getvalue(&s, &v) == 0);
    assert(v == 1);
    sem_post(&s);
    sem_post(&s);
    sem_getvalue(&s, &v);
    assert(v == 3);
}
