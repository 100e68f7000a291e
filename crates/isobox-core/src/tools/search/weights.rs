//! How much things count.

/// Where a word was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    Name,
    Namespace,
    Description,
    Parameters,
}

pub(super) const FIELDS: usize = 4;

/// How much things count.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    /// Of each field.
    pub(super) fields: [f64; FIELDS],
    /// How much each field's weight shrinks with its length, from 0 (not at all) to 1.
    pub(super) lengths: [f64; FIELDS],
    /// When more of a word stops to count.
    pub(super) saturation: f64,
    /// Of a synonym, beside the word itself.
    pub(super) synonym: f64,
    /// Of a word for something near.
    pub(super) related: f64,
    /// Of a longer word that begins with the word.
    pub(super) longer: f64,
    /// Of two words written as one.
    pub(super) joined: f64,
    /// Of a word that was written with an error, and of one with two.
    pub(super) misspelt: [f64; 2],
    /// Of the initials of words, for the words or the other way round.
    pub(super) initials: f64,
    /// Of two words in a row, beside the two.
    pub(super) phrase: f64,
    /// How much it counts to have all words of the query.
    pub(super) coverage: f64,
    /// How many times as much of a word as there is makes up for all of it.
    pub(super) enough: f64,
    /// How much more an entry counts whose namespace is named, where the query is nothing but that; of a query with more
    /// words, the part that the name is. In a long sentence it may stand for something else.
    pub(super) named: f64,
    /// How many times as much an entry counts that is deprecated.
    pub(super) deprecated: f64,
    /// What part of the best score is worth showing.
    pub(super) worthwhile: f64,
}

/// Chosen on the tuning half of the judged set in `spec/search/`.
pub(super) const WEIGHTS: Weights = Weights {
    fields: [3.0, 1.5, 1.0, 0.4],
    lengths: [0.9, 0.3, 0.5, 0.8],
    saturation: 1.6,
    synonym: 0.9,
    related: 0.5,
    longer: 0.25,
    joined: 0.9,
    misspelt: [0.8, 0.6],
    initials: 0.8,
    phrase: 0.2,
    coverage: 1.0,
    enough: 4.0,
    named: 32.0,
    deprecated: 0.5,
    worthwhile: 0.2,
};
