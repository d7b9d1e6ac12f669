//EXPECT: UNKNOWN
//REASON: destroyed semaphore
// A destroyed semaphore must not be used.
#include <semaphore.h>

sem_t s;

int main(void)
{
    sem_init(&s, 0, 1);
    sem_destroy(&s);
    sem_wait(&s);
}
