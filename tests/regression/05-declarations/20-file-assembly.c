//EXPECT: UNKNOWN
//REASON: assembly at file scope
asm(".globl x\nx: .long 1");
int main(void) { return 0; }
