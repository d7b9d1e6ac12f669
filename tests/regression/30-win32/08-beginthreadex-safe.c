//EXPECT: SAFE
// _beginthreadex and _endthreadex.
#include <assert.h>

unsigned long _beginthreadex(void *, unsigned, unsigned (*)(void *), void *, unsigned, unsigned *);
void _endthreadex(unsigned);
unsigned WaitForSingleObject(void *, unsigned);

int x;

unsigned worker(void *arg)
{
    x = 1;
    _endthreadex(0);
    x = 2;
    return 0;
}

int main(void)
{
    void *t = (void *)_beginthreadex(0, 0, worker, 0, 0, 0);
    WaitForSingleObject(t, 0xffffffff);
    assert(x == 1);
}
