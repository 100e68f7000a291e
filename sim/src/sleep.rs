//! The promises of timers and sleep, as a journal shows them.

use std::collections::BTreeMap;

use isobox_core::journal::{Entry, Wanted};
use isobox_core::{CallSeq, Timestamp};

/// The time in milliseconds that may pass in a simulated world between a resumption and the end of the first step of the
/// program, in addition to the time on the clock.
pub const SLACK: u64 = 50;

/// Returns the violations: a timer fires once, not before its time and not after it was cleared, and sleep does not count
/// towards the time-out, give or take `slack` milliseconds. Times are not compared if the time of day was set.
pub fn wrongs(entries: &[Entry], has_jumped: bool, slack: u64) -> Vec<String> {
    let mut wrongs = Vec::new();
    let mut set: BTreeMap<CallSeq, Timestamp> = BTreeMap::new();
    let mut gone: BTreeMap<CallSeq, &str> = BTreeMap::new();
    // The time used before a sleep, and when it ended.
    let (mut asleep, mut woken): (Option<u64>, Option<(u64, Timestamp)>) = (None, None);
    for entry in entries {
        match entry {
            Entry::Step(step) => {
                for seq in &step.answers {
                    if let Some(how) = gone.get(seq) {
                        wrongs.push(format!("timer {seq} fires after it {how}"));
                    }
                    let Some(due) = set.remove(seq) else { continue };
                    gone.insert(*seq, "fired");
                    if !has_jumped && step.clock < due {
                        wrongs.push(format!("timer {seq} fires {} ms early", due.0 - step.clock.0));
                    }
                }
                for asked in &step.calls {
                    if let Wanted::Timer(delay) = asked.what {
                        set.insert(asked.seq, Timestamp(step.clock.0.saturating_add(delay)));
                    }
                }
                for seq in &step.cleared {
                    if set.remove(seq).is_some() {
                        gone.insert(*seq, "was cleared");
                    }
                }
                if let Some((used, since)) = woken.take()
                    && !has_jumped
                {
                    let active = step.clock.0.saturating_sub(since.0).saturating_add(slack);
                    if step.used.wall > used.saturating_add(active) {
                        wrongs.push(format!("sleep counts: {used} ms before it, and {} ms after it", step.used.wall));
                    }
                }
            }
            Entry::Paused(pause) => (asleep, woken) = (pause.until.map(|_| pause.used.wall), None),
            Entry::Resumed(resumed) => woken = asleep.take().map(|used| (used, resumed.at)),
            Entry::Started(_)
            | Entry::Noted(_)
            | Entry::Settled(_)
            | Entry::Asked(_)
            | Entry::Decided(_)
            | Entry::Ended(_)
            | Entry::Rollback(_) => {}
        }
    }
    wrongs
}
