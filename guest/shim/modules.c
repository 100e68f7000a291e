/* The modules that programs take for granted, `node:path` and the like: objects of the prelude. Part of shim.c. */

#define MODULE_PREFIX "node:"

/* Asks the prelude for the object of a module; throws what to use instead where there is none. */
static JSValue find_module(JSContext *ctx, const char *specifier)
{
    JSValue name = JS_NewString(ctx, specifier);
    if (JS_IsException(name))
        return name;
    JSValue module = JS_Call(ctx, import_module, JS_UNDEFINED, 1, vc(&name));
    JS_FreeValue(ctx, name);
    return module;
}

/* The one name of a module, with the prefix; NULL with an exception pending where there is none of that name. */
static char *resolve_module(JSContext *ctx, const char *specifier)
{
    JSValue module = find_module(ctx, specifier);
    if (JS_IsException(module))
        return NULL;
    JS_FreeValue(ctx, module);
    if (!strncmp(specifier, MODULE_PREFIX, strlen(MODULE_PREFIX)))
        return js_strdup(ctx, specifier);
    size_t size = strlen(MODULE_PREFIX) + strlen(specifier) + 1;
    char *name = js_malloc(ctx, size);
    if (name)
        snprintf(name, size, "%s%s", MODULE_PREFIX, specifier);
    return name;
}

/* Runs when the module is evaluated: every export gets the value that the object has then. */
static int fill_module(JSContext *ctx, JSModuleDef *definition)
{
    const char *name = JS_AtomToCString(ctx, definition->module_name);
    if (!name)
        return -1;
    JSValue module = find_module(ctx, name);
    JS_FreeCString(ctx, name);
    if (JS_IsException(module))
        return -1;
    int result = 0;
    for (int index = 0; !result && index < definition->export_entries_count; index++) {
        JSExportEntry *entry = &definition->export_entries[index];
        JSValue value = entry->export_name == JS_ATOM_default ? js_dup(module)
            : JS_GetProperty(ctx, module, entry->export_name);
        if (JS_IsException(value))
            result = -1;
        else
            set_value(ctx, entry->u.local.var_ref->pvalue, value);
    }
    JS_FreeValue(ctx, module);
    return result;
}

/* A module whose default export is the object, and whose other exports are the object's properties. */
static JSModuleDef *load_prelude_module(JSContext *ctx, const char *name)
{
    JSValue module = find_module(ctx, name);
    if (JS_IsException(module))
        return NULL;
    JSPropertyEnum *keys = NULL;
    uint32_t count = 0;
    JSModuleDef *definition = NULL;
    if (JS_GetOwnPropertyNames(ctx, &keys, &count, module, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY) >= 0)
        definition = JS_NewCModule(ctx, name, fill_module);
    bool failed = !definition
        || !add_export_entry2(ctx, NULL, definition, JS_ATOM_NULL, JS_ATOM_default, JS_EXPORT_TYPE_LOCAL);
    for (uint32_t index = 0; !failed && index < count; index++)
        failed = keys[index].atom != JS_ATOM_default
            && !add_export_entry2(ctx, NULL, definition, JS_ATOM_NULL, keys[index].atom, JS_EXPORT_TYPE_LOCAL);
    JS_FreePropertyEnum(ctx, keys, count);
    JS_FreeValue(ctx, module);
    return failed ? NULL : definition;
}
