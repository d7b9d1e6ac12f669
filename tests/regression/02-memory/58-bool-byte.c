//EXPECT: UNKNOWN
//REASON: no value of their type
// A byte other than 0 and 1 is no value of `_Bool` (C11 6.2.6.1, 5).
int main(void)
{
    unsigned char byte = 2;
    _Bool b = *(_Bool *)&byte;
    return b;
}
