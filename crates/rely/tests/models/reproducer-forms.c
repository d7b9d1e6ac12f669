//EXPECT: UNSAFE
//ARGS: --check assertions
//REASON: assert(last == 1)
// Every form of access, with a value that shows whether a hook has changed its meaning. Another thread looks at all of it, so all of it is shared.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct node {
    struct node *next;
    int number;
    unsigned few : 3;
    signed char small;
};

int x, last, array[4], *pointer = &array[1];
unsigned char byte = 255;
long wide = 5;
struct node first, second = { &first, 7, 6, 1 }, *list = &second;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define TWICE(e) ((e) + (e))

static int add(int a, int b) { return a + b; }
static int *where(void) { x++; return &array[3]; }

static void forms(void)
{
    int y = x++;
    assert(y == 0 && x == 1);
    y = ++x;
    assert(y == 2 && x == 2);
    y = x--;
    assert(y == 2 && x == 1);
    y = --x;
    assert(y == 0 && x == 0);
    assert((x += 3) == 3);
    x <<= 2, x |= 1;
    assert(x == 13 && TWICE(x) == 26);
    byte++;
    assert(byte == 0);
    byte -= 1;
    assert(byte == 255);
    wide = x = 4;
    assert(wide == 4 && x == 4);
    array[x - 4] = array[1] = 9;
    assert(array[0] == 9 && *pointer == 9);
    *pointer++ = 3;
    assert(array[1] == 3 && pointer == array + 2);
    pointer += 1;
    *pointer = (pointer[-1] = 2) + 1;
    assert(array[2] == 2 && array[3] == 3 && pointer - array == 3);
    *where() += 4;
    assert(array[3] == 7 && x == 5);
    list->next->number = list->number;
    assert(first.number == 7);
    list->few++;
    list->few += 2;
    assert(second.few == 1);
    first = *list;
    assert(first.next == &first && first.few == 1 && first.small == 1);
    first.small = list->next ? -1 : 2;
    assert((&first)->small == -1);
    list = list->next ?: NULL;
    assert(add(list->number, x ? array[0] : array[1]) == 16);
    struct node copy = first, *to = &copy;
    to->number += (x, 1);
    assert(copy.number == 8 && sizeof(array[x++]) == sizeof(int) && x == 5);
    for (int i = 0; i < 4; i++) array[i] = i * (i ? array[i - 1] + 1 : 1);
    assert(array[3] == 15);
    switch (x) {
    case 5: x = ({ int z = x; z + 1; }); break;
    default: x = 0;
    }
    do x--; while (x > 3);
    assert(x == 3 && !(x < 3) && ~x == -4);
}

void *look(void *unused)
{
    pthread_mutex_lock(&lock);
    int sum = x + last + array[0] + *pointer + byte + (int)wide + first.number + first.few + second.small + list->number;
    last = sum ? 0 : 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    unsigned char b = __VERIFIER_nondet_uchar();
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, look, 0);
    forms();
    last = a == -12345 && b == 200;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    if (a == -12345 && b == 200) assert(last == 1);
    return 0;
}
