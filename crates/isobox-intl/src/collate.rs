//! `Intl.Collator`.

use std::borrow::Cow;
use std::cmp::Ordering;

use icu_collator::options::{AlternateHandling, CaseLevel, CollatorOptions, Strength};
use icu_collator::preferences::{CollationCaseFirst, CollationNumericOrdering};
use icu_collator::{CollatorBorrowed, CollatorPreferences};
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::locale::{self, Chosen};
use crate::marks;
use crate::options::Options;

/// Compares texts in the order of a language.
pub(crate) struct Collator {
    locale: Chosen,
    collator: CollatorBorrowed<'static>,
    sensitivity: &'static str,
    ignores_punctuation: bool,
    collation: String,
    is_numeric: bool,
    case_first: String,
}

/// The locales for which CLDR has an order, if only the root's.
const LOCALES: &str = "af am ar ar-SA as az be bg blo bn bo br bs bs-Cyrl ca ceb chr cs cy da de de-AT dsb dz ee el en en-US eo es et
    fa fa-AF ff ff-Adlm fi fil fo fr fr-CA fy ga gl gu ha haw he he-IL hi hr hsb hu hy id id-ID ig is it ja ka kk kk-Arab kl km
    kn ko kok ku ky lb lij lkt ln lo lt lv mk ml mn mr ms mt my nb nb-NO ne nl nn no nso om or pa pa-Guru pa-Guru-IN pa-IN pl ps pt ro
    ru sa se si sk sl smn sq sr sr-Cyrl sr-Cyrl-BA sr-Cyrl-ME sr-Cyrl-RS sr-Latn sr-Latn-BA sr-Latn-RS sr-RS st sv sw ta te th
    tk tn to tr ug uk ur uz vi wae wo xh yi yo zh zh-CN zh-HK zh-Hans zh-Hans-CN zh-Hans-SG zh-Hant zh-Hant-HK zh-Hant-MO
    zh-Hant-TW zh-TW zu";

/// Lists the orders that a language has beside its usual one.
pub(crate) fn collations(language: &str) -> &'static [&'static str] {
    match language {
        "ar" => &["compat", "emoji", "eor"],
        "de" => &["emoji", "eor", "phonebk"],
        "es" | "bn" | "fi" | "kn" | "sa" | "sv" | "vi" => &["emoji", "eor", "trad"],
        "ja" | "ko" => &["emoji", "eor", "unihan"],
        "ln" => &["emoji", "eor", "phonetic"],
        "si" => &["dict", "emoji", "eor"],
        "zh" => &["emoji", "eor", "pinyin", "stroke", "unihan", "zhuyin"],
        _ => &["emoji", "eor"],
    }
}

impl Collator {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        if options.choice_or("usage", &["sort", "search"], "sort")? == "search" {
            return Err(Error::range(
                "the usage \"search\" is not supported: leave it out, and compare with sensitivity \"base\"",
            ));
        }
        options.check_matcher()?;
        let mut locale = options.negotiate_among(|name| LOCALES.split_ascii_whitespace().any(|known| known == name));
        let language = locale.language().to_owned();
        let collation = options.keyword("collation")?;
        let is_known = |name: &str| collations(&language).contains(&name);
        if let Some(name) = collation.as_deref().filter(|name| !is_known(name) && *name != "default") {
            return Err(Error::range(format!("the collation {name} is not supported for {language}")));
        }
        let collation = locale.keyword("co", collation.as_deref(), is_known);
        let numeric = options.boolean("numeric").map(|value| if value { "true" } else { "false" });
        let is_numeric = locale.keyword("kn", numeric, |value| matches!(value, "true" | "false"));
        let is_numeric = is_numeric.as_deref() == Some("true");
        let case_first = options.choice("caseFirst", &["upper", "lower", "false"])?;
        let case_first = locale.keyword("kf", case_first, |value| matches!(value, "upper" | "lower" | "false"));
        let sensitivity = options.choice_or("sensitivity", &["base", "accent", "case", "variant"], "variant")?;
        let ignores_punctuation = options.boolean("ignorePunctuation").unwrap_or(language == "th");

        let tag = match &collation {
            Some(name) => format!("{}-u-co-{name}", locale.name),
            None => locale.name.clone(),
        };
        let mut preferences: CollatorPreferences = (&locale::parse(&tag)?).into();
        preferences.numeric_ordering =
            Some(if is_numeric { CollationNumericOrdering::True } else { CollationNumericOrdering::False });
        preferences.case_first = match case_first.as_deref() {
            Some("upper") => Some(CollationCaseFirst::Upper),
            Some("lower") => Some(CollationCaseFirst::Lower),
            Some(_) => Some(CollationCaseFirst::False),
            None => None,
        };
        let mut settings = CollatorOptions::default();
        settings.strength = Some(match sensitivity {
            "base" | "case" => Strength::Primary,
            "accent" => Strength::Secondary,
            _ => Strength::Tertiary,
        });
        settings.case_level = Some(if sensitivity == "case" { CaseLevel::On } else { CaseLevel::Off });
        settings.alternate_handling =
            Some(if ignores_punctuation { AlternateHandling::Shifted } else { AlternateHandling::NonIgnorable });
        let collator = CollatorBorrowed::try_new(preferences, settings)
            .map_err(|_| Error::range(format!("there is no order of texts for {}", locale.name)))?;
        let default_first = if matches!(language.as_str(), "da" | "mt") { "upper" } else { "false" };
        Ok(Self {
            locale,
            collator,
            sensitivity,
            ignores_punctuation,
            collation: collation.unwrap_or_else(|| "default".to_owned()),
            is_numeric,
            case_first: case_first.unwrap_or_else(|| default_first.to_owned()),
        })
    }

    pub(crate) fn compare(&self, left: &str, right: &str) -> i32 {
        let (left, right) = without_long_beginning(left, right);
        match self.collator.compare(&joined(left), &joined(right)) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }
    }

    pub(crate) fn resolved(&self) -> Value {
        json!({
            "locale": self.locale.tag(), "usage": "sort", "sensitivity": self.sensitivity,
            "ignorePunctuation": self.ignores_punctuation, "collation": self.collation, "numeric": self.is_numeric,
            "caseFirst": self.case_first,
        })
    }
}

/// Leaves out most of a long beginning that two texts share. ICU4X reads it backwards up to a place where the order of what follows
/// does not depend on it, and takes time in the square of what it reads: numbers have no such place, and many letters have none.
fn without_long_beginning<'a>(left: &'a str, right: &'a str) -> (&'a str, &'a str) {
    /// The most bytes that are kept.
    const MAX_SHARED: usize = 1024;
    let shared = left.bytes().zip(right.bytes()).take_while(|(one, other)| one == other).count();
    if shared <= MAX_SHARED {
        return (left, right);
    }
    let start = left.floor_char_boundary(shared - MAX_SHARED);
    // The order of what follows a space does not depend on what is before it.
    let kept = left.as_bytes()[start..shared].iter().position(u8::is_ascii_whitespace);
    let start = start + kept.unwrap_or(0);
    (&left[start..], &right[start..])
}

/// Writes an invisible character that has no place in any order between the pieces of a text, which ends a series of marks.
fn joined(text: &str) -> Cow<'_, str> {
    const JOINER: &str = "\u{34f}";
    match marks::pieces(text)[..] {
        [whole] => Cow::Borrowed(whole),
        ref pieces => Cow::Owned(pieces.join(JOINER)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(arguments: &Value, left: &str, right: &str) -> i32 {
        let options = Options::parse("Intl.Collator", &arguments.to_string()).expect("options");
        Collator::new(&options).expect("a collator").compare(left, right)
    }

    #[test]
    fn long_texts_are_compared_in_little_time() {
        let numeric = json!({ "options": { "numeric": true } });
        let marks = "\u{301}".repeat(1_000_000);
        for (arguments, left, right) in [
            (&json!({}), format!("a{marks}"), "b".to_owned()),
            (&json!({}), format!("a{marks}"), format!("a{marks}\u{323}\u{301}")),
            (&json!({}), "l".repeat(1_000_000) + "a", "l".repeat(1_000_000) + "b"),
            (&json!({ "locales": ["ja"] }), "ー".repeat(500_000) + "a", "ー".repeat(500_000) + "b"),
            (&numeric, "1".repeat(1_000_000) + "2", "1".repeat(1_000_000) + "3"),
        ] {
            assert_eq!([compared(arguments, &left, &right), compared(arguments, &right, &left)], [-1, 1]);
        }
    }

    #[test]
    fn what_is_left_out_of_a_beginning_changes_no_order() {
        let (numeric, beginning) = (json!({ "options": { "numeric": true } }), "the same words ".repeat(1_000));
        for (arguments, left, right) in [
            (&numeric, "10", "9"),
            (&numeric, "9", "9a"),
            (&json!({}), "10", "9"),
            (&json!({}), "e", "é"),
            (&json!({}), "a", "a"),
        ] {
            let [one, other] = [left, right].map(|end| format!("{beginning}{end}"));
            assert_eq!(compared(arguments, &one, &other), compared(arguments, left, right), "{left} {right}");
        }
        let (one, other) = ("é".repeat(1_000), "é".repeat(999) + "è");
        assert_eq!(compared(&json!({}), &one, &other), compared(&json!({}), "é", "è"));
    }
}
