//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a call through a pointer that points to no function of this type
// A definition with names for parameters is no prototype: the argument stays an `int`, and the function takes a `long`.
int is_minus_one(n) long n; { return n == -1; }

int main(void) { return is_minus_one(-1); }
