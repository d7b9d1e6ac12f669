//EXPECT: UNKNOWN
//REASON: an object that is gone
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
