//EXPECT: UNKNOWN
//REASON: after the end of its lifetime
// A pointer to a local of a block that has ended.
int main(void)
{
    int *p;
    {
        int x = 1;
        p = &x;
    }
    return *p;
}
