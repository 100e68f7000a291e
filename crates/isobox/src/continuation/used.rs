//! The continuations that this process has used.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::sealed::Nonce;

/// The maximum number of used continuations that a process remembers.
const MOST: usize = 1_000_000;

/// The memory of this process. There is one, so that two [`Continuations`](super::Continuations) with the same key do not
/// open the same continuation.
pub(super) static USED: Memory = Memory::new(MOST);

/// Remembers used continuations until they expire.
pub(super) struct Memory {
    most: usize,
    /// The time at which each one expires comes first, so that expired ones are found without a search.
    used: Mutex<BTreeMap<Mark, Progress>>,
}

type Mark = (u64, Nonce);

/// The progress of the use of a continuation.
#[derive(Clone, Copy)]
enum Progress {
    /// It is being used, and can be used again if that fails.
    Claimed,
    Used,
}

/// The answer of the memory to the use of a continuation.
pub(super) enum Use<'m> {
    First(Claim<'m>),
    /// It is being used at this moment.
    Claimed,
    Repeated,
    /// The memory is full, so that the use cannot be remembered.
    Full,
}

/// Marks a continuation as used. The mark is removed on drop unless it is [kept](Claim::keep).
pub(super) struct Claim<'m> {
    memory: &'m Memory,
    mark: Mark,
    is_kept: bool,
}

impl Memory {
    const fn new(most: usize) -> Self {
        Self { most, used: Mutex::new(BTreeMap::new()) }
    }

    /// Marks a continuation as used. Forgets those that have expired.
    pub(super) fn claim(&self, nonce: Nonce, until: u64, now: u64) -> Use<'_> {
        let (mut used, mark) = (self.lock(), (until, nonce));
        while used.first_key_value().is_some_and(|((until, _), _)| *until <= now) {
            used.pop_first();
        }
        match used.get(&mark) {
            Some(Progress::Claimed) => return Use::Claimed,
            Some(Progress::Used) => return Use::Repeated,
            None => {}
        }
        if used.len() >= self.most {
            return Use::Full;
        }
        used.insert(mark, Progress::Claimed);
        Use::First(Claim { memory: self, mark, is_kept: false })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Mark, Progress>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Claim<'_> {
    pub(super) fn keep(mut self) {
        self.memory.lock().insert(self.mark, Progress::Used);
        self.is_kept = true;
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            self.memory.lock().remove(&self.mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(memory: &Memory, number: u8, until: u64, now: u64) -> &'static str {
        match memory.claim([number; 24], until, now) {
            Use::First(claim) => {
                claim.keep();
                "first"
            }
            Use::Claimed => "claimed",
            Use::Repeated => "repeated",
            Use::Full => "full",
        }
    }

    #[test]
    fn what_was_used_is_remembered_until_it_expires_and_within_bounds() {
        let memory = Memory::new(2);
        assert_eq!(keep(&memory, 1, 10, 0), "first");
        assert_eq!(keep(&memory, 2, 20, 0), "first");
        assert_eq!((keep(&memory, 1, 10, 9), keep(&memory, 2, 20, 9)), ("repeated", "repeated"));
        assert_eq!(keep(&memory, 3, 30, 9), "full");
        assert_eq!(keep(&memory, 3, 30, 10), "first", "the first one has expired");
        assert_eq!(keep(&memory, 2, 20, 19), "repeated");
    }

    #[test]
    fn a_claim_that_is_not_kept_is_forgotten() {
        let memory = Memory::new(1);
        let Use::First(claim) = memory.claim([1; 24], 10, 0) else { panic!("it is new") };
        assert_eq!(keep(&memory, 1, 10, 0), "claimed");
        drop(claim);
        assert_eq!(keep(&memory, 1, 10, 0), "first");
    }
}
