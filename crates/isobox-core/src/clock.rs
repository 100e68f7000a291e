//! Time enters the core through one trait.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::limits::ParseQuantityError;

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

/// Reads a time like `2026-12-01T13:30:00Z` or `2026-12-01T13:30:00+01:00`, or the beginning of a day in UTC like
/// `2026-12-01`.
impl FromStr for Timestamp {
    type Err = ParseQuantityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || ParseQuantityError::new(text, "a time like 2026-12-01T13:30:00Z or 2026-12-01");
        parse(text.trim()).ok_or_else(refused)
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    const DATE: usize = "2026-12-01".len();
    const TIME: usize = "T13:30:00".len();
    let (date, rest) = text.split_at_checked(DATE)?;
    let midnight = midnight(date)?;
    if rest.is_empty() {
        return Some(Timestamp(midnight));
    }
    let (time, zone) = rest.split_at_checked(TIME)?;
    let time = time.strip_prefix(['T', 't', ' '])?;
    let [hour, minute, second] = numbers(time, ':')?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let local = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
    if zone.eq_ignore_ascii_case("z") {
        return Some(Timestamp(local));
    }
    let (sign, offset) = zone.split_at_checked(1)?;
    let [hours, minutes] = numbers(offset, ':')?;
    if hours > 23 || minutes > 59 {
        return None;
    }
    let offset = (hours * 60 + minutes) * 60_000;
    match sign {
        "+" => local.checked_sub(offset).map(Timestamp),
        "-" => Some(Timestamp(local + offset)),
        _ => None,
    }
}

/// Returns the first millisecond of a day, in UTC. None for days that do not exist.
fn midnight(date: &str) -> Option<u64> {
    let [year, month, day] = numbers(date, '-')?;
    // Howard Hinnant's `days_from_civil`.
    let shifted_year = year.checked_sub(u64::from(month <= 2))?;
    let shifted_month = if month > 2 { month.checked_sub(3)? } else { month + 9 };
    let (era, year_of_era) = (shifted_year / 400, shifted_year % 400);
    let day_of_year = (153 * shifted_month + 2) / 5 + day.checked_sub(1)?;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let midnight = (era * 146_097 + day_of_era).checked_sub(719_468)? * 86_400_000;
    (Timestamp(midnight).date() == (year, month, day)).then_some(midnight)
}

/// Returns the numbers of a text, which are written with two digits, or four for a year.
fn numbers<const N: usize>(text: &str, separator: char) -> Option<[u64; N]> {
    let number = |part: &str| {
        let is_written_out = matches!(part.len(), 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit());
        if is_written_out { part.parse().ok() } else { None }
    };
    let numbers: Option<Vec<u64>> = text.split(separator).map(number).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, expected) in [
            ("1970-01-01", "1970-01-01 00:00:00 UTC"),
            ("2026-12-01", "2026-12-01 00:00:00 UTC"),
            ("2024-02-29", "2024-02-29 00:00:00 UTC"),
            ("2026-12-01T13:30:01Z", "2026-12-01 13:30:01 UTC"),
            ("2026-12-01 13:30:01z", "2026-12-01 13:30:01 UTC"),
            ("2026-12-01T00:30:00+01:00", "2026-11-30 23:30:00 UTC"),
            ("2026-12-31T23:30:00-01:30", "2027-01-01 01:00:00 UTC"),
            ("9999-12-31T23:59:59Z", "9999-12-31 23:59:59 UTC"),
        ] {
            assert_eq!(text.parse::<Timestamp>().map(|time| time.to_string()), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "soon",
            "2026-12",
            "2026-12-1",
            "2026-13-01",
            "2026-00-01",
            "2026-12-00",
            "2025-02-29",
            "1969-12-31",
            "0000-01-01",
            "2026-12-01T",
            "2026-12-01T13:30Z",
            "2026-12-01T13:30:00",
            "2026-12-01T24:00:00Z",
            "2026-12-01T13:30:00*01:00",
            "2026-12-01T13:30:00+0100",
            "2026-12-01T13:30:00+24:00",
            "1970-01-01T00:00:00+01:00",
            "2026-12-01é",
            "20261201T133000Z",
        ] {
            let error = text.parse::<Timestamp>().expect_err(text).to_string();
            assert!(error.contains("is not a time like 2026-12-01T13:30:00Z"), "{error}");
        }
    }
}
