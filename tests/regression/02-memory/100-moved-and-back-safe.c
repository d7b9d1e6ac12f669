//EXPECT: SAFE
//ARGS: --data-model ilp32
// From a member to its structure and back, and along an array, as lists of containers do it.
#include <assert.h>
#include <stddef.h>

struct link {
    struct link *next;
};
struct item {
    int value;
    struct link link;
} items[2] = {{1, {0}}, {2, {&items[0].link}}};
struct link head = {&items[1].link};

int main(void)
{
    int sum = 0;
    for (struct link *at = head.next; at; at = at->next) {
        struct item *item = (struct item *)((char *)at - offsetof(struct item, link));
        sum += item->value;
    }
    assert(sum == 3);
    struct item *last = items;
    for (int i = 0; i < 2; i++)
        last++;
    assert(last[-1].value == 2);
}
