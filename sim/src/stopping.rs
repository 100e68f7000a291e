//! Ends that do not come from the program: those of people and callers, and those of executions that expired.

use isobox_core::journal::{Ending, Entry};
use isobox_core::{Code, Failure, Inspected};

use crate::people::{Held, Spoken, Told, What};
use crate::phases::stopped_with;
use crate::timeline::Moment;
use crate::verify::Evidence;

impl Evidence<'_> {
    /// Checks that a rejection or cancellation has ended an execution that no process ran. `epoch` is the last lease before it,
    /// and `ends` the number of ends.
    ///
    /// The holder of an earlier lease may have frozen while it computed, or while it wrote. It then comes back with an end
    /// that counts, like that of a program which ends before it next waits: the person is told so. A process that gets a later
    /// lease finds the message in the inbox.
    pub(crate) fn check_stopped(&self, spoken: &Spoken, (epoch, ends): (u64, usize), inspected: &Inspected) {
        let (end, was_resumed) = end_after(inspected, epoch, ends);
        // The process that resumed it may have cancelled it before reading the inbox, or it was not resumed for long.
        let is_over = match end {
            Some(Ending::Rejected(_)) => spoken.what == What::Reject,
            Some(Ending::RolledBack(Some(failure))) if failure.code == Code::Rejected => spoken.what == What::Reject,
            Some(Ending::Failed(failure)) => {
                failure.code == Code::Aborted || self.has_expired(failure, ends, inspected)
            }
            Some(Ending::RolledBack(Some(failure))) => {
                failure.code == Code::Aborted || self.has_expired(failure, ends, inspected)
            }
            Some(Ending::Completed(_) | Ending::RolledBack(None)) | None => false,
        };
        if !is_over && was_resumed {
            self.complain(format_args!("{} ended the execution, and it continued", spoken.by));
        }
    }

    /// Tells whether the caller has cancelled, or the person who is named.
    pub(crate) fn may_be_cancelled(&self, failure: &Failure) -> bool {
        let said =
            |by: &serde_json::Value| self.sayings.iter().any(|spoken| spoken.what == What::Cancel && *by == *spoken.by);
        failure.details.get("by").is_none_or(said)
    }

    /// Tells whether the program or a rollback expired, after so many ends, and no late instruction was still to be applied.
    pub(crate) fn has_expired(&self, failure: &Failure, ends: usize, inspected: &Inspected) -> bool {
        if failure.code != Code::Timeout || !failure.message.starts_with("the execution has expired") {
            return false;
        }
        let is_done = |spoken: &Spoken| {
            inspected.entries.iter().any(|entry| match entry {
                Entry::Decided(decided) => spoken.is(&decided.decision),
                // It ended the program, or an earlier rollback.
                Entry::Ended(ended) => match &spoken.what {
                    What::Decision { .. } => false,
                    What::Reject => stopped_with(&ended.how) == Some(Code::Rejected),
                    What::Cancel => stopped_with(&ended.how) == Some(Code::Aborted),
                },
                _ => false,
            })
        };
        let moments = self.timeline.moments();
        let expiries = moments.iter().filter_map(|moment| match moment {
            Moment::Expiry(moment) => Some(*moment),
            Moment::Turn(_) | Moment::Written(_) | Moment::Granted(_) | Moment::Instruction(_) => None,
        });
        let last = expiries.max();
        let is_late = |spoken: &Spoken| last.is_none_or(|last| spoken.at >= last);
        let expired_under = self.timeline.leases_of_ends(self.id).get(ends).copied();
        // The process that expired it has read the inbox under its lease. It may have frozen between that and the end.
        let was_read = |spoken: &Spoken| match spoken.told {
            // What was sent to the program, or to an earlier rollback, is dropped when a rollback begins.
            Told::Accepted(Held::Nowhere { epoch, ends: before }) => {
                before == ends && expired_under.is_none_or(|lease| lease > epoch)
            }
            Told::Accepted(Held::Somewhere) | Told::Refused(_) | Told::Unknown => false,
        };
        !self.sayings.iter().any(|spoken| was_read(spoken) && is_late(spoken) && !is_done(spoken))
    }
}

/// Returns how the program, or a rollback, ended after a number of earlier ends, and whether it was resumed before that under
/// a later lease than `epoch`.
fn end_after(inspected: &Inspected, epoch: u64, ends: usize) -> (Option<&Ending>, bool) {
    let (mut was_resumed, mut ended) = (false, 0);
    for entry in &inspected.entries {
        match entry {
            Entry::Resumed(resumed) => was_resumed |= resumed.lease.is_some_and(|lease| lease > epoch),
            Entry::Ended(end) if ended == ends => return (Some(&end.how), was_resumed),
            Entry::Ended(_) => ended += 1,
            _ => {}
        }
    }
    (None, was_resumed)
}
