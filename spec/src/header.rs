//! What is written in the header of a case.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use isobox::{CallSeq, Code};
use serde::Deserialize;

use crate::limits::SpecLimits;
use crate::{Pass, Says};

/// The header of a case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Header {
    /// The promised behaviour, as a sentence.
    pub title: String,
    /// The tools of the program.
    #[serde(default)]
    pub tools: ToolSet,
    /// Why Node gives another result. Without a reason, Node must give the same result if it can run the case.
    pub differs_from_node: Option<String>,
    /// Why Node cannot run the case: its result varies, or it does not survive the case.
    pub not_under_node: Option<String>,
    /// Why a stored execution gives another result.
    pub differs_kept: Option<String>,
    /// The seed of the random numbers.
    pub seed: Option<u64>,
    /// The program, if the file is not the program itself.
    pub source: Option<String>,
    /// The program, if it has several files.
    pub files: Option<BTreeMap<String, String>>,
    /// The entry file.
    pub entry: Option<String>,
    /// The rules of the policy, as in `isobox.json`.
    #[serde(default)]
    pub policy: Vec<toml::Table>,
    /// The roles of the caller.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The answer of the approver. Without it there is no approver.
    pub approver: Option<Says>,
    /// How long the approver takes; zero by default.
    pub approver_takes: Option<String>,
    /// Whether the records of calls include their inputs.
    #[serde(default)]
    pub inputs: bool,
    /// The lowered limits.
    #[serde(default)]
    pub limits: SpecLimits,
    /// Whether the program is checked before it runs, as in `isobox.json`.
    pub checks: Option<String>,
    /// The snippets in the store, by name.
    #[serde(default)]
    pub snippets: BTreeMap<String, SpecSnippet>,
    /// The modules of the host, by specifier.
    #[serde(default)]
    pub modules: BTreeMap<String, String>,
    /// The content of `isobox.json`. Without it there is no configuration.
    pub config: Option<toml::Table>,
    /// The capacity of the runtime, if other executions use it.
    pub capacity: Option<SpecCapacity>,
    /// The number of polls after which the caller cancels. A computing program is polled about every millisecond, a
    /// queued or waiting one once. (`tools.spec.cancel` is for a waiting program.)
    pub cancel_after_polls: Option<u32>,
    /// What happens at each pause of a stored execution. Without passes it never pauses.
    #[serde(default)]
    pub passes: Vec<Pass>,
    /// The rollback of a stored execution after its end.
    pub rollback: Option<SpecRollback>,
    /// The session whose globals a stored execution uses.
    pub session: Option<SpecSession>,
    /// Why a crash may change the result.
    pub crash_changes: Option<String>,
    /// The expected result.
    pub expect: Expectation,
    /// What a reader needs to know about a common mistake, with a program that does not make it.
    pub correction: Option<Correction>,
}

/// A snippet in the store.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum SpecSnippet {
    /// The code.
    Code(String),
    /// A snippet with more than its code.
    Whole(WholeSnippet),
}

/// A snippet with more than its code.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WholeSnippet {
    /// The code.
    pub code: String,
    /// The description.
    #[serde(default)]
    pub description: String,
    /// The schema of the input, as JSON.
    pub input_schema: Option<String>,
    /// The tools that it needs, with the hashes of their definitions.
    #[serde(default)]
    pub tools: BTreeMap<String, String>,
}

/// A session, and what is expected of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecSession {
    /// The programs of the session before that of the case.
    #[serde(default)]
    pub before: Vec<String>,
    /// The program of the session after that of the case.
    pub after: String,
    /// The result of the program after that of the case, as JSON.
    pub expect: String,
}

/// A rollback, and its expected result.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SpecRollback {
    /// The step that it goes back to.
    pub to: Option<String>,
    /// The tools that are missing during the rollback.
    #[serde(default)]
    pub missing: Vec<String>,
    /// What happens at each pause of the rollback.
    #[serde(default)]
    pub passes: Vec<Pass>,
    /// `[path, state]` of every call, of the program and of the rollback.
    #[serde(default)]
    pub calls: Vec<(String, String)>,
    /// The numbers of the calls whose revert failed.
    #[serde(default)]
    pub failed: Vec<CallSeq>,
    /// `[seq, reason]` of the calls that are left as they are.
    #[serde(default)]
    pub left: Vec<(CallSeq, String)>,
    /// The code of the error if nothing was reverted, or if the rollback stopped.
    pub error: Option<Code>,
}

/// The explanation of a common mistake.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The section of `docs/mistakes.md`.
    pub group: String,
    /// Why the mistake happens, and what to do instead.
    pub why: String,
    /// The corrected program.
    pub program: String,
    /// The expected result of the corrected program.
    pub expect: Expectation,
}

/// The tools of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolSet {
    /// No tools.
    #[default]
    None,
    /// The tools that every interface can offer.
    Demo,
    /// Also the tools of [`crate::spec_tools`].
    Spec,
}

/// A runtime that other executions already use.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SpecCapacity {
    /// The maximum number of live executions.
    pub live: NonZeroU32,
    /// The maximum number of queued executions.
    pub queue: u32,
    /// The number of earlier executions.
    pub occupants: u32,
    /// The program of the earlier executions; by default one that never ends.
    #[serde(default = "endless")]
    pub occupant: String,
}

fn endless() -> String {
    "await tools.spec.hang()".to_owned()
}

/// The expected result. Fields that are absent must be absent or empty.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The result as JSON.
    pub result: Option<String>,
    /// The error.
    pub error: Option<ExpectedError>,
    /// `[level, message]` of every log line.
    #[serde(default)]
    pub logs: Vec<(String, String)>,
    /// The facts as a JSON object.
    pub facts: Option<String>,
    /// `[path, state]` of every call.
    #[serde(default)]
    pub calls: Vec<(String, String)>,
    /// The message of every warning.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The input of every call as JSON, where the case asks for inputs.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// `[path, JSON]` of the progress of calls.
    #[serde(default)]
    pub progress: Vec<(String, String)>,
    /// The mismatched outputs that are reported to the host and let through.
    #[serde(default)]
    pub mismatches: Vec<String>,
}

/// An expected error.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the one of the same name in `isobox::Failure`")]
pub struct ExpectedError {
    pub code: Code,
    pub name: String,
    pub message: String,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// The first and the last line in which a computing program may have been stopped. Its position is not compared
    /// otherwise, and may be missing if it was stopped between two jobs.
    #[serde(rename = "stoppedIn")]
    pub stopped_in: Option<(u32, u32)>,
    /// Compared only if given: most hints are advice, not behaviour.
    pub hint: Option<String>,
    /// Details that must be present, as JSON. Others may be present too.
    #[serde(default)]
    pub details: BTreeMap<String, toml::Value>,
}
