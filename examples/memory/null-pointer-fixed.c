//EXPECT: SAFE
//ARGS: --check memory
//INPUTS: 3
// Not every key has an entry, and the caller knows it.
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
    return found ? found->value : 0;
}
