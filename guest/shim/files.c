/* The program's files. Part of shim.c. */

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
    return resolve_module(ctx, specifier);
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
    if (!file && !strncmp(name, MODULE_PREFIX, strlen(MODULE_PREFIX)))
        return load_prelude_module(ctx, name);
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

/* `fetch` and what belongs to it, over the tools of a namespace. */
static bool offer_web(const char *namespace, size_t size)
{
    JSValue web = new_tool(NULL, namespace, size);
    JSValue offered = JS_IsException(web) ? web : JS_Call(context, offer_fetch, JS_UNDEFINED, 1, vc(&web));
    JS_FreeValue(context, web);
    return !JS_IsException(offered);
}

/* Namespaces of tools that the host offers as globals; what a program finds under that name already stays. A name with
   `fetch:` before it is that of the tools behind `fetch`. */
static bool offer_namespaces(struct reader *reader)
{
    for (uint32_t count = take_u32(reader); count > 0; count--) {
        size_t size;
        const char *name = take_text(reader, &size);
        if (!strncmp(name, "fetch:", 6)) {
            if (!offer_web(name + 6, size - 6))
                return false;
            continue;
        }
        JSAtom atom = JS_NewAtomLen(context, name, size);
        if (atom == JS_ATOM_NULL)
            return false;
        int exists = JS_HasProperty(context, context->global_obj, atom);
        if (!exists) {
            JSValue namespace = new_tool(NULL, name, size);
            exists = JS_IsException(namespace) ? -1
                : JS_DefinePropertyValue(context, context->global_obj, atom, namespace, JS_PROP_CONFIGURABLE);
        }
        JS_FreeAtom(context, atom);
        if (exists < 0)
            return false;
    }
    return true;
}

/* The locale and the time zone, where the host has chosen others than the usual ones. */
static void read_region(struct reader *reader)
{
    size_t size;
    if (reader->at == reader->end)
        return;
    const char *locale = take_text(reader, &size);
    default_locale = size ? locale : NULL;
    const char *zone = take_text(reader, &size);
    default_zone = size ? zone : NULL;
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
    if (!offer_namespaces(reader))
        return false;
    read_region(reader);
    return true;
}
