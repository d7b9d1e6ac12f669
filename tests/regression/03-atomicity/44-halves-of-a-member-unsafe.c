//EXPECT: UNSAFE
//ARGS: --data-model ilp32
// The two words of a member that is reached by a pointer lie in it. Without a lock, one of them may be new and the other old.
#include <assert.h>
#include <pthread.h>

struct file {
    int flags;
    long long position;
} a, b;
struct file *files[2] = {&a, &b};

void *run(void *unused)
{
    struct file *file = files[0];
    file->position = 0x100000001;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    struct file *file = files[0];
    long long position = file->position;
    assert(position == 0 || position == 0x100000001);
}
