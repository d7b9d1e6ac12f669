//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model tso
// Szymanski for two threads.
#include <assert.h>
#include <pthread.h>

volatile int flag_1, flag_2, inside;

void *first(void *unused)
{
    for (;;) {
        flag_1 = 1;
        while (flag_2 >= 3)
            ;
        flag_1 = 3;
        if (flag_2 == 1) {
            flag_1 = 2;
            while (flag_2 != 4)
                ;
        }
        flag_1 = 4;
        inside++;
        assert(inside == 1);
        inside--;
        int other;
        do
            other = flag_2;
        while (other == 2 || other == 3);
        flag_1 = 0;
    }
    return 0;
}

void *second(void *unused)
{
    for (;;) {
        flag_2 = 1;
        while (flag_1 >= 3)
            ;
        flag_2 = 3;
        if (flag_1 == 1) {
            flag_2 = 2;
            while (flag_1 != 4)
                ;
        }
        flag_2 = 4;
        while (flag_1 >= 2)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        flag_2 = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
