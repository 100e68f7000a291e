// Intl: thin objects that keep the locales and options they were made with, and ask the host for every text.

const { now: dateNow } = Date;
const { parse: parseJson } = JSON;
const { construct, ownKeys: keysOf } = Reflect;
const { intl: hostIntl, region: hostRegion } = host;
const arrayPush = uncurry(Array.prototype.push);
const arrayJoin = uncurry(Array.prototype.join);
const IteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));

/** Asks the host; throws the error that it answers with. */
function askIntl(operation, key, value) {
  const answer = hostIntl(operation + "\n" + key + "\n" + value);
  const text = stringSlice(answer, 1);
  switch (stringCodeAt(answer, 0)) {
    case 0x73: return text;
    case 0x6a: return parseJson(text);
    case 0x72: throw new RangeError(text);
    default: throw new TypeError(text);
  }
}

/** What an Intl object was made with: the text that the host finds its formatter by. */
class IntlObject {
  #kind; #key;
  constructor(kind, key) {
    this.#kind = kind;
    this.#key = key;
  }
  static ask(object, kind, method, value) {
    if (!isObject(object) || !(#kind in object) || object.#kind !== kind) throw new TypeError("this is no object of Intl that has such a method");
    return askIntl(kind + "." + method, object.#key, value);
  }
  static keyOf(object) {
    return isObject(object) && #kind in object && object.#kind === "locale" ? object.#key : undefined;
  }
}
const { ask: askObject, keyOf: localeTag } = IntlObject;

/** The tags of a locales argument: nothing, a tag, an Intl.Locale or a list of them. */
function localeList(locales) {
  if (locales === undefined) return [];
  if (typeof locales === "string") return [locales];
  if (locales === null) throw new TypeError("Cannot convert undefined or null to object");
  const own = localeTag(locales);
  if (own !== undefined) return [own];
  const tags = [];
  const list = Object(locales);
  const length = Math.min(Number(list.length) || 0, 1000);
  for (let at = 0; at < length; at++) {
    if (!(at in list)) continue;
    const tag = list[at];
    if (typeof tag !== "string" && !isObject(tag)) throw new TypeError("Language ID should be string or object.");
    arrayPush(tags, localeTag(tag) ?? stringToWellFormed(String(tag)));
  }
  return tags;
}

function textOf(value) {
  if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
  return String(value);
}
const OPTION_TEXT = (value) => stringToWellFormed(textOf(value));
const OPTION_FLAG = (value) => Boolean(value);
const OPTION_NUMBER = (value) => String(Number(value));
const OPTION_GROUPING = (value) => (typeof value === "string" ? value : value !== null && Boolean(value));

/** Reads the named options, in their order; `wanted` maps names to how a value is read. */
function readOptions(wanted, options, isCoerced) {
  const read = { __proto__: null };
  if (options === undefined) return read;
  if (isCoerced ? options === null : !isObject(options)) {
    throw new TypeError(isCoerced ? "Cannot convert undefined or null to object" : "Incorrect options information provided");
  }
  const source = Object(options);
  const names = keysOf(wanted);
  for (let at = 0; at < names.length; at++) {
    const value = source[names[at]];
    if (value !== undefined) read[names[at]] = wanted[names[at]](value);
  }
  return read;
}

function intlKey(locales, options) {
  return stringify({ __proto__: null, locales: localeList(locales), options });
}

/** The key of a formatter: where the locales that a program asks for are not known, it takes the one of the host. */
function formatterKey(locales, options) {
  const list = localeList(locales);
  const own = hostRegion(false);
  if (own !== undefined) arrayPush(list, own);
  return stringify({ __proto__: null, locales: list, options });
}

const MATCHER = { localeMatcher: OPTION_TEXT };
const DIGITS = {
  minimumIntegerDigits: OPTION_NUMBER, minimumFractionDigits: OPTION_NUMBER, maximumFractionDigits: OPTION_NUMBER,
  minimumSignificantDigits: OPTION_NUMBER, maximumSignificantDigits: OPTION_NUMBER, roundingIncrement: OPTION_NUMBER,
  roundingMode: OPTION_TEXT, roundingPriority: OPTION_TEXT, trailingZeroDisplay: OPTION_TEXT,
};
const NUMBER_OPTIONS = {
  __proto__: null, ...MATCHER, numberingSystem: OPTION_TEXT, style: OPTION_TEXT, currency: OPTION_TEXT, currencyDisplay: OPTION_TEXT,
  currencySign: OPTION_TEXT, unit: OPTION_TEXT, unitDisplay: OPTION_TEXT, notation: OPTION_TEXT, ...DIGITS, compactDisplay: OPTION_TEXT,
  useGrouping: OPTION_GROUPING, signDisplay: OPTION_TEXT,
};
const DATE_OPTIONS = {
  __proto__: null, ...MATCHER, calendar: OPTION_TEXT, numberingSystem: OPTION_TEXT, hour12: OPTION_FLAG, hourCycle: OPTION_TEXT,
  timeZone: OPTION_TEXT, weekday: OPTION_TEXT, era: OPTION_TEXT, year: OPTION_TEXT, month: OPTION_TEXT, day: OPTION_TEXT,
  dayPeriod: OPTION_TEXT, hour: OPTION_TEXT, minute: OPTION_TEXT, second: OPTION_TEXT, fractionalSecondDigits: OPTION_NUMBER,
  timeZoneName: OPTION_TEXT, formatMatcher: OPTION_TEXT, dateStyle: OPTION_TEXT, timeStyle: OPTION_TEXT,
};
/** Reads the options of a date, which is shown in the time zone of the host where they name none. */
function readDateOptions(options) {
  const read = readOptions(DATE_OPTIONS, options, true);
  read.timeZone ??= hostRegion(true);
  return read;
}
const COLLATOR_OPTIONS = {
  __proto__: null, usage: OPTION_TEXT, ...MATCHER, collation: OPTION_TEXT, numeric: OPTION_FLAG, caseFirst: OPTION_TEXT,
  sensitivity: OPTION_TEXT, ignorePunctuation: OPTION_FLAG,
};
const PLURAL_OPTIONS = { __proto__: null, ...MATCHER, type: OPTION_TEXT, ...DIGITS };
const RELATIVE_OPTIONS = { __proto__: null, ...MATCHER, numberingSystem: OPTION_TEXT, style: OPTION_TEXT, numeric: OPTION_TEXT };
const LIST_OPTIONS = { __proto__: null, ...MATCHER, type: OPTION_TEXT, style: OPTION_TEXT };
const NAMES_OPTIONS = {
  __proto__: null, ...MATCHER, style: OPTION_TEXT, type: OPTION_TEXT, fallback: OPTION_TEXT, languageDisplay: OPTION_TEXT,
};
const SEGMENTER_OPTIONS = { __proto__: null, ...MATCHER, granularity: OPTION_TEXT };

/** A number as the host reads it: every digit of a BigInt or a decimal text, and the sign of -0. */
function numberText(value) {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string") {
    const text = stringTrim(value);
    for (let at = 0; at < text.length; at++) {
      if (stringIndexOf("0123456789.eE+-", text[at]) < 0) return numberText(Number(text));
    }
    return text === "" ? "0" : (Number(text) === Number(text) ? text : "NaN");
  }
  const number = Number(value);
  return number === 0 && 1 / number < 0 ? "-0" : String(number);
}

function dateNumber(value) {
  return String(value === undefined ? dateNow() : Number(value));
}

/** Both ends of a range, which have to be given. */
function rangeText(start, end, read) {
  if (start === undefined || end === undefined) throw new TypeError("a range takes a start and an end");
  return read(start) + "\n" + read(end);
}

/** Makes a constructor of Intl. `isFunction`: it may be called without `new`, as programs of old do. */
function intlClass(name, kind, wanted, isFunction, methods, extra) {
  const constructor = function (locales, options) {
    if (!new.target && !isFunction) throw new TypeError("Constructor Intl." + name + " requires 'new'");
    const read = kind === "date" ? readDateOptions(options) : readOptions(wanted, options, isFunction || kind === "plural");
    const key = formatterKey(locales, { __proto__: null, ...read, ...extra });
    askIntl(kind + ".resolved", key, "");
    return construct(IntlObject, [kind, key], new.target ?? constructor);
  };
  defineProperty(constructor, "name", { value: name, configurable: true });
  defineProperty(constructor, "length", { value: kind === "names" ? 2 : 0, configurable: true });
  defineProperty(constructor, "prototype", { writable: false });
  defineMethods(constructor.prototype, { resolvedOptions() { return askObject(this, kind, "resolved", ""); } });
  defineMethods(constructor.prototype, methods);
  defineMethods(constructor, {
    supportedLocalesOf(locales, options = undefined) {
      return askIntl("locale.supported", intlKey(locales, readOptions({ __proto__: null, ...MATCHER }, options, true)), "");
    },
  });
  tagPrototype(constructor, "Intl." + name);
  return constructor;
}

/** Copies methods and accessors, hidden from enumeration. */
function defineMethods(target, methods) {
  const names = keysOf(methods);
  for (let at = 0; at < names.length; at++) {
    const property = getOwnPropertyDescriptor(methods, names[at]);
    property.enumerable = false;
    defineProperty(target, names[at], property);
  }
}

/** A getter that gives a function bound to its object, always the same one. */
function boundMethod(make) {
  const made = new WeakMap();
  return function () {
    let bound = weakMapGet(made, this);
    if (bound === undefined) weakMapSet(made, this, bound = make(this));
    return bound;
  };
}
const weakMapGet = uncurry(WeakMap.prototype.get);
const weakMapSet = uncurry(WeakMap.prototype.set);

function anonymous(bound) {
  defineProperty(bound, "name", { value: "", configurable: true });
  return bound;
}

const numberFormat = boundMethod((object) => {
  askObject(object, "number", "resolved", "");
  return anonymous((value) => askObject(object, "number", "format", numberText(value)));
});
const NumberFormat = intlClass("NumberFormat", "number", NUMBER_OPTIONS, true, {
  get format() { return apply(numberFormat, this, []); },
  formatToParts(value) { return askObject(this, "number", "parts", numberText(value)); },
  formatRange(start, end) { return askObject(this, "number", "range", rangeText(start, end, numberText)); },
  formatRangeToParts(start, end) { return askObject(this, "number", "rangeParts", rangeText(start, end, numberText)); },
});

const dateFormat = boundMethod((object) => {
  askObject(object, "date", "resolved", "");
  return anonymous((value) => askObject(object, "date", "format", dateNumber(value)));
});
const DateTimeFormat = intlClass("DateTimeFormat", "date", DATE_OPTIONS, true, {
  get format() { return apply(dateFormat, this, []); },
  formatToParts(value) { return askObject(this, "date", "parts", dateNumber(value)); },
  formatRange(start, end) { return askObject(this, "date", "range", rangeText(start, end, dateNumber)); },
  formatRangeToParts(start, end) { return askObject(this, "date", "rangeParts", rangeText(start, end, dateNumber)); },
});

const comparedTexts = (left, right) => stringify([OPTION_TEXT(left), OPTION_TEXT(right)]);
const collatorCompare = boundMethod((object) => {
  askObject(object, "collator", "resolved", "");
  return anonymous((left, right) => askObject(object, "collator", "compare", comparedTexts(left, right)));
});
const Collator = intlClass("Collator", "collator", COLLATOR_OPTIONS, true, {
  get compare() { return apply(collatorCompare, this, []); },
});

const PluralRules = intlClass("PluralRules", "plural", PLURAL_OPTIONS, false, {
  select(value) { return askObject(this, "plural", "select", numberText(Number(value))); },
  selectRange(start, end) {
    return askObject(this, "plural", "selectRange", rangeText(start, end, (value) => numberText(Number(value))));
  },
});

const relativeText = (value, unit) => numberText(Number(value)) + "\n" + OPTION_TEXT(unit);
const RelativeTimeFormat = intlClass("RelativeTimeFormat", "relative", RELATIVE_OPTIONS, false, {
  format(value, unit) { return askObject(this, "relative", "format", relativeText(value, unit)); },
  formatToParts(value, unit) { return askObject(this, "relative", "parts", relativeText(value, unit)); },
});

/** The texts of an iterable, as the host reads them. */
function listText(list) {
  const texts = [];
  if (list !== undefined) {
    for (const text of list) {
      if (typeof text !== "string") throw new TypeError("Iterable yielded a value that is not a string");
      arrayPush(texts, stringToWellFormed(text));
    }
  }
  return stringify(texts);
}
const ListFormat = intlClass("ListFormat", "list", LIST_OPTIONS, false, {
  format(list) { return askObject(this, "list", "format", listText(list)); },
  formatToParts(list) { return askObject(this, "list", "parts", listText(list)); },
});

const DisplayNames = intlClass("DisplayNames", "names", NAMES_OPTIONS, false, {
  of(code) { return askObject(this, "names", "of", OPTION_TEXT(code)) ?? undefined; },
});
