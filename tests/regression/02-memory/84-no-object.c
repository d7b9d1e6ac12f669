//EXPECT: UNKNOWN
//REASON: points to no object
// A number that is no address of an object.
int x;

int main(void) {
    int *p = &x;
    if (x == 0) p = (int *)0x7fff0000;
    *p = 1;
    return 0;
}
