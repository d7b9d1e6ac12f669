//EXPECT: UNSAFE
// sem_destroy, then sem_init: the value is the new one.
#include <assert.h>
#include <semaphore.h>

sem_t s;

int main(void)
{
    int value;
    sem_init(&s, 0, 3);
    if (sem_destroy(&s) != 0) return 0;
    sem_init(&s, 0, 5);
    sem_getvalue(&s, &value);
    assert(value != 5);
}
