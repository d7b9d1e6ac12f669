//EXPECT: UNKNOWN
//REASON: key that does not exist
// A deleted key must not be used.
#include <pthread.h>

pthread_key_t key;

int main(void)
{
    pthread_key_create(&key, 0);
    pthread_key_delete(key);
    pthread_getspecific(key);
}
