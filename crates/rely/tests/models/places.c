#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define LAST 2

struct node {
  int key;
  struct node *next;
};

struct node items[3], *head;
int *number;
void (*hook)(void);

static void called(void) { items[LAST].key = 7; }

static int push(struct node *n) {
  if (!n) return -1;
  n->next = head; head = n;
  return 0;
}

void *worker(void *arg) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL) return 0;
  push(n); push(&items[1]);
  number = &items[LAST].key; hook = called;
  hook();
  return 0;
}

int main(void) {
  pthread_t t;
  int local = 3;
  number = &local;
  pthread_create(&t, 0, worker, 0);
  if (push(head) != 0) local = LAST + 2; else local = 0;
  pthread_join(t, 0);
  assert(items[LAST].key != 7);
  return 0;
}
