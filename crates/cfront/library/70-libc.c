/* The C library: the end of the program, strings, characters, numbers, time,
   input and output. Output has no effect that a program could see. */

/* The end of the program. To abort is not an error: an assertion is. */
void abort(void) { __rely_halt(); }
static void __rely_terminate(void)
{
    __rely_at_end();
    __rely_halt();
}
void exit(int status)
{
    __rely_at_exit();
    __rely_terminate();
}
void _Exit(int status) { __rely_terminate(); }
void _exit(int status) { __rely_terminate(); }
void quick_exit(int status) { __rely_terminate(); }
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
    return copy ? strcpy(copy, s) : 0;
}

char *strndup(const char *s, unsigned long max)
{
    unsigned long n = strnlen(s, max);
    char *copy = malloc(n + 1);
    if (!copy) return 0;
    for (unsigned long i = 0; i < n; i++) copy[i] = s[i];
    copy[n] = 0;
    return copy;
}

/* Characters, in the locale "C". The standard says "non-zero" for "yes"; these are the numbers of glibc, the same
   at each call. gcc computes `isdigit` itself, and then "yes" is 1. */
/* Other arguments are undefined (C11 7.4, 1); glibc looks them up in a table, which has some that are negative, too. */
static void __rely_character(int c)
{
    if (c < -128 || c > 255) __rely_undefined("index_out_of_bounds");
}

int isdigit(int c) { __rely_character(c); return c >= '0' && c <= '9' ? (__rely_nondet_bool() ? 1 : 2048) : 0; }
int isupper(int c) { __rely_character(c); return c >= 'A' && c <= 'Z' ? 256 : 0; }
int islower(int c) { __rely_character(c); return c >= 'a' && c <= 'z' ? 512 : 0; }
int isalpha(int c) { __rely_character(c); return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? 1024 : 0; }
int isalnum(int c) { return isalpha(c) || (c >= '0' && c <= '9') ? 8 : 0; }
int isspace(int c) { __rely_character(c); return c == ' ' || (c >= 9 && c <= 13) ? 8192 : 0; }
int isblank(int c) { __rely_character(c); return c == ' ' || c == 9; }
int iscntrl(int c) { __rely_character(c); return (c >= 0 && c < 32) || c == 127 ? 2 : 0; }
int isprint(int c) { __rely_character(c); return c >= 32 && c < 127 ? 16384 : 0; }
int isgraph(int c) { __rely_character(c); return c > 32 && c < 127 ? 32768 : 0; }
int ispunct(int c) { return isgraph(c) && !isalnum(c) ? 4 : 0; }
int isxdigit(int c) { __rely_character(c); return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f') ? 4096 : 0; }
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

/* The same seed gives the same numbers again, and seed 1 those without any seed: that is not modelled. */
static _Bool __rely_random_used;

void srand(unsigned seed)
{
    if (__rely_random_used) __rely_unsupported("a seed for random numbers after some were drawn");
}

int rand(void)
{
    __rely_random_used = 1;
    return __rely_nondet_int() & 2147483647;
}

void srandom(unsigned seed) { srand(seed); }
long random(void) { return rand(); }

/* A function of the seed: the last one and what came of it are remembered. Another seed must not have been drawn from
   before. The sequence of a seed does not come back to it: its period is at least 2^32. */
static __thread _Bool __rely_drawn, __rely_seed_forgotten, __rely_seed_changed;
static __thread unsigned __rely_first_seed, __rely_seed, __rely_next_seed;
static __thread int __rely_drawn_number;

/* What threads have begun with: the same seed gives the same numbers in every thread. */
static unsigned __rely_begun_seeds[4];
static __rely_thread __rely_begun_by[4];
static int __rely_begun;

static void __rely_draw_from(unsigned seed, _Bool begins)
{
    __VERIFIER_atomic_begin();
    for (int i = 0; i < __rely_begun; i++)
        if (__rely_begun_seeds[i] == seed && __rely_begun_by[i] != __rely_self())
            __rely_unsupported("`rand_r` with the same seed in several threads");
    if (begins) {
        if (__rely_begun == 4) __rely_unsupported("`rand_r` with more than four seeds");
        __rely_begun_seeds[__rely_begun] = seed;
        __rely_begun_by[__rely_begun++] = __rely_self();
    }
    __VERIFIER_atomic_end();
}

int rand_r(unsigned *seed)
{
    unsigned before = *seed;
    if (!__rely_drawn || before != __rely_seed) {
        _Bool is_other = before != __rely_next_seed;
        if (__rely_seed_changed || (is_other && __rely_seed_forgotten))
            __rely_unsupported("`rand_r` with several seeds in turn");
        __rely_draw_from(before, !__rely_drawn || is_other);
        __rely_seed_changed = __rely_drawn && is_other;
        __rely_seed_forgotten = __rely_drawn;
        if (!__rely_drawn) __rely_first_seed = before;
        __rely_drawn = 1;
        __rely_seed = before;
        __rely_next_seed = (unsigned)__rely_nondet_int();
        __VERIFIER_assume(__rely_next_seed != before && __rely_next_seed != __rely_first_seed);
        __rely_drawn_number = __rely_nondet_int() & 2147483647;
    }
    *seed = __rely_next_seed;
    return __rely_drawn_number;
}

/* Time. Nothing is known of clocks, but that CLOCK_MONOTONIC (1) does not go back. */
struct __librely_timeval {
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

int gettimeofday(struct __librely_timeval *now, void *zone)
{
    now->seconds = __rely_nondet_long();
    now->microseconds = (unsigned)__rely_nondet_int() % 1000000u;
    return 0;
}

static long __rely_uptime_seconds, __rely_uptime_nanoseconds; /* at the last look */

int clock_gettime(int clock, struct __librely_timespec *now)
{
    if (clock != 0 && clock != 1) __rely_unsupported("this clock");
    __VERIFIER_atomic_begin();
    long seconds = __rely_nondet_long();
    long nanoseconds = (unsigned)__rely_nondet_int() % 1000000000u;
    if (clock == 1) {
        __VERIFIER_assume(seconds > __rely_uptime_seconds
                          || (seconds == __rely_uptime_seconds
                              && nanoseconds >= __rely_uptime_nanoseconds));
        __rely_uptime_seconds = seconds;
        __rely_uptime_nanoseconds = nanoseconds;
    }
    __VERIFIER_atomic_end();
    now->seconds = seconds;
    now->nanoseconds = nanoseconds;
    return 0;
}

unsigned sleep(unsigned seconds) { __rely_cancellation_point(); return 0; }
int usleep(unsigned microseconds) { __rely_cancellation_point(); return 0; }

int nanosleep(const struct __librely_timespec *duration, void *remaining)
{
    __rely_cancellation_point();
    return __rely_bad_time(duration) ? __rely_fail(__rely_EINVAL) : 0;
}

int clock_nanosleep(int clock, int flags, const struct __librely_timespec *duration, void *remaining)
{
    __rely_cancellation_point();
    return __rely_bad_time(duration) ? __rely_EINVAL : 0;
}

/* Output. It succeeds, which is an assumption if the result is used. What formats say is in
   80-format.c; a call of one of these has a result that nobody uses. */
int printf(const char *format, ...) { __rely_possible_cancellation_point(); return 0; }
int fprintf(void *file, const char *format, ...) { __rely_possible_cancellation_point(); return 0; }
int dprintf(int file, const char *format, ...) { __rely_possible_cancellation_point(); return 0; }
int vprintf(const char *format, __builtin_va_list arguments) { __rely_possible_cancellation_point(); return 0; }
int vfprintf(void *file, const char *format, __builtin_va_list arguments) { __rely_possible_cancellation_point(); return 0; }
int printk(const char *format, ...) { return 0; }
void syslog(int priority, const char *format, ...) { __rely_possible_cancellation_point(); }
void perror(const char *text) { __rely_possible_cancellation_point(); }
static int __rely_nondet_count(void) { return __rely_nondet_int() & 2147483647; } /* all that C says */
int puts(const char *text) { __rely_possible_cancellation_point(); return __rely_nondet_count(); }
int fputs(const char *text, void *file) { __rely_possible_cancellation_point(); return __rely_nondet_count(); }
int putchar(int c) { __rely_possible_cancellation_point(); return (int)(unsigned char)c; }
int fputc(int c, void *file) { __rely_possible_cancellation_point(); return (int)(unsigned char)c; }
int putc(int c, void *file) { __rely_possible_cancellation_point(); return (int)(unsigned char)c; }
int fflush(void *file) { __rely_possible_cancellation_point(); return 0; }

/* A buffer of the program's would be written to, at any time. */
int setvbuf(void *file, char *buffer, int mode, unsigned long size)
{
    if (buffer) __rely_unsupported("a buffer of the program's own for a stream");
    return 0;
}

void setbuf(void *file, char *buffer)
{
    if (buffer) __rely_unsupported("a buffer of the program's own for a stream");
}

unsigned long fwrite(const void *data, unsigned long size, unsigned long count, void *file)
{
    const char *byte = data;
    for (unsigned long left = size * count; left > 0; left--) (void)*byte++;
    __rely_possible_cancellation_point();
    return size ? count : 0;
}

int sprintf(char *to, const char *format, ...) { __rely_unsupported("`sprintf` with a format that is not written there"); }
int snprintf(char *to, unsigned long size, const char *format, ...) { __rely_unsupported("`snprintf` with a format that is not written there"); }

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
