//! Converts the result of an MCP tool to the value that a program gets.

use std::borrow::Cow;
use std::collections::HashSet;

use isobox_core::{OneLine, ToolError, brief, lines_without_escapes, parse_json, shorten, without_stacks};
use serde_json::{Map, Value, json};

/// The maximum number of characters of an error text that reach the program.
const ERROR_CHARACTERS: usize = 4_000;

/// The key of the blocks that a server sends beside structured content.
const BLOCKS: &str = "_content";

/// Extracts the value of a result, in this order: the `toolResult` of an old server; the text of an error; structured
/// content; the text, parsed if it is JSON; otherwise the result itself with its images and links.
///
/// Images, audio, links and resources beside structured content are added to it under `_content`, unless it has them
/// itself. If there is no room for them, because it is not an object or has that key, the result itself is the value.
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
    check_is_final(fields)?;
    match fields.get("structuredContent") {
        None | Some(Value::Null) => {}
        Some(structured) => {
            let blocks = blocks_beside(structured, fields.get("content"));
            if blocks.is_empty() {
                return Ok(fields.remove("structuredContent").unwrap_or_default());
            }
            return Ok(match fields.get_mut("structuredContent").map(Value::take) {
                Some(Value::Object(mut structured)) if !structured.contains_key(BLOCKS) => {
                    structured.insert(BLOCKS.to_owned(), Value::Array(blocks));
                    Value::Object(structured)
                }
                structured => {
                    fields.insert("structuredContent".to_owned(), structured.unwrap_or_default());
                    result
                }
            });
        }
    }
    match text {
        Some(text) if is_all_text(fields.get("content")) => Ok(value_of(text)),
        Some(_) | None => Ok(result),
    }
}

/// Returns the result of a request that is not a call of a tool, without the parts that only the protocol needs.
pub(super) fn unwrap_function(mut result: Value) -> Result<Value, ToolError> {
    if let Some(fields) = result.as_object_mut() {
        check_is_final(fields)?;
        for key in ["resultType", "_meta", "ttlMs", "cacheScope"] {
            fields.remove(key);
        }
    }
    Ok(result)
}

fn check_is_final(fields: &Map<String, Value>) -> Result<(), ToolError> {
    match fields.get("resultType").and_then(Value::as_str) {
        None | Some("complete") => Ok(()),
        Some("input_required") => {
            Err(ToolError::new("the tool asks for more input during the call, which is not supported"))
        }
        Some(other) => {
            let other = brief(other, 80);
            Err(ToolError::new(format!("the tool returned an unsupported kind of result: `{other}`")))
        }
    }
}

/// Returns the kind of a result if it is one that is quoted in an error, because it is not supported.
pub(super) fn unsupported_kind(result: &mut Value) -> Option<&mut Value> {
    let kind = result.get_mut("resultType")?;
    let is_quoted = !matches!(kind.as_str(), None | Some("complete" | "input_required"));
    is_quoted.then_some(kind)
}

/// Declares the blocks that [`unwrap`] adds in an output schema, so that they are valid and models know about them. They may
/// come beside every structured content that is an object.
///
/// A schema that says more about the names of properties than which there are stays as it is.
pub(super) fn declare_blocks(mut schema: Value) -> Value {
    const ABOUT_NAMES: [&str; 3] = ["propertyNames", "patternProperties", "maxProperties"];
    let Some(fields) = schema.as_object_mut() else { return schema };
    let is_object = fields.get("type").and_then(Value::as_str) == Some("object");
    let is_open_or_closed = fields.get("additionalProperties").is_none_or(Value::is_boolean);
    if is_object
        && is_open_or_closed
        && !ABOUT_NAMES.iter().any(|key| fields.contains_key(*key))
        && let Some(properties) = fields.entry("properties").or_insert_with(|| json!({})).as_object_mut()
    {
        properties.entry(BLOCKS).or_insert_with(blocks_schema);
    }
    schema
}

/// Returns the schema of the blocks, as short as it can be: it is in the declaration of every tool with structured content.
fn blocks_schema() -> Value {
    let block = json!({ "type": "object", "required": ["type"], "properties": { "type": { "type": "string" } } });
    json!({ "type": "array", "items": block })
}

/// Returns the blocks of the content, other than text, that structured content does not have itself.
fn blocks_beside(structured: &Value, content: Option<&Value>) -> Vec<Value> {
    let blocks = content.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut others: Vec<&Value> = blocks.iter().filter(|block| block.is_object() && text_of(block).is_none()).collect();
    if others.is_empty() {
        return Vec::new();
    }
    let mut texts = HashSet::new();
    add_texts(structured, &mut texts);
    others.retain(|block| !payload(block).is_some_and(|payload| texts.contains(payload)));
    others.into_iter().cloned().collect()
}

/// Returns the part of a block that identifies it: its bytes, its text or its address.
fn payload(block: &Value) -> Option<&str> {
    let resource = block.get("resource");
    let part = |key: &str| resource.and_then(|resource| resource.get(key));
    [block.get("data"), part("blob"), part("text"), block.get("uri"), part("uri")]
        .into_iter()
        .flatten()
        .find_map(Value::as_str)
}

/// Adds the texts of a value, at every level.
fn add_texts<'v>(value: &'v Value, texts: &mut HashSet<&'v str>) {
    match value {
        Value::String(text) => {
            texts.insert(text);
        }
        Value::Array(items) => items.iter().for_each(|item| add_texts(item, texts)),
        Value::Object(entries) => entries.values().for_each(|entry| add_texts(entry, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
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
    let parsed = parse_json(with_long_integers_as_texts(&text).as_bytes());
    match parsed {
        Ok(Value::Number(number)) if number.to_string() != text.trim() => Value::String(text),
        Ok(value) => value,
        Err(_) => Value::String(text),
    }
}

/// Writes the integers of a JSON text that a program cannot hold as texts. They are more often identifiers than quantities, and would
/// lose their last digits.
fn with_long_integers_as_texts(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let (mut written, mut copied, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let is_of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                let end = at + bytes[at..].iter().take_while(|byte| is_of_number(byte)).count();
                if is_long_integer(&json[at..end]) {
                    written.push_str(&format!("{}\"{}\"", &json[copied..at], &json[at..end]));
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if copied == 0 { Cow::Borrowed(json) } else { Cow::Owned(written + &json[copied..]) }
}

/// Returns the place behind a string of JSON that begins here.
fn end_of_string(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
}

/// Tells whether a number of JSON is an integer that JavaScript cannot hold exactly.
fn is_long_integer(number: &str) -> bool {
    const LARGEST: u64 = (1 << 53) - 1;
    let digits = number.strip_prefix('-').unwrap_or(number);
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.parse::<u64>().is_ok_and(|integer| integer <= LARGEST)
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
            (json!({ "content": [text("9007199254740993")] }), json!("9007199254740993")),
            (
                json!({ "content": [text(r#"{"ids":[9007199254740991, -9007199254740993],"a\\\"1":12345678901234567890}"#)] }),
                json!({ "ids": [9_007_199_254_740_991_u64, "-9007199254740993"], "a\\\"1": "12345678901234567890" }),
            ),
            (
                json!({ "content": [text(r#"["12345678901234567890",1.5,1e30]"#)] }),
                json!(["12345678901234567890", 1.5, 1e30]),
            ),
            (json!({ "content": [text("call 12345678901234567890")] }), json!("call 12345678901234567890")),
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
    fn images_beside_structured_content_are_not_lost() {
        let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
        let link = json!({ "type": "resource_link", "uri": "a:b", "name": "b" });
        let page = json!({ "type": "resource", "resource": { "uri": "a:c", "blob": "BBBB" } });
        let content = json!([text("words"), image, link, page]);
        let of = |structured: Value| unwrap(json!({ "structuredContent": structured, "content": content })).unwrap();
        assert_eq!(of(json!({ "a": 1 })), json!({ "a": 1, "_content": [image, link, page] }));
        let carried = json!({ "shots": [{ "bytes": "AAAA" }], "link": "a:b", "page": "BBBB" });
        assert_eq!(of(carried.clone()), carried, "it has them itself");
        for no_room in [json!([1]), json!(7), json!({ "_content": "its own" })] {
            assert_eq!(of(no_room.clone()), json!({ "structuredContent": no_room, "content": content }));
        }
    }

    #[test]
    fn the_blocks_beside_a_value_are_declared_where_they_can_be() {
        for (schema, expected) in [
            (
                json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": false }),
                json!({ "type": "object", "properties": { "a": {}, "_content": blocks_schema() }, "additionalProperties": false }),
            ),
            (json!({ "type": "object" }), json!({ "type": "object", "properties": { "_content": blocks_schema() } })),
        ] {
            assert_eq!(declare_blocks(schema.clone()), expected, "{schema}");
        }
        for other in [
            json!(false),
            json!({ "type": "array" }),
            json!({ "type": "object", "properties": { "_content": { "type": "string" } } }),
            json!({ "type": "object", "additionalProperties": { "type": "number" } }),
            json!({ "type": "object", "properties": { "a": {} }, "patternProperties": { "b": {} } }),
            json!({ "type": "object", "propertyNames": { "enum": ["a"] } }),
        ] {
            assert_eq!(declare_blocks(other.clone()), other);
        }
    }

    #[test]
    fn a_result_of_a_function_has_only_its_own_parts() {
        let result =
            json!({ "contents": [], "_meta": {}, "resultType": "complete", "ttlMs": 1, "cacheScope": "public" });
        assert_eq!(unwrap_function(result).unwrap(), json!({ "contents": [] }));
        assert_eq!(unwrap_function(json!([1])).unwrap(), json!([1]));
        assert!(unwrap_function(json!({ "resultType": "input_required" })).is_err());
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
