//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `heap@13.retries`
// A request gets its number of retries only if it is urgent.
#include <stdlib.h>

struct request {
    int urgent, retries;
};

static struct request *new_request(int urgent)
{
    struct request *request = malloc(sizeof *request);
    request->urgent = urgent;
    if (urgent)
        request->retries = 3;
    return request;
}

int main(void)
{
    struct request *first = new_request(1), *second = new_request(0);
    int tries = first->retries + second->retries;
    free(first);
    free(second);
    return tries;
}
