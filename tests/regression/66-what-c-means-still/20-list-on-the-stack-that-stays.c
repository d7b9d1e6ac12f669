//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: an object is used after the end of its lifetime
// The mutant of 19: nodes stay in the list.
struct node {
    struct node *next;
    int value;
} *head;
int push(int value) {
    struct node own = {head, value};
    head = &own;
    return own.next ? own.next->value : 0;
}
int main(void) {
    push(1);
    return push(2);
}
