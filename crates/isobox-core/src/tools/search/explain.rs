//! Explains the rank of an entry.

use serde::Serialize;

use super::index::Index;
use super::paths::PathQuery;
use super::vocabulary::Term;
use super::wishes::wishes;
use super::words::stem_of;

/// The reasons for the score of an entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Explanation {
    /// The score. 0 if the entry is not a result.
    pub score: f64,
    /// Whether the query is the path, a namespace or a pattern of the entry. Such entries rank before all others.
    pub is_path: bool,
    /// The words of the query that the entry has.
    pub words: Vec<String>,
    /// The words of the query for which the entry has another word: a synonym, a related or longer word, or a correction.
    pub other_words: Vec<OtherWord>,
    /// The closeness of the meanings of the query and the entry, from 0 to 1.
    pub meaning: f64,
}

/// A word of the query that was found as another word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OtherWord {
    /// The word of the query.
    pub word: String,
    /// The stem of the entry's word.
    pub found: String,
}

impl Index {
    /// Explains the score of an entry for a query.
    pub fn explain(&self, query: &str, entry: usize) -> Explanation {
        let query = Self::readable(query);
        let asked = wishes(self, query);
        let (mut words, mut other_words) = (Vec::new(), Vec::new());
        for wish in asked.wishes.iter().filter(|wish| wish.is_expected) {
            let best = wish.same.iter().chain(&wish.similar).find(|(term, _)| self.has(*term, entry));
            let Some(&(term, _)) = best else { continue };
            let found = self.vocabulary.text(term);
            if found == stem_of(&wish.word) {
                words.push(wish.word.clone());
            } else {
                other_words.push(OtherWord { word: wish.word.clone(), found: found.to_owned() });
            }
        }
        let closeness = asked.direction.and_then(|direction| self.closeness(&direction).nth(entry));
        let path_query = PathQuery::new(query);
        Explanation {
            score: if query.is_empty() { 0.0 } else { self.scores(query).get(entry).copied().unwrap_or_default() },
            is_path: self.paths.get(entry).is_some_and(|path| path_query.fit(path).is_some()),
            words,
            other_words,
            meaning: closeness.unwrap_or_default(),
        }
    }

    fn has(&self, term: Term, entry: usize) -> bool {
        self.postings_of(term).iter().any(|posting| posting.entry as usize == entry)
    }
}
