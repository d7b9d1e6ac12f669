//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: an object is used after the end of its lifetime: `buffer`
int *kept;

static void keep(void)
{
    int buffer[2] = { 1, 2 };
    kept = buffer;
}

int main(void)
{
    keep();
    return kept[1];
}
