//! Finds the content blocks of MCP in the result of a program, so that a model gets an image as an image.

use serde_json::Value;

/// The maximum number of blocks.
const MAX_BLOCKS: usize = 20;

/// Takes images and audio out of a result, and leaves a text in the place of each: `[image: image/png]`.
///
/// They are taken from the result itself, from a list of blocks, and from an object with a list `content`, as MCP servers
/// return it. A block has `type`, `data` in base64 and a usual `mimeType`, and nothing else: a record that only looks like
/// one stays as it is. So do blocks of text, which is marked and cut like any other, blocks above 20, and blocks deeper in
/// the result.
///
/// ```
/// use isobox_server::take_blocks;
/// use serde_json::json;
///
/// let image = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
/// let mut result = json!(["a chart", image]);
/// assert_eq!(take_blocks(&mut result), [image]);
/// assert_eq!(result, json!(["a chart", "[image: image/png]"]));
/// ```
pub fn take_blocks(result: &mut Value) -> Vec<Value> {
    let places: &mut [Value] = match result {
        Value::Array(items) => items,
        Value::Object(entries) if matches!(entries.get("content"), Some(Value::Array(_))) => {
            match entries.get_mut("content") {
                Some(Value::Array(items)) => items,
                _ => return Vec::new(),
            }
        }
        alone => std::slice::from_mut(alone),
    };
    let blocks = places.iter_mut().filter_map(|place| {
        let label = label(place)?;
        Some(std::mem::replace(place, Value::String(label)))
    });
    blocks.take(MAX_BLOCKS).collect()
}

/// Returns the text that stands for a block. None if the value is not a block of an image or of audio.
fn label(value: &Value) -> Option<String> {
    let block = value.as_object().filter(|block| block.len() == 3)?;
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    let (kind, data, mime_type) = (text("type")?, text("data")?, text("mimeType")?);
    let is_usual = match kind {
        "image" => ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&mime_type),
        "audio" => {
            ["audio/wav", "audio/mpeg", "audio/mp3", "audio/ogg", "audio/webm", "audio/flac"].contains(&mime_type)
        }
        _ => false,
    };
    (is_usual && is_base64(data)).then(|| format!("[{kind}: {mime_type}]"))
}

/// Tells whether a text is complete base64 of something.
fn is_base64(text: &str) -> bool {
    let data = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    !data.is_empty() && text.len().is_multiple_of(4) && data.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn blocks_are_taken_where_servers_put_them_and_nothing_else_is() {
        let image = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
        let link = json!({ "type": "resource_link", "uri": "file:///a.txt", "name": "a" });
        let sound = json!({ "type": "audio", "data": "aGkh", "mimeType": "audio/wav" });
        let mut alone = image.clone();
        assert_eq!((take_blocks(&mut alone), alone), (vec![image.clone()], json!("[image: image/png]")));
        let mut listed = json!({ "content": [{ "type": "text", "text": "t" }, image, link, sound], "isError": false });
        assert_eq!(take_blocks(&mut listed), [image.clone(), sound]);
        let left = json!([{ "type": "text", "text": "t" }, "[image: image/png]", link, "[audio: audio/wav]"]);
        assert_eq!(listed["content"], left);
        for other in [
            json!({ "type": "image", "url": "x" }),
            json!({ "type": "image", "data": 7, "mimeType": "image/png" }),
            json!({ "type": "image", "data": "logo.png", "mimeType": "image/png" }),
            json!({ "type": "image", "data": "aGk=", "mimeType": "image/x-odd" }),
            json!({ "type": "image", "data": "aGk=", "mimeType": "image/png", "caption": "a chart" }),
            json!({ "type": "image", "data": "", "mimeType": "image/png" }),
            json!({ "type": "resource", "resource": { "uri": "a:b", "text": "The program is paused" } }),
            json!({ "deep": [image] }),
            json!({ "content": "image" }),
            json!(null),
        ] {
            let mut result = other.clone();
            assert_eq!((take_blocks(&mut result), result), (vec![], other));
        }
        let mut many = Value::Array(vec![image.clone(); 25]);
        assert_eq!(take_blocks(&mut many).len(), 20);
        assert_eq!(many[20], image);
    }
}
