//EXPECT: UNKNOWN
//ARGS: --missing havoc
//REASON: a call of `find`, whose body is not known
//REASON: Without a body: `find` (
// What a pointer of any value would point to, nobody knows.
#include <assert.h>

int *find(int what);
int measure(int what);

int main(void) {
    int where = measure(1);
    assert(*find(where) == 1);
    return 0;
}
