//EXPECT: SAFE
// Without the header, these names are the user's own; so is a function with a body.
#include <assert.h>

typedef struct { int count; char pad[3]; } sem_t;
typedef int mtx_t;
typedef struct { int a, b; } once_flag;
typedef union { long l; } CONDITION_VARIABLE;
typedef char cnd_t[3];

int sem_wait(sem_t *s) { return --s->count; }
static int call_once(once_flag *f) { return f->a + f->b; }

int main(void)
{
    sem_t s = {3, {1, 2, 3}};
    mtx_t m = 4;
    once_flag f = {1, 2};
    CONDITION_VARIABLE v = {5};
    assert(sizeof s == 8 && sizeof m == 4 && sizeof f == 8 && sizeof(cnd_t) == 3 && sizeof v == 8);
    assert(sem_wait(&s) == 2 && s.pad[2] == 3 && call_once(&f) == 3 && v.l == 5 && m == 4);
}
