//! Applies the retention rules, so that the store does not grow without bound.

use isobox::store::Postponed;
use isobox::store::Retention;
use isobox::store::SETTLED_AFTER;
use isobox::{Failure, Isobox, Principal};

use crate::executions::moment::in_duration;
use crate::style::warn;

/// Ends rejected and cancelled executions whose process has died, expires stale executions, and prunes finished ones.
/// Runs after a program, so a failure is only a warning.
pub(crate) async fn keep_house(isobox: &Isobox, retention: &Retention) {
    if !isobox.keeps_executions() {
        return;
    }
    let kept = async {
        isobox.end_stopped().await?;
        if let Some(postponed) = isobox.expire(Principal::host(), retention.expire_after).await?.postponed {
            warn(&tell_postponed(&postponed));
        }
        isobox.prune(Principal::host(), retention.keep).await?;
        Ok::<(), Failure>(())
    };
    if let Err(failure) = kept.await {
        warn(&format!("old executions could not be removed: {}", failure.message));
    }
}

/// Describes a postponed expiry: the clock may have jumped.
pub(crate) fn tell_postponed(postponed: &Postponed) -> String {
    let Postponed { executions, ahead } = postponed;
    let (count, ahead, minutes) = (executions.len(), in_duration(*ahead), SETTLED_AFTER.as_secs() / 60);
    format!(
        "{count} executions were not expired: the clock is {ahead} ahead of the last use of the store and may have jumped; \
         they expire if the clock still says so in {minutes} minutes"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::ExecutionId;
    use std::time::Duration;

    #[test]
    fn a_jump_of_the_clock_is_told_with_what_follows_from_it() {
        let executions = vec![ExecutionId::new(1, 1), ExecutionId::new(2, 2)];
        insta::assert_snapshot!(tell_postponed(&Postponed { executions, ahead: Duration::from_hours(52) }), @"2 executions were not expired: the clock is 2d 4h ahead of the last use of the store and may have jumped; they expire if the clock still says so in 10 minutes");
    }
}
