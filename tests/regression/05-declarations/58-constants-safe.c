//EXPECT: SAFE
// C11 6.6: a floating constant below a cast is an integer constant; gcc takes the distance of two addresses in one object for a constant, too.
#include <assert.h>
enum { A = (int)2.7, B = (_Bool)0.5, C = (int)1e3, D = (unsigned char)250.9f };
int list[(int)3.5];
struct { int a; int b[3]; } v;
long distance = &v.b[3] - &v.b[1];
long bytes = (char *)&v.b[1] - (char *)&v;

int main(void)
{
    static long whole = &list[3] - list;
    assert(A == 2 && B == 1 && C == 1000 && D == 250 && sizeof list == 12);
    assert(distance == 2 && bytes == 8 && whole == 3);
    return 0;
}
