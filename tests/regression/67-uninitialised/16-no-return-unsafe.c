//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a function returns no value, and its caller uses one
// Where nothing is found, the end of `find` is reached.
extern int __VERIFIER_nondet_int(void);

static int find(int wanted) {
    for (int i = 0; i < 3; i++) {
        if (i * i == wanted)
            return i;
    }
}

int main(void) {
    int wanted = __VERIFIER_nondet_int();
    return find(wanted) == 1;
}
