//! The parts of a journal: the program, and each rollback.

use isobox_core::Code;
use isobox_core::journal::{Ended, Ending, Entry};

/// Returns the entries of the program, and those of each rollback.
pub fn phases(entries: &[Entry]) -> (&[Entry], Vec<&[Entry]>) {
    let begins = |entry: &Entry| matches!(entry, Entry::Rollback(_));
    let mut places: Vec<usize> =
        entries.iter().enumerate().filter(|(_, entry)| begins(entry)).map(|(place, _)| place).collect();
    let program = &entries[..places.first().copied().unwrap_or(entries.len())];
    places.push(entries.len());
    (program, places.windows(2).map(|window| &entries[window[0]..window[1]]).collect())
}

/// Returns how a program, or one rollback, has ended.
pub fn end_of(phase: &[Entry]) -> Option<&Ended> {
    phase.iter().find_map(|entry| match entry {
        Entry::Ended(ended) => Some(ended),
        _ => None,
    })
}

/// Returns the code with which a program or a rollback was stopped.
pub fn stopped_with(how: &Ending) -> Option<Code> {
    match how {
        Ending::Failed(failure) | Ending::Rejected(failure) => Some(failure.code),
        Ending::RolledBack(stopped) => stopped.as_ref().map(|failure| failure.code),
        Ending::Completed(_) => None,
    }
}
