//EXPECT: SAFE
//ARGS: --check undefined
// Who does not use a result needs none; nor does who starts a thread; `main` returns 0 by itself; the end of `sign` is never reached.
#include <pthread.h>
#include <stdlib.h>

static int count;

static int tick(void) {
    count = count > 5 ? 0 : count + 1;
}

static int sign(unsigned n) {
    switch (n % 2) {
    case 0:
        return 1;
    case 1:
        return -1;
    }
}

static int fail(void) {
    exit(1);
}

void *run(void *unused) {
    tick(), tick();
    (void)tick();
    count ? tick() : tick();
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    if (sign(3) == 1)
        return fail();
}
