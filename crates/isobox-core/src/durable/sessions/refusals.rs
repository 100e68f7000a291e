//! The reasons for which sessions refuse a request. No I/O.

use super::record::SessionRecord;
use crate::text::brief;
use crate::{Code, ConflictKind, ExecutionId, Failure};

/// The maximum length of a name, in bytes.
const LONGEST_NAME: usize = 200;

/// Returns `CONFIG` if a text cannot name a session.
pub(super) fn check_name(name: &str) -> Result<(), Failure> {
    let wrong = if name.is_empty() {
        "it is empty"
    } else if name.len() > LONGEST_NAME {
        "it is longer than 200 bytes"
    } else if name.chars().any(char::is_control) {
        "it has control characters"
    } else {
        return Ok(());
    };
    Err(Failure::new(Code::Config, format!("`{}` cannot be the name of a session: {wrong}", brief(name, 80))))
}

pub(super) fn check_owner(name: &str, record: &SessionRecord, owner: &str) -> Result<(), Failure> {
    if record.owner == owner {
        return Ok(());
    }
    let (name, by) = (brief(name, 80), brief(&record.owner, 80));
    Err(Failure::new(Code::Forbidden, format!("the session `{name}` belongs to `{by}`")))
}

pub(super) fn not_found(name: &str) -> Failure {
    Failure::new(Code::NotFound, format!("there is no session `{}`", brief(name, 80)))
        .hint("`isobox sessions list` shows those that are kept")
}

pub(super) fn no_version(name: &str, record: &SessionRecord, number: u64) -> Failure {
    let numbers: Vec<String> = record.versions.iter().map(|version| version.number.to_string()).collect();
    let known = if numbers.is_empty() { "none".to_owned() } else { numbers.join(", ") };
    Failure::new(Code::NotFound, format!("the session `{}` has no version {number}", brief(name, 80)))
        .hint(format!("the versions that are kept: {known}"))
}

pub(super) fn in_use(name: &str, holder: &ExecutionId) -> Failure {
    Failure::conflict(ConflictKind::InUse, format!("the session `{}` is in use by {holder}", brief(name, 80)))
        .hint("wait until that execution has ended, or fork the session")
        .detail("executionId", holder.to_string())
}

pub(super) fn full(name: &str, most: usize) -> Failure {
    let message = format!("there is no room for the session `{}`: {most} sessions are kept already", brief(name, 80));
    Failure::conflict(ConflictKind::Full, message)
        .hint("nothing was run: delete sessions that are no longer needed, or raise their number (`sessions.most`)")
        .detail("limit", most)
}

pub(super) fn taken_over(name: &str) -> Failure {
    let name = brief(name, 80);
    let message = format!("the session `{name}` was deleted, or used by another program, before this one could start");
    Failure::conflict(ConflictKind::TakenOver, message).hint("nothing was run: run the program again")
}

pub(super) fn damaged(name: &str) -> Failure {
    Failure::new(Code::Store, format!("the session `{}` was altered or damaged", brief(name, 80)))
        .hint("no program was run; restore the store from a backup, or delete the session")
}
