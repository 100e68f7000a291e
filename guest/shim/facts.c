/* What a program has found out. Part of shim.c. */

/* Records a fact; throws why where it cannot be. */
static bool record_fact(JSValueConst name, JSValueConst value)
{
    size_t name_size, size = write_short_json(value);
    const char *text = short_json;
    if (!size) {
        JSValue json = to_json(value, "null");
        text = JS_IsException(json) ? NULL : JS_ToCStringLen(context, &size, json);
        JS_FreeValue(context, json);
    }
    if (!text) {
        JS_Throw(context, serialization_error("the value of a fact"));
        return false;
    }
    /* `name` is a string, so that this runs no code of the program. */
    const char *name_text = JS_ToCStringLen(context, &name_size, name);
    int32_t refused = name_text ? host_fact(name_text, name_size, text, size) : 0;
    bool is_told = name_text && !refused;
    JS_FreeCString(context, name_text);
    if (text != short_json)
        JS_FreeCString(context, text);
    if (refused)
        JS_Throw(context, refusal((uint32_t)-refused));
    return is_told;
}

/* `codemode.fact(name, value)`. */
static JSValue tell_fact(int argc, JSValueConst *argv)
{
    if (argc < 1 || argc > 2 || !JS_IsString(argv[0]))
        return JS_ThrowTypeError(context, "codemode.fact takes a name and a value: codemode.fact(\"total\", 12)");
    return record_fact(argv[0], argc > 1 ? argv[1] : JS_UNDEFINED) ? JS_UNDEFINED : JS_EXCEPTION;
}

/* Has a line in the log about a fact that could not be recorded, and forgets the exception. */
static void log_fact_refused(void)
{
    static const char line[] = "a value of globalThis.facts could not be recorded: it is not JSON";
    JS_FreeValue(context, JS_GetException(context));
    host_log(3, line, sizeof line - 1);
}

/* A plain object that the program has left in `globalThis.facts` has further facts. Looking for it runs no code of the
   program; reading its values may. */
static void tell_left_facts(void)
{
    JSAtom atom = JS_NewAtom(context, "facts");
    JSProperty *property;
    JSShapeProperty *shape = atom == JS_ATOM_NULL ? NULL
        : find_own_property(&property, JS_VALUE_GET_OBJ(context->global_obj), atom);
    JS_FreeAtom(context, atom);
    if (!shape || (shape->flags & JS_PROP_TMASK) != JS_PROP_NORMAL || !JS_IsObject(property->u.value)
        || JS_GetClassID(property->u.value) != JS_CLASS_OBJECT)
        return;
    JSValue facts = js_dup(property->u.value);
    JSPropertyEnum *names = NULL;
    uint32_t count = 0;
    if (JS_GetOwnPropertyNames(context, &names, &count, facts, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY) < 0)
        log_fact_refused();
    for (uint32_t index = 0; index < count; index++) {
        JSValue value = JS_GetProperty(context, facts, names[index].atom);
        JSValue name = JS_IsException(value) ? JS_EXCEPTION : JS_AtomToString(context, names[index].atom);
        bool is_told = !JS_IsException(name) && record_fact(name, value);
        JS_FreeValue(context, name);
        JS_FreeValue(context, value);
        if (!is_told)
            log_fact_refused();
    }
    JS_FreePropertyEnum(context, names, count);
    JS_FreeValue(context, facts);
}
