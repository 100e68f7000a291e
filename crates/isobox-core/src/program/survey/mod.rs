//! Looks over a text before it is parsed: how deeply the parser, and everything after it, would have to recurse, and how
//! often it would read the same text again.
//!
//! The parser has no limit of its own for either, so a hostile text could overflow the host's stack, or keep it busy for
//! years. Counting is done on tokens, and errs on the side of more: it may call an ordinary text deep, which mostly costs
//! a thread with a larger stack, but it must never call a deep one ordinary. Where a `/` may be a division as well as the
//! start of a regular expression, both readings are counted.

mod literals;
mod nesting;
mod scanner;
#[cfg(test)]
mod tests;

use nesting::Nesting;
use scanner::Scanner;

/// How many bytes are looked over for all readings of a text together, and how many readings there may be at most.
const MAXIMUM_SCANNED: usize = 2 << 20;
const MAXIMUM_READINGS: usize = 256;
const MINIMUM_READINGS: usize = 16;

/// What a text needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demand {
    /// The stack of the caller.
    Ordinary,
    /// A stack of this many bytes.
    Stack(usize),
    /// More than there is.
    Refused(Refusal),
}

/// Why a text is not parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) offset: usize,
    pub(super) message: &'static str,
    pub(super) hint: &'static str,
}

/// What is open at the end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    Bracket { sign: char, offset: usize },
    Template { offset: usize },
    Comment { offset: usize },
}

/// A closing bracket that does not fit the one that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) offset: usize,
    /// Nothing if no bracket is open.
    pub(super) opened: Option<(char, usize)>,
}

/// What was found out about a text.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) demand: Demand,
    /// The innermost thing that was never closed.
    pub(super) open: Option<Open>,
    /// The first closing bracket that does not fit.
    pub(super) mismatch: Option<Mismatch>,
    /// A string that its line does not close.
    pub(super) string: Option<usize>,
}

/// Looks over a text. What is open or does not fit is that of the likeliest reading.
pub(super) fn survey(text: &str) -> Survey {
    let mut scanner = Scanner::new(text, Vec::new());
    let mut survey = scanner.run();
    let readings = (MAXIMUM_SCANNED / text.len().max(1)).clamp(MINIMUM_READINGS, MAXIMUM_READINGS);
    let mut count = 1 + scanner.decisions.len();
    let mut left = if count > readings { Vec::new() } else { other_readings(&scanner, 0) };
    while let Some(decisions) = left.pop()
        && !matches!(survey.demand, Demand::Refused(_))
        && count <= readings
    {
        let given = decisions.len();
        let mut other = Scanner::new(text, decisions);
        survey.demand = larger(survey.demand, other.run().demand);
        count += other.decisions.len() - given;
        if count <= readings {
            left.extend(other_readings(&other, given));
        }
    }
    if count > readings && !matches!(survey.demand, Demand::Refused(_)) {
        survey.demand = Demand::Refused(Refusal {
            offset: scanner.first_doubt,
            message: "too many `/` may be divisions as well as the start of regular expressions",
            hint: "end the statements before them with `;`, and put regular expressions in parentheses",
        });
    }
    survey
}

/// The decisions that differ from those of a reading at exactly one place, and are the same before it.
fn other_readings(scanner: &Scanner<'_>, given: usize) -> Vec<Vec<bool>> {
    let taken = &scanner.decisions;
    (given..taken.len())
        .map(|index| {
            let mut other = taken[..=index].to_vec();
            other[index] = !other[index];
            other
        })
        .collect()
}

fn larger(left: Demand, right: Demand) -> Demand {
    match (left, right) {
        (Demand::Refused(refusal), _) | (_, Demand::Refused(refusal)) => Demand::Refused(refusal),
        (Demand::Stack(left), Demand::Stack(right)) => Demand::Stack(left.max(right)),
        (Demand::Stack(size), Demand::Ordinary) | (Demand::Ordinary, Demand::Stack(size)) => Demand::Stack(size),
        (Demand::Ordinary, Demand::Ordinary) => Demand::Ordinary,
    }
}
