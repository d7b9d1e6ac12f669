//EXPECT: UNKNOWN
//REASON: an array index out of bounds
// An index behind the array.
int t[3];

int main(void)
{
    for (int i = 0; i <= 3; i++) t[i] = i;
}
