//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: an object is used after the end of its lifetime
// Parameters are locals.
int *p;
void f(int x, int first) {
    if (first)
        p = &x;
    else
        *p = x;
}
int main(void) {
    f(1, 1);
    f(2, 0);
}
