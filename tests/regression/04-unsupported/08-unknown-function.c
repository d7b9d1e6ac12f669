//EXPECT: UNKNOWN
//REASON: mystery
// Nothing is known of a function without a body.
extern int mystery(int *p);

int main(void)
{
    int x = 0;
    mystery(&x);
    return x;
}
