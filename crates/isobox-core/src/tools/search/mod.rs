//! Finds tools by what they do.
//!
//! A model asks in its own words, and sees five or ten of thousands of tools. Words are therefore compared by their
//! stems, with synonyms and with typing errors corrected. The field of a word decides its weight (BM25F: a rare word
//! counts more than a common one, a name more than a description). A path or a namespace as the query ranks exact
//! matches first. The name of a namespace among other words ranks its tools higher. Deprecated tools rank lower.
//! Commands and abbreviations are spelt out. The meaning of the whole query is compared with that of each entry by word
//! vectors, which counts little where an entry has the words, and more where none has.
//!
//! Everything is pure and deterministic: the same entries and the same query give the same answer, to the last bit of
//! the score.

mod explain;
mod importance;
mod index;
mod jargon;
mod meaning;
mod paths;
mod query;
mod reader;
mod synonyms;
mod vocabulary;
mod weights;
mod wishes;
mod words;

pub use explain::{Explanation, OtherWord};
pub use index::Index;

/// An entry of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexEntry<'a> {
    /// The path in programs: `github.issues.list`.
    pub path: &'a str,
    /// The description.
    pub description: &'a str,
    /// The names of its parameters.
    pub parameters: &'a [&'a str],
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// The total number of hits.
    pub total: usize,
    /// Whether there are more than [`Found::hits`].
    pub truncated: bool,
}

/// A hit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// The index of the entry, from 0 in the order in which the entries were given.
    pub entry: usize,
    /// The score, above 0. Comparable only within one answer. 0 if everything is listed.
    pub score: f64,
}
