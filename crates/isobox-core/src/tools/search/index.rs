//! The index: built once, asked often.

use std::collections::BTreeMap;

use super::importance::Importance;
use super::vocabulary::{Term, Vocabulary};
use super::weights::Weights;

/// Finds entries by words, paths and namespaces.
///
/// Its memory is bounded by the number of entries: of each, only so much text is read.
#[derive(Debug)]
pub struct Index {
    /// The paths in lower case.
    pub(super) paths: Vec<Box<str>>,
    /// The entries in the order of their paths, and where in it each is.
    pub(super) order: Vec<u32>,
    pub(super) rank: Vec<u32>,
    pub(super) vocabulary: Vocabulary,
    /// Where the postings of each term begin; they end where those of the next begin.
    pub(super) starts: Vec<u32>,
    pub(super) postings: Vec<Posting>,
    /// For each word that has any.
    pub(super) synonyms: BTreeMap<String, Vec<Term>>,
    pub(super) related: BTreeMap<String, Vec<Term>>,
    pub(super) importance: Importance,
    pub(super) weights: Weights,
}

/// That a term is in an entry, and how much so.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub(super) entry: u32,
    pub(super) weight: f32,
}

impl Index {
    /// How many entries have the term.
    pub(super) fn entries_with(&self, term: Term) -> usize {
        self.postings_of(term).len()
    }

    pub(super) fn postings_of(&self, term: Term) -> &[Posting] {
        let term = term as usize;
        &self.postings[self.starts[term] as usize..self.starts[term + 1] as usize]
    }
}
