//! Decides whether and when a request is repeated. Decisions only; no I/O and no clock.

use std::time::Duration;

use hyper::StatusCode;
use hyper::header::{DATE, HeaderMap, RETRY_AFTER};

/// The longest wait that a service may ask for. A longer one is an error that says so.
const LONGEST: Duration = Duration::from_secs(30);
/// The first wait if a service asks for none. It doubles.
const FIRST: Duration = Duration::from_millis(500);

/// Returns how long to wait before an idempotent request is repeated after this response. None if it is not repeated.
pub(crate) fn after_response(status: StatusCode, headers: &HeaderMap, attempt: u32) -> Option<Duration> {
    if !matches!(status.as_u16(), 429 | 502 | 503 | 504) {
        return None;
    }
    match asked(headers) {
        Some(wait) if wait > LONGEST => None,
        Some(wait) => Some(wait),
        None => Some(usual(attempt)),
    }
}

/// Returns how long to wait before a request is repeated that no response has come for.
pub(crate) fn usual(attempt: u32) -> Duration {
    FIRST.saturating_mul(1 << attempt.min(6)).min(LONGEST)
}

/// Returns the wait that a service asks for: seconds, or a date. The date is compared with the date of the response, so
/// that clocks need not agree.
fn asked(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let then = seconds_of(text)?;
    let now = seconds_of(headers.get(DATE)?.to_str().ok()?.trim())?;
    Some(Duration::from_secs(then.saturating_sub(now)))
}

/// Returns the seconds since 1970 of a date in the format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
fn seconds_of(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = text.split([' ', ':']).collect();
    let [_, day, month, year, hour, minute, second, "GMT"] = words[..] else { return None };
    let number = |text: &str| text.parse::<u64>().ok().filter(|number| *number < 10_000);
    let month = u64::try_from(MONTHS.iter().position(|name| *name == month)?).ok()?;
    let (day, year) = (number(day)?, number(year).filter(|year| *year >= 1970)?);
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let of_years: u64 = (1970..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
    let lengths = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let of_months: u64 = lengths.iter().zip(0..month).map(|(length, _)| length).sum();
    let days = of_years + of_months + day.checked_sub(1)?;
    Some(((days * 24 + number(hour)?) * 60 + number(minute)?) * 60 + number(second)?)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn wait(status: u16, retry_after: &'static str, attempt: u32) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        if !retry_after.is_empty() {
            headers.insert(RETRY_AFTER, HeaderValue::from_static(retry_after));
        }
        headers.insert(DATE, HeaderValue::from_static("Sun, 06 Nov 1994 08:49:37 GMT"));
        after_response(StatusCode::from_u16(status).unwrap(), &headers, attempt)
    }

    #[test]
    fn a_service_says_when_to_come_back() {
        let seconds = |number| Some(Duration::from_secs(number));
        for (status, retry_after, attempt, expected) in [
            (429, "3", 0, seconds(3)),
            (503, "0", 0, seconds(0)),
            (503, "Sun, 06 Nov 1994 08:49:47 GMT", 0, seconds(10)),
            (503, "Sun, 06 Nov 1994 08:49:07 GMT", 0, seconds(0)),
            (503, "Sun, 06 Nov 2094 08:49:07 GMT", 0, None),
            (429, "31", 0, None),
            (429, "", 0, Some(FIRST)),
            (429, "soon", 1, Some(FIRST * 2)),
            (504, "", 60, seconds(30)),
            (500, "1", 0, None),
            (404, "1", 0, None),
            (200, "1", 0, None),
        ] {
            assert_eq!(wait(status, retry_after, attempt), expected, "{status} {retry_after}");
        }
    }

    #[test]
    fn dates_are_read() {
        assert_eq!(seconds_of("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(seconds_of("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        assert_eq!(seconds_of("Thu, 29 Feb 2024 12:00:00 GMT"), Some(1_709_208_000));
        assert_eq!(seconds_of("yesterday"), None);
        assert_eq!(seconds_of("Thu, 01 Jan 99999999999 00:00:00 GMT"), None);
    }
}
