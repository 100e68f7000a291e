//! A place in a document of schemas.

use serde_json::Value;

/// A schema, with the path by which it was reached.
#[derive(Clone, Copy)]
pub(super) struct Source<'schema> {
    pub(super) schema: &'schema Value,
    /// An index into the reader's trail of references.
    pub(super) trail: usize,
}

impl<'schema> Source<'schema> {
    /// Returns a part of this schema.
    pub(super) fn part(self, schema: &'schema Value) -> Self {
        Self { schema, ..self }
    }
}
