//! The known words of an index, and the ones that an unknown word may mean.

use std::ops::Range;

/// The number of a term: its rank in alphabetical order.
pub(super) type Term = u32;

/// The minimum length of a prefix. Shorter ones have too many endings.
const MIN_PREFIX: usize = 4;
/// The maximum number of terms that a word may expand to.
const MAX_EXPANSIONS: usize = 12;
/// The minimum length of a word to correct. Everything is close to shorter ones.
const MIN_MISSPELT: usize = 4;
/// The minimum length of a word with two errors.
const MIN_TWICE_MISSPELT: usize = 8;

/// All terms, sorted.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    terms: Vec<Box<str>>,
    /// The words as entries write them, in lower case and in alphabetical order, each with its term. Typing errors are
    /// compared with these, because a stem has lost the letters by which a wrong ending is recognised.
    written: Vec<(Box<str>, Term)>,
    /// The set of letters in each written word. One edit changes at most two of them.
    letters: Vec<u32>,
}

/// A term that a misspelt word may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Correction {
    /// The number of wrong letters.
    pub(super) distance: usize,
    pub(super) term: Term,
}

impl Vocabulary {
    /// Creates a vocabulary from terms and written words, both in alphabetical order.
    pub(super) fn new(terms: Vec<Box<str>>, written: Vec<(Box<str>, Term)>) -> Self {
        let letters = written.iter().map(|(word, _)| letters(word)).collect();
        Self { terms, written, letters }
    }

    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|term| &**term)
    }

    pub(super) fn text(&self, term: Term) -> &str {
        self.terms.get(term as usize).map_or("", |term| term)
    }

    pub(super) fn find(&self, term: &str) -> Option<Term> {
        self.terms.binary_search_by(|known| (**known).cmp(term)).ok().map(number)
    }

    /// Tells whether an entry has exactly this lower-case word, and not only another one with the same stem.
    pub(super) fn is_written(&self, word: &str) -> bool {
        self.written.binary_search_by(|(known, _)| (**known).cmp(word)).is_ok()
    }

    /// Returns longer terms that begin with this one, shortest first.
    pub(super) fn beginning_with(&self, start: &str) -> Vec<Term> {
        if start.chars().count() < MIN_PREFIX {
            return Vec::new();
        }
        let mut longer: Vec<usize> = self.range(start).filter(|&at| is_word(&self.terms[at])).collect();
        longer.retain(|&at| self.terms[at].len() > start.len());
        longer.sort_by_key(|&at| (self.terms[at].len(), at));
        longer.truncate(MAX_EXPANSIONS);
        longer.into_iter().map(number).collect()
    }

    /// Returns the terms of the words that are close to a misspelt one in lower case, closest first.
    pub(super) fn corrections(&self, misspelt: &str) -> Vec<Correction> {
        let furthest = match misspelt.chars().count() {
            0..MIN_MISSPELT => return Vec::new(),
            MIN_MISSPELT..MIN_TWICE_MISSPELT => 1,
            _ => 2,
        };
        let wanted = letters(misspelt);
        let mut corrections: Vec<Correction> = Vec::new();
        for ((word, term), letters) in self.written.iter().zip(&self.letters) {
            let is_far = (letters ^ wanted).count_ones() as usize > 2 * furthest;
            if is_far || word.len().abs_diff(misspelt.len()) > 4 * furthest {
                continue;
            }
            let distance = strsim::osa_distance(word, misspelt);
            if !(1..=furthest).contains(&distance) {
                continue;
            }
            match corrections.iter_mut().find(|known| known.term == *term) {
                Some(known) => known.distance = known.distance.min(distance),
                None => corrections.push(Correction { distance, term: *term }),
            }
        }
        corrections.sort_unstable();
        corrections.truncate(MAX_EXPANSIONS);
        corrections
    }

    /// Splits a compound into two known terms.
    pub(super) fn halves<'a>(&self, compound: &'a str) -> Option<(&'a str, &'a str)> {
        let cuts = compound.char_indices().map(|(at, _)| at).filter(|&at| at >= 3 && at + 3 <= compound.len());
        cuts.map(|at| compound.split_at(at)).find(|(first, second)| self.begins(first) && self.find(second).is_some())
    }

    /// Tells whether the word is a term, except for letters that stemming removed.
    fn begins(&self, word: &str) -> bool {
        self.find(word).is_some() || word.strip_suffix('e').is_some_and(|stem| self.find(stem).is_some())
    }

    fn range(&self, start: &str) -> Range<usize> {
        let from = self.terms.partition_point(|term| **term < *start);
        let count = self.terms[from..].partition_point(|term| term.starts_with(start));
        from..from + count
    }
}

/// Returns the term for two consecutive words.
pub(super) fn phrase(first: &str, second: &str) -> String {
    format!("{first} {second}")
}

/// Returns the term for the initials of consecutive words.
pub(super) fn initials(letters: &str) -> String {
    format!("~{letters}")
}

/// Tells whether a term is a single word. Phrases and initials are terms too.
pub(super) fn is_word(term: &str) -> bool {
    !term.contains([' ', '~'])
}

fn letters(term: &str) -> u32 {
    term.chars().fold(0, |letters, character| letters | 1 << (u32::from(character) % 32))
}

fn number(at: usize) -> Term {
    Term::try_from(at).unwrap_or(Term::MAX)
}
