//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a call through a pointer that points to no function of this type
// The function takes 64 bits, and the call passes 32: the rest is whatever the register held.
int is_minus_one(long n) { return n == -1; }

int main(void) {
    int (*f)(int) = (int (*)(int))is_minus_one;
    return f(-1);
}
