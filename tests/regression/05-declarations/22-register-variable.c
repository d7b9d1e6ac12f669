//EXPECT: UNKNOWN
//REASON: an `asm` label
// Each thread has its own.
register long global asm("r12");
int main(void) { return global; }
