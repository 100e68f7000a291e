//! Finding tools by what they do.
//!
//! A model asks in its own words, and sees five or ten answers of thousands. So words are compared by their stems, with their
//! synonyms and without their typing errors; where a word was found decides how much it counts (BM25F: a rare word counts more
//! than a common one, a name more than a description); whoever writes a path or a namespace gets just that first, and whoever
//! names a namespace among other words gets its tools before others; tools that are deprecated come later.
//!
//! Everything is pure and deterministic: the same entries and the same query give the same answer, to the last bit of the score.

mod importance;
mod index;
mod paths;
mod query;
mod reader;
mod synonyms;
mod vocabulary;
mod weights;
mod wishes;
mod words;

pub use index::Index;

/// What is known of one thing that can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Where a program finds it: `github.issues.list`.
    pub path: &'a str,
    /// What it does in words.
    pub description: &'a str,
    /// The names of what it takes.
    pub parameters: &'a [&'a str],
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The best ones, best first.
    pub hits: Vec<Hit>,
    /// How many there are in all.
    pub total: usize,
    /// Whether there are more than [`Found::hits`].
    pub truncated: bool,
}

/// One of the answers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// Which of the entries, counted from 0 in the order in which they were given.
    pub entry: usize,
    /// How well it fits, above 0; comparable within one answer only. Where everything is listed it is 0.
    pub score: f64,
}
