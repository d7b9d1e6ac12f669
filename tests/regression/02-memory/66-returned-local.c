//EXPECT: UNKNOWN
//REASON: after the end of its lifetime
// A pointer to a local of a function that has returned, in the same thread.
static void get(int **where)
{
    int x = 1;
    *where = &x;
}

int main(void)
{
    int *p;
    get(&p);
    return *p;
}
