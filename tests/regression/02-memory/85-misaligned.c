//EXPECT: UNKNOWN
//REASON: not aligned
// An `int` that begins in the middle of another.
int pair[2];

int main(void) {
    char *p = (char *)pair;
    for (int i = 0; i < 2; i++) p++;
    *(int *)p = 1;
    return 0;
}
