//EXPECT: SAFE
// Who copies all bytes of an address has the address: byte by byte, through an array of bytes, with what stands beside it.
#include <assert.h>
#include <string.h>

struct message {
    int kind;
    int *place;
    char mark;
} sent, received, again;
char buffer[64];
int x = 4;

static void copy(void *to, const void *from, unsigned long size)
{
    char *d = to;
    const char *s = from;
    while (size--)
        *d++ = *s++;
}

int main(void)
{
    sent.kind = 2;
    sent.place = &x;
    sent.mark = 'z';
    memcpy(buffer, &sent, sizeof sent);
    memcpy(&received, buffer, sizeof received);
    assert(received.kind == 2 && *received.place == 4 && received.mark == 'z');
    assert(buffer[0] == 2);
    copy(&again, &sent, sizeof again);
    assert(again.kind == 2 && again.place == &x && again.mark == 'z');
}
