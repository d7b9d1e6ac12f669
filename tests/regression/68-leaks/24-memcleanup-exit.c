//EXPECT: UNSAFE
//ARGS: --property memcleanup.prp
//REASON: Violated: valid-memcleanup
// `exit` in a thread ends the program.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused) { exit(1); }

int main(void)
{
    pthread_t t;
    int *mine = malloc(sizeof *mine);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    free(mine);
    return 0;
}
