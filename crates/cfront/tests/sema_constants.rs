//! Constant expressions: value and type of each line of a table, for both data
//! models. The right sides are what gcc 13 says on x86; where the two models
//! differ, the second one follows after `|`.

mod sema_common;

use cfront::DataModel;
use sema_common::{number, type_name, unit};

const PRELUDE: &str = "
struct tag { char a; long long b; short c[3]; };
union both { char bytes[5]; int number; };
enum colour { RED, GREEN = 5, BLUE };
enum wide { BIG = 0x100000000 };
enum signed_enum { NEGATIVE = -3, POSITIVE };
";

#[test]
fn values_and_types_are_those_of_gcc() {
    let mut wrong = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        let (text, expected) = line.split_once("  =>  ").expect("each line has two sides");
        let (narrow, wide) = expected.split_once("  |  ").unwrap_or((expected, expected));
        for (model, expected) in [(DataModel::Ilp32, narrow), (DataModel::Lp64, wide)] {
            let source = format!(
                "{PRELUDE} long long value = (long long)({text}); __typeof__({text}) typed;"
            );
            let unit = unit(&source, model);
            let found = format!("{} {}", number(&unit, "value"), type_name(&unit, "typed"));
            if found != expected {
                wrong.push(format!("{text}: {found}, but gcc says {expected} ({model:?})"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const TABLE: &str = r#"
1  =>  1 int
2147483647  =>  2147483647 int
2147483648  =>  2147483648 long long  |  2147483648 long
4294967295  =>  4294967295 long long  |  4294967295 long
4294967296  =>  4294967296 long long  |  4294967296 long
9223372036854775807  =>  9223372036854775807 long long  |  9223372036854775807 long
0x7fffffff  =>  2147483647 int
0x80000000  =>  2147483648 unsigned int
0xffffffff  =>  4294967295 unsigned int
0x100000000  =>  4294967296 long long  |  4294967296 long
0x7fffffffffffffff  =>  9223372036854775807 long long  |  9223372036854775807 long
0x8000000000000000  =>  -9223372036854775808 unsigned long long  |  -9223372036854775808 unsigned long
0xffffffffffffffff  =>  -1 unsigned long long  |  -1 unsigned long
037777777777  =>  4294967295 unsigned int
1u  =>  1 unsigned int
4294967296u  =>  4294967296 unsigned long long  |  4294967296 unsigned long
1l  =>  1 long
1ul  =>  1 unsigned long
1ll  =>  1 long long
1ull  =>  1 unsigned long long
2147483648l  =>  2147483648 long long  |  2147483648 long
0x80000000l  =>  2147483648 unsigned long  |  2147483648 long
0xffffffffl  =>  4294967295 unsigned long  |  4294967295 long
2147483648ul  =>  2147483648 unsigned long
9223372036854775807ull  =>  9223372036854775807 unsigned long long
0b1011  =>  11 int
'a'  =>  97 int
'\377'  =>  -1 int
'\0'  =>  0 int
'ab'  =>  24930 int
L'a'  =>  97 long  |  97 int
u'a'  =>  97 unsigned short
U'a'  =>  97 unsigned int
'a' + 1  =>  98 int
1 + 1u  =>  2 unsigned int
1 + 1l  =>  2 long
1u + 1l  =>  2 unsigned long  |  2 long
1ul + 1ll  =>  2 long long  |  2 unsigned long long
1l + 1ull  =>  2 unsigned long long
-1 + 0u  =>  4294967295 unsigned int
-1 + 0ul  =>  4294967295 unsigned long  |  -1 unsigned long
-1 < 0u  =>  0 int
-1 < 0ul  =>  0 int
-1l < 0u  =>  0 int  |  1 int
-1ll < 0u  =>  1 int
-1ll < 0ul  =>  1 int  |  0 int
(char)1 + (short)1  =>  2 int
(unsigned char)255 + (unsigned char)1  =>  256 int
(unsigned short)65535 * 2  =>  131070 int
(char)200  =>  -56 char
(unsigned char)300  =>  44 unsigned char
(signed char)-129  =>  127 char
(short)40000  =>  -25536 short
(unsigned short)-1  =>  65535 unsigned short
(unsigned)-1  =>  4294967295 unsigned int
(int)4294967295u  =>  -1 int
(long)4294967295u  =>  -1 long  |  4294967295 long
(long)-1  =>  -1 long
(unsigned long)-1  =>  4294967295 unsigned long  |  -1 unsigned long
(long long)4294967295u  =>  4294967295 long long
(unsigned long long)-1  =>  -1 unsigned long long
(_Bool)2  =>  1 _Bool
(_Bool)0  =>  0 _Bool
(_Bool)0x100  =>  1 _Bool
(_Bool)2 + 1  =>  2 int
!5  =>  0 int
!0  =>  1 int
!!7  =>  1 int
~0  =>  -1 int
~0u  =>  4294967295 unsigned int
~0ul  =>  4294967295 unsigned long  |  -1 unsigned long
~0ull  =>  -1 unsigned long long
~(unsigned char)0  =>  -1 int
-5  =>  -5 int
-5u  =>  4294967291 unsigned int
- -5  =>  5 int
+(char)5  =>  5 int
+(unsigned short)5  =>  5 int
-(unsigned char)1  =>  -1 int
7 / 2  =>  3 int
-7 / 2  =>  -3 int
7 % -3  =>  1 int
-7 % 3  =>  -1 int
7u / 2  =>  3 unsigned int
-7 / 2u  =>  2147483644 unsigned int
(unsigned)-7 / 2  =>  2147483644 unsigned int
-7l % 3u  =>  0 unsigned long  |  -1 long
1 << 4  =>  16 int
1u << 31  =>  2147483648 unsigned int
1ull << 63  =>  -9223372036854775808 unsigned long long
1 << 4ll  =>  16 int
1ll << 40  =>  1099511627776 long long
(char)1 << 4  =>  16 int
(unsigned char)255 << 8  =>  65280 int
-16 >> 2  =>  -4 int
0x80000000 >> 4  =>  134217728 unsigned int
-1 >> 31  =>  -1 int
0xf0 & 0x3c  =>  48 int
0xf0 | 0x0f  =>  255 int
0xf0 ^ 0xff  =>  15 int
-1 & 0xffu  =>  255 unsigned int
-1 ^ 0ul  =>  4294967295 unsigned long  |  -1 unsigned long
5 & 3l  =>  1 long
1 < 2  =>  1 int
2u > 1l  =>  1 int
1 == 1ull  =>  1 int
0 != 0  =>  0 int
3 <= 3  =>  1 int
4 >= 5  =>  0 int
1 && 0  =>  0 int
1 && 2  =>  1 int
0 || 0  =>  0 int
0 || 3  =>  1 int
0 && (1 / 0)  =>  0 int
1 || (1 / 0)  =>  1 int
1 ? 2 : 3  =>  2 int
0 ? 2 : 3u  =>  3 unsigned int
1 ? (char)1 : (char)2  =>  1 int
1 ? 1 : 1ll  =>  1 long long
1 ? -1 : 0u  =>  4294967295 unsigned int
1 ? 2 : 1 / 0  =>  2 int
0 ? 1 / 0 : 9  =>  9 int
(1 ? 3 : 0) + 4  =>  7 int
2 + 3 * 4 - 1  =>  13 int
(2 + 3) * 4  =>  20 int
100 - 50 - 25  =>  25 int
1 << 2 << 3  =>  32 int
1 | 2 & 4 ^ 7  =>  7 int
5 > 3 > 1  =>  0 int
sizeof(int)  =>  4 unsigned int  |  4 unsigned long
sizeof(long)  =>  4 unsigned int  |  8 unsigned long
sizeof(long long)  =>  8 unsigned int  |  8 unsigned long
sizeof(void *)  =>  4 unsigned int  |  8 unsigned long
sizeof(char[3])  =>  3 unsigned int  |  3 unsigned long
sizeof(int[2][3])  =>  24 unsigned int  |  24 unsigned long
sizeof(short) * 2  =>  4 unsigned int  |  4 unsigned long
sizeof("abc")  =>  4 unsigned int  |  4 unsigned long
sizeof "abc" "de"  =>  6 unsigned int  |  6 unsigned long
sizeof(L"ab")  =>  12 unsigned int  |  12 unsigned long
sizeof('a')  =>  4 unsigned int  |  4 unsigned long
sizeof(1 + 1ull)  =>  8 unsigned int  |  8 unsigned long
sizeof((char)1)  =>  1 unsigned int  |  1 unsigned long
sizeof(+(char)1)  =>  4 unsigned int  |  4 unsigned long
sizeof(double)  =>  8 unsigned int  |  8 unsigned long
sizeof(float)  =>  4 unsigned int  |  4 unsigned long
sizeof(long double)  =>  12 unsigned int  |  16 unsigned long
sizeof(1.0)  =>  8 unsigned int  |  8 unsigned long
sizeof(1.0f)  =>  4 unsigned int  |  4 unsigned long
sizeof(1 + 1.0f)  =>  4 unsigned int  |  4 unsigned long
sizeof(void)  =>  1 unsigned int  |  1 unsigned long
sizeof(int (*)(int))  =>  4 unsigned int  |  8 unsigned long
sizeof(struct tag)  =>  20 unsigned int  |  24 unsigned long
sizeof(union both)  =>  8 unsigned int  |  8 unsigned long
sizeof(((struct tag *)0)->b)  =>  8 unsigned int  |  8 unsigned long
sizeof(enum colour)  =>  4 unsigned int  |  4 unsigned long
sizeof(_Bool)  =>  1 unsigned int  |  1 unsigned long
_Alignof(int)  =>  4 unsigned int  |  4 unsigned long
_Alignof(struct tag)  =>  4 unsigned int  |  8 unsigned long
_Alignof(char)  =>  1 unsigned int  |  1 unsigned long
_Alignof(short[4])  =>  2 unsigned int  |  2 unsigned long
__builtin_offsetof(struct tag, b)  =>  4 unsigned int  |  8 unsigned long
__builtin_offsetof(struct tag, c[2])  =>  16 unsigned int  |  20 unsigned long
(unsigned long)&((struct tag *)0)->c  =>  12 unsigned long  |  16 unsigned long
(char *)&((struct tag *)0)->c[1] - (char *)0  =>  14 int  |  18 long
RED  =>  0 int
GREEN + 1  =>  6 int
BLUE  =>  6 int
BIG  =>  4294967296 unsigned long long  |  4294967296 unsigned long
-NEGATIVE  =>  3 int
sizeof(BIG)  =>  8 unsigned int  |  8 unsigned long
sizeof(enum wide)  =>  8 unsigned int  |  8 unsigned long
(enum colour)5  =>  5 unsigned int
(enum signed_enum)-1  =>  -1 int
(enum colour)-1 < 0  =>  0 int
(enum signed_enum)-1 < 0  =>  1 int
_Generic(1, int: 1, default: 2)  =>  1 int
_Generic(1u, int: 1, unsigned: 4l, default: 2)  =>  4 long
_Generic("a", char *: 3, default: 2)  =>  3 int
_Generic(1.0f, float: 5, double: 6)  =>  5 int
_Generic((char)1, int: 1, char: 2)  =>  2 int
__builtin_types_compatible_p(int, int)  =>  1 int
__builtin_types_compatible_p(int, unsigned)  =>  0 int
__builtin_types_compatible_p(int[], int[3])  =>  1 int
__builtin_types_compatible_p(int *, char *)  =>  0 int
__builtin_choose_expr(1, 2, 3ul)  =>  2 int
__builtin_choose_expr(0, 2, 3ul)  =>  3 unsigned long
__builtin_constant_p(5)  =>  1 int
__builtin_expect(3, 1)  =>  3 long
__builtin_expect(-1, 1)  =>  -1 long
(int *)4 + 1 == (int *)8  =>  1 int
(char *)8 - (char *)3  =>  5 int  |  5 long
(int *)16 - (int *)8  =>  2 int  |  2 long
(void *)0 == 0  =>  1 int
(unsigned long)(void *)-1  =>  4294967295 unsigned long  |  -1 unsigned long
2147483647 + 1u  =>  2147483648 unsigned int
-2147483647 - 1  =>  -2147483648 int
(-2147483647 - 1) % 1  =>  0 int
(unsigned char)(-1) == 255  =>  1 int
(signed char)255 == -1  =>  1 int
(long long)1 << 32 >> 32  =>  1 long long
0x7fffffff + 0x80000000  =>  4294967295 unsigned int
4000000000 - 1  =>  3999999999 long long  |  3999999999 long
4000000000u + 4000000000u  =>  3705032704 unsigned int
3000000000 * 2  =>  6000000000 long long  |  6000000000 long
1ull - 2  =>  -1 unsigned long long
65535 * 65535u  =>  4294836225 unsigned int
(short)65535 + 0  =>  -1 int
(_Bool)(void *)8  =>  1 _Bool
__extension__ 5  =>  5 int
'\x80' < 0  =>  1 int
u'\xffff' + 1  =>  65536 int
10 - 2ul * 6  =>  4294967294 unsigned long  |  -2 unsigned long
(int)sizeof(int) - 5 < 0  =>  1 int
sizeof(int) - 5 > 0  =>  1 int
"#;
