//! JSON values as text for a comment.

use std::fmt::Write;

use serde_json::Value;

use super::comment::{quote, write_line};

/// The maximum depth of a shown value.
const MAX_DEPTH: usize = 4;

/// Appends a value as JSON on one line of a comment, cut to about `limit` characters.
pub(super) fn write_json_line(out: &mut String, value: &Value, limit: usize) {
    if let Value::Number(number) = value {
        // Writing to a string cannot fail.
        let _ = write!(out, "{number}");
        return;
    }
    let mut text = String::new();
    write_json(&mut text, value, limit, MAX_DEPTH);
    write_line(out, &text, limit);
}

/// Writes until the text is longer than the limit. The caller cuts it.
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
