/* `tools.a.b.c`. Part of shim.c. */

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

/* Makes a call with one input; nothing counts as an empty object. */
static JSValue make_call(const struct tool_path *path, JSValueConst value)
{
    JSContext *ctx = context;
    JSValue json = JS_UNDEFINED;
    const char *body = "{}";
    size_t body_size = strlen(body);
    if (!JS_IsUndefined(value) && (body_size = write_short_json(value))) {
        body = short_json;
    } else if (!JS_IsUndefined(value)) {
        json = to_json(value, "{}");
        body = JS_IsException(json) ? NULL : JS_ToCStringLen(ctx, &body_size, json);
        JS_FreeValue(ctx, json);
        if (!body) {
            char text[160];
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
    JSStackFrame *frame = program_frame();
    struct place place = place_of(wants_places ? frame : NULL);
    int32_t number = host_call(path->text, path->size, body, body_size, place.file, place.line, place.column);
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
    if (frame) {
        call->caller = js_dup(frame->cur_func);
        call->caller_pc = frame_pc(frame);
    }
    return promise;
}

/* `search` and `describe` of the catalogue take what functions usually take: a text, then options. */
static bool takes_a_list(const char *path)
{
    return !strncmp(path, "codemode.", 9) || !strcmp(path, "search") || !strcmp(path, "describe");
}

static JSValue call_with_list(const struct tool_path *path, int argc, JSValueConst *argv)
{
    if (argc <= 1)
        return make_call(path, argc ? argv[0] : JS_UNDEFINED);
    JSValue list = JS_NewArray(context);
    if (JS_IsException(list))
        return list;
    for (int index = 0; index < argc; index++) {
        if (JS_DefinePropertyValueUint32(context, list, index, js_dup(argv[index]), JS_PROP_C_W_E) < 0) {
            JS_FreeValue(context, list);
            return JS_EXCEPTION;
        }
    }
    JSValue promise = make_call(path, list);
    JS_FreeValue(context, list);
    return promise;
}

/* `codemode.step` is a function of the prelude, which makes a call of this path when the work is done. */
static const struct tool_path step_path = { 13, "codemode.step" };

/* Has the result of a step recorded: (name), or (name, value). */
static JSValue prelude_record(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)ctx, (void)receiver;
    return call_with_list(&step_path, argc, argv);
}

/* A tool that reads pages of a list has this last name. What it returns is also an async iterable of pages. */
static bool reads_pages(const struct tool_path *path)
{
    static const char suffix[] = ".pages";
    const size_t size = sizeof suffix - 1;
    return path->size > size && !memcmp(path->text + path->size - size, suffix, size);
}

/* The size of the path in front of a method that functions have, such as `.call`; 0 where the path ends otherwise. */
static size_t size_before_method(const struct tool_path *path)
{
    static const char *const methods[] = { ".call", ".apply", ".bind" };
    for (size_t index = 0; index < countof(methods); index++) {
        size_t size = strlen(methods[index]);
        if (path->size > size && !strcmp(path->text + path->size - size, methods[index]))
            return path->size - size;
    }
    return 0;
}

static JSValue tell_fact(int argc, JSValueConst *argv);

static JSValue tool_call(JSContext *ctx, JSValueConst function, JSValueConst receiver, int argc, JSValueConst *argv,
                         int flags)
{
    (void)receiver, (void)flags;
    const struct tool_path *path = JS_GetOpaque(function, tool_class);
    if (!strcmp(path->text, step_path.text))
        return JS_Call(ctx, run_step, JS_UNDEFINED, argc, argv);
    if (!strcmp(path->text, "codemode.fact"))
        return tell_fact(argc, argv);
    if (takes_a_list(path->text))
        return call_with_list(path, argc, argv);
    if (argc > 1) {
        char text[400], advice[240] = "";
        size_t size = size_before_method(path);
        if (size && size <= 80)
            snprintf(advice, sizeof advice, "; to call tools.%.*s, write `(input) => tools.%.*s(input)`", (int)size, path->text,
                     (int)size, path->text);
        snprintf(text, sizeof text, "tools%s%.80s takes one argument, an object; it was given %d%s", path->size ? "." : "",
                 path->text, argc, advice);
        return rejected_promise(new_error(ORIGIN_ARGUMENTS, "INVALID_INPUT", "InvalidInputError", text));
    }
    JSValueConst value = argc ? argv[0] : JS_UNDEFINED;
    JSValue promise = make_call(path, value);
    if (JS_IsException(promise) || !reads_pages(path))
        return promise;
    JSValue made = JS_Call(ctx, iterate_pages, JS_UNDEFINED, 3, (JSValueConst[]) { promise, function, value });
    if (!JS_IsException(made))
        return promise;
    JS_FreeValue(ctx, promise);
    return JS_EXCEPTION;
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
