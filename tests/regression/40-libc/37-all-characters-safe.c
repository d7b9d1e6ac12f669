//EXPECT: SAFE
// All functions of characters, in the locale "C".
#include <assert.h>

extern int isdigit(int), isalpha(int), isalnum(int), isspace(int), isblank(int), isupper(int), islower(int);
extern int isxdigit(int), ispunct(int), isprint(int), isgraph(int), iscntrl(int), toupper(int), tolower(int);

int main(void)
{
    assert(isdigit('7') && !isdigit('x'));
    assert(isalpha('x') && !isalpha('7'));
    assert(isalnum('x') && isalnum('7') && !isalnum('_'));
    assert(isspace('\t') && !isspace('x'));
    assert(isblank('\t') && isblank(' ') && !isblank('\n'));
    assert(isupper('X') && !isupper('x'));
    assert(islower('x') && !islower('X'));
    assert(isxdigit('F') && !isxdigit('G'));
    assert(ispunct('_') && !ispunct('x') && !ispunct(' '));
    assert(isprint(' ') && !isprint('\n'));
    assert(isgraph('!') && !isgraph(' '));
    assert(iscntrl('\n') && iscntrl(127) && !iscntrl(' '));
    assert(toupper('x') == 'X' && toupper('X') == 'X');
    assert(tolower('X') == 'x' && tolower('7') == '7');
}
