use proptest::prelude::*;

use super::*;

fn asked(operation: &str, arguments: &str, value: &str) -> Answer {
    answer(format!("{operation}\n{arguments}\n{value}").as_bytes())
}

fn text(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

#[test]
fn options_are_respected() {
    let currency = r#"{"locales":["en-US"],"options":{"style":"currency","currency":"USD"}}"#;
    assert_eq!(asked("number.format", currency, "1234.5"), text("$1,234.50"));
    let zone = r#"{"locales":["en-US"],"options":{"timeZone":"America/New_York","timeStyle":"short"}}"#;
    assert_eq!(asked("date.format", zone, "0"), text("7:00 PM"));
    let month = r#"{"locales":["de"],"options":{"month":"long"}}"#;
    assert_eq!(asked("date.format", month, "0"), text("Januar"));
    let numeric = r#"{"locales":[],"options":{"numeric":true}}"#;
    assert_eq!(asked("collator.compare", numeric, r#"["a10","a9"]"#), Answer::Json("1".to_owned()));
}

#[test]
fn a_compact_pattern_without_digits_is_a_word_alone() {
    let long = |locale: &str, value: &str| {
        let options = r#"{"notation":"compact","compactDisplay":"long"}"#;
        asked("number.format", &format!(r#"{{"locales":["{locale}"],"options":{options}}}"#), value)
    };
    assert_eq!(long("fr", "1000"), text("mille"));
    assert_eq!(long("fr", "-1000"), text("-1 millier"));
    assert_eq!(long("it", "-1000"), text("-mille"));
    assert_eq!(long("en", "1000"), text("1 thousand"));
}

#[test]
fn zones_have_the_aliases_and_the_names_of_icu() {
    let named = |zone: &str| {
        let options = format!(r#"{{"timeZone":"{zone}","timeZoneName":"short","hour":"numeric","hourCycle":"h23"}}"#);
        asked("date.format", &format!(r#"{{"locales":["en-US"],"options":{options}}}"#), "0")
    };
    for zone in ["GMT", "Etc/GMT", "GMT0", "gmt+0", "UTC", "Zulu", "Etc/UCT"] {
        assert_eq!(named(zone), text("00 UTC"), "{zone}");
        assert_eq!(crate::check_zone(zone), Ok("UTC".to_owned()), "{zone}");
    }
    for zone in ["Greenwich", "Etc/Greenwich", "Etc/GMT0", "etc/gmt-0"] {
        assert_eq!(named(zone), text("00 GMT"), "{zone}");
        assert_eq!(crate::check_zone(zone), Ok("UTC".to_owned()), "{zone}");
    }
    assert_eq!(named("PST"), text("16 PST"));
    assert_eq!(named("cst"), text("18 CST"));
    assert_eq!(named("BST"), text("06 GMT+6"));
    assert_eq!(crate::check_zone("IST"), Ok("Asia/Calcutta".to_owned()));
    assert!(matches!(named("PDT"), Answer::RangeError(_)));
    assert!(matches!(named("Factory"), Answer::RangeError(_)));
}

#[test]
fn a_period_of_the_day_has_a_noon_and_no_midnight() {
    let shown = |options: &str, value: &str| {
        let options = format!(r#"{{"timeZone":"UTC","dayPeriod":"short"{options}}}"#);
        asked("date.format", &format!(r#"{{"locales":["en"],"options":{options}}}"#), value)
    };
    let hour = r#","hour":"numeric""#;
    assert_eq!(shown(hour, "0"), text("12 in the morning"));
    assert_eq!(shown(hour, "43200000"), text("12 noon"));
    assert_eq!(shown("", "43200000"), text("noon"));
    assert_eq!(shown("", "0"), text("in the morning"));
}

#[test]
fn what_is_not_supported_is_an_error_that_names_it() {
    let refused =
        |operation, options: &str| match asked(operation, &format!(r#"{{"locales":["en"],"options":{options}}}"#), "0")
        {
            Answer::RangeError(message) => message,
            other => panic!("{other:?}"),
        };
    assert!(refused("date.format", r#"{"calendar":"hebrew"}"#).contains("hebrew"));
    assert!(refused("date.format", r#"{"timeZone":"Nowhere/City"}"#).contains("Nowhere/City"));
    assert!(refused("number.format", r#"{"numberingSystem":"roman"}"#).contains("roman"));
    assert!(refused("collator.compare", r#"{"usage":"search"}"#).contains("search"));
    assert!(refused("collator.compare", r#"{"collation":"stroke"}"#).contains("stroke"));
}

#[test]
fn sizes_are_bounded() {
    let long = "9".repeat(5000);
    assert!(matches!(asked("number.format", "{}", &long), Answer::RangeError(_)));
    assert!(matches!(asked("number.format", "{}", "1e100000"), Answer::RangeError(_)));
    let huge = "a".repeat(MAX_REQUEST);
    assert!(matches!(asked("segmenter.boundaries", "{}", &huge), Answer::RangeError(_)));
}

#[test]
fn the_case_of_many_marks_is_changed_in_little_time() {
    let greek = r#"{"locales":["el"]}"#;
    assert_eq!(asked("case.upper", greek, "α\u{301}"), text("Α"));
    let Answer::Text(upper) = asked("case.upper", greek, &format!("α{}α", "\u{301}".repeat(1_000_000))) else {
        panic!("no text");
    };
    assert!(upper.starts_with('Α') && upper.ends_with('Α'));
}

#[test]
fn segments_are_written_one_by_one() {
    let boundaries = |granularity: &str, text: &str| {
        let arguments = format!(r#"{{"locales":["en"],"options":{{"granularity":"{granularity}"}}}}"#);
        match asked("segmenter.boundaries", &arguments, text) {
            Answer::Json(json) => json,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(boundaries("word", "A \u{1f600}b"), "[[0,1],[1,0],[2,0],[4,1]]");
    assert_eq!(boundaries("grapheme", "a\u{1f600}b"), "[0,1,3]");
    assert_eq!(boundaries("sentence", "One. Two."), "[0,5]");
    assert_eq!(boundaries("word", ""), "[]");
    // Each of them would be a value of some hundred bytes.
    assert_eq!(boundaries("word", &"a ".repeat(1 << 16)).matches("],[").count(), (2 << 16) - 1);
}

const OPERATIONS: [&str; 24] = [
    "number.format",
    "number.parts",
    "number.range",
    "number.resolved",
    "date.format",
    "date.parts",
    "date.range",
    "date.resolved",
    "collator.compare",
    "plural.select",
    "plural.selectRange",
    "relative.format",
    "list.format",
    "names.of",
    "segmenter.boundaries",
    "locale.canonical",
    "locale.describe",
    "locale.maximize",
    "locale.customs",
    "locale.values",
    "case.upper",
    "case.lower",
    "locale.supported",
    "nothing.format",
];
const NAMES: [&str; 30] = [
    "style",
    "currency",
    "currencyDisplay",
    "currencySign",
    "unit",
    "unitDisplay",
    "notation",
    "compactDisplay",
    "signDisplay",
    "useGrouping",
    "minimumFractionDigits",
    "maximumFractionDigits",
    "maximumSignificantDigits",
    "roundingIncrement",
    "roundingPriority",
    "numberingSystem",
    "calendar",
    "dateStyle",
    "timeStyle",
    "weekday",
    "year",
    "month",
    "hour",
    "dayPeriod",
    "timeZoneName",
    "timeZone",
    "hourCycle",
    "type",
    "granularity",
    "numeric",
];
const VALUES: [&str; 40] = [
    "currency",
    "unit",
    "percent",
    "USD",
    "name",
    "code",
    "accounting",
    "kilometer-per-hour",
    "long",
    "short",
    "narrow",
    "compact",
    "scientific",
    "engineering",
    "always",
    "exceptZero",
    "0",
    "1",
    "3",
    "20",
    "100",
    "5",
    "morePrecision",
    "arab",
    "japanese",
    "full",
    "numeric",
    "2-digit",
    "shortGeneric",
    "longOffset",
    "Asia/Kathmandu",
    "-11:30",
    "h11",
    "ordinal",
    "region",
    "language",
    "word",
    "sentence",
    "auto",
    "\u{0}",
];
const LOCALES: [&str; 14] = [
    "en-US",
    "de",
    "ar-EG",
    "zh-TW",
    "hi-Latn",
    "ja-u-ca-japanese",
    "th-TH",
    "fa",
    "sr-Latn-BA",
    "pt-AO",
    "x",
    "und",
    "root",
    "en-u-nu-arabext-hc-h24",
];
const INPUTS: [&str; 16] = [
    "0",
    "-0",
    "1",
    "NaN",
    "-Infinity",
    "1e300",
    "-1e-300",
    "999999.5",
    "8.64e15\n-8.64e15",
    "8.64e15",
    "1\n2",
    "3\ndays",
    r#"["a","b"]"#,
    "de-Latn-DE-1996",
    "سلام 日本語 👨‍👩‍👧 a.b",
    "currency",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_request_panics(
        operation in proptest::sample::select(&OPERATIONS[..]),
        locale in proptest::sample::select(&LOCALES[..]),
        options in proptest::collection::vec((proptest::sample::select(&NAMES[..]), proptest::sample::select(&VALUES[..])), 0..6),
        value in proptest::sample::select(&INPUTS[..]),
    ) {
        let options: serde_json::Map<String, Value> = options.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
        let arguments = json!({ "locales": [locale], "options": options }).to_string();
        let first = asked(operation, &arguments, value);
        prop_assert_eq!(first, asked(operation, &arguments, value));
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), operation in proptest::sample::select(&OPERATIONS[..])) {
        answer(&bytes);
        let mut request = format!("{operation}\n{{}}\n").into_bytes();
        request.extend_from_slice(&bytes);
        answer(&request);
    }
}
