/* Parts of the prelude that are compiled when a program first uses them. Part of shim.c. */

/* Reads a number that goes on while its bytes are 255. */
static size_t take_length(const uint8_t **from, size_t start)
{
    size_t length = start;
    if (start == 15) {
        uint8_t more;
        do {
            more = *(*from)++;
            length += more;
        } while (more == 255);
    }
    return length;
}

/* Undoes `pack` of build.py, whose output is part of the image and needs no check. */
static void unpack(const struct prelude_part *part, char *to)
{
    const uint8_t *from = part->packed, *end = from + part->packed_size;
    while (from < end) {
        uint8_t lengths = *from++;
        size_t fresh = take_length(&from, lengths >> 4);
        memcpy(to, from, fresh);
        to += fresh;
        from += fresh;
        if (from >= end)
            break;
        size_t distance = from[0] | (size_t)from[1] << 8;
        from += 2;
        for (size_t copied = take_length(&from, lengths & 15) + 4; copied > 0; copied--, to++)
            *to = to[-(ptrdiff_t)distance];
    }
}

/* The function of a part: (name). */
static JSValue prelude_load_part(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    const char *name = JS_ToCString(ctx, argv[0]);
    if (!name)
        return JS_EXCEPTION;
    const struct prelude_part *part = NULL;
    for (size_t index = 0; index < countof(prelude_parts); index++)
        if (!strcmp(prelude_parts[index].name, name))
            part = &prelude_parts[index];
    JS_FreeCString(ctx, name);
    if (!part)
        return JS_ThrowReferenceError(ctx, "the prelude has no such part");
    char *source = js_malloc(ctx, part->size + 1);
    if (!source)
        return JS_EXCEPTION;
    unpack(part, source);
    source[part->size] = 0;
    JSValue function = __JS_EvalInternal(ctx, ctx->global_obj, source, part->size, "isobox:prelude", 1,
                                         JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT, -1);
    js_free(ctx, source);
    return function;
}

/* Frees the positions of the prelude's functions, which no stack ever shows: they would be a good part of the image. */
static void forget_positions(void)
{
    struct list_head *at;
    list_for_each(at, &runtime->gc_obj_list) {
        JSGCObjectHeader *header = list_entry(at, JSGCObjectHeader, link);
        if (JS_GC_TYPE(header) != JS_GC_OBJ_TYPE_FUNCTION_BYTECODE)
            continue;
        JSFunctionBytecode *function = (JSFunctionBytecode *)header;
        js_free(context, function->pc2line_buf);
        function->pc2line_buf = NULL;
        function->pc2line_len = 0;
    }
}
