//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a call through a pointer that points to no function of this type
// The function returns one byte, and the call takes four.
char letter(void) { return 'a'; }

int main(void) {
    int (*f)(void) = (int (*)(void))letter;
    return f() == 'a';
}
