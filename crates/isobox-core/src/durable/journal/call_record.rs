//! A call of a journal, as outcomes show it.

use super::call::{CallProgress, JournalCall};
use super::entry::{Question, Settlement};
use crate::{CallRecord, CallState, Failure};

impl JournalCall {
    /// Returns the call as outcomes show it. `is_over` tells whether the execution has ended.
    pub(super) fn record(&self, is_over: bool) -> CallRecord {
        let failure = match &self.progress {
            CallProgress::Settled { settlement: Settlement::Failed(failure), .. } => Some(&**failure),
            CallProgress::Delivered { failure, .. } => failure.as_deref(),
            _ => None,
        };
        let (state, took) = match &self.progress {
            CallProgress::Issued => (CallState::Issued, None),
            CallProgress::Pending(pending) if pending.question == Question::InDoubt => {
                (if is_over { CallState::CancelledUnknown } else { CallState::InDoubt }, None)
            }
            CallProgress::Pending(_) | CallProgress::Decided(_) if is_over => (CallState::Issued, None),
            CallProgress::Pending(_) | CallProgress::Decided(_) => (CallState::Pending, None),
            CallProgress::Started if is_over => (CallState::CancelledUnknown, None),
            CallProgress::Started => (CallState::Started, None),
            CallProgress::Settled { took, .. } | CallProgress::Delivered { took, .. } => {
                (failure.map_or(CallState::Applied, CallState::of_failure), Some(*took))
            }
        };
        CallRecord {
            seq: self.seq,
            path: self.path.to_string(),
            state,
            duration_ms: took,
            input: None,
            output: None,
            error: failure.cloned().map(Failure::without_contents),
            reverts: None,
        }
    }
}
