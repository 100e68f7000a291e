//! Says what is wrong with a text that does not parse.

use oxc::diagnostics::Diagnostics;

use super::text::Text;
use crate::Failure;

/// The failure for what the parser found, if it found anything.
pub(super) fn failure(text: &Text<'_>, diagnostics: &Diagnostics, panicked: bool) -> Option<Failure> {
    let Some(first) = diagnostics.errors().min_by_key(|error| error.labels.first().map_or(0, |label| label.offset()))
    else {
        return panicked.then(|| text.error(0, "the program does not parse"));
    };
    let offset = first.labels.first().map_or(0, |label| label.offset() as usize);
    Some(text.error(offset, first.message.to_lowercase()))
}
