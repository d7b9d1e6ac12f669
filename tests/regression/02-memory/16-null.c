//EXPECT: UNKNOWN
//REASON: a null pointer is dereferenced
// A null pointer is dereferenced.
int *p;

int main(void)
{
    *p = 1;
}
