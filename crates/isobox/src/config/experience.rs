//! `experience`: whether and how the types of results are learned.

use isobox_core::experience::ExperienceOptions;
use isobox_core::policy::PathPattern;

use super::policy::patterns_of;
use super::reader::{ConfigReader, Keys, Section};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys { known: &["enabled", "enums", "readOnly"], tolerated: &[], later: &[] };

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> ExperienceOptions {
    let usual = ExperienceOptions::default();
    let Some(section) = reader.section("`experience`", value, &KEYS) else { return usual };
    let is_enabled = reader.truth(&section, "enabled").unwrap_or(usual.is_enabled);
    usual
        .is_enabled(is_enabled)
        .enums(patterns(reader, &section, "enums"))
        .read_only(patterns(reader, &section, "readOnly"))
}

fn patterns(reader: &mut ConfigReader<'_>, section: &Section<'_>, key: &str) -> Vec<PathPattern> {
    section.get(key).map(|value| patterns_of(reader, section, key, value)).unwrap_or_default()
}
