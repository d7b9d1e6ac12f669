//EXPECT: SAFE
// Functions with the attribute `destructor` run after `main`, in the reverse order of constructors; `_exit` runs none.
#include <assert.h>

int state;
int status(void);
void _exit(int);

__attribute__((destructor(101))) static void last(void) { assert(state == 2); }
__attribute__((destructor)) static void first(void) { state = state == 1 ? 2 : 3; }

int main(void)
{
    if (status()) {
        state = 7;
        _exit(0);
    }
    state = 1;
    return 0;
}

int status(void)
{
    extern int __VERIFIER_nondet_int(void);
    return __VERIFIER_nondet_int();
}
