//! Notices when the wall clock jumps ahead, so that nothing expires because of it.
//!
//! A store remembers the time at which it was last looked at. Where the clock is ahead of that by more than [`GAP`], either
//! the store was not used meanwhile or the clock has jumped: no process that lives for a second can tell. So the time of
//! before counts until the clock has gone on from there for [`SETTLED_AFTER`]; a clock that is put right meanwhile has done
//! nothing.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Error, Store};
use crate::Timestamp;

/// The clock may be this far ahead of the last look.
pub const GAP: Duration = Duration::from_hours(1);

/// After a jump, the clock has to go on for this long before it counts.
pub const SETTLED_AFTER: Duration = Duration::from_mins(10);

/// A watermark may be this much behind.
const UNWRITTEN: Duration = Duration::from_mins(1);

/// The time by which executions expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watched {
    /// What the clock says.
    pub now: Timestamp,
    /// The time that is believed: that of the clock, or an earlier one after a jump.
    pub believed: Timestamp,
}

/// What is remembered from look to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Watermark {
    believed: Timestamp,
    /// What the clock said when it was first found ahead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    ahead: Option<Timestamp>,
}

/// Where it is kept: beside what is remembered for sessions, under a key that none of those has.
const SESSION: &str = "isobox:clock";
const ABOUT: &str = "watermark";
/// The purpose in the seal. Without the store's key, a row in the database moves no time.
const PURPOSE: &[u8] = b"was looked at ";

/// Looks at the clock, and remembers what it says. The clock of the store counts where it has one.
pub async fn watch_clock(store: &dyn Store, own: Timestamp) -> Result<Watched, Error> {
    let now = store.time().await?.unwrap_or(own);
    let kept = store.recall(SESSION, ABOUT).await?;
    // One that was altered is worth no more than none.
    let before = kept.and_then(|sealed| serde_json::from_slice(store.key().opened(&[PURPOSE], &sealed)?).ok());
    let after = Watermark::after(before, now);
    if after.is_news(before) {
        let content = serde_json::to_vec(&after).expect("numbers are JSON");
        store.remember(SESSION, ABOUT, store.key().sealed(&[PURPOSE], &content)).await?;
    }
    Ok(Watched { now, believed: after.believed })
}

impl Watermark {
    /// Whether it has to be written: every look would cost a flush.
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
            // A clock that goes back is believed: what is younger than it seems expires later.
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

    /// What is believed at each of these moments, when nothing was known before.
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
