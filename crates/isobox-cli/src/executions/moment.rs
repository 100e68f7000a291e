//! Formats moments and durations. All times are UTC, as everywhere in an execution.

use std::time::Duration;

use isobox::Timestamp;

/// Formats a moment as `2026-11-15 13:30:01.250`.
pub(crate) fn date_and_time(moment: Timestamp) -> String {
    let (year, month, day) = moment.date();
    format!("{year:04}-{month:02}-{day:02} {}", time(moment))
}

/// Formats the time of day as `13:30:01.250`.
pub(crate) fn time(moment: Timestamp) -> String {
    let milliseconds = moment.0 % 86_400_000;
    let (seconds, milliseconds) = (milliseconds / 1000, milliseconds % 1000);
    format!("{:02}:{:02}:{:02}.{milliseconds:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Formats milliseconds in their largest full unit, such as `3m`.
pub(crate) fn rough(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Formats milliseconds in three or four digits: `250ms`, `1.25s`, `2m 5s`, `3h 20m`, `2d 4h`.
pub(crate) fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0 => format!("{milliseconds}ms"),
        1..60 => format!("{seconds}.{:02}s", milliseconds % 1000 / 10),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{}h {}m", seconds / 3600, seconds / 60 % 60),
        _ => format!("{}d {}h", seconds / 86_400, seconds / 3600 % 24),
    }
}

/// Formats a duration in three or four digits.
pub(crate) fn in_duration(time: Duration) -> String {
    self::duration(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

#[expect(clippy::disallowed_methods, reason = "ages are shown relative to the real time")]
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates_in_utc() {
        for (milliseconds, expected) in [
            (0, "1970-01-01 00:00:00.000"),
            (951_782_400_000, "2000-02-29 00:00:00.000"),
            (1_794_749_401_250, "2026-11-15 13:30:01.250"),
            (4_107_542_399_999, "2100-02-28 23:59:59.999"),
            (4_107_542_400_000, "2100-03-01 00:00:00.000"),
        ] {
            assert_eq!(date_and_time(Timestamp(milliseconds)), expected);
        }
    }

    #[test]
    fn durations_are_short() {
        for (milliseconds, roughly, exactly) in [
            (0, "0s", "0ms"),
            (999, "0s", "999ms"),
            (1_250, "1s", "1.25s"),
            (59_999, "59s", "59.99s"),
            (125_000, "2m", "2m 5s"),
            (12_000_000, "3h", "3h 20m"),
            (187_200_000, "2d", "2d 4h"),
        ] {
            assert_eq!((rough(milliseconds).as_str(), duration(milliseconds).as_str()), (roughly, exactly));
        }
    }
}
