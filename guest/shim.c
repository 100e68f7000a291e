/*
 * The guest: QuickJS-ng behind a handful of imports.
 *
 * The host pulls. It calls `isobox_load` and `isobox_begin` once, and `isobox_step` whenever it has answers; each runs the
 * program until nothing is left to do without an answer and returns. So between two calls the wasm stack is empty, and the
 * linear memory is the whole program. Loading depends on nothing but the program and its limits: what it has written to
 * the memory can be written to that of another instance instead. When a program has returned, `isobox_close` leaves its
 * globals for another program, which is loaded into the same memory.
 *
 * Nothing here is trusted by the host: whatever this file sends is checked again on the other side.
 *
 * This is a unity build: including quickjs.c gives access to what its API hides (promise data, error data, the eval
 * hook, the random state). build.py applies the changes in changes/ to a scratch copy of it first; they include
 * frames.c, lookahead.c, sorting.c and dates.c of shim/, and call the functions whose names start with `isobox_`.
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
static uint32_t isobox_prelude_file; /* the atom of its name */
#define ISOBOX_MAX_BLOCK (INT32_MAX - 4096u)
static _Bool isobox_is_too_deep; /* set where a value is nested more deeply than can be written as JSON */

#include "quickjs.c"
#include "prelude.h"

#define IMPORT(name) __attribute__((import_module("isobox"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))

/* Tells the host where the stack of this instance is. Called before anything else. */
IMPORT("mark") void host_mark(void);
/* Registers a call, made in a file at a line and a column where the host wants to know that; otherwise the line is 0.
   Returns its number, or minus an origin when it is refused. */
IMPORT("call")
int32_t host_call(const char *path, size_t path_size, const char *input, size_t input_size, uint32_t file,
                  uint32_t line, uint32_t column);
/* Writes why the last call or timer was refused; returns the size of the text. */
IMPORT("refusal") size_t host_refusal(char *text, size_t size);
IMPORT("timer") int32_t host_timer(double milliseconds);
IMPORT("clear") void host_clear(int32_t call);
IMPORT("log") void host_log(int32_t level, const char *text, size_t size);
/* Records a fact, whose value is JSON. Returns 0, or minus an origin when it is refused. */
IMPORT("fact") int32_t host_fact(const char *name, size_t name_size, const char *json, size_t json_size);
/* Asks for a text of a locale, as crates/isobox-intl answers it. Returns the size of the answer, which `answer` writes. */
IMPORT("intl") size_t host_intl(const char *request, size_t size);
IMPORT("answer") void host_answer(char *text, size_t size);
/* A settled call whose promise nobody ever looked at. */
IMPORT("unawaited") void host_unawaited(int32_t call);
/* A hint for the author about a value in the result. */
IMPORT("hint") void host_hint(const char *text, size_t size);
IMPORT("done") void host_done(const char *json, size_t size);
IMPORT("fail") void host_fail(uint32_t origin, const char *report, size_t size);

enum state { STATE_WAITING = 0, STATE_DONE = 1, STATE_FAILED = 2 };
enum answer { ANSWER_RESULT = 0, ANSWER_ERROR = 1, ANSWER_TIMER = 2 };

/* One call or timer of the program; its number is its index. */
struct call {
    JSValue promise;  /* of a call; of a timer the time at which it is due, see hold_timer */
    JSValue callback; /* of a timer */
    JSValue arguments; /* of a timer: an array */
    JSValue caller;   /* the function that made the call, and where in it: an error gets its position from them */
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
static JSValue program_code; /* compiled, between loading and beginning */
static JSValue run_module; /* this and what follows: from the prelude */
static JSValue run_step;
static JSValue iterate_pages;
static JSValue describe_value;
static JSValue to_plain;
static JSValue failure_parts;
static JSValue import_module;
static JSValue run_ticks;
static JSValue offer_fetch;
static JSValue restart;

static struct call *calls;
static int32_t call_count, call_capacity;
/* Timers that are set, and all that ever were. The host has the same bounds; see intake.rs of the core. */
static int32_t timer_count, timers_made;
#define TIMERS_AT_ONCE 10000
#define TIMERS_IN_ALL 100000

static char *program_text;
static struct file *files;
static uint32_t file_count;

static char *input = small_input; /* see shim/frames.c */

static double clock_milliseconds, start_milliseconds;
/* Timers that are due by then are waited for when the program has returned: up to `settle`, and never past `time_out`. */
static double settle, time_out, settled_by = -1;
static bool has_ticks; /* callbacks of `process.nextTick` are waiting */
static bool wants_places;

#define UNHANDLED_MAX 16
static JSValue unhandled[UNHANDLED_MAX];
static int unhandled_count;

/* The last `throw`: what and where. */
static struct {
    JSValue value;
    JSValue function;
    uint32_t pc;
} last_throw = { JS_UNDEFINED, JS_UNDEFINED, 0 };

#include "shim/libc.c"
#include "shim/positions.c"
#include "shim/memory.c"
#include "shim/logs.c"
#include "shim/errors.c"
#include "shim/json.c"
#include "shim/calls.c"
#include "shim/tools.c"
#include "shim/facts.c"
#include "shim/digest.c"
#include "shim/bytes.c"
#include "shim/parts.c"
#include "shim/region.c"
#include "shim/prelude.c"
#include "shim/modules.c"
#include "shim/files.c"
#include "shim/source.c"
#include "shim/explaining.c"
#include "shim/running.c"
#include "shim/closing.c"

/* --- Exports ------------------------------------------------------------------------------------------------------- */

/* Where the host may write the next message; 0 when there is no memory for it. */
EXPORT("isobox_reserve") char *isobox_reserve(size_t size)
{
    release_input();
    if (size > SMALL_INPUT) {
        input = malloc(size);
        if (!input) {
            input = small_input;
            return NULL;
        }
    }
    return input;
}

enum start { START_MODULE = 1, START_WANTS_PLACES = 2 };
static bool is_module;

/* A failure of the program before it runs: a code of the engine, or its syntax. */
static enum state report_refused(void)
{
    JSValue error = JS_GetException(context);
    return report_failure(error, error_origin(error) ? ORIGIN_NONE : ORIGIN_SYNTAX);
}

/* Compiles the program in the input. Nothing of the program runs, and neither clock nor chance are read. */
EXPORT("isobox_load") int32_t isobox_load(size_t size, uint32_t how, size_t stack, size_t memory)
{
    is_module = how & START_MODULE;
    wants_places = how & START_WANTS_PLACES;
    host_mark();
    JS_UpdateStackTop(runtime);
    JS_SetMaxStackSize(runtime, stack);
    /* A collection of cycles touches every object of the image, so it should not come before it is worth it. */
    JS_SetGCThreshold(runtime, min_uint32(max_uint32(memory / 8, 1024 * 1024), 4 * 1024 * 1024));

    /* Modules may be compiled later (`import()`), and positions are looked up at any time. */
    program_text = js_malloc(context, size);
    if (!program_text)
        return report_failure(JS_GetException(context), ORIGIN_NONE);
    memcpy(program_text, input, size);
    release_input();
    struct reader reader = { (const uint8_t *)program_text, (const uint8_t *)program_text + size };
    if (!read_program(&reader))
        return report_failure(JS_GetException(context), ORIGIN_NONE);

    program_code = compile(&files[0], is_module ? JS_EVAL_TYPE_MODULE : JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT);
    return JS_IsException(program_code) ? report_refused() : STATE_WAITING;
}

/* Starts the program that was loaded. */
EXPORT("isobox_begin") int32_t isobox_begin(uint64_t seed, double now, double settle_time, double time)
{
    host_mark();
    JS_UpdateStackTop(runtime);
    context->random_state = seed == ~0ull ? 1 : ~seed; /* it must not be 0 */
    clock_milliseconds = start_milliseconds = now;
    settle = settle_time;
    time_out = now + time;

    JSValue code = program_code;
    program_code = JS_UNDEFINED;
    if (is_module) {
        JSModuleDef *module = JS_VALUE_GET_PTR(code);
        JSValue arguments[2];
        arguments[0] = JS_EvalFunctionInternal(context, code, context->global_obj, NULL, NULL);
        if (JS_IsException(arguments[0]))
            return report_refused();
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

/* Where a program was stopped inside a step: file, line and column in 16, 24 and 24 bits; 0 where that is not known. The host
   asks once, and then drops the instance: what the program was doing is left half done. */
EXPORT("isobox_stopped_at") uint64_t isobox_stopped_at(void)
{
    struct place place = place_of(program_frame());
    if (!place.line || place.file > 0xffff || place.line > 0xffffff || place.column > 0xffffff)
        return 0;
    return (uint64_t)place.file << 48 | (uint64_t)place.line << 24 | place.column;
}

void __wasm_call_ctors(void);

/* Fills every hole that preparing the image left in the heap, and puts one fresh arena for each block size behind it. So
   what a program allocates lies together: fewer pages change, and fewer have to be cleaned. The holes are zeroed, which
   keeps the image small. Behind it there is room that costs nothing until it is used, so that few programs have to grow
   their memory: an instance whose memory has grown cannot be used again. */
#define HEADROOM (512 * 1024)
static void pack_heap(void)
{
    memset(prelude_source, 0, sizeof prelude_source);
    memset(first_frames, 0, sizeof first_frames);
    free_chunks_behind(runtime, &first_chunk);
    for (int index = 0; index < JS_ARENA_BLOCK_SIZE_COUNT; index++) {
        size_t size = arena_block_sizes[index] - sizeof(JSMallocBlockHeader);
        while (!list_empty(&runtime->arena_state.free_arena_list[index]))
            memset(js_arena_malloc(runtime, size), 0, size);
    }
    char *top = malloc(HEADROOM);
    free(top);
    for (size_t size = 64 * 1024; size >= 8; size /= 2) {
        char *hole;
        while ((hole = malloc(size)) && hole < top)
            memset(hole, 0, size);
        free(hole);
    }
    memory_reserve = malloc(MEMORY_RESERVE); /* before the arenas: what a program allocates comes behind them */
    /* An arena that becomes empty is given back, so that each of these keeps one block in use. */
    for (int index = 0; index < JS_ARENA_BLOCK_SIZE_COUNT; index++)
        js_arena_malloc(runtime, arena_block_sizes[index] - sizeof(JSMallocBlockHeader));
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
    give_errors_stacks();
    JS_NewClassID(runtime, &tool_class);
    if (JS_NewClass(runtime, tool_class, &tool_definition))
        __builtin_trap();
    JS_SetModuleLoaderFunc(runtime, resolve_import, load_module, NULL);

    JSValue tools = new_tool(NULL, "", 0);
    JSValue host = JS_NewObject(context);
    JS_SetPropertyFunctionList(context, host, prelude_functions, countof(prelude_functions));
    isobox_prelude_file = JS_NewAtom(context, "isobox:prelude");
    JSValue prelude = JS_Eval(context, prelude_source, sizeof prelude_source - 1, "isobox:prelude", JS_EVAL_FLAG_STRICT);
    if (JS_IsException(prelude))
        __builtin_trap();
    JSValue made = JS_Call(context, prelude, JS_UNDEFINED, 1, vc(&host));
    if (JS_IsException(made))
        __builtin_trap();
    run_module = JS_GetPropertyStr(context, made, "runModule");
    run_step = JS_GetPropertyStr(context, made, "runStep");
    iterate_pages = JS_GetPropertyStr(context, made, "iteratePages");
    describe_value = JS_GetPropertyStr(context, made, "describe");
    to_plain = JS_GetPropertyStr(context, made, "toPlain");
    failure_parts = JS_GetPropertyStr(context, made, "failureParts");
    import_module = JS_GetPropertyStr(context, made, "importModule");
    run_ticks = JS_GetPropertyStr(context, made, "runTicks");
    offer_fetch = JS_GetPropertyStr(context, made, "offerFetch");
    restart = JS_GetPropertyStr(context, made, "restart");
    JS_FreeValue(context, made);
    JS_FreeValue(context, prelude);
    JS_FreeValue(context, host);
    JS_DefinePropertyValueStr(context, context->global_obj, "tools", tools, 0);
    JS_DefinePropertyValueStr(context, context->global_obj, "codemode", new_tool(NULL, "codemode", 8), 0);

    memory_error = JS_NewInternalError(context, "out of memory");
    if (JS_IsException(memory_error))
        __builtin_trap();
    context->eval_internal = NULL; /* from here on, no text becomes code but through `compile` */
    JS_SetHostPromiseRejectionTracker(runtime, track_rejection, NULL);
    forget_positions();
    JS_RunGC(runtime);
    main_promise = program_code = JS_UNDEFINED;
    pack_heap();
}
