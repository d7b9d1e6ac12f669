//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// fwrite reads what the other thread writes.
#include <pthread.h>
#include <stdio.h>
char text[4] = "abc";

void *worker(void *unused)
{
    text[2] = 'd';
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    fwrite(text, 1, 3, stdout);
    pthread_join(t, 0);
    return 0;
}
