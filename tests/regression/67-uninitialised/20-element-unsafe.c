//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `grades[3]`
// The first loop stops one element before the second.
int main(void) {
    int grades[4], best = 0;
    for (int i = 0; i < 3; i++)
        grades[i] = i;
    for (int i = 0; i < 4; i++)
        if (grades[i] > best)
            best = grades[i];
    return best;
}
