//EXPECT: SAFE
// Locals that are alive have addresses of their own; a list holds those of two.
#include <assert.h>

struct waiter {
    int number;
    struct waiter *next;
} *head;

static void add(struct waiter *new)
{
    new->next = head;
    head = new;
}

static void leave(struct waiter *old)
{
    if (head == old)
        head = old->next;
}

static int run(int number)
{
    struct waiter me = {number, 0};
    add(&me);
    int found = head->number;
    if (head == &me)
        leave(&me);
    return found;
}

int main(void)
{
    assert(run(1) == 1);
    assert(run(2) == 2);
    struct waiter a = {3, 0}, b = {4, 0};
    add(&a);
    add(&b);
    assert(head == &b && head->next == &a);
    leave(&b);
    assert(head == &a);
}
