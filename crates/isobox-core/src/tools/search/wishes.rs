//! Expands a query into the terms by which entries may match it.

use std::cell::OnceCell;

use super::index::Index;
use super::jargon::spelt_out;
use super::meaning::{Direction, Meaning, Sum};
use super::vocabulary::{Correction, Term, Vocabulary, initials, phrase};
use super::words::{each_word, is_stop_word, stem_of};

/// The maximum number of words of a query.
const MAX_WORDS: usize = 32;
/// The maximum number of entries of a word that may itself be a typing error.
const RARE: usize = 2;
/// The factor by which a correction must be more common than such a word.
const MUCH_MORE_COMMON: usize = 10;
/// The maximum number of words of a query that may be a command line: `cat notes.txt`.
const MAX_COMMAND_LINE: usize = 3;

/// One concept of a query.
#[derive(Debug)]
pub(super) struct Wish {
    /// The word of the query, in lower case.
    pub(super) word: String,
    /// Terms for exactly this concept, with their weights.
    pub(super) same: Vec<(Term, f64)>,
    /// Terms that are likely to mean this concept.
    pub(super) similar: Vec<(Term, f64)>,
    pub(super) weight: f64,
    /// Whether the meaning of the word is known.
    pub(super) has_meaning: bool,
    /// Whether an entry without the concept is a worse answer.
    pub(super) is_expected: bool,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            word: String::new(),
            same: Vec::new(),
            similar: Vec::new(),
            weight: 1.0,
            has_meaning: false,
            is_expected: true,
        }
    }
}

/// A query: its concepts, and its meaning as a whole.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    pub(super) wishes: Vec<Wish>,
    /// The number of words that no entry has, but whose meaning is known.
    pub(super) unknown: usize,
    /// The direction of the sum of all words, if the meaning of one is known.
    pub(super) direction: Option<Direction>,
}

/// Returns the concepts of a query, word by word, and its meaning.
pub(super) fn wishes(index: &Index, query: &str) -> Wishes {
    let words = read(index, query);
    let direction = direction_of(&words);
    let mut wishes = Vec::new();
    let mut unknown = 0;
    let mut said: Vec<&str> = Vec::new();
    let telling: Vec<&Word> = words.iter().filter(|word| word.tells).collect();
    for (at, word) in telling.iter().enumerate() {
        if said.contains(&word.stem.as_str()) {
            continue;
        }
        said.push(&word.stem);
        let mut joined = Vec::new();
        if let Some(before) = at.checked_sub(1) {
            joined.extend(together(index, telling[before], word));
        }
        if let Some(after) = telling.get(at + 1) {
            joined.extend(together(index, word, after));
        }
        joined.extend(abbreviations(index, &words, word.place));
        let is_known = add_word(index, word, joined, &mut wishes);
        unknown += usize::from(!is_known && word.meaning.is_some());
    }
    for pair in telling.windows(2) {
        if let Some(term) = index.vocabulary.find(&phrase(&pair[0].stem, &pair[1].stem)) {
            wishes.push(Wish {
                same: vec![(term, 1.0)],
                weight: index.weights.phrase,
                is_expected: false,
                ..Wish::default()
            });
        }
    }
    Wishes { wishes, unknown, direction }
}

struct Word {
    /// The word in lower case.
    text: String,
    stem: String,
    /// The meaning of the word, or of its likely correction if no entry has the word.
    meaning: Option<Meaning>,
    /// The likely corrections, if they have been looked for.
    corrections: OnceCell<Vec<Correction>>,
    /// Whether the word is a command or an abbreviation.
    is_short: bool,
    /// The words that it stands for, if entries have both them and the word itself.
    stands_for: Vec<Term>,
    /// The index of the word in the query.
    place: usize,
    /// Whether the word is not a stop word.
    tells: bool,
}

impl Word {
    /// Returns the terms that the word may be a misspelling of, closest first.
    fn corrections(&self, vocabulary: &Vocabulary) -> &[Correction] {
        self.corrections.get_or_init(|| vocabulary.corrections(&self.text))
    }

    fn known_meaning(&self, vocabulary: &Vocabulary) -> Option<Meaning> {
        Meaning::of(&self.stem).or_else(|| {
            let is_unknown = self.tells && !self.is_short && vocabulary.find(&self.stem).is_none();
            let correction = if is_unknown { self.corrections(vocabulary).first() } else { None };
            correction.and_then(|correction| Meaning::of(vocabulary.text(correction.term)))
        })
    }
}

fn read(index: &Index, query: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut telling, mut all, mut at) = (0, 0, 0);
    each_word(query, |_| all += 1);
    let mut push = |text: String, is_short: bool, stands_for: Vec<Term>| {
        let tells = !is_stop_word(&text);
        telling += usize::from(tells);
        if telling <= MAX_WORDS && words.len() < 4 * MAX_WORDS {
            let stem = stem_of(&text);
            let corrections = OnceCell::new();
            let mut word =
                Word { text, stem, meaning: None, corrections, is_short, stands_for, place: words.len(), tells };
            word.meaning = word.known_meaning(&index.vocabulary);
            words.push(word);
        }
    };
    each_word(query, |word| {
        let text = word.to_lowercase();
        let is_known = index.vocabulary.is_written(&text);
        let spelt_out: Vec<&str> = spelt_out(&text, is_known, at == 0 && all <= MAX_COMMAND_LINE).collect();
        let is_short = !spelt_out.is_empty();
        at += 1;
        if is_known {
            let stands_for = spelt_out.into_iter().filter_map(|word| index.vocabulary.find(&stem_of(word)));
            push(text, is_short, stands_for.collect());
        } else {
            push(text, is_short, Vec::new());
            spelt_out.into_iter().for_each(|word| push(word.to_owned(), false, Vec::new()));
        }
    });
    if telling == 0 {
        words.truncate(MAX_WORDS);
        words.iter_mut().for_each(|word| word.tells = true);
    }
    words
}

/// Returns the direction of the sum of the words. Stop words count too, because they are common and weigh little.
fn direction_of(words: &[Word]) -> Option<Direction> {
    let mut sum = Sum::default();
    for meaning in words.iter().filter_map(|word| word.meaning.as_ref()) {
        sum.add(meaning, 1);
    }
    sum.direction()
}

/// Finds two words as one: `service bus` is `servicebus`.
fn together(index: &Index, first: &Word, second: &Word) -> Option<(Term, f64)> {
    index.vocabulary.find(&stem_of(&format!("{}{}", first.text, second.text))).map(|term| (term, index.weights.joined))
}

/// Finds abbreviations: `network security group` is `nsg`, unless many entries have that word.
fn abbreviations(index: &Index, words: &[Word], place: usize) -> Vec<(Term, f64)> {
    let mut found = Vec::new();
    for length in 3..=5 {
        for run in words.windows(length) {
            let within = run[0].place <= place && place < run[0].place + length;
            if !within || !run[0].tells || !run[length - 1].tells {
                continue;
            }
            let letters: String = run.iter().filter_map(|word| word.text.chars().next()).collect();
            let term = index.vocabulary.find(&letters);
            let uncommon = |term: &Term| index.entries_with(*term) <= (index.paths.len() / 50).max(1);
            found.extend(term.filter(uncommon).map(|term| (term, index.weights.initials)));
        }
    }
    found
}

/// Adds the concepts of a word. Tells whether there are any.
fn add_word(index: &Index, word: &Word, joined: Vec<(Term, f64)>, wishes: &mut Vec<Wish>) -> bool {
    let (weights, vocabulary) = (&index.weights, &index.vocabulary);
    let known = vocabulary.find(&word.stem);
    let mut wish = Wish { word: word.text.clone(), has_meaning: word.meaning.is_some(), ..Wish::default() };
    wish.same.extend(known.map(|term| (term, 1.0)));
    wish.same.extend(joined);
    wish.same.extend(index.synonyms.get(&word.stem).into_iter().flatten().map(|&term| (term, weights.synonym)));
    wish.similar.extend(index.related.get(&word.stem).into_iter().flatten().map(|&term| (term, weights.related)));
    wish.similar.extend(word.stands_for.iter().map(|&term| (term, weights.stands_for)));
    if (2..=4).contains(&word.text.len()) && !word.is_short {
        wish.similar.extend(vocabulary.find(&initials(&word.text)).map(|term| (term, weights.initials)));
    }
    wish.similar.extend(vocabulary.beginning_with(&word.stem).into_iter().map(|term| (term, weights.longer)));
    if wish.same.is_empty() && wish.similar.is_empty() {
        if let Some((first, second)) = vocabulary.halves(&word.stem) {
            wishes.extend([first, second].map(|half| half_of(index, half)));
            return true;
        }
        wish.similar = corrections(index, word, 1);
    } else if let Some(known) = known
        && wish.same.len() == 1
        && index.entries_with(known) <= RARE
    {
        wish.similar.extend(corrections(index, word, MUCH_MORE_COMMON * index.entries_with(known)));
    }
    if wish.same.is_empty() && wish.similar.is_empty() {
        return false;
    }
    wishes.push(wish);
    true
}

/// Returns the likely corrections of a misspelt word, among the terms that at least `entries` entries have.
fn corrections(index: &Index, misspelt: &Word, entries: usize) -> Vec<(Term, f64)> {
    let weights = &index.weights.misspelt;
    let corrections = misspelt.corrections(&index.vocabulary).iter();
    let common = corrections.filter(|correction| index.entries_with(correction.term) >= entries);
    common.filter_map(|one| weights.get(one.distance - 1).map(|&weight| (one.term, weight))).collect()
}

/// Returns the concept of half of an unknown compound.
fn half_of(index: &Index, half: &str) -> Wish {
    let term = index.vocabulary.find(half).or_else(|| index.vocabulary.find(&stem_of(half)));
    let same = term.map(|term| (term, 1.0)).into_iter().collect();
    Wish { word: half.to_owned(), same, weight: 0.7, ..Wish::default() }
}
