//EXPECT: UNKNOWN
//REASON: a null pointer is dereferenced
// A member far behind a null pointer is still reached through null.
struct large {
    char room[3000];
    int last;
};

struct large global, *p = &global;

int main(void) {
    if (p->last == 0) p = 0;
    p->last = 1;
    return 0;
}
