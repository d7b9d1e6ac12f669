//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: a null pointer is dereferenced: 4 bytes at 8, behind a null pointer
struct node { struct node *next; int value; };
struct node *list;

int main(void) { return list->value; }
