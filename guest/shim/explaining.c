/* Errors of the engine that say which expression was wrong, and what it was. Part of shim.c. */

/* What a value is, for a message. Nothing of the program runs for it. */
static const char *kind_of(JSValueConst value)
{
    switch (JS_VALUE_GET_NORM_TAG(value)) {
    case JS_TAG_UNDEFINED:
        return "undefined";
    case JS_TAG_NULL:
        return "null";
    case JS_TAG_BOOL:
        return "a boolean";
    case JS_TAG_INT:
    case JS_TAG_FLOAT64:
        return "a number";
    case JS_TAG_SHORT_BIG_INT:
    case JS_TAG_BIG_INT:
        return "a bigint";
    case JS_TAG_STRING:
    case JS_TAG_STRING_ROPE:
        return "a string";
    case JS_TAG_SYMBOL:
        return "a symbol";
    case JS_TAG_OBJECT:
        break;
    default:
        return "a value";
    }
    switch (JS_VALUE_GET_OBJ(value)->class_id) {
    case JS_CLASS_ARRAY:
        return "an array";
    case JS_CLASS_ERROR:
        return "an error";
    case JS_CLASS_DATE:
        return "a Date";
    case JS_CLASS_REGEXP:
        return "a regular expression";
    case JS_CLASS_MAP:
        return "a Map";
    case JS_CLASS_SET:
        return "a Set";
    case JS_CLASS_WEAKMAP:
        return "a WeakMap";
    case JS_CLASS_WEAKSET:
        return "a WeakSet";
    case JS_CLASS_PROMISE:
        return "a Promise";
    case JS_CLASS_MAP_ITERATOR:
    case JS_CLASS_SET_ITERATOR:
    case JS_CLASS_ARRAY_ITERATOR:
    case JS_CLASS_STRING_ITERATOR:
    case JS_CLASS_REGEXP_STRING_ITERATOR:
        return "an iterator";
    case JS_CLASS_GENERATOR:
    case JS_CLASS_ASYNC_GENERATOR:
        return "a generator";
    case JS_CLASS_ARRAY_BUFFER:
        return "an ArrayBuffer";
    default:
        if (is_typed_array(JS_VALUE_GET_OBJ(value)->class_id))
            return "a typed array";
        return JS_IsFunction(context, value) ? "a function" : "an object";
    }
}

/* What to write instead, where the value says it. */
static const char *advice_for(JSValueConst value)
{
    return JS_GetClassID(value) == JS_CLASS_PROMISE ? "; await it first" : "";
}

static bool is_plain_object(JSValueConst value) { return JS_GetClassID(value) == JS_CLASS_OBJECT; }

/* The last expression in front of the call that a function of the program is at; empty where it cannot be told. */
static struct span called_expression(void)
{
    struct span none = { NULL, NULL };
    struct place_in_text place;
    if (!find_in_text(&place))
        return none;
    const char *end = *place.at == ')' || *place.at == ']' ? place.at + 1 : name_end(place.at, place.end);
    const char *behind = skip_space(end, place.end);
    if (behind < place.end && *behind == '?')
        behind += 2;
    if (end == place.at || behind >= place.end || (*behind != '(' && *behind != '`'))
        return none;
    return expression_before(place.text, end);
}

/* Whether arrays have a method of the name that an expression ends with. */
static bool is_array_method(struct span expression)
{
    const char *name = expression.end;
    while (name > expression.start && is_name_character(name[-1]))
        name--;
    JSAtom atom = JS_NewAtomLen(context, name, (size_t)(expression.end - name));
    JSProperty *property;
    bool is_method = find_own_property(&property, JS_VALUE_GET_OBJ(context->class_proto[JS_CLASS_ARRAY]), atom) != NULL;
    JS_FreeAtom(context, atom);
    return is_method;
}

#define KEYS_SIZE 64

/* Writes the first keys of an object in braces; nothing where it has none. */
static const char *write_keys(char *out, JSValueConst value)
{
    JSShape *shape = JS_VALUE_GET_OBJ(value)->shape;
    JSShapeProperty *properties = get_shape_prop(shape);
    size_t size = 0;
    bool is_cut = false;
    out[0] = 0;
    for (int index = 0; index < shape->prop_count && !is_cut; index++) {
        char key[ATOM_GET_STR_BUF_SIZE];
        JSAtom atom = properties[index].atom;
        if (atom == JS_ATOM_NULL || !(properties[index].flags & JS_PROP_ENUMERABLE)
            || JS_AtomGetKind(context, atom) != JS_ATOM_KIND_STRING)
            continue;
        JS_AtomGetStr(context, key, sizeof key, atom);
        is_cut = size + strlen(key) + sizeof ", …  }" > KEYS_SIZE;
        size += (size_t)snprintf(out + size, KEYS_SIZE - size, "%s%s", size ? ", " : " { ", is_cut ? "…" : key);
    }
    if (size)
        snprintf(out + size, KEYS_SIZE - size, " }");
    return out;
}

static JSValue isobox_throw_not_a_function(JSContext *ctx, JSValueConst called, JSValueConst receiver)
{
    char text[EXPRESSION_SIZE], base_text[EXPRESSION_SIZE], keys[KEYS_SIZE];
    JSStackFrame *frame = runtime->current_stack_frame;
    if (frame && !JS_GetFunctionBytecode(frame->cur_func)) {
        const char *name = get_func_name(ctx, frame->cur_func);
        JSValue error = name && *name ? JS_ThrowTypeError(ctx, "%s is not a function: %.60s needs one", kind_of(called), name)
                                      : JS_ThrowTypeError(ctx, "%s is not a function", kind_of(called));
        JS_FreeCString(ctx, name);
        return error;
    }
    struct span whole = called_expression(), base = base_of(whole);
    if (!*write_expression(text, whole))
        return JS_ThrowTypeError(ctx, "the called value is not a function: it is %s%s", kind_of(called), advice_for(called));
    write_expression(base_text, base);
    if (*base_text && JS_IsUndefined(called) && !JS_IsUndefined(receiver) && !is_plain_object(receiver))
        return JS_ThrowTypeError(ctx, "%s is not a function: %s is %s%s", text, base_text, kind_of(receiver),
                                 advice_for(receiver));
    if (*base_text && JS_IsUndefined(called) && is_plain_object(receiver) && is_array_method(whole))
        return JS_ThrowTypeError(ctx, "%s is not a function: %s is an object%s, not an array", text, base_text,
                                 write_keys(keys, receiver));
    return JS_ThrowTypeError(ctx, "%s is not a function: it is %s%s", text, kind_of(called), advice_for(called));
}

static JSValue isobox_throw_not_a_constructor(JSContext *ctx, JSValueConst called)
{
    char text[EXPRESSION_SIZE];
    if (!*write_expression(text, called_expression()))
        return JS_ThrowTypeError(ctx, "the value behind new is not a constructor: it is %s", kind_of(called));
    if (JS_IsFunction(ctx, called))
        return JS_ThrowTypeError(ctx, "%s is not a constructor", text);
    return JS_ThrowTypeError(ctx, "%s is not a constructor: it is %s", text, kind_of(called));
}

/* Whether what is in front of here is assigned to; the position of an assignment may be that of its right side. */
static bool is_assigned(const struct place_in_text *place, struct span target, const char *behind)
{
    behind = skip_space(behind, place->end);
    const char *before = skip_space_back(place->text, target.start);
    bool has_sign = place->end - behind > 1 && behind[0] == '=' && behind[1] != '=' && behind[1] != '>';
    return has_sign && (before == place->text || before[-1] != '=');
}

enum access { ACCESS_READ, ACCESS_WRITE };

/* The expression whose property is read or written where a function of the program is at. */
static struct span accessed_expression(const char *property, enum access access)
{
    struct span none = { NULL, NULL };
    struct place_in_text place;
    if (!find_in_text(&place))
        return none;
    struct span found;
    const char *behind;
    if (*place.at == '[') {
        found = expression_before(place.text, place.at);
        behind = group_end(place.at, place.end);
    } else {
        const char *name = place.at, *dot = skip_space_back(place.text, name);
        behind = name_end(name, place.end);
        if (strlen(property) != (size_t)(behind - name) || memcmp(property, name, (size_t)(behind - name)))
            return none;
        if (dot == place.text || dot[-1] != '.')
            return none;
        found = expression_before(place.text, dot - 1 - (dot - place.text > 1 && dot[-2] == '?'));
    }
    return access == ACCESS_READ || is_assigned(&place, found, behind) ? found : none;
}

/* The value of the only variable of this name that the running function uses; undefined where that is not clear. */
static JSValueConst value_of_variable(const char *name, size_t size)
{
    JSStackFrame *frame = runtime->current_stack_frame;
    JSObject *function = JS_VALUE_GET_OBJ(frame->cur_func);
    JSFunctionBytecode *code = function->u.func.function_bytecode;
    JSAtom atom = JS_NewAtomLen(context, name, size);
    JSValueConst found = JS_UNDEFINED;
    int count = 0;
    for (int index = 0; index < code->arg_count + code->var_count; index++) {
        if (code->vardefs[index].var_name != atom)
            continue;
        found = index < code->arg_count ? frame->arg_buf[index] : frame->var_buf[index - code->arg_count];
        count++;
    }
    for (int index = 0; index < code->closure_var_count; index++) {
        if (code->closure_var[index].var_name != atom)
            continue;
        found = *function->u.func.var_refs[index]->pvalue;
        count++;
    }
    JS_FreeAtom(context, atom);
    return count == 1 ? found : JS_UNDEFINED;
}

/* Where `a.b` is undefined because `a` is a promise that was not awaited: the name of `a`. */
static struct span unawaited_root(struct span expression)
{
    struct span none = { NULL, NULL }, root = { expression.start, name_end(expression.start, expression.end) };
    if (root.start == root.end || root.end == expression.end)
        return none;
    JSValueConst value = value_of_variable(root.start, (size_t)(root.end - root.start));
    return JS_GetClassID(value) == JS_CLASS_PROMISE ? root : none;
}

static JSValue isobox_throw_not_iterable(JSContext *ctx, JSValueConst value);

static JSValue throw_access(JSContext *ctx, enum access access, JSValueConst value, JSAtom property)
{
    char name[ATOM_GET_STR_BUF_SIZE], text[EXPRESSION_SIZE], root[EXPRESSION_SIZE];
    const char *verb = access == ACCESS_READ ? "read" : "set", *kind = kind_of(value);
    JS_AtomGetStr(ctx, name, sizeof name, property);
    struct span expression = accessed_expression(name, access);
    if (!*write_expression(text, expression) || !strcmp(text, kind))
        return JS_ThrowTypeError(ctx, "cannot %s \"%s\" of %s", verb, name, kind);
    if (*write_expression(root, unawaited_root(expression)))
        return JS_ThrowTypeError(ctx, "cannot %s \"%.40s\" of %s: %s is %s, because %s is a Promise; await it first", verb,
                                 name, kind, text, kind, root);
    return JS_ThrowTypeError(ctx, "cannot %s \"%s\" of %s: %s is %s", verb, name, kind, text, kind);
}

static JSValue isobox_throw_read(JSContext *ctx, JSValueConst value, JSAtom property)
{
    if (property == JS_ATOM_Symbol_iterator || property == JS_ATOM_Symbol_asyncIterator)
        return isobox_throw_not_iterable(ctx, value);
    return throw_access(ctx, ACCESS_READ, value, property);
}

static JSValue isobox_throw_write(JSContext *ctx, JSValueConst value, JSAtom property)
{
    return throw_access(ctx, ACCESS_WRITE, value, property);
}

/* Where the operand ends that this is in, with its properties, indexes and calls; NULL where something else follows. */
static const char *operand_end(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && at - start < EXPRESSION_READ) {
        if (*at == '(' || *at == '[')
            at = group_end(at, end);
        else if (is_name_character(*at) || *at == '.' || (*at == '?' && at + 1 < end && at[1] == '.'))
            at++;
        else
            break;
    }
    const char *behind = skip_space(at, end);
    return at > start && (behind == end || *at == '\n' || strchr(")];,}", *behind)) ? at : NULL;
}

/* The value of a pattern that starts here: what is behind its `=`. */
static struct span value_of_pattern(const struct place_in_text *place, const char *pattern)
{
    struct span none = { NULL, NULL };
    const char *sign = skip_space(group_end(pattern, place->end), place->end);
    if (place->end - sign < 2 || sign[0] != '=' || sign[1] == '=' || sign[1] == '>')
        return none;
    const char *start = skip_space(sign + 1, place->end), *end = operand_end(start, place->end);
    struct span found = end ? expression_before(place->text, end) : none;
    return found.start == start ? found : none;
}

/* The operand of `of`, `...` or `yield*` that this is in. */
static struct span iterated_operand(const struct place_in_text *place)
{
    struct span none = { NULL, NULL };
    const char *end = operand_end(place->at, place->end);
    struct span found = end ? expression_before(place->text, end) : none;
    const char *before = skip_space_back(place->text, found.start ? found.start : place->text);
    bool is_operand = before - place->text > 3
        && (before[-1] == '*' || !memcmp(before - 3, "...", 3)
            || (!memcmp(before - 2, "of", 2) && !is_name_character(before[-3])));
    return found.start <= place->at && is_operand ? found : none;
}

static JSValue isobox_throw_not_iterable(JSContext *ctx, JSValueConst value)
{
    char text[EXPRESSION_SIZE] = "";
    struct place_in_text place;
    const char *kind = kind_of(value), *advice = advice_for(value);
    if (is_plain_object(value))
        advice = "; use Object.entries, Object.keys or Object.values";
    JSStackFrame *frame = runtime->current_stack_frame;
    if (frame && !JS_GetFunctionBytecode(frame->cur_func)) {
        const char *name = get_func_name(ctx, frame->cur_func);
        JSValue error = JS_ThrowTypeError(ctx, "%s is not iterable: %.60s needs an iterable value%s", kind,
                                          name && *name ? name : "a built-in function", advice);
        JS_FreeCString(ctx, name);
        return error;
    }
    if (find_in_text(&place))
        write_expression(text, *place.at == '[' ? value_of_pattern(&place, place.at) : iterated_operand(&place));
    if (!*text || !strcmp(text, kind))
        return JS_ThrowTypeError(ctx, "%s is not iterable%s", kind, advice);
    return JS_ThrowTypeError(ctx, "%s is not iterable: %s is %s%s", text, text, kind, advice);
}

/* An object pattern is at its first property. */
static JSValue throw_no_pattern(JSContext *ctx, JSValueConst value)
{
    char text[EXPRESSION_SIZE] = "", name[EXPRESSION_SIZE] = "";
    const char *kind = kind_of(value);
    struct place_in_text place;
    if (find_in_text(&place)) {
        const char *pattern = skip_space_back(place.text, place.at);
        if (pattern > place.text && pattern[-1] == '{') {
            write_expression(text, value_of_pattern(&place, pattern - 1));
            write_expression(name, (struct span) { place.at, name_end(place.at, place.end) });
        }
    }
    if (!*name)
        return JS_ThrowTypeError(ctx, "cannot destructure %s", kind);
    if (!*text || !strcmp(text, kind))
        return JS_ThrowTypeError(ctx, "cannot destructure \"%s\" of %s", name, kind);
    return JS_ThrowTypeError(ctx, "cannot destructure \"%s\" of %s: %s is %s", name, kind, text, kind);
}

static JSValue isobox_throw_no_object(JSContext *ctx, JSValueConst value)
{
    JSStackFrame *frame = runtime->current_stack_frame;
    if (!frame)
        return JS_ThrowTypeError(ctx, "cannot convert %s to object", kind_of(value));
    if (JS_GetFunctionBytecode(frame->cur_func)) {
        if (frame->cur_pc && frame->cur_pc[-1] == OP_to_object)
            return throw_no_pattern(ctx, value);
        return JS_ThrowTypeError(ctx, "cannot convert %s to object", kind_of(value));
    }
    const char *name = get_func_name(ctx, frame->cur_func);
    JSValue error = name && *name ? JS_ThrowTypeError(ctx, "cannot convert %s to object: %.60s needs one", kind_of(value), name)
                                  : JS_ThrowTypeError(ctx, "cannot convert %s to object", kind_of(value));
    JS_FreeCString(ctx, name);
    return error;
}

static void isobox_throw_operand(JSContext *ctx, const char *operator, JSValueConst value)
{
    bool is_in = operator[2] == 0;
    JS_ThrowTypeError(ctx, "the right side of \"%s\" is not %s: it is %s%s", operator, is_in ? "an object" : "a class",
                      kind_of(value), is_in && JS_IsString(value) ? "; use includes to search a text" : "");
}
