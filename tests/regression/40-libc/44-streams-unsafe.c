//EXPECT: UNSAFE
// The error is reached only if all of them can succeed.
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
    NEED(dprintf(1, "%d", byte) == 1);
    NEED(fprintf(stderr, "%d", byte) == 1);
    NEED(printk("%d", byte) == 1);
    NEED(puts("text") >= 0);
    NEED(fputs("text", stdout) >= 0);
    NEED(putchar('a') == 'a');
    NEED(putc('a', stdout) == 'a');
    NEED(fputc('a', stdout) == 'a');
    NEED(fflush(stdout) == 0);
    NEED(fwrite(buffer, 1, sizeof buffer, stdout) == sizeof buffer);
    NEED(getchar() == 'x' && getchar() == EOF);
    NEED(getc(stdin) == 'x' && getc(stdin) == EOF);
    NEED(fgetc(stdin) == 'x' && fgetc(stdin) == EOF);
    assert(byte != 5 || buffer[0] != 7);
}
