//EXPECT: UNKNOWN
//REASON: a type that it does not have
// Two `short`s are no `int` (C11 6.5, 7).
struct pair {
    short a, b;
    int c;
} pair;

int main(void) {
    short *p = &pair.a;
    if (pair.c == 0) *(int *)p = 1;
    return 0;
}
