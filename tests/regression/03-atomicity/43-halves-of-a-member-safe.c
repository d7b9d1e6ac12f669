//EXPECT: SAFE
//ARGS: --data-model ilp32
// The two words of a member that is reached by a pointer lie in it. The lock keeps them together.
#include <assert.h>
#include <pthread.h>

struct file {
    int flags;
    long long position;
} a, b;
struct file *files[2] = {&a, &b};
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *run(void *unused)
{
    struct file *file = files[0];
    pthread_mutex_lock(&lock);
    file->position = 0x100000001;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    struct file *file = files[0];
    pthread_mutex_lock(&lock);
    long long position = file->position;
    pthread_mutex_unlock(&lock);
    assert(position == 0 || position == 0x100000001);
}
