//EXPECT: UNKNOWN
//REASON: `const` is written
// A `const` object must not be written, by whatever way (C11 6.7.3, 6).
const int limit = 5;

int main(void)
{
    int *p = (int *)&limit;
    *p = 6;
    return limit;
}
