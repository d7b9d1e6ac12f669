//EXPECT: SAFE
//ARGS: --check undefined
// If nobody has more than two, it is the second one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int scores[3] = { __VERIFIER_nondet_int(), 2, __VERIFIER_nondet_int() };
    int best = 1, most = 2;
    for (int i = 0; i < 3; i++) {
        if (scores[i] > most) {
            most = scores[i];
            best = i;
        }
    }
    return scores[best] != most;
}
