//EXPECT: UNKNOWN
//REASON: `#pragma omp parallel`
int main(void)
{
    int x = 0;
    #pragma omp parallel
    x++;
    return x;
}
