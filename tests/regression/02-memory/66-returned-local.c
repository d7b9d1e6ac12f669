//EXPECT: UNKNOWN
//REASON: an object that is gone
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
