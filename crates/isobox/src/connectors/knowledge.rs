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
    /// The connector has changed since its last offer, and is asked again in the background. The last offer is used until it
    /// answers.
    Changing,
    /// The last offer failed.
    Broken { error: Error, since: Instant },
    /// The last offer failed, and a retry runs in the background.
    Retrying { error: Error },
}

/// The next action for a connector before its runtime is ready.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Nothing,
    /// Ask it in the background, and wait a moment for its answer.
    AskAgain,
    /// Ask it in the background, without waiting.
    Retry,
}

/// The minimum time before a failed connector is asked again.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// The time after which a failed connector is asked again by a process that waits for changes. Each attempt may start a
/// program, so it is longer.
const LOOK_AFTER: Duration = Duration::from_secs(5 * 60);

/// The time after which such a process looks for the answer of a connector that has changed.
const LOOK_SOON: Duration = Duration::from_secs(5);

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
            Self::Offered { generation: offered } if *offered != generation => Next::AskAgain,
            Self::Broken { since, .. } if now.saturating_duration_since(*since) >= RETRY_AFTER => Next::Retry,
            // A connector that was not asked yet is asked when a catalogue is built.
            Self::NotAsked | Self::Offered { .. } | Self::Changing | Self::Broken { .. } | Self::Retrying { .. } => {
                Next::Nothing
            }
        }
    }

    /// Tells whether the connector is asked for its tools when a catalogue is built.
    pub(super) fn is_usable(&self) -> bool {
        match self {
            Self::NotAsked | Self::Offered { .. } | Self::Changing => true,
            Self::Broken { .. } | Self::Retrying { .. } => false,
        }
    }

    /// Returns what to wait for before the tools of the connector can be others.
    pub(super) fn awaited(&self) -> Awaited {
        match self {
            Self::Offered { generation } => Awaited::Generation(*generation),
            Self::Broken { .. } => Awaited::Time(LOOK_AFTER),
            Self::Changing => Awaited::Time(LOOK_SOON),
            // The result of a retry is collected by the look after it.
            Self::NotAsked | Self::Retrying { .. } => Awaited::Time(RETRY_AFTER),
        }
    }

    /// Records that the connector is asked again in the background.
    pub(super) fn ask_again(&mut self) {
        match self {
            Self::Offered { .. } => *self = Self::Changing,
            Self::Broken { error, .. } => {
                let error = error.clone();
                *self = Self::Retrying { error };
            }
            Self::NotAsked | Self::Changing | Self::Retrying { .. } => {}
        }
    }

    /// Records the answer to a question: the generation of an offer, or an error. A question whose answer was lost is asked again.
    pub(super) fn answered(&mut self, answer: Option<Result<u64, Error>>, now: Instant) {
        *self = match answer {
            Some(Ok(generation)) => Self::Offered { generation },
            Some(Err(error)) => Self::Broken { error, since: now },
            None => Self::NotAsked,
        };
    }

    /// Returns why the tools of the connector are missing.
    pub(super) fn problem(&self) -> Option<&Error> {
        match self {
            Self::NotAsked | Self::Offered { .. } | Self::Changing => None,
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
    fn a_connector_is_asked_again_once_whenever_its_generation_has_changed() {
        assert_eq!(Knowledge::NotAsked.next(0, now()), Next::Nothing);
        let mut offered = Knowledge::Offered { generation: 7 };
        let next = [6, 7, 8].map(|generation| offered.next(generation, now()));
        assert_eq!(next, [Next::AskAgain, Next::Nothing, Next::AskAgain]);
        offered.ask_again();
        assert_eq!([7, 8, 9].map(|generation| offered.next(generation, now())), [const { Next::Nothing }; 3]);
        assert!(offered.is_usable() && offered.problem().is_none(), "the last offer is used");
        assert_eq!(offered.awaited(), Awaited::Time(LOOK_SOON));
        offered.answered(Some(Ok(8)), now());
        assert_eq!([8, 9].map(|generation| offered.next(generation, now())), [Next::Nothing, Next::AskAgain]);
    }

    #[test]
    fn a_broken_connector_is_retried_in_the_background_after_a_time_and_once() {
        let since = now();
        let mut knowledge = Knowledge::Broken { error: error("down"), since };
        // A new generation is not a reason to retry sooner.
        let soon = since + RETRY_AFTER.saturating_sub(Duration::from_millis(1));
        assert_eq!(knowledge.next(1, soon), Next::Nothing);
        assert_eq!(knowledge.next(1, since + RETRY_AFTER), Next::Retry);
        knowledge.ask_again();
        assert_eq!(knowledge.next(1, since + 2 * RETRY_AFTER), Next::Nothing);
        assert!(!knowledge.is_usable());
        assert_eq!(knowledge.problem().map(Error::message), Some("down"));
    }

    #[test]
    fn a_broken_connector_is_worth_a_look_after_a_time_and_another_one_when_it_changes() {
        assert_eq!(Knowledge::Offered { generation: 7 }.awaited(), Awaited::Generation(7));
        let mut knowledge = Knowledge::Broken { error: error("down"), since: now() };
        assert_eq!(knowledge.awaited(), Awaited::Time(LOOK_AFTER));
        knowledge.ask_again();
        assert_eq!(knowledge.awaited(), Awaited::Time(RETRY_AFTER));
    }

    #[test]
    fn a_retry_that_failed_begins_the_time_anew_and_any_other_makes_the_connector_usable() {
        let since = now();
        let mut knowledge = Knowledge::Retrying { error: error("down") };
        knowledge.answered(Some(Err(error("still down"))), since);
        assert_eq!(knowledge.problem().map(Error::message), Some("still down"));
        assert_eq!(knowledge.next(0, since), Next::Nothing);
        assert_eq!(knowledge.next(0, since + RETRY_AFTER), Next::Retry);
        for answer in [Some(Ok(0)), None] {
            knowledge.answered(answer, since);
            assert_eq!(knowledge.next(0, since), Next::Nothing);
            assert!(knowledge.is_usable() && knowledge.problem().is_none());
        }
    }
}
