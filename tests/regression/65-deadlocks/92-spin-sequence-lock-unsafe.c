// The writer leaves the number odd: the inner loop of the reader never ends.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: waits
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sched.h>

_Atomic unsigned seq; _Atomic int d; void *w(void*a){ seq=1; d=1; return 0;} void *v(void*a){ unsigned s; int x; do { do s=seq; while (s&1); x=d; } while (seq!=s); return 0;} int main(void){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,v,0); pthread_join(t,0); pthread_join(u,0); return 0; }
