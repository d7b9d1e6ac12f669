// Who has the mutex keeps it: the other tries for ever.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: waits
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sched.h>

pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; void *w(void*a){ while(pthread_mutex_trylock(&m)) sched_yield(); return 0;} void *v(void*a){ while(pthread_mutex_trylock(&m)) sched_yield(); return 0;} int main(void){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,v,0); pthread_join(t,0); pthread_join(u,0); return 0; }
