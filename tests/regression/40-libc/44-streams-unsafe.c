//EXPECT: UNSAFE
// The error is reached only if all of them can succeed, or fail, as is asked for here.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <syslog.h>

#define NEED(condition) if (!(condition)) return 0

extern int printk(const char *, ...);
char buffer[8] = {7};

int main(void)
{
    char byte = 5;
    setbuf(stdin, 0);
    syslog(LOG_INFO, "%d", byte);
    perror("text");
    NEED(setvbuf(stdout, 0, _IONBF, 0) == 0);
    NEED(dprintf(1, "%d", byte) == 1 && dprintf(1, "%d", byte) < 0);
    NEED(fprintf(stderr, "%d", byte) == 1 && fprintf(stderr, "%d", byte) < 0);
    NEED(printk("%d", byte) == 1);
    NEED(puts("text") >= 0 && puts("text") == EOF);
    NEED(fputs("text", stdout) >= 0 && fputs("text", stdout) == EOF);
    NEED(putchar('a') == 'a' && putchar('a') == EOF);
    NEED(putc('a', stdout) == 'a' && putc('a', stdout) == EOF);
    NEED(fputc('a', stdout) == 'a' && fputc('a', stdout) == EOF);
    NEED(fflush(stdout) == 0 && fflush(stdout) == EOF);
    NEED(fwrite(buffer, 1, sizeof buffer, stdout) == sizeof buffer);
    NEED(fwrite(buffer, 1, sizeof buffer, stdout) == 2);
    NEED(getchar() == 'x' && getchar() == EOF);
    NEED(getc(stdin) == 'x' && getc(stdin) == EOF);
    NEED(fgetc(stdin) == 'x' && fgetc(stdin) == EOF);
    assert(byte != 5 || buffer[0] != 7);
}
