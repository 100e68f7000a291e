/* Errors of the bridge, and how the end of a program is told. Part of shim.c. */

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

static void set_text(JSValueConst object, const char *name, const char *text, size_t size)
{
    JSValue value = JS_NewStringLen(context, text, size);
    if (!JS_IsException(value))
        JS_DefinePropertyValueStr(context, object, name, value, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
}

/* An error of the bridge. With `position`, that is its stack; without, it gets the stack of this moment. */
static JSValue new_error_of_size(uint32_t origin, const char *code, const char *name, const char *message,
                                 size_t message_size, const char *position)
{
    JSValue error = position ? JS_NewObjectClass(context, JS_CLASS_ERROR) : JS_NewError(context);
    if (JS_IsException(error))
        return JS_GetException(context); /* out of memory: that is the error then */
    if (position) {
        JSValue stack = JS_NewString(context, position);
        if (!JS_IsException(stack))
            JS_VALUE_GET_OBJ(error)->u.object_data = stack;
    }
    set_text(error, "message", message, message_size);
    set_text(error, "name", name, strlen(name));
    set_text(error, "code", code, strlen(code));
    set_origin(error, origin);
    return error;
}

/* Gives an error the properties of a JSON object. They are plain data, and no code of the program runs. */
static void add_details(JSValueConst error, const char *json, size_t size)
{
    JSValue details = JS_ParseJSON(context, json, size, "<answer>");
    JSPropertyEnum *names = NULL;
    uint32_t count = 0;
    if (JS_IsObject(details) && JS_IsError(error)
        && !JS_GetOwnPropertyNames(context, &names, &count, details, JS_GPN_STRING_MASK)) {
        for (uint32_t index = 0; index < count; index++) {
            JSValue value = JS_GetProperty(context, details, names[index].atom);
            if (!JS_IsException(value))
                JS_DefinePropertyValue(context, error, names[index].atom, value,
                                       JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
        }
        JS_FreePropertyEnum(context, names, count);
    }
    JS_FreeValue(context, details);
    JS_FreeValue(context, JS_GetException(context)); /* without memory for them, the error has fewer details */
}

static JSValue new_error(uint32_t origin, const char *code, const char *name, const char *message)
{
    return new_error_of_size(origin, code, name, message, strlen(message), NULL);
}

/* The error of a call that the host has refused; it says why. */
static JSValue refusal(uint32_t origin)
{
    char message[512];
    size_t size = host_refusal(message, sizeof message - 1);
    message[size < sizeof message ? size : 0] = 0;
    switch (origin) {
    case ORIGIN_CALL_LIMIT:
        return new_error(origin, "CALL_LIMIT", "CallLimitError", message);
    case ORIGIN_IN_FLIGHT_LIMIT:
        return new_error(origin, "IN_FLIGHT_LIMIT", "InFlightLimitError", message);
    case ORIGIN_INPUT_TOO_LARGE:
        return new_error(origin, "INPUT_TOO_LARGE", "InputTooLargeError", message);
    case ORIGIN_SERIALIZATION:
        return new_error(origin, "SERIALIZATION", "SerializationError", message);
    default:
        return new_error(ORIGIN_PATH_TOO_LONG, "UNKNOWN_TOOL", "UnknownToolError", message);
    }
}

/* Whether so little of the stack is left that an overflow says nothing about how deep a value is. */
static bool is_stack_nearly_full(void)
{
    size_t quarter = runtime->stack_size / 4;
    return js_check_stack_overflow(runtime, quarter < 48 * 1024 ? quarter : 48 * 1024);
}

/* Turns the pending exception of a failed serialisation into a SERIALIZATION error that says what was serialised. */
static JSValue serialization_error(const char *what)
{
    JSValue cause = JS_GetException(context);
    uint32_t origin = error_origin(cause);
    bool is_too_deep = isobox_is_too_deep && !is_stack_nearly_full();
    if (origin == ORIGIN_MEMORY || origin >= ORIGIN_CALL_LIMIT || (origin == ORIGIN_STACK && !is_too_deep))
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
    return new_error(ORIGIN_SERIALIZATION, "SERIALIZATION", "SerializationError", text);
}

/* The stack of an error as the program reads it: with its title, unless the program has set it. */
static JSValue isobox_titled_stack(JSContext *ctx, JSValueConst error, JSValue stack)
{
    if (JS_VALUE_GET_TAG(stack) != JS_TAG_STRING)
        return stack;
    JSString *frames = JS_VALUE_GET_STRING(stack);
    if (frames->is_wide_char || frames->len < 8 || memcmp(str8(frames), "    at ", 7))
        return stack;
    JSValue title = js_error_toString(ctx, error, 0, NULL);
    if (JS_IsException(title)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return stack;
    }
    JSValue whole = js_sub_string(ctx, frames, 0, frames->len - (str8(frames)[frames->len - 1] == '\n'));
    JS_FreeValue(ctx, stack);
    title = JS_ConcatString3(ctx, "", title, "\n");
    return JS_ConcatString(ctx, title, whole);
}

/* The `stack` of an error, or of the error that an object inherits from. */
static JSValue get_own_stack(JSContext *ctx, JSValueConst this_value)
{
    JSObject *object = JS_IsObject(this_value) ? JS_VALUE_GET_OBJ(this_value) : NULL;
    while (object && object->class_id != JS_CLASS_ERROR)
        object = object->shape->proto;
    if (!object)
        return JS_UNDEFINED;
    return isobox_titled_stack(ctx, this_value, js_dup(object->u.object_data));
}

/* Replaces the accessor by the value, which may be of any type. */
static JSValue set_own_stack(JSContext *ctx, JSValueConst this_value, JSValueConst value)
{
    if (!JS_IsObject(this_value))
        return JS_ThrowTypeErrorNotAnObject(ctx);
    if (JS_DefinePropertyValue(ctx, this_value, JS_ATOM_stack, js_dup(value), JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE) < 0)
        return JS_EXCEPTION;
    return JS_UNDEFINED;
}

/* From here on, each error has a `stack` of its own. */
static void give_errors_stacks(void)
{
    JSCFunctionType get = { .getter = get_own_stack }, set = { .setter = set_own_stack };
    JSValue getter = JS_NewCFunction2(context, get.generic, "get stack", 0, JS_CFUNC_getter, 0);
    JSValue setter = JS_NewCFunction2(context, set.generic, "set stack", 1, JS_CFUNC_setter, 0);
    if (JS_IsException(getter) || JS_IsException(setter))
        __builtin_trap();
    isobox_stack_getter = JS_VALUE_GET_OBJ(getter);
    isobox_stack_setter = JS_VALUE_GET_OBJ(setter);
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

/* Tells the host what ended the program. Reading the name and the message of the error may run the program's own getters; they see the same limits
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
    log_held();
    append_text(&report, origin ? JS_UNDEFINED : JS_Call(context, failure_parts, JS_UNDEFINED, 1, vc(&reason)));
    if (dbuf_error(&report))
        host_fail(origin ? origin : ORIGIN_MEMORY, NULL, 0);
    else
        host_fail(origin, (const char *)report.buf, report.size);
    dbuf_free(&report);
    JS_FreeValue(context, reason);
    return STATE_FAILED;
}
