/* Calls, timers and their promises. Part of shim.c. */

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
    if (!JS_IsUndefined(callback))
        timer_count--;
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
