//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `best`
// If nobody has more than two, there is no best one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int scores[3] = { __VERIFIER_nondet_int(), 2, __VERIFIER_nondet_int() };
    int best, most = 2;
    for (int i = 0; i < 3; i++) {
        if (scores[i] > most) {
            most = scores[i];
            best = i;
        }
    }
    return scores[best] != most;
}
