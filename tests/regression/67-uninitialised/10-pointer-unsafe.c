//EXPECT: UNSAFE
//ARGS: --check assertions,undefined
//REASON: a variable is read before it was written: `where`
// The pointer is looked at before its object is.
int main(void) {
    int *where;
    return *where;
}
