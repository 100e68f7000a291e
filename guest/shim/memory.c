/* What is kept for the moment when there is no memory. Part of shim.c. */

/* Never touched, so that it costs nothing until it is needed: a program that catches its first out-of-memory has this
   much to go on with. */
#define MEMORY_RESERVE (128 * 1024)
static void *memory_reserve;
static JSValue memory_error; /* for the time when not even an error can be allocated */

static void isobox_release_reserve(void)
{
    free(memory_reserve);
    memory_reserve = NULL;
}

static JSValue isobox_memory_error(void) { return js_dup(memory_error); }
