//EXPECT: UNSAFE
// The error is reached only if every function of strings gives the right answer.
#include <assert.h>
#include <string.h>

#define NEED(condition) if (!(condition)) return 0

int main(void)
{
    char b[6] = {9, 9, 9, 9, 9, 9}, text[] = "abcb";
    NEED(strnlen(text, 3) == 3 && strnlen(text, 7) == 4);
    NEED(strncmp(text, "abd", 2) == 0 && strncmp(text, "abd", 3) < 0);
    NEED(memcmp(text, "abd", 2) == 0 && memcmp("b", text, 1) > 0);
    NEED(strcpy(b, "a") == b && b[0] == 'a' && b[1] == 0 && b[2] == 9);
    NEED(strcat(b, "cd") == b && b[1] == 'c' && b[3] == 0 && b[4] == 9);
    NEED(strchr(text, 'b') == text + 1 && strchr(text, 0) == text + 4 && strchr(text, 'x') == 0);
    NEED(memchr(text, 'c', 2) == 0 && memchr(text, 'c', 3) == text + 2);
    assert(0);
}
