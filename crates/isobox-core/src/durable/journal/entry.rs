//! What a journal holds: the beginning of an execution, and then one entry after the other.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::policy::ToolNames;
use crate::program::{Prepared, Program};
use crate::{CallDetails, CallSeq, Code, Failure, Limits, Log, Principal, Timestamp, ToolDefinition};

/// What is known of an execution before it begins, and never changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Beginning<'a> {
    /// The name of the principal that runs it; none in journals of hosts that did not say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub owner: Option<String>,
    /// The roles of that principal: they decide which tools there are, also after a resume.
    pub roles: Cow<'a, [String]>,
    /// Decisions may be remembered under this key for other executions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session: Option<String>,
    /// The function of the host that asked for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub function: Option<String>,
    /// What is told of its calls.
    pub details: CallDetails,
    /// What the author wrote.
    pub program: Cow<'a, Program>,
    /// What runs. A later version may prepare the same text differently.
    pub prepared: Cow<'a, Prepared>,
    /// The hash of the guest image that it runs on.
    pub image: Cow<'a, str>,
    /// What it may use, for good.
    pub limits: Cow<'a, Limits>,
    /// Where its random numbers start.
    pub seed: u64,
    /// Namespaces that it finds as globals.
    pub namespaces: Cow<'a, [String]>,
    /// Its own tools, in the order of their paths. The process that resumes it brings their functions.
    #[serde(skip_serializing_if = "has_none", default)]
    pub tools: Cow<'a, [ToolDefinition]>,
    /// When it was asked for.
    pub created: Timestamp,
    /// The process that created it. Two processes may be asked for the same at the same moment, under an id that the caller
    /// chose: by this, the one that was slower recognises that the stored beginning is not its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub node: Option<Cow<'a, str>>,
}

fn has_none(tools: &[ToolDefinition]) -> bool {
    tools.is_empty()
}

impl Beginning<'_> {
    /// Returns the principal that runs the execution: the host, where the journal names no other.
    pub fn principal(&self) -> Principal {
        self.owner.as_deref().map_or_else(Principal::host, Principal::named).with_roles(self.roles.iter().cloned())
    }
}

/// One thing that happened to an execution.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Entry {
    /// The program got answers, and went on until it waited or ended.
    Step(StepTaken),
    /// A call is about to be made. Once this is on disk, it may have taken effect.
    Started(CallStarted),
    /// Something came of a call.
    Settled(CallSettled),
    /// A call waits for somebody outside.
    Asked(CallAsked),
    /// Somebody outside has decided about a call.
    Decided(CallDecided),
    /// There is nothing to wait for but somebody outside.
    Paused(Pause),
    /// A process went on with the execution where another had left it.
    Resumed(Resumed),
    /// The execution is over.
    Ended(Ended),
}

/// One step of the program.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct StepTaken {
    /// Whose answers were delivered, in this order and all before the program went on.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub answers: Vec<CallSeq>,
    /// What its clock was set to.
    pub clock: Timestamp,
    /// What it then asked for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub calls: Vec<Asked>,
    /// Timers that it no longer wanted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cleared: Vec<CallSeq>,
    /// What it logged.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub logs: Vec<Log>,
    /// What it has used so far.
    pub used: Used,
}

/// One thing that the program asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Asked {
    /// Its number.
    pub seq: CallSeq,
    /// What.
    pub what: Wanted,
    /// Where it was made, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<CallPlace>,
}

impl Asked {
    /// The call that it is, if it is one.
    pub(crate) fn tool(&self) -> Option<(CallSeq, (&str, Value))> {
        let Wanted::Tool { path, input, .. } = &self.what else { return None };
        Some((self.seq, (path, serde_json::from_str(input.get()).ok()?)))
    }

    /// The names of its tool, if it is a call.
    pub fn names(&self) -> Option<ToolNames<'_>> {
        let Wanted::Tool { path, names, .. } = &self.what else { return None };
        Some(ToolNames { path, others: names, shared: &[] })
    }
}

/// Where in the author's text a call is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallPlace {
    /// In which file; left out where there is only one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// The line, from 1 on.
    pub line: u32,
    /// The column, from 1 on.
    pub column: u32,
}

/// What a program asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Wanted {
    /// A call.
    Tool {
        /// Of which tool.
        path: String,
        /// What else that tool is called: rules that redact go by all of its names.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        names: Vec<String>,
        /// With what.
        input: Box<RawValue>,
    },
    /// To be woken after so many milliseconds.
    Timer(u64),
}

/// What an execution has used of what it may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Used {
    /// Milliseconds that count towards the time-out.
    pub wall: u64,
    /// Microseconds of processor time.
    pub cpu: u64,
}

/// A call is about to be made.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallStarted {
    /// Which.
    pub seq: CallSeq,
    /// When.
    pub at: Timestamp,
    /// A hash of its tool's definition, where it is made by what was remembered: that was for the tool as it is now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approved: Option<String>,
    /// What the tool gets, where that is more than the program passed and no question has shown it: defaults were filled in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Value>,
}

/// Something came of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallSettled {
    /// Which.
    pub seq: CallSeq,
    /// What.
    pub settlement: Settlement,
    /// Milliseconds from its start.
    pub took: u64,
}

impl CallSettled {
    /// Whether the call was not made because somebody had decided so.
    pub(crate) fn is_denied(&self) -> bool {
        matches!(&self.settlement, Settlement::Failed(failure) if failure.code == Code::ApprovalDenied)
    }
}

/// What came of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Settlement {
    /// It succeeded with this value.
    Result(Box<RawValue>),
    /// It succeeded with a value that must not be stored: it is called again where the value is needed again.
    Ephemeral,
    /// It failed.
    Failed(Box<Failure>),
}

/// A call waits for somebody outside.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallAsked {
    /// Which.
    pub seq: CallSeq,
    /// For what.
    pub question: Question,
    /// What the tool would get, where that is more than the program passed: defaults were filled in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Value>,
    /// Since when.
    pub at: Timestamp,
    /// Until when nobody may say that it did not happen, where it is in doubt: the process that started it may be slow
    /// rather than dead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_before: Option<Timestamp>,
}

/// What a call waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Question {
    /// Whether it may be made.
    Approval {
        /// Why that is asked, in words.
        why: String,
        /// A hash of the tool's definition: an approval is for what was shown.
        definition: String,
    },
    /// Something that the tool needs from outside.
    Interrupt {
        /// What, in the tool's own terms.
        payload: Value,
    },
    /// Whether it happened: it had started when its process ended.
    InDoubt,
}

/// Somebody outside has decided about a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallDecided {
    /// What was decided, about which call.
    pub decision: Decision,
    /// When.
    pub at: Timestamp,
}

/// What somebody decided about a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Decision {
    /// About which call.
    pub seq: CallSeq,
    /// The revision at which the call was asked about.
    pub asked: u64,
    /// What.
    pub verdict: Verdict,
    /// The name of the principal.
    pub by: String,
    /// Why, for whoever looks at it later. What the program may read of a denial or a failure is in the verdict.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// For how much more it holds.
    #[serde(skip_serializing_if = "Remember::is_nothing", default)]
    pub remember: Remember,
}

/// What was decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Verdict {
    /// The call may be made.
    Approve,
    /// It must not be made, for this reason. The program may catch it.
    Deny(Option<String>),
    /// What the tool needs from outside: it is called again with this.
    Answer(Value),
    /// It happened, with this result.
    Happened(Value),
    /// It did not happen: it is made now.
    DidNotHappen,
    /// Whether it happened or not, it fails, for this reason.
    Fail(Option<String>),
}

impl Verdict {
    /// Says what was decided about a call, as what follows the name of a person.
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

    /// Whether the tool is called when it is carried out.
    pub(crate) fn needs_tool(&self) -> bool {
        match self {
            Self::Approve | Self::Answer(_) | Self::DidNotHappen => true,
            Self::Deny(_) | Self::Happened(_) | Self::Fail(_) => false,
        }
    }
}

/// For which further calls of the same tool with the same input a decision holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Remember {
    /// None.
    #[default]
    Nothing,
    /// Those of the same execution.
    Execution,
    /// Those of all executions with the same session key.
    Session,
}

impl Remember {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }
}

/// There is nothing to wait for but somebody outside.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Pause {
    /// Since when.
    pub at: Timestamp,
    /// What the execution has used so far.
    pub used: Used,
}

/// A process went on with the execution.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Resumed {
    /// When.
    pub at: Timestamp,
    /// How the program was brought back.
    pub from: ResumedFrom,
}

/// How a program is brought back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ResumedFrom {
    /// Its memory was stored.
    Snapshot,
    /// It got the answers of the journal once more.
    Journal,
}

/// The execution is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Ended {
    /// How.
    pub how: Ending,
    /// What was logged since the last step.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub logs: Vec<Log>,
    /// Milliseconds of work in all.
    pub duration: u64,
    /// When.
    pub at: Timestamp,
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Ending {
    /// The program returned this.
    Completed(Value),
    /// It failed.
    Failed(Failure),
    /// A person ended it.
    Rejected(Failure),
}
