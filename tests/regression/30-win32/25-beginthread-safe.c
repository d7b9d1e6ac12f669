//EXPECT: SAFE
// A thread of _beginthread gets its argument and ends with _endthread: nothing behind it is done.
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
    assert(x == 0 || x == 2);
}
