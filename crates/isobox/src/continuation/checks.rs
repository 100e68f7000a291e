//! What is checked before a continuation is used.

use isobox_core::store::{Error, Store, seen_mark, was_restored_since};
use isobox_core::{ExecutionId, Failure, Timestamp};

use super::packed::Packed;
use crate::{ConflictKind, Decisions};

/// Returns the mark of the store that remembers used continuations, or nothing if the store does not answer: times are compared
/// then, and the paused execution is not lost.
pub(super) async fn mark_of(store: Option<&dyn Store>) -> Vec<u8> {
    match store {
        Some(store) => seen_mark(store).await.unwrap_or_default(),
        None => Vec::new(),
    }
}

/// Tells whether a continuation was issued before the store that remembers its use was restored from a backup. The store has
/// then forgotten which ones were used.
pub(super) async fn is_outdated(packed: &Packed, store: Option<&dyn Store>) -> Result<bool, Error> {
    match store {
        Some(store) => was_restored_since(store, &packed.mark, Timestamp(packed.issued)).await,
        None => Ok(false),
    }
}

/// Refuses decisions that were made for another execution than that of the continuation, or that do not name what was shown.
pub(super) fn check_shown(decided: &ExecutionId, decisions: &Decisions, id: &ExecutionId) -> Result<(), Failure> {
    let (message, hint) = if decided != id {
        let message = format!("the decisions are about execution {decided}, and the continuation is of {id}");
        (message, "nothing was run: continue with the decisions about the execution that was shown")
    } else if !decisions.name_revision() {
        let message = "the decisions do not name the revision that was shown".to_owned();
        (message, "nothing was run: take the revision from the outcome that paused")
    } else {
        return Ok(());
    };
    Err(Failure::conflict(ConflictKind::WrongDecision, message).hint(hint))
}
