//! Calls that wait for the answer of a person, with the connection in which the server asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use isobox_core::ExecutionId;

use super::questions::Question;
use super::session::{Running, Session};

/// A call whose server waits for an answer. Dropping it cancels the call at the server.
pub(super) struct ParkedCall {
    pub(super) session: Arc<Session>,
    pub(super) running: Running,
    pub(super) question: Question,
}

/// The calls that wait, oldest first.
#[derive(Default)]
pub(super) struct Parked(Mutex<VecDeque<(ExecutionId, String, ParkedCall)>>);

/// The maximum number of calls that wait. The oldest ones are given up.
const MOST: usize = 1_000;

impl Parked {
    /// Keeps a call under its key.
    pub(super) fn put(&self, execution: &ExecutionId, key: String, call: ParkedCall) {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.retain(|(_, other, _)| *other != key);
        if calls.len() == MOST {
            calls.pop_front();
        }
        calls.push_back((execution.clone(), key, call));
    }

    /// Takes a call by its key, if its server is still connected.
    pub(super) fn take(&self, key: &str) -> Option<ParkedCall> {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = calls.iter().position(|(_, other, _)| other == key)?;
        let (_, _, call) = calls.remove(at)?;
        (!call.session.is_over()).then_some(call)
    }

    /// Gives up the calls of an execution.
    pub(super) fn forget(&self, execution: &ExecutionId) {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.retain(|(other, _, _)| other != execution);
    }

    /// Gives up all calls.
    pub(super) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
