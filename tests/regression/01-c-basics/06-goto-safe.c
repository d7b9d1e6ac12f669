//EXPECT: SAFE
// goto forwards, backwards and out of a block; labels as values are not needed.
#include <assert.h>

int main(void)
{
    int n = 0;
again:
    n++;
    if (n < 3) goto again;
    for (;;) {
        while (1) goto out;
    }
out:
    assert(n == 3);
    goto end;
    assert(0);
end:
    return 0;
}
