//EXPECT: UNKNOWN
//REASON: a choice between types
// The pointers differ in `const` only, which our types do not know.
const int *p;
int main(void) { return _Generic(p, int *: 1, const int *: 0); }
