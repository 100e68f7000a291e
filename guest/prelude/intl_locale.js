// Intl.Segmenter, Intl.Locale, the object Intl, and the toLocale… methods.

/** The segments of a text; the host divides it when it is first looked at. */
class Segments {
  #segmenter; #text; #starts;
  constructor(segmenter, text) {
    this.#segmenter = segmenter;
    this.#text = text;
  }
  #all() {
    return this.#starts ??= askObject(this.#segmenter, "segmenter", "boundaries", stringToWellFormed(this.#text));
  }
  #segment(at) {
    const starts = this.#all();
    const first = starts[at];
    const isWord = isArray(first);
    const index = isWord ? first[0] : first;
    const next = starts[at + 1];
    const end = next === undefined ? this.#text.length : isWord ? next[0] : next;
    const segment = { segment: stringSlice(this.#text, index, end), index, input: this.#text };
    if (isWord) segment.isWordLike = first[1] === 1;
    return segment;
  }
  containing(index) {
    const position = Math.trunc(Number(index)) || 0;
    if (position < 0 || position >= this.#text.length) return undefined;
    const starts = this.#all();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const start = isArray(starts[middle]) ? starts[middle][0] : starts[middle];
      if (start <= position) low = middle;
      else high = middle - 1;
    }
    return this.#segment(low);
  }
  [Symbol.iterator]() {
    let at = 0;
    const iterator = Object.create(SegmentIteratorPrototype);
    weakMapSet(nextSegments, iterator, () => (at < this.#all().length
      ? { value: this.#segment(at++), done: false } : { value: undefined, done: true }));
    return iterator;
  }
}
deleteProperty(Segments.prototype, "constructor");
const nextSegments = new WeakMap();
const SegmentIteratorPrototype = Object.create(IteratorPrototype);
defineMethods(SegmentIteratorPrototype, {
  next() {
    const next = weakMapGet(nextSegments, this);
    if (!next) throw new TypeError("this is no iterator over segments");
    return next();
  },
});
defineProperty(SegmentIteratorPrototype, Symbol.toStringTag, { value: "Segmenter String Iterator", configurable: true });

const Segmenter = intlClass("Segmenter", "segmenter", SEGMENTER_OPTIONS, false, {
  segment(text) {
    askObject(this, "segmenter", "resolved", "");
    return new Segments(this, OPTION_TEXT(text));
  },
});

const LOCALE_OPTIONS = {
  __proto__: null, language: OPTION_TEXT, script: OPTION_TEXT, region: OPTION_TEXT, calendar: OPTION_TEXT, collation: OPTION_TEXT,
  hourCycle: OPTION_TEXT, caseFirst: OPTION_TEXT, numeric: OPTION_FLAG, numberingSystem: OPTION_TEXT,
};
function Locale(tag, options) {
  if (!new.target) throw new TypeError("Constructor Intl.Locale requires 'new'");
  if (typeof tag !== "string" && !isObject(tag)) throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
  const key = intlKey([localeTag(tag) ?? OPTION_TEXT(tag)], readOptions(LOCALE_OPTIONS, options, true));
  return construct(IntlObject, ["locale", askIntl("locale.describe", key, "").tag], new.target);
}
defineProperty(Locale, "length", { value: 1, configurable: true });
defineProperty(Locale, "prototype", { writable: false });
tagPrototype(Locale, "Intl.Locale");

/** The parts of a locale, or what is usual in it. */
function localeParts(object, operation) {
  const tag = localeTag(object);
  if (tag === undefined) throw new TypeError("this is no Intl.Locale");
  return askIntl("locale." + operation, intlKey(tag, { __proto__: null }), "");
}
const localeCustoms = (name) => function () { return localeParts(this, "customs")[name] ?? undefined; };
defineMethods(Locale.prototype, {
  maximize() { return new Locale(localeParts(this, "maximize")); },
  minimize() { return new Locale(localeParts(this, "minimize")); },
  toString() { return localeParts(this, "describe").tag; },
  get baseName() { return localeParts(this, "describe").baseName; },
  get language() { return localeParts(this, "describe").language; },
  get script() { return localeParts(this, "describe").script; },
  get region() { return localeParts(this, "describe").region; },
  get calendar() { return localeParts(this, "describe").calendar; },
  get collation() { return localeParts(this, "describe").collation; },
  get hourCycle() { return localeParts(this, "describe").hourCycle; },
  get caseFirst() { return localeParts(this, "describe").caseFirst; },
  get numeric() {
    const { numeric } = localeParts(this, "describe");
    return numeric !== undefined && numeric !== "false";
  },
  get numberingSystem() { return localeParts(this, "describe").numberingSystem; },
  getCalendars: localeCustoms("calendars"), getCollations: localeCustoms("collations"), getHourCycles: localeCustoms("hourCycles"),
  getNumberingSystems: localeCustoms("numberingSystems"), getTimeZones: localeCustoms("timeZones"), getTextInfo: localeCustoms("textInfo"),
  getWeekInfo: localeCustoms("weekInfo"),
});

const Intl = {};
defineMethods(Intl, {
  Collator, DateTimeFormat, DisplayNames, ListFormat, Locale, NumberFormat, PluralRules, RelativeTimeFormat, Segmenter,
  getCanonicalLocales(locales) {
    const tags = askIntl("locale.canonical", intlKey(locales, { __proto__: null }), "");
    const unique = [];
    for (let at = 0; at < tags.length; at++) {
      let isNew = true;
      for (let other = 0; other < unique.length; other++) if (unique[other] === tags[at]) isNew = false;
      if (isNew) arrayPush(unique, tags[at]);
    }
    return unique;
  },
  supportedValuesOf(key) { return askIntl("locale.values", "{}", OPTION_TEXT(key)); },
});
defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });

/** Whole numbers as en-US writes them, without asking the host. */
function groupedInteger(number) {
  const digits = String(number < 0 ? -number : number);
  let text = stringSlice(digits, -3);
  for (let end = digits.length - 3; end > 0; end -= 3) {
    text = stringSlice(digits, end > 3 ? end - 3 : 0, end) + "," + text;
  }
  return (number < 0 ? "-" : "") + text;
}

function formatNumber(value, locales, options) {
  if (locales === undefined && options === undefined && hostRegion(false) === undefined && (typeof value === "bigint"
    || (value % 1 === 0 && value < 1e15 && value > -1e15 && (value !== 0 || 1 / value > 0)))) return groupedInteger(value);
  return askIntl("number.format", formatterKey(locales, readOptions(NUMBER_OPTIONS, options, true)), numberText(value));
}

function formatDate(date, locales, options, required, defaults) {
  const time = dateValue(date);
  if (time !== time) return "Invalid Date";
  return askIntl("date.format", formatterKey(locales, { __proto__: null, ...readDateOptions(options), required, defaults }), String(time));
}

function joinLocaleTexts(list, length, locales, options) {
  const texts = [];
  for (let at = 0; at < length; at++) {
    const element = list[at];
    arrayPush(texts, element === undefined || element === null ? "" : textOf(element.toLocaleString(locales, options)));
  }
  return arrayJoin(texts, ",");
}

/** Whether a text has only small Latin letters and digits: their order is the same in English and by code. */
function isSimpleText(text) {
  if (text.length > 64) return false;
  for (let at = 0; at < text.length; at++) {
    const code = stringCodeAt(text, at);
    if (!(code >= 0x61 && code <= 0x7a) && !(code >= 0x30 && code <= 0x39)) return false;
  }
  return true;
}

function thisText(receiver, name) {
  if (receiver === undefined || receiver === null) throw new TypeError("String.prototype." + name + " called on null or undefined");
  return textOf(receiver);
}

/** The languages whose letters change in ways of their own. */
const CASE_LANGUAGES = { __proto__: null, az: true, el: true, hy: true, lt: true, tr: true };

function changeCase(text, locales, operation, plain) {
  if (locales === undefined) locales = hostRegion(false);
  if (locales === undefined) return plain(text);
  const key = intlKey(locales, { __proto__: null });
  const tag = askIntl("locale.canonical", key, "")[0] ?? "en";
  return CASE_LANGUAGES[stringSlice(tag, 0, 2)] && (tag.length === 2 || tag[2] === "-")
    ? askIntl(operation, key, stringToWellFormed(text)) : plain(text);
}
const typedArrayValues = uncurry(TypedArray.prototype.values);
const stringToUpperCase = uncurry(String.prototype.toUpperCase);

defineMethods(Number.prototype, {
  toLocaleString(locales = undefined, options = undefined) { return formatNumber(numberValue(this), locales, options); },
});
defineMethods(BigInt.prototype, {
  toLocaleString(locales = undefined, options = undefined) { return formatNumber(bigintValue(this), locales, options); },
});
defineMethods(Date.prototype, {
  toLocaleString(locales = undefined, options = undefined) { return formatDate(this, locales, options, "any", "all"); },
  toLocaleDateString(locales = undefined, options = undefined) { return formatDate(this, locales, options, "date", "date"); },
  toLocaleTimeString(locales = undefined, options = undefined) { return formatDate(this, locales, options, "time", "time"); },
});
defineMethods(String.prototype, {
  localeCompare(that, locales = undefined, options = undefined) {
    const left = stringToWellFormed(thisText(this, "localeCompare"));
    const right = OPTION_TEXT(that);
    if (locales === undefined && options === undefined && hostRegion(false) === undefined && isSimpleText(left) && isSimpleText(right)) {
      return left < right ? -1 : left > right ? 1 : 0;
    }
    return askIntl("collator.compare", formatterKey(locales, readOptions(COLLATOR_OPTIONS, options, true)), stringify([left, right]));
  },
  toLocaleUpperCase(locales = undefined) { return changeCase(thisText(this, "toLocaleUpperCase"), locales, "case.upper", stringToUpperCase); },
  toLocaleLowerCase(locales = undefined) { return changeCase(thisText(this, "toLocaleLowerCase"), locales, "case.lower", stringToLowerCase); },
});
defineMethods(Array.prototype, {
  toLocaleString(locales = undefined, options = undefined) {
    if (this === undefined || this === null) throw new TypeError("Array.prototype.toLocaleString called on null or undefined");
    const list = Object(this);
    return joinLocaleTexts(list, Number(list.length) || 0, locales, options);
  },
});
defineMethods(TypedArray.prototype, {
  toLocaleString(locales = undefined, options = undefined) {
    typedArrayValues(this); // throws unless it is one, and its buffer is there
    return joinLocaleTexts(this, typedArrayLength(this), locales, options);
  },
});
