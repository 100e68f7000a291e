//! The state of one call in a journal.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{CallPlace, Question, Settlement, Verdict};
use crate::json::present;
use crate::policy::ToolNames;
use crate::{CallSeq, Failure, Timestamp};

/// The state of one call. It is small, because an execution has one for every call that it has made.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JournalCall {
    /// Its number.
    pub seq: CallSeq,
    /// The path of the tool.
    pub path: Arc<str>,
    /// The rest of the call, until its answer has been delivered.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub open: Option<Box<OpenCall>>,
    /// The progress of the call.
    pub progress: CallProgress,
}

/// The details of a call that are needed until its answer has been delivered.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenCall {
    /// The other names of its tool.
    #[serde(skip_serializing_if = "<[String]>::is_empty", default)]
    pub names: Box<[String]>,
    /// The hidden parts of the call: see [`ToolNames::hidden`].
    #[serde(skip_serializing_if = "<[String]>::is_empty", default)]
    pub hidden: Box<[String]>,
    /// The input that the program passed.
    pub input: Box<RawValue>,
    /// The input that the tool gets, if defaults were added. They are added once, so that the tool gets the input that
    /// rules and people decided about, even if the configuration changes later.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub filled: Option<Value>,
    /// The place of the call in the program, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<CallPlace>,
    /// The answer to an interrupt of its tool.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub resolution: Option<Value>,
    /// The payload of the interrupt that `resolution` answers.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub interrupt: Option<Value>,
    /// The note with which the tool continues the call.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub note: Option<Value>,
    /// The hash of the tool's definition as it was approved, if approval was needed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approved: Option<Box<str>>,
    /// Counts the restarts after a crash or an interrupt.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub restarts: u32,
    /// The time of the last start, if that is known. A checkpoint does not contain it.
    #[serde(skip)]
    pub started: Option<Timestamp>,
}

/// The progress of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum CallProgress {
    /// The program has made the call.
    Issued,
    /// The call is waiting for a decision.
    Pending(Box<Pending>),
    /// The decision has been made and not carried out yet.
    Decided(Box<Verdict>),
    /// The call has started, and may have taken effect.
    Started,
    /// The call has an outcome that has not been delivered to the program.
    Settled {
        /// The outcome.
        settlement: Settlement,
        /// Its duration in milliseconds.
        took: u64,
    },
    /// The outcome has been delivered to the program.
    Delivered {
        /// The failure, if the call failed.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        failure: Option<Box<Failure>>,
        /// Its duration in milliseconds.
        took: u64,
    },
}

/// A pending call's question, with its time and revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pending {
    /// The question.
    pub question: Question,
    /// The input for the tool, if defaults were added to it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Value>,
    /// The revision at which the call became pending.
    pub asked: u64,
    /// The time at which the call became pending.
    pub at: Timestamp,
    /// The time before which a person may not say that a call in doubt did not happen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_before: Option<Timestamp>,
    /// The reason for the doubt, if the tool has given one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl CallProgress {
    /// Tells whether the tool has been started for this call.
    pub(super) fn was_started(&self) -> bool {
        match self {
            Self::Issued | Self::Pending(_) => false,
            Self::Decided(verdict) => matches!(**verdict, Verdict::DidNotHappen | Verdict::Answer(_)),
            Self::Started | Self::Settled { .. } | Self::Delivered { .. } => true,
        }
    }
}

impl OpenCall {
    /// Returns the input that the program passed.
    pub(super) fn passed(&self) -> Option<Value> {
        serde_json::from_str(self.input.get()).ok()
    }
}

impl JournalCall {
    /// Withdraws a decision about the call that was not carried out: an approval, or the answer to an interrupt.
    pub(super) fn withdraw_decision(&mut self) {
        let Some(open) = &mut self.open else { return };
        match &self.progress {
            CallProgress::Decided(verdict) => match **verdict {
                Verdict::Approve => open.approved = None,
                Verdict::Answer(_) => (open.interrupt, open.resolution) = (None, None),
                Verdict::Deny(_) | Verdict::Happened(_) | Verdict::DidNotHappen | Verdict::Fail(_) => {}
            },
            CallProgress::Pending(pending) => match pending.question {
                // An earlier approval was for another definition of the tool.
                Question::Approval { .. } => open.approved = None,
                Question::Interrupt { .. } | Question::InDoubt => {}
            },
            CallProgress::Issued
            | CallProgress::Started
            | CallProgress::Settled { .. }
            | CallProgress::Delivered { .. } => {}
        }
    }

    /// Returns the names of the tool.
    pub(crate) fn tool_names(&self) -> ToolNames<'_> {
        let (others, hidden) = self.open.as_ref().map_or((&[][..], &[][..]), |open| (&open.names, &open.hidden));
        ToolNames { path: &self.path, others, shared: &[], hidden }
    }

    /// Returns the input for the tool, as the person who decides sees it.
    pub(crate) fn shown_input(&self, pending: &Pending) -> Value {
        let passed = || self.open.as_ref()?.passed();
        pending.input.clone().or_else(passed).unwrap_or_default()
    }

    /// Tells whether the tool has left a note.
    pub(crate) fn is_noted(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.note.is_some())
    }

    /// Describes the progress of the call as a phrase that follows its name.
    pub(crate) fn how_far(&self) -> &'static str {
        match &self.progress {
            CallProgress::Issued => "has not started",
            CallProgress::Pending(_) => "is pending",
            CallProgress::Decided(_) => "has already been decided",
            CallProgress::Started => "is running",
            CallProgress::Settled { .. } | CallProgress::Delivered { .. } => "has already completed",
        }
    }
}
