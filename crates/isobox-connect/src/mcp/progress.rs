//! Reads progress notifications of a server.

use isobox_core::brief;
use serde_json::{Map, Value};

use super::concealing::Concealing;

/// The maximum number of characters of a progress message.
const MESSAGE_CHARACTERS: usize = 1_000;

/// Returns the token of a progress notification and its value: `progress`, and `total` and `message` if present.
/// Returns `None` for all other messages and for malformed notifications. Secrets are concealed in the message.
pub(super) fn read(message: &Map<String, Value>, secrets: Option<&Concealing>) -> Option<(i64, Value)> {
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
        // Secrets are concealed before the message is shortened, so that no part of one remains.
        let message = secrets.map_or_else(|| message.to_owned(), |secrets| secrets.conceal(message));
        told.insert("message".to_owned(), Value::String(brief(&message, MESSAGE_CHARACTERS)));
    }
    Some((params.get("progressToken")?.as_i64()?, Value::Object(told)))
}
