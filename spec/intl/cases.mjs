// Generated calls of Intl: the same ones for every run with the same seed.

import { generator } from "../../guest/tests/check.mjs";

export const COMMON = `en-US en-GB en-AU en-CA en-IN de-DE de-AT de-CH fr-FR fr-CA fr-CH es-ES es-MX es-AR it-IT pt-BR pt-PT nl-NL
  sv-SE da-DK nb-NO fi-FI pl-PL cs-CZ sk-SK hu-HU ro-RO bg-BG ru-RU uk-UA el-GR tr-TR he-IL ar-EG ar-SA ar-AE hi-IN bn-BD ta-IN
  th-TH vi-VN id-ID ms-MY zh-CN zh-TW zh-HK ja-JP ko-KR hr-HR sr-RS sr-Latn-RS sl-SI lt-LT lv-LV et-EE is-IS ga-IE cy-GB eu-ES
  ca-ES gl-ES af-ZA sw-KE fil-PH ka-GE hy-AM az-AZ kk-KZ uz-UZ mn-MN ne-NP si-LK km-KH lo-LA my-MM am-ET zu-ZA ur-PK mr-IN te-IN
  kn-IN ml-IN gu-IN pa-IN sq-AL mk-MK bs-BA be-BY lb-LU mt-MT`.split(/\s+/);
/** Less common ones, which inherit in unusual ways. */
export const RARE = `en en-001 en-150 en-ZA en-NZ en-SG de-LI de-LU fr-BE fr-LU es-419 es-US es-CL it-CH pt-AO nn-NO sv-FI zh-Hant
  zh-Hans-SG sr-Latn-BA bs-Cyrl uz-Cyrl az-Cyrl pa-Arab hi-Latn nl-BE ar-MA ar-DZ ta-LK ru-UA ca-AD gsw-CH rm-CH fo-FO kl-GL se-NO
  br-FR gd-GB yo-NG ig-NG ha-NG so-SO rw-RW mg-MG ky-KG tg-TJ tk-TM ps-AF or-IN as-IN ks-IN sd-PK wo-SN om-ET ti-ER vai-VV dz-BT
  bo-CN ii-CN ug-CN yue-HK wuu-CN tt-RU ce-RU sah-RU os-GE mi-NZ haw-US chr-US qu-PE gn-PY jv-ID su-ID kea-CV
  ln-CD kok-IN doi-IN mai-IN sat-IN mni-IN brx-IN sc-IT fur-IT hsb-DE dsb-DE ksh-DE nds-DE fy-NL ast-ES an-ES oc-FR eo ia`.split(/\s+/);

const UNITS = Intl.supportedValuesOf("unit");
const CURRENCIES = ["USD", "EUR", "JPY", "GBP", "CHF", "INR", "CNY", "KWD", "BRL", "RUB", "SEK", "TRY", "ILS", "KRW", "MXN", "XAF", "CLF", "BTC"];
const NUMBERS = [0, -0, 1, -1, 2, 3, 5, 10, 11, 21, 100, 999, 1000, 1234, 9999, 10000, 12345, 99999, 123456.789, 999999, 1000000, 1500000, 1e9,
  1234567890, 1e12, 1.5e15, 1e21, 0.1, 0.5, 0.05, 0.001, 0.00012345, 1.005, 1.45, 2.5, -2.5, 1.999, 1234.5, -1234.567, 0.999, 99.5, NaN,
  Infinity, -Infinity, 12345678901234567890n, -5n];

export function makeCases(count, seed, kinds) {
  const { next, pick } = generator(seed);
  const locale = () => (next(4) ? pick(COMMON) : pick(RARE));
  /** Adds an option in one of so many cases. */
  const maybe = (options, name, values, chance) => { if (next(chance) === 0) options[name] = pick(values); };
  const makers = {
    number() {
      const options = {};
      maybe(options, "style", ["percent", "currency", "currency", "unit"], 2);
      if (options.style === "currency") {
        options.currency = pick(CURRENCIES);
        maybe(options, "currencyDisplay", ["code", "symbol", "narrowSymbol", "name"], 2);
        maybe(options, "currencySign", ["accounting"], 4);
      }
      if (options.style === "unit") {
        options.unit = next(4) ? pick(UNITS) : `${pick(UNITS)}-per-${pick(UNITS)}`;
        maybe(options, "unitDisplay", ["long", "narrow", "short"], 2);
      }
      maybe(options, "notation", ["compact", "scientific", "engineering"], 3);
      maybe(options, "compactDisplay", ["long", "short"], 3);
      maybe(options, "signDisplay", ["always", "never", "exceptZero", "negative"], 5);
      maybe(options, "useGrouping", [true, false, "always", "min2", "auto"], 6);
      digits(options);
      maybe(options, "numberingSystem", ["arab", "deva", "thai", "latn", "hanidec", "arabext", "fullwide"], 25);
      const values = [pick(NUMBERS)];
      const method = pick(["format", "format", "format", "formatToParts", "resolvedOptions", "formatRange"]);
      if (method === "formatRange") values.push(pick(NUMBERS));
      return { method, options, values };
    },
    date() {
      const options = {};
      if (next(4) === 0) {
        maybe(options, "dateStyle", ["full", "long", "medium", "short"], 1);
        maybe(options, "timeStyle", ["full", "long", "medium", "short"], 2);
        if (next(5) === 0) delete options.dateStyle;
      } else {
        const texts = ["long", "short", "narrow"], digit = ["numeric", "2-digit"];
        maybe(options, "weekday", texts, 3);
        maybe(options, "era", texts, 12);
        maybe(options, "year", digit, 2);
        maybe(options, "month", [...digit, ...texts], 2);
        maybe(options, "day", digit, 2);
        maybe(options, "hour", digit, 3);
        maybe(options, "minute", digit, 3);
        maybe(options, "second", digit, 4);
        maybe(options, "fractionalSecondDigits", [1, 2, 3], 12);
        maybe(options, "dayPeriod", texts, 12);
        maybe(options, "timeZoneName", ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"], 8);
      }
      maybe(options, "hour12", [true, false], 8);
      maybe(options, "hourCycle", ["h11", "h12", "h23", "h24"], 10);
      maybe(options, "timeZone", ZONES, 2);
      maybe(options, "calendar", ["gregory", "buddhist", "japanese", "persian"], 30);
      maybe(options, "numberingSystem", ["arab", "deva", "latn"], 30);
      const values = [pick(INSTANTS)];
      const method = pick(["format", "format", "format", "formatToParts", "resolvedOptions", "formatRange"]);
      if (method === "formatRange") values.push(values[0] + pick([0, 1000, 60e3, 3600e3, 5 * 3600e3, 86400e3, 5 * 86400e3, 40 * 86400e3, 800 * 86400e3]));
      return { method, options, values };
    },
    collator() {
      const options = {};
      maybe(options, "sensitivity", ["base", "accent", "case", "variant"], 3);
      maybe(options, "numeric", [true, false], 4);
      maybe(options, "caseFirst", ["upper", "lower", "false"], 5);
      maybe(options, "ignorePunctuation", [true, false], 6);
      maybe(options, "usage", ["sort", "search"], 8);
      return { method: pick(["compare", "compare", "compare", "compare", "resolvedOptions"]), options, values: [pick(WORDS), pick(WORDS)] };
    },
    plural() {
      const options = {};
      maybe(options, "type", ["ordinal", "cardinal"], 2);
      if (next(3) === 0) digits(options);
      const method = pick(["select", "select", "select", "selectRange", "resolvedOptions"]);
      const values = [pick(NUMBERS.filter((value) => typeof value === "number"))];
      if (method === "selectRange") values.push(pick(NUMBERS.filter((value) => typeof value === "number")));
      return { method, options, values };
    },
    relative() {
      const options = {};
      maybe(options, "numeric", ["auto", "always"], 2);
      maybe(options, "style", ["long", "short", "narrow"], 2);
      const unit = pick(["second", "minutes", "hour", "days", "week", "month", "quarter", "years"]);
      const values = [pick([-2, -1, -0, 0, 1, 2, 3, 5, 10, -1.5, 1234, 0.5, -12345]), unit];
      return { method: pick(["format", "format", "formatToParts", "resolvedOptions"]), options, values };
    },
    list() {
      const options = {};
      maybe(options, "type", ["conjunction", "disjunction", "unit"], 2);
      maybe(options, "style", ["long", "short", "narrow"], 2);
      const values = [pick([[], ["a"], ["a", "b"], ["Ana", "Iván"], ["7", "8", "hijos"], ["א", "ב", "c"], ["1", "2", "3", "4", "5"], ["x", "ocho"], ["Ana", "hielo"]])];
      return { method: pick(["format", "format", "formatToParts", "resolvedOptions"]), options, values };
    },
    names() {
      const options = { type: pick(["region", "language", "script", "currency", "calendar", "dateTimeField"]) };
      maybe(options, "style", ["long", "short", "narrow"], 3);
      maybe(options, "fallback", ["none", "code"], 3);
      maybe(options, "languageDisplay", ["standard", "dialect"], 4);
      return { method: pick(["of", "of", "of", "resolvedOptions"]), options, values: [pick(CODES[options.type])] };
    },
    segmenter() {
      return { method: "segment", options: { granularity: pick(["grapheme", "word", "sentence"]) }, values: [pick(TEXTS)] };
    },
  };
  function digits(options) {
    maybe(options, "minimumIntegerDigits", [1, 2, 5], 12);
    if (next(4) === 0) {
      maybe(options, "minimumFractionDigits", [0, 1, 2, 3], 2);
      maybe(options, "maximumFractionDigits", [0, 1, 2, 3, 5, 20], 2);
    }
    if (next(6) === 0) {
      maybe(options, "minimumSignificantDigits", [1, 2, 3], 2);
      maybe(options, "maximumSignificantDigits", [1, 2, 3, 5, 21], 2);
    }
    maybe(options, "roundingMode", ["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"], 8);
    maybe(options, "roundingPriority", ["auto", "morePrecision", "lessPrecision"], 10);
    maybe(options, "trailingZeroDisplay", ["stripIfInteger"], 10);
    if (next(25) === 0) Object.assign(options, { roundingIncrement: pick([2, 5, 10, 25, 50]), maximumFractionDigits: 2, minimumFractionDigits: 2 });
  }
  const cases = [];
  for (let at = 0; at < count; at++) {
    const kind = pick(kinds);
    cases.push({ kind, locale: locale(), ...makers[kind]() });
  }
  return cases;
}

const ZONES = ["UTC", "America/New_York", "America/Los_Angeles", "Europe/London", "Europe/Berlin", "Europe/Dublin", "Asia/Kolkata", "Asia/Tokyo",
  "Australia/Sydney", "America/Sao_Paulo", "Africa/Cairo", "Asia/Kathmandu", "Pacific/Auckland", "America/St_Johns", "Asia/Shanghai", "Europe/Kyiv",
  "Pacific/Apia", "America/Phoenix", "Africa/Lagos", "Asia/Tehran", "Etc/GMT+5", "America/Argentina/Buenos_Aires", "US/Pacific", "+05:30", "-08:00",
  "Europe/Moscow", "America/Indiana/Indianapolis", "Antarctica/Troll", "Pacific/Honolulu", "Asia/Riyadh", "Europe/Istanbul"];
const INSTANTS = [0, 1, 1e12, 1700000000000, 1704067199999, 1704067200000, 1720000000000, 1710054000123, 1730008800000, 1735689599000, 951782400000,
  4102444800000, 1000000000000, 1609459200000, 1625140800000, 1719792000456, 1719835200000, 1e13, 315532800000, 631152000000];
const WORDS = ["", "a", "A", "b", "B", "ä", "Ä", "z", "Z", "å", "ö", "o", "ø", "aa", "ae", "æ", "ß", "ss", "é", "e", "E", "résumé", "resume", "Resume",
  "a1", "a2", "a10", "1", "2", "10", "-1", " a", "a b", "ab", "a-b", "co-op", "coop", "ch", "cz", "h", "i", "I", "ı", "İ", "ñ", "n", "ll", "l", "lz",
  "日本", "中国", "東京", "ア", "あ", "한국", "가", "привет", "Ёлка", "ель", "Ж", "α", "ά", "ت", "ب", "ก", "เก", "😀", "😁", "_", "file_1", "file_10", "file_2", "x\u0301", "\u00e1", "a\u0301"];
const CODES = {
  region: ["US", "DE", "GB", "FR", "JP", "CN", "HK", "TW", "419", "001", "150", "BR", "IN", "XK", "ZZ", "QQ", "us"],
  language: ["en", "de", "en-US", "en-GB", "fr-CA", "zh-Hans", "zh-Hant", "zh-Hant-HK", "pt-BR", "es-419", "sr-Latn", "xx", "nl-BE", "ar-001", "de-AT-1996", "az-Cyrl", "yue", "gsw"],
  script: ["Latn", "Cyrl", "Arab", "Hans", "Hant", "Jpan", "Kore", "Deva", "Zzzz", "Qaaa"],
  currency: ["USD", "EUR", "JPY", "GBP", "CNY", "INR", "XAF", "BTC", "usd"],
  calendar: ["gregory", "buddhist", "chinese", "islamic-civil", "japanese", "roc", "hebrew", "persian", "iso8601"],
  dateTimeField: ["era", "year", "quarter", "month", "weekOfYear", "weekday", "day", "dayPeriod", "hour", "minute", "second", "timeZoneName"],
};
const TEXTS = ["", "Hello, world! It's 3.5 o'clock.", "日本語の文章を分割します。これは二番目です。", "สวัสดีชาวโลก", "👨‍👩‍👧‍👦 é 🇩🇪🇫🇷", "Dr. Smith went. He came back? Yes!\nNew line.",
  "e\u0301a\r\nb", "привет мир", "한국어 텍스트", "中文分词测试", "a_b c-d 1,000.5 foo@bar.com", "ภาษาไทยไม่มีเว้นวรรค", "नमस्ते दुनिया"];
