//! Reads JSON with a bound on the number of values.

use std::collections::HashSet;
use std::fmt;

use isobox_core::brief;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::super::error::SyntaxError;

/// Parses a JSON text. Reduces `values` by an upper bound of the number of values in it. An object with two equal keys is
/// refused: only one of them would count.
pub(super) fn parse(text: &str, values: &mut usize) -> Result<Value, SyntaxError> {
    let count = count_values(text);
    *values = values.checked_sub(count).ok_or_else(|| SyntaxError::whole("it has too many values"))?;
    let parsed = serde_json::from_str(text).map_err(|error| syntax_error(&error))?;
    let UniqueKeys = serde_json::from_str(text).map_err(|error| syntax_error(&error))?;
    Ok(parsed)
}

fn syntax_error(error: &serde_json::Error) -> SyntaxError {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default().to_owned();
    SyntaxError { line: error.line(), column: error.column(), message }
}

/// A value whose objects have no key twice.
struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueKeysVisitor)
    }
}

struct UniqueKeysVisitor;

impl<'de> Visitor<'de> for UniqueKeysVisitor {
    type Value = UniqueKeys;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_unit<E: Error>(self) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<UniqueKeys, A::Error> {
        while items.next_element::<UniqueKeys>()?.is_some() {}
        Ok(UniqueKeys)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<UniqueKeys, A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            if keys.contains(&key) {
                return Err(A::Error::custom(format!("the key `{}` is there twice", brief(&key, 80))));
            }
            keys.insert(key);
            let UniqueKeys = entries.next_value()?;
        }
        Ok(UniqueKeys)
    }
}

/// Counts the values and keys of a text from its punctuation, without memory for them.
fn count_values(text: &str) -> usize {
    let (mut count, mut is_string, mut is_escape) = (1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escape => is_escape = false,
            b'\\' if is_string => is_escape = true,
            b'"' => is_string = !is_string,
            b',' | b':' | b'[' | b'{' if !is_string => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_number_of_values_is_bounded_before_any_exists() {
        let text = r#"{"a": [1, 2, {"b,\"c": "x,y"}]}"#;
        assert_eq!(count_values(text), 8);
        let mut values = 8;
        assert_eq!(parse(text, &mut values).unwrap(), json!({ "a": [1, 2, { "b,\"c": "x,y" }] }));
        assert_eq!(values, 0);
        assert_eq!(parse(text, &mut 7).unwrap_err().message, "it has too many values");
    }

    #[test]
    fn errors_have_their_place() {
        let error = parse("{\n  \"a\": oops }", &mut 100).unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (2, "expected value"));
        let twice = parse("{\n  \"a\": [{ \"b\": 1, \"c\": null,\n  \"b\": \"x\" }] }", &mut 100).unwrap_err();
        assert_eq!((twice.line, twice.message.as_str()), (3, "the key `b` is there twice"));
        assert!(parse(r#"{ "a": { "b": -1.5 }, "b": [true, 18446744073709551615] }"#, &mut 100).is_ok());
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(parse(&deep, &mut 100_000).unwrap_err().message.contains("recursion limit"));
    }
}
