/* Where things are in the author's text. Part of shim.c. */

/* The last answers of the functions below. */
static const uint8_t *known_start, *known_token;
static int known_column;
static JSAtom known_name;
static uint32_t known_file;

/* Another program may have other text at the same address, and other files of the same name. */
static void forget_places(void)
{
    known_start = known_token = NULL;
    JS_FreeAtom(context, known_name);
    known_name = JS_ATOM_NULL;
}

/* The column of a token in characters. QuickJS asks for every token, so the last answer is remembered. */
static int isobox_column(const uint8_t *line_start, const uint8_t *token)
{
    const uint8_t *from = line_start;
    int column = 1;
    if (line_start == known_start && token >= known_token && known_token >= line_start) {
        from = known_token;
        column = known_column;
    }
    for (; from < token; from++)
        column += (*from & 0xc0) != 0x80;
    known_start = line_start;
    known_token = token;
    known_column = column;
    return column;
}

static uint32_t read_u32(const uint8_t *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

/* From a position in the source that runs to the one in the author's text. */
static int isobox_map_position(const char *file, int line, int *column)
{
    for (uint32_t index = 0; file && index < file_count; index++) {
        if (strcmp(files[index].name, file))
            continue;
        const uint8_t *segments = files[index].segments, *found = NULL;
        uint32_t low = 0, high = files[index].segment_count;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            const uint8_t *segment = segments + middle * 16;
            int at_line = (int)read_u32(segment), at_column = (int)read_u32(segment + 4);
            if (at_line < line || (at_line == line && at_column <= *column)) {
                found = segment;
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (found && (int)read_u32(found) == line) {
            *column += (int)read_u32(found + 12) - (int)read_u32(found + 4);
            return (int)read_u32(found + 8);
        }
        return line;
    }
    return line;
}

/* "    at name (file:line:column)\n", or nothing when the frame is not one of the program's functions. */
static void describe_position(char *text, size_t size, JSValueConst function, uint32_t pc)
{
    text[0] = 0;
    JSFunctionBytecode *code = JS_GetFunctionBytecode(function);
    if (!code)
        return;
    int column;
    int line = find_line_num(context, code, pc, &column);
    const char *name = get_func_name(context, function);
    const char *file = code->filename ? JS_AtomToCString(context, code->filename) : NULL;
    if (file)
        snprintf(text, size, "    at %.40s (%.80s:%d:%d)\n", name && *name ? name : "<anonymous>", file, line, column);
    JS_FreeCString(context, name);
    JS_FreeCString(context, file);
}

/* The innermost frame of the program's own. */
static JSStackFrame *program_frame(void)
{
    JSStackFrame *frame = runtime->current_stack_frame;
    for (; frame; frame = frame->prev_frame) {
        JSFunctionBytecode *code = JS_GetFunctionBytecode(frame->cur_func);
        if (code && frame->cur_pc && code->filename != isobox_prelude_file)
            break;
    }
    return frame;
}

static uint32_t frame_pc(JSStackFrame *frame)
{
    return (uint32_t)(frame->cur_pc - JS_GetFunctionBytecode(frame->cur_func)->byte_code_buf - 1);
}

struct place {
    uint32_t file, line, column;
};

/* Where a frame is; line 0 where that is not known. Most calls are made in the file of the one before. */
static struct place place_of(JSStackFrame *frame)
{
    struct place place = { 0, 0, 0 };
    JSFunctionBytecode *code = frame ? JS_GetFunctionBytecode(frame->cur_func) : NULL;
    if (!code || !code->filename)
        return place;
    if (code->filename != known_name) {
        const char *name = JS_AtomToCString(context, code->filename);
        if (!name) {
            JS_FreeValue(context, JS_GetException(context));
            return place;
        }
        uint32_t file = 0;
        while (file < file_count && strcmp(files[file].name, name))
            file++;
        JS_FreeCString(context, name);
        if (file == file_count)
            return place;
        JS_FreeAtom(context, known_name);
        known_name = JS_DupAtom(context, code->filename);
        known_file = file;
    }
    int column;
    place.file = known_file;
    place.line = (uint32_t)find_line_num(context, code, frame_pc(frame), &column);
    place.column = (uint32_t)column;
    return place;
}

/* Called by the interpreter at `throw`. The first throw of an error counts: one that is caught and thrown again keeps its
   place, and one of the bridge has the place of its call. */
static void isobox_note_throw(JSStackFrame *frame, JSValueConst value)
{
    if (JS_IsError(value)) {
        if (JS_VALUE_GET_OBJ(value)->u.error.origin != ORIGIN_NONE)
            return;
        JS_VALUE_GET_OBJ(value)->u.error.origin = ORIGIN_THROWN;
    }
    JSValue previous_value = last_throw.value, previous_function = last_throw.function;
    last_throw.value = js_dup(value);
    last_throw.function = js_dup(frame->cur_func);
    last_throw.pc = frame_pc(frame);
    JS_FreeValue(context, previous_value);
    JS_FreeValue(context, previous_function);
}

/* Called by the interpreter at `catch`. An error knows that it was thrown; any other value is only known by being equal. */
static void isobox_note_catch(JSValueConst value)
{
    if (!JS_IsError(value)) {
        JS_FreeValue(context, last_throw.value);
        last_throw.value = JS_UNDEFINED;
    }
}
