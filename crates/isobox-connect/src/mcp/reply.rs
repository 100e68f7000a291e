//! Converts the result of an MCP tool to the value that a program gets.

use isobox_core::{OneLine, ToolError, brief, lines_without_escapes, parse_json, shorten, without_stacks};
use serde_json::Value;

/// The maximum number of characters of an error text that reach the program.
const ERROR_CHARACTERS: usize = 4_000;

/// Extracts the value of a result, in this order: the `toolResult` of an old server; the text of an error; structured
/// content; the text, parsed if it is JSON; otherwise the result itself with its images and links.
pub(super) fn unwrap(mut result: Value) -> Result<Value, ToolError> {
    let Some(fields) = result.as_object_mut() else { return Ok(result) };
    if let Some(value) = fields.remove("toolResult") {
        return Ok(value);
    }
    let text = joined_text(fields.get("content"));
    if fields.get("isError") == Some(&Value::Bool(true)) {
        return Err(match text.map(|text| without_stacks(&text)) {
            Some(text) if !text.trim().is_empty() => ToolError::new(bounded(&text)),
            Some(_) | None => ToolError::new("the tool failed without a message"),
        });
    }
    match fields.get("resultType").and_then(Value::as_str) {
        None | Some("complete") => {}
        Some("input_required") => {
            return Err(ToolError::new("the tool asks for more input during the call, which is not supported"));
        }
        Some(other) => {
            let other = brief(other, 80);
            return Err(ToolError::new(format!("the tool returned an unsupported kind of result: `{other}`")));
        }
    }
    match fields.remove("structuredContent") {
        None | Some(Value::Null) => {}
        Some(value) => return Ok(value),
    }
    match text {
        Some(text) if is_all_text(fields.get("content")) => Ok(value_of(text)),
        Some(_) | None => Ok(result),
    }
}

/// Shortens and cleans the text of an error for the program.
pub(super) fn bounded(text: &str) -> String {
    let lines: Vec<String> = lines_without_escapes(text).map(OneLine::into_owned).collect();
    shorten(&lines.join("\n"), ERROR_CHARACTERS)
}

fn is_all_text(content: Option<&Value>) -> bool {
    let blocks = content.and_then(Value::as_array);
    blocks.is_some_and(|blocks| !blocks.is_empty() && blocks.iter().all(|block| text_of(block).is_some()))
}

/// Joins the text blocks by line breaks. Returns `None` if there are none.
fn joined_text(content: Option<&Value>) -> Option<String> {
    let texts: Vec<&str> = content?.as_array()?.iter().filter_map(text_of).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

fn text_of(block: &Value) -> Option<&str> {
    if block.get("type")?.as_str()? != "text" {
        return None;
    }
    block.get("text")?.as_str()
}

fn value_of(text: String) -> Value {
    match parse_json(text.as_bytes()) {
        // A long number is more often an identifier than a quantity, and would lose its last digits.
        Ok(Value::Number(number)) if number.to_string() != text.trim() => Value::String(text),
        Ok(value) => value,
        Err(_) => Value::String(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(text: &str) -> Value {
        json!({ "type": "text", "text": text })
    }

    #[test]
    fn results_are_unwrapped_in_the_order_that_other_clients_use() {
        let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
        for (result, expected) in [
            (json!({ "toolResult": [1], "isError": true, "structuredContent": 2 }), json!([1])),
            (json!({ "toolResult": null, "content": [text("x")] }), json!(null)),
            (json!({ "structuredContent": { "a": 1 }, "content": [text("x")] }), json!({ "a": 1 })),
            (json!({ "structuredContent": null, "content": [text("x")] }), json!("x")),
            (json!({ "structuredContent": false, "content": [] }), json!(false)),
            (json!({ "content": [text("{\"a\":"), text("1}")] }), json!({ "a": 1 })),
            (json!({ "content": [text("a"), text("b")] }), json!("a\nb")),
            (json!({ "content": [text("")] }), json!("")),
            (json!({ "content": [text("42")], "isError": false }), json!(42)),
            (json!({ "content": [text("123456789012345678901234")] }), json!("123456789012345678901234")),
            (json!({ "content": [text("1.10")] }), json!("1.10")),
            (json!({ "content": [text("x")], "resultType": "complete" }), json!("x")),
        ] {
            assert_eq!(unwrap(result.clone()).unwrap(), expected, "{result}");
        }
        for raw in [
            json!({ "content": [text("a picture"), image] }),
            json!({ "content": [image], "_meta": { "a": 1 } }),
            json!({ "content": [] }),
            json!({ "content": "text" }),
            json!({}),
            json!([1]),
            json!(null),
        ] {
            assert_eq!(unwrap(raw.clone()).unwrap(), raw);
        }
    }

    #[test]
    fn an_error_is_its_text_bounded_and_harmless() {
        let error = |result: Value| unwrap(result).unwrap_err().message().to_owned();
        let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
        assert_eq!(error(json!({ "isError": true, "content": [text("no"), image, text("way")] })), "no\nway");
        assert_eq!(
            error(json!({ "isError": true, "content": [text("\u{1b}[2J")], "structuredContent": 1 })),
            "\\u{1b}[2J"
        );
        let stack =
            "TypeError: no rows\n    at list (/srv/server/index.js:3:7)\n    at async main (/srv/server/index.js:9:1)";
        assert_eq!(error(json!({ "isError": true, "content": [text(stack)] })), "TypeError: no rows");
        for nothing in [json!({ "isError": true }), json!({ "isError": true, "content": [text(" ")] })] {
            assert_eq!(error(nothing), "the tool failed without a message");
        }
        let long = error(json!({ "isError": true, "content": [text(&"x".repeat(1 << 20))] }));
        assert_eq!(long.chars().count(), ERROR_CHARACTERS + 1);
    }

    #[test]
    fn a_result_that_is_not_final_is_an_error() {
        let error = |kind: &str| unwrap(json!({ "resultType": kind })).unwrap_err().message().to_owned();
        assert!(error("input_required").contains("more input"));
        assert!(error("task").contains("`task`"));
    }
}
