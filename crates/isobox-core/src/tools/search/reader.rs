//! Indexes the entries: from texts to the postings of each term.

use std::collections::{BTreeMap, HashMap};

use super::IndexEntry;
use super::importance::Importance;
use super::index::{Index, Posting};
use super::meaning::{Direction, Meaning, Sum};
use super::synonyms::{RELATED, SYNONYMS};
use super::vocabulary::{Term, Vocabulary, initials, is_word, phrase};
use super::weights::{FIELDS, Field, MEANING, Weights};
use super::words::{MAX_WORD, cut, each_word, is_stop_word, stem, stem_of};

/// The indexed characters of an entry. The rest cannot be found.
const MAX_PATH: usize = 256;
const MAX_DESCRIPTION: usize = 1000;
const MAX_PARAMETERS: usize = 64;
const MAX_PARAMETER: usize = 64;

/// Collects the words of the entries.
#[derive(Default)]
pub(super) struct IndexReader {
    paths: Vec<Box<str>>,
    numbers: HashMap<String, Term>,
    /// The term of each word as it is written, in lower case.
    written: HashMap<String, Term>,
    occurrences: Vec<Occurrence>,
    /// The number of words of each entry in each field.
    lengths: Vec<[u16; FIELDS]>,
    importance: Importance,
    stemmed: String,
}

/// The occurrences of a term in each field of an entry.
struct Occurrence {
    term: Term,
    entry: u32,
    counts: [u8; FIELDS],
}

impl IndexReader {
    pub(super) fn read(&mut self, entry: IndexEntry<'_>) {
        let path = cut(entry.path, MAX_PATH);
        let (namespace, name) = path.rsplit_once('.').unwrap_or(("", path));
        let mut found: Vec<(Term, Field)> = Vec::new();
        let mut lengths = [0; FIELDS];
        let parameters = entry.parameters.iter().take(MAX_PARAMETERS).map(|name| cut(name, MAX_PARAMETER));
        let texts = [(Field::Name, name), (Field::Namespace, namespace)]
            .into_iter()
            .chain([(Field::Description, cut(entry.description, MAX_DESCRIPTION))])
            .chain(parameters.map(|name| (Field::Parameters, name)));
        for (field, text) in texts {
            let mut stems: Vec<String> = Vec::new();
            each_word(text, |word| {
                stem(word, &mut self.stemmed);
                if field == Field::Name || field == Field::Namespace {
                    stems.push(self.stemmed.clone());
                } else if is_stop_word(&self.stemmed) {
                    return;
                }
                let number = number_of(&mut self.numbers, &self.stemmed);
                found.push((number, field));
                self.written.entry(cut(word, MAX_WORD).to_lowercase()).or_insert(number);
                lengths[field as usize] += 1;
            });
            for pair in stems.windows(2) {
                found.push((number_of(&mut self.numbers, &phrase(&pair[0], &pair[1])), field));
            }
            if field == Field::Name {
                for run in (2..=4).flat_map(|length| stems.windows(length)) {
                    let letters: String = run.iter().filter_map(|stem| stem.chars().next()).collect();
                    found.push((number_of(&mut self.numbers, &initials(&letters)), field));
                }
            }
        }
        self.importance.read(path, cut(entry.description, MAX_DESCRIPTION));
        let entry = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        self.paths.push(path.to_lowercase().into_boxed_str());
        self.lengths.push(lengths);
        found.sort_unstable();
        for of_term in found.chunk_by(|one, other| one.0 == other.0) {
            let mut counts = [0u8; FIELDS];
            for (_, field) in of_term {
                counts[*field as usize] = counts[*field as usize].saturating_add(1);
            }
            self.occurrences.push(Occurrence { term: of_term[0].0, entry, counts });
        }
    }

    pub(super) fn finish(self, weights: Weights) -> Index {
        let Self { paths, numbers, written, mut occurrences, lengths, importance, .. } = self;
        let mut terms: Vec<(String, Term)> = numbers.into_iter().collect();
        terms.sort_unstable();
        let mut renumbered = vec![0; terms.len()];
        for (place, (_, number)) in terms.iter().enumerate() {
            renumbered[*number as usize] = place as Term;
        }
        for occurrence in &mut occurrences {
            occurrence.term = renumbered[occurrence.term as usize];
        }
        let mut written: Vec<(Box<str>, Term)> =
            written.into_iter().map(|(word, number)| (word.into_boxed_str(), renumbered[number as usize])).collect();
        written.sort_unstable();
        let terms = terms.into_iter().map(|(term, _)| term.into_boxed_str()).collect();
        let vocabulary = Vocabulary::new(terms, written);

        let mut starts = vec![0; vocabulary.len() + 1];
        for occurrence in &occurrences {
            starts[occurrence.term as usize + 1] += 1;
        }
        for term in 0..vocabulary.len() {
            starts[term + 1] += starts[term];
        }
        let directions = directions(&vocabulary, &occurrences, paths.len());
        let averages = average_lengths(&lengths);
        let mut next = starts.clone();
        let mut postings = vec![Posting { entry: 0, weight: 0.0 }; occurrences.len()];
        for occurrence in &occurrences {
            let place = &mut next[occurrence.term as usize];
            let lengths = lengths[occurrence.entry as usize];
            let weight = weight_of(occurrence, lengths, averages, &weights);
            postings[*place as usize] = Posting { entry: occurrence.entry, weight };
            *place += 1;
        }
        let mut order: Vec<u32> = (0..).take(paths.len()).collect();
        order.sort_by(|&one, &other| paths[one as usize].cmp(&paths[other as usize]));
        let mut rank = vec![0; paths.len()];
        for (place, &entry) in (0..).zip(&order) {
            rank[entry as usize] = place;
        }
        let (synonyms, related) = (others(SYNONYMS, &vocabulary), others(RELATED, &vocabulary));
        Index { synonyms, related, directions, importance, paths, order, rank, vocabulary, starts, postings, weights }
    }
}

fn number_of(numbers: &mut HashMap<String, Term>, term: &str) -> Term {
    if let Some(&number) = numbers.get(term) {
        return number;
    }
    let number = numbers.len() as Term;
    numbers.insert(term.to_owned(), number);
    number
}

fn average_lengths(lengths: &[[u16; FIELDS]]) -> [f64; FIELDS] {
    let mut averages = [0.0; FIELDS];
    for of_entry in lengths {
        for (average, &length) in averages.iter_mut().zip(of_entry) {
            *average += f64::from(length);
        }
    }
    averages.map(|sum| (sum / lengths.len().max(1) as f64).max(1.0))
}

fn weight_of(occurrence: &Occurrence, lengths: [u16; FIELDS], averages: [f64; FIELDS], weights: &Weights) -> f32 {
    let mut weight = 0.0;
    for field in 0..FIELDS {
        let shrink = weights.lengths[field];
        let length = 1.0 - shrink + shrink * f64::from(lengths[field]) / averages[field];
        weight += weights.fields[field] * f64::from(occurrence.counts[field]) / length;
    }
    weight as f32
}

/// Returns the direction of each entry: the sum of the meanings of its words, weighted by their fields.
fn directions(vocabulary: &Vocabulary, occurrences: &[Occurrence], entries: usize) -> Vec<Option<Direction>> {
    let mut known: Vec<Meaning> = Vec::new();
    let mut places: Vec<Option<usize>> = Vec::with_capacity(vocabulary.len());
    for term in vocabulary.iter() {
        let meaning = if is_word(term) { Meaning::of(term) } else { None };
        places.push(meaning.is_some().then_some(known.len()));
        known.extend(meaning);
    }
    let mut sums = vec![Sum::default(); entries];
    for occurrence in occurrences {
        let times = occurrence.counts.iter().zip(MEANING).map(|(&count, weight)| count.saturating_mul(weight));
        let times = times.fold(0, u8::saturating_add);
        if let Some(place) = places[occurrence.term as usize]
            && times > 0
        {
            sums[occurrence.entry as usize].add(&known[place], times);
        }
    }
    sums.iter().map(Sum::direction).collect()
}

/// Returns the other known words of the groups of each word.
fn others(groups: &[&[&str]], vocabulary: &Vocabulary) -> BTreeMap<String, Vec<Term>> {
    let mut others: BTreeMap<String, Vec<Term>> = BTreeMap::new();
    for group in groups {
        let stems: Vec<String> = group.iter().map(|word| stem_of(word)).collect();
        for one in &stems {
            let known = stems.iter().filter(|other| *other != one).filter_map(|other| vocabulary.find(other));
            others.entry(one.clone()).or_default().extend(known);
        }
    }
    others
}
