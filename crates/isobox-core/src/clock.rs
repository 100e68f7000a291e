//! Time enters the core through one trait.

use std::fmt;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

/// Reads the time and waits for it. Real in production, controlled in simulation.
pub trait Clock: Send + Sync {
    /// Returns the time of day.
    fn now(&self) -> Timestamp;
    /// Returns the time since some moment in the past. Never goes back.
    fn elapsed(&self) -> Duration;
    /// Returns the time since some moment in the past, including the time that the machine sleeps. Leases use it.
    fn boot_time(&self) -> Duration;
    /// Waits until [`Clock::elapsed`] has reached `moment`.
    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()>;
}

/// Milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// Returns the year, the month and the day.
    pub fn date(self) -> (u64, u64, u64) {
        // Howard Hinnant's `civil_from_days`.
        let shifted = self.0 / 86_400_000 + 719_468;
        let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        (year_of_era + era * 400 + u64::from(month <= 2), month, day)
    }
}

/// Writes the time as `2026-11-15 13:30:01 UTC`.
impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((year, month, day), seconds) = (self.date(), self.0 / 1000 % 86_400);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(formatter, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
    }
}
