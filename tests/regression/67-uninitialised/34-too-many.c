//EXPECT: SAFE
//ARGS: --check undefined
//REASON: what has no value where it is used
// So many elements are not followed: what is read has any value.
int main(void) {
    int numbers[100];
    numbers[0] = 1;
    return numbers[0] + (numbers[99] > 0);
}
