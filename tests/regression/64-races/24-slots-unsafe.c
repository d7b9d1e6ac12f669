//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// Each reads the slot of its neighbour, too.
#include <pthread.h>
int data[3];

void *worker(void *argument)
{
    int id = *(int *)argument;
    data[id]++;
    data[id] = data[id + 1];
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int ids[2] = { 0, 1 };
    pthread_create(&a, 0, worker, &ids[0]);
    pthread_create(&b, 0, worker, &ids[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return data[0];
}
