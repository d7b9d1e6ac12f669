//EXPECT: SAFE
// No descriptor is ever made.
#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int ends[2], x = 0;
    if (x) {
        if (pipe(ends)) close(socket(AF_INET, SOCK_STREAM, 0));
    }
    assert(x == 0);
}
