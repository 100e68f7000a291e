//! Encodes bodies: JSON, forms, multipart, text and bytes. Decisions only; no I/O.

use base64::Engine;
use bytes::Bytes;
use isobox_core::brief;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::fields::{FormFields, check_bytes, check_json};
use super::model::{PartEncoding, Style};
use super::operation::{Body, BodyMedia};
use super::serialise::{REPEATED_NAMES, ambiguity, pairs, repeat};
use crate::service::{BASE64, Escape, essence, is_json};

/// Encodes a body. Returns its content type and its bytes.
pub(super) fn encode(
    body: &Body,
    chosen: Option<&str>,
    value: &Value,
    boundary: &str,
) -> Result<(String, Bytes), String> {
    let media = match chosen {
        None => &body.media[0],
        Some(chosen) => {
            let chosen = essence(chosen);
            let known = body.media.iter().find(|media| media.media_type == chosen);
            known.ok_or_else(|| format!("the operation does not take the media type `{}`", brief(&chosen, 80)))?
        }
    };
    let media_type = media.media_type.as_str();
    match media_type {
        "multipart/form-data" => {
            let parts = multipart(media, value, boundary)?;
            Ok((format!("multipart/form-data; boundary={boundary}"), parts.into()))
        }
        "application/x-www-form-urlencoded" => Ok((media_type.to_owned(), form(media, value)?.into())),
        other if is_json(other) => {
            check_json(&media.fields, value)?;
            Ok((other.to_owned(), value.to_string().into()))
        }
        other => {
            let Content { bytes, media_type, .. } = content(value).ok_or_else(|| {
                format!("a body of the type `{}` is a text, or an object with `data` in base64", brief(other, 80))
            })?;
            // A range such as `*/*` is not a type.
            let stated = if other.contains('*') { "application/octet-stream" } else { other };
            let sent = media_type.unwrap_or_else(|| stated.to_owned());
            check_bytes(&sent, &bytes)?;
            Ok((sent, bytes.into()))
        }
    }
}

/// Raw content of a program.
struct Content {
    bytes: Vec<u8>,
    media_type: Option<String>,
    file_name: Option<String>,
}

/// Reads raw content: a text, or an object with `data` in base64. Returns none if the value is neither.
fn content(value: &Value) -> Option<Content> {
    match value {
        Value::String(text) => Some(Content { bytes: text.clone().into_bytes(), media_type: None, file_name: None }),
        Value::Object(entries) => {
            let text = |key: &str| entries.get(key).and_then(Value::as_str).map(str::to_owned);
            let bytes = BASE64.decode(entries.get("data")?.as_str()?).ok()?;
            Some(Content { bytes, media_type: text("mimeType"), file_name: text("fileName") })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

fn form(media: &BodyMedia, value: &Value) -> Result<String, String> {
    let Value::Object(fields) = value else {
        return Err("the body has to be an object with the fields of a form".to_owned());
    };
    let (declared, mut encoded, mut room) = (FormFields::of(media), Vec::new(), REPEATED_NAMES);
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
        let encoding = media.encoding.get(name);
        let (style, explode) = encoding.and_then(|encoding| encoding.style).unwrap_or((Style::Form, true));
        let is_json_part =
            encoding.and_then(|encoding| encoding.content_type.as_deref()).is_some_and(|one| is_json(&essence(one)));
        let sent = if is_json_part || (value.is_object() && encoding.and_then(|encoding| encoding.style).is_none()) {
            pairs(name, &Value::String(value.to_string()), Style::Form, true, Escape::All, &mut room)?
        } else {
            check_separators(name, value, style, explode, Escape::All)?;
            pairs(name, value, style, explode, Escape::All, &mut room)?
        };
        declared.check(name, &sent)?;
        encoded.extend(sent);
    }
    let fields: Vec<String> = encoded.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    Ok(fields.join("&"))
}

/// Refuses a value that a service would take apart in other places than those where it was put together.
fn check_separators(name: &str, value: &Value, style: Style, explode: bool, how: Escape) -> Result<(), String> {
    match ambiguity(value, style, explode, how) {
        None => Ok(()),
        Some(separator) => Err(format!(
            "the field `{}` contains {separator:?}, which separates values there: the service would read other values",
            brief(name, 80)
        )),
    }
}

fn multipart(media: &BodyMedia, value: &Value, boundary: &str) -> Result<Vec<u8>, String> {
    let Value::Object(fields) = value else {
        return Err("the body has to be an object with the parts of a form".to_owned());
    };
    let declared = FormFields::of(media);
    let (mut sent, mut count, mut room) = (Vec::new(), 0, REPEATED_NAMES);
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
        declared.check_name(name, name)?;
        let encoding = media.encoding.get(name);
        let stated = encoding.and_then(|encoding| encoding.content_type.as_deref());
        let joined = joined(name, value, encoding)?;
        // Each element of a list is a part, unless they are joined.
        let values = match joined.as_ref().unwrap_or(value) {
            Value::Array(items) => items.as_slice(),
            other => std::slice::from_ref(other),
        };
        repeat(&quoted(name), values.len(), &mut room)?;
        for value in values {
            part(&mut sent, name, value, stated, boundary)?;
        }
        count += values.len();
    }
    let text = String::from_utf8_lossy(&sent);
    if text.matches(&format!("--{boundary}")).count() > count {
        return Err("a part of the body contains the boundary between parts".to_owned());
    }
    sent.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok(sent)
}

/// Returns the text of a list whose items are one part, with separators between them. Returns none if the value is not one.
fn joined(name: &str, value: &Value, encoding: Option<&PartEncoding>) -> Result<Option<Value>, String> {
    let Some(PartEncoding { content_type: None, style: Some((style, false)) }) = encoding else { return Ok(None) };
    let is_single = |item: &Value| !item.is_object() && !item.is_array();
    let is_list = value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(is_single));
    if !is_list || *style == Style::DeepObject {
        return Ok(None);
    }
    // Nothing is escaped in a part.
    check_separators(name, value, *style, false, Escape::Nothing)?;
    let sent = pairs(name, value, *style, false, Escape::All, &mut { REPEATED_NAMES })?;
    let text = sent.iter().map(|(_, text)| percent_decode_str(text).decode_utf8_lossy()).collect();
    Ok(Some(Value::String(text)))
}

fn part(sent: &mut Vec<u8>, name: &str, value: &Value, stated: Option<&str>, boundary: &str) -> Result<(), String> {
    let is_file = value.get("data").is_some_and(Value::is_string);
    let (bytes, media_type, file_name) = match value {
        _ if is_file => match content(value) {
            Some(Content { bytes, media_type, file_name }) => {
                let media_type = media_type.or_else(|| stated.map(str::to_owned));
                let media_type = media_type.unwrap_or_else(|| "application/octet-stream".to_owned());
                (bytes, Some(media_type), Some(file_name.unwrap_or_else(|| "file".to_owned())))
            }
            None if is_meant_as_file(value, stated) => {
                return Err(format!(
                    "the `data` of the file `{}` is not base64: it has to be the standard alphabet (`+` and `/`) on one line",
                    brief(name, 80)
                ));
            }
            // An object with other data is JSON.
            None => (value.to_string().into_bytes(), Some("application/json".to_owned()), None),
        },
        Value::String(text) => (text.clone().into_bytes(), stated.map(str::to_owned), None),
        Value::Object(_) | Value::Array(_) => {
            (value.to_string().into_bytes(), Some(stated.unwrap_or("application/json").to_owned()), None)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            (value.to_string().into_bytes(), stated.map(str::to_owned), None)
        }
    };
    let mut head = format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{}\"", quoted(name));
    if let Some(file_name) = file_name {
        head.push_str(&format!("; filename=\"{}\"", quoted(&file_name)));
    }
    if let Some(media_type) = media_type {
        head.push_str(&format!("\r\ncontent-type: {}", one_line(&media_type)));
    }
    sent.extend_from_slice(head.as_bytes());
    sent.extend_from_slice(b"\r\n\r\n");
    sent.extend_from_slice(&bytes);
    sent.extend_from_slice(b"\r\n");
    Ok(())
}

/// Tells whether an object with `data` can only be a file: it names a type or a file, or has nothing else and is not stated to
/// be JSON.
fn is_meant_as_file(value: &Value, stated: Option<&str>) -> bool {
    let names_file = ["mimeType", "fileName"].iter().any(|key| value.get(key).is_some_and(Value::is_string));
    let is_json_part = stated.is_some_and(|one| is_json(&essence(one)));
    let is_alone = || value.as_object().is_some_and(|entries| entries.keys().all(|key| key == "data" || key == "type"));
    names_file || (!is_json_part && is_alone())
}

/// Escapes a name in a header of a part, as browsers do. Some services read a backslash as an escape, so that it would keep the name
/// from ending, and a null character as the end of the header.
fn quoted(text: &str) -> String {
    let escaped = text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
    escaped.replace('\\', "%5C").replace('\0', "%00")
}

fn one_line(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::super::model::PartEncoding;
    use super::*;

    fn body(media_types: &[&str], encoding: &BTreeMap<String, PartEncoding>) -> Body {
        let media =
            |one: &&str| BodyMedia { media_type: (*one).to_owned(), encoding: encoding.clone(), fields: Vec::new() };
        Body { property: "body".to_owned(), media_property: None, media: media_types.iter().map(media).collect() }
    }

    fn encoded(media_type: &str, value: Value) -> Result<(String, String), String> {
        let (media_type, bytes) = encode(&body(&[media_type], &BTreeMap::new()), None, &value, "XX")?;
        Ok((media_type, String::from_utf8_lossy(&bytes).into_owned()))
    }

    #[test]
    fn a_body_is_encoded_in_its_media_type() {
        for (media_type, value, expected) in [
            ("application/json", json!({ "a": [1] }), r#"{"a":[1]}"#),
            ("application/merge-patch+json", json!(null), "null"),
            (
                "application/x-www-form-urlencoded",
                json!({ "a": "x y&", "b": [1, 2], "c": null, "d": { "e": 1 } }),
                "a=x%20y%26&b=1&b=2&d=%7B%22e%22%3A1%7D",
            ),
            ("text/plain", json!("Hello"), "Hello"),
            ("application/xml", json!("<a/>"), "<a/>"),
            ("application/octet-stream", json!({ "data": "AAEC" }), "\0\u{1}\u{2}"),
        ] {
            assert_eq!(encoded(media_type, value), Ok((media_type.to_owned(), expected.to_owned())));
        }
        let typed = encoded("*/*", json!({ "data": "aGk", "mimeType": "image/png" })).unwrap();
        assert_eq!(typed, ("image/png".to_owned(), "hi".to_owned()));
        assert_eq!(encoded("image/*", json!("x")).unwrap().0, "application/octet-stream");
        for (media_type, value) in [
            ("text/plain", json!(7)),
            ("application/octet-stream", json!({ "data": "not base64!" })),
            ("multipart/form-data", json!("x")),
            ("application/x-www-form-urlencoded", json!([1])),
        ] {
            assert!(encoded(media_type, value.clone()).is_err(), "{media_type} {value}");
        }
    }

    #[test]
    fn the_program_chooses_among_the_media_types() {
        let body = body(&["application/json", "text/plain"], &BTreeMap::new());
        let chosen = |one: &str| encode(&body, Some(one), &json!("x"), "XX").map(|(_, bytes)| bytes);
        assert_eq!(chosen("text/plain").unwrap(), "x");
        assert_eq!(chosen("Application/JSON; charset=utf-8").unwrap(), "\"x\"");
        assert!(chosen("text/html").unwrap_err().contains("`text/html`"));
    }

    #[test]
    fn parts_are_separated_and_cannot_be_forged() {
        let (media_type, sent) = encoded(
            "multipart/form-data",
            json!({ "a\"\r\nb": "1", "list": ["x", 2], "file": { "data": "aGk=", "mimeType": "image/png\r\nx: y", "fileName": "a\"b.png" },
                    "object": { "k": 1 }, "none": null }),
        )
        .unwrap();
        assert_eq!(media_type, "multipart/form-data; boundary=XX");
        let expected = [
            "--XX",
            "content-disposition: form-data; name=\"a%22%0D%0Ab\"",
            "",
            "1",
            "--XX",
            "content-disposition: form-data; name=\"list\"",
            "",
            "x",
            "--XX",
            "content-disposition: form-data; name=\"list\"",
            "",
            "2",
            "--XX",
            "content-disposition: form-data; name=\"file\"; filename=\"a%22b.png\"",
            "content-type: image/pngx: y",
            "",
            "hi",
            "--XX",
            "content-disposition: form-data; name=\"object\"",
            "content-type: application/json",
            "",
            "{\"k\":1}",
            "--XX--",
            "",
        ];
        assert_eq!(sent, expected.join("\r\n"));
        assert!(encoded("multipart/form-data", json!({ "a": "x\r\n--XX\r\nforged" })).is_err());
        let many = json!({ "n".repeat(100_000): vec![1; 100_000] });
        for media_type in ["multipart/form-data", "application/x-www-form-urlencoded"] {
            assert!(encoded(media_type, many.clone()).unwrap_err().contains("repeated for too many values"));
        }
        let file = json!({ "data": "aGk=", "fileName": "; name=_method; x=\0" });
        let (_, sent) = encoded("multipart/form-data", json!({ "a\\": file })).unwrap();
        assert!(sent.contains(r#"name="a%5C"; filename="; name=_method; x=%00""#), "{sent}");
    }

    #[test]
    fn a_file_whose_data_is_not_base64_is_refused() {
        for data in ["AAE-_w", "@@@@", "AAEC\nAwQF", "AAE=x", "A"] {
            for file in [
                json!({ "data": data }),
                json!({ "data": data, "fileName": "x.bin" }),
                json!({ "data": data, "mimeType": "image/png", "type": "image" }),
            ] {
                for value in [json!({ "file": file }), json!({ "file": [{ "data": "AAEC" }, file] })] {
                    let error = encoded("multipart/form-data", value).unwrap_err();
                    assert!(error.contains("the `data` of the file `file` is not base64"), "{data:?}: {error}");
                }
            }
        }
        // Other objects that happen to have such a field are JSON.
        let (_, sent) = encoded("multipart/form-data", json!({ "note": { "data": "no file", "kind": 1 } })).unwrap();
        assert!(sent.contains(r#"{"data":"no file","kind":1}"#), "{sent}");
        let stated = PartEncoding { content_type: Some("application/json".to_owned()), style: None };
        let body = body(&["multipart/form-data"], &BTreeMap::from([("note".to_owned(), stated)]));
        assert!(encode(&body, None, &json!({ "note": { "data": "no file" } }), "XX").is_ok());
        assert!(encode(&body, None, &json!({ "note": { "data": "no file", "fileName": "x" } }), "XX").is_err());
    }

    #[test]
    fn a_list_is_one_part_where_the_document_says_so() {
        let encoding = |style: Style, explode: bool| PartEncoding { content_type: None, style: Some((style, explode)) };
        let encodings = [
            ("csv", encoding(Style::Form, false)),
            ("ssv", encoding(Style::SpaceDelimited, false)),
            ("tsv", encoding(Style::TabDelimited, false)),
            ("pipes", encoding(Style::PipeDelimited, false)),
            ("multi", encoding(Style::Form, true)),
        ];
        let encodings = encodings.map(|(name, encoding)| (name.to_owned(), encoding)).into();
        let body = body(&["multipart/form-data"], &encodings);
        let sent = |value: Value| encode(&body, None, &value, "XX").map(|(_, bytes)| bytes);
        for (name, items, expected) in [
            ("csv", json!(["a", "é %2C", 1, true]), &["a,é %2C,1,true"][..]),
            ("csv", json!(["a"]), &["a"]),
            ("csv", json!([]), &[]),
            ("csv", json!("a,b"), &["a,b"]),
            ("ssv", json!(["a", "b,c"]), &["a b,c"]),
            ("tsv", json!(["a", "b c"]), &["a\tb c"]),
            ("pipes", json!(["a", "b"]), &["a|b"]),
            ("multi", json!(["a,b", "c"]), &["a,b", "c"]),
            ("other", json!(["a", "b"]), &["a", "b"]),
        ] {
            let part =
                |text: &&str| format!("--XX\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
            let parts = expected.iter().map(part).collect::<String>();
            assert_eq!(sent(json!({ name: items })).unwrap(), format!("{parts}--XX--\r\n"), "{name} {items}");
        }
        // Files are parts of their own.
        let files = sent(json!({ "csv": [{ "data": "aGk=" }, { "data": "aG8=" }] })).unwrap();
        assert_eq!(String::from_utf8_lossy(&files).matches("filename=\"file\"").count(), 2);
        for (name, items) in [("csv", json!(["a", "b,c"])), ("pipes", json!(["a|b"]))] {
            let error = sent(json!({ name: items })).unwrap_err();
            assert!(error.contains("which separates values there"), "{name}: {error}");
        }
        assert!(sent(json!({ "csv": ["a", "b\r\n--XX\r\nforged"] })).is_err());
    }
}
