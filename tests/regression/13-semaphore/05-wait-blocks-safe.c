//EXPECT: SAFE
//VACUOUS: main waits for ever
// Nobody posts: the waiter waits for ever.
#include <assert.h>
#include <semaphore.h>

sem_t s;

int main(void)
{
    sem_init(&s, 0, 1);
    sem_wait(&s);
    sem_wait(&s);
    assert(0);
}
