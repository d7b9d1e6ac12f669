//EXPECT: UNKNOWN
//REASON: `goto` in the scope of a variable with `cleanup`
int x;
void done(int *p) { x = *p; }

int main(void)
{
    {
        int a __attribute__((cleanup(done))) = 1;
        goto out;
    }
out:
    return x;
}
