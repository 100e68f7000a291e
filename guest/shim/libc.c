/* What libc would ask an operating system for. Part of shim.c. */

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    double read = clock_milliseconds;
    clock_milliseconds += 1;
    now->tv_sec = (time_t)(read / 1000);
    now->tv_usec = (suseconds_t)((int64_t)read % 1000 * 1000);
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    (void)clock;
    now->tv_sec = 0;
    now->tv_nsec = 0;
    return 0;
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict local)
{
    (void)time;
    memset(local, 0, sizeof *local); /* QuickJS reads the offset from UTC, which is 0 */
    return local;
}

_Noreturn void abort(void) { __builtin_trap(); }
_Noreturn void __assert_fail(const char *text, const char *file, int line, const char *function)
{
    (void)text, (void)file, (void)line, (void)function;
    __builtin_trap();
}

/* There is no standard output; these keep the file machinery of libc, and with it all of WASI, out of the image. */
int fprintf(FILE *restrict file, const char *restrict format, ...) { (void)file, (void)format; return 0; }
int printf(const char *restrict format, ...) { (void)format; return 0; }
int fputc(int character, FILE *file) { (void)file; return character; }
int putchar(int character) { return character; }
int puts(const char *text) { (void)text; return 0; }
int fputs(const char *restrict text, FILE *restrict file) { (void)text, (void)file; return 0; }
int fflush(FILE *file) { (void)file; return 0; }
size_t __stdio_write(FILE *file, const unsigned char *text, size_t size) { (void)file, (void)text; return size; }
size_t __stdout_write(FILE *file, const unsigned char *text, size_t size) { (void)file, (void)text; return size; }
off_t __stdio_seek(FILE *file, off_t offset, int whence) { (void)file, (void)offset, (void)whence; return -1; }
int __stdio_close(FILE *file) { (void)file; return 0; }
int __isatty(int descriptor) { (void)descriptor; return 0; }
