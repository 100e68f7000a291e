/* Leaving the globals of a program for the next one of its session. Part of shim.c. */

static void drop_jobs(void)
{
    struct list_head *at, *next;
    list_for_each_safe(at, next, &runtime->job_list) {
        JSJobEntry *job = list_entry(at, JSJobEntry, link);
        list_del(&job->link);
        for (int index = 0; index < job->argc; index++)
            JS_FreeValue(context, job->argv[index]);
        js_free(context, job);
    }
}

static void release(JSValue *value)
{
    JSValue old = *value;
    *value = JS_UNDEFINED;
    JS_FreeValue(context, old);
}

/* Functions and modules of the program that are reachable from its globals count as the prelude's from here on: their
   text is gone, stacks do not show them, and another program may have a file of the same name. */
static void disown_code(void)
{
    struct list_head *at;
    list_for_each(at, &runtime->gc_obj_list) {
        JSGCObjectHeader *header = list_entry(at, JSGCObjectHeader, link);
        if (JS_GC_TYPE(header) != JS_GC_OBJ_TYPE_FUNCTION_BYTECODE)
            continue;
        JSFunctionBytecode *function = (JSFunctionBytecode *)header;
        if (!function->filename || function->filename == isobox_prelude_file)
            continue;
        JS_FreeAtom(context, function->filename);
        function->filename = JS_DupAtom(context, isobox_prelude_file);
        js_free(context, function->pc2line_buf);
        function->pc2line_buf = NULL;
        function->pc2line_len = 0;
    }
    list_for_each(at, &context->loaded_modules) {
        JSModuleDef *module = list_entry(at, JSModuleDef, link);
        if (module->init_func) /* of the prelude */
            continue;
        JS_FreeAtom(context, module->module_name);
        module->module_name = JS_DupAtom(context, isobox_prelude_file);
    }
}

/* Drops all that is left of a program that has returned, but for its globals. Returns 0, or 1 where that is not possible. */
EXPORT("isobox_close") int32_t isobox_close(void)
{
    JS_UpdateStackTop(runtime);
    for (int32_t number = 0; number < call_count; number++)
        release_call(&calls[number]);
    js_free(context, calls);
    calls = NULL;
    call_count = call_capacity = timer_count = timers_made = 0;
    while (unhandled_count > 0)
        release(&unhandled[--unhandled_count]);
    release(&main_promise);
    release(&last_throw.value);
    release(&last_throw.function);
    drop_jobs();
    JSValue restarted = JS_Call(context, restart, JS_UNDEFINED, 0, NULL);
    if (JS_IsException(restarted))
        return 1;
    has_ticks = false;
    settled_by = -1;
    disown_code();
    forget_places();
    js_free(context, files);
    js_free(context, program_text);
    files = NULL;
    program_text = NULL;
    file_count = 0;
    default_locale = default_zone = NULL;
    JS_RunGC(runtime);
    drop_jobs(); /* of finalizers */
    free_chunks_behind(runtime, &first_chunk);
    if (!memory_reserve)
        memory_reserve = malloc(MEMORY_RESERVE);
    return 0;
}
