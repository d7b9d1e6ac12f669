//EXPECT: SAFE
//ARGS: --check leaks
//INPUTS: 2
// The job is freed before the loop is left. (The rest of the list is still reached from `jobs`: that is no leak.)
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
        int number = job->number;
        free(job);
        if (number == __VERIFIER_nondet_int())
            break;
    }
    return 0;
}
