//! Decides when an execution that waits for timers sleeps in the store.

use std::time::Duration;

use crate::durable::resumption::Resumption;
use crate::run::host::Host;
use crate::run::host::setting::Setting;
use crate::run::run_loop::RunLoop;
use crate::store::Status;
use crate::{Code, ExecutionId, Failure, Limits, Outcome, Timestamp};

/// A wait for a timer that takes at least this long is spent in the store. A shorter one does not pay for the write and
/// the restart. Schedulers look for new sleepers as often, so that each is seen before it is due.
pub const WORTH_SLEEPING: Duration = Duration::from_secs(1);

/// The advice for a program that waits for a person and a timer.
const SLEEP: &str = "set the limit `lifetime`, so that the program can sleep until its timer is due; a run that is stateless or not \
                     durable cannot sleep: let it wait for the decision without a timer";

impl RunLoop<'_> {
    /// Returns the time at which the execution has to be woken if it leaves the sandbox now. Returns none if it has no
    /// timer, if its next timer is due soon, or if it is not to sleep at all. A timer is also due soon if a program that has
    /// returned waits for it, which looks the same from outside.
    ///
    /// # Errors
    ///
    /// `TIMEOUT` if it would wait for a timer after the end of its lifetime.
    pub(in crate::run) fn sleeps_until(&self) -> Result<Option<Timestamp>, Failure> {
        let Setting { host, execution, .. } = self.setting;
        let Some((due, seq)) = self.ledger.first_timer().filter(|_| self.may_sleep()) else { return Ok(None) };
        let (now, today) = (host.clock.elapsed(), host.clock.now());
        let left = due.saturating_sub(now);
        let at = self.journal.state().timers.get(&seq).copied();
        let at = at.unwrap_or_else(|| later(today, left));
        let end = self.end_of_lifetime();
        if at > end && today >= end {
            return Err(too_old(&execution.limits));
        }
        // What a program that has returned waits for: never past its time-out, counted from its beginning.
        let Limits { settle, timeout, .. } = execution.limits;
        let may_be_left = at <= later(self.stepped, settle).min(later(self.created, timeout));
        Ok((left >= WORTH_SLEEPING && !may_be_left).then(|| at.min(end)))
    }

    /// Fails if the execution waits for people and a timer after the end of its lifetime.
    pub(in crate::run) fn check_lifetime(&self) -> Result<(), Failure> {
        if self.effects.wait_for_people() { self.sleeps_until().map(drop) } else { Ok(()) }
    }

    /// Adds advice to the failure of a program whose time is up, if it waited for a person and a timer and could not sleep.
    pub(in crate::run) fn advise_sleep(&self, failure: Failure) -> Failure {
        let asks = self.journal.is_asking() || !self.effects.is_idle();
        let waits_for_both = asks && self.effects.wait_for_people() && self.ledger.first_timer().is_some();
        if waits_for_both && !self.may_sleep() { failure.hint(SLEEP) } else { failure }
    }

    /// Tells whether the time in which the program waits for timers and people does not count towards its time-out.
    pub(in crate::run) fn may_sleep(&self) -> bool {
        self.journal.is_on() && !self.setting.execution.limits.lifetime.is_zero()
    }

    /// Returns the end of the lifetime of the execution. The time by which it was woken too late does not count: a clock that was
    /// set ahead during a sleep ends nothing.
    fn end_of_lifetime(&self) -> Timestamp {
        let overslept = Duration::from_millis(self.journal.state().overslept);
        later(later(self.created, self.setting.execution.limits.lifetime), overslept)
    }

    /// Returns the end of the lifetime of the execution, as elapsed time of the clock.
    pub(in crate::run) fn end_of_life(&self) -> Duration {
        let host = self.setting.host;
        let left = self.end_of_lifetime().0.saturating_sub(host.clock.now().0);
        host.clock.elapsed().saturating_add(Duration::from_millis(left))
    }
}

/// Returns the outcome of an execution that sleeps, is not due, and has no messages.
pub(in crate::run) fn still_asleep(host: &Host, id: &ExecutionId, resumption: &Resumption) -> Option<Outcome> {
    let Resumption { place, head, inbox, .. } = resumption;
    let until = head.due.filter(|due| *due > host.clock.now())?;
    let is_asleep = head.status == Status::Sleeping && inbox.is_empty() && place.state.restored.is_none();
    is_asleep.then(|| Outcome::at_rest(id, &place.state, Some(until), &host.policy))
}

fn later(moment: Timestamp, time: Duration) -> Timestamp {
    Timestamp(moment.0.saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
}

/// Returns the failure of an execution that would sleep for longer than its lifetime.
fn too_old(limits: &Limits) -> Failure {
    let message = format!("the program waits for a timer, and its execution is older than {:?}", limits.lifetime);
    Failure::new(Code::Timeout, message)
        .hint("let it wait for a shorter time, or raise the limit `lifetime`")
        .detail("limit", "lifetime")
}
