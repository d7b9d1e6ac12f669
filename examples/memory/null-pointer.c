//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: a null pointer is dereferenced
//INPUTS: 3
//SANITIZER: null pointer
// Not every key has an entry.
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

struct entry {
    int key;
    int value;
};

static struct entry entries[2] = { { 1, 10 }, { 2, 20 } };

static struct entry *find(int key)
{
    for (int i = 0; i < 2; i++)
        if (entries[i].key == key)
            return &entries[i];
    return NULL;
}

int main(void)
{
    struct entry *found = find(__VERIFIER_nondet_int());
    return found->value;
}
