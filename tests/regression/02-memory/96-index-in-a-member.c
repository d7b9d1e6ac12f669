//EXPECT: UNKNOWN
//REASON: an array index out of bounds
// `values[4]` is not `next`.
struct record {
    int values[4];
    int next;
} record;

int main(void) {
    struct record *p = &record;
    int i = record.next;
    while (i < 4) i++;
    p->values[i] = 1;
    return 0;
}
