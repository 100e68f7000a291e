//! What a server tells of the way of a call.

use isobox_core::brief;
use serde_json::{Map, Value};

/// How much of a message is told, in characters.
const MESSAGE_CHARACTERS: usize = 1_000;

/// The token of a progress notification, and what is told: `progress`, and `total` and `message` where they are there.
/// None for every other message, and for one that is not what the protocol says.
pub(super) fn read(message: &Map<String, Value>) -> Option<(i64, Value)> {
    if message.get("method")?.as_str()? != "notifications/progress" {
        return None;
    }
    let params = message.get("params")?.as_object()?;
    let mut told = Map::new();
    told.insert("progress".to_owned(), params.get("progress").filter(|progress| progress.is_number())?.clone());
    if let Some(total) = params.get("total").filter(|total| total.is_number()) {
        told.insert("total".to_owned(), total.clone());
    }
    if let Some(message) = params.get("message").and_then(Value::as_str) {
        let message = brief(message, MESSAGE_CHARACTERS);
        told.insert("message".to_owned(), Value::String(message));
    }
    Some((params.get("progressToken")?.as_i64()?, Value::Object(told)))
}
