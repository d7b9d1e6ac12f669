// Two printers and a scanner, each with a lock, and jobs that copy: an even job takes the scanner and then a printer, an odd one
// a printer and then the scanner. Repaired: every job takes the scanner first.
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t scanner = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t printer[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int pages[2];

static void *job(void *arg) {
    int number = (int)(long)arg;
    int mine = number / 2 % 2;
#ifdef REPAIRED
    int scans_first = 1;
#else
    int scans_first = number % 2 == 0;
#endif
    pthread_mutex_lock(scans_first ? &scanner : &printer[mine]);
    pthread_mutex_lock(scans_first ? &printer[mine] : &scanner);
    pages[mine]++;
    pthread_mutex_unlock(&printer[mine]);
    pthread_mutex_unlock(&scanner);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, job, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
