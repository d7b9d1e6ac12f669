//EXPECT: UNKNOWN
//REASON: undefined
// A string literal must not be written.
int main(void)
{
    char *s = "abc";
    s[0] = 'x';
}
