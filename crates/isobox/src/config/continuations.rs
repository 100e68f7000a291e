//! `continuations`: how pauses without a store are sealed.

use std::time::Duration;

use isobox_core::ByteSize;
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section, Text};
use super::syntax::Value;

pub(super) const KEYS: Keys =
    Keys { known: &["key", "earlierKeys", "expireAfter", "limit"], tolerated: &[], later: &[] };

/// The minimum length of a key, in bytes.
const SHORTEST: usize = 32;

/// How pauses without a store are sealed.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContinuationConfig {
    /// The secret that seals continuations.
    pub key: Option<String>,
    /// Earlier secrets, whose continuations are still opened.
    pub earlier_keys: Vec<String>,
    /// The time for which a continuation is valid.
    pub expire_after: Duration,
    /// The maximum size of a continuation.
    pub limit: ByteSize,
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
    let earlier = reader.texts(&section, "earlierKeys").unwrap_or_default().into_iter();
    config.earlier_keys = earlier.filter_map(|text| long_enough(reader, &section, "earlierKeys", text)).collect();
    let message = "`expireAfter` is 0, which leaves no time for decisions";
    if let Some(time) = reader.duration(&section, "expireAfter", message) {
        config.expire_after = time;
    }
    if let Some(limit) = reader.size(&section, "limit") {
        config.limit = limit;
    }
    if let (None, false, Some(value)) = (&config.key, config.earlier_keys.is_empty(), section.get("earlierKeys")) {
        reader.warning(value.start(), &section.owner, "`earlierKeys` has no effect without `key`");
    }
    config
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
