/* What follows brackets, told from the characters. Included by quickjs.c, before its parser.

   The parser asks at every `(`, `[` and `{` of an expression what follows the matching bracket: `=>` makes it parameters, and
   `=` an assignment. It finds out by reading all tokens up to there, and then once more to parse them. Mostly a look at the
   characters rules both out. */

#define BRACKETS_MAX 64

static const uint8_t *skip_blanks(const uint8_t *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

/* Behind the brackets that were opened just before; NULL where only tokens can tell. The text ends with a NUL. */
static const uint8_t *behind_brackets(const uint8_t *at, const uint8_t *end, uint8_t opened)
{
    uint8_t open[BRACKETS_MAX];
    int depth = 0;
    open[depth++] = opened;
    while (at < end) {
        uint8_t character = *at++;
        switch (character) {
        case '(':
        case '[':
        case '{':
            if (depth == BRACKETS_MAX)
                return NULL;
            open[depth++] = character;
            break;
        case ')':
        case ']':
        case '}':
            depth--;
            if (open[depth] == '`')
                goto template;
            if (depth == 0)
                return at;
            break;
        case '"':
        case '\'':
            while (at < end && *at != character)
                at += *at == '\\' ? 2 : 1;
            at++;
            break;
        case '`':
        template:
            while (at < end && *at != '`' && !(*at == '$' && at[1] == '{'))
                at += *at == '\\' ? 2 : 1;
            if (at < end && *at == '$') {
                if (depth == BRACKETS_MAX)
                    return NULL;
                open[depth++] = '`';
                at++;
            }
            at++;
            break;
        case '/': /* a comment, a division or a regular expression */
            return NULL;
        case '<': /* perhaps a comment of HTML */
            if (*at == '!')
                return NULL;
            break;
        }
    }
    return NULL;
}

/* Whether an assignment may start at the `[` or `{` that was just read. */
static bool may_be_pattern(const uint8_t *at, const uint8_t *end, uint8_t opened)
{
    at = behind_brackets(at, end, opened);
    if (!at)
        return true;
    at = skip_blanks(at);
    return *at == '/' || *at >= 0x80 || (*at == '=' && at[1] != '=' && at[1] != '>');
}

/* Whether the parameters of an arrow function may start at the `(` that was just read. */
static bool may_be_parameters(const uint8_t *at)
{
    at = skip_blanks(at);
    const uint8_t *start = at;
    while (*at == '_' || *at == '$' || (*at >= '0' && *at <= '9') || ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z'))
        at++;
    if (*at >= 0x80 || *at == '\\')
        return true;
    if (at == start)
        return *at == ')' || *at == '[' || *at == '{' || *at == '.' || *at == '/';
    at = skip_blanks(at);
    return *at == ',' || *at == ')' || *at == '/' || *at >= 0x80 || (*at == '=' && at[1] != '=' && at[1] != '>');
}
