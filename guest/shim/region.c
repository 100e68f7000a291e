/* The locale and the time zone that the host has chosen. Part of shim.c. */

/* In the program's message; NULL for en-US and UTC, which need no host. */
static const char *default_locale, *default_zone;

/* Asks the host about the time zone: what, and a value. Returns the text of the answer in `text`. */
static void ask_zone(char *text, size_t size, const char *operation, const char *value)
{
    char request[256];
    int length = snprintf(request, sizeof request, "zone.%s\n%.64s\n%.100s", operation, default_zone, value);
    size_t answered = host_intl(request, (size_t)length);
    if (answered >= size)
        answered = size - 1;
    host_answer(text, answered);
    text[answered] = 0;
}

/* By how much the local time is ahead of UTC, in milliseconds, at a time that is local itself or not. */
static int64_t isobox_zone_offset(int64_t time, bool is_local)
{
    if (!default_zone || time < -9000000000000000 || time > 9000000000000000)
        return 0;
    char value[32], answer[32];
    snprintf(value, sizeof value, "%lld", (long long)time);
    ask_zone(answer, sizeof answer, is_local ? "offsetOfLocal" : "offset", value);
    return atoi(answer + 1); /* less than a day */
}

/* Writes " (Central European Time)", with less than ISOBOX_ZONE_NAME characters; returns its length. */
static int isobox_zone_name(JSContext *ctx, JSValueConst date, char *text)
{
    double time;
    if (!default_zone || JS_ThisTimeValue(ctx, &time, date))
        return snprintf(text, ISOBOX_ZONE_NAME, " (Coordinated Universal Time)");
    char value[128], answer[ISOBOX_ZONE_NAME - 8];
    snprintf(value, sizeof value, "%lld\n%.64s", (long long)time, default_locale ? default_locale : "en-US");
    ask_zone(answer, sizeof answer, "name", value);
    return snprintf(text, ISOBOX_ZONE_NAME, " (%s)", answer + 1);
}

/* The locale or the time zone, where it is not the usual one: (is zone). */
static JSValue prelude_region(JSContext *ctx, JSValueConst receiver, int argc, JSValueConst *argv)
{
    (void)receiver, (void)argc;
    const char *name = JS_ToBool(ctx, argv[0]) ? default_zone : default_locale;
    return name ? JS_NewString(ctx, name) : JS_UNDEFINED;
}
