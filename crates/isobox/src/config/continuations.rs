//! `continuations`: how pauses without a store are sealed.

use std::time::Duration;

use isobox_core::{ByteSize, Timestamp};

use super::reader::{ConfigReader, Keys, Section, Text};
use super::syntax::Value;

pub(super) const KEYS: Keys =
    Keys { known: &["key", "earlierKeys", "expireAfter", "limit"], tolerated: &[], later: &[] };

pub(super) const EARLIER: Keys = Keys { known: &["key", "until"], tolerated: &[], later: &[] };

const EARLIER_KEYS: &str = "a list of texts, or of objects with `key` and `until`";

/// The minimum length of a key, in bytes.
const SHORTEST: usize = 32;

/// How pauses without a store are sealed.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContinuationConfig {
    /// The secret that seals continuations.
    pub key: Option<String>,
    /// Earlier secrets, whose continuations are still opened.
    pub earlier_keys: Vec<EarlierKey>,
    /// The time for which a continuation is valid.
    pub expire_after: Duration,
    /// The maximum size of a continuation.
    pub limit: ByteSize,
}

/// An earlier secret.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EarlierKey {
    /// The secret.
    pub key: String,
    /// The time from which its continuations are refused. Without one, they are opened until they expire.
    pub until: Option<Timestamp>,
}

impl std::fmt::Debug for EarlierKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("EarlierKey").field("until", &self.until).finish_non_exhaustive()
    }
}

impl Default for ContinuationConfig {
    fn default() -> Self {
        Self { key: None, earlier_keys: Vec::new(), expire_after: Duration::from_hours(1), limit: ByteSize::mib(1) }
    }
}

impl std::fmt::Debug for ContinuationConfig {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { expire_after, limit, .. } = self;
        let mut shown = formatter.debug_struct("ContinuationConfig");
        shown.field("expire_after", expire_after).field("limit", limit).finish_non_exhaustive()
    }
}

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> ContinuationConfig {
    let mut config = ContinuationConfig::default();
    let Some(section) = reader.section("`continuations`", value, &KEYS) else { return config };
    config.key = reader.text(&section, "key").and_then(|text| long_enough(reader, &section, "key", text));
    match section.get("earlierKeys") {
        Some(Value::Array(entries)) => {
            config.earlier_keys =
                entries.elements.iter().filter_map(|entry| earlier(reader, &section, entry)).collect();
        }
        Some(other) => reader.mismatch(&section.owner, "earlierKeys", other, EARLIER_KEYS),
        None => {}
    }
    let message = "`expireAfter` is 0, which leaves no time for decisions";
    if let Some(time) = reader.duration(&section, "expireAfter", message) {
        config.expire_after = time;
    }
    if let Some(limit) = reader.size(&section, "limit") {
        config.limit = limit;
    }
    config
}

/// Reads an earlier key: its text, or an object with the time at which it ends.
fn earlier<'d>(reader: &mut ConfigReader<'_>, section: &Section<'_>, value: &'d Value<'d>) -> Option<EarlierKey> {
    let Value::Object(_) = value else {
        let text = reader.text_of(&section.owner, "earlierKeys", value, EARLIER_KEYS)?;
        return Some(EarlierKey { key: long_enough(reader, section, "earlierKeys", text)?, until: None });
    };
    let section = reader.section(format!("{}: `earlierKeys`", section.owner), value, &EARLIER)?;
    let until = match reader.text(&section, "until").map(|text| (text.value.parse(), text)) {
        None => None,
        Some((Ok(until), _)) => Some(until),
        Some((Err(error), text)) => {
            let message = format!("`until`: {error}");
            let message = text.blame(message, "`until` is not a time like 2026-12-01T13:30:00Z");
            reader.problem(text.start, &section.owner, message);
            return None;
        }
    };
    let Some(key) = reader.text(&section, "key") else {
        if section.get("key").is_none() {
            reader.problem(section.start, &section.owner, "`key` is missing: the earlier secret");
        }
        return None;
    };
    Some(EarlierKey { key: long_enough(reader, &section, "key", key)?, until })
}

/// Returns a key, unless it is too short. It is not quoted.
fn long_enough(reader: &mut ConfigReader<'_>, section: &Section<'_>, key: &str, text: Text) -> Option<String> {
    if text.value.len() >= SHORTEST {
        return Some(text.value);
    }
    let message = format!("a key in `{key}` has less than {SHORTEST} bytes; make one with: openssl rand -hex 32");
    reader.problem(text.start, &section.owner, message);
    None
}
