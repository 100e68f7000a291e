/* What the prelude gets from here. Part of shim.c. */

/* The time at which a timer is due is negative where a program that has returned does not wait for it. */
static void hold_timer(struct call *call, bool is_held)
{
    double due = fabs(JS_VALUE_GET_FLOAT64(call->promise));
    call->promise = js_float64(is_held ? due : -due);
}

static JSValue prelude_set_timeout(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver;
    if (argc < 1 || !JS_IsFunction(ctx, argv[0]))
        return JS_ThrowTypeError(ctx, "a timer takes a function");
    if (timer_count >= TIMERS_AT_ONCE)
        return JS_ThrowRangeError(ctx, "more than %d timers are set at once", TIMERS_AT_ONCE);
    if (timers_made >= TIMERS_IN_ALL)
        return JS_ThrowRangeError(ctx, "more than %d timers were set in all", TIMERS_IN_ALL);
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
    call->promise = js_float64(clock_milliseconds + delay);
    call->arguments = arguments;
    JSStackFrame *frame = program_frame();
    if (frame) {
        call->caller = js_dup(frame->cur_func);
        call->caller_pc = frame_pc(frame);
    }
    timer_count++;
    timers_made++;
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

/* Sets whether a program that has returned waits for a timer: (timer, whether it does). */
static JSValue prelude_hold_timeout(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    int32_t number;
    if (JS_ToInt32(ctx, &number, argv[0]))
        return JS_EXCEPTION;
    if (number >= 1 && number <= call_count && !JS_IsUndefined(calls[number - 1].callback))
        hold_timer(&calls[number - 1], JS_ToBool(ctx, argv[1]));
    return JS_UNDEFINED;
}

/* Has `runTicks` of the prelude called before the next promise job of a new turn. */
static JSValue prelude_wake_ticks(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)ctx, (void)receiver, (void)argc, (void)argv;
    has_ticks = true;
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

static JSValue prelude_intl(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    size_t size;
    const char *request = JS_ToCStringLen(ctx, &size, argv[0]);
    if (!request)
        return JS_EXCEPTION;
    size_t answer_size = host_intl(request, size);
    JS_FreeCString(ctx, request);
    char *text = js_malloc(ctx, answer_size + 1);
    if (!text)
        return JS_EXCEPTION;
    host_answer(text, answer_size);
    JSValue answer = JS_NewStringLen(ctx, text, answer_size);
    js_free(ctx, text);
    return answer;
}

/* The frames of an error, as the engine keeps them. */
static JSValue prelude_frames_of(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)ctx, (void)receiver, (void)argc;
    return JS_IsError(argv[0]) ? js_dup(JS_VALUE_GET_OBJ(argv[0])->u.object_data) : JS_UNDEFINED;
}

static const JSCFunctionListEntry prelude_functions[] = {
    JS_CFUNC_DEF("log", 2, prelude_log),
    JS_CFUNC_DEF("write", 2, prelude_write),
    JS_CFUNC_DEF("setTimeout", 2, prelude_set_timeout),
    JS_CFUNC_DEF("clearTimeout", 1, prelude_clear_timeout),
    JS_CFUNC_DEF("holdTimeout", 2, prelude_hold_timeout),
    JS_CFUNC_DEF("record", 2, prelude_record),
    JS_CFUNC_DEF("hint", 2, prelude_hint),
    JS_CFUNC_DEF("classOf", 1, prelude_class_of),
    JS_CFUNC_DEF("isProxy", 1, prelude_is_proxy),
    JS_CFUNC_DEF("framesOf", 1, prelude_frames_of),
    JS_CFUNC_DEF("itemsLeft", 1, prelude_items_left),
    JS_CFUNC_DEF("encode", 1, prelude_encode),
    JS_CFUNC_DEF("decode", 3, prelude_decode),
    JS_CFUNC_DEF("bytesToText", 4, prelude_bytes_to_text),
    JS_CFUNC_DEF("textToBytes", 2, prelude_text_to_bytes),
    JS_CFUNC_DEF("digest", 4, prelude_digest),
    JS_CFUNC_DEF("random", 3, prelude_random),
    JS_CFUNC_DEF("clock", 1, prelude_clock),
    JS_CFUNC_DEF("settled", 1, prelude_settled),
    JS_CFUNC_DEF("wakeTicks", 0, prelude_wake_ticks),
    JS_CFUNC_DEF("loadPart", 1, prelude_load_part),
    JS_CFUNC_DEF("intl", 1, prelude_intl),
    JS_CFUNC_DEF("region", 1, prelude_region),
};
