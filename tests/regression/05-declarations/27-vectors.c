//EXPECT: UNKNOWN
typedef int __attribute__((mode(SI))) __attribute__((vector_size(16))) four;
four a = {1, 2, 3, 4}, b;

int main(void)
{
    b = a + a;
    return b[0] == ((four){5, 6, 7, 8})[1];
}
