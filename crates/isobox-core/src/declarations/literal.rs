//! JSON values as TypeScript: as types of exactly that value, and as text for a comment.

use serde_json::Value;

use super::{
    comment::{one_line, quote},
    identifier::is_identifier,
    shape::{Member, Object, Type},
};

/// The longest text that is shown as a type of its own, in bytes.
const MAX_TEXT: usize = 200;
/// How deep and how wide a constant is shown.
const MAX_DEPTH: usize = 4;
const MAX_ENTRIES: usize = 20;

/// The type that only this value has.
pub(super) fn type_of(value: &Value) -> Type {
    type_within(value, MAX_DEPTH)
}

/// The type that this value and others like it have.
pub(super) fn widened(value: &Value) -> Type {
    match value {
        Value::Null => Type::NULL,
        Value::Bool(_) => Type::Keyword("boolean"),
        Value::Number(_) => Type::Keyword("number"),
        Value::String(_) => Type::Keyword("string"),
        Value::Array(_) => Type::Array(Box::new(Type::Unknown)),
        Value::Object(_) => Type::Record { keys: "string".to_owned(), values: Box::new(Type::Unknown) },
    }
}

/// A property's name as it is written.
pub(super) fn property_name(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quote(name) }
}

/// A value as JSON on one line of a comment, cut to about so many characters.
pub(super) fn json_line(value: &Value, limit: usize) -> String {
    let mut text = String::new();
    write_json(&mut text, value, limit, MAX_DEPTH);
    one_line(&text, limit)
}

fn type_within(value: &Value, depth: usize) -> Type {
    match value {
        Value::Null => Type::NULL,
        Value::Bool(value) => Type::Literal(value.to_string()),
        Value::Number(value) => Type::Literal(value.to_string()),
        Value::String(text) if text.len() <= MAX_TEXT => Type::Literal(quote(text)),
        Value::String(text) => {
            Type::Noted(Box::new(Type::Keyword("string")), format!("a text of {} bytes", text.len()))
        }
        Value::Array(items) if depth > 0 && items.len() <= MAX_ENTRIES => Type::Tuple {
            elements: items.iter().map(|item| type_within(item, depth - 1)).collect(),
            required: items.len(),
            rest: None,
        },
        Value::Object(entries)
            if depth > 0 && entries.len() <= MAX_ENTRIES && entries.keys().all(|key| key.len() <= MAX_TEXT) =>
        {
            let member = |(key, value): (&String, &Value)| Member {
                name: property_name(key),
                is_optional: false,
                comment: String::new(),
                value: type_within(value, depth - 1),
            };
            Type::Object(Object { members: entries.iter().map(member).collect(), is_open: false, omitted: 0 })
        }
        Value::Array(_) | Value::Object(_) => Type::Opaque("a large constant".to_owned()),
    }
}

/// Writes until the text is longer than the limit; what is cut off then is the caller's to see.
fn write_json(out: &mut String, value: &Value, limit: usize, depth: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(value) => out.push_str(&value.to_string()),
        Value::String(text) => match text.char_indices().nth(limit) {
            Some((end, _)) => out.push_str(&quote(&text[..end])),
            None => out.push_str(&quote(text)),
        },
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
                write_json(out, &Value::String(key.chars().take(limit).collect()), limit, 0);
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
            assert_eq!(json_line(&value, 40), expected);
        }
        assert!(json_line(&json!(vec![0; 1_000_000]), 40).len() < 50);
    }
}
