//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: Memory can leak: nothing points to allocated memory any more: `heap@20`, 16 bytes
//REASON: in append, called at
//INPUTS: 2
//SANITIZER: LeakSanitizer: detected memory leaks
// Leaving the loop early forgets the job at hand. (The rest of the list is still reached from `jobs`: that is no leak.)
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct job {
    struct job *next;
    int number;
};

static struct job *jobs;

static void append(int number)
{
    struct job *job = malloc(sizeof *job);
    job->number = number;
    job->next = jobs;
    jobs = job;
}

int main(void)
{
    append(1);
    append(2);
    while (jobs) {
        struct job *job = jobs;
        jobs = job->next;
        if (job->number == __VERIFIER_nondet_int())
            break;
        free(job);
    }
    return 0;
}
