//! Parses JSON from the sandbox: bounds its depth, and repairs strings that are not Unicode.

use serde_json::Value;

use crate::text::lossy_text;

/// The reason why a text from the sandbox is not a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// The text is nested deeper than [`MAX_DEPTH`].
    #[error("it is nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// The text is not JSON that can be read here: for example a number out of range, or text that is not Unicode.
    #[error("it holds a number or a text that cannot be read")]
    Malformed,
}

/// Deserializes an optional field in which `null` is a value. Serde would treat it as absent.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Deserializes a number that may be written as text.
pub(crate) fn number_or_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(u64),
        Text(String),
    }
    match <Written as serde::Deserialize>::deserialize(deserializer)? {
        Written::Number(number) => Ok(number),
        Written::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}

/// The maximum depth of arrays and objects between program and host. Many JSON parsers stop at 128, and a value may end
/// up inside an outcome inside a message.
pub const MAX_DEPTH: usize = 100;

/// Parses a value. A byte order mark before it is left out.
///
/// JavaScript strings may contain half of a surrogate pair, for example if an emoji was cut in the middle. Unicode has
/// no such character, so it becomes U+FFFD, as in `TextEncoder`.
///
/// ```
/// use isobox_core::{JsonError, parse_json};
///
/// assert_eq!(parse_json(br#"["\ud83d"]"#), Ok(serde_json::json!(["\u{fffd}"])));
/// assert_eq!(parse_json("[".repeat(200).as_bytes()), Err(JsonError::TooDeep));
/// ```
pub fn parse_json(text: &[u8]) -> Result<Value, JsonError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let error = match serde_json::from_slice(text) {
        Ok(value) => return within_depth(value),
        Err(error) => error,
    };
    if is_too_deep(&error) {
        return Err(JsonError::TooDeep);
    }
    let text = lossy_text(text).into_bytes();
    let mended = mend_surrogates(&text).unwrap_or(text);
    match serde_json::from_slice(&mended) {
        Ok(value) => within_depth(value),
        Err(error) if is_too_deep(&error) => Err(JsonError::TooDeep),
        Err(_) => Err(JsonError::Malformed),
    }
}

fn within_depth(value: Value) -> Result<Value, JsonError> {
    if is_within_depth(&value) { Ok(value) } else { Err(JsonError::TooDeep) }
}

/// Tells whether a value is nested no deeper than [`MAX_DEPTH`]. Looks no deeper than needed, because a value of the
/// host may be deeper than the stack.
pub(crate) fn is_within_depth(value: &Value) -> bool {
    is_nested_within(value, MAX_DEPTH)
}

/// Tells whether a value is nested no deeper than this many levels.
pub(crate) fn is_nested_within(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels > 0 && items.iter().all(|item| is_nested_within(item, levels - 1)),
        Value::Object(entries) => levels > 0 && entries.values().all(|item| is_nested_within(item, levels - 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// Drops a value that is too deep for the usual recursive drop.
pub(crate) fn dismantle(value: Value) {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(entries) => left.extend(entries.into_iter().map(|(_, value)| value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

fn is_too_deep(error: &serde_json::Error) -> bool {
    // serde_json has no other way to distinguish this error. A test covers the text.
    error.to_string().starts_with("recursion limit exceeded")
}

/// Replaces every escaped surrogate without its partner. Returns none if there is nothing to replace.
fn mend_surrogates(text: &[u8]) -> Option<Vec<u8>> {
    let mut mended: Option<Vec<u8>> = None;
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'\\' {
            at += 1;
            continue;
        }
        match escaped_unit(text, at) {
            Some(0xd800..=0xdbff) if matches!(escaped_unit(text, at + 6), Some(0xdc00..=0xdfff)) => at += 12,
            Some(0xd800..=0xdfff) => {
                mended.get_or_insert_with(|| text.to_vec())[at..at + 6].copy_from_slice(b"\\ufffd");
                at += 6;
            }
            Some(_) => at += 6,
            None => at += 2,
        }
    }
    mended
}

/// Returns the UTF-16 unit of the escape `\uXXXX` that starts here.
fn escaped_unit(text: &[u8], at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn half_a_surrogate_pair_becomes_the_replacement_character() {
        assert_eq!(parse_json(br#""a\ud83db""#), Ok(json!("a\u{fffd}b")));
        assert_eq!(parse_json(b"\"\xed\xa0\x80\""), Ok(json!("\u{fffd}")));
        assert_eq!(parse_json(br#""\ude00\ud83d\ude00\\ud83d""#), Ok(json!("\u{fffd}\u{1f600}\\ud83d")));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_value() {
        assert_eq!(parse_json("\u{feff}[1]".as_bytes()), Ok(json!([1])));
        assert_eq!(parse_json("\u{feff}\u{feff}1".as_bytes()), Err(JsonError::Malformed));
        assert_eq!(parse_json("\"\u{feff}\"".as_bytes()), Ok(json!("\u{feff}")));
    }

    #[test]
    fn a_value_deeper_than_the_stack_is_measured_and_dropped() {
        let nested = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!([inner]));
        assert!(is_within_depth(&nested(MAX_DEPTH)));
        assert!(!is_within_depth(&nested(MAX_DEPTH + 1)));
        let mut deep = json!(1);
        for _ in 0..500_000 {
            deep = Value::Array(vec![deep]);
        }
        assert!(!is_within_depth(&deep));
        dismantle(deep);
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
        assert!(parse_json(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(parse_json(&nested(MAX_DEPTH + 1)), Err(JsonError::TooDeep));
        assert_eq!(parse_json(b"{"), Err(JsonError::Malformed));
        assert_eq!(parse_json(b""), Err(JsonError::Malformed));
    }
}
