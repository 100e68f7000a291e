//! Finds the content blocks of MCP in the result of a program, so that a model gets an image as an image.

use serde_json::{Map, Value, json};

/// The maximum number of blocks.
const MAX_BLOCKS: usize = 20;
/// The maximum size of the bytes of all blocks, as base64.
const MAX_BYTES: usize = 8 << 20;
/// The maximum number of levels that are searched.
const MAX_DEPTH: usize = 32;
/// The maximum length of a URI, and of each text of a link, in bytes.
const MAX_URI: usize = 2_000;
const MAX_TEXT: usize = 1_000;

/// Takes the blocks out of a result that are more than text for a model: images, audio, resources with bytes, and links to
/// resources. Leaves a text in the place of bytes: `[image: image/png, 12.3 kB]`. A link stays where it is, too.
///
/// A block has exactly the parts that MCP gives it, with complete base64, a plausible type and a plausible URI. A record
/// that only looks like one stays as it is. So do blocks of text and resources with text, which are marked and cut like
/// any other text, blocks above 20, and blocks above 8 MiB of base64 together. `annotations` and `_meta` of a block are
/// not passed on.
///
/// ```
/// use isobox_server::take_blocks;
/// use serde_json::json;
///
/// let image = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
/// let mut result = json!({ "title": "a chart", "chart": image });
/// assert_eq!(take_blocks(&mut result), [image]);
/// assert_eq!(result, json!({ "title": "a chart", "chart": "[image: image/png, 2 bytes]" }));
/// ```
pub fn take_blocks(result: &mut Value) -> Vec<Value> {
    let mut taking = Taking { blocks: Vec::new(), room: MAX_BYTES };
    taking.search(result, MAX_DEPTH);
    taking.blocks
}

struct Taking {
    blocks: Vec<Value>,
    /// The number of bytes of base64 that may still be taken.
    room: usize,
}

impl Taking {
    fn search(&mut self, value: &mut Value, depth: usize) {
        if self.blocks.len() == MAX_BLOCKS || self.take(value) {
            return;
        }
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.search(item, depth)),
            Value::Object(entries) => entries.values_mut().for_each(|entry| self.search(entry, depth)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Takes a value if it is a block. Returns whether it is one.
    fn take(&mut self, value: &mut Value) -> bool {
        let Some(Block { block, data, label }) = value.as_object().and_then(read) else { return false };
        let Some(room) = self.room.checked_sub(data) else { return false };
        self.room = room;
        self.blocks.push(block);
        if let Some(label) = label {
            *value = Value::String(label);
        }
        true
    }
}

/// A block that was found.
struct Block {
    /// The block without `annotations` and `_meta`.
    block: Value,
    /// The length of its base64.
    data: usize,
    /// The text in its place, if it has bytes.
    label: Option<String>,
}

fn read(block: &Map<String, Value>) -> Option<Block> {
    match block.get("type")?.as_str()? {
        kind @ ("image" | "audio") => {
            let [data, mime_type] = texts(block, ["data", "mimeType"])?;
            has_only(block, &["type", "data", "mimeType"])?;
            is_usual(kind, mime_type).then_some(())?;
            let label = format!("[{kind}: {mime_type}, {}]", size(decoded_length(data)?));
            let block = json!({ "type": kind, "data": data, "mimeType": mime_type });
            Some(Block { block, data: data.len(), label: Some(label) })
        }
        "resource" => {
            has_only(block, &["type", "resource"])?;
            let resource = block.get("resource")?.as_object()?;
            let [blob, uri] = texts(resource, ["blob", "uri"])?;
            has_only(resource, &["blob", "uri", "mimeType"])?;
            is_uri(uri).then_some(())?;
            let mime_type = optional_text(resource, "mimeType")?;
            let shown = mime_type.unwrap_or("application/octet-stream");
            is_mime_type(shown).then_some(())?;
            let label = format!("[resource: {uri}, {shown}, {}]", size(decoded_length(blob)?));
            let mut sent = json!({ "uri": uri, "blob": blob });
            if let Some(mime_type) = mime_type {
                sent["mimeType"] = Value::from(mime_type);
            }
            let block = json!({ "type": "resource", "resource": sent });
            Some(Block { block, data: blob.len(), label: Some(label) })
        }
        "resource_link" => {
            let [uri, name] = texts(block, ["uri", "name"])?;
            has_only(block, &["type", "uri", "name", "title", "description", "mimeType", "size", "icons"])?;
            is_uri(uri).then_some(())?;
            let mut link = json!({ "type": "resource_link", "uri": uri, "name": plausible(name)? });
            for key in ["title", "description", "mimeType"] {
                if let Some(text) = optional_text(block, key)? {
                    (key != "mimeType" || is_mime_type(text)).then_some(())?;
                    link[key] = Value::from(plausible(text)?);
                }
            }
            if let Some(size) = block.get("size") {
                link["size"] = Value::from(u32::try_from(size.as_u64()?).ok()?);
            }
            Some(Block { block: link, data: 0, label: None })
        }
        _ => None,
    }
}

/// Checks that an object has no other parts than these, `annotations` and `_meta`.
fn has_only(object: &Map<String, Value>, keys: &[&str]) -> Option<()> {
    object.keys().all(|key| keys.contains(&key.as_str()) || key == "annotations" || key == "_meta").then_some(())
}

fn texts<'b>(object: &'b Map<String, Value>, keys: [&str; 2]) -> Option<[&'b str; 2]> {
    let [one, other] = keys.map(|key| object.get(key).and_then(Value::as_str));
    Some([one?, other?])
}

/// Returns the text, or none if it is missing. Fails if it is something else.
fn optional_text<'b>(object: &'b Map<String, Value>, key: &str) -> Option<Option<&'b str>> {
    match object.get(key) {
        None | Some(Value::Null) => Some(None),
        Some(text) => Some(Some(text.as_str()?)),
    }
}

fn plausible(text: &str) -> Option<&str> {
    (!text.is_empty() && text.len() <= MAX_TEXT && !text.chars().any(char::is_control)).then_some(text)
}

/// Tells whether models know this type.
fn is_usual(kind: &str, mime_type: &str) -> bool {
    match kind {
        "image" => ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&mime_type),
        _ => ["audio/wav", "audio/mpeg", "audio/mp3", "audio/ogg", "audio/webm", "audio/flac"].contains(&mime_type),
    }
}

/// Tells whether a text is like `text/plain; charset=utf-8`.
fn is_mime_type(text: &str) -> bool {
    let is_visible = |byte: u8| matches!(byte, b' '..=b'~');
    let essence = text.split(';').next().unwrap_or_default().trim_end();
    let is_token = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    text.len() <= 200
        && text.bytes().all(is_visible)
        && essence.split_once('/').is_some_and(|(one, two)| is_token(one) && is_token(two))
}

/// Tells whether a text is a URI that a client may show: with a scheme, without spaces, and not one that holds code or
/// data.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let is_active = ["data", "javascript", "vbscript"].iter().any(|active| scheme.eq_ignore_ascii_case(active));
    let is_plain = |one: char| !one.is_control() && !one.is_whitespace();
    is_scheme && !is_active && !rest.is_empty() && text.len() <= MAX_URI && rest.chars().all(is_plain)
}

/// Returns the number of bytes that base64 stands for. None if the text is not complete base64 of something.
fn decoded_length(text: &str) -> Option<usize> {
    let data = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    let is_whole = !data.is_empty() && text.len().is_multiple_of(4) && data.bytes().all(is_digit);
    is_whole.then(|| data.len() * 3 / 4)
}

/// Returns a size in words: `12.3 kB`.
fn size(bytes: usize) -> String {
    let tenths = |unit: usize| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", tenths(1_000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> Value {
        json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" })
    }

    fn link() -> Value {
        json!({ "type": "resource_link", "uri": "file:///a.txt", "name": "a", "mimeType": "text/plain", "size": 7 })
    }

    #[test]
    fn blocks_are_taken_wherever_they_are_and_leave_a_text_in_place_of_bytes() {
        let (image, link) = (image(), link());
        let sound = json!({ "type": "audio", "data": "aGkh", "mimeType": "audio/wav" });
        let blob = "QUJD".repeat(5_000);
        let file =
            json!({ "type": "resource", "resource": { "uri": "a:b", "blob": blob, "mimeType": "application/gzip" } });
        let mut alone = image.clone();
        assert_eq!((take_blocks(&mut alone), alone), (vec![image.clone()], json!("[image: image/png, 2 bytes]")));
        let mut listed =
            json!({ "content": [{ "type": "text", "text": "t" }, image, link, sound, file], "isError": false });
        assert_eq!(take_blocks(&mut listed), [image.clone(), link.clone(), sound, file]);
        let left = json!([
            { "type": "text", "text": "t" }, "[image: image/png, 2 bytes]", link, "[audio: audio/wav, 3 bytes]",
            "[resource: a:b, application/gzip, 15.0 kB]",
        ]);
        assert_eq!(listed["content"], left, "the text of a link costs little, and is read by every client");
        let mut deep = json!({ "rows": 2, "charts": [{ "chart": image }] });
        assert_eq!(take_blocks(&mut deep), [image]);
        assert_eq!(deep, json!({ "rows": 2, "charts": [{ "chart": "[image: image/png, 2 bytes]" }] }));
    }

    #[test]
    fn what_is_not_exactly_a_block_stays_as_it_is() {
        let resource = |resource: Value| json!({ "type": "resource", "resource": resource });
        for other in [
            json!({ "type": "image", "url": "x" }),
            json!({ "type": "image", "data": 7, "mimeType": "image/png" }),
            json!({ "type": "image", "data": "logo.png", "mimeType": "image/png" }),
            json!({ "type": "image", "data": "aGk=", "mimeType": "image/x-odd" }),
            json!({ "type": "image", "data": "aGk=", "mimeType": "image/png", "caption": "a chart" }),
            json!({ "type": "image", "data": "", "mimeType": "image/png" }),
            resource(json!({ "uri": "a:b", "text": "The program is paused" })),
            resource(json!({ "uri": "a:b", "blob": "not base64" })),
            resource(json!({ "uri": "a:b", "blob": "aGk=", "text": "both" })),
            resource(json!({ "uri": "no scheme", "blob": "aGk=" })),
            resource(json!({ "uri": "a:b", "blob": "aGk=", "mimeType": "odd\ntype" })),
            json!({ "type": "resource_link", "uri": "javascript:alert(1)", "name": "a" }),
            json!({ "type": "resource_link", "uri": "data:text/html,x", "name": "a" }),
            json!({ "type": "resource_link", "uri": "a:b", "name": "a\nb" }),
            json!({ "type": "resource_link", "uri": "a:b", "name": "a", "size": -1 }),
            json!({ "type": "resource_link", "uri": format!("a:{}", "b".repeat(MAX_URI)), "name": "a" }),
            json!({ "type": "resource_link", "uri": "a:b" }),
            json!({ "content": "image" }),
            json!(null),
        ] {
            let mut result = other.clone();
            assert_eq!((take_blocks(&mut result), result), (vec![], other));
        }
    }

    #[test]
    fn remarks_of_a_server_on_a_block_are_not_passed_on() {
        let mut result = json!([image(), link()]);
        for block in result.as_array_mut().expect("a list") {
            block["annotations"] = json!({ "audience": ["user"] });
            block["_meta"] = json!({ "ui": "https://example.com" });
        }
        assert_eq!(take_blocks(&mut result), [image(), link()]);
    }

    #[test]
    fn many_large_or_deep_blocks_stay_where_they_are() {
        let mut many = Value::Array(vec![image(); 25]);
        assert_eq!(take_blocks(&mut many).len(), 20);
        assert_eq!(many[20], image());
        let large = json!({ "type": "image", "data": "AAAA".repeat(MAX_BYTES / 8 + 1), "mimeType": "image/png" });
        let mut both = json!([large, large, image()]);
        assert_eq!(take_blocks(&mut both), [large.clone(), image()]);
        assert_eq!(both[1], large);
        let mut deep = (0..40).fold(image(), |inner, _| json!([inner]));
        assert!(take_blocks(&mut deep).is_empty());
    }
}
