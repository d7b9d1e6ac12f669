//EXPECT: UNKNOWN
//REASON: a second name of another type
// gcc takes it, with a warning: two names of one function, with different parameters.
int one(int n) { return n; }
extern int other(void) __attribute__((alias("one")));

int main(void) { return other() * 0; }
