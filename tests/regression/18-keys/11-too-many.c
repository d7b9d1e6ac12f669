//EXPECT: UNKNOWN
//REASON: 8 keys
// There are no more than 8 keys in the model.
#include <pthread.h>

int main(void)
{
    pthread_key_t key;
    for (int i = 0; i < 9; i++) pthread_key_create(&key, 0);
}
