//EXPECT: SAFE
//SLOW: about 1 s in a release build
// A stack of bounded size between two threads: one pushes arbitrary small
// numbers, the other one pops, each as often as the stack is large. A mutex
// protects every operation. The program is safe.
//
// Shows: an answer that depends on values in an array. `pop` gives a number or,
// for an empty stack, the code `UNDERFLOW`; that no number looks like the code
// follows from the range of what was pushed. Engines that list states cannot
// list 2^32 inputs.
#include <assert.h>
#include <pthread.h>

#define SIZE 5
#define OVERFLOW (-1)
#define UNDERFLOW (-2)

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

pthread_mutex_t mutex;
unsigned storage[SIZE];
int height; // number of elements

void grow(void)
{
    height++;
}

void shrink(void)
{
    height--;
}

int top(void)
{
    return height;
}

int is_full(void)
{
    return height == SIZE;
}

int is_empty(void)
{
    return height == 0;
}

// Puts a number on the stack; 0, or OVERFLOW if there is no space.
int push(unsigned *stack, int number)
{
    if (is_full()) {
        return OVERFLOW;
    } else {
        stack[top()] = number;
        grow();
    }
    return 0;
}

// Takes the last number from the stack; UNDERFLOW if there is none.
int pop(unsigned *stack)
{
    if (is_empty()) {
        return UNDERFLOW;
    } else {
        shrink();
        return stack[top()];
    }
}

void *producer(void *arg)
{
    int i;
    unsigned number;

    for (i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        number = __VERIFIER_nondet_uint();
        __VERIFIER_assume(number < SIZE);
        if (push(storage, number) == OVERFLOW) {
            assert(!"overflow");
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

void *consumer(void *arg)
{
    int i;

    for (i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        if (!is_empty()) {
            if (pop(storage) == UNDERFLOW) {
                assert(!"underflow");
            }
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_init(&mutex, 0);

    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);

    pthread_mutex_destroy(&mutex);
}
