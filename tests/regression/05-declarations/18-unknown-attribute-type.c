//EXPECT: UNKNOWN
//REASON: the attribute `scalar_storage_order`
struct __attribute__((scalar_storage_order("big-endian"))) s { int a; };

int main(void)
{
    struct s x = {1};
    return *(char *)&x;
}
