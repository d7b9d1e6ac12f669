//EXPECT: SAFE
//ARGS: --check undefined
//REASON: what has no value where it is used
// Bytes that are seen through several types are not followed.
union both {
    int number;
    char bytes[4];
};

int main(void) {
    union both both;
    both.bytes[0] = 1;
    return both.number > 0;
}
