//EXPECT: UNSAFE
// A labelled statement that is the whole branch of an `if` is label and statement.
extern void reach_error(void);
int x;

int main(void)
{
    if (!(x == 1)) ERROR: reach_error();
    if (x == 2) goto ERROR;
    return 0;
}
