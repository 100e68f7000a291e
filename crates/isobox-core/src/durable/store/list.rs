//! Lists of executions: filters, pages and rows.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use super::{Head, Status};
use crate::journal::{JournalCall, Pending, Question};
use crate::{CallSeq, Code, ExecutionId, PendingKind, Timestamp};

/// The state of an execution as operators see it. It combines the status, whether a live process holds the lease, and
/// whether the inbox has decisions. Lists print and filter by these words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// A live process runs the execution.
    Running,
    /// The execution was running when its process died. It can be resumed.
    Orphaned,
    /// The execution is waiting for a decision.
    Paused,
    /// The execution is paused or sleeping, and its inbox has a decision or rejection that is not carried out yet. It can
    /// be resumed.
    Decided,
    /// The execution is waiting for a timer. It is woken when it is due.
    Sleeping,
    /// The program returned.
    Completed,
    /// The program failed.
    Failed,
    /// A person rejected the execution.
    Rejected,
    /// Calls of the execution were reverted.
    RolledBack,
    /// The row was altered or damaged.
    Unreadable,
}

impl State {
    /// All states.
    pub const ALL: [Self; 10] = [
        Self::Running,
        Self::Orphaned,
        Self::Paused,
        Self::Decided,
        Self::Sleeping,
        Self::Completed,
        Self::Failed,
        Self::Rejected,
        Self::RolledBack,
        Self::Unreadable,
    ];

    /// Derives the state of an execution.
    pub fn of(status: Status, is_held: bool, messages: u32) -> Self {
        match status {
            Status::Running if is_held => Self::Running,
            Status::Running => Self::Orphaned,
            Status::Paused | Status::Sleeping if !is_held && messages > 0 => Self::Decided,
            Status::Paused => Self::Paused,
            Status::Sleeping => Self::Sleeping,
            Status::Completed => Self::Completed,
            Status::Failed => Self::Failed,
            Status::Rejected => Self::Rejected,
            Status::RolledBack => Self::RolledBack,
        }
    }

    /// Returns the statuses that executions in this state may have. None for rows that cannot be read.
    pub const fn statuses(self) -> &'static [Status] {
        match self {
            Self::Running | Self::Orphaned => &[Status::Running],
            Self::Paused => &[Status::Paused],
            Self::Decided => &[Status::Paused, Status::Sleeping],
            Self::Sleeping => &[Status::Sleeping],
            Self::Completed => &[Status::Completed],
            Self::Failed => &[Status::Failed],
            Self::Rejected => &[Status::Rejected],
            Self::RolledBack => &[Status::RolledBack],
            Self::Unreadable => &[],
        }
    }

    /// Returns the name of the state as it is printed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Orphaned => "orphaned",
            Self::Paused => "paused",
            Self::Decided => "decided",
            Self::Sleeping => "sleeping",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
            Self::RolledBack => "rolled_back",
            Self::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A text that is not a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not one of running, orphaned, paused, decided, sleeping, completed, failed, rejected, rolled_back, unreadable"
)]
pub struct NotAState(String);

impl FromStr for State {
    type Err = NotAState;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|state| state.as_str() == text);
        found.ok_or_else(|| NotAState(crate::text::brief(text, 40)))
    }
}

/// Selects executions for a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// Selects executions in one of these states, or in any if the list is empty.
    pub states: Vec<State>,
    /// Selects executions that have neither changed nor been due since this moment, and are not due later.
    pub updated_before: Option<Timestamp>,
    /// Selects executions after this one in the list: [`Page::next`] of the previous page.
    pub after: Option<String>,
    /// The maximum number of rows.
    pub limit: u32,
}

impl Filter {
    /// Selects the newest executions, at most this many.
    pub fn newest(limit: u32) -> Self {
        Self { states: Vec::new(), updated_before: None, after: None, limit }
    }

    /// Adds a state: executions in any of the added states are selected. Without any state, all are selected.
    #[must_use]
    pub fn with(mut self, state: State) -> Self {
        self.states.push(state);
        self
    }

    /// Selects only executions that have neither changed nor been due since this moment, and are not due later.
    #[must_use]
    pub fn updated_before(mut self, moment: Timestamp) -> Self {
        self.updated_before = Some(moment);
        self
    }

    /// Selects only executions that come after this one in the list.
    #[must_use]
    pub fn after(mut self, id: impl Into<String>) -> Self {
        self.after = Some(id.into());
        self
    }
}

/// A page of a list, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The executions.
    pub executions: Vec<Listed>,
    /// Rows that cannot be read. An altered row hides no other.
    pub unreadable: Vec<Unreadable>,
    /// The start of the next page, for [`Filter::after`]. None on the last page.
    pub next: Option<String>,
}

/// One execution in a list. As JSON, `status` is its [`State`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its ID.
    pub id: ExecutionId,
    /// The time at which it was requested.
    pub created: Timestamp,
    /// Its head.
    pub head: Head,
    /// Whether a live process holds the lease. Always false if it has ended.
    pub is_held: bool,
    /// The number of messages in its inbox, counted up to [`Listed::MOST_MESSAGES`].
    pub messages: u32,
}

impl Listed {
    /// The maximum number to which messages are counted.
    pub const MOST_MESSAGES: u32 = 1_000;

    /// Returns the state of the execution.
    pub fn state(&self) -> State {
        State::of(self.head.status, self.is_held, self.messages)
    }
}

impl Serialize for Listed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Shown<'l> {
            execution_id: &'l ExecutionId,
            /// The former name of `execution_id`.
            id: &'l ExecutionId,
            created: Timestamp,
            status: State,
            revision: u64,
            pending: u32,
            pending_calls: &'l [PendingSummary],
            calls: u32,
            updated: Timestamp,
            #[serde(skip_serializing_if = "Option::is_none")]
            function: Option<&'l str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            owner: Option<&'l str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            code: Option<Code>,
            #[serde(skip_serializing_if = "Option::is_none")]
            due: Option<Timestamp>,
            is_held: bool,
            messages: u32,
        }
        let Head { status: _, revision, pending, pending_calls, calls, updated, function, owner, code, due } =
            &self.head;
        Shown {
            execution_id: &self.id,
            id: &self.id,
            created: self.created,
            status: self.state(),
            revision: *revision,
            pending: *pending,
            pending_calls,
            calls: *calls,
            updated: *updated,
            function: function.as_deref(),
            owner: owner.as_deref(),
            code: *code,
            due: *due,
            is_held: self.is_held,
            messages: self.messages,
        }
        .serialize(serializer)
    }
}

/// A row that was altered or damaged. As JSON, its `status` is `unreadable`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Its ID as stored. It may be any text.
    pub id: String,
    /// The defect.
    pub reason: String,
}

impl Serialize for Unreadable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Shown<'u> {
            execution_id: &'u str,
            id: &'u str,
            status: State,
            reason: &'u str,
        }
        Shown { execution_id: &self.id, id: &self.id, status: State::Unreadable, reason: &self.reason }
            .serialize(serializer)
    }
}

/// A pending call as a list shows it: its tool and the kind of its question, never its input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PendingSummary {
    /// Its number.
    pub seq: CallSeq,
    /// The path of its tool, shortened if it is long.
    pub path: String,
    /// The kind of its question.
    pub kind: PendingKind,
}

impl PendingSummary {
    /// The maximum number of summaries in a head.
    pub const MOST: usize = 3;
    /// The maximum length of a path, in characters.
    const LONGEST_PATH: usize = 120;

    pub(crate) fn of(call: &JournalCall, pending: &Pending) -> Self {
        let kind = match &pending.question {
            Question::Approval { .. } => PendingKind::Approval,
            Question::Interrupt { .. } => PendingKind::Interrupt,
            Question::InDoubt => PendingKind::InDoubt,
        };
        Self { seq: call.seq, path: crate::text::brief(&call.path, Self::LONGEST_PATH), kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_that_is_printed_is_one_to_filter_by() {
        for state in State::ALL {
            assert_eq!(state.as_str().parse(), Ok(state));
        }
        assert!("nonsense".parse::<State>().unwrap_err().to_string().contains("orphaned, paused, decided"));
    }

    #[test]
    fn the_state_follows_from_status_lease_and_inbox() {
        let state = |status, is_held, messages| State::of(status, is_held, messages).as_str();
        assert_eq!(state(Status::Running, true, 1), "running");
        assert_eq!(state(Status::Running, false, 1), "orphaned");
        assert_eq!(state(Status::Paused, false, 0), "paused");
        assert_eq!(state(Status::Paused, false, 1), "decided");
        // The process that holds the lease handles the message.
        assert_eq!(state(Status::Paused, true, 1), "paused");
        assert_eq!(state(Status::Rejected, true, 1), "rejected");
        assert_eq!(state(Status::Sleeping, false, 0), "sleeping");
        assert_eq!(state(Status::Sleeping, false, 1), "decided");
        for status in Status::ALL {
            assert!(State::of(status, false, 0).statuses().contains(&status));
            assert!(State::of(status, false, 9).statuses().contains(&status));
        }
    }

    #[test]
    fn heads_of_before_are_read_without_a_summary() {
        let old = r#"{"status":"paused","revision":2,"pending":2,"calls":3,"updated":7}"#;
        let head: Head = serde_json::from_str(old).unwrap();
        assert_eq!((head.pending, head.pending_calls.as_slice()), (2, &[] as &[PendingSummary]));
        assert_eq!(serde_json::to_string(&head).unwrap(), old);
    }
}
