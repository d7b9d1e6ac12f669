//EXPECT: UNKNOWN
//REASON: a type that is not the library's
// A library function is given what only has the name of its type.
typedef struct { int count; } sem_t;
int sem_post(sem_t *s) { return ++s->count; }
int sem_wait(sem_t *s);

int main(void)
{
    sem_t s = {0};
    return sem_wait(&s);
}
