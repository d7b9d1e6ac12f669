//EXPECT: UNKNOWN
//REASON: the attribute `frobnicate`
int x __attribute__((frobnicate(1, 2)));
int *p = &x;

int main(void)
{
    return *p;
}
