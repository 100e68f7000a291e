/* Expressions of the program's text, for the messages of errors. Part of shim.c.

   An expression is found from the position of the instruction that failed, by reading the text backwards. That costs
   nothing until an error is made, and little then. What cannot be read with certainty is not named. */

#define EXPRESSION_MAX 72   /* bytes that a message shows of an expression; a longer one is not shown */
#define EXPRESSION_SIZE (EXPRESSION_MAX + 2)
#define EXPRESSION_READ 600 /* bytes of the text that are read for it */
#define GROUP_SHOWN 20      /* bytes of an argument list or index that are shown; longer ones are left out */

/* A part of the text of a file. */
struct span {
    const char *start, *end;
};

/* The text of a file, and where in it an instruction is. */
struct place_in_text {
    const char *text, *end, *at;
};

static bool is_name_character(char character)
{
    uint8_t byte = (uint8_t)character;
    return byte >= 0x80 || byte == '_' || byte == '$' || byte == '#' || (byte >= '0' && byte <= '9')
        || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

static bool is_space(char character)
{
    return character == ' ' || character == '\n' || character == '\t' || character == '\r';
}

static const char *skip_space_back(const char *from, const char *at)
{
    while (at > from && is_space(at[-1]))
        at--;
    return at;
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && is_space(*at))
        at++;
    return at;
}

static const char *name_end(const char *at, const char *end)
{
    while (at < end && is_name_character(*at))
        at++;
    return at;
}

/* Where the line of a file starts. Errors often come from the same place, so the last answer is remembered. */
static const char *line_start(const struct file *file, int line)
{
    static const struct file *known_file;
    static int known_line;
    static const char *known_start;
    const char *end = file->source + file->source_size;
    if (file != known_file || line < known_line) {
        known_file = file;
        known_line = file->first_line;
        known_start = file->source;
    }
    while (known_line < line) {
        const char *line_end = memchr(known_start, '\n', (size_t)(end - known_start));
        if (!line_end)
            return NULL;
        known_start = line_end + 1;
        known_line++;
    }
    return known_line == line ? known_start : NULL;
}

/* Where the instruction that a function of the program is at stands in its text. */
static bool find_in_text(struct place_in_text *place)
{
    JSStackFrame *frame = runtime->current_stack_frame;
    JSFunctionBytecode *code = frame ? JS_GetFunctionBytecode(frame->cur_func) : NULL;
    if (!code || !frame->cur_pc || !code->filename || code->filename == isobox_prelude_file)
        return false;
    const char *name = JS_AtomToCString(context, code->filename);
    if (!name) {
        JS_FreeValue(context, JS_GetException(context));
        return false;
    }
    struct file *file = find_file(name);
    JS_FreeCString(context, name);
    if (!file)
        return false;
    int column, line = find_source_position(code, frame_pc(frame), &column);
    place->text = file->source;
    place->end = file->source + file->source_size;
    place->at = line_start(file, line);
    if (!place->at)
        return false;
    while (column > 1 && place->at < place->end) { /* columns count characters */
        place->at++;
        column -= place->at == place->end || (*place->at & 0xc0) != 0x80;
    }
    return column == 1 && place->at < place->end && *place->at != '\n';
}

/* Where the string or template that ends here starts. */
static const char *literal_start(const char *from, const char *end)
{
    char quote = end[-1];
    for (const char *at = end - 1; at > from; at--) {
        if (at[-1] == quote) {
            const char *slash = at - 1;
            while (slash > from && slash[-1] == '\\')
                slash--;
            if ((at - 1 - slash) % 2 == 0)
                return at - 1;
        }
    }
    return NULL;
}

/* Where the brackets that end here start. */
static const char *group_start(const char *from, const char *end)
{
    char open[64];
    int depth = 0;
    for (const char *at = end; at > from;) {
        char character = at[-1];
        if (character == ')' || character == ']' || character == '}') {
            if (depth == sizeof open)
                return NULL;
            open[depth++] = character == ')' ? '(' : character == ']' ? '[' : '{';
        } else if (character == '(' || character == '[' || character == '{') {
            if (open[--depth] != character)
                return NULL;
            if (depth == 0)
                return at - 1;
        } else if (character == '"' || character == '\'' || character == '`') {
            at = literal_start(from, at);
            if (!at)
                return NULL;
            continue;
        }
        at--;
    }
    return NULL;
}

/* Where the brackets that start here end; they are known to be balanced. */
static const char *group_end(const char *at, const char *end)
{
    int depth = 0;
    for (; at < end; at++) {
        if (*at == '(' || *at == '[' || *at == '{') {
            depth++;
        } else if (*at == ')' || *at == ']' || *at == '}') {
            if (--depth == 0)
                return at + 1;
        } else if (*at == '"' || *at == '\'' || *at == '`') {
            char quote = *at;
            for (at++; at < end && *at != quote; at++)
                at += *at == '\\';
        }
    }
    return end;
}

static bool is_one_of(const char *const *words, size_t count, const char *start, const char *end)
{
    for (size_t index = 0; index < count; index++)
        if (strlen(words[index]) == (size_t)(end - start) && !memcmp(words[index], start, (size_t)(end - start)))
            return true;
    return false;
}

/* Words that may stand before an operand without being a part of it. */
static bool is_operator_word(const char *start, const char *end)
{
    static const char *const words[] = { "await", "case", "default", "delete", "do", "else", "export", "extends", "in",
        "instanceof", "new", "of", "return", "throw", "typeof", "void", "yield" };
    return is_one_of(words, countof(words), start, end);
}

/* Words whose brackets are no operand. */
static bool is_statement_word(const char *start, const char *end)
{
    static const char *const words[] = { "catch", "for", "if", "switch", "while", "with" };
    return is_one_of(words, countof(words), start, end);
}

/* Whether a line inside of a part of the text ends with what may be a comment. */
static bool may_have_comment(const char *text, struct span part)
{
    for (const char *at = part.start; at < part.end; at++) {
        if (*at != '\n')
            continue;
        for (const char *back = at; back > text + 1 && back[-1] != '\n'; back--)
            if (back[-1] == '/' && back[-2] == '/')
                return true;
    }
    return false;
}

/* The operand with its properties, indexes and calls that ends here: `a.b(c)[d]`. Empty where it cannot be told. */
static struct span expression_before(const char *text, const char *end)
{
    struct span none = { NULL, NULL };
    const char *from = end - text > EXPRESSION_READ ? end - EXPRESSION_READ : text;
    end = skip_space_back(from, end);
    const char *start = end;
    for (;;) {
        const char *part_end = start;
        if (start == from)
            return none;
        char last = start[-1];
        if (is_name_character(last)) {
            while (start > from && is_name_character(start[-1]))
                start--;
            if (is_operator_word(start, part_end))
                return none;
        } else if (last == ')' || last == ']') {
            start = group_start(from, start);
            if (!start)
                return none;
            const char *before = skip_space_back(from, start);
            if (before > from && (before[-1] == ')' || before[-1] == ']')) {
                start = before;
                continue;
            }
            if (before > from && is_name_character(before[-1])) {
                const char *word = before;
                while (word > from && is_name_character(word[-1]))
                    word--;
                if (is_statement_word(word, before))
                    return none;
                if (!is_operator_word(word, before)) {
                    start = before;
                    continue;
                }
            }
            if (before > from + 1 && before[-1] == '.' && before[-2] == '?') {
                start = skip_space_back(from, before - 2);
                continue;
            }
        } else if (last == '"' || last == '\'' || last == '`') {
            start = literal_start(from, start);
            if (!start)
                return none;
        } else {
            return none;
        }
        if (start == from && from != text)
            return none;
        const char *before = skip_space_back(from, start);
        if (before == from || before[-1] != '.' || (before - from > 1 && before[-2] == '.')) {
            struct span found = { start, end };
            return may_have_comment(text, found) ? none : found;
        }
        before--;
        if (before > from && before[-1] == '?')
            before--;
        start = skip_space_back(from, before);
    }
}

/* The expression that an expression takes its last property or index from. Empty where there is none. */
static struct span base_of(struct span whole)
{
    struct span none = { NULL, NULL };
    if (whole.start == whole.end)
        return none;
    const char *at = whole.end;
    if (at[-1] == ']') {
        at = group_start(whole.start, at);
        if (!at || at == whole.start)
            return none;
    } else {
        while (at > whole.start && is_name_character(at[-1]))
            at--;
        at = skip_space_back(whole.start, at);
        if (at == whole.start || at[-1] != '.')
            return none;
        at--;
    }
    if (at - whole.start > 1 && at[-1] == '?')
        at--;
    return (struct span) { whole.start, skip_space_back(whole.start, at) };
}

/* Writes a piece of text in one line, and returns how much is written then. */
static size_t append_in_line(char *out, size_t size, const char *at, const char *end)
{
    while (at < end && size <= EXPRESSION_MAX) {
        if (!is_space(*at)) {
            out[size++] = *at++;
            continue;
        }
        at = skip_space(at, end);
        bool is_tight = size == 0 || at == end || strchr(".([", out[size - 1]) || strchr(".)]", *at);
        if (!is_tight)
            out[size++] = ' ';
    }
    return size;
}

/* Writes an expression in one line, without what is inside of long brackets; empty where it is too long even then. */
static const char *write_expression(char *out, struct span expression)
{
    const char *at = expression.start, *end = expression.end;
    size_t size = 0;
    while (at < end && *at == '(' && group_end(at, end) == end) {
        at = skip_space(at + 1, end - 1);
        end = skip_space_back(at, end - 1);
    }
    while (at < end && size <= EXPRESSION_MAX) {
        const char *piece_end = at + 1;
        while (piece_end < end && *piece_end != '(' && *piece_end != '[')
            piece_end++;
        if (*at == '(' || *at == '[') {
            piece_end = group_end(at, end);
            if (piece_end - at > GROUP_SHOWN) {
                const char *omission = *at == '(' ? "(…)" : "[…]";
                size = append_in_line(out, size, omission, omission + strlen(omission));
                at = piece_end;
                continue;
            }
        }
        size = append_in_line(out, size, at, piece_end);
        at = piece_end;
    }
    out[size <= EXPRESSION_MAX ? size : 0] = 0;
    return out;
}
