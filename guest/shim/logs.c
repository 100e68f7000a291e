/* Logging. What is written to a stream without a line break waits for the rest of its line. Part of shim.c. */

#define LEVEL_WARN 3 /* this level and those above it belong to the stream of errors */

/* The text that waits, of one stream at a time. It is logged when its line ends, when the other stream is written to, when
   the program waits or ends, and when it grows too long. */
static char held_text[1024];
static size_t held_size;
static int32_t held_level;

static void log_held(void)
{
    size_t size = held_size;
    held_size = 0;
    if (size)
        host_log(held_level, held_text, size);
}

static void log_held_of_other(int32_t level)
{
    if ((held_level >= LEVEL_WARN) != (level >= LEVEL_WARN))
        log_held();
}

/* Logs the end of a line, whose start may have waited for it. */
static void log_line(int32_t level, const char *text, size_t size)
{
    log_held_of_other(level);
    char *line = held_size ? malloc(held_size + size) : NULL;
    if (!line) {
        log_held();
        host_log(level, text, size);
        return;
    }
    memcpy(line, held_text, held_size);
    memcpy(line + held_size, text, size);
    size += held_size;
    held_size = 0;
    host_log(level, line, size);
    free(line);
}

static void hold_text(int32_t level, const char *text, size_t size)
{
    log_held_of_other(level);
    if (size > sizeof held_text - held_size)
        log_held();
    if (size > sizeof held_text) {
        host_log(level, text, size);
        return;
    }
    memcpy(held_text + held_size, text, size);
    held_size += size;
    held_level = level;
}

/* Logs a text as a line: (level, text). */
static JSValue prelude_log(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    int32_t level;
    size_t size;
    if (JS_ToInt32(ctx, &level, argv[0]))
        return JS_EXCEPTION;
    const char *text = JS_ToCStringLen(ctx, &size, argv[1]);
    if (!text)
        return JS_EXCEPTION;
    log_line(level, text, size);
    JS_FreeCString(ctx, text);
    return JS_UNDEFINED;
}

/* Logs the lines that a text ends, as one message, and has the rest wait: (level, text). */
static JSValue prelude_write(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    int32_t level;
    size_t size;
    if (JS_ToInt32(ctx, &level, argv[0]))
        return JS_EXCEPTION;
    const char *text = JS_ToCStringLen(ctx, &size, argv[1]);
    if (!text)
        return JS_EXCEPTION;
    size_t ended = size;
    while (ended && text[ended - 1] != '\n')
        ended--;
    if (ended)
        log_line(level, text, ended - 1);
    if (ended < size)
        hold_text(level, text + ended, size - ended);
    JS_FreeCString(ctx, text);
    return JS_UNDEFINED;
}
