//! How long executions are kept: over any store, by looking and then removing what still stands as it was seen.

use std::time::Duration;

use super::{Expected, Filter, Listed, Status, Store};
use crate::{Code, ExecutionId, Failure, Timestamp};

/// How many executions that are over are kept, where nothing else is said.
pub const KEPT: usize = 50;

/// After what time without a change an execution that is not over is given up, where nothing else is said.
pub const STALE_AFTER: Duration = Duration::from_hours(24);

/// How many are looked at together.
const PAGE: u32 = 500;

/// Removes executions that are over, but for the `keep` newest, and says which. Never one that runs or is paused.
pub async fn prune(store: &dyn Store, keep: usize) -> Result<Vec<ExecutionId>, Failure> {
    let mut seen = 0_usize;
    let is_over = Status::ALL.into_iter().filter(|status| status.is_over()).fold(Filter::newest(PAGE), Filter::with);
    remove(store, is_over, |_| {
        seen += 1;
        seen > keep
    })
    .await
}

/// Removes executions that are not over, that nobody alive runs, and that have not changed since `moment`: paused ones that
/// nobody decided about, running ones whose process died. Says which.
pub async fn expire(store: &dyn Store, moment: Timestamp) -> Result<Vec<ExecutionId>, Failure> {
    let is_not_over = Status::ALL.into_iter().filter(|status| !status.is_over());
    let stale = is_not_over.fold(Filter::newest(PAGE).updated_before(moment), Filter::with);
    remove(store, stale, |listed| !listed.is_held).await
}

async fn remove(
    store: &dyn Store,
    mut filter: Filter,
    mut is_unwanted: impl FnMut(&Listed) -> bool,
) -> Result<Vec<ExecutionId>, Failure> {
    let mut removed = Vec::new();
    loop {
        let page = store.list(filter.clone()).await?;
        let Some(last) = page.last() else { return Ok(removed) };
        filter.after = Some(last.id.clone());
        for listed in page.into_iter().filter(&mut is_unwanted) {
            match store.delete(&listed.id, Expected::Unchanged(listed.head)).await {
                Ok(()) => removed.push(listed.id),
                // Somebody else has removed it, or goes on with it.
                Err(failure) if matches!(failure.code, Code::NotFound | Code::Conflict) => {}
                Err(failure) => return Err(failure),
            }
        }
    }
}
