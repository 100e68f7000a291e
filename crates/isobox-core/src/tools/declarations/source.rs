//! A place in a document of schemas.

use serde_json::Value;

/// A schema and how reading came to it.
#[derive(Clone, Copy)]
pub(super) struct Source<'schema> {
    pub(super) schema: &'schema Value,
    /// An index into the reader's trail: the references that are being followed.
    pub(super) trail: usize,
}

impl<'schema> Source<'schema> {
    /// A part of this schema.
    pub(super) fn part(self, schema: &'schema Value) -> Self {
        Self { schema, ..self }
    }
}
