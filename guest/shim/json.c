/* Writing JSON: a short way for what calls and results mostly are, the engine's own for the rest. Part of shim.c.

   The short way takes plain objects, plain arrays and ASCII text without escapes, up to a small size. It looks up no
   property and runs no code of the program; whatever might (getters, `toJSON`, proxies) is not for it. */

static char short_json[2048];

struct writer {
    char *at, *end;
};

static bool write_bytes(struct writer *writer, const char *bytes, size_t size)
{
    if ((size_t)(writer->end - writer->at) < size)
        return false;
    memcpy(writer->at, bytes, size);
    writer->at += size;
    return true;
}

static bool write_text(struct writer *writer, JSString *text)
{
    if (text->is_wide_char || (size_t)(writer->end - writer->at) < (size_t)text->len + 2)
        return false;
    const uint8_t *characters = str8(text);
    *writer->at++ = '"';
    for (uint32_t index = 0; index < text->len; index++) {
        uint8_t character = characters[index];
        if (character < 0x20 || character >= 0x80 || character == '"' || character == '\\')
            return false;
        *writer->at++ = (char)character;
    }
    *writer->at++ = '"';
    return true;
}

/* Whether an object has nothing but its own plain properties: none of its prototypes has a `toJSON`. */
static bool is_plain(JSObject *object, int class_id)
{
    JSObject *base = JS_VALUE_GET_OBJ(context->class_proto[JS_CLASS_OBJECT]);
    JSObject *prototype = JS_VALUE_GET_OBJ(context->class_proto[class_id]);
    return object->class_id == class_id && object->shape->proto == prototype
        && !find_own_property1(base, JS_ATOM_toJSON) && !base->shape->proto
        && (prototype == base
            || (prototype->shape->proto == base && !find_own_property1(prototype, JS_ATOM_toJSON)));
}

static bool write_value(struct writer *writer, JSValueConst value, int depth);

static bool write_object(struct writer *writer, JSObject *object, int depth)
{
    if (object->is_exotic || !is_plain(object, JS_CLASS_OBJECT))
        return false;
    JSShapeProperty *shape = get_shape_prop(object->shape);
    const char *separator = "{";
    for (int index = 0; index < object->shape->prop_count; index++) {
        JSAtom atom = shape[index].atom;
        if (atom == JS_ATOM_NULL)
            continue;
        /* Keys that look like numbers come first, whatever their place. */
        if (atom == JS_ATOM_toJSON || __JS_AtomIsTaggedInt(atom) || JS_AtomGetKind(context, atom) != JS_ATOM_KIND_STRING
            || (shape[index].flags & (JS_PROP_TMASK | JS_PROP_ENUMERABLE)) != (JS_PROP_NORMAL | JS_PROP_ENUMERABLE))
            return false;
        JSString *name = runtime->atom_array[atom];
        if (name->len && !name->is_wide_char && str8(name)[0] >= '0' && str8(name)[0] <= '9')
            return false;
        if (!write_bytes(writer, separator, 1) || !write_text(writer, name) || !write_bytes(writer, ":", 1)
            || !write_value(writer, object->prop[index].u.value, depth))
            return false;
        separator = ",";
    }
    return *separator == '{' ? write_bytes(writer, "{}", 2) : write_bytes(writer, "}", 1);
}

static bool write_array(struct writer *writer, JSObject *array, int depth)
{
    /* A fast array has all its elements in one block, unless its length was set beyond them. */
    if (!array->fast_array || !is_plain(array, JS_CLASS_ARRAY) || array->shape->prop_count != 1
        || JS_VALUE_GET_TAG(array->prop[0].u.value) != JS_TAG_INT
        || (uint32_t)JS_VALUE_GET_INT(array->prop[0].u.value) != array->u.array.count)
        return false;
    if (!write_bytes(writer, "[", 1))
        return false;
    for (uint32_t index = 0; index < array->u.array.count; index++)
        if ((index && !write_bytes(writer, ",", 1)) || !write_value(writer, array->u.array.u.values[index], depth))
            return false;
    return write_bytes(writer, "]", 1);
}

static bool write_value(struct writer *writer, JSValueConst value, int depth)
{
    switch (JS_VALUE_GET_TAG(value)) {
    case JS_TAG_NULL:
        return write_bytes(writer, "null", 4);
    case JS_TAG_BOOL:
        return JS_VALUE_GET_BOOL(value) ? write_bytes(writer, "true", 4) : write_bytes(writer, "false", 5);
    case JS_TAG_INT: {
        char digits[12];
        return write_bytes(writer, digits, i32toa(digits, JS_VALUE_GET_INT(value)));
    }
    case JS_TAG_FLOAT64: {
        double number = JS_VALUE_GET_FLOAT64(value);
        if (!(number >= INT32_MIN && number <= INT32_MAX) || number != (int32_t)number)
            return false;
        char digits[12];
        return write_bytes(writer, digits, i32toa(digits, (int32_t)number)); /* -0 is written as 0 */
    }
    case JS_TAG_STRING:
        return write_text(writer, JS_VALUE_GET_STRING(value));
    case JS_TAG_OBJECT: {
        JSObject *object = JS_VALUE_GET_OBJ(value);
        if (depth == 0)
            return false;
        return object->class_id == JS_CLASS_ARRAY ? write_array(writer, object, depth - 1)
                                                  : write_object(writer, object, depth - 1);
    }
    default:
        return false;
    }
}

/* The size of the value's JSON in `short_json`, or 0 where the short way is not for it. */
static size_t write_short_json(JSValueConst value)
{
    struct writer writer = { short_json, short_json + sizeof short_json };
    return write_value(&writer, value, 16) ? (size_t)(writer.at - short_json) : 0;
}

/* The kinds of hints that were given about the result, as bits. None are given about other values. */
#define ALL_HINTS 0xffffffffu
static uint32_t given_hints = ALL_HINTS;

/* Gives a hint about a value in the result: (kind, text). One of each kind is enough. */
static JSValue prelude_hint(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    uint32_t kind;
    size_t size;
    if (JS_ToUint32(ctx, &kind, argv[0]))
        return JS_EXCEPTION;
    uint32_t bit = 1u << (kind & 31);
    if (given_hints & bit)
        return JS_UNDEFINED;
    const char *text = JS_ToCStringLen(ctx, &size, argv[1]);
    if (!text)
        return JS_EXCEPTION;
    given_hints |= bit;
    host_hint(text, size);
    JS_FreeCString(ctx, text);
    return JS_UNDEFINED;
}

/* The engine's name for the class of an object. */
static JSValue prelude_class_of(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    if (!JS_IsObject(argv[0]))
        return JS_UNDEFINED;
    return JS_AtomToString(ctx, runtime->class_array[JS_VALUE_GET_OBJ(argv[0])->class_id].class_name);
}

/* Whether looking at an object may run code of the program. */
static JSValue prelude_is_proxy(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)ctx, (void)receiver, (void)argc;
    return js_bool(JS_GetClassID(argv[0]) == JS_CLASS_PROXY);
}

/* What an iterator of a Map or a Set has not given yet, behind whether it gives entries; undefined for other values. */
static JSValue prelude_items_left(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    int kind = (int)JS_GetClassID(argv[0]) - JS_CLASS_MAP_ITERATOR;
    JSMapIteratorData *iterator = kind == 0 || kind == 1 ? JS_VALUE_GET_OBJ(argv[0])->u.map_iterator_data : NULL;
    if (!iterator)
        return JS_UNDEFINED;
    JSValue list = JS_NewArray(ctx);
    bool are_entries = iterator->kind == JS_ITERATOR_KIND_KEY_AND_VALUE;
    if (JS_IsException(list) || JS_DefinePropertyValueUint32(ctx, list, 0, js_bool(are_entries), JS_PROP_C_W_E) < 0
        || JS_IsUndefined(iterator->obj))
        return list;
    JSValue copy = js_create_map_iterator(ctx, iterator->obj, 0, NULL, iterator->kind << 2 | kind);
    if (JS_IsException(copy))
        return copy;
    if ((JS_VALUE_GET_OBJ(copy)->u.map_iterator_data->cur_record = iterator->cur_record))
        iterator->cur_record->ref_count++;
    int is_done = false;
    for (uint32_t index = 1; !is_done; index++) {
        JSValue item = js_map_iterator_next(ctx, copy, 0, NULL, &is_done, kind);
        if (!is_done && (JS_IsException(item) || JS_DefinePropertyValueUint32(ctx, list, index, item, JS_PROP_C_W_E) < 0)) {
            JS_FreeValue(ctx, list);
            list = JS_EXCEPTION;
            break;
        }
    }
    JS_FreeValue(ctx, copy);
    return list;
}

/* Whether a replacer is to be called for a value. The prelude's own is called only for values that JSON writes in a form
   that an author would not expect. */
static bool isobox_replaces(JSValueConst replacer, JSValueConst value)
{
    if (!JS_IsObject(to_plain) || JS_VALUE_GET_OBJ(replacer) != JS_VALUE_GET_OBJ(to_plain))
        return true;
    switch (JS_VALUE_GET_NORM_TAG(value)) {
    case JS_TAG_NULL: /* it may have been an invalid date */
    case JS_TAG_BIG_INT:
    case JS_TAG_SHORT_BIG_INT:
        return true;
    case JS_TAG_FLOAT64:
        return !isfinite(JS_VALUE_GET_FLOAT64(value));
    case JS_TAG_OBJECT:
        break;
    default:
        return false;
    }
    JSObject *object = JS_VALUE_GET_OBJ(value);
    switch (object->class_id) {
    case JS_CLASS_OBJECT: /* an instance of a class may have no properties of its own */
        return object->shape->proto && object->shape->proto != JS_VALUE_GET_OBJ(context->class_proto[JS_CLASS_OBJECT]);
    case JS_CLASS_ARRAY:
    case JS_CLASS_NUMBER:
    case JS_CLASS_STRING:
    case JS_CLASS_BOOLEAN:
    case JS_CLASS_ARGUMENTS:
    case JS_CLASS_MAPPED_ARGUMENTS:
    case JS_CLASS_RAWJSON:
    case JS_CLASS_PROXY:
        return false;
    default:
        return object->class_id != tool_class;
    }
}

/* A value as JSON, with `nothing` for what JSON leaves out; a function or a symbol is more likely a mistake. */
static JSValue to_json(JSValueConst value, const char *nothing)
{
    isobox_is_too_deep = false;
    JSValue json = JS_JSONStringify(context, value, to_plain, JS_UNDEFINED);
    if (!JS_IsUndefined(json))
        return json;
    if (JS_IsSymbol(value) || JS_IsFunction(context, value))
        return JS_ThrowTypeError(context, "it is a %s", JS_IsSymbol(value) ? "symbol" : "function");
    return JS_NewString(context, nothing);
}

/* Adds to an array of the engine's own. */
static JSValue isobox_append(JSContext *ctx, JSValueConst array, JSValueConst value)
{
    int64_t length;
    if (js_get_length64(ctx, &length, array)
        || JS_DefinePropertyValueInt64(ctx, array, length, js_dup(value), JS_PROP_C_W_E) < 0)
        return JS_EXCEPTION;
    return JS_UNDEFINED;
}
