//! Conceals the secrets of a server in what it sends: in what programs get of it, and where it is quoted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use crate::secrets::Secrets;

/// The secrets of a server, with the tokens that were sent to it.
pub(super) struct Concealing {
    /// The secrets of the configuration.
    configured: Known,
    current: Mutex<Current>,
}

/// The values that are concealed.
#[derive(Clone)]
struct Known {
    /// The values that are concealed where the server is quoted: everything that the configuration took from the
    /// environment, and all values of headers or variables.
    quoted: Arc<Secrets>,
    /// The values that are concealed in results: credentials only. The rest of the configuration, such as a folder or a
    /// version, is ordinary data, and a result without it would be wrong.
    credentials: Arc<Secrets>,
}

struct Current {
    known: Known,
    /// The tokens that were sent, the newest one last.
    tokens: VecDeque<String>,
}

/// The maximum number of tokens that are concealed. A server may answer a request after another token was sent.
const MAX_TOKENS: usize = 8;

impl Concealing {
    /// Conceals `quoted` where the server is quoted, and `credentials` in results.
    pub(super) fn new(quoted: Secrets, credentials: Secrets) -> Self {
        let configured = Known { quoted: Arc::new(quoted), credentials: Arc::new(credentials) };
        let current = Current { known: configured.clone(), tokens: VecDeque::new() };
        Self { configured, current: Mutex::new(current) }
    }

    /// Adds a token. Call it before the token is sent.
    pub(super) fn add(&self, token: &str) {
        let mut current = self.current();
        if current.tokens.iter().any(|known| known == token) {
            return;
        }
        if current.tokens.len() == MAX_TOKENS {
            current.tokens.pop_front();
        }
        current.tokens.push_back(token.to_owned());
        let with_tokens = |secrets: &Secrets| Arc::new(secrets.with(current.tokens.iter().map(String::as_str)));
        let Known { quoted, credentials } = &self.configured;
        let known = Known { quoted: with_tokens(quoted), credentials: with_tokens(credentials) };
        current.known = known;
    }

    /// Returns the values that are concealed where the server is quoted.
    pub(super) fn quoted(&self) -> Arc<Secrets> {
        Arc::clone(&self.current().known.quoted)
    }

    /// Conceals the secrets in a text that quotes the server.
    pub(super) fn conceal(&self, text: &str) -> String {
        self.quoted().conceal(text)
    }

    /// Conceals the credentials in a text for programs and models.
    pub(super) fn without_credentials(&self, mut text: String) -> String {
        self.current().known.credentials.conceal_text(&mut text);
        text
    }

    /// Conceals the credentials in a value for programs. A value without one is not copied.
    pub(super) fn conceal_value(&self, value: &mut Value) {
        let credentials = Arc::clone(&self.current().known.credentials);
        conceal_in(value, &credentials);
    }

    /// Conceals the credentials in the titles and descriptions of a value, such as a list of tools. Schemas stay valid.
    pub(super) fn conceal_descriptions(&self, value: &mut Value) {
        let credentials = Arc::clone(&self.current().known.credentials);
        conceal_in_descriptions(value, &credentials);
    }

    /// Conceals the credentials in the parameters of a question to a person.
    pub(super) fn conceal_question(&self, params: &mut Value) {
        for key in ["message", "url"] {
            if let Some(text) = params.get_mut(key) {
                self.conceal_value(text);
            }
        }
        self.conceal_descriptions(params);
    }

    fn current(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Replaces the secrets in a value, except in the bytes of images, sounds and files, where they are there by chance.
fn conceal_in(value: &mut Value, secrets: &Secrets) {
    match value {
        Value::String(text) => secrets.conceal_text(text),
        Value::Array(items) => items.iter_mut().for_each(|item| conceal_in(item, secrets)),
        Value::Object(entries) => {
            let key = key_of_bytes(entries);
            // An object or a list at this key has no bytes.
            let bytes = key.and_then(|key| Some((key, entries.get_mut(key).filter(|bytes| bytes.is_string())?.take())));
            secrets.conceal_keys(entries);
            entries.values_mut().for_each(|value| conceal_in(value, secrets));
            if let Some((key, bytes)) = bytes {
                entries.insert(key.to_owned(), bytes);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn conceal_in_descriptions(value: &mut Value, secrets: &Secrets) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| conceal_in_descriptions(item, secrets)),
        Value::Object(entries) => entries.iter_mut().for_each(|(key, value)| match value {
            Value::String(text) if matches!(key.as_str(), "title" | "description") => secrets.conceal_text(text),
            other => conceal_in_descriptions(other, secrets),
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the key of an entry that has bytes in base64.
fn key_of_bytes(entries: &Map<String, Value>) -> Option<&'static str> {
    match entries.get("type").and_then(Value::as_str) {
        Some("image" | "audio") => Some("data"),
        Some(_) | None => entries.contains_key("uri").then_some("blob"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tokens_are_concealed_once_they_are_sent_and_bytes_stay_as_they_are() {
        let all = ["key-of-the-host", "/home/ada"].map(str::to_owned);
        let concealing = Concealing::new(Secrets::new(&all, &[]), Secrets::new(&all[..1], &[]));
        let sent = json!({
            "key-of-the-host": ["first-token", { "uri": "a:key-of-the-host", "blob": "first-token", "data": "first-token" }],
            "image": { "type": "image", "data": "key-of-the-host", "title": "key-of-the-host" },
            "none": [{ "type": "audio", "data": { "a": "key-of-the-host" } }, { "uri": "", "blob": ["key-of-the-host"] }],
            "path": "/home/ada/x",
        });
        let shown = || {
            let mut value = sent.clone();
            concealing.conceal_value(&mut value);
            value
        };
        let expected = |token: &str| {
            json!({
                "***": [token, { "uri": "a:***", "blob": "first-token", "data": token }],
                "image": { "type": "image", "data": "key-of-the-host", "title": "***" },
                "none": [{ "type": "audio", "data": { "a": "***" } }, { "uri": "", "blob": ["***"] }],
                "path": "/home/ada/x",
            })
        };
        assert_eq!(shown(), expected("first-token"));
        concealing.add("first-token");
        assert_eq!(shown(), expected("***"));
        assert_eq!(concealing.conceal("first-token in /home/ada"), "*** in ***");
        for number in 0..MAX_TOKENS {
            assert_eq!(concealing.conceal("first-token"), "***");
            concealing.add(&format!("token-{number}"));
            concealing.add(&format!("token-{number}"));
        }
        assert_eq!(concealing.conceal("first-token, token-0"), "first-token, ***");
    }

    #[test]
    fn lists_and_questions_are_concealed_without_a_change_of_schemas() {
        let concealing = Concealing::new(Secrets::default(), Secrets::new(&["string".to_owned()], &[]));
        let described =
            |text: &str| json!({ "type": "string", "title": text, "properties": { "title": { "description": text } } });
        let mut tools = json!([{ "name": "string", "description": "a string", "inputSchema": described("string") }]);
        concealing.conceal_descriptions(&mut tools);
        assert_eq!(tools, json!([{ "name": "string", "description": "a ***", "inputSchema": described("***") }]));
        let mut params = json!({ "message": "string?", "url": "a:string", "requestedSchema": described("string") });
        concealing.conceal_question(&mut params);
        assert_eq!(params, json!({ "message": "***?", "url": "a:***", "requestedSchema": described("***") }));
    }
}
