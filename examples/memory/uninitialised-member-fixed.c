//EXPECT: SAFE
//ARGS: --check undefined
// A request that is not urgent has no retries.
#include <stdlib.h>

struct request {
    int urgent, retries;
};

static struct request *new_request(int urgent)
{
    struct request *request = malloc(sizeof *request);
    request->urgent = urgent;
    request->retries = urgent ? 3 : 0;
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
