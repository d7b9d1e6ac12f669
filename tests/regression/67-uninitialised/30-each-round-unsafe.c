//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `point.y`
// Each round has a `point` of its own.
struct point {
    int x, y;
};

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        struct point point;
        point.x = i;
        if (i == 0)
            point.y = 1;
        sum += point.x + point.y;
    }
    return sum;
}
