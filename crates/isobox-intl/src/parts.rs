//! Formatted text in parts, as `formatToParts` gives it.

use serde_json::{Value, json};

/// A piece of the result and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) kind: &'static str,
    pub(crate) value: String,
    /// For ranges: `startRange`, `endRange` or `shared`. For relative times: the unit.
    pub(crate) note: Option<&'static str>,
}

impl Part {
    pub(crate) fn new(kind: &'static str, value: impl Into<String>) -> Self {
        Self { kind, value: value.into(), note: None }
    }

    pub(crate) fn literal(value: impl Into<String>) -> Self {
        Self::new("literal", value)
    }
}

/// Joins neighbours of the same kind, where they are literals, and drops what is empty.
pub(crate) fn tidy(parts: Vec<Part>) -> Vec<Part> {
    let mut tidied: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        if part.value.is_empty() {
            continue;
        }
        match tidied.last_mut() {
            Some(last) if part.kind == "literal" && last.kind == "literal" && last.note == part.note => {
                last.value.push_str(&part.value);
            }
            _ => tidied.push(part),
        }
    }
    tidied
}

pub(crate) fn text_of(parts: &[Part]) -> String {
    parts.iter().map(|part| part.value.as_str()).collect()
}

/// Writes parts as JSON; the note goes under the given name.
pub(crate) fn to_json(parts: &[Part], note: &str) -> Value {
    let object = |part: &Part| match part.note {
        Some(text) => json!({ "type": part.kind, "value": part.value, note: text }),
        None => json!({ "type": part.kind, "value": part.value }),
    };
    parts.iter().map(object).collect()
}

/// Splits a text around one thing into white space, which is literal, and the rest.
pub(crate) fn around(kind: &'static str, text: &str) -> Vec<Part> {
    let is_space =
        |character: char| character.is_whitespace() || matches!(character, '\u{200e}' | '\u{200f}' | '\u{61c}');
    let inner = text.trim_matches(is_space);
    if inner.is_empty() {
        return vec![Part::literal(text)];
    }
    let start = text.find(inner).unwrap_or(0);
    tidy(vec![Part::literal(&text[..start]), Part::new(kind, inner), Part::literal(&text[start + inner.len()..])])
}
