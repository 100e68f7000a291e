/*
 * The guest: QuickJS-ng behind a handful of imports.
 *
 * The host pulls. It calls `isobox_start` once and `isobox_step` whenever it has answers; each runs the program until
 * nothing is left to do without an answer and returns. So between two calls the wasm stack is empty, and the linear
 * memory is the whole program.
 *
 * Nothing here is trusted by the host: whatever this file sends is checked again on the other side.
 *
 * This is a unity build: including quickjs.c gives access to what its API hides (promise data, error data, the eval
 * hook, the random state). build.py applies a few changes to a scratch copy of it first; they call the three functions
 * `isobox_column`, `isobox_map_position` and `isobox_note_throw` declared here.
 */
#include <stddef.h>
#include <stdint.h>

typedef struct JSContext JSContext;
typedef struct JSRuntime JSRuntime;

/* What made an error; kept inside the error object, out of the program's reach. See crates/isobox-sandbox/src/abi.rs. */
enum origin {
    ORIGIN_NONE = 0,
    ORIGIN_MEMORY = 1,
    ORIGIN_STACK = 2,
    ORIGIN_SERIALIZATION = 3,
    ORIGIN_SYNTAX = 4,
    ORIGIN_CALL_LIMIT = 5,
    ORIGIN_IN_FLIGHT_LIMIT = 6,
    ORIGIN_INPUT_TOO_LARGE = 7,
    ORIGIN_PATH_TOO_LONG = 8,
    ORIGIN_ARGUMENTS = 9,
    ORIGIN_THROWN = 10, /* the program's own, once it was thrown; never leaves this file */
    ORIGIN_CALL = 16, /* 16 + n: call n failed */
};

static int isobox_column(const uint8_t *line_start, const uint8_t *token);
static int isobox_map_position(const char *file, int line, int *column);

#include "quickjs.c"
#include "prelude.h"

#define IMPORT(name) __attribute__((import_module("isobox"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))

/* Tells the host where the stack of this instance is. Called before anything else. */
IMPORT("mark") void host_mark(void);
/* Registers a call. Returns its number, or minus an origin when it is refused. */
IMPORT("call") int32_t host_call(const char *path, size_t path_size, const char *input, size_t input_size);
/* Writes why the last call or timer was refused; returns the size of the text. */
IMPORT("refusal") size_t host_refusal(char *text, size_t size);
IMPORT("timer") int32_t host_timer(double milliseconds);
IMPORT("clear") void host_clear(int32_t call);
IMPORT("log") void host_log(int32_t level, const char *text, size_t size);
/* A settled call whose promise nobody ever looked at. */
IMPORT("unawaited") void host_unawaited(int32_t call);
IMPORT("done") void host_done(const char *json, size_t size);
IMPORT("fail") void host_fail(uint32_t origin, const char *report, size_t size);

enum state { STATE_WAITING = 0, STATE_DONE = 1, STATE_FAILED = 2 };
enum answer { ANSWER_RESULT = 0, ANSWER_ERROR = 1, ANSWER_TIMER = 2 };

/* One call or timer of the program; its number is its index. */
struct call {
    JSValue promise;   /* of a call */
    JSValue callback;  /* of a timer */
    JSValue arguments; /* of a timer: an array */
    JSValue caller;    /* the function that made the call, and where in it: an error gets its position from them */
    uint32_t caller_pc;
};

/* One file of the program, pointing into `program_text`. */
struct file {
    const char *name;
    const char *source;
    size_t source_size;
    int first_line;
    uint32_t segment_count;
    const uint8_t *segments; /* of four u32: line and column in the source, line and column in the author's text */
    uint32_t import_count;
    const uint8_t *imports; /* of two strings: specifier, file name */
};

static JSRuntime *runtime;
static JSContext *context;
static JSClassID tool_class;
static JSValue main_promise;
static JSValue run_module; /* from the prelude */
static JSValue describe_value;

static struct call *calls;
static int32_t call_count, call_capacity;

static char *program_text;
static struct file *files;
static uint32_t file_count;

static char small_input[8192];
static char *input = small_input;

static double clock_milliseconds;

#define UNHANDLED_MAX 16
static JSValue unhandled[UNHANDLED_MAX];
static int unhandled_count;

/* The last `throw`: what and where. */
static struct {
    JSValue value;
    JSValue function;
    uint32_t pc;
} last_throw = { JS_UNDEFINED, JS_UNDEFINED, 0 };

/* --- What libc would ask an operating system for ------------------------------------------------------------ */

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

/* --- Positions ------------------------------------------------------------------------------------------------ */

/* The column of a token in characters. QuickJS asks for every token, so the last answer is remembered. */
static int isobox_column(const uint8_t *line_start, const uint8_t *token)
{
    static const uint8_t *known_start, *known_token;
    static int known_column;
    const uint8_t *from = line_start;
    int column = 1;
    if (line_start == known_start && token >= known_token && known_token >= line_start) {
        from = known_token;
        column = known_column;
    }
    for (; from < token; from++)
        column += (*from & 0xc0) != 0x80;
    known_start = line_start;
    known_token = token;
    known_column = column;
    return column;
}

static uint32_t read_u32(const uint8_t *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

/* From a position in the source that runs to the one in the author's text. */
static int isobox_map_position(const char *file, int line, int *column)
{
    for (uint32_t index = 0; file && index < file_count; index++) {
        if (strcmp(files[index].name, file))
            continue;
        const uint8_t *segments = files[index].segments, *found = NULL;
        uint32_t low = 0, high = files[index].segment_count;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            const uint8_t *segment = segments + middle * 16;
            int at_line = (int)read_u32(segment), at_column = (int)read_u32(segment + 4);
            if (at_line < line || (at_line == line && at_column <= *column)) {
                found = segment;
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (found && (int)read_u32(found) == line) {
            *column += (int)read_u32(found + 12) - (int)read_u32(found + 4);
            return (int)read_u32(found + 8);
        }
        return line;
    }
    return line;
}

/* "    at name (file:line:column)\n", or nothing when the frame is not one of the program's functions. */
static void describe_position(char *text, size_t size, JSValueConst function, uint32_t pc)
{
    text[0] = 0;
    JSFunctionBytecode *code = JS_GetFunctionBytecode(function);
    if (!code)
        return;
    int column;
    int line = find_line_num(context, code, pc, &column);
    const char *name = get_func_name(context, function);
    const char *file = code->filename ? JS_AtomToCString(context, code->filename) : NULL;
    if (file)
        snprintf(text, size, "    at %.40s (%.80s:%d:%d)\n", name && *name ? name : "<anonymous>", file, line, column);
    JS_FreeCString(context, name);
    JS_FreeCString(context, file);
}

static JSStackFrame *program_frame(void)
{
    JSStackFrame *frame = runtime->current_stack_frame;
    while (frame && !(JS_GetFunctionBytecode(frame->cur_func) && frame->cur_pc))
        frame = frame->prev_frame;
    return frame;
}

static uint32_t frame_pc(JSStackFrame *frame)
{
    return (uint32_t)(frame->cur_pc - JS_GetFunctionBytecode(frame->cur_func)->byte_code_buf - 1);
}

/* Called by the interpreter at `throw`. The first throw of an error counts: one that is caught and thrown again keeps its
   place, and one of the bridge has the place of its call. */
static void isobox_note_throw(JSStackFrame *frame, JSValueConst value)
{
    if (JS_IsError(value)) {
        if (JS_VALUE_GET_OBJ(value)->u.error.origin != ORIGIN_NONE)
            return;
        JS_VALUE_GET_OBJ(value)->u.error.origin = ORIGIN_THROWN;
    }
    JSValue previous_value = last_throw.value, previous_function = last_throw.function;
    last_throw.value = js_dup(value);
    last_throw.function = js_dup(frame->cur_func);
    last_throw.pc = frame_pc(frame);
    JS_FreeValue(context, previous_value);
    JS_FreeValue(context, previous_function);
}

/* --- Out of memory -------------------------------------------------------------------------------------------- */

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

/* --- Errors --------------------------------------------------------------------------------------------------- */

static uint32_t error_origin(JSValueConst value)
{
    uint32_t origin = JS_IsError(value) ? JS_VALUE_GET_OBJ(value)->u.error.origin : ORIGIN_NONE;
    return origin == ORIGIN_THROWN ? ORIGIN_NONE : origin;
}

static void set_origin(JSValueConst error, uint32_t origin)
{
    if (JS_IsError(error))
        JS_VALUE_GET_OBJ(error)->u.error.origin = origin;
}

static void set_text(JSValueConst object, const char *name, const char *text)
{
    JSValue value = JS_NewString(context, text);
    if (!JS_IsException(value))
        JS_DefinePropertyValueStr(context, object, name, value, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
}

/* An error of the bridge. With `position`, that is its stack; without, it gets the stack of this moment. */
static JSValue new_error(uint32_t origin, const char *code, const char *name, const char *message, const char *position)
{
    JSValue error = position ? JS_NewObjectClass(context, JS_CLASS_ERROR) : JS_NewError(context);
    if (JS_IsException(error))
        return JS_GetException(context); /* out of memory: that is the error then */
    if (position) {
        JSValue stack = JS_NewString(context, position);
        if (!JS_IsException(stack))
            JS_VALUE_GET_OBJ(error)->u.object_data = stack;
    }
    set_text(error, "message", message);
    set_text(error, "name", name);
    set_text(error, "code", code);
    set_origin(error, origin);
    return error;
}

/* The error of a call that the host has refused; it says why. */
static JSValue refusal(uint32_t origin)
{
    char message[512];
    size_t size = host_refusal(message, sizeof message - 1);
    message[size < sizeof message ? size : 0] = 0;
    switch (origin) {
    case ORIGIN_CALL_LIMIT:
        return new_error(origin, "CALL_LIMIT", "CallLimitError", message, NULL);
    case ORIGIN_IN_FLIGHT_LIMIT:
        return new_error(origin, "IN_FLIGHT_LIMIT", "InFlightLimitError", message, NULL);
    case ORIGIN_INPUT_TOO_LARGE:
        return new_error(origin, "INPUT_TOO_LARGE", "InputTooLargeError", message, NULL);
    case ORIGIN_SERIALIZATION:
        return new_error(origin, "SERIALIZATION", "SerializationError", message, NULL);
    default:
        return new_error(ORIGIN_PATH_TOO_LONG, "UNKNOWN_TOOL", "UnknownToolError", message, NULL);
    }
}

/* Turns the pending exception of a failed serialisation into a SERIALIZATION error that says what was serialised. */
static JSValue serialization_error(const char *what)
{
    JSValue cause = JS_GetException(context);
    uint32_t origin = error_origin(cause);
    if (origin == ORIGIN_MEMORY || origin >= ORIGIN_CALL_LIMIT)
        return cause;
    const char *reason = NULL;
    JSValue message = JS_UNDEFINED;
    if (origin == ORIGIN_STACK) {
        reason = "it is nested too deeply";
    } else if (JS_IsError(cause)) {
        message = JS_GetPropertyStr(context, cause, "message");
        if (JS_IsString(message))
            reason = JS_ToCString(context, message);
    }
    char text[400];
    snprintf(text, sizeof text, "%.100s is not JSON: %.250s", what, reason ? reason : "a value could not be read");
    if (origin != ORIGIN_STACK)
        JS_FreeCString(context, reason);
    JS_FreeValue(context, message);
    JS_FreeValue(context, JS_GetException(context));
    JS_FreeValue(context, cause);
    return new_error(ORIGIN_SERIALIZATION, "SERIALIZATION", "SerializationError", text, NULL);
}

/* A value as JSON, with `nothing` for what JSON leaves out; a function or a symbol is more likely a mistake. */
static JSValue to_json(JSValueConst value, const char *nothing)
{
    JSValue json = JS_JSONStringify(context, value, JS_UNDEFINED, JS_UNDEFINED);
    if (!JS_IsUndefined(json))
        return json;
    if (JS_IsSymbol(value) || JS_IsFunction(context, value))
        return JS_ThrowTypeError(context, "it is a %s", JS_IsSymbol(value) ? "symbol" : "function");
    return JS_NewString(context, nothing);
}

static void append_u32(DynBuf *buffer, uint32_t value) { dbuf_put(buffer, (const uint8_t *)&value, sizeof value); }

#define REPORT_TEXT_MAX 16384

/* Appends a value as text, cut to what a report may hold; a value that has no text counts as empty. */
static void append_text(DynBuf *buffer, JSValue value)
{
    if (JS_IsString(value) && JS_VALUE_GET_TAG(value) == JS_TAG_STRING
        && JS_VALUE_GET_STRING(value)->len > REPORT_TEXT_MAX) {
        JSValue cut = js_sub_string(context, JS_VALUE_GET_STRING(value), 0, REPORT_TEXT_MAX);
        JS_FreeValue(context, value);
        value = cut;
    }
    size_t size = 0;
    const char *text = JS_IsString(value) ? JS_ToCStringLen(context, &size, value) : NULL;
    append_u32(buffer, text ? (uint32_t)size : 0);
    if (text)
        dbuf_put(buffer, (const uint8_t *)text, size);
    JS_FreeCString(context, text);
    JS_FreeValue(context, value);
    JS_FreeValue(context, JS_GetException(context));
}

static JSValue read_text(JSValueConst object, const char *name)
{
    JSValue value = JS_GetPropertyStr(context, object, name);
    if (JS_VALUE_GET_TAG(value) == JS_TAG_STRING_ROPE)
        value = JS_ToStringFree(context, value);
    return value;
}

/* Tells the host what ended the program. Reading the error may run the program's own getters; they see the same limits
   as everything else it does. */
static enum state report_failure(JSValue reason, uint32_t origin)
{
    DynBuf report;
    js_dbuf_init(context, &report);
    if (origin == ORIGIN_NONE)
        origin = error_origin(reason);
    char position[160] = "";
    if (js_same_value(context, reason, last_throw.value))
        describe_position(position, sizeof position, last_throw.function, last_throw.pc);
    JSValue message = JS_UNDEFINED, name = JS_UNDEFINED, stack = JS_UNDEFINED;
    if (JS_IsObject(reason)) {
        name = read_text(reason, "name");
        message = read_text(reason, "message");
    }
    if (JS_IsError(reason))
        stack = js_dup(JS_VALUE_GET_OBJ(reason)->u.object_data);
    else if (JS_GetClassID(reason) == JS_CLASS_DOM_EXCEPTION)
        stack = read_text(reason, "stack");
    if (!JS_IsString(message)) {
        JS_FreeValue(context, message);
        message = JS_Call(context, describe_value, JS_UNDEFINED, 1, vc(&reason));
    }
    append_text(&report, name);
    append_text(&report, message);
    append_text(&report, stack);
    append_text(&report, JS_NewString(context, position));
    if (dbuf_error(&report))
        host_fail(origin ? origin : ORIGIN_MEMORY, NULL, 0);
    else
        host_fail(origin, (const char *)report.buf, report.size);
    dbuf_free(&report);
    JS_FreeValue(context, reason);
    return STATE_FAILED;
}

/* --- Promises of calls ---------------------------------------------------------------------------------------- */

static JSValue new_promise(void)
{
    JSValue promise = JS_NewObjectClass(context, JS_CLASS_PROMISE);
    if (JS_IsException(promise))
        return promise;
    JSPromiseData *data = js_mallocz(context, sizeof *data);
    if (!data) {
        JS_FreeValue(context, promise);
        return JS_EXCEPTION;
    }
    data->promise_state = JS_PROMISE_PENDING;
    init_list_head(&data->promise_reactions[0]);
    init_list_head(&data->promise_reactions[1]);
    data->promise_result = JS_UNDEFINED;
    JS_SetOpaqueInternal(promise, data);
    return promise;
}

static JSValue rejected_promise(JSValue error)
{
    JSValue promise = new_promise();
    if (!JS_IsException(promise))
        fulfill_or_reject_promise(context, promise, error, true);
    JS_FreeValue(context, error);
    return promise;
}

/* Makes room for one more call before the host hears of it, so that nothing can fail once it has. */
static bool reserve_call(void)
{
    if (call_count < call_capacity)
        return true;
    int32_t capacity = call_capacity ? call_capacity * 2 : 16;
    struct call *grown = js_realloc(context, calls, (size_t)capacity * sizeof *calls);
    if (!grown)
        return false;
    calls = grown;
    call_capacity = capacity;
    return true;
}

static struct call *add_call(int32_t number)
{
    if (number != call_count)
        __builtin_trap(); /* the host numbers calls one after the other */
    struct call *call = &calls[call_count++];
    call->promise = call->callback = call->arguments = call->caller = JS_UNDEFINED;
    call->caller_pc = 0;
    return call;
}

static void release_call(struct call *call)
{
    JSValue promise = call->promise, callback = call->callback, arguments = call->arguments, caller = call->caller;
    call->promise = call->callback = call->arguments = call->caller = JS_UNDEFINED;
    JS_FreeValue(context, promise);
    JS_FreeValue(context, callback);
    JS_FreeValue(context, arguments);
    JS_FreeValue(context, caller);
}

static bool is_awaited(JSValueConst promise)
{
    JSPromiseData *data = JS_GetOpaque(promise, JS_CLASS_PROMISE);
    return !data || data->is_handled;
}

/* --- tools.a.b.c ---------------------------------------------------------------------------------------------- */

/* `tools` and everything below it: an object that knows its path, gives a longer path for every property, and makes a
   call when called. It has no own properties and no prototype, so there is nothing to enumerate or to pollute. */
struct tool_path {
    size_t size;
    char text[];
};

static JSValue new_tool(const struct tool_path *parent, const char *name, size_t name_size)
{
    size_t prefix = parent && parent->size ? parent->size + 1 : 0;
    struct tool_path *path = js_malloc(context, sizeof *path + prefix + name_size + 1);
    if (!path)
        return JS_EXCEPTION;
    path->size = prefix + name_size;
    if (prefix) {
        memcpy(path->text, parent->text, parent->size);
        path->text[parent->size] = '.';
    }
    memcpy(path->text + prefix, name, name_size);
    path->text[path->size] = 0;
    JSValue tool = JS_NewObjectProtoClass(context, JS_NULL, tool_class);
    if (JS_IsException(tool))
        js_free(context, path);
    else
        JS_SetOpaque(tool, path);
    if (!JS_IsException(tool))
        JS_VALUE_GET_OBJ(tool)->extensible = false; /* nor can its prototype be set */
    return tool;
}

static void tool_finalizer(JSRuntime *rt, JSValueConst value) { js_free_rt(rt, JS_GetOpaque(value, tool_class)); }

static JSValue tool_get(JSContext *ctx, JSValueConst object, JSAtom atom, JSValueConst receiver)
{
    (void)receiver;
    if (JS_AtomGetKind(ctx, atom) != JS_ATOM_KIND_STRING || atom == JS_ATOM_then || atom == JS_ATOM_toJSON)
        return JS_UNDEFINED; /* not a promise, not special to any operator, nothing to serialise */
    if (atom == JS_ATOM_toString || atom == JS_ATOM_valueOf)
        return JS_GetProperty(ctx, ctx->class_proto[JS_CLASS_OBJECT], atom);
    size_t size;
    const char *name = JS_AtomToCStringLen(ctx, &size, atom);
    if (!name)
        return JS_EXCEPTION;
    JSValue tool = new_tool(JS_GetOpaque(object, tool_class), name, size);
    JS_FreeCString(ctx, name);
    return tool;
}

static int tool_get_own(JSContext *ctx, JSPropertyDescriptor *descriptor, JSValueConst object, JSAtom atom)
{
    (void)ctx, (void)descriptor, (void)object, (void)atom;
    return false;
}

static int tool_has(JSContext *ctx, JSValueConst object, JSAtom atom)
{
    (void)ctx, (void)object, (void)atom;
    return false;
}

static int tool_names(JSContext *ctx, JSPropertyEnum **names, uint32_t *count, JSValueConst object)
{
    (void)ctx, (void)object;
    *names = NULL;
    *count = 0;
    return 0;
}

static int tool_define(JSContext *ctx, JSValueConst object, JSAtom atom, JSValueConst value, JSValueConst getter,
                       JSValueConst setter, int flags)
{
    (void)object, (void)atom, (void)value, (void)getter, (void)setter, (void)flags;
    JS_ThrowTypeError(ctx, "tools cannot be changed");
    return -1;
}

static int tool_set(JSContext *ctx, JSValueConst object, JSAtom atom, JSValueConst value, JSValueConst receiver,
                    int flags)
{
    (void)object, (void)atom, (void)value, (void)receiver, (void)flags;
    JS_ThrowTypeError(ctx, "tools cannot be changed");
    return -1;
}

static int tool_delete(JSContext *ctx, JSValueConst object, JSAtom atom)
{
    (void)ctx, (void)object, (void)atom;
    return true;
}

static JSValue tool_call(JSContext *ctx, JSValueConst function, JSValueConst receiver, int argc, JSValueConst *argv,
                         int flags)
{
    (void)receiver, (void)flags;
    const struct tool_path *path = JS_GetOpaque(function, tool_class);
    char text[160];
    if (argc > 1) {
        snprintf(text, sizeof text, "tools%s%.80s takes one argument, an object; it was given %d", path->size ? "." : "",
                 path->text, argc);
        return rejected_promise(new_error(ORIGIN_ARGUMENTS, "INVALID_INPUT", "InvalidInputError", text, NULL));
    }
    JSValue json = JS_UNDEFINED;
    const char *body = "{}";
    size_t body_size = 2;
    if (argc == 1 && !JS_IsUndefined(argv[0])) {
        json = to_json(argv[0], "{}");
        body = JS_IsException(json) ? NULL : JS_ToCStringLen(ctx, &body_size, json);
        JS_FreeValue(ctx, json);
        if (!body) {
            snprintf(text, sizeof text, "the input of tools.%.80s", path->text);
            return rejected_promise(serialization_error(text));
        }
    }
    JSValue promise = new_promise();
    if (JS_IsException(promise) || !reserve_call()) {
        if (!JS_IsException(promise))
            JS_FreeValue(ctx, promise);
        if (!JS_IsUndefined(json))
            JS_FreeCString(ctx, body);
        return JS_EXCEPTION;
    }
    int32_t number = host_call(path->text, path->size, body, body_size);
    if (!JS_IsUndefined(json))
        JS_FreeCString(ctx, body);
    if (number < 0) {
        JSValue error = refusal((uint32_t)-number);
        fulfill_or_reject_promise(ctx, promise, error, true);
        JS_FreeValue(ctx, error);
        return promise;
    }
    struct call *call = add_call(number);
    call->promise = js_dup(promise);
    JSStackFrame *frame = program_frame();
    if (frame) {
        call->caller = js_dup(frame->cur_func);
        call->caller_pc = frame_pc(frame);
    }
    return promise;
}

static JSClassExoticMethods tool_methods = {
    .get_own_property = tool_get_own,
    .get_own_property_names = tool_names,
    .delete_property = tool_delete,
    .define_own_property = tool_define,
    .has_property = tool_has,
    .get_property = tool_get,
    .set_property = tool_set,
};

static const JSClassDef tool_definition = {
    .class_name = "Tool",
    .finalizer = tool_finalizer,
    .call = tool_call,
    .exotic = &tool_methods,
};

/* --- What the prelude gets from here -------------------------------------------------------------------------- */

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
    host_log(level, text, size);
    JS_FreeCString(ctx, text);
    return JS_UNDEFINED;
}

static JSValue prelude_set_timeout(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver;
    if (argc < 1 || !JS_IsFunction(ctx, argv[0]))
        return JS_ThrowTypeError(ctx, "setTimeout takes a function");
    double delay = 0;
    if (argc > 1 && JS_ToFloat64(ctx, &delay, argv[1]))
        return JS_EXCEPTION;
    if (!(delay >= 0))
        delay = 0;
    if (delay > INT32_MAX)
        delay = INT32_MAX;
    JSValue arguments = JS_NewArray(ctx);
    if (JS_IsException(arguments))
        return arguments;
    for (int index = 2; index < argc; index++) {
        if (JS_DefinePropertyValueUint32(ctx, arguments, index - 2, js_dup(argv[index]), JS_PROP_C_W_E) < 0) {
            JS_FreeValue(ctx, arguments);
            return JS_EXCEPTION;
        }
    }
    if (!reserve_call()) {
        JS_FreeValue(ctx, arguments);
        return JS_EXCEPTION;
    }
    int32_t number = host_timer(delay);
    if (number < 0) {
        JS_FreeValue(ctx, arguments);
        return JS_Throw(ctx, refusal((uint32_t)-number));
    }
    struct call *call = add_call(number);
    call->callback = js_dup(argv[0]);
    call->arguments = arguments;
    return js_int32(number + 1); /* never 0, which programs take for "no timer" */
}

static JSValue prelude_clear_timeout(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver;
    double number;
    if (argc < 1 || !JS_IsNumber(argv[0]) || JS_ToFloat64(ctx, &number, argv[0]))
        return JS_UNDEFINED;
    if (number >= 1 && number <= call_count && !JS_IsUndefined(calls[(int32_t)number - 1].callback)) {
        host_clear((int32_t)number - 1);
        release_call(&calls[(int32_t)number - 1]);
    }
    return JS_UNDEFINED;
}

/* The bytes of a well-formed string. */
static JSValue prelude_encode(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    size_t size;
    const char *text = JS_ToCStringLen(ctx, &size, argv[0]);
    if (!text)
        return JS_EXCEPTION;
    JSValue buffer = JS_NewArrayBufferCopy(ctx, (const uint8_t *)text, size);
    JS_FreeCString(ctx, text);
    return buffer;
}

/* How many bytes of UTF-8 start at `from`: 0 where they are malformed. */
static size_t utf8_length(const uint8_t *from, size_t left)
{
    uint8_t first = from[0], low = 0x80, high = 0xbf;
    size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length > left)
        return 0;
    if (first == 0xe0)
        low = 0xa0;
    else if (first == 0xed)
        high = 0x9f;
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        high = 0x8f;
    for (size_t index = 1; index < length; index++) {
        if (from[index] < low || from[index] > high)
            return 0;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

/* The text of (buffer, offset, size), or undefined when it is not UTF-8. */
static JSValue prelude_decode(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    size_t total;
    uint32_t offset, size;
    const uint8_t *bytes = JS_GetArrayBuffer(ctx, &total, argv[0]);
    if (!bytes && JS_HasException(ctx))
        return JS_EXCEPTION;
    if (JS_ToUint32(ctx, &offset, argv[1]) || JS_ToUint32(ctx, &size, argv[2]))
        return JS_EXCEPTION;
    if (offset > total || size > total - offset)
        return JS_ThrowRangeError(ctx, "out of range");
    for (size_t index = 0; index < size;) {
        size_t length = utf8_length(bytes + offset + index, size - index);
        if (!length)
            return JS_UNDEFINED;
        index += length;
    }
    return JS_NewStringLen(ctx, (const char *)bytes + offset, size);
}

static const JSCFunctionListEntry prelude_functions[] = {
    JS_CFUNC_DEF("log", 2, prelude_log),
    JS_CFUNC_DEF("setTimeout", 2, prelude_set_timeout),
    JS_CFUNC_DEF("clearTimeout", 1, prelude_clear_timeout),
    JS_CFUNC_DEF("encode", 1, prelude_encode),
    JS_CFUNC_DEF("decode", 3, prelude_decode),
};

/* --- The program's files -------------------------------------------------------------------------------------- */

static struct file *find_file(const char *name)
{
    for (uint32_t index = 0; index < file_count; index++)
        if (!strcmp(files[index].name, name))
            return &files[index];
    return NULL;
}

/* What an import means was decided when the program was prepared; here it is only looked up. */
static char *resolve_import(JSContext *ctx, const char *importer, const char *specifier, void *opaque)
{
    (void)opaque;
    struct file *file = find_file(importer);
    const uint8_t *entry = file ? file->imports : NULL;
    for (uint32_t index = 0; file && index < file->import_count; index++) {
        uint32_t size = read_u32(entry);
        const char *name = (const char *)entry + 4;
        entry += 4 + size + 1;
        uint32_t target_size = read_u32(entry);
        const char *target = (const char *)entry + 4;
        entry += 4 + target_size + 1;
        if (!strcmp(name, specifier))
            return js_strdup(ctx, target);
    }
    JS_ThrowTypeError(ctx, "cannot import '%s': only the program's own files can be imported", specifier);
    return NULL;
}

static JSValue compile(const struct file *file, int flags)
{
    return __JS_EvalInternal(context, context->global_obj, file->source, file->source_size, file->name,
                             file->first_line, flags | JS_EVAL_FLAG_COMPILE_ONLY, -1);
}

static JSModuleDef *load_module(JSContext *ctx, const char *name, void *opaque)
{
    (void)opaque;
    struct file *file = find_file(name);
    if (!file) {
        JS_ThrowTypeError(ctx, "there is no file '%s'", name);
        return NULL;
    }
    JSValue module = compile(file, JS_EVAL_TYPE_MODULE);
    if (JS_IsException(module))
        return NULL;
    JSModuleDef *definition = JS_VALUE_GET_PTR(module);
    JS_FreeValue(ctx, module);
    return definition;
}

struct reader {
    const uint8_t *at, *end;
};

static uint32_t take_u32(struct reader *reader)
{
    if (reader->end - reader->at < 4)
        __builtin_trap();
    uint32_t value = read_u32(reader->at);
    reader->at += 4;
    return value;
}

/* A sized string with a NUL behind it that does not count. */
static const char *take_text(struct reader *reader, size_t *size)
{
    *size = take_u32(reader);
    if ((size_t)(reader->end - reader->at) < *size + 1)
        __builtin_trap();
    const char *text = (const char *)reader->at;
    reader->at += *size + 1;
    return text;
}

static bool read_program(struct reader *reader)
{
    uint32_t count = take_u32(reader);
    files = js_mallocz(context, count * sizeof *files);
    if (!files)
        return false;
    for (uint32_t index = 0; index < count; index++) {
        struct file *file = &files[index];
        size_t ignored;
        file->name = take_text(reader, &ignored);
        file->first_line = (int)take_u32(reader);
        file->source = take_text(reader, &file->source_size);
        file->segment_count = take_u32(reader);
        file->segments = reader->at;
        if ((size_t)(reader->end - reader->at) / 16 < file->segment_count)
            __builtin_trap();
        reader->at += (size_t)file->segment_count * 16;
        file->import_count = take_u32(reader);
        file->imports = reader->at;
        for (uint32_t import = 0; import < file->import_count; import++) {
            take_text(reader, &ignored);
            take_text(reader, &ignored);
        }
    }
    file_count = count;
    return true;
}

/* --- Running -------------------------------------------------------------------------------------------------- */

static void track_rejection(JSContext *ctx, JSValueConst promise, JSValueConst reason, bool handled, void *opaque)
{
    (void)reason, (void)opaque;
    if (!handled) {
        if (unhandled_count < UNHANDLED_MAX)
            unhandled[unhandled_count++] = js_dup(promise);
        return;
    }
    for (int index = 0; index < unhandled_count; index++) {
        if (JS_VALUE_GET_OBJ(unhandled[index]) == JS_VALUE_GET_OBJ(promise)) {
            JSValue found = unhandled[index];
            unhandled_count--;
            memmove(&unhandled[index], &unhandled[index + 1], (size_t)(unhandled_count - index) * sizeof *unhandled);
            JS_FreeValue(ctx, found);
            return;
        }
    }
}

/* Errors that nobody caught beside a program that completed are worth a line in its log. */
static void log_unhandled(void)
{
    for (int index = 0; index < unhandled_count; index++) {
        if (is_awaited(unhandled[index]))
            continue;
        JSValue reason = JS_PromiseResult(context, unhandled[index]);
        JSValue text = JS_Call(context, describe_value, JS_UNDEFINED, 1, vc(&reason));
        const char *line = JS_IsString(text) ? JS_ToCString(context, text) : NULL;
        if (line) {
            char message[600];
            int size = snprintf(message, sizeof message, "unhandled rejection: %.500s", line);
            while (size > 0 && (message[size - 1] & 0xc0) == 0x80)
                size--; /* never cut inside a character */
            if (size > 0 && (uint8_t)message[size - 1] >= 0xc0)
                size--;
            host_log(4, message, strlen(line) <= 500 ? strlen(message) : (size_t)size);
        }
        JS_FreeCString(context, line);
        JS_FreeValue(context, text);
        JS_FreeValue(context, reason);
    }
}

static enum state report_result(JSValue value)
{
    JSValue json = to_json(value, "null");
    JS_FreeValue(context, value);
    size_t size;
    const char *text = JS_IsException(json) ? NULL : JS_ToCStringLen(context, &size, json);
    JS_FreeValue(context, json);
    if (!text)
        return report_failure(serialization_error("the result"), ORIGIN_NONE);
    for (int32_t number = 0; number < call_count; number++)
        if (JS_IsObject(calls[number].promise) && !is_awaited(calls[number].promise))
            host_unawaited(number);
    log_unhandled();
    host_done(text, size);
    JS_FreeCString(context, text);
    return STATE_DONE;
}

/* Runs every job that is ready, then says where the program stands. */
static enum state pump(void)
{
    JSContext *ignored;
    int ran;
    while ((ran = JS_ExecutePendingJob(runtime, &ignored)) > 0)
        ;
    if (ran < 0)
        return report_failure(JS_GetException(context), ORIGIN_NONE);
    switch (JS_PromiseState(context, main_promise)) {
    case JS_PROMISE_FULFILLED:
        return report_result(JS_PromiseResult(context, main_promise));
    case JS_PROMISE_REJECTED:
        return report_failure(JS_PromiseResult(context, main_promise), ORIGIN_NONE);
    default:
        return STATE_WAITING;
    }
}

static JSValue timer_job(JSContext *ctx, int argc, JSValueConst *argv)
{
    (void)argc;
    return js_function_apply(ctx, argv[0], 2, (JSValueConst[]) { JS_UNDEFINED, argv[1] }, 0);
}

/* False where there was no memory to tell the program, which can only be told to its host then. */
static bool deliver(int32_t number, uint32_t kind, const char *payload, size_t size)
{
    if (number < 0 || number >= call_count)
        return true;
    struct call *call = &calls[number];
    if (kind == ANSWER_TIMER) {
        int queued = 0;
        if (!JS_IsUndefined(call->callback))
            queued = JS_EnqueueJob(context, timer_job, 2, (JSValueConst[]) { call->callback, call->arguments });
        release_call(call);
        return queued >= 0;
    }
    if (!JS_IsObject(call->promise))
        return true;
    JSValue value;
    bool failed = kind == ANSWER_ERROR;
    if (failed) {
        const char *code = payload, *name = code + strlen(code) + 1, *message = name + strlen(name) + 1;
        char position[160];
        describe_position(position, sizeof position, call->caller, call->caller_pc);
        value = new_error(ORIGIN_CALL + (uint32_t)number, code, name, message, position);
    } else {
        value = JS_ParseJSON(context, payload, size, "<answer>");
        if (JS_IsException(value)) {
            failed = true;
            value = JS_GetException(context);
        }
    }
    /* Straight to the promise: an answer is plain data, so no `then` of the program's making is consulted. */
    fulfill_or_reject_promise(context, call->promise, value, failed);
    JS_FreeValue(context, value);
    JS_FreeValue(context, call->caller);
    call->caller = JS_UNDEFINED;
    if (is_awaited(call->promise))
        release_call(call);
    return !JS_HasException(context); /* queueing a reaction may have failed */
}

static void release_input(void)
{
    if (input != small_input)
        free(input);
    input = small_input;
}

/* --- Exports -------------------------------------------------------------------------------------------------- */

/* Where the host may write the next message; 0 when there is no memory for it. */
EXPORT("isobox_reserve") char *isobox_reserve(size_t size)
{
    release_input();
    if (size > sizeof small_input) {
        input = malloc(size);
        if (!input) {
            input = small_input;
            return NULL;
        }
    }
    return input;
}

/* Compiles and starts the program in the input. */
EXPORT("isobox_start")
int32_t isobox_start(size_t size, uint32_t is_module, uint64_t seed, double now, size_t stack, size_t memory)
{
    host_mark();
    JS_UpdateStackTop(runtime);
    JS_SetMaxStackSize(runtime, stack);
    /* A collection of cycles touches every object of the image, so it should not come before it is worth it. */
    JS_SetGCThreshold(runtime, min_uint32(max_uint32(memory / 8, 1024 * 1024), 4 * 1024 * 1024));
    context->random_state = seed == ~0ull ? 1 : ~seed; /* it must not be 0 */
    clock_milliseconds = now;

    /* Modules may be compiled later (`import()`), and positions are looked up at any time. */
    program_text = js_malloc(context, size);
    if (!program_text)
        return report_failure(JS_GetException(context), ORIGIN_NONE);
    memcpy(program_text, input, size);
    release_input();
    struct reader reader = { (const uint8_t *)program_text, (const uint8_t *)program_text + size };
    if (!read_program(&reader))
        return report_failure(JS_GetException(context), ORIGIN_NONE);

    int flags = is_module ? JS_EVAL_TYPE_MODULE : JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT;
    JSValue code = compile(&files[0], flags);
    if (JS_IsException(code)) {
        JSValue error = JS_GetException(context);
        return report_failure(error, error_origin(error) ? ORIGIN_NONE : ORIGIN_SYNTAX);
    }
    if (is_module) {
        JSModuleDef *module = JS_VALUE_GET_PTR(code);
        JSValue arguments[2];
        arguments[0] = JS_EvalFunctionInternal(context, code, context->global_obj, NULL, NULL);
        if (JS_IsException(arguments[0])) {
            JSValue error = JS_GetException(context);
            return report_failure(error, error_origin(error) ? ORIGIN_NONE : ORIGIN_SYNTAX);
        }
        arguments[1] = JS_GetModuleNamespace(context, module);
        if (JS_IsException(arguments[1]))
            return report_failure(JS_GetException(context), ORIGIN_NONE);
        main_promise = JS_Call(context, run_module, JS_UNDEFINED, 2, vc(arguments));
        JS_FreeValue(context, arguments[0]);
        JS_FreeValue(context, arguments[1]);
    } else {
        JSValue function = JS_EvalFunctionInternal(context, code, context->global_obj, NULL, NULL);
        if (JS_IsException(function))
            return report_failure(JS_GetException(context), ORIGIN_NONE);
        main_promise = JS_Call(context, function, JS_UNDEFINED, 0, NULL);
        JS_FreeValue(context, function);
    }
    if (JS_IsException(main_promise))
        return report_failure(JS_GetException(context), ORIGIN_NONE);
    return pump();
}

/* Delivers the answers in the input, all of them before any of the program runs, and goes on. */
EXPORT("isobox_step") int32_t isobox_step(size_t size, double now)
{
    JS_UpdateStackTop(runtime);
    if (now > clock_milliseconds)
        clock_milliseconds = now; /* it never runs backwards */
    struct reader reader = { (const uint8_t *)input, (const uint8_t *)input + size };
    while (reader.at < reader.end) {
        int32_t number = (int32_t)take_u32(&reader);
        uint32_t kind = take_u32(&reader);
        size_t payload_size;
        const char *payload = take_text(&reader, &payload_size);
        if (!deliver(number, kind, payload, payload_size))
            return report_failure(JS_GetException(context), ORIGIN_MEMORY);
    }
    release_input();
    return pump();
}

void __wasm_call_ctors(void);

/* Fills every hole that preparing the image left in the heap, and puts one fresh arena for each block size behind it. So
   what a program allocates lies together: fewer pages change, and fewer have to be cleaned. The holes are zeroed, which
   keeps the image small. */
static void pack_heap(void)
{
    memset(prelude_source, 0, sizeof prelude_source);
    for (int index = 0; index < JS_ARENA_BLOCK_SIZE_COUNT; index++) {
        size_t size = arena_block_sizes[index] - sizeof(JSMallocBlockHeader);
        while (!list_empty(&runtime->arena_state.free_arena_list[index]))
            memset(js_arena_malloc(runtime, size), 0, size);
    }
    char *top = malloc(256 * 1024);
    free(top);
    for (size_t size = 64 * 1024; size >= 8; size /= 2) {
        char *hole;
        while ((hole = malloc(size)) && hole < top)
            memset(hole, 0, size);
        free(hole);
    }
    /* An arena that becomes empty is given back, so that each of these keeps one block in use. */
    for (int index = 0; index < JS_ARENA_BLOCK_SIZE_COUNT; index++)
        js_arena_malloc(runtime, arena_block_sizes[index] - sizeof(JSMallocBlockHeader));
    memory_reserve = malloc(MEMORY_RESERVE);
}

/* Run once, when the image is built. */
EXPORT("isobox_init") void isobox_init(void)
{
    /* Calling it makes this a reactor: otherwise the linker would run constructors around every export. */
    __wasm_call_ctors();
    clock_milliseconds = 0;
    runtime = JS_NewRuntime();
    context = runtime ? JS_NewContextRaw(runtime) : NULL;
    if (!context)
        __builtin_trap();
    context->random_state = 1;
    if (JS_AddIntrinsicBaseObjects(context) || JS_AddIntrinsicDate(context) || JS_AddIntrinsicEval(context)
        || JS_AddIntrinsicRegExp(context) || JS_AddIntrinsicJSON(context) || JS_AddIntrinsicProxy(context)
        || JS_AddIntrinsicMapSet(context) || JS_AddIntrinsicTypedArrays(context) || JS_AddIntrinsicPromise(context)
        || JS_AddIntrinsicWeakRef(context) || JS_AddIntrinsicDOMException(context) || JS_AddIntrinsicAToB(context))
        __builtin_trap();
    JS_NewClassID(runtime, &tool_class);
    if (JS_NewClass(runtime, tool_class, &tool_definition))
        __builtin_trap();
    JS_SetModuleLoaderFunc(runtime, resolve_import, load_module, NULL);

    JSValue tools = new_tool(NULL, "", 0);
    JSValue host = JS_NewObject(context);
    JS_SetPropertyFunctionList(context, host, prelude_functions, countof(prelude_functions));
    JSValue prelude = JS_Eval(context, prelude_source, sizeof prelude_source - 1, "isobox:prelude", JS_EVAL_FLAG_STRICT);
    if (JS_IsException(prelude))
        __builtin_trap();
    JSValue made = JS_Call(context, prelude, JS_UNDEFINED, 1, vc(&host));
    if (JS_IsException(made))
        __builtin_trap();
    run_module = JS_GetPropertyStr(context, made, "runModule");
    describe_value = JS_GetPropertyStr(context, made, "describe");
    JS_FreeValue(context, made);
    JS_FreeValue(context, prelude);
    JS_FreeValue(context, host);
    JS_DefinePropertyValueStr(context, context->global_obj, "tools", tools, 0);

    memory_error = JS_NewInternalError(context, "out of memory");
    if (JS_IsException(memory_error))
        __builtin_trap();
    context->eval_internal = NULL; /* from here on, no text becomes code but through `compile` */
    JS_SetHostPromiseRejectionTracker(runtime, track_rejection, NULL);
    JS_RunGC(runtime);
    main_promise = JS_UNDEFINED;
    pack_heap();
}
