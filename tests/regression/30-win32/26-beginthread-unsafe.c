//EXPECT: UNSAFE
// _beginthread starts a thread that runs by itself; what stands before _endthread is done.
#include <assert.h>

unsigned long _beginthread(void (*)(void *), unsigned, void *);
void _endthread(void);

int x;

void worker(void *arg)
{
    x = *(int *)arg;
    _endthread();
    x = 3;
}

int main(void)
{
    static int two = 2;
    _beginthread(worker, 0, &two);
    assert(x == 0);
}
