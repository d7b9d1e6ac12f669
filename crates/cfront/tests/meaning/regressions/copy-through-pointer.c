// expect: 14695981039346656037 model: Lp64 signed: wraps
// Found by seed 1: a record with bit-fields beside unions, copied through a pointer.
struct S5_0 {
union { unsigned long long m7_0; long m8_0;  };
long unsigned int m9_0 : 7;
union { long long m11_0; unsigned char m12_0[8]; short m13_0;  };
signed char m14_0 : 4;
};
static struct S5_0 r17_0 = { { .m7_0 = 0, }, 0, { .m11_0 = 0, }, 0, };
unsigned long long f_0(void)
{
unsigned long long digest = 14695981039346656037ULL;
struct S5_0 *rp44_0 = &r17_0;
(*rp44_0) = r17_0;
return digest;
}
