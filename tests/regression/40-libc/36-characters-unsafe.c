//EXPECT: UNSAFE
// The error is reached only if every function answers for these characters as in the locale "C".
#include <assert.h>

#define NEED(condition) if (!(condition)) return 0

extern int isdigit(int), isalpha(int), isalnum(int), isspace(int), isblank(int), isupper(int), islower(int);
extern int isxdigit(int), ispunct(int), isprint(int), isgraph(int), iscntrl(int), toupper(int), tolower(int);

int main(void)
{
    NEED(isdigit('7') && !isdigit('x'));
    NEED(isalpha('x') && !isalpha('7'));
    NEED(isalnum('x') && isalnum('7') && !isalnum('_'));
    NEED(isspace('\t') && !isspace('x'));
    NEED(isblank('\t') && isblank(' ') && !isblank('\n'));
    NEED(isupper('X') && !isupper('x'));
    NEED(islower('x') && !islower('X'));
    NEED(isxdigit('F') && !isxdigit('G'));
    NEED(ispunct('_') && !ispunct('x') && !ispunct(' '));
    NEED(isprint(' ') && !isprint('\n'));
    NEED(isgraph('!') && !isgraph(' '));
    NEED(iscntrl('\n') && iscntrl(127) && !iscntrl(' '));
    NEED(toupper('x') == 'X' && toupper('X') == 'X');
    NEED(tolower('X') == 'x' && tolower('7') == '7');
    assert(0);
}
