/* The C library: the end of the program, strings, characters, numbers, time,
   input and output. Output has no effect that a program could see. */

/* The end of the program. To abort is not an error: an assertion is. */
void abort(void) { __rely_halt(); }
void exit(int status)
{
    __rely_at_exit();
    __rely_halt();
}
void _Exit(int status) { __rely_halt(); }
void _exit(int status) { __rely_halt(); }
void quick_exit(int status) { __rely_halt(); }
int atexit(void (*handler)(void)) { __rely_unsupported("atexit"); }
int at_quick_exit(void (*handler)(void)) { __rely_unsupported("at_quick_exit"); }

/* What `assert` of various systems calls. */
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    __rely_error("assertion");
}

void __assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
    __rely_error("assertion");
}

void __assert(const char *text, const char *file, int line) { __rely_error("assertion"); }
void _assert(const char *text, const char *file, unsigned line) { __rely_error("assertion"); }
void __assert_func(const char *file, int line, const char *function, const char *text) { __rely_error("assertion"); }
void __assert_rtn(const char *function, const char *file, int line, const char *text) { __rely_error("assertion"); }

void __VERIFIER_assert(int condition)
{
    if (!condition) __rely_error("assertion");
}

void assume_abort_if_not(int condition)
{
    if (!condition) __rely_halt();
}

/* Strings. */
unsigned long strlen(const char *s)
{
    unsigned long n = 0;
    while (s[n]) n++;
    return n;
}

unsigned long strnlen(const char *s, unsigned long max)
{
    unsigned long n = 0;
    while (n < max && s[n]) n++;
    return n;
}

/* Only the sign of a comparison is promised, not the number. */
int __rely_order(int difference)
{
    if (difference < 0) return __rely_nondet_bool() ? -1 : difference - 1;
    if (difference > 0) return __rely_nondet_bool() ? 1 : difference + 1;
    return 0;
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return __rely_order((int)(unsigned char)*a - (int)(unsigned char)*b);
}

int strncmp(const char *a, const char *b, unsigned long n)
{
    for (; n > 0; n--, a++, b++) {
        if (*a != *b) return __rely_order((int)(unsigned char)*a - (int)(unsigned char)*b);
        if (!*a) break;
    }
    return 0;
}

int memcmp(const void *a, const void *b, unsigned long n)
{
    const unsigned char *p = a;
    const unsigned char *q = b;
    for (; n > 0; n--, p++, q++)
        if (*p != *q) return __rely_order((int)*p - (int)*q);
    return 0;
}

char *strcpy(char *to, const char *from)
{
    unsigned long i = 0;
    do to[i] = from[i];
    while (from[i++]);
    return to;
}

char *strncpy(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}

char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    char *end = to + strlen(to);
    for (; i < n && from[i]; i++) end[i] = from[i];
    end[i] = 0;
    return to;
}

char *strchr(const char *s, int c)
{
    for (; *s != (char)c; s++)
        if (!*s) return 0;
    return (char *)s;
}

char *strrchr(const char *s, int c)
{
    char *last = 0;
    for (;; s++) {
        if (*s == (char)c) last = (char *)s;
        if (!*s) return last;
    }
}

void *memchr(const void *s, int c, unsigned long n)
{
    const unsigned char *p = s;
    for (; n > 0; n--, p++)
        if (*p == (unsigned char)c) return (void *)p;
    return 0;
}

void *malloc(unsigned long size);

char *strdup(const char *s)
{
    char *copy = malloc(strlen(s) + 1);
    return strcpy(copy, s);
}

char *strndup(const char *s, unsigned long max)
{
    unsigned long n = strnlen(s, max);
    char *copy = malloc(n + 1);
    for (unsigned long i = 0; i < n; i++) copy[i] = s[i];
    copy[n] = 0;
    return copy;
}

/* Characters, in the locale "C". The standard says "non-zero" for "yes". */
/* Not zero is promised, not one. */
int __rely_truth(int holds) { return holds ? (__rely_nondet_bool() ? 1 : 1024) : 0; }
int isdigit(int c) { return __rely_truth(c >= '0' && c <= '9'); }
int isupper(int c) { return __rely_truth(c >= 'A' && c <= 'Z'); }
int islower(int c) { return __rely_truth(c >= 'a' && c <= 'z'); }
int isalpha(int c) { return __rely_truth((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')); }
int isalnum(int c) { return __rely_truth(isalpha(c) || isdigit(c)); }
int isspace(int c) { return __rely_truth(c == ' ' || (c >= 9 && c <= 13)); }
int isblank(int c) { return __rely_truth(c == ' ' || c == 9); }
int iscntrl(int c) { return __rely_truth((c >= 0 && c < 32) || c == 127); }
int isprint(int c) { return __rely_truth(c >= 32 && c < 127); }
int isgraph(int c) { return __rely_truth(c > 32 && c < 127); }
int ispunct(int c) { return __rely_truth(isgraph(c) && !isalnum(c)); }
int isxdigit(int c) { return __rely_truth(isdigit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f')); }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

/* Numbers. */
int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }

int atoi(const char *s)
{
    int n = 0;
    _Bool minus = 0;
    while (*s == ' ' || (*s >= 9 && *s <= 13)) s++;
    if (*s == '-' || *s == '+') minus = *s++ == '-';
    for (; *s >= '0' && *s <= '9'; s++) n = n * 10 - (*s - '0'); /* negative: there is one more */
    return minus ? n : -n;
}

void srand(unsigned seed) {}
void srandom(unsigned seed) {}
int rand(void) { return __rely_nondet_int() & 2147483647; }
int rand_r(unsigned *seed)
{
    *seed = (unsigned)__rely_nondet_int();
    return __rely_nondet_int() & 2147483647;
}
long random(void) { return __rely_nondet_int() & 2147483647; }

/* Time. Nothing is known of clocks, not even that they go on. */
struct __rely_timeval {
    long seconds;
    long microseconds;
};

long time(long *now)
{
    long value = __rely_nondet_long();
    if (value < 0) value = -1;
    if (now) *now = value;
    return value;
}

long clock(void)
{
    long value = __rely_nondet_long();
    return value < 0 ? -1 : value;
}

int gettimeofday(struct __rely_timeval *now, void *zone)
{
    now->seconds = __rely_nondet_long();
    now->microseconds = (unsigned)__rely_nondet_int() % 1000000u;
    return 0;
}

int clock_gettime(int clock, struct __rely_timespec *now)
{
    now->seconds = __rely_nondet_long();
    now->nanoseconds = (unsigned)__rely_nondet_int() % 1000000000u;
    return 0;
}

unsigned sleep(unsigned seconds) { __rely_cancellation_point(); return 0; }
int usleep(unsigned microseconds) { __rely_cancellation_point(); return 0; }

int nanosleep(const struct __rely_timespec *duration, void *remaining)
{
    __rely_cancellation_point();
    return __rely_bad_time(duration) ? __rely_fail(__rely_EINVAL) : 0;
}

int clock_nanosleep(int clock, int flags, const struct __rely_timespec *duration, void *remaining)
{
    __rely_cancellation_point();
    return __rely_bad_time(duration) ? __rely_EINVAL : 0;
}

/* Output. A number of characters, or a negative number if it fails. */
int printf(const char *format, ...) { __rely_possible_cancellation_point(); return __rely_nondet_int(); }
int fprintf(void *file, const char *format, ...) { __rely_possible_cancellation_point(); return __rely_nondet_int(); }
int dprintf(int file, const char *format, ...) { __rely_possible_cancellation_point(); return __rely_nondet_int(); }
int vprintf(const char *format, __builtin_va_list arguments) { __rely_possible_cancellation_point(); return __rely_nondet_int(); }
int vfprintf(void *file, const char *format, __builtin_va_list arguments) { __rely_possible_cancellation_point(); return __rely_nondet_int(); }
int printk(const char *format, ...) { return __rely_nondet_int(); }
void syslog(int priority, const char *format, ...) { __rely_possible_cancellation_point(); }
void perror(const char *text) { __rely_possible_cancellation_point(); }
int puts(const char *text) { __rely_possible_cancellation_point(); return __rely_nondet_int(); }
int fputs(const char *text, void *file) { __rely_possible_cancellation_point(); return __rely_nondet_int(); }
int putchar(int c) { __rely_possible_cancellation_point(); return __rely_nondet_bool() ? (int)(unsigned char)c : -1; }
int fputc(int c, void *file) { __rely_possible_cancellation_point(); return __rely_nondet_bool() ? (int)(unsigned char)c : -1; }
int putc(int c, void *file) { __rely_possible_cancellation_point(); return __rely_nondet_bool() ? (int)(unsigned char)c : -1; }
int fflush(void *file) { __rely_possible_cancellation_point(); return __rely_nondet_bool() ? 0 : -1; }
void setbuf(void *file, char *buffer) {}
int setvbuf(void *file, char *buffer, int mode, unsigned long size) { return 0; }

unsigned long fwrite(const void *data, unsigned long size, unsigned long count, void *file)
{
    __rely_possible_cancellation_point();
    unsigned long written = (unsigned long)__rely_nondet_long();
    return written < count ? written : count;
}

int sprintf(char *to, const char *format, ...) { __rely_unsupported("sprintf"); }
int snprintf(char *to, unsigned long size, const char *format, ...) { __rely_unsupported("snprintf"); }

/* Input. */
int getchar(void) { __rely_possible_cancellation_point(); return __rely_nondet_bool() ? __rely_nondet_int() & 255 : -1; }
int fgetc(void *file) { __rely_possible_cancellation_point(); return __rely_nondet_bool() ? __rely_nondet_int() & 255 : -1; }
int getc(void *file) { __rely_possible_cancellation_point(); return __rely_nondet_bool() ? __rely_nondet_int() & 255 : -1; }
int scanf(const char *format, ...) { __rely_unsupported("scanf"); }
int __isoc99_scanf(const char *format, ...) { __rely_unsupported("scanf"); }
int fscanf(void *file, const char *format, ...) { __rely_unsupported("fscanf"); }
int sscanf(const char *from, const char *format, ...) { __rely_unsupported("sscanf"); }
char *fgets(char *to, int size, void *file) { __rely_unsupported("fgets"); }

/* The environment. */
char *getenv(const char *name) { __rely_unsupported("getenv"); }
int system(const char *command) { __rely_unsupported("system"); }
int fork(void) { __rely_unsupported("fork"); }
int raise(int signal) { __rely_unsupported("raise"); }
void *signal(int number, void *handler) { __rely_unsupported("signal"); }
