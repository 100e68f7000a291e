//! Calls that wait for the answer of a person, with the connection in which the server asked; and tasks that no call
//! follows at the moment.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use isobox_core::ExecutionId;

use super::questions::Question;
use super::session::{Running, Session};

/// A call whose server waits for an answer. Dropping it cancels the call at the server.
pub(super) struct ParkedCall {
    pub(super) session: Arc<Session>,
    pub(super) running: Running,
    pub(super) question: Question,
}

/// Things of calls that are kept until the calls go on or their executions end, oldest first.
pub(super) struct Parked<T>(Mutex<VecDeque<(ExecutionId, String, T)>>);

impl<T> Default for Parked<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// The maximum number of calls.
const MOST: usize = 1_000;

impl<T> Parked<T> {
    /// Keeps a thing under the key of its call. Returns the oldest one if there are too many.
    pub(super) fn put(&self, execution: &ExecutionId, key: String, thing: T) -> Option<T> {
        let mut calls = self.lock();
        calls.retain(|(_, other, _)| *other != key);
        let oldest = if calls.len() == MOST { calls.pop_front().map(|(_, _, thing)| thing) } else { None };
        calls.push_back((execution.clone(), key, thing));
        oldest
    }

    /// Takes a thing by the key of its call.
    pub(super) fn take(&self, key: &str) -> Option<T> {
        let mut calls = self.lock();
        let at = calls.iter().position(|(_, other, _)| other == key)?;
        calls.remove(at).map(|(_, _, thing)| thing)
    }

    /// Drops the things of an execution.
    pub(super) fn forget(&self, execution: &ExecutionId) {
        self.lock().retain(|(other, _, _)| other != execution);
    }

    /// Takes all things.
    pub(super) fn take_all(&self) -> Vec<T> {
        self.lock().drain(..).map(|(_, _, thing)| thing).collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(ExecutionId, String, T)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_kept_by_call_and_execution_and_their_number_is_bounded() {
        let parked = Parked::default();
        let (one, other) = (ExecutionId::new(1, 1), ExecutionId::new(1, 2));
        for number in 0..MOST {
            assert_eq!(parked.put(&one, format!("one:{number}"), number), None);
        }
        assert_eq!(parked.put(&other, "other:0".to_owned(), 7), Some(0), "the oldest makes room");
        assert_eq!((parked.take("one:0"), parked.take("one:1")), (None, Some(1)));
        parked.forget(&one);
        assert_eq!(parked.take_all(), [7]);
    }
}
