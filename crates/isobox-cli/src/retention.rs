//! What is kept does not grow for ever.

use isobox::store::Retention;
use isobox::{Failure, Isobox};

use crate::setting::warn;

/// Ends executions that nobody has gone on with, and removes those that are over, but for the ones that ended last. It comes
/// after a program, so that whatever happens to it is a warning.
pub(crate) async fn keep_house(isobox: &Isobox, retention: &Retention) {
    if !isobox.keeps_executions() {
        return;
    }
    let kept = async {
        isobox.expire(retention.expire_after).await?;
        isobox.prune(retention.keep).await?;
        Ok::<(), Failure>(())
    };
    if let Err(failure) = kept.await {
        warn(&format!("old executions could not be removed: {}", failure.message));
    }
}
