//! The content of a journal: the beginning of an execution, followed by entries.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{CallPlace, Remember, RollbackBegun, SnippetEnded, SnippetStarted, Used, UsedGlobals};
use crate::policy::ToolNames;
use crate::program::{Prepared, Program};
use crate::{
    CallDetails, CallSeq, Code, ExecutionId, Fact, Failure, Limits, Log, Principal, Region, Timestamp, ToolDefinition,
};

/// The facts about an execution that are known before it begins and never change.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Beginning<'a> {
    /// The name of the principal that runs the execution. None if the host did not name one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub owner: Option<String>,
    /// The roles of that principal. They decide which tools are available, also after a resume.
    pub roles: Cow<'a, [String]>,
    /// The session key. Decisions may be remembered under it for other executions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session: Option<String>,
    /// The function of the host that started the execution.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub function: Option<String>,
    /// The call details that outcomes show.
    pub details: CallDetails,
    /// The program as its author wrote it.
    pub program: Cow<'a, Program>,
    /// The program as it runs. A later version may prepare the same text differently.
    pub prepared: Cow<'a, Prepared>,
    /// The guest image that the program runs on, and the data behind it, as the driver names them.
    pub image: Cow<'a, str>,
    /// The limits of the execution.
    pub limits: Cow<'a, Limits>,
    /// The seed of its random numbers. A transcript has it as text, because JavaScript rounds such numbers.
    #[serde(deserialize_with = "crate::json::number_or_text")]
    pub seed: u64,
    /// The namespaces that the program finds as globals.
    pub namespaces: Cow<'a, [String]>,
    /// The tools of this execution alone, in the order of their paths. The process that resumes it provides their
    /// functions.
    #[serde(skip_serializing_if = "has_none", default)]
    pub tools: Cow<'a, [ToolDefinition]>,
    /// The locale and the time zone of the program.
    #[serde(skip_serializing_if = "Region::is_default", default)]
    pub region: Region,
    /// The time at which the execution was requested.
    pub created: Timestamp,
    /// The process that created the execution. If two processes create an execution under the same chosen ID at the
    /// same moment, the slower one recognises by this field that the stored beginning is not its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub node: Option<Cow<'a, str>>,
    /// The execution whose history this one continues, if it is a fork.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub forked_from: Option<ForkedFrom>,
    /// The mistakes that were found before the program ran and did not stop it. They are warnings of the outcome.
    #[serde(skip_serializing_if = "is_silent", default)]
    pub warnings: Cow<'a, [String]>,
    /// The globals of the session that the program uses, if it does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub globals: Option<UsedGlobals>,
}

/// The point at which an execution was forked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct ForkedFrom {
    /// The execution, as the transcript named it. The store may not have it.
    pub execution: ExecutionId,
    /// The call before which the fork begins.
    pub before: CallSeq,
}

fn has_none(tools: &[ToolDefinition]) -> bool {
    tools.is_empty()
}

fn is_silent(warnings: &[String]) -> bool {
    warnings.is_empty()
}

impl Beginning<'_> {
    /// Returns the principal that runs the execution, or the host if the journal names none.
    pub fn principal(&self) -> Principal {
        self.owner.as_deref().map_or_else(Principal::host, Principal::named).with_roles(self.roles.iter().cloned())
    }
}

/// An event in an execution.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Entry {
    /// Answers were delivered to the program, and it ran until it waited or ended.
    Step(StepTaken),
    /// A call is about to start. Once this entry is durable, the call may have taken effect.
    Started(CallStarted),
    /// The tool of a running call has left a note, with which the call is continued.
    Noted(CallNoted),
    /// A call has succeeded or failed.
    Settled(CallSettled),
    /// A call has become pending.
    Asked(CallAsked),
    /// A decision about a pending call.
    Decided(CallDecided),
    /// The execution is waiting for pending calls and durable timers only.
    Paused(Pause),
    /// A process has resumed the execution.
    Resumed(ExecutionResumed),
    /// The execution has ended.
    Ended(Ended),
    /// A rollback of the execution, which had ended, has begun.
    Rollback(RollbackBegun),
}

/// One step of the program.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct StepTaken {
    /// The calls whose answers were delivered, in this order, before the program continued.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub answers: Vec<CallSeq>,
    /// The time that its clock was set to.
    pub clock: Timestamp,
    /// The calls and timers that it then requested.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub calls: Vec<Asked>,
    /// The timers that it cleared.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cleared: Vec<CallSeq>,
    /// Its log messages.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub logs: Vec<Log>,
    /// The facts that it recorded.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facts: Vec<Fact>,
    /// The resources that it has used so far.
    pub used: Used,
    /// Whether the program returned in this step, and the execution has more to do: it waits for calls that the program
    /// left pending, or keeps the globals that the program left.
    #[serde(skip_serializing_if = "is_false", default)]
    pub returned: bool,
    /// The snippets that ended, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ended: Vec<SnippetEnded>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// A call or a timer that the program requested.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Asked {
    /// Its number.
    pub seq: CallSeq,
    /// The request.
    pub what: Wanted,
    /// The place of the request in the program, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<CallPlace>,
}

impl Asked {
    /// Returns the number, tool and input of a call. None for a timer.
    pub(crate) fn tool(&self) -> Option<(CallSeq, (&str, Value))> {
        let Wanted::Tool { path, input, .. } = &self.what else { return None };
        Some((self.seq, (path, serde_json::from_str(input.get()).ok()?)))
    }

    /// Returns the names of the tool of a call. None for a timer.
    pub fn names(&self) -> Option<ToolNames<'_>> {
        let Wanted::Tool { path, names, hidden, .. } = &self.what else { return None };
        Some(ToolNames { path, others: names, shared: &[], hidden })
    }
}

/// The request of a program.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Wanted {
    /// A call.
    Tool {
        /// The path of the tool.
        path: String,
        /// The other names of the tool. Redaction rules apply to all of its names.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        names: Vec<String>,
        /// The parts of this call and its result that are hidden because of rules about the calls that it amounts to: see
        /// [`ToolNames::hidden`].
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        hidden: Vec<String>,
        /// The input.
        input: Box<RawValue>,
    },
    /// A timer, in milliseconds.
    Timer(u64),
}

/// A call that is about to start.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallStarted {
    /// The number of the call.
    pub seq: CallSeq,
    /// The time.
    pub at: Timestamp,
    /// The hash of the tool's definition, if a remembered decision approved the call. That decision was for this
    /// definition.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approved: Option<String>,
    /// The name of the principal whose remembered decision approved the call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approved_by: Option<String>,
    /// The input for the tool, if defaults were added to it and no question has shown it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Value>,
}

/// The note of a tool about a running call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallNoted {
    /// The number of the call.
    pub seq: CallSeq,
    /// The note, in the terms of the tool.
    pub note: Value,
}

/// The outcome of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallSettled {
    /// The number of the call.
    pub seq: CallSeq,
    /// The outcome.
    pub settlement: Settlement,
    /// The milliseconds since its start.
    pub took: u64,
    /// Whether it is unknown if the call, which failed, had an effect.
    #[serde(skip_serializing_if = "is_false", default)]
    pub lost: bool,
}

impl CallSettled {
    /// Tells whether the call was not made because of a decision.
    pub(crate) fn is_denied(&self) -> bool {
        matches!(&self.settlement, Settlement::Failed(failure) if failure.code == Code::ApprovalDenied)
    }
}

/// The outcome of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Settlement {
    /// The call succeeded with this value.
    Result(Box<RawValue>),
    /// The call succeeded with a value that must not be stored. The call is repeated if the value is needed again.
    Ephemeral,
    /// The call failed.
    Failed(Box<Failure>),
    /// The call starts a snippet. Its result is the result of the snippet.
    Snippet(Box<SnippetStarted>),
}

/// A call that has become pending.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallAsked {
    /// The number of the call.
    pub seq: CallSeq,
    /// The question that it is waiting for.
    pub question: Question,
    /// The input for the tool, if defaults were added to it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Value>,
    /// The time at which it became pending.
    pub at: Timestamp,
    /// The time before which a person may not say that a call in doubt did not happen. The process that started it may
    /// be slow rather than dead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_before: Option<Timestamp>,
    /// The reason for the doubt, if the tool has given one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
}

/// The question that a pending call is waiting for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Question {
    /// May the call be made?
    Approval {
        /// The reason for the question, in words.
        why: String,
        /// The hash of the tool's definition. An approval is valid for the definition that was shown.
        definition: String,
    },
    /// The tool needs an answer from outside.
    Interrupt {
        /// The question of the tool, in its own terms.
        payload: Value,
    },
    /// Did the call happen? It had started when its process ended.
    InDoubt,
}

/// A recorded decision about a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallDecided {
    /// The decision.
    pub decision: Decision,
    /// The time.
    pub at: Timestamp,
}

/// A decision about a pending call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Decision {
    /// The number of the call.
    pub seq: CallSeq,
    /// The revision at which the call became pending.
    pub asked: u64,
    /// The verdict.
    pub verdict: Verdict,
    /// The name of the principal that decided.
    pub by: String,
    /// The reason, for later readers. The verdict contains the reason that the program may read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The further calls that the decision applies to.
    #[serde(skip_serializing_if = "Remember::is_nothing", default)]
    pub remember: Remember,
}

/// The content of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Verdict {
    /// The call may be made.
    Approve,
    /// The call must not be made, for this reason. The program may catch the error.
    Deny(Option<String>),
    /// The answer that the tool needs. The tool is called again with it.
    Answer(Value),
    /// The call happened, with this result.
    Happened(Value),
    /// The call did not happen. It is made now.
    DidNotHappen,
    /// The call fails with this reason, whether it happened or not.
    Fail(Option<String>),
}

impl Verdict {
    /// Describes the decision as a phrase that follows the name of a person.
    pub fn in_words(&self, seq: CallSeq) -> String {
        match self {
            Self::Approve => format!("approved call {seq}"),
            Self::Deny(_) => format!("denied call {seq}"),
            Self::Answer(_) => format!("answered call {seq}"),
            Self::Happened(_) => format!("said that call {seq} happened"),
            Self::DidNotHappen => format!("said that call {seq} did not happen"),
            Self::Fail(_) => format!("let call {seq} fail"),
        }
    }

    /// Tells whether carrying out the decision calls the tool.
    pub(crate) fn needs_tool(&self) -> bool {
        match self {
            Self::Approve | Self::Answer(_) | Self::DidNotHappen => true,
            Self::Deny(_) | Self::Happened(_) | Self::Fail(_) => false,
        }
    }

    /// Tells whether the call may have taken effect, although its tool is not called.
    pub(super) fn may_have_happened(&self) -> bool {
        match self {
            Self::Happened(_) | Self::Fail(_) => true,
            Self::Approve | Self::Deny(_) | Self::Answer(_) | Self::DidNotHappen => false,
        }
    }
}

/// The execution is waiting for pending calls and durable timers only.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Pause {
    /// The time at which it paused.
    pub at: Timestamp,
    /// The resources that the execution has used so far.
    pub used: Used,
    /// The name of the principal that restored the store from a backup, if that is the reason for the pause.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub restored_by: Option<String>,
    /// The time at which the execution is to be woken, if it is also, or only, waiting for timers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub until: Option<Timestamp>,
}

/// A process has resumed the execution.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct ExecutionResumed {
    /// The time.
    pub at: Timestamp,
    /// The way in which the program was restored.
    pub from: ResumedFrom,
    /// The name of the principal that resumed the execution although its store was restored from a backup.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub released_by: Option<String>,
    /// The number of the lease under which the process writes. A write whose acknowledgement was lost is recognised by its
    /// content, so two processes that resume the execution at the same moment must not write the same.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lease: Option<u64>,
}

/// The way in which a program is restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ResumedFrom {
    /// From its stored memory.
    Snapshot,
    /// By a replay of the journal.
    Journal,
}

/// The execution has ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Ended {
    /// The outcome.
    pub how: Ending,
    /// The log messages since the last step.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub logs: Vec<Log>,
    /// The facts since the last step.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facts: Vec<Fact>,
    /// Hints for the author about the result.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hints: Vec<String>,
    /// The milliseconds of work in total.
    pub duration: u64,
    /// The time.
    pub at: Timestamp,
}

/// The way in which an execution ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Ending {
    /// The program returned this value.
    Completed(Value),
    /// The program failed.
    Failed(Failure),
    /// A person rejected the execution.
    Rejected(Failure),
    /// A rollback has ended. The failure is that of the rollback itself, if it was stopped early.
    RolledBack(Option<Box<Failure>>),
}
