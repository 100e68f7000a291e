//! Finds what a request asks for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Value, json};

use crate::collate::Collator;
use crate::date::{self, DateTimeFormat};
use crate::decimal::{Number, shown};
use crate::error::{Error, ErrorKind, Result};
use crate::list::ListFormat;
use crate::names::DisplayNames;
use crate::number::NumberFormat;
use crate::options::Options;
use crate::parts::{text_of, to_json};
use crate::plural_rules::PluralRules;
use crate::relative::RelativeTimeFormat;
use crate::segment::Segmenter;
use crate::{locale, marks, tags};

/// The longest request, in bytes.
const MAX_REQUEST: usize = 4 << 20;

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A text.
    Text(String),
    /// A value as JSON.
    Json(String),
    /// The message of a `RangeError`.
    RangeError(String),
    /// The message of a `TypeError`.
    TypeError(String),
}

impl Answer {
    /// Writes the answer as the guest reads it: one letter for its kind, then the text.
    pub fn encode(&self) -> String {
        let (letter, text) = match self {
            Self::Text(text) => ('s', text),
            Self::Json(text) => ('j', text),
            Self::RangeError(text) => ('r', text),
            Self::TypeError(text) => ('t', text),
        };
        let mut encoded = String::with_capacity(text.len() + 1);
        encoded.push(letter);
        encoded.push_str(text);
        encoded
    }
}

/// Answers a request. The same request always has the same answer. Bytes that are not UTF-8 are read as U+FFFD.
pub fn answer(request: &[u8]) -> Answer {
    match try_answer(request) {
        Ok(answer) => answer,
        Err(Error { kind: ErrorKind::Range, message }) => Answer::RangeError(message),
        Err(Error { kind: ErrorKind::Type, message }) => Answer::TypeError(message),
    }
}

fn try_answer(request: &[u8]) -> Result<Answer> {
    if request.len() > MAX_REQUEST {
        return Err(Error::range(format!("Intl takes at most {} MiB of text at once", MAX_REQUEST >> 20)));
    }
    let request = String::from_utf8_lossy(request);
    let malformed = || Error::type_error("the request cannot be read");
    let (operation, rest) = request.split_once('\n').ok_or_else(malformed)?;
    let (arguments, value) = rest.split_once('\n').ok_or_else(malformed)?;
    let (class, method) = operation.split_once('.').ok_or_else(malformed)?;
    let answer = match class {
        "locale" => locale_method(method, arguments, value),
        "case" => change_case(method, arguments, value),
        "zone" => zone_method(method, arguments, value),
        "segmenter" if method == "boundaries" => {
            return with_formatter(class, arguments, |formatter| formatter.boundaries(value)).map(Answer::Json);
        }
        _ => with_formatter(class, arguments, |formatter| formatter.call(method, value)),
    };
    Ok(match answer? {
        Value::String(text) => Answer::Text(text),
        value => Answer::Json(value.to_string()),
    })
}

enum Formatter {
    Number(NumberFormat),
    Date(Box<DateTimeFormat>),
    Collator(Collator),
    Plural(PluralRules),
    Relative(RelativeTimeFormat),
    List(ListFormat),
    Names(DisplayNames),
    Segmenter(Segmenter),
}

impl Formatter {
    fn new(class: &str, arguments: &str) -> Result<Self> {
        let options = |name| Options::parse(name, arguments);
        Ok(match class {
            "number" => Self::Number(NumberFormat::new(&options("Intl.NumberFormat")?)?),
            "date" => Self::Date(Box::new(DateTimeFormat::new(&options("Intl.DateTimeFormat")?)?)),
            "collator" => Self::Collator(Collator::new(&options("Intl.Collator")?)?),
            "plural" => Self::Plural(PluralRules::new(&options("Intl.PluralRules")?)?),
            "relative" => Self::Relative(RelativeTimeFormat::new(&options("Intl.RelativeTimeFormat")?)?),
            "list" => Self::List(ListFormat::new(&options("Intl.ListFormat")?)?),
            "names" => Self::Names(DisplayNames::new(&options("Intl.DisplayNames")?)?),
            "segmenter" => Self::Segmenter(Segmenter::new(&options("Intl.Segmenter")?)?),
            _ => return Err(Error::type_error(format!("Intl has no {}", shown(class)))),
        })
    }

    fn call(&self, method: &str, value: &str) -> Result<Value> {
        match self {
            Self::Number(format) => number_method(format, method, value),
            Self::Date(format) => date_method(format, method, value),
            Self::Collator(collator) => match method {
                "resolved" => Ok(collator.resolved()),
                "compare" => {
                    let [left, right]: [String; 2] = serde_json::from_str(value).map_err(|_| unreadable())?;
                    Ok(json!(collator.compare(&left, &right)))
                }
                _ => Err(unknown(method)),
            },
            Self::Plural(rules) => match method {
                "resolved" => Ok(rules.resolved()),
                "select" => Ok(json!(rules.select(&Number::parse(value)?))),
                "selectRange" => {
                    let (start, end) = two(value)?;
                    Ok(json!(rules.select_range(&Number::parse(start)?, &Number::parse(end)?)?))
                }
                _ => Err(unknown(method)),
            },
            Self::Relative(format) => {
                let parts = || {
                    let (number, unit) = two(value)?;
                    format.format_to_parts(&Number::parse(number)?, unit)
                };
                match method {
                    "resolved" => Ok(format.resolved()),
                    "format" => Ok(Value::String(text_of(&parts()?))),
                    "parts" => Ok(to_json(&parts()?, "unit")),
                    _ => Err(unknown(method)),
                }
            }
            Self::List(format) => {
                let parts = || {
                    let items: Vec<String> = serde_json::from_str(value).map_err(|_| unreadable())?;
                    if items.len() > MAX_ITEMS {
                        return Err(Error::range(format!("Intl.ListFormat takes at most {MAX_ITEMS} texts")));
                    }
                    Ok(format.format_to_parts(&items))
                };
                match method {
                    "resolved" => Ok(format.resolved()),
                    "format" => Ok(Value::String(text_of(&parts()?))),
                    "parts" => Ok(to_json(&parts()?, "source")),
                    _ => Err(unknown(method)),
                }
            }
            Self::Names(names) => match method {
                "resolved" => Ok(names.resolved()),
                "of" => names.of(value),
                _ => Err(unknown(method)),
            },
            Self::Segmenter(segmenter) => match method {
                "resolved" => Ok(segmenter.resolved()),
                _ => Err(unknown(method)),
            },
        }
    }

    /// Returns where the segments of a text begin, as JSON.
    fn boundaries(&self, text: &str) -> Result<String> {
        let Self::Segmenter(segmenter) = self else { return Err(unknown("boundaries")) };
        Ok(segmenter.boundaries(text))
    }
}

/// The most texts that are joined to a list.
const MAX_ITEMS: usize = 100_000;

fn unreadable() -> Error {
    Error::type_error("the request cannot be read")
}

fn two(value: &str) -> Result<(&str, &str)> {
    value.split_once('\n').ok_or_else(unreadable)
}

/// Formatters that are kept per thread. Beyond it all are dropped.
const MAX_FORMATTERS: usize = 64;
const MAX_KEY: usize = 4096;

type Cache = HashMap<String, HashMap<String, Rc<Formatter>>>;

thread_local! {
    static FORMATTERS: RefCell<Cache> = RefCell::default();
}

fn with_formatter<T>(class: &str, arguments: &str, work: impl FnOnce(&Formatter) -> Result<T>) -> Result<T> {
    let cached = FORMATTERS.with_borrow(|cache| cache.get(class)?.get(arguments).cloned());
    let formatter = match cached {
        Some(formatter) => formatter,
        None => {
            let formatter = Rc::new(Formatter::new(class, arguments)?);
            if arguments.len() <= MAX_KEY {
                FORMATTERS.with_borrow_mut(|cache| {
                    let of_class = cache.entry(class.to_owned()).or_default();
                    if of_class.len() >= MAX_FORMATTERS {
                        of_class.clear();
                    }
                    of_class.insert(arguments.to_owned(), Rc::clone(&formatter));
                });
            }
            formatter
        }
    };
    work(&formatter)
}

fn unknown(method: &str) -> Error {
    Error::type_error(format!("there is no method {}", shown(method)))
}

fn number_method(format: &NumberFormat, method: &str, value: &str) -> Result<Value> {
    let range = || {
        let (start, end) = two(value)?;
        format.format_range(&Number::parse(start)?, &Number::parse(end)?)
    };
    Ok(match method {
        "resolved" => format.resolved(),
        "format" => Value::String(format.format(&Number::parse(value)?)),
        "parts" => to_json(&format.format_to_parts(&Number::parse(value)?), "source"),
        "range" => Value::String(text_of(&range()?)),
        "rangeParts" => to_json(&range()?, "source"),
        _ => return Err(unknown(method)),
    })
}

fn date_method(format: &DateTimeFormat, method: &str, value: &str) -> Result<Value> {
    let range = || {
        let (start, end) = two(value)?;
        Ok(format.format_range(instant(start)?, instant(end)?))
    };
    Ok(match method {
        "resolved" => format.resolved(),
        "format" => Value::String(format.format(instant(value)?)),
        "parts" => to_json(&format.format_to_parts(instant(value)?), "source"),
        "range" => Value::String(text_of(&range()?)),
        "rangeParts" => to_json(&range()?, "source"),
        _ => return Err(unknown(method)),
    })
}

/// Reads a time value: milliseconds since 1970.
fn instant(text: &str) -> Result<i64> {
    const LATEST: f64 = 8.64e15;
    let number: f64 = text.parse().unwrap_or(f64::NAN);
    if number.is_nan() || number.abs() > LATEST {
        return Err(Error::range("Invalid time value"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "it lies between two numbers of that type")]
    Ok(number.trunc() as i64)
}

fn locale_method(method: &str, arguments: &str, value: &str) -> Result<Value> {
    let options = Options::parse("Intl.Locale", arguments)?;
    match method {
        "canonical" => Ok(options.locales().iter().map(|locale| json!(locale.to_string())).collect()),
        "supported" => {
            options.check_matcher()?;
            let has_data = |locale: &&icu_locale::Locale| locale::best_available(&locale.id).is_some();
            Ok(options.locales().iter().filter(has_data).map(|locale| json!(locale.to_string())).collect())
        }
        "describe" => tags::describe(&options),
        "maximize" => tags::likely(&options, true),
        "minimize" => tags::likely(&options, false),
        "customs" => tags::customs(&options),
        "values" => tags::supported_values(value),
        _ => Err(unknown(method)),
    }
}

/// Answers what a `Date` asks about the time zone of the host.
fn zone_method(method: &str, zone: &str, value: &str) -> Result<Value> {
    let time = |text: &str| text.parse().map_err(|_| unreadable());
    match method {
        "offset" => Ok(json!(date::offset(zone, time(value)?)?)),
        "offsetOfLocal" => Ok(json!(date::offset_of_local(zone, time(value)?)?)),
        "name" => {
            let (instant, locale) = two(value)?;
            let options = json!({ "timeZone": zone, "timeZoneName": "long" });
            let arguments = json!({ "locales": [locale], "options": options }).to_string();
            let parts = with_formatter("date", &arguments, |formatter| formatter.call("parts", instant))?;
            let is_name = |part: &&Value| part["type"] == "timeZoneName";
            Ok(parts
                .as_array()
                .and_then(|parts| parts.iter().find(is_name))
                .map_or(Value::Null, |part| part["value"].clone()))
        }
        _ => Err(unknown(method)),
    }
}

fn change_case(method: &str, arguments: &str, value: &str) -> Result<Value> {
    let options = Options::parse("String", arguments)?;
    let unknown_language = icu_locale::LanguageIdentifier::UNKNOWN;
    let id = options.locales().first().map_or(&unknown_language, |locale| &locale.id);
    let mapper = icu_casemap::CaseMapper::new();
    let pieces = marks::pieces(value).into_iter();
    Ok(Value::String(match method {
        "upper" => pieces.map(|piece| mapper.uppercase_to_string(piece, id)).collect(),
        "lower" => pieces.map(|piece| mapper.lowercase_to_string(piece, id)).collect(),
        _ => return Err(unknown(method)),
    }))
}

#[cfg(test)]
mod tests;
