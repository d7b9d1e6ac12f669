//EXPECT: SAFE
// `#pragma pack` as gcc: what is set where the definition ends bounds the alignment of members, of bit-fields too.
#include <assert.h>
#include <stddef.h>

#pragma pack(push, 1)
struct one { char c; int i; short s; };
struct bits { char c; int b : 5; int d : 30; long e : 3; };
#pragma pack(2)
struct two { char c; int b : 5; int d : 30; long e : 3; long long q; };
#pragma pack(pop)
struct plain { char c; int i; };
struct late { char c;
#pragma pack(1)
    int i; };
#pragma pack()
_Pragma("pack(2)")
struct by_operator { char c; int i; };
_Pragma("pack()")

typedef __attribute__((packed)) struct { char c; int i; } not_packed;
struct packed { char c; int i; } __attribute__((packed));
typedef int unaligned __attribute__((aligned(1)));
struct with_typedef { char c; unaligned i; };

int main(void)
{
    assert(sizeof(struct one) == 7 && offsetof(struct one, i) == 1);
    assert(sizeof(struct bits) == 6 && sizeof(struct two) == 14 && offsetof(struct two, q) == 6);
    assert(sizeof(struct plain) == 8 && sizeof(struct late) == 5 && sizeof(struct by_operator) == 6);
    assert(sizeof(not_packed) == 8 && sizeof(struct packed) == 5 && sizeof(struct with_typedef) == 5);
    struct one o = {1, 2, 3};
    char *bytes = (char *)&o;
    assert(bytes[1] == 2 && bytes[5] == 3);
}
