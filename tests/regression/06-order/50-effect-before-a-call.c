//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: an object is changed while the same expression uses or changes it
// Only the call has its place beside `x +=`: `x++`, which stands before it, has none beside the read of `x`.
int x = 1;

int same(void)
{
    return x;
}

int main(void)
{
    x += (x++, same());
}
