//! The meaning of words, as vectors that point in similar directions if the words are used for similar things.
//!
//! The table is made by `spec/search/meaning.py` and read in place: it costs no time at the start, and only the pages
//! that are read take memory. All arithmetic up to the final quotient is on integers, so that every machine gives the
//! same answer.

use std::cmp::Ordering;

/// The number of parts of a vector.
pub(super) const DIMENSIONS: usize = 256;
/// The bytes of a vector in the table: four bits for each part.
const BYTES: usize = DIMENSIONS / 2;
/// The length of a vector.
const LENGTH: f64 = 512.0;

/// The table: the number of words (`u32`, little-endian), the end of each word (`u32` each), the words in alphabetical
/// order, the weight of each word (`u8`), the vector of each word (four bits for each part, the
/// lower ones first).
static TABLE: &[u8] = include_bytes!("meaning.bin");

/// A direction: a vector of about the same length as all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Direction([i8; DIMENSIONS]);

/// The meaning of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    parts: [i8; DIMENSIONS],
    /// How much the word says, from 1 to 255: common words say less.
    weight: u8,
}

/// The sum of the meanings of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sum([i64; DIMENSIONS]);

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
    /// Adds a word, `times` times its own weight.
    pub(super) fn add(&mut self, meaning: &Meaning, times: u32) {
        let factor = i64::from(meaning.weight) * i64::from(times);
        for (sum, part) in self.0.iter_mut().zip(&meaning.parts) {
            *sum += factor * i64::from(*part);
        }
    }

    /// Returns the direction of the sum, unless no word was added.
    pub(super) fn direction(&self) -> Option<Direction> {
        let squares: f64 = self.0.iter().map(|&part| part as f64 * part as f64).sum();
        if squares == 0.0 {
            return None;
        }
        let factor = LENGTH / squares.sqrt();
        let mut parts = [0; DIMENSIONS];
        for (part, &sum) in parts.iter_mut().zip(&self.0) {
            *part = (sum as f64 * factor).round().clamp(-127.0, 127.0) as i8;
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
