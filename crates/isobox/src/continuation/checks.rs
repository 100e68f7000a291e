//! What is checked before a continuation is used.

use isobox_core::store::{Error, Store, restored_at};
use isobox_core::{ExecutionId, Failure};

use crate::{ConflictKind, Decisions};

/// Tells whether a continuation was issued before the store that remembers its use was restored from a backup. The store has
/// then forgotten which ones were used.
pub(super) async fn is_outdated(issued: u64, store: Option<&dyn Store>) -> Result<bool, Error> {
    let Some(store) = store else { return Ok(false) };
    Ok(restored_at(store).await?.is_some_and(|restored| issued < restored.0))
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
