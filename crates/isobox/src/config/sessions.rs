//! `sessions`: the bounds of sessions whose globals programs use.

use isobox_core::SessionOptions;
use isobox_core::store::WhenFull;

use super::reader::{ConfigReader, Keys};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys { known: &["most", "versions", "whenFull"], tolerated: &[], later: &[] };

const WHEN_FULL: [(&str, WhenFull); 2] = [("forget", WhenFull::ForgetOldest), ("refuse", WhenFull::Refuse)];

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> SessionOptions {
    let mut sessions = SessionOptions::default();
    let Some(section) = reader.section("`sessions`", value, &KEYS) else { return sessions };
    if let Some(most) = reader.count(&section, "most") {
        sessions.most = usize::try_from(most).unwrap_or(usize::MAX);
    }
    if let Some(versions) = reader.count(&section, "versions") {
        sessions.versions = usize::try_from(versions).unwrap_or(usize::MAX);
    }
    if let Some(when_full) = reader.choice(&section, "whenFull", &WHEN_FULL) {
        sessions.when_full = when_full;
    }
    sessions
}
