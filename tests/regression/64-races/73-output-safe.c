//EXPECT: SAFE
//ARGS: --check races
// fwrite reads what nobody writes.
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
    fwrite(text, 1, 2, stdout);
    pthread_join(t, 0);
    return 0;
}
