//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: 4 bytes at 4 before the start of `values`, which has 8 bytes
int values[2];

static int last(const int *end) { return end[-1]; }

int main(void) { return last(values); }
