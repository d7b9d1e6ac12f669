//EXPECT: UNKNOWN
//REASON: after the end of its lifetime
// A local of a function that has returned.
int *p;

void f(void)
{
    int x = 1;
    p = &x;
}

int main(void)
{
    f();
    return *p;
}
