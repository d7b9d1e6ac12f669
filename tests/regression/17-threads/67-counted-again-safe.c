//EXPECT: SAFE
// The loop creates three threads, though it counts to two.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count, again = 1;

void *run(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, 0, run, 0);
        if (again) {
            again = 0;
            i--;
        }
    }
    assert(count <= 3);
}
