//! JSON values as TypeScript: as types of exactly that value, and as text for a comment.

use std::fmt::Write;

use serde_json::Value;

use super::{
    comment::{quote, write_line},
    documentation::Documentation,
    shape::{Member, Object, Type},
};

/// The longest text that is shown as a type of its own, in bytes.
const MAX_TEXT: usize = 200;
/// How deep a constant is shown, and about how many bytes of it.
const MAX_DEPTH: usize = 4;
const MAX_CONSTANT: usize = 500;

/// The type that only this value has.
pub(super) fn type_of(value: &Value) -> Type<'_> {
    type_within(value, MAX_DEPTH, &mut { MAX_CONSTANT })
        .unwrap_or_else(|| Type::Opaque { reason: "a large constant".into(), names: Vec::new() })
}

/// About how long that is.
pub(super) fn cost_of(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len().min(MAX_TEXT) + 5,
        Value::Array(_) | Value::Object(_) => MAX_CONSTANT,
    }
}

/// The type that this value and others like it have.
pub(super) fn widened(value: &Value) -> Type<'_> {
    match value {
        Value::Null => Type::NULL,
        Value::Bool(_) => Type::Keyword("boolean"),
        Value::Number(_) => Type::Keyword("number"),
        Value::String(_) => Type::Keyword("string"),
        Value::Array(_) => Type::Array(Box::new(Type::Unknown)),
        Value::Object(_) => Type::record_of(Type::Unknown),
    }
}

/// Appends a value as JSON on one line of a comment, cut to about so many characters.
pub(super) fn write_json_line(out: &mut String, value: &Value, limit: usize) {
    if let Value::Number(number) = value {
        // Writing to a text cannot fail.
        let _ = write!(out, "{number}");
        return;
    }
    let mut text = String::new();
    write_json(&mut text, value, limit, MAX_DEPTH);
    write_line(out, &text, limit);
}

/// Nothing where it is too deep or longer than what is left.
fn type_within<'value>(value: &'value Value, depth: usize, left: &mut usize) -> Option<Type<'value>> {
    Some(match value {
        Value::Null => Type::NULL,
        Value::String(text) if text.len() > MAX_TEXT => {
            Type::Noted(Box::new(Type::Keyword("string")), format!("a text of {} bytes", text.len()).into())
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            *left = left.checked_sub(cost_of(value))?;
            Type::Literal(value)
        }
        Value::Array(items) => {
            let depth = depth.checked_sub(1)?;
            let mut elements = Vec::new();
            for item in items {
                *left = left.checked_sub(4)?;
                elements.push(type_within(item, depth, left)?);
            }
            Type::Tuple { required: elements.len(), elements, rest: None }
        }
        Value::Object(entries) => {
            let depth = depth.checked_sub(1)?;
            let mut members = Vec::new();
            for (name, value) in entries {
                *left = left.checked_sub(name.len() + 4)?;
                let value = type_within(value, depth, left)?;
                members.push(Member { name, is_optional: false, documentation: Documentation::default(), value });
            }
            Type::Object(Object { members, is_open: false, omitted: 0 })
        }
    })
}

/// Writes until the text is longer than the limit; what is cut off then is the caller's to see.
fn write_json(out: &mut String, value: &Value, limit: usize, depth: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(value) => out.push_str(&value.to_string()),
        Value::String(text) => write_text(out, text, limit),
        Value::Array(items) if items.is_empty() => out.push_str("[]"),
        Value::Object(entries) if entries.is_empty() => out.push_str("{}"),
        Value::Array(_) | Value::Object(_) if depth == 0 => out.push('…'),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate().take_while(|(index, _)| *index <= limit) {
                out.push(if index == 0 { '[' } else { ',' });
                write_json(out, item, limit, depth - 1);
                if out.len() > limit * 4 {
                    return;
                }
            }
            out.push(']');
        }
        Value::Object(entries) => {
            for (index, (key, item)) in entries.iter().enumerate() {
                out.push(if index == 0 { '{' } else { ',' });
                write_text(out, key, limit);
                out.push(':');
                write_json(out, item, limit, depth - 1);
                if out.len() > limit * 4 {
                    return;
                }
            }
            out.push('}');
        }
    }
}

fn write_text(out: &mut String, text: &str, limit: usize) {
    let end = text.char_indices().nth(limit).map_or(text.len(), |(end, _)| end);
    quote(out, &text[..end]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_in_comments_are_short_and_on_one_line() {
        for (value, expected) in [
            (json!({"a": [1, -2.5, null, true], "b": {}}), r#"{"a":[1,-2.5,null,true],"b":{}}"#),
            (json!("line\nbreak */"), r#""line\nbreak *\/""#),
            (json!([[[[[1]]]]]), "[[[[…]]]]"),
            (json!("x".repeat(100)), &format!("\"{}…", "x".repeat(39))),
        ] {
            let mut text = String::new();
            write_json_line(&mut text, &value, 40);
            assert_eq!(text, expected);
        }
        let mut text = String::new();
        write_json_line(&mut text, &json!(vec![0; 1_000_000]), 40);
        assert!(text.len() < 50);
    }
}
