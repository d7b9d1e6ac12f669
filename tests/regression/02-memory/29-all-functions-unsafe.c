//EXPECT: UNSAFE
// The error is reached only if every function of memory does its work.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NEED(condition) if (!(condition)) return 0

extern void *kmalloc(size_t, int), *kzalloc(size_t, int), *__kmalloc(size_t, int), *valloc(size_t);
extern void kfree(const void *), cfree(void *);

int main(void)
{
    int a[3] = {1, 2, 3}, b[3] = {0, 0, 0};
    int *p = kmalloc(sizeof(int), 0), *q = kzalloc(sizeof(int), 0), *r = __kmalloc(4 * sizeof(int), 0);
    int *s = valloc(sizeof(int)), *t = calloc(2, sizeof(int)), *u = malloc(sizeof(int));
    *p = 1;
    r[3] = 2;
    *s = 3;
    *u = 4;
    NEED(*p == 1 && *q == 0 && r[3] == 2 && *s == 3 && t[0] == 0 && t[1] == 0 && *u == 4);
    NEED(p != s && s != u && u != p);
    kfree(p);
    kfree(q);
    cfree(t);
    free(u);
    free(0);
    NEED(memcpy(b, a, 2 * sizeof(int)) == b && b[1] == 2 && b[2] == 0);
    NEED(memmove(a, a, sizeof a) == a && a[2] == 3);
    bzero(a, 2 * sizeof(int));
    NEED(a[1] == 0 && a[2] == 3);
    NEED(memset(a, 255, sizeof a) == a && a[2] == -1);
    assert(0);
}
