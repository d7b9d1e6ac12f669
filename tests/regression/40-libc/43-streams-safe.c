//EXPECT: SAFE
// Output and input change nothing that the program could see but their results.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <syslog.h>

extern int printk(const char *, ...);
char buffer[8] = {7};

int main(void)
{
    char byte = 5;
    setbuf(stdin, 0);
    syslog(LOG_INFO, "%d", byte);
    perror("text");
    assert(setvbuf(stdout, 0, _IONBF, 0) == 0);
    dprintf(1, "%d", byte);
    fprintf(stderr, "%d", byte);
    printk("%d", byte);
    puts("text");
    fputs("text", stdout);
    putchar('a');
    putc('a', stdout);
    fputc('a', stdout);
    fflush(stdout);
    fwrite(buffer, 1, sizeof buffer, stdout);
    getchar();
    getc(stdin);
    fgetc(stdin);
    assert(byte == 5 && buffer[0] == 7 && buffer[1] == 0);
}
