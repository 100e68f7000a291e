/* Running: jobs, answers, results. Part of shim.c. */

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

/* The promise that a resolving function settles; undefined for every other value. */
static JSValueConst promise_settled_by(JSValueConst function)
{
    JSObject *object = JS_IsObject(function) ? JS_VALUE_GET_OBJ(function) : NULL;
    bool settles = object && object->class_id == JS_CLASS_PROMISE_RESOLVE_FUNCTION && object->u.promise_function_data;
    return settles ? object->u.promise_function_data->promise : JS_UNDEFINED;
}

/* Whether an async function only returns once its `await` is over. */
static bool is_at_end(const JSAsyncFunctionData *function)
{
    const uint8_t *code = function->func_state.frame.cur_pc;
    if (*code == OP_drop)
        code++;
    if (*code == OP_undefined)
        code++;
    return *code == OP_return_async;
}

/* Whether code is left to run when a promise is fulfilled, directly or behind other promises, and nothing looks at the
   promise of that code. What a combinator like `Promise.race` does with it is no such code. */
static bool leaves_code(JSValueConst promise, int *reactions)
{
    JSPromiseData *data = JS_GetOpaque(promise, JS_CLASS_PROMISE);
    if (!data || data->promise_state != JS_PROMISE_PENDING)
        return false;
    struct list_head *element;
    list_for_each(element, &data->promise_reactions[0]) {
        JSPromiseReactionData *reaction = list_entry(element, JSPromiseReactionData, link);
        if (--*reactions < 0)
            return false;
        JSObject *handler = JS_IsObject(reaction->handler) ? JS_VALUE_GET_OBJ(reaction->handler) : NULL;
        JSValueConst next = JS_UNDEFINED;
        bool does_more = true;
        if (handler && handler->class_id == JS_CLASS_ASYNC_FUNCTION_RESOLVE) {
            next = promise_settled_by(handler->u.async_function_data->resolving_funcs[0]);
            does_more = !is_at_end(handler->u.async_function_data);
        } else if (handler && handler->class_id == JS_CLASS_BYTECODE_FUNCTION) {
            next = promise_settled_by(reaction->resolving_funcs[0]);
        }
        if (JS_IsObject(next) && ((does_more && !is_awaited(next)) || leaves_code(next, reactions)))
            return true;
    }
    return false;
}

/* Where a call was made or a timer was set, as the end of a clause; empty where that is not known. */
static void describe_caller(const struct call *call, char *text, size_t size)
{
    int line = 0, column = 0;
    JSFunctionBytecode *code = JS_GetFunctionBytecode(call->caller);
    if (code)
        line = find_line_num(context, code, call->caller_pc, &column);
    *text = 0;
    if (line > 0)
        snprintf(text, size, " in line %d, column %d", line, column);
}

/* Tells the author where a call was made whose answer code waits for that does not run any more: typically the callback
   of `forEach`, whose promise nothing waits for. */
static void hint_at_left_code(void)
{
    int reactions = 200;
    for (int32_t number = 0; number < call_count; number++) {
        struct call *call = &calls[number];
        if (!JS_IsObject(call->promise) || !leaves_code(call->promise, &reactions))
            continue;
        char text[400], place[60];
        describe_caller(call, place, sizeof place);
        int size = snprintf(text, sizeof text,
            "the program returned while code was waiting for its call%s, and nothing was waiting for that code: the rest of it "
            "did not run. Await every promise: `forEach` awaits none, `await Promise.all(list.map(async …))` does", place);
        host_hint(text, (size_t)size);
        return;
    }
}

/* The promise that a function resolves or rejects; undefined for every other value. */
static JSValueConst promise_decided_by(JSValueConst value)
{
    JSObject *function = JS_IsObject(value) ? JS_VALUE_GET_OBJ(value) : NULL;
    bool rejects = function && function->class_id == JS_CLASS_PROMISE_REJECT_FUNCTION && function->u.promise_function_data;
    return rejects ? function->u.promise_function_data->promise : promise_settled_by(value);
}

/* The promise that the callback of a timer settles: it is a resolving function, or holds one. Undefined for others. */
static JSValueConst promise_of_timer(JSValueConst callback)
{
    JSValueConst promise = promise_decided_by(callback);
    JSObject *function = JS_VALUE_GET_OBJ(callback);
    if (function->class_id != JS_CLASS_BYTECODE_FUNCTION || !function->u.func.var_refs)
        return promise;
    int count = function->u.func.function_bytecode->closure_var_count;
    for (int index = 0; index < count && !JS_IsObject(promise); index++)
        if (function->u.func.var_refs[index])
            promise = promise_decided_by(*function->u.func.var_refs[index]->pvalue);
    return promise;
}

/* Whether a function only calls `abort` of something, perhaps with a new error: the time-out of what is done by now. */
static bool only_aborts(JSValueConst function)
{
    JSFunctionBytecode *code = JS_GetFunctionBytecode(function);
    if (!code)
        return false;
    JSAtom abort = JS_NewAtom(context, "abort");
    int methods = 0, calls = 0;
    const uint8_t *at = code->byte_code_buf, *end = at + code->byte_code_len;
    for (; at < end; at += short_opcode_info(*at).size) {
        if (*at == OP_get_field2 && get_u32(at + 1) == abort)
            methods++;
        else if (*at == OP_call_method || *at == OP_tail_call_method)
            calls++;
        else if (*at != OP_get_var_ref && *at != OP_get_var_ref_check && (*at < OP_get_var_ref0 || *at > OP_get_var_ref3)
            && *at != OP_get_var && *at != OP_get_field && *at != OP_dup && *at != OP_push_atom_value
            && *at != OP_call_constructor && *at != OP_drop && *at != OP_return && *at != OP_return_undef)
            break;
    }
    JS_FreeAtom(context, abort);
    return at == end && methods == 1 && calls == 1;
}

/* Tells the author about a timer that was dropped. One that only settles a promise counts where code is left behind that
   promise: a timer that has lost a race, and the time-out of one, are meant to be dropped. */
static void hint_at_left_timer(void)
{
    int reactions = 200;
    for (int32_t number = 0; timer_count && number < call_count; number++) {
        struct call *call = &calls[number];
        if (JS_IsUndefined(call->callback) || JS_VALUE_GET_FLOAT64(call->promise) < 0)
            continue;
        JSValueConst promise = promise_of_timer(call->callback);
        if (JS_IsObject(promise) ? !leaves_code(promise, &reactions) : only_aborts(call->callback))
            continue;
        char text[400], place[60];
        describe_caller(call, place, sizeof place);
        int size = snprintf(text, sizeof text,
            "the program returned, and its timer%s was due too late to be waited for: the timer did not fire. "
            "Await what the timer is for, or remove it with `clearTimeout` or `unref()`", place);
        host_hint(text, (size_t)size);
        return;
    }
}

static enum state report_result(JSValue value)
{
    const char *text = short_json;
    size_t size = write_short_json(value);
    if (!size) {
        given_hints = 0;
        JSValue json = to_json(value, "null");
        given_hints = ALL_HINTS;
        text = JS_IsException(json) ? NULL : JS_ToCStringLen(context, &size, json);
        JS_FreeValue(context, json);
    }
    JS_FreeValue(context, value);
    if (!text)
        return report_failure(serialization_error("the result"), ORIGIN_NONE);
    host_done(text, size); /* before anything that may run code of the program, and with it write other JSON */
    if (text != short_json)
        JS_FreeCString(context, text);
    for (int32_t number = 0; number < call_count; number++)
        if (JS_IsObject(calls[number].promise) && !is_awaited(calls[number].promise))
            host_unawaited(number);
    log_held();
    hint_at_left_code();
    hint_at_left_timer();
    log_unhandled();
    tell_left_facts();
    return STATE_DONE;
}

/* Runs the callbacks of `process.nextTick`, which come before promises; false where one of them threw. */
static bool run_waiting_ticks(void)
{
    has_ticks = false;
    JSValue result = JS_Call(context, run_ticks, JS_UNDEFINED, 0, NULL);
    JS_FreeValue(context, result);
    return !JS_IsException(result);
}

/* Whether a timer has work to do that a program that has returned waits for. */
static bool is_timer_left(void)
{
    if (settled_by < 0)
        settled_by = fmin(clock_milliseconds + settle, time_out);
    for (int32_t number = 0; number < call_count; number++) {
        struct call *call = &calls[number];
        if (JS_IsUndefined(call->callback))
            continue;
        double due = JS_VALUE_GET_FLOAT64(call->promise);
        if (due >= 0 && due <= settled_by)
            return true;
    }
    return false;
}

/* Ends a program that has begun with an error. What it has found out until then is told first. */
static enum state end_failed(JSValue reason)
{
    tell_left_facts();
    return report_failure(reason, ORIGIN_NONE);
}

static enum state wait_for_answers(void)
{
    log_held();
    return STATE_WAITING;
}

/* Runs every job that is ready, then says where the program stands. */
static enum state pump(void)
{
    JSContext *ignored;
    int ran;
    do {
        if (has_ticks && !run_waiting_ticks())
            return end_failed(JS_GetException(context));
        while ((ran = JS_ExecutePendingJob(runtime, &ignored)) > 0)
            ;
        if (ran < 0)
            return end_failed(JS_GetException(context));
    } while (has_ticks);
    switch (JS_PromiseState(context, main_promise)) {
    case JS_PROMISE_FULFILLED:
        if (timer_count && is_timer_left())
            return wait_for_answers();
        return report_result(JS_PromiseResult(context, main_promise));
    case JS_PROMISE_REJECTED:
        return end_failed(JS_PromiseResult(context, main_promise));
    default:
        free_chunks_behind(runtime, &first_chunk); /* a program that recursed deeply does not hold its stack while it waits */
        return wait_for_answers();
    }
}

/* Runs the callback of a timer that has fired: (number). A job before this one may have cleared it. */
static JSValue timer_job(JSContext *ctx, int argc, JSValueConst *argv)
{
    (void)argc;
    struct call *call = &calls[JS_VALUE_GET_INT(argv[0])];
    if (JS_IsUndefined(call->callback))
        return JS_UNDEFINED;
    JSValue callback = js_dup(call->callback), arguments = js_dup(call->arguments);
    release_call(call);
    JSValue result = js_function_apply(ctx, callback, 2, (JSValueConst[]) { JS_UNDEFINED, arguments }, 0);
    JS_FreeValue(ctx, callback);
    JS_FreeValue(ctx, arguments);
    if (JS_IsException(result) || !has_ticks || run_waiting_ticks())
        return result;
    JS_FreeValue(ctx, result);
    return JS_EXCEPTION;
}

/* False where there was no memory to tell the program, which can only be told to its host then. */
static bool deliver(int32_t number, uint32_t kind, const char *payload, size_t size)
{
    if (number < 0 || number >= call_count)
        return true;
    struct call *call = &calls[number];
    if (kind == ANSWER_TIMER) {
        JSValue index = js_int32(number);
        return JS_IsUndefined(call->callback) || JS_EnqueueJob(context, timer_job, 1, vc(&index)) >= 0;
    }
    if (!JS_IsObject(call->promise))
        return true;
    JSValue value;
    bool failed = kind == ANSWER_ERROR;
    if (failed) {
        const char *code = payload, *name = code + strlen(code) + 1, *details = name + strlen(name) + 1;
        const char *message = details + strlen(details) + 1;
        char position[160];
        describe_position(position, sizeof position, call->caller, call->caller_pc);
        size_t message_size = (size_t)(payload + size - message);
        value = new_error_of_size(ORIGIN_CALL + (uint32_t)number, code, name, message, message_size, position);
        if (*details)
            add_details(value, details, strlen(details));
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
