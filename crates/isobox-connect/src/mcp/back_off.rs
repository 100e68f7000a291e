//! The delay before a failing server is started again.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Counts consecutive failures: failed starts, and servers that died before they answered a call.
#[derive(Debug, Default)]
pub(super) struct BackOff(Mutex<Failures>);

#[derive(Debug, Default)]
struct Failures {
    count: u32,
    last: Option<Instant>,
}

const FIRST_DELAY: Duration = Duration::from_millis(250);
const LONGEST_DELAY: Duration = Duration::from_secs(10);

impl BackOff {
    /// Records a failure.
    pub(super) fn failed(&self) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        failures.count = failures.count.saturating_add(1);
        failures.last = Some(now());
    }

    /// Resets the count after a success.
    pub(super) fn worked(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Failures::default();
    }

    /// Waits until the server may be started again.
    pub(super) async fn wait(&self) {
        let until = {
            let failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            failures.last.map(|last| last + delay(failures.count))
        };
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
    }
}

/// Returns no delay for the first failure, then a doubling delay up to a bound.
fn delay(failures: u32) -> Duration {
    match failures.checked_sub(2) {
        None => Duration::ZERO,
        Some(doublings) => {
            FIRST_DELAY.saturating_mul(1_u32.checked_shl(doublings).unwrap_or(u32::MAX)).min(LONGEST_DELAY)
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "delays between process starts use real time; no execution sees it")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_from_the_second_failure_on_and_is_bounded() {
        let delays: Vec<u128> = (0..8).map(|failures| delay(failures).as_millis()).collect();
        assert_eq!(delays, [0, 0, 250, 500, 1_000, 2_000, 4_000, 8_000]);
        for failures in [8, 33, 34, 35, 1_000, u32::MAX] {
            assert_eq!(delay(failures), LONGEST_DELAY, "{failures}");
        }
    }
}
