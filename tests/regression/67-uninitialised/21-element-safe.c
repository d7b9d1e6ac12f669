//EXPECT: SAFE
//ARGS: --check undefined
int main(void) {
    int grades[4], best = 0;
    for (int i = 0; i < 4; i++)
        grades[i] = i;
    for (int i = 0; i < 4; i++)
        if (grades[i] > best)
            best = grades[i];
    return best;
}
