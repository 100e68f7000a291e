//! Decides when a live execution reads its inbox: when a change is reported, and at intervals.

use std::task::{Context, Poll, ready};
use std::time::Duration;

use crate::durable::permission::Permission;
use crate::store::{Coverage, Subscription};

/// The interval while calls are pending and not all changes are reported.
const WHILE_ASKING: Duration = Duration::from_millis(200);

/// The interval without pending calls, to find rejections.
const SELDOM: Duration = Duration::from_secs(1);

/// The interval if all changes are reported, as a last resort.
const THOUGH_TOLD: Duration = Duration::from_secs(5);

/// The schedule for reading the inbox.
pub(in crate::run) struct Lookout {
    changes: Subscription,
    due: Duration,
    /// Ends when others may take this process for dead, counted from the last reading.
    liveness: Permission,
}

/// The messages that an execution is waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Awaited {
    /// Decisions about pending calls.
    Decisions,
    /// A rejection. No call is pending.
    Rejection,
}

/// The result of reading the inbox.
pub(super) enum Sight {
    /// The inbox was read, and this is the liveness from before the reading.
    Clear(Permission),
    /// The store did not answer.
    Obstructed,
}

impl Lookout {
    /// Starts with an early reading, because the inbox may have changed before the subscription.
    pub(in crate::run) fn new(changes: Subscription, now: Duration, liveness: Permission) -> Self {
        Self { changes, due: now.saturating_add(SELDOM), liveness }
    }

    /// Counts from a reading before the start.
    pub(in crate::run) fn count_from(&mut self, looked: Duration, liveness: Permission) {
        (self.due, self.liveness) = (looked.saturating_add(SELDOM), liveness);
    }

    /// Tells whether others could take this process for dead since the last reading. What they posted then, they posted
    /// to an execution that no process ran.
    pub(in crate::run) fn was_silent(&self) -> bool {
        !self.liveness.holds()
    }

    /// Returns the time of the next reading.
    pub(in crate::run) fn due(&self) -> Duration {
        self.due
    }

    /// Tells whether a reading is due. Changes that are reported from now on make another one due.
    pub(super) fn is_due(&mut self, now: Duration) -> bool {
        if self.changes.take_change() {
            self.due = Duration::ZERO;
        }
        now >= self.due
    }

    /// Completes when a change is reported, which makes a reading due.
    pub(in crate::run) fn poll_told(&mut self, context: &mut Context<'_>) -> Poll<()> {
        ready!(self.changes.poll_changed(context));
        self.due = Duration::ZERO;
        Poll::Ready(())
    }

    /// Begins a reading, which sees all changes that were reported until now.
    pub(super) fn begin_look(&mut self) {
        self.changes.take_change();
    }

    /// Schedules the next reading.
    pub(super) fn has_looked(&mut self, sight: Sight, awaited: Awaited, now: Duration) {
        self.due = now.saturating_add(pause(self.changes.coverage(), &sight, awaited));
        if let Sight::Clear(liveness) = sight {
            self.liveness = liveness;
        }
    }
}

fn pause(coverage: Coverage, sight: &Sight, awaited: Awaited) -> Duration {
    match (coverage, sight, awaited) {
        (Coverage::Complete, Sight::Clear(_), Awaited::Decisions | Awaited::Rejection) => THOUGH_TOLD,
        (Coverage::Partial, _, Awaited::Decisions) | (_, Sight::Obstructed, Awaited::Decisions) => WHILE_ASKING,
        (Coverage::Partial, _, Awaited::Rejection) | (_, Sight::Obstructed, Awaited::Rejection) => SELDOM,
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;
    use crate::ExecutionId;
    use crate::store::Subscriptions;

    const NOW: Duration = Duration::from_secs(100);

    #[test]
    fn an_execution_that_is_told_of_everything_looks_seldom_and_others_often() {
        let awaited = [Awaited::Decisions, Awaited::Rejection];
        let pauses = |coverage, sight: &Sight| awaited.map(|awaited| pause(coverage, sight, awaited));
        let clear = Sight::Clear(Permission::always());
        assert_eq!(pauses(Coverage::Complete, &clear), [THOUGH_TOLD; 2]);
        assert_eq!(pauses(Coverage::Partial, &clear), [WHILE_ASKING, SELDOM]);
        assert_eq!(pauses(Coverage::Complete, &Sight::Obstructed), [WHILE_ASKING, SELDOM], "the change was not read");
    }

    #[test]
    fn a_change_makes_a_look_due_whether_or_not_the_execution_waits() {
        let (subscriptions, id) = (Subscriptions::new(Coverage::Complete), ExecutionId::new(1, 1));
        let mut lookout = Lookout::new(subscriptions.subscribe(&id), NOW, Permission::always());
        let mut context = Context::from_waker(Waker::noop());
        assert!(!lookout.is_due(NOW) && lookout.poll_told(&mut context).is_pending());
        subscriptions.tell(&id);
        assert!(lookout.is_due(NOW));
        lookout.has_looked(Sight::Clear(Permission::always()), Awaited::Rejection, NOW);
        assert!(!lookout.is_due(NOW) && lookout.due() == NOW + THOUGH_TOLD);
        subscriptions.tell(&id);
        assert!(lookout.poll_told(&mut context).is_ready());
        assert!(lookout.is_due(NOW));
    }

    #[test]
    fn the_first_look_comes_soon_whatever_is_told() {
        let subscriptions = Subscriptions::new(Coverage::Complete);
        let mut lookout = Lookout::new(subscriptions.subscribe(&ExecutionId::new(1, 1)), NOW, Permission::always());
        assert!(lookout.is_due(NOW + SELDOM));
        lookout.count_from(NOW, Permission::always());
        assert!(!lookout.is_due(NOW) && lookout.is_due(NOW + SELDOM));
    }
}
