//! Tracks the tools of a connector, and decides when to ask it again. Decisions only; no I/O.

use std::time::Duration;

use isobox_core::connector::Error;
use tokio::time::Instant;

/// The state of one connector's tools.
#[derive(Debug)]
pub(super) enum Knowledge {
    /// The connector was not asked yet.
    NotAsked,
    /// The connector made an offer. The generation was read before, so that a change meanwhile is not missed.
    Offered { generation: u64 },
    /// The last offer failed.
    Broken { error: Error, since: Instant },
    /// The last offer failed, and a retry runs in the background.
    Retrying { error: Error },
}

/// The next action for a connector before its runtime is ready.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Nothing,
    /// Ask it, and wait for its answer.
    Ask,
    /// Ask it in the background, without waiting.
    Retry,
}

/// The minimum time before a failed connector is asked again.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// The time after which a failed connector is asked again by a process that waits for changes. Each attempt may start a
/// program, so it is longer.
const LOOK_AFTER: Duration = Duration::from_secs(5 * 60);

/// The event that a waiting process expects.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Awaited {
    /// Another generation than this.
    Generation(u64),
    /// The time after which the connector is worth a look.
    Time(Duration),
}

impl Knowledge {
    /// Decides what to do about a connector with this current generation.
    pub(super) fn next(&self, generation: u64, now: Instant) -> Next {
        match self {
            Self::NotAsked => Next::Ask,
            Self::Offered { generation: offered } if *offered != generation => Next::Ask,
            Self::Broken { since, .. } if now.saturating_duration_since(*since) >= RETRY_AFTER => Next::Retry,
            Self::Offered { .. } | Self::Broken { .. } | Self::Retrying { .. } => Next::Nothing,
        }
    }

    /// Tells whether the connector is asked for its tools when a catalogue is built.
    pub(super) fn is_usable(&self) -> bool {
        match self {
            Self::NotAsked | Self::Offered { .. } => true,
            Self::Broken { .. } | Self::Retrying { .. } => false,
        }
    }

    /// Tells whether the last offer is the one of this generation.
    pub(super) fn is_current(&self, generation: u64) -> bool {
        match self {
            Self::Offered { generation: offered } => *offered == generation,
            Self::NotAsked | Self::Broken { .. } | Self::Retrying { .. } => false,
        }
    }

    /// Returns what to wait for before the tools of the connector can be others.
    pub(super) fn awaited(&self) -> Awaited {
        match self {
            Self::Offered { generation } => Awaited::Generation(*generation),
            Self::Broken { .. } => Awaited::Time(LOOK_AFTER),
            // The result of a retry is collected by the look after it.
            Self::NotAsked | Self::Retrying { .. } => Awaited::Time(RETRY_AFTER),
        }
    }

    /// Records that a retry has started in the background.
    pub(super) fn retry(&mut self) {
        if let Some(error) = self.problem().cloned() {
            *self = Self::Retrying { error };
        }
    }

    /// Records the result of a retry. The offer itself is requested again, as is one whose retry was lost.
    pub(super) fn retried(&mut self, answer: Option<Result<(), Error>>, now: Instant) {
        *self = match answer {
            Some(Err(error)) => Self::Broken { error, since: now },
            Some(Ok(())) | None => Self::NotAsked,
        };
    }

    /// Returns why the tools of the connector are missing.
    pub(super) fn problem(&self) -> Option<&Error> {
        match self {
            Self::NotAsked | Self::Offered { .. } => None,
            Self::Broken { error, .. } | Self::Retrying { error } => Some(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use isobox_core::connector::ErrorKind;

    use super::*;

    fn error(message: &str) -> Error {
        Error::new(ErrorKind::Unavailable, message)
    }

    #[expect(clippy::disallowed_methods, reason = "any time will do")]
    fn now() -> Instant {
        Instant::now()
    }

    #[test]
    fn a_connector_is_asked_first_and_whenever_its_generation_has_changed() {
        assert_eq!(Knowledge::NotAsked.next(0, now()), Next::Ask);
        let offered = Knowledge::Offered { generation: 7 };
        assert_eq!([6, 7, 8].map(|generation| offered.next(generation, now())), [Next::Ask, Next::Nothing, Next::Ask]);
        assert_eq!([6, 7, 8].map(|generation| offered.is_current(generation)), [false, true, false]);
        assert!(!Knowledge::NotAsked.is_current(0));
    }

    #[test]
    fn a_broken_connector_is_retried_in_the_background_after_a_time_and_once() {
        let since = now();
        let mut knowledge = Knowledge::Broken { error: error("down"), since };
        // A new generation is not a reason to retry sooner.
        let soon = since + RETRY_AFTER.saturating_sub(Duration::from_millis(1));
        assert_eq!(knowledge.next(1, soon), Next::Nothing);
        assert_eq!(knowledge.next(1, since + RETRY_AFTER), Next::Retry);
        knowledge.retry();
        assert_eq!(knowledge.next(1, since + 2 * RETRY_AFTER), Next::Nothing);
        assert!(!knowledge.is_usable());
        assert_eq!(knowledge.problem().map(Error::message), Some("down"));
    }

    #[test]
    fn a_broken_connector_is_worth_a_look_after_a_time_and_another_one_when_it_changes() {
        assert_eq!(Knowledge::Offered { generation: 7 }.awaited(), Awaited::Generation(7));
        let mut knowledge = Knowledge::Broken { error: error("down"), since: now() };
        assert_eq!(knowledge.awaited(), Awaited::Time(LOOK_AFTER));
        knowledge.retry();
        assert_eq!(knowledge.awaited(), Awaited::Time(RETRY_AFTER));
    }

    #[test]
    fn a_retry_that_failed_begins_the_time_anew_and_any_other_makes_the_connector_usable() {
        let since = now();
        let mut knowledge = Knowledge::Retrying { error: error("down") };
        knowledge.retried(Some(Err(error("still down"))), since);
        assert_eq!(knowledge.problem().map(Error::message), Some("still down"));
        assert_eq!(knowledge.next(0, since), Next::Nothing);
        assert_eq!(knowledge.next(0, since + RETRY_AFTER), Next::Retry);
        for answer in [Some(Ok(())), None] {
            knowledge.retried(answer, since);
            assert_eq!(knowledge.next(0, since), Next::Ask);
            assert!(knowledge.is_usable() && knowledge.problem().is_none());
        }
    }
}
