//! The weights of the search.

/// The field in which a word was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    Name,
    Namespace,
    Description,
    Parameters,
}

pub(super) const FIELDS: usize = 4;

/// The weights of the search.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    /// The weight of each field.
    pub(super) fields: [f64; FIELDS],
    /// The decrease of each field's weight with its length, from 0 (none) to 1.
    pub(super) lengths: [f64; FIELDS],
    /// The frequency above which further occurrences count little.
    pub(super) saturation: f64,
    /// The weight of a synonym, relative to the word itself.
    pub(super) synonym: f64,
    /// The weight of a related word.
    pub(super) related: f64,
    /// The weight of a longer word that begins with the word.
    pub(super) longer: f64,
    /// The weight of two words written as one.
    pub(super) joined: f64,
    /// The weight of a word with one typing error, and with two.
    pub(super) misspelt: [f64; 2],
    /// The weight of a word that a command or an abbreviation stands for, if entries have that too.
    pub(super) stands_for: f64,
    /// The weight of initials for words, and of words for initials.
    pub(super) initials: f64,
    /// The weight of two consecutive words, beside the two themselves.
    pub(super) phrase: f64,
    /// The weight of having all words of the query.
    pub(super) coverage: f64,
    /// The factor by which a partial match counts towards the coverage, up to a full match.
    pub(super) enough: f64,
    /// The bonus of an entry whose namespace is the whole query. In a query with more words, the bonus is proportional
    /// to the part that the name makes up, because the name may mean something else in a long sentence.
    pub(super) named: f64,
    /// The factor of a deprecated entry.
    pub(super) deprecated: f64,
    /// The weight of the same meaning, relative to having all words of the query.
    pub(super) meaning: f64,
    /// The further weight of the same meaning if no entry has any word of the query.
    pub(super) missing: f64,
    /// The closeness from which on two meanings have something in common, as a cosine.
    pub(super) close: f64,
    /// The minimum score of a result by its words, relative to the best one.
    pub(super) worthwhile: f64,
    /// The minimum score of a result with fewer words, relative to the best one, if one has all words of the query.
    pub(super) worthwhile_by_meaning: f64,
}

/// Chosen on the judged sets in `spec/search/`, except for the held-out half of the well-known servers.
pub(super) const WEIGHTS: Weights = Weights {
    fields: [3.0, 1.5, 1.0, 0.4],
    lengths: [0.9, 0.3, 0.3, 0.8],
    saturation: 1.6,
    synonym: 0.9,
    related: 0.5,
    longer: 0.25,
    joined: 0.9,
    misspelt: [0.8, 0.6],
    stands_for: 0.3,
    initials: 0.8,
    phrase: 0.2,
    coverage: 1.0,
    enough: 4.0,
    named: 8.0,
    deprecated: 0.5,
    meaning: 0.5,
    missing: 2.0,
    close: 0.12,
    worthwhile: 0.2,
    worthwhile_by_meaning: 0.35,
};

/// The weight of a word in each field for the meaning of an entry. A name of a parameter says less about its purpose.
pub(super) const MEANING: [u8; FIELDS] = [10, 5, 5, 3];
