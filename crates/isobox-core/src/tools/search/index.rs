//! The index: built once, queried often.

use std::collections::BTreeMap;

use super::importance::Importance;
use super::meaning::Direction;
use super::vocabulary::{Term, Vocabulary};
use super::weights::Weights;

/// Finds entries by words, paths and namespaces.
///
/// Its memory is bounded by the number of entries, because only a limited part of each text is indexed.
#[derive(Debug)]
pub struct Index {
    /// The paths in lower case.
    pub(super) paths: Vec<Box<str>>,
    /// The entries in the order of their paths, and the rank of each.
    pub(super) order: Vec<u32>,
    pub(super) rank: Vec<u32>,
    pub(super) vocabulary: Vocabulary,
    /// The start of each term's postings. They end where those of the next term start.
    pub(super) starts: Vec<u32>,
    pub(super) postings: Vec<Posting>,
    /// The synonyms by word.
    pub(super) synonyms: BTreeMap<String, Vec<Term>>,
    pub(super) related: BTreeMap<String, Vec<Term>>,
    /// The meaning of each entry, if it has a word with a known meaning.
    pub(super) directions: Vec<Option<Direction>>,
    pub(super) importance: Importance,
    pub(super) weights: Weights,
}

/// An occurrence of a term in an entry, with its weight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub(super) entry: u32,
    pub(super) weight: f32,
}

impl Index {
    /// Returns the number of entries that contain the term.
    pub(super) fn entries_with(&self, term: Term) -> usize {
        self.postings_of(term).len()
    }

    pub(super) fn postings_of(&self, term: Term) -> &[Posting] {
        let term = term as usize;
        &self.postings[self.starts[term] as usize..self.starts[term + 1] as usize]
    }
}
