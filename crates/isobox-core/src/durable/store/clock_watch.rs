//! Detects jumps of the wall clock, so that no execution expires because of one.
//!
//! A store records the last time at which the clock was read. If the clock is ahead of that by more than [`GAP`],
//! either the store was not used meanwhile or the clock has jumped: a short-lived process cannot tell which. The
//! previous time therefore counts until the clock has advanced for another [`SETTLED_AFTER`]. A clock that is corrected
//! within that time has no effect.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Error, Store};
use crate::Timestamp;

/// The maximum time by which the clock may be ahead of the last reading.
pub const GAP: Duration = Duration::from_hours(1);

/// The time for which the clock has to advance after a jump before it counts.
pub const SETTLED_AFTER: Duration = Duration::from_mins(10);

/// The maximum age of a stored watermark.
const UNWRITTEN: Duration = Duration::from_mins(1);

/// The time by which executions expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watched {
    /// The time of the clock.
    pub now: Timestamp,
    /// The accepted time: that of the clock, or an earlier one after a jump.
    pub believed: Timestamp,
}

/// The state between two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Watermark {
    believed: Timestamp,
    /// The time of the clock when it was first found ahead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    ahead: Option<Timestamp>,
}

/// The key of the watermark, beside the remembered decisions of sessions. No session has this key.
const SESSION: &str = "isobox:clock";
const ABOUT: &str = "watermark";
/// The purpose in the seal. Without the store's key, a row in the database changes no time.
const PURPOSE: &[u8] = b"was looked at ";

/// Reads the clock, and records its time. The clock of the store takes precedence if it has one.
pub async fn watch_clock(store: &dyn Store, own: Timestamp) -> Result<Watched, Error> {
    let now = store.time().await?.unwrap_or(own);
    let kept = store.recall(SESSION, ABOUT).await?;
    // An altered watermark is ignored.
    let before = kept.and_then(|sealed| serde_json::from_slice(store.key().opened(&[PURPOSE], &sealed)?).ok());
    let after = Watermark::after(before, now);
    if after.is_news(before) {
        let content = serde_json::to_vec(&after).expect("numbers are JSON");
        store.remember(SESSION, ABOUT, store.key().sealed(&[PURPOSE], &content)).await?;
    }
    Ok(Watched { now, believed: after.believed })
}

impl Watermark {
    /// Tells whether the watermark has to be written. Writing it at every reading would cost a flush each.
    fn is_news(self, before: Option<Self>) -> bool {
        before.is_none_or(|before| {
            let is_later = self.believed >= before.believed && since(before.believed, self.believed) < UNWRITTEN;
            before.ahead != self.ahead || !is_later
        })
    }

    fn after(before: Option<Self>, now: Timestamp) -> Self {
        let believe = |believed| Self { believed, ahead: None };
        let Some(Self { believed, ahead }) = before else { return believe(now) };
        if since(believed, now) <= GAP {
            // A clock that was set back is accepted: it only delays expiry.
            return believe(now);
        }
        match ahead {
            Some(ahead) if now >= ahead && since(ahead, now) >= SETTLED_AFTER => {
                if since(ahead, now) <= GAP {
                    believe(now)
                } else {
                    Self { believed: ahead, ahead: Some(now) }
                }
            }
            Some(ahead) if now >= ahead => Self { believed, ahead: Some(ahead) },
            Some(_) | None => Self { believed, ahead: Some(now) },
        }
    }
}

fn since(earlier: Timestamp, later: Timestamp) -> Duration {
    Duration::from_millis(later.0.saturating_sub(earlier.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;

    /// Returns the accepted time at each of these moments, starting without a watermark.
    fn believed(moments: &[u64]) -> Vec<u64> {
        let mut mark = None;
        let look = |now: &u64| {
            let after = Watermark::after(mark, Timestamp(*now));
            mark = Some(after);
            after.believed.0
        };
        moments.iter().map(look).collect()
    }

    #[test]
    fn a_clock_that_goes_on_is_believed() {
        let moments = [DAY, DAY + 1, DAY + HOUR, DAY + 2 * HOUR];
        assert_eq!(believed(&moments), moments);
    }

    #[test]
    fn a_jump_counts_once_the_clock_has_gone_on_from_there() {
        let ahead = 400 * DAY;
        let moments = [DAY, ahead, ahead + MINUTE, ahead + 9 * MINUTE, ahead + 10 * MINUTE, ahead + HOUR];
        assert_eq!(believed(&moments), [DAY, DAY, DAY, DAY, ahead + 10 * MINUTE, ahead + HOUR]);
    }

    #[test]
    fn a_jump_that_is_put_right_has_done_nothing() {
        let ahead = 400 * DAY;
        assert_eq!(
            believed(&[DAY, ahead, DAY + MINUTE, ahead + HOUR, ahead + HOUR + MINUTE]),
            [DAY, DAY, DAY + MINUTE, DAY + MINUTE, DAY + MINUTE]
        );
    }

    #[test]
    fn a_store_that_is_used_once_a_week_is_a_look_behind() {
        let week = 7 * DAY;
        assert_eq!(believed(&[week, 2 * week, 3 * week, 4 * week]), [week, week, 2 * week, 3 * week]);
    }

    #[test]
    fn a_second_jump_does_not_confirm_the_first_for_itself() {
        let (ahead, further) = (400 * DAY, 800 * DAY);
        assert_eq!(believed(&[DAY, ahead, further]), [DAY, DAY, ahead]);
        assert_eq!(believed(&[DAY, ahead, ahead - DAY, ahead - DAY + MINUTE]), [DAY, DAY, DAY, DAY]);
    }

    #[test]
    fn a_clock_that_goes_back_is_believed() {
        assert_eq!(believed(&[10 * DAY, DAY, DAY + MINUTE]), [10 * DAY, DAY, DAY + MINUTE]);
    }
}
