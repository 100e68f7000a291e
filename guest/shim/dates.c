/* The text of a date, read as V8 reads it. Included by quickjs.c, before `Date.parse`.

   A text in the format of ECMAScript is read strictly. Every other text is read token by token: words before the first number
   are left out, and up to three numbers, the name of a month, a time and an offset may come in many orders. */

enum date_token { DATE_END, DATE_NUMBER, DATE_SYMBOL, DATE_WORD, DATE_BLANK, DATE_OTHER };
enum date_word { WORD_UNKNOWN, WORD_MONTH, WORD_HALF, WORD_ZONE, WORD_TIME };
#define DATE_NONE INT32_MAX

struct date_reader {
    JSString *text;
    uint32_t at;
    enum date_token token; /* the one that comes next: it begins before `at` */
    int number, digits;    /* of a number */
    uint32_t symbol;
    enum date_word word;
    int value, letters; /* of a word */
    int days[3], day_count, month;
    int times[4], time_count, half;
    int sign, zone_hour, zone_minute;
    bool is_iso;
};

static uint32_t date_character(const struct date_reader *reader)
{
    return reader->at < reader->text->len ? string_get(reader->text, reader->at) : 0;
}

static void read_date_word(struct date_reader *reader)
{
    static const struct { char name[4]; uint8_t word; int8_t value; } words[] = {
        { "am", WORD_HALF, 0 }, { "pm", WORD_HALF, 12 }, { "ut", WORD_ZONE, 0 }, { "utc", WORD_ZONE, 0 },
        { "z", WORD_ZONE, 0 }, { "gmt", WORD_ZONE, 0 }, { "cdt", WORD_ZONE, -5 }, { "cst", WORD_ZONE, -6 },
        { "edt", WORD_ZONE, -4 }, { "est", WORD_ZONE, -5 }, { "mdt", WORD_ZONE, -6 }, { "mst", WORD_ZONE, -7 },
        { "pdt", WORD_ZONE, -7 }, { "pst", WORD_ZONE, -8 }, { "t", WORD_TIME, 0 },
    };
    char start[4] = "";
    uint32_t character;
    reader->letters = 0;
    while ((character = date_character(reader)) >= 'A' && !lre_is_space(character)) {
        if (reader->letters < 3)
            start[reader->letters] = character < 0x80 ? (char)(character | 0x20) : '?';
        reader->letters++;
        reader->at++;
    }
    reader->word = WORD_UNKNOWN;
    int month = reader->letters >= 3 ? find_abbrev((const uint8_t *)start, 0, month_names, 12) : -1;
    if (month >= 0) {
        reader->word = WORD_MONTH;
        reader->value = month + 1;
    }
    for (size_t index = 0; index < countof(words) && reader->letters <= 3; index++) {
        if (!strcmp(start, words[index].name)) {
            reader->word = words[index].word;
            reader->value = words[index].value;
        }
    }
}

/* Reads the next token. */
static void next_date_token(struct date_reader *reader)
{
    uint32_t character = date_character(reader), start = reader->at;
    reader->symbol = 0;
    if (reader->at >= reader->text->len) {
        reader->token = DATE_END;
    } else if (is_digit((int)character)) {
        reader->token = DATE_NUMBER;
        reader->number = 0;
        while (date_character(reader) == '0')
            reader->at++;
        for (int digits = 0; is_digit((int)(character = date_character(reader))); reader->at++, digits++)
            if (digits < 9)
                reader->number = reader->number * 10 + (int)(character - '0');
        reader->digits = (int)(reader->at - start);
    } else if (strchr(":-+.)", (int)(character < 0x80 ? character : 'x'))) {
        reader->token = DATE_SYMBOL;
        reader->symbol = character;
        reader->at++;
    } else if (lre_is_space(character)) {
        reader->token = DATE_BLANK;
        reader->at++;
    } else if (character >= 'A') {
        reader->token = DATE_WORD;
        read_date_word(reader);
    } else {
        reader->token = DATE_OTHER;
        for (int depth = 0; reader->at < reader->text->len;) {
            depth += (date_character(reader) == '(') - (date_character(reader) == ')');
            reader->at++;
            if (depth <= 0)
                break;
        }
    }
}

static bool skip_date_symbol(struct date_reader *reader, uint32_t symbol)
{
    if (reader->symbol != symbol)
        return false;
    next_date_token(reader);
    return true;
}

static bool is_sign(const struct date_reader *reader) { return reader->symbol == '+' || reader->symbol == '-'; }

static bool is_z(const struct date_reader *reader)
{
    return reader->token == DATE_WORD && reader->word == WORD_ZONE && reader->letters == 1;
}

static bool has_digits(const struct date_reader *reader, int digits, int least, int most)
{
    return reader->token == DATE_NUMBER && reader->digits == digits && reader->number >= least && reader->number <= most;
}

static bool add_day(struct date_reader *reader, int number)
{
    if (reader->day_count == 3)
        return false;
    reader->days[reader->day_count++] = number;
    return true;
}

static bool add_time(struct date_reader *reader, int number)
{
    if (reader->time_count == 4)
        return false;
    reader->times[reader->time_count++] = number;
    return true;
}

static bool may_be_next_time(const struct date_reader *reader, int number)
{
    static const int most[4] = { -1, 59, 59, 999 };
    return reader->time_count < 4 && number <= most[reader->time_count];
}

/* The milliseconds that a fraction has, whose digits are the number of a token. */
static int milliseconds_of(int number, int digits)
{
    for (; digits < 3; digits++)
        number *= 10;
    for (digits = min_int(digits, 9); digits > 3; digits--)
        number /= 10;
    return number;
}

static void set_zone(struct date_reader *reader, int sign, int hour, int minute)
{
    reader->sign = sign;
    reader->zone_hour = hour;
    reader->zone_minute = minute;
}

/* Reads what follows the `T` of the format of ECMAScript; false where it is something else. */
static bool read_iso_time(struct date_reader *reader)
{
    if (!has_digits(reader, 2, 0, 24))
        return false;
    bool is_midnight = reader->number == 24;
    int most = is_midnight ? 0 : 59;
    add_time(reader, reader->number);
    next_date_token(reader);
    for (int part = 1; part <= 2; part++) {
        if (!skip_date_symbol(reader, ':')) {
            if (part == 1)
                return false;
            break;
        }
        if (!has_digits(reader, 2, 0, most))
            return false;
        add_time(reader, reader->number);
        next_date_token(reader);
    }
    if (reader->time_count == 3 && skip_date_symbol(reader, '.')) {
        if (reader->token != DATE_NUMBER || (is_midnight && reader->number))
            return false;
        add_time(reader, milliseconds_of(reader->number, reader->digits));
        next_date_token(reader);
    }
    if (is_z(reader)) {
        set_zone(reader, 1, 0, 0);
        next_date_token(reader);
    } else if (is_sign(reader)) {
        int sign = reader->symbol == '+' ? 1 : -1;
        next_date_token(reader);
        if (has_digits(reader, 4, 0, 2359) && reader->number % 100 <= 59) {
            set_zone(reader, sign, reader->number / 100, reader->number % 100);
        } else {
            if (!has_digits(reader, 2, 0, 23))
                return false;
            int hour = reader->number;
            next_date_token(reader);
            if (!skip_date_symbol(reader, ':') || !has_digits(reader, 2, 0, 59))
                return false;
            set_zone(reader, sign, hour, reader->number);
        }
        next_date_token(reader);
    }
    return reader->token == DATE_END;
}

/* Reads the format of ECMAScript. False is for a text that no other format fits either; a text of another format is read up
   to where it differs. */
static bool read_iso_date(struct date_reader *reader)
{
    if (is_sign(reader)) {
        int sign = reader->symbol == '+' ? 1 : -1;
        struct date_reader before = *reader;
        next_date_token(reader);
        if (!has_digits(reader, 6, 0, 999999)) {
            *reader = before;
            return true;
        }
        if (sign < 0 && reader->number == 0) {
            next_date_token(reader); /* there is no such year, and V8 passes over it */
            return true;
        }
        add_day(reader, sign * reader->number);
    } else if (has_digits(reader, 4, 0, 9999)) {
        add_day(reader, reader->number);
    } else {
        return true;
    }
    next_date_token(reader);
    for (int most = 12; reader->day_count < 3 && skip_date_symbol(reader, '-'); most = 31) {
        if (!has_digits(reader, 2, 1, most))
            return true;
        add_day(reader, reader->number);
        next_date_token(reader);
    }
    if (reader->token == DATE_WORD && reader->word == WORD_TIME) {
        next_date_token(reader);
        if (!read_iso_time(reader))
            return false;
    } else if (reader->token != DATE_END) {
        return true;
    }
    if (!reader->time_count)
        set_zone(reader, 1, 0, 0);
    reader->is_iso = true;
    return true;
}

/* Reads what a number is in a text of another format; its token is the current one. */
static bool read_date_number(struct date_reader *reader)
{
    int number = reader->number;
    next_date_token(reader);
    if (skip_date_symbol(reader, ':')) {
        if (skip_date_symbol(reader, ':'))
            return !reader->time_count && add_time(reader, number) && add_time(reader, 0);
        if (!add_time(reader, number))
            return false;
        skip_date_symbol(reader, '.');
        return true;
    }
    if (skip_date_symbol(reader, '.') && may_be_next_time(reader, number)) {
        add_time(reader, number);
        if (reader->token != DATE_NUMBER)
            return false;
        add_time(reader, milliseconds_of(reader->number, reader->digits));
        next_date_token(reader);
        while (add_time(reader, 0))
            ;
        return true;
    }
    if (reader->zone_hour != DATE_NONE && reader->zone_minute == DATE_NONE && number <= 59) {
        reader->zone_minute = number;
        return true;
    }
    if (may_be_next_time(reader, number)) {
        add_time(reader, number);
        while (add_time(reader, 0))
            ;
        return reader->token == DATE_END || reader->token == DATE_BLANK || is_z(reader) || is_sign(reader);
    }
    if (!add_day(reader, number))
        return false;
    skip_date_symbol(reader, '-');
    return true;
}

static bool read_zone(struct date_reader *reader)
{
    int sign = reader->symbol == '+' ? 1 : -1, number = 0, digits = 0;
    next_date_token(reader);
    if (reader->token == DATE_NUMBER) {
        number = reader->number;
        digits = reader->digits;
        next_date_token(reader);
    }
    if (reader->symbol == ':')
        set_zone(reader, sign, number, DATE_NONE);
    else if (digits == 1 || digits == 2)
        set_zone(reader, sign, number, 0);
    else if (digits == 3 || digits == 4)
        set_zone(reader, sign, number / 100, number % 100);
    else
        return false;
    return true;
}

/* Reads the rest of a text that is not in the format of ECMAScript. */
static bool read_other_date(struct date_reader *reader)
{
    bool has_number = reader->day_count > 0;
    while (reader->token != DATE_END) {
        if (reader->token == DATE_NUMBER) {
            has_number = true;
            if (!read_date_number(reader))
                return false;
        } else if (reader->token == DATE_WORD) {
            enum date_word word = reader->word;
            int value = reader->value;
            next_date_token(reader);
            if (word == WORD_HALF && reader->time_count) {
                reader->half = value;
            } else if (word == WORD_MONTH) {
                reader->month = value;
                skip_date_symbol(reader, '-');
            } else if (word == WORD_ZONE && has_number) {
                set_zone(reader, value < 0 ? -1 : 1, abs(value), 0);
            } else if (has_number || reader->token == DATE_NUMBER) {
                return false;
            }
        } else if (is_sign(reader) && ((reader->zone_hour == 0 && reader->zone_minute == 0) || reader->time_count)) {
            has_number = true;
            if (!read_zone(reader))
                return false;
        } else if ((is_sign(reader) || reader->symbol == ')') && has_number) {
            return false;
        } else {
            next_date_token(reader);
        }
    }
    return true;
}

/* Finds out which number is which; false where there is no such date. */
static bool write_date(struct date_reader *reader, double *fields)
{
    if (!reader->day_count)
        return false;
    while (add_day(reader, 1))
        ;
    const int *days = reader->days;
    bool starts_with_day = days[0] >= 1 && days[0] <= 31;
    int year = days[2], month = days[0], day = days[1];
    if (reader->month) {
        month = reader->month;
        year = days[starts_with_day];
        day = days[!starts_with_day];
    } else if (reader->is_iso || !starts_with_day) {
        year = days[0];
        month = days[1];
        day = days[2];
    }
    if (!reader->is_iso && year >= 0 && year <= 99)
        year += year < 50 ? 2000 : 1900;
    while (add_time(reader, 0))
        ;
    int hour = reader->times[0], minute = reader->times[1], second = reader->times[2], millisecond = reader->times[3];
    if (reader->half != DATE_NONE) {
        if (hour > 12)
            return false;
        hour = hour % 12 + reader->half;
    }
    bool is_time = hour <= 23 && minute <= 59 && second <= 59 && millisecond <= 999;
    if (month < 1 || month > 12 || day < 1 || day > 31 || (!is_time && (hour != 24 || minute || second || millisecond)))
        return false;
    double values[] = { year, month - 1, day, hour, minute, second, millisecond };
    memcpy(fields, values, sizeof values);
    return true;
}

/* The time of a text; NaN where it is no date. */
static double isobox_parse_date(JSString *text)
{
    struct date_reader reader = { .text = text, .half = DATE_NONE, .zone_hour = DATE_NONE, .zone_minute = DATE_NONE };
    double fields[9] = { 0 };
    next_date_token(&reader);
    if (!read_iso_date(&reader) || (!reader.is_iso && !read_other_date(&reader)) || !write_date(&reader, fields))
        return NAN;
    if (!reader.sign)
        return set_date_fields(fields, 1);
    /* As part of the fields: only the time that results has to be in the range of dates. */
    double minutes = (reader.zone_hour == DATE_NONE ? 0 : reader.zone_hour) * 60.0
        + (reader.zone_minute == DATE_NONE ? 0 : reader.zone_minute);
    fields[4] -= reader.sign * minutes;
    return set_date_fields(fields, 0);
}
