/* Runs programs with QuickJS-ng as it is released: what the guest's engine is compared with.

   Reads requests from standard input and writes answers to standard output, both in the byte order of the machine. A request
   is `u32 kind`, `u32 files`, and for every file its name and its text, each as `u32 size` and that many bytes. An answer is
   `u32 size` and fields that each end with a NUL: how the program ended, the name of its error, the message of its error, and
   the lines that it logged. Every program runs in a process of its own. */

#include "quickjs.c"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind {
    KIND_FUNCTION, /* one file: an expression that is an async function, called without arguments */
    KIND_MODULE,   /* the first file is a module; a default export that is a function is called */
    KIND_SCRIPTS,  /* scripts, evaluated one after the other: as many of the files as the kind says, above its lowest byte */
};

enum { MAXIMUM_FILES = 256, SECONDS = 60, PIPE = 1 << 20 };

struct file {
    char *name, *text;
    uint32_t name_size, text_size;
};

static struct file files[MAXIMUM_FILES];
static uint32_t file_count;

static char answer[PIPE];
static uint32_t answer_size;
static char lines[PIPE];
static uint32_t lines_size;

/* --- Messages ------------------------------------------------------------------------------------------------------ */

static void transfer(bool writes, int descriptor, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        char *at = (char *)bytes + done;
        ssize_t count = writes ? write(descriptor, at, size - done) : read(descriptor, at, size - done);
        if (count <= 0)
            _exit(writes || done ? 2 : 0);
        done += (size_t)count;
    }
}

static uint32_t take_number(void)
{
    uint32_t number;
    transfer(false, STDIN_FILENO, &number, sizeof number);
    return number;
}

static char *take_text(uint32_t *size)
{
    *size = take_number();
    char *text = malloc(*size + 1);
    if (!text)
        _exit(2);
    transfer(false, STDIN_FILENO, text, *size);
    text[*size] = 0;
    return text;
}

static void add(char *buffer, uint32_t *size, const char *text)
{
    size_t length = strlen(text);
    if (length > PIPE / 4)
        length = PIPE / 4;
    if (*size + length + 1 > PIPE)
        return;
    memcpy(buffer + *size, text, length);
    buffer[*size + length] = 0;
    *size += (uint32_t)length + 1;
}

_Noreturn static void end(const char *how, const char *name, const char *message)
{
    add(answer, &answer_size, how);
    add(answer, &answer_size, name);
    add(answer, &answer_size, message);
    uint32_t fits = lines_size < PIPE - answer_size ? lines_size : PIPE - answer_size;
    uint32_t size = answer_size + fits;
    transfer(true, STDOUT_FILENO, &size, sizeof size);
    transfer(true, STDOUT_FILENO, answer, answer_size);
    transfer(true, STDOUT_FILENO, lines, fits);
    _exit(0);
}

/* --- The program --------------------------------------------------------------------------------------------------- */

static JSValue console_log(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver;
    const char *text = argc > 0 ? JS_ToCString(ctx, argv[0]) : NULL;
    if (text)
        add(lines, &lines_size, text);
    JS_FreeCString(ctx, text);
    return JS_UNDEFINED;
}

static const char *text_of(JSContext *ctx, JSValueConst value, const char *key)
{
    JSValue found = JS_GetPropertyStr(ctx, value, key);
    const char *text = JS_IsString(found) ? JS_ToCString(ctx, found) : NULL;
    if (JS_IsException(found))
        JS_FreeValue(ctx, JS_GetException(ctx));
    return text;
}

_Noreturn static void fail(JSContext *ctx, const char *how, JSValue error)
{
    if (!JS_IsObject(error)) {
        const char *text = JS_ToCString(ctx, error);
        end(how, "", text ? text : "");
    }
    const char *name = text_of(ctx, error, "name"), *message = text_of(ctx, error, "message");
    end(how, name ? name : "", message ? message : "");
}

static struct file *find_file(const char *name)
{
    for (uint32_t index = 0; index < file_count; index++)
        if (!strcmp(files[index].name, name))
            return &files[index];
    return NULL;
}

static int initialise_json(JSContext *ctx, JSModuleDef *module)
{
    return JS_SetModuleExport(ctx, module, "default", JS_GetModulePrivateValue(ctx, module));
}

static JSModuleDef *load_module(JSContext *ctx, const char *name, void *opaque, JSValueConst attributes)
{
    (void)opaque;
    struct file *file = find_file(name);
    if (!file) {
        JS_ThrowTypeError(ctx, "there is no file '%s'", name);
        return NULL;
    }
    const char *type = JS_IsObject(attributes) ? text_of(ctx, attributes, "type") : NULL;
    if (type && !strcmp(type, "json")) {
        JSValue value = JS_ParseJSON(ctx, file->text, file->text_size, name);
        JSModuleDef *module = JS_IsException(value) ? NULL : JS_NewCModule(ctx, name, initialise_json);
        if (module && (JS_AddModuleExport(ctx, module, "default") || JS_SetModulePrivateValue(ctx, module, value)))
            return NULL;
        return module;
    }
    JSValue code = JS_Eval(ctx, file->text, file->text_size, name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    return JS_IsException(code) ? NULL : JS_VALUE_GET_PTR(code);
}

static int check_attributes(JSContext *ctx, void *opaque, JSValueConst attributes)
{
    (void)opaque;
    JSPropertyEnum *names;
    uint32_t count;
    if (JS_GetOwnPropertyNames(ctx, &names, &count, attributes, JS_GPN_ENUM_ONLY | JS_GPN_STRING_MASK))
        return -1;
    for (uint32_t index = 0; index < count; index++) {
        const char *name = JS_AtomToCString(ctx, names[index].atom);
        if (!name || strcmp(name, "type")) {
            JS_ThrowTypeError(ctx, "import attribute '%s' is not supported", name ? name : "");
            return -1;
        }
    }
    return 0;
}

static void run_jobs(JSContext *ctx)
{
    JSContext *ignored;
    int ran;
    while ((ran = JS_ExecutePendingJob(JS_GetRuntime(ctx), &ignored)) > 0)
        ;
    if (ran < 0)
        fail(ctx, "thrown", JS_GetException(ctx));
}

/* Waits for a promise, and returns what it was fulfilled with. */
static JSValue settled(JSContext *ctx, JSValue promise)
{
    if (JS_IsException(promise))
        fail(ctx, "thrown", JS_GetException(ctx));
    run_jobs(ctx);
    if (JS_PromiseState(ctx, promise) == JS_PROMISE_REJECTED)
        fail(ctx, "thrown", JS_PromiseResult(ctx, promise));
    if (JS_PromiseState(ctx, promise) == JS_PROMISE_PENDING)
        end("waiting", "", "the program awaits a promise that can never resolve");
    return JS_PromiseResult(ctx, promise);
}

static JSValue compiled(JSContext *ctx, const struct file *file, int flags)
{
    JSValue code = JS_Eval(ctx, file->text, file->text_size, file->name, flags | JS_EVAL_FLAG_COMPILE_ONLY);
    if (JS_IsException(code))
        fail(ctx, "refused", JS_GetException(ctx));
    return code;
}

static void run_module(JSContext *ctx)
{
    JSValue code = compiled(ctx, &files[0], JS_EVAL_TYPE_MODULE);
    JSModuleDef *module = JS_VALUE_GET_PTR(code);
    JSValue evaluated = JS_ResolveModule(ctx, code) < 0 ? JS_EXCEPTION : JS_EvalFunction(ctx, code);
    if (JS_IsException(evaluated))
        fail(ctx, "refused", JS_GetException(ctx));
    settled(ctx, evaluated);
    JSValue namespace = JS_GetModuleNamespace(ctx, module);
    JSValue main = JS_GetPropertyStr(ctx, namespace, "default");
    if (JS_IsFunction(ctx, main))
        settled(ctx, JS_Call(ctx, main, JS_UNDEFINED, 0, NULL));
}

static void run_scripts(JSContext *ctx, uint32_t count)
{
    for (uint32_t index = 0; index < count; index++) {
        JSValue code = compiled(ctx, &files[index], JS_EVAL_TYPE_GLOBAL);
        JSValue value = JS_EvalFunction(ctx, code);
        if (JS_IsException(value))
            fail(ctx, "thrown", JS_GetException(ctx));
    }
    run_jobs(ctx);
}

_Noreturn static void run_program(enum kind kind, uint32_t count)
{
    JSRuntime *runtime = JS_NewRuntime();
    JS_SetMemoryLimit(runtime, 512u << 20);
    JS_SetMaxStackSize(runtime, 1 << 20);
    JSContext *ctx = JS_NewContext(runtime);
    JS_SetModuleLoaderFunc2(runtime, NULL, load_module, check_attributes, NULL);
    JSValue console = JS_NewObject(ctx);
    JS_SetPropertyStr(ctx, console, "log", JS_NewCFunction(ctx, console_log, "log", 1));
    JSValue global = JS_GetGlobalObject(ctx);
    JS_DefinePropertyValueStr(ctx, global, "console", console, JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
    switch (kind) {
    case KIND_FUNCTION: {
        JSValue code = compiled(ctx, &files[0], JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT);
        JSValue function = JS_EvalFunction(ctx, code);
        if (JS_IsException(function))
            fail(ctx, "thrown", JS_GetException(ctx));
        settled(ctx, JS_Call(ctx, function, JS_UNDEFINED, 0, NULL));
        break;
    }
    case KIND_MODULE:
        run_module(ctx);
        break;
    case KIND_SCRIPTS:
        run_scripts(ctx, count);
        break;
    }
    end("completed", "", "");
}

int main(void)
{
    for (;;) {
        uint32_t kind = take_number();
        file_count = take_number();
        if (file_count > MAXIMUM_FILES)
            return 2;
        for (uint32_t index = 0; index < file_count; index++) {
            files[index].name = take_text(&files[index].name_size);
            files[index].text = take_text(&files[index].text_size);
        }
        pid_t child = fork();
        if (child < 0)
            return 2;
        if (child == 0) {
            alarm(SECONDS);
            run_program(kind & 0xff, min_uint32(kind >> 8, file_count));
        }
        int status;
        if (waitpid(child, &status, 0) < 0)
            return 2;
        if (!WIFEXITED(status) || WEXITSTATUS(status)) {
            static const char died[] = "stopped\0\0the engine crashed, or took too long";
            uint32_t size = sizeof died;
            transfer(true, STDOUT_FILENO, &size, sizeof size);
            transfer(true, STDOUT_FILENO, (void *)died, sizeof died);
        }
        for (uint32_t index = 0; index < file_count; index++) {
            free(files[index].name);
            free(files[index].text);
        }
    }
}
