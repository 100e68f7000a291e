/* Bytes as text and text as bytes, digests, chance and time, for the prelude. Part of shim.c. */

enum encoding { ENCODING_HEX, ENCODING_BASE64, ENCODING_BASE64URL, ENCODING_LATIN1, ENCODING_ASCII, ENCODING_UTF16LE };

/* The bytes of (buffer, offset, size); NULL with an exception pending where there are none. */
static uint8_t *bytes_in(JSContext *ctx, JSValueConst *argv, uint32_t *size)
{
    static uint8_t nothing;
    size_t total;
    uint32_t offset;
    uint8_t *bytes = JS_GetArrayBuffer(ctx, &total, argv[0]);
    if (!bytes && JS_HasException(ctx))
        return NULL;
    if (JS_ToUint32(ctx, &offset, argv[1]) || JS_ToUint32(ctx, size, argv[2]))
        return NULL;
    if (offset > total || *size > total - offset) {
        JS_ThrowRangeError(ctx, "out of range");
        return NULL;
    }
    return bytes ? bytes + offset : &nothing;
}

static JSString *new_text(JSContext *ctx, uint64_t length, int is_wide)
{
    if (length > JS_STRING_LEN_MAX) {
        JS_ThrowRangeError(ctx, "the text of these bytes is longer than any string can be");
        return NULL;
    }
    return js_alloc_string(ctx, (int)length, is_wide);
}

static void write_base64(const uint8_t *bytes, uint32_t size, bool is_url, uint8_t *to)
{
    const char *letters = is_url ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
                                 : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (uint32_t at = 0; at < size; at += 3) {
        uint32_t left = size - at;
        uint32_t group = (uint32_t)bytes[at] << 16 | (left > 1 ? bytes[at + 1] << 8 : 0) | (left > 2 ? bytes[at + 2] : 0);
        *to++ = letters[group >> 18];
        *to++ = letters[group >> 12 & 63];
        if (left > 1)
            *to++ = letters[group >> 6 & 63];
        else if (!is_url)
            *to++ = '=';
        if (left > 2)
            *to++ = letters[group & 63];
        else if (!is_url)
            *to++ = '=';
    }
}

/* The text of bytes: (buffer, offset, size, encoding). */
static JSValue prelude_bytes_to_text(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    uint32_t size;
    int32_t encoding;
    if (JS_ToInt32(ctx, &encoding, argv[3]))
        return JS_EXCEPTION;
    const uint8_t *bytes = bytes_in(ctx, argv, &size);
    if (!bytes)
        return JS_EXCEPTION;
    uint64_t length = size;
    if (encoding == ENCODING_HEX)
        length = (uint64_t)size * 2;
    else if (encoding == ENCODING_BASE64)
        length = ((uint64_t)size + 2) / 3 * 4;
    else if (encoding == ENCODING_BASE64URL)
        length = ((uint64_t)size * 4 + 2) / 3;
    else if (encoding == ENCODING_UTF16LE)
        length = size / 2;
    if (!length)
        return js_empty_string(ctx->rt);
    JSString *text = new_text(ctx, length, encoding == ENCODING_UTF16LE);
    if (!text)
        return JS_EXCEPTION;
    uint8_t *to = str8(text);
    switch (encoding) {
    case ENCODING_HEX:
        for (uint32_t at = 0; at < size; at++) {
            *to++ = "0123456789abcdef"[bytes[at] >> 4];
            *to++ = "0123456789abcdef"[bytes[at] & 15];
        }
        break;
    case ENCODING_BASE64:
    case ENCODING_BASE64URL:
        write_base64(bytes, size, encoding == ENCODING_BASE64URL, to);
        break;
    case ENCODING_UTF16LE:
        memcpy(str16(text), bytes, (size_t)length * 2);
        return JS_MKPTR(JS_TAG_STRING, text);
    default:
        for (uint32_t at = 0; at < size; at++)
            to[at] = encoding == ENCODING_ASCII ? bytes[at] & 127 : bytes[at];
    }
    str8(text)[length] = 0;
    return JS_MKPTR(JS_TAG_STRING, text);
}

static int hex_digit(uint32_t letter)
{
    if (letter >= '0' && letter <= '9')
        return (int)letter - '0';
    letter |= 0x20;
    return letter >= 'a' && letter <= 'f' ? (int)letter - 'a' + 10 : -1;
}

/* Both alphabets are read, as in Node; everything else counts as nothing. */
static int base64_digit(uint32_t letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return (int)letter - 'A';
    if (letter >= 'a' && letter <= 'z')
        return (int)letter - 'a' + 26;
    if (letter >= '0' && letter <= '9')
        return (int)letter - '0' + 52;
    return letter == '+' || letter == '-' ? 62 : letter == '/' || letter == '_' ? 63 : -1;
}

static size_t read_base64(JSString *text, uint8_t *to)
{
    size_t written = 0;
    uint32_t group = 0;
    int digits = 0;
    for (int at = 0; at < (int)text->len; at++) {
        uint32_t letter = text->is_wide_char ? str16(text)[at] : str8(text)[at];
        int digit = base64_digit(letter);
        if (letter == '=')
            break;
        if (digit < 0)
            continue;
        group = group << 6 | (uint32_t)digit;
        if (++digits == 4) {
            to[written++] = (uint8_t)(group >> 16);
            to[written++] = (uint8_t)(group >> 8);
            to[written++] = (uint8_t)group;
            group = 0;
            digits = 0;
        }
    }
    if (digits > 1)
        to[written++] = (uint8_t)(group >> (digits == 2 ? 4 : 10));
    if (digits > 2)
        to[written++] = (uint8_t)(group >> 2);
    return written;
}

/* The bytes of a text: (text, encoding). What is malformed is left out, as in Node. */
static JSValue prelude_text_to_bytes(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    int32_t encoding;
    if (JS_ToInt32(ctx, &encoding, argv[1]))
        return JS_EXCEPTION;
    JSValue value = JS_ToString(ctx, argv[0]);
    if (JS_IsException(value))
        return value;
    JSString *text = JS_VALUE_GET_STRING(value);
    size_t capacity = (size_t)text->len * (encoding == ENCODING_UTF16LE ? 2 : 1) + 1, size = 0;
    uint8_t *bytes = js_malloc(ctx, capacity);
    if (!bytes) {
        JS_FreeValue(ctx, value);
        return JS_EXCEPTION;
    }
    for (int at = 0; encoding != ENCODING_BASE64 && encoding != ENCODING_BASE64URL && at < (int)text->len; at++) {
        uint32_t letter = text->is_wide_char ? str16(text)[at] : str8(text)[at];
        if (encoding == ENCODING_HEX) {
            if (++at >= (int)text->len)
                break;
            int high = hex_digit(letter), low = hex_digit(text->is_wide_char ? str16(text)[at] : str8(text)[at]);
            if (high < 0 || low < 0)
                break;
            bytes[size++] = (uint8_t)(high << 4 | low);
        } else {
            bytes[size++] = (uint8_t)letter;
            if (encoding == ENCODING_UTF16LE)
                bytes[size++] = (uint8_t)(letter >> 8);
        }
    }
    if (encoding == ENCODING_BASE64 || encoding == ENCODING_BASE64URL)
        size = read_base64(text, bytes);
    JSValue buffer = JS_NewArrayBufferCopy(ctx, bytes, size);
    js_free(ctx, bytes);
    JS_FreeValue(ctx, value);
    return buffer;
}

/* The digest of bytes: (buffer, offset, size, algorithm). */
static JSValue prelude_digest(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    int32_t algorithm;
    uint32_t size;
    if (JS_ToInt32(ctx, &algorithm, argv[3]))
        return JS_EXCEPTION;
    const uint8_t *bytes = bytes_in(ctx, argv, &size);
    if (!bytes)
        return JS_EXCEPTION;
    if (algorithm < 0 || algorithm >= DIGEST_COUNT)
        return JS_ThrowRangeError(ctx, "no such digest");
    uint8_t digest[64];
    compute_digest((enum digest)algorithm, bytes, size, digest);
    return JS_NewArrayBufferCopy(ctx, digest, digests[algorithm].size);
}

/* Fills bytes from the same recorded seed as Math.random: (buffer, offset, size). */
static JSValue prelude_random(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    uint32_t size;
    uint8_t *bytes = bytes_in(ctx, argv, &size);
    if (!bytes)
        return JS_EXCEPTION;
    for (uint32_t at = 0; at < size; at += 4) {
        uint32_t chance = (uint32_t)(xorshift64star(&ctx->random_state) >> 32);
        memcpy(bytes + at, &chance, size - at < 4 ? size - at : 4);
    }
    return JS_UNDEFINED;
}

/* The recorded clock, which moves on by a millisecond with every reading; with an argument, where it started. */
static JSValue prelude_clock(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)ctx, (void)receiver, (void)argc;
    if (!JS_IsUndefined(argv[0]))
        return js_float64(start_milliseconds);
    double read = clock_milliseconds;
    clock_milliseconds += 1;
    return js_float64(read);
}

/* What a promise has come to: [0 while pending, 1 fulfilled, 2 rejected, its value]; undefined for anything else. */
static JSValue prelude_settled(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    if (JS_GetClassID(argv[0]) != JS_CLASS_PROMISE)
        return JS_UNDEFINED;
    JSValue pair = JS_NewArray(ctx);
    if (JS_IsException(pair))
        return pair;
    int32_t state = JS_PromiseState(ctx, argv[0]);
    JSValue value = state == JS_PROMISE_PENDING ? JS_UNDEFINED : JS_PromiseResult(ctx, argv[0]);
    if (JS_DefinePropertyValueUint32(ctx, pair, 0, js_int32(state), JS_PROP_C_W_E) < 0
        || JS_DefinePropertyValueUint32(ctx, pair, 1, value, JS_PROP_C_W_E) < 0) {
        JS_FreeValue(ctx, pair);
        return JS_EXCEPTION;
    }
    return pair;
}
