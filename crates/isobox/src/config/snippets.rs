//! `snippets`: from how many successes snippets are trusted.

use isobox_core::snippets::SnippetOptions;

use super::reader::{ConfigReader, Keys};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys { known: &["provisional", "trusted"], tolerated: &[], later: &[] };

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> SnippetOptions {
    let mut options = SnippetOptions::default();
    let Some(section) = reader.section("`snippets`", value, &KEYS) else { return options };
    let (provisional, trusted) = (reader.count(&section, "provisional"), reader.count(&section, "trusted"));
    options.provisional = provisional.unwrap_or(options.provisional);
    options.trusted = trusted.unwrap_or(options.trusted.max(options.provisional));
    if let Err(failure) = options.check() {
        reader.problem(section.start, "`snippets`", failure.message);
    }
    options
}
