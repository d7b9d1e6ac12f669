/* Formatted text. Each function puts its part behind the `at` characters that are there, of which `to` has
   room for `size`, and returns how many there are then. Which parts a format has is said by `sema/format.rs`.
   A negative width puts what fills it behind, a negative precision is none. */

unsigned long __rely_put_padding(char *to, unsigned long size, unsigned long at, char c, int count)
{
    if (count <= 0) return at;
    for (unsigned long i = at; i < size && i - at < (unsigned long)count; i++) to[i] = c;
    return at + (unsigned long)count;
}

unsigned long __rely_put_characters(char *to, unsigned long size, unsigned long at, const char *text,
                                    unsigned long length)
{
    for (unsigned long i = 0; i < length && at + i < size; i++) to[at + i] = text[i];
    return at + length;
}

unsigned long __rely_put_text(char *to, unsigned long size, unsigned long at, const char *text, int width,
                              int precision)
{
    unsigned long length = precision < 0 ? strlen(text) : strnlen(text, (unsigned long)precision);
    int shown = length < 2147483647ul ? (int)length : 2147483647;
    at = __rely_put_padding(to, size, at, ' ', width > 0 ? width - shown : 0);
    at = __rely_put_characters(to, size, at, text, length);
    return __rely_put_padding(to, size, at, ' ', width < 0 ? -width - shown : 0);
}

unsigned long __rely_put_character(char *to, unsigned long size, unsigned long at, int c, int width)
{
    at = __rely_put_padding(to, size, at, ' ', width - 1);
    if (at < size) to[at] = (char)c;
    return __rely_put_padding(to, size, at + 1, ' ', -width - 1);
}

/* `letter` is the digit for ten. */
static unsigned long __rely_put_digits(char *to, unsigned long size, unsigned long at, unsigned long long number,
                                       unsigned base, char letter, int count)
{
    for (int i = count - 1; i >= 0; i--, number /= base) {
        char digit = (char)(number % base);
        if (at + (unsigned long)i < size) to[at + (unsigned long)i] = digit < 10 ? '0' + digit : letter + digit - 10;
    }
    return at + (unsigned long)count;
}

/* `first` and `second` are characters before the digits, or 0. */
static unsigned long __rely_put_number(char *to, unsigned long size, unsigned long at, unsigned long long number,
                                       unsigned base, char letter, char first, char second, int width,
                                       int precision, _Bool zeros)
{
    int count = 0;
    for (unsigned long long rest = number; rest; rest /= base) count++;
    int before = !!first + !!second;
    int filled = (precision < 0 ? 1 : precision) - count;
    if (filled < 0) filled = 0;
    if (zeros && precision < 0 && width > before + filled + count) filled = width - before - count;
    int length = before + filled + count;
    at = __rely_put_padding(to, size, at, ' ', width > 0 ? width - length : 0);
    if (first) at = __rely_put_padding(to, size, at, first, 1);
    if (second) at = __rely_put_padding(to, size, at, second, 1);
    at = __rely_put_padding(to, size, at, '0', filled);
    at = at < size ? __rely_put_digits(to, size, at, number, base, letter, count) : at + (unsigned long)count;
    return __rely_put_padding(to, size, at, ' ', width < 0 ? -width - length : 0);
}

unsigned long __rely_put_signed(char *to, unsigned long size, unsigned long at, long long number, char plus,
                                int width, int precision, _Bool zeros)
{
    unsigned long long magnitude = number < 0 ? 0ull - (unsigned long long)number : (unsigned long long)number;
    return __rely_put_number(to, size, at, magnitude, 10, 0, number < 0 ? '-' : plus, 0, width, precision, zeros);
}

/* `x` stands before the digits of numbers other than 0; an octal number begins with 0 if it is `marked`. */
unsigned long __rely_put_unsigned(char *to, unsigned long size, unsigned long at, unsigned long long number,
                                  unsigned base, char letter, char x, _Bool marked, int width, int precision,
                                  _Bool zeros)
{
    if (marked && base == 8) {
        int count = 1;
        for (unsigned long long rest = number; rest; rest /= base) count++;
        int digits = precision < count ? count : precision;
        if (!zeros || precision >= 0 || width <= digits) precision = digits;
    }
    if (!x || !number)
        return __rely_put_number(to, size, at, number, base, letter, 0, 0, width, precision, zeros);
    return __rely_put_number(to, size, at, number, base, letter, '0', x, width, precision, zeros);
}

/* The end of a text in a buffer of `size`; how long the text is. */
int __rely_put_end(char *to, unsigned long size, unsigned long at)
{
    if (size) to[at < size ? at : size - 1] = 0;
    return (int)at;
}

unsigned long __rely_room(unsigned long size) { return size ? size - 1 : 0; }

/* The flag `-`. */
int __rely_left(int width) { return width < 0 ? width : -width; }

/* What reads a text to print it. */
const char *__rely_read_text(const char *text)
{
    strlen(text);
    return text;
}
