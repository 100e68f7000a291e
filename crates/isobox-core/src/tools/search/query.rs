//! Queries the index.

use super::index::Index;
use super::meaning::Direction;
use super::paths::{Fit, PathQuery};
use super::reader::IndexReader;
use super::vocabulary::Term;
use super::weights::{WEIGHTS, Weights};
use super::wishes::{Wish, wishes};
use super::words::cut;
use super::{Found, Hit, IndexEntry};

/// The maximum length of a query, in characters.
const MAX_QUERY: usize = 1000;

/// The minimum part of a query that counts as answered by words when results are left out.
const LEAST_ANSWERED: f64 = 0.3;

/// The score of the weakest path fit.
const PATH_SCORE: f64 = 10_000.0;

impl Index {
    /// Indexes all entries.
    pub fn new<'a>(entries: impl IntoIterator<Item = IndexEntry<'a>>) -> Self {
        Self::with_weights(entries, WEIGHTS)
    }

    /// Returns the best answers to a query, best first. Equal scores are in the order of paths. An empty query lists
    /// everything in the order of paths.
    pub fn search(&self, query: &str, limit: usize) -> Found {
        let query = Self::readable(query);
        if query.is_empty() {
            let hits = self.order.iter().take(limit).map(|&entry| Hit { entry: entry as usize, score: 0.0 }).collect();
            return Found { hits, total: self.order.len(), truncated: self.order.len() > limit };
        }
        let scores = self.scores(query);
        let mut hits: Vec<Hit> = scores
            .iter()
            .enumerate()
            .filter(|(_, score)| **score > 0.0)
            .map(|(entry, &score)| Hit { entry, score })
            .collect();
        let total = hits.len();
        hits.sort_unstable_by(|one, other| {
            other.score.total_cmp(&one.score).then_with(|| self.rank[one.entry].cmp(&self.rank[other.entry]))
        });
        hits.truncate(limit);
        Found { truncated: total > hits.len(), hits, total }
    }

    pub(super) fn with_weights<'a>(entries: impl IntoIterator<Item = IndexEntry<'a>>, weights: Weights) -> Self {
        let mut reader = IndexReader::default();
        for entry in entries {
            reader.read(entry);
        }
        reader.finish(weights)
    }

    /// Returns the part of a query that is read.
    pub(super) fn readable(query: &str) -> &str {
        cut(query, MAX_QUERY).trim()
    }

    pub(super) fn scores(&self, query: &str) -> Vec<f64> {
        let path_query = PathQuery::new(query);
        let fits = self.paths.iter().map(|path| path_query.fit(path));
        if path_query.is_pattern() {
            let scores: Vec<f64> = fits.map(path_score).collect();
            if scores.iter().any(|score| *score > 0.0) {
                return scores;
            }
            return self.word_scores(query);
        }
        let mut scores = self.word_scores(query);
        for (score, fit) in scores.iter_mut().zip(fits) {
            *score = score.max(path_score(fit));
        }
        scores
    }

    fn word_scores(&self, query: &str) -> Vec<f64> {
        let asked = wishes(self, query);
        let mut tally = Tally::new(self.paths.len());
        for wish in &asked.wishes {
            tally.add(self, wish);
        }
        if let Some(direction) = &asked.direction {
            let unknown = asked.unknown as f64 * rarity(0, self.paths.len());
            tally.add_meaning(&self.weights, unknown, self.closeness(direction));
        }
        tally.scores(&self.weights, self.importance.factors(query, &self.weights))
    }

    /// Returns how close the meaning of each entry is, from 0 to 1.
    pub(super) fn closeness(&self, direction: &Direction) -> impl Iterator<Item = f64> {
        self.directions.iter().map(|entry| entry.as_ref().map_or(0.0, |entry| direction.closeness(entry)))
    }
}

/// Returns a score above that of any words.
fn path_score(fit: Option<Fit>) -> f64 {
    match fit {
        Some(Fit::Exact) => 4.0 * PATH_SCORE,
        Some(Fit::End) => 3.0 * PATH_SCORE,
        Some(Fit::Within) => 2.0 * PATH_SCORE,
        Some(Fit::Start) => PATH_SCORE,
        None => 0.0,
    }
}

/// The scores while the concepts are added.
struct Tally {
    scores: Vec<f64>,
    /// The worth of the expected concepts that each entry has, and of all of them.
    covered: Vec<f64>,
    expected: f64,
    /// The worth of the expected concepts whose meaning is known.
    with_meaning: f64,
    /// The part of the query that the best entry has as words, from 0 to 1.
    answered: f64,
    /// The share of each entry's score that is due to its meaning.
    meant: Vec<f64>,
    /// For the current concept: the match of each entry, and the entries that match.
    granted: Vec<f64>,
    touched: Vec<usize>,
}

impl Tally {
    fn new(entries: usize) -> Self {
        Self {
            scores: vec![0.0; entries],
            covered: vec![0.0; entries],
            expected: 0.0,
            with_meaning: 0.0,
            answered: 1.0,
            meant: vec![0.0; entries],
            granted: vec![0.0; entries],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, index: &Index, wish: &Wish) {
        for &(term, weight) in &wish.same {
            self.grant(index, term, weight);
        }
        // Words for one concept are as common as they are together.
        let mut worth = rarity(self.touched.len(), self.scores.len());
        if wish.same.is_empty() {
            worth = 0.0;
        }
        let saturation = index.weights.saturation;
        for &entry in &self.touched {
            self.granted[entry] = worth * share(self.granted[entry], saturation);
        }
        for &(term, weight) in &wish.similar {
            let mut rarity = rarity(index.entries_with(term), self.scores.len());
            if wish.same.is_empty() {
                worth = worth.max(weight * rarity);
            } else {
                // A likely meaning is worth no more than an exact one.
                rarity = rarity.min(worth);
            }
            for posting in index.postings_of(term) {
                let granted = rarity * share(weight * f64::from(posting.weight), saturation);
                self.raise(posting.entry as usize, granted);
            }
        }
        for entry in self.touched.drain(..) {
            let granted = std::mem::take(&mut self.granted[entry]);
            self.scores[entry] += wish.weight * granted;
            if wish.is_expected && worth > 0.0 {
                self.covered[entry] += worth * (granted / worth * index.weights.enough).min(1.0);
            }
        }
        if wish.is_expected {
            self.expected += worth;
            if wish.has_meaning {
                self.with_meaning += worth;
            }
        }
    }

    fn grant(&mut self, index: &Index, term: Term, weight: f64) {
        for posting in index.postings_of(term) {
            self.raise(posting.entry as usize, weight * f64::from(posting.weight));
        }
    }

    fn raise(&mut self, entry: usize, to: f64) {
        if self.granted[entry] == 0.0 {
            self.touched.push(entry);
        }
        self.granted[entry] = self.granted[entry].max(to);
    }

    /// Adds the closeness of each entry's meaning. Meaning counts more if no entry has all words. It counts as much as
    /// the words whose meaning is known: these, and words that no entry has, which are worth `unknown`.
    fn add_meaning(&mut self, weights: &Weights, unknown: f64, closeness: impl Iterator<Item = f64>) {
        let all = self.expected + unknown;
        if all <= 0.0 {
            return;
        }
        let best = self.covered.iter().copied().fold(0.0, f64::max);
        self.answered = (best / all).min(1.0);
        let weight = weights.meaning + weights.missing * (1.0 - self.answered);
        let known = self.with_meaning + unknown;
        self.meant.clear();
        self.meant.extend(closeness);
        // If nothing is close, a weak guess is better than no answer.
        let is_any_close = best > 0.0 || self.meant.iter().any(|closeness| *closeness >= weights.close);
        let close = if is_any_close { weights.close } else { weights.close / 2.0 };
        for meant in &mut self.meant {
            *meant = if *meant < close { 0.0 } else { weight * known * *meant };
        }
    }

    /// Returns the scores: those of the words, multiplied by their coverage, and that of the meaning. Results that are
    /// much worse than the best one are left out: by their words, or, if these are few, by the whole score. The less of
    /// the query any entry has as words, the more results remain, because meanings alone are less certain.
    fn scores(mut self, weights: &Weights, factors: impl Iterator<Item = f64>) -> Vec<f64> {
        let (mut best, mut best_by_words) = (0.0f64, 0.0f64);
        for (entry, factor) in factors.enumerate() {
            let score = &mut self.scores[entry];
            if *score > 0.0 && self.expected > 0.0 {
                *score *= factor * (self.covered[entry] / self.expected).powf(weights.coverage);
            }
            self.meant[entry] *= factor;
            best_by_words = best_by_words.max(*score);
            best = best.max(*score + self.meant[entry]);
        }
        let worthwhile_by_meaning = weights.worthwhile_by_meaning * self.answered.max(LEAST_ANSWERED);
        for (score, meant) in self.scores.iter_mut().zip(self.meant) {
            let is_worthwhile = *score >= best_by_words * weights.worthwhile && *score > 0.0;
            *score += meant;
            if !is_worthwhile && *score < best * worthwhile_by_meaning {
                *score = 0.0;
            }
        }
        self.scores
    }
}

/// Returns the weight of a word by its rarity.
fn rarity(having: usize, all: usize) -> f64 {
    let (having, all) = (having as f64, all as f64);
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}

/// Returns a share from 0 to 1: further occurrences count less and less.
fn share(amount: f64, saturation: f64) -> f64 {
    amount / (amount + saturation)
}
