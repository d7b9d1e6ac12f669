//EXPECT: UNKNOWN
//REASON: after the end of its lifetime
// The block is left by `break`: its local is gone.
int main(void)
{
    int *p = 0;
    for (;;) {
        int x = 1;
        p = &x;
        break;
    }
    return *p;
}
