// The flag on the heap is set.
//EXPECT: SAFE
//ARGS: --check deadlocks
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sched.h>

struct q { _Atomic int f; } *g; void *w(void*a){ while(!g->f); return 0;} void *v(void*a){ return 0;} int main(void){ pthread_t t; g=malloc(sizeof *g); if(!g) return 0; g->f=0; pthread_create(&t,0,w,0); g->f=1; pthread_join(t,0); return 0; }
