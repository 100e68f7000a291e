//! Tracks how long a process is known to hold its leases, by its own clock. No I/O.
//!
//! A store considers a node alive until some time after its last heartbeat has arrived. The node counts from when it
//! *sent* that heartbeat, which is earlier, so that it gives up its leases before another process can take them. After
//! a longer silence, others may have taken over: a heartbeat alone then proves nothing, and every lease has to be
//! renewed.

use std::time::Duration;

/// A period of unbroken heartbeats: each arrived before the previous one had expired.
#[derive(Debug, Default)]
pub(crate) struct Tenure {
    number: TenureNumber,
    /// The time at which the last confirmed heartbeat was sent.
    sent: Duration,
    until: Duration,
    /// Whether the node has stopped. No tenure begins after that.
    is_over: bool,
}

/// Identifies a tenure. A confirmed write that was sent in a tenure proves that its lease was held in that tenure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TenureNumber(u64);

/// The effect of a confirmed heartbeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Confirmed {
    /// The tenure continues.
    GoesOn,
    /// The process was silent for too long. A new tenure begins with this heartbeat.
    BeginsAnew,
    /// A later heartbeat was confirmed before.
    Overtaken,
    /// The node has stopped. The heartbeat has no effect.
    Over,
}

impl Tenure {
    /// Records a heartbeat that was confirmed now and is valid for `time`.
    pub(crate) fn confirm(&mut self, sent: Duration, now: Duration, time: Duration) -> Confirmed {
        if self.is_over {
            return Confirmed::Over;
        }
        if sent < self.sent {
            return Confirmed::Overtaken;
        }
        let is_unbroken = now < self.until;
        self.sent = sent;
        self.until = sent.saturating_add(time);
        if is_unbroken {
            return Confirmed::GoesOn;
        }
        self.number.0 += 1;
        Confirmed::BeginsAnew
    }

    /// Ends the tenure for good: no lease is held from now on, and no heartbeat begins another tenure.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
    }

    /// Tells whether the node has stopped.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(crate) fn number(&self) -> TenureNumber {
        self.number
    }

    /// Tells whether a lease that was proved in a tenure is still held, and will be for `margin` longer.
    pub(crate) fn covers(&self, proved: TenureNumber, now: Duration, margin: Duration) -> bool {
        !self.is_over && proved == self.number && now.saturating_add(margin) < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(30);
    const MARGIN: Duration = Duration::from_secs(5);

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn nothing_is_held_before_the_first_heartbeat_is_confirmed() {
        let tenure = Tenure::default();
        assert!(!tenure.covers(tenure.number(), seconds(0), Duration::ZERO));
    }

    #[test]
    fn time_counts_from_when_a_heartbeat_was_sent() {
        let mut tenure = Tenure::default();
        tenure.confirm(seconds(0), seconds(20), LEASE);
        assert!(tenure.covers(tenure.number(), seconds(24), MARGIN));
        assert!(!tenure.covers(tenure.number(), seconds(25), MARGIN));
    }

    #[test]
    fn what_was_proved_before_a_silence_proves_nothing_after_it() {
        let mut tenure = Tenure::default();
        tenure.confirm(seconds(0), seconds(1), LEASE);
        let proved = tenure.number();
        assert_eq!(tenure.confirm(seconds(20), seconds(29), LEASE), Confirmed::GoesOn);
        assert!(tenure.covers(proved, seconds(30), MARGIN));
        assert_eq!(tenure.confirm(seconds(49), seconds(50), LEASE), Confirmed::BeginsAnew);
        assert!(!tenure.covers(proved, seconds(51), MARGIN));
        assert!(tenure.covers(tenure.number(), seconds(51), MARGIN));
    }

    #[test]
    fn a_heartbeat_that_is_confirmed_late_changes_nothing() {
        let mut tenure = Tenure::default();
        tenure.confirm(seconds(10), seconds(11), LEASE);
        assert_eq!(tenure.confirm(seconds(0), seconds(12), LEASE), Confirmed::Overtaken);
        assert!(tenure.covers(tenure.number(), seconds(34), MARGIN));
    }

    #[test]
    fn nothing_is_held_after_the_end() {
        let mut tenure = Tenure::default();
        tenure.confirm(seconds(0), seconds(1), LEASE);
        tenure.end();
        assert!(!tenure.covers(tenure.number(), seconds(2), Duration::ZERO));
        assert_eq!(tenure.confirm(seconds(3), seconds(4), LEASE), Confirmed::Over);
        assert!(tenure.is_over() && !tenure.covers(tenure.number(), seconds(5), Duration::ZERO));
    }
}
