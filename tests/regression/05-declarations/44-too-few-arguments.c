//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a call through a pointer that points to no function of this type
// A function without a prototype, called with too few arguments: gcc takes it.
int sum();

int main(void) { return sum(1); }

int sum(int a, int b) { return a == b; }
