//EXPECT: UNKNOWN
//REASON: undefined
// A null pointer is dereferenced.
int *p;

int main(void)
{
    *p = 1;
}
