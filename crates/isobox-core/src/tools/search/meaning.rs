//! The meaning of words, as vectors that point in similar directions if the words are used for similar things.
//!
//! The table is made by `spec/search/meaning.py` and read in place: it costs no time at the start, and only the pages
//! that are read take memory. Sums are of integers. What follows is multiplication, division and a square root, in a
//! fixed order, which IEEE 754 rounds in the same way on every machine.

use std::cmp::Ordering;

/// The number of parts of a vector.
pub(super) const DIMENSIONS: usize = 256;
/// The bytes of a vector in the table: four bits for each part.
const BYTES: usize = DIMENSIONS / 2;
/// The length of a vector.
const LENGTH: f64 = 512.0;

/// The maximum number of times that a word of a text counts. One word adds at most 255 * 60 * 7 to a part of a sum, so
/// that the sum of ten thousand different words still fits.
const MAX_TIMES: u8 = 60;

/// The table: the number of words (`u32`, little-endian), the end of each word (`u32` each), the words in alphabetical
/// order, the weight of each word (`u8`), the vector of each word (four bits for each part, the lower ones first).
static TABLE: &[u8] = include_bytes!("meaning.bin");

/// A direction: a vector of about the same length as all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Direction([i8; DIMENSIONS]);

/// The meaning of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    parts: [i8; DIMENSIONS],
    /// The significance of the word, from 1 to 255: common words have less.
    weight: u8,
}

/// The sum of the meanings of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sum([i32; DIMENSIONS]);

impl Meaning {
    /// Returns the meaning of a stem, if it is in the table.
    pub(super) fn of(stem: &str) -> Option<Self> {
        let words = words();
        let (mut from, mut to) = (0, words);
        while from < to {
            let middle = usize::midpoint(from, to);
            match word(middle).cmp(stem.as_bytes()) {
                Ordering::Equal => return Some(Self::at(middle)),
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
            }
        }
        None
    }

    fn at(place: usize) -> Self {
        let weights = texts() + end(words());
        let vector = &TABLE[weights + words() + place * BYTES..][..BYTES];
        let mut parts = [0; DIMENSIONS];
        for (pair, byte) in parts.chunks_exact_mut(2).zip(vector) {
            pair[0] = (byte << 4).cast_signed() >> 4;
            pair[1] = byte.cast_signed() >> 4;
        }
        Self { parts, weight: TABLE[weights + place] }
    }
}

impl Direction {
    /// Returns the cosine of the angle between two directions, or 0 if they are opposed, or 1 if rounding exceeds it.
    pub(super) fn closeness(&self, other: &Self) -> f64 {
        let mut sum = 0i32;
        for (one, other) in self.0.iter().zip(&other.0) {
            sum += i32::from(*one) * i32::from(*other);
        }
        (f64::from(sum) / (LENGTH * LENGTH)).clamp(0.0, 1.0)
    }
}

impl Default for Sum {
    fn default() -> Self {
        Self([0; DIMENSIONS])
    }
}

impl Sum {
    /// Adds a word with its weight, `times` times, at most [`MAX_TIMES`] times.
    pub(super) fn add(&mut self, meaning: &Meaning, times: u8) {
        let factor = i32::from(meaning.weight) * i32::from(times.min(MAX_TIMES));
        for (sum, part) in self.0.iter_mut().zip(&meaning.parts) {
            *sum += factor * i32::from(*part);
        }
    }

    /// Returns the direction of the sum, unless no word was added.
    pub(super) fn direction(&self) -> Option<Direction> {
        let squares: f64 = self.0.iter().map(|&part| f64::from(part) * f64::from(part)).sum();
        if squares == 0.0 {
            return None;
        }
        let factor = LENGTH / squares.sqrt();
        let mut parts = [0; DIMENSIONS];
        for (part, &sum) in parts.iter_mut().zip(&self.0) {
            let exact = f64::from(sum) * factor;
            *part = (exact + 0.5f64.copysign(exact)).clamp(-127.0, 127.0) as i8;
        }
        Some(Direction(parts))
    }
}

/// Returns the number of words in the table.
fn words() -> usize {
    number_at(0)
}

fn word(place: usize) -> &'static [u8] {
    &TABLE[texts() + end(place)..texts() + end(place + 1)]
}

/// Returns the start of the text of the words.
fn texts() -> usize {
    4 + 4 * words()
}

/// Returns the length of the text of the first words.
fn end(first: usize) -> usize {
    if first == 0 { 0 } else { number_at(4 * first) }
}

fn number_at(place: usize) -> usize {
    let bytes = TABLE[place..place + 4].try_into().expect("four bytes");
    u32::from_le_bytes(bytes) as usize
}

#[cfg(test)]
mod tests {
    use super::super::words::stem_of;
    use super::*;

    #[test]
    fn the_table_is_whole_and_sorted() {
        assert!(words() > 20_000);
        assert_eq!(TABLE.len(), texts() + end(words()) + words() * (1 + BYTES));
        assert!((1..words()).all(|place| word(place - 1) < word(place)));
        assert!(TABLE.len() < 4_000_000, "it is in the repository and in every binary");
    }

    #[test]
    fn forms_of_known_words_are_found_by_the_stems_of_this_crate() {
        for known in ["create", "directories", "sending", "weather", "invoice", "deletion", "mkdir", "kubernetes"] {
            assert!(Meaning::of(&stem_of(known)).is_some(), "{known}");
        }
        for unknown in ["", "zzzzzzzz", "\u{301}", "~ab", "two words"] {
            assert_eq!(Meaning::of(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn words_for_similar_things_are_close() {
        for (one, similar, other) in [
            ("folder", "directory", "weather"),
            ("purchase", "buy", "calendar"),
            ("parcel", "shipment", "database"),
            ("picture", "image", "invoice"),
        ] {
            let closeness = |to: &str| direction(one).closeness(&direction(to));
            assert!(closeness(similar) > closeness(other) + 0.2, "{one}: {similar} {other}");
        }
        let same = direction("weather").closeness(&direction("weather"));
        assert!((0.97..=1.0).contains(&same), "{same}");
    }

    #[test]
    fn nothing_has_no_direction() {
        assert_eq!(Sum::default().direction(), None);
    }

    fn direction(word: &str) -> Direction {
        let mut sum = Sum::default();
        sum.add(&Meaning::of(&stem_of(word)).unwrap(), 1);
        sum.direction().unwrap()
    }
}
