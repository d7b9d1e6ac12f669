//EXPECT: UNSAFE
//REASON: seen == 2
// A stub with an effect that other threads see, called from two of them; it returns a record.
#include <assert.h>
#include <pthread.h>

struct ticket { int number; };
struct ticket draw(void);

static _Atomic int next;

struct ticket rely_stub_draw(void) {
    int mine = next;
    next = mine + 1;
    return (struct ticket){mine};
}

void *customer(void *unused) {
    draw();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int seen = draw().number;
    assert(seen == 2);
    return 0;
}
