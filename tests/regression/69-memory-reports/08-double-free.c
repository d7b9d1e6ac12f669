//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: what is freed was freed before: `heap@11`, in thread
//REASON: allocated by thread main at
//REASON: freed by thread worker
// Whoever comes second frees it again.
#include <pthread.h>
#include <stdlib.h>
int *shared;
int main(void);
static void create(void) { shared = malloc(sizeof *shared); }
void *worker(void *unused) { free(shared); return 0; }

int main(void)
{
    pthread_t a, b;
    create();
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
