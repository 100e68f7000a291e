//! The contents of journal entries, by name.

use crate::journal::{Ending, Entry, Question, Remember, ResumedFrom, Settlement, Verdict, Wanted};
use crate::{Code, Failure};

/// Names the content of an entry. New journal content must be added here and to a story.
pub(super) fn kinds(entry: &Entry) -> Vec<&'static str> {
    match entry {
        Entry::Step(step) => {
            let mut kinds = vec!["step"];
            kinds.extend(step.calls.iter().map(|call| match call.what {
                Wanted::Tool { .. } => "tool",
                Wanted::Timer(_) => "timer",
            }));
            kinds.extend(step.ended.iter().map(|ended| match ended.failure {
                Some(_) => "snippet failed",
                None => "snippet completed",
            }));
            kinds
        }
        Entry::Started(_) => vec!["started"],
        Entry::Noted(_) => vec!["noted"],
        Entry::Settled(settled) => match settled.settlement {
            Settlement::Result(_) => vec!["result"],
            Settlement::Ephemeral => vec!["ephemeral"],
            Settlement::Failed(_) => vec!["call failed"],
            Settlement::Snippet(ref started) if started.code.is_some() => vec!["snippet with code"],
            Settlement::Snippet(_) => vec!["snippet"],
        },
        Entry::Asked(asked) => match asked.question {
            Question::Approval { .. } => vec!["approval"],
            Question::Interrupt { .. } => vec!["interrupt"],
            Question::InDoubt => vec!["in doubt"],
        },
        Entry::Decided(decided) => vec![
            match decided.decision.verdict {
                Verdict::Approve => "approve",
                Verdict::Deny(_) => "deny",
                Verdict::Answer(_) => "answer",
                Verdict::Happened(_) => "happened",
                Verdict::DidNotHappen => "did not happen",
                Verdict::Fail(_) => "fail",
            },
            match decided.decision.remember {
                Remember::Nothing => "remember nothing",
                Remember::Execution => "remember in execution",
                Remember::Session => "remember in session",
            },
            match decided.decision.reason {
                Some(_) => "reason",
                None => "no reason",
            },
        ],
        Entry::Paused(paused) if paused.until.is_some() => vec!["left memory until"],
        Entry::Paused(_) => vec!["paused"],
        Entry::Resumed(resumed) => match resumed.from {
            ResumedFrom::Snapshot => vec!["from snapshot"],
            ResumedFrom::Journal => vec!["from journal"],
        },
        Entry::Ended(ended) => match ended.how {
            Ending::Completed(_) => vec!["completed"],
            Ending::Failed(Failure { code: Code::Aborted, .. }) => vec!["cancelled"],
            Ending::Failed(_) => vec!["failed"],
            Ending::Rejected(_) => vec!["rejected"],
            Ending::RolledBack(Some(_)) => vec!["rollback stopped"],
            Ending::RolledBack(None) => vec!["rolled back"],
        },
        Entry::Rollback(begun) => {
            let mut kinds = vec![if begun.to.is_some() { "rollback to a step" } else { "rollback of all" }];
            kinds.extend(begun.reverts.iter().map(|revert| match revert.input {
                Some(_) => "revert by a call",
                None => "revert by a function",
            }));
            kinds.extend(begun.left.iter().map(|_| "left applied"));
            kinds
        }
    }
}

/// The number of names.
pub(super) const KINDS: usize = 41;
