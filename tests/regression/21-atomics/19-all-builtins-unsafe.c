//EXPECT: UNSAFE
// The error is reached only if each builtin gives the value it promises and leaves the right one behind.
#include <assert.h>

#define X(before, holds) before; if (!(holds)) return 0

int x, v, w;
_Bool b;

int main(void)
{
    X(x = 12, __atomic_fetch_add(&x, 3, __ATOMIC_RELAXED) == 12 && x == 15);
    X(x = 12, __atomic_add_fetch(&x, 3, __ATOMIC_RELAXED) == 15 && x == 15);
    X(x = 12, __sync_fetch_and_add(&x, 3) == 12 && x == 15);
    X(x = 12, __sync_add_and_fetch(&x, 3) == 15 && x == 15);
    X(x = 12, __atomic_fetch_sub(&x, 3, __ATOMIC_RELAXED) == 12 && x == 9);
    X(x = 12, __atomic_sub_fetch(&x, 3, __ATOMIC_RELAXED) == 9 && x == 9);
    X(x = 12, __sync_fetch_and_sub(&x, 3) == 12 && x == 9);
    X(x = 12, __sync_sub_and_fetch(&x, 3) == 9 && x == 9);
    X(x = 12, __atomic_fetch_and(&x, 6, __ATOMIC_RELAXED) == 12 && x == 4);
    X(x = 12, __atomic_and_fetch(&x, 6, __ATOMIC_RELAXED) == 4 && x == 4);
    X(x = 12, __sync_fetch_and_and(&x, 6) == 12 && x == 4);
    X(x = 12, __sync_and_and_fetch(&x, 6) == 4 && x == 4);
    X(x = 12, __atomic_fetch_or(&x, 3, __ATOMIC_RELAXED) == 12 && x == 15);
    X(x = 12, __atomic_or_fetch(&x, 3, __ATOMIC_RELAXED) == 15 && x == 15);
    X(x = 12, __sync_fetch_and_or(&x, 3) == 12 && x == 15);
    X(x = 12, __sync_or_and_fetch(&x, 3) == 15 && x == 15);
    X(x = 12, __atomic_fetch_xor(&x, 6, __ATOMIC_RELAXED) == 12 && x == 10);
    X(x = 12, __atomic_xor_fetch(&x, 6, __ATOMIC_RELAXED) == 10 && x == 10);
    X(x = 12, __sync_fetch_and_xor(&x, 6) == 12 && x == 10);
    X(x = 12, __sync_xor_and_fetch(&x, 6) == 10 && x == 10);
    X(x = 12, __atomic_fetch_nand(&x, 6, __ATOMIC_RELAXED) == 12 && x == ~4);
    X(x = 12, __atomic_nand_fetch(&x, 6, __ATOMIC_RELAXED) == ~4 && x == ~4);
    X(x = 12, __sync_fetch_and_nand(&x, 6) == 12 && x == ~4);
    X(x = 12, __sync_nand_and_fetch(&x, 6) == ~4 && x == ~4);
    X(x = 1, __atomic_load_n(&x, __ATOMIC_SEQ_CST) == 1);
    X(x = 2, (__atomic_load(&x, &v, __ATOMIC_SEQ_CST), v == 2));
    X(x = 1, (__atomic_store_n(&x, 3, __ATOMIC_SEQ_CST), x == 3));
    X(v = 4, (__atomic_store(&x, &v, __ATOMIC_SEQ_CST), x == 4));
    X(x = 5, __atomic_exchange_n(&x, 6, __ATOMIC_SEQ_CST) == 5 && x == 6);
    X(v = 7, (__atomic_exchange(&x, &v, &w, __ATOMIC_SEQ_CST), x == 7 && w == 6));
    X((x = 1, v = 1), __atomic_compare_exchange_n(&x, &v, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == 2 && v == 1);
    X((x = 3, v = 1), !__atomic_compare_exchange_n(&x, &v, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == 3 && v == 3);
    X((x = 1, v = 1, w = 8), __atomic_compare_exchange(&x, &v, &w, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == 8);
    X((x = 3, v = 1, w = 8), !__atomic_compare_exchange(&x, &v, &w, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && v == 3);
    X(x = 1, __sync_bool_compare_and_swap(&x, 1, 2) && x == 2 && !__sync_bool_compare_and_swap(&x, 1, 3) && x == 2);
    X(x = 1, __sync_val_compare_and_swap(&x, 1, 2) == 1 && x == 2 && __sync_val_compare_and_swap(&x, 1, 3) == 2 && x == 2);
    X(x = 4, __sync_lock_test_and_set(&x, 1) == 4 && x == 1 && (__sync_lock_release(&x), x == 0));
    X(b = 0, !__atomic_test_and_set(&b, __ATOMIC_SEQ_CST) && __atomic_test_and_set(&b, __ATOMIC_SEQ_CST) && (__atomic_clear(&b, __ATOMIC_SEQ_CST), !b));
    assert(0);
}
