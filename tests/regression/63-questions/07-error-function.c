//EXPECT: SAFE
//ARGS: --check memory
//VACUOUS: no assertion is asked for
// `reach_error` ends the program where assertions are not asked for, too.
extern void reach_error(void);

int main(void)
{
    int *p = 0;
    reach_error();
    return *p;
}
