//EXPECT: UNKNOWN
//REASON: an end of a section
// The linker puts what is in a section between two symbols that it defines itself.
int a __attribute__((section("mine"))) = 1;
int b __attribute__((section("mine"))) = 2;
extern int __start_mine[], __stop_mine[];

int main(void)
{
    return __stop_mine - __start_mine;
}
