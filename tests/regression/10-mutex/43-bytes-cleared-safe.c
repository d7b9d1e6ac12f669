//EXPECT: SAFE
// Bytes of a structure are cleared one by one, then its mutex is initialised. Characters beside it are no bytes of it.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct {
    pthread_mutex_t lock;
    char name[8];
    int *place;
} s;
int x;

int main(void)
{
    char *byte = (char *)&s;
    for (unsigned i = 0; i < sizeof s; i++)
        byte[i] = 0;
    pthread_mutex_init(&s.lock, 0);
    strcpy(s.name, "ab");
    s.place = &x;
    pthread_mutex_lock(&s.lock);
    pthread_mutex_unlock(&s.lock);
    assert(strlen(s.name) == 2 && s.place == &x);
}
