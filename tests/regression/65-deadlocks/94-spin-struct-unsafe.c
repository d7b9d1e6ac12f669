// The queue stays empty; in which order its ends are read does not matter.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: waits
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sched.h>

struct q { _Atomic int head, tail; } q; void *w(void*a){ while(q.head==q.tail); return 0;} void *v(void*a){ q.head=1; q.tail=1; return 0;} int main(void){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,v,0); pthread_join(t,0); pthread_join(u,0); return 0; }
