//! Reads YAML as JSON, with bounds on depth and on the size of expanded aliases.

use std::collections::HashMap;

use isobox_core::brief;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};
use serde_json::{Map, Number, Value};

use super::super::error::SyntaxError;
use super::MAX_DEPTH;

/// Parses the one document of a YAML text. Reduces `values` by the number of values in it, with aliases expanded.
///
/// Plain scalars have the types of the core schema of YAML 1.2. Keys are texts as they are written. Merge keys (`<<`)
/// are merged. A mapping with two equal keys is refused, as in JSON.
pub(super) fn parse(text: &str, values: &mut usize) -> Result<Value, SyntaxError> {
    let mut builder = Builder { values, open: Vec::new(), anchors: HashMap::new(), documents: 0, done: None };
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| SyntaxError {
            line: error.marker().line(),
            column: error.marker().col() + 1,
            message: error.info().to_owned(),
        })?;
        builder.take(event, span)?;
    }
    builder.done.ok_or_else(|| SyntaxError::whole("it is empty"))
}

struct Builder<'v> {
    /// The number of values that there is room for.
    values: &'v mut usize,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    documents: usize,
    done: Option<Value>,
}

/// A value that aliases may refer to, with the number of values in it.
struct Anchored {
    value: Value,
    weight: usize,
}

/// A collection whose end was not reached yet.
struct Open {
    anchor: usize,
    collection: Collection,
}

enum Collection {
    Sequence(Vec<Value>),
    Mapping { entries: Map<String, Value>, key: Option<String>, merged: Vec<Value> },
}

/// The number of bytes of a text that count as one more value.
const BYTES_PER_VALUE: usize = 64;

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), SyntaxError> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 { Err(at(span.start, "there is a second document")) } else { Ok(()) }
            }
            Event::SequenceStart(anchor, _) => self.open(anchor, Collection::Sequence(Vec::new()), span),
            Event::MappingStart(anchor, _) => {
                let collection = Collection::Mapping { entries: Map::new(), key: None, merged: Vec::new() };
                self.open(anchor, collection, span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Scalar(text, style, anchor, tag) => {
                self.count(1 + text.len() / BYTES_PER_VALUE, span)?;
                if let Some(Open { collection: Collection::Mapping { key: key @ None, .. }, .. }) = self.open.last_mut()
                {
                    let text = text.into_owned();
                    *key = Some(text.clone());
                    return self.remember(anchor, &Value::String(text), span);
                }
                let value = scalar(&text, style, tag.as_deref());
                self.remember(anchor, &value, span)?;
                self.place(value, span)
            }
            Event::Alias(anchor) => {
                let Some(Anchored { value, weight }) = self.anchors.get(&anchor) else {
                    return Err(at(span.start, "the alias refers to something that is not complete"));
                };
                let (value, weight) = (value.clone(), *weight);
                self.count(weight, span)?;
                self.place(value, span)
            }
        }
    }

    fn open(&mut self, anchor: usize, collection: Collection, span: Span) -> Result<(), SyntaxError> {
        self.count(1, span)?;
        if let Some(Open { collection: Collection::Mapping { key: None, .. }, .. }) = self.open.last() {
            return Err(at(span.start, "a key has to be a text"));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(at(span.start, "it is nested too deeply"));
        }
        self.open.push(Open { anchor, collection });
        Ok(())
    }

    fn close(&mut self, span: Span) -> Result<(), SyntaxError> {
        let Some(Open { anchor, collection }) = self.open.pop() else { return Err(at(span.start, "unexpected end")) };
        let value = match collection {
            Collection::Sequence(items) => Value::Array(items),
            Collection::Mapping { mut entries, merged, .. } => {
                merged.into_iter().for_each(|value| merge(&mut entries, value));
                Value::Object(entries)
            }
        };
        self.remember(anchor, &value, span)?;
        self.place(value, span)
    }

    fn place(&mut self, value: Value, span: Span) -> Result<(), SyntaxError> {
        match self.open.last_mut().map(|open| &mut open.collection) {
            None => self.done = Some(value),
            Some(Collection::Sequence(items)) => items.push(value),
            Some(Collection::Mapping { entries, key, merged }) => match key.take() {
                Some(merge) if merge == "<<" => merged.push(value),
                Some(key) if entries.contains_key(&key) => {
                    return Err(at(span.start, &format!("the key `{}` is there twice", brief(&key, 80))));
                }
                Some(key) => {
                    entries.insert(key, value);
                }
                // An alias as a key.
                None => match value {
                    Value::String(text) => *key = Some(text),
                    _ => return Err(at(span.start, "a key has to be a text")),
                },
            },
        }
        Ok(())
    }

    fn remember(&mut self, anchor: usize, value: &Value, span: Span) -> Result<(), SyntaxError> {
        if anchor == 0 {
            return Ok(());
        }
        let weight = weight(value);
        self.count(weight, span)?;
        self.anchors.insert(anchor, Anchored { value: value.clone(), weight });
        Ok(())
    }

    fn count(&mut self, weight: usize, span: Span) -> Result<(), SyntaxError> {
        let left = self.values.checked_sub(weight);
        *self.values = left.ok_or_else(|| at(span.start, "it has too many values, with its aliases expanded"))?;
        Ok(())
    }
}

fn at(marker: Marker, message: &str) -> SyntaxError {
    SyntaxError { line: marker.line(), column: marker.col() + 1, message: message.to_owned() }
}

fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(text) => 1 + text.len() / BYTES_PER_VALUE,
        Value::Array(items) => 1 + items.iter().map(weight).sum::<usize>(),
        Value::Object(entries) => {
            1 + entries.iter().map(|(key, value)| 1 + key.len() / BYTES_PER_VALUE + weight(value)).sum::<usize>()
        }
    }
}

/// Adds the entries of a merge key that are not there yet.
fn merge(entries: &mut Map<String, Value>, value: Value) {
    match value {
        Value::Object(others) => {
            for (key, value) in others {
                entries.entry(key).or_insert(value);
            }
        }
        Value::Array(items) => items.into_iter().for_each(|item| merge(entries, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the value of a scalar, by the core schema of YAML 1.2.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let is_text = tag.is_some_and(|tag| !tag.is_yaml_core_schema() || tag.suffix == "str");
    if style != ScalarStyle::Plain || is_text {
        return Value::String(text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        other => number(other).map_or_else(|| Value::String(other.to_owned()), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().map(Number::from);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return u64::from_str_radix(digits, 8).ok().map(Number::from);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.bytes().any(|byte| byte.is_ascii_digit())
        && unsigned.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if !is_number {
        return None;
    }
    let text = text.strip_prefix('+').unwrap_or(text);
    let whole = text.parse::<i64>().ok().map(Number::from).or_else(|| text.parse::<u64>().ok().map(Number::from));
    whole.or_else(|| text.parse::<f64>().ok().and_then(Number::from_f64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Value, SyntaxError> {
        parse(text, &mut 10_000)
    }

    #[test]
    fn scalars_have_the_types_of_the_core_schema() {
        for (text, expected) in [
            ("1", json!(1)),
            ("-7", json!(-7)),
            ("+7", json!(7)),
            ("1.50", json!(1.5)),
            ("1e3", json!(1000.0)),
            ("0x1F", json!(31)),
            ("0o17", json!(15)),
            ("18446744073709551615", json!(18_446_744_073_709_551_615_u64)),
            ("1.2.3", json!("1.2.3")),
            ("2019-01-01", json!("2019-01-01")),
            ("12:30", json!("12:30")),
            (".", json!(".")),
            (".inf", json!(".inf")),
            ("e5", json!("e5")),
            ("true", json!(true)),
            ("yes", json!("yes")),
            ("no", json!("no")),
            ("~", json!(null)),
            ("null", json!(null)),
            ("'1'", json!("1")),
            ("\"true\"", json!("true")),
            ("!!str 1", json!("1")),
            ("!custom 1", json!("1")),
        ] {
            assert_eq!(read(&format!("a: {text}")).unwrap(), json!({ "a": expected }), "{text}");
        }
    }

    #[test]
    fn keys_are_texts_and_merges_are_merged() {
        let text = "base: &b\n  x: 1\n  y: 2\nuse:\n  <<: *b\n  y: 3\n200: ok\n1.0: one\ntrue: yes\nlist: [*b, {<<: [*b], z: 1}]\n";
        assert_eq!(
            read(text).unwrap(),
            json!({ "base": { "x": 1, "y": 2 }, "use": { "y": 3, "x": 1 }, "200": "ok", "1.0": "one", "true": "yes",
                    "list": [{ "x": 1, "y": 2 }, { "z": 1, "x": 1, "y": 2 }] })
        );
    }

    #[test]
    fn aliases_that_multiply_are_refused() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let previous = level - 1;
            let list = vec![format!("*a{previous}"); 10].join(", ");
            text.push_str(&format!("a{level}: &a{level} [{list}]\n"));
        }
        let error = parse(&text, &mut 1_000_000).unwrap_err();
        assert_eq!(error.message, "it has too many values, with its aliases expanded");
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), vec!["*a"; 1_000].join(", "));
        assert!(parse(&long, &mut 1_000_000).is_err());
    }

    #[test]
    fn errors_have_their_place() {
        for (text, place, message) in [
            ("a: [1, 2\nb: 3", (2, 1), ""),
            ("a: 1\n--- \nb: 2", (2, 1), "there is a second document"),
            ("? [1]\n: 2", (1, 3), "a key has to be a text"),
            ("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3", (5, 6), "the key `c` is there twice"),
            ("a: 1\n\"a\": 2", (2, 6), "the key `a` is there twice"),
            ("a: &x [*x]", (1, 8), "the alias refers to something that is not complete"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.message.contains(message), "{text}: {error:?}");
            if !message.is_empty() {
                assert_eq!((error.line, error.column), place, "{text}: {error:?}");
            }
        }
        assert_eq!(read("").unwrap_err().message, "it is empty");
        assert!(read(&"[".repeat(100_000)).is_err());
        let deep: String = (0..10_000).map(|level| format!("{}a:\n", " ".repeat(level % 200))).collect();
        assert!(read(&deep).is_err());
        let nested: String = (0..300).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
        assert_eq!(read(&nested).unwrap_err().message, "it is nested too deeply");
    }
}
