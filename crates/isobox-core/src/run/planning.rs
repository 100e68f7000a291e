//! Runs a program with its effects held back, and tells which calls it would make.
//!
//! The run is an ordinary one. Its host differs: tools that do more than read answer with a stand-in, every approval is given
//! (and noted), and nothing is stored, learned or reported.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::report::observer::{Event, EventKind, Observer};
use crate::run::execution::execute;
use crate::run::host::{Durability, Execution, Host};
use crate::run::session_use::see_globals;
use crate::snippets::RUN;
use crate::text::brief;
use crate::tools::stand_in::stand_in;
use crate::{
    Approval, ApprovalRequest, Approver, CallSeq, Contents, Facts, Failure, Keeper, Log, Outcome, OutputChecks, Tool,
    Validation,
};

/// The status of a plan, beside those of outcomes.
const STATUS: &str = "planned";
/// The maximum length of a value in the text of a plan, in characters.
const MAX_SHOWN: usize = 300;
/// The maximum number of sentences about what a plan cannot know.
const MAX_UNCERTAIN: usize = 20;

/// The calls that a program would make.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Plan {
    /// Always `planned`, beside the statuses of outcomes.
    pub status: &'static str,
    /// The calls, in the order in which the program makes them.
    pub calls: Vec<PlannedCall>,
    /// The end of the program.
    #[serde(flatten)]
    pub end: PlannedEnd,
    /// The facts that the plan cannot know, in sentences.
    pub uncertain: Vec<String>,
    /// The log messages.
    pub logs: Vec<Log>,
    /// The facts that the program recorded.
    #[serde(skip_serializing_if = "Facts::is_empty")]
    pub facts: Facts,
    /// The duration in milliseconds.
    pub duration_ms: u64,
}

/// The end of a planned program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PlannedEnd {
    /// The program returned this value.
    Result(Value),
    /// The program failed.
    Error(Failure),
}

/// A call that a program would make.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PlannedCall {
    /// The number of the call.
    pub seq: CallSeq,
    /// The path of the tool.
    pub path: String,
    /// The input, without the parts that the policy redacts.
    pub input: Value,
    /// The treatment of the call by the plan.
    pub done: PlannedDone,
    /// The reason why the call needs approval, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
    /// Whether a real run makes the same call. It does if no stand-in came before the call.
    pub certain: bool,
    /// The failure of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
}

/// The treatment of a call by a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PlannedDone {
    /// The call was made, because its tool only reads.
    Made,
    /// The call was not made. A stand-in answered it.
    Held,
    /// The call ran a snippet with its effects held back. Its calls are numbered under this one.
    Ran,
    /// The call was refused, as in a real run.
    Refused,
    /// The program ended before the call was answered.
    Open,
}

/// Runs a program with its effects held back.
///
/// Tools that only read are called, unless the call needs approval. All others answer with a stand-in that is made from the output
/// schema, or from the results that were seen. Snippets are run in the same way, and their runs do not count. The policy, the limits and the checks of inputs are those of a real run.
pub async fn plan(host: &Host, execution: Execution, cancelled: impl Future<Output = ()> + Send) -> Plan {
    let notes = Arc::<Notes>::default();
    let held = |tool: &Tool| holding_back(tool, &notes);
    let outputs = match host.validation.outputs {
        // A stand-in may not fit.
        OutputChecks::Enforce | OutputChecks::Warn => OutputChecks::Warn,
        OutputChecks::Off => OutputChecks::Off,
    };
    let host = Host {
        catalogue: Arc::new(host.catalogue.with_each(held)),
        approver: Some(Arc::new(Yes(Arc::clone(&notes)))),
        observer: Some(Arc::new(Watcher(Arc::clone(&notes)))),
        contents: Contents::Values,
        validation: Validation { outputs, ..host.validation },
        keeper: host.keeper.as_ref().map(Keeper::without_counting),
        learner: None,
        reshape: None,
        ..host.clone()
    };
    let tools = execution.tools.iter().map(held).collect();
    let globals = match see_globals(&host, &execution).await {
        Ok(globals) => globals,
        Err(failure) => return Plan::failed(failure),
    };
    let execution = Execution { durability: Durability::Nothing, session: None, globals, tools, ..execution };
    let id = execution.id.clone();
    let outcome = execute(&host, execution, cancelled).await;
    let outcome = outcome.unwrap_or_else(|error| Outcome::refused(id, error.into()));
    planned(outcome, std::mem::take(&mut *notes.lock()))
}

/// Returns the tool with a function that answers with stand-ins unless the tool only reads.
fn holding_back(tool: &Tool, notes: &Arc<Notes>) -> Tool {
    let (notes, reads) = (Arc::clone(notes), tool.only_reads());
    let schema = tool.output_schema_text().or_else(|| tool.observed_schema()).cloned();
    tool.clone().around(move |call, next| {
        let seq = call.context.seq;
        let is_asked_about = notes.lock().approvals.contains_key(&seq);
        if reads && !is_asked_about {
            notes.lock().made.insert(seq);
            return next(call);
        }
        let answer = match &schema {
            Some(schema) => stand_in(schema, &seq.to_string()),
            None => Value::Object(Map::new()),
        };
        notes.lock().held.insert(seq, Held { is_declared: schema.is_some(), has_answered: false });
        ready(Ok(answer)).boxed()
    })
}

/// The events of a plan.
#[derive(Default)]
struct Notes(Mutex<Noted>);

#[derive(Default)]
struct Noted {
    calls: Vec<PlannedCall>,
    /// The calls that need approval, with the reason.
    approvals: BTreeMap<CallSeq, String>,
    held: BTreeMap<CallSeq, Held>,
    made: BTreeSet<CallSeq>,
    /// The calls that have an answer.
    settled: BTreeMap<CallSeq, Option<Failure>>,
    /// The calls that were made, and whose result does not fit the output schema.
    mismatched: BTreeSet<CallSeq>,
    /// Whether the program may have seen a stand-in.
    is_uncertain: bool,
}

struct Held {
    /// Whether the shape of the result is known.
    is_declared: bool,
    has_answered: bool,
}

impl Notes {
    fn lock(&self) -> MutexGuard<'_, Noted> {
        // Every change is complete before the lock is released.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Approves every call, and notes that it needed approval.
struct Yes(Arc<Notes>);

impl Approver for Yes {
    fn name(&self) -> &'static str {
        "isobox:plan"
    }

    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        self.0.lock().approvals.insert(request.seq, request.why);
        ready(Approval::Approved).boxed()
    }
}

/// Notes the calls of a plan.
struct Watcher(Arc<Notes>);

impl Observer for Watcher {
    fn observe(&self, event: &Event) {
        let mut noted = self.0.lock();
        match &event.kind {
            EventKind::CallIssued { seq, path, input } => {
                let certain = !noted.is_uncertain;
                noted.calls.push(PlannedCall {
                    seq: *seq,
                    path: path.clone(),
                    input: input.value.clone().unwrap_or_default(),
                    done: PlannedDone::Open,
                    approval: None,
                    certain,
                    error: None,
                });
            }
            EventKind::CallSettled { seq, result, .. } => {
                noted.settled.insert(*seq, result.as_ref().err().map(|failed| failed.failure.clone()));
                if let Some(held) = noted.held.get_mut(seq) {
                    held.has_answered = true;
                    noted.is_uncertain = true;
                }
            }
            EventKind::OutputMismatched { seq, .. } if !noted.held.contains_key(seq) => {
                noted.mismatched.insert(*seq);
            }
            _ => {}
        }
    }
}

/// Makes the plan of what was noted.
fn planned(outcome: Outcome, noted: Noted) -> Plan {
    let Noted { calls, mut approvals, held, made, mut settled, mismatched, .. } = noted;
    let answered = |call: PlannedCall| {
        let (seq, error) = (call.seq, settled.remove(&call.seq));
        let done = match &error {
            _ if held.contains_key(&seq) => PlannedDone::Held,
            _ if made.contains(&seq) => PlannedDone::Made,
            // A snippet that has failed has told so in its failure.
            Some(failure) if call.path == RUN && failure.as_ref().is_none_or(is_of_snippet) => PlannedDone::Ran,
            Some(Some(_)) => PlannedDone::Refused,
            // Searches and steps are answered by Isobox itself.
            Some(None) => return None,
            None => PlannedDone::Open,
        };
        Some(PlannedCall { done, approval: approvals.remove(&seq), error: error.flatten(), ..call })
    };
    let calls: Vec<PlannedCall> = calls.into_iter().filter_map(answered).collect();
    let facts = outcome.facts().clone();
    let (end, logs, duration_ms) = match outcome {
        Outcome::Completed(completed) => (PlannedEnd::Result(completed.result), completed.logs, completed.duration_ms),
        Outcome::Failed(failed) => (PlannedEnd::Error(failed.error), failed.logs, failed.duration_ms),
        Outcome::Interrupted(interrupted) => {
            (PlannedEnd::Error(interrupted.error), interrupted.logs, interrupted.duration_ms)
        }
        // Nothing is durable, so that nothing pauses.
        Outcome::Paused(_) | Outcome::Sleeping(_) | Outcome::RolledBack(_) => {
            (PlannedEnd::Result(Value::Null), Vec::new(), 0)
        }
    };
    let uncertain = uncertainties(&calls, &held, &mismatched, &end);
    Plan { status: STATUS, calls, end, uncertain, logs, facts, duration_ms }
}

/// Tells whether this is the failure of a snippet that ran.
fn is_of_snippet(failure: &Failure) -> bool {
    failure.details.contains_key("snippet")
}

fn uncertainties(
    calls: &[PlannedCall],
    held: &BTreeMap<CallSeq, Held>,
    mismatched: &BTreeSet<CallSeq>,
    end: &PlannedEnd,
) -> Vec<String> {
    let mut sentences = Vec::new();
    for call in calls {
        let (seq, path) = (call.seq, brief(&call.path, 80));
        if held.get(&seq).is_some_and(|held| held.has_answered && !held.is_declared) {
            sentences.push(format!(
                "the result of `{path}` (call {seq}) has no declared type: the program got `{{}}` in its place"
            ));
        }
        if mismatched.contains(&seq) {
            sentences.push(format!(
                "the result of `{path}` (call {seq}) does not fit its output schema: a real run may fail there"
            ));
        }
        if call.done == PlannedDone::Open {
            sentences.push(format!("the program ended before `{path}` (call {seq}) was answered"));
        }
    }
    let more = sentences.len().saturating_sub(MAX_UNCERTAIN);
    sentences.truncate(MAX_UNCERTAIN);
    if more > 0 {
        sentences.push(format!("{more} more calls are not certain for such reasons"));
    }
    if calls.iter().any(|call| !call.certain) {
        let depend = "calls after the first stand-in may depend on it: a real run may make others, with other inputs";
        sentences.push(depend.to_owned());
    }
    if calls.iter().any(|call| call.approval.is_some()) {
        sentences.push("the plan takes for granted that every call is approved".to_owned());
    }
    if calls.iter().any(|call| call.done == PlannedDone::Made) {
        sentences.push(
            "the tools that only read were called now: their results may be others when the program runs".to_owned(),
        );
    }
    if held.values().any(|held| held.has_answered) {
        sentences.push(match end {
            PlannedEnd::Result(_) => "the result is made with stand-ins".to_owned(),
            PlannedEnd::Error(_) => {
                "the program failed after it had got stand-ins: with real results it may go on".to_owned()
            }
        });
    }
    sentences
}

impl Plan {
    /// Returns the plan of a program that was not run at all.
    pub fn failed(failure: Failure) -> Self {
        let end = PlannedEnd::Error(failure);
        let (calls, uncertain, logs, facts) = (Vec::new(), Vec::new(), Vec::new(), Facts::new());
        Self { status: STATUS, calls, end, uncertain, logs, facts, duration_ms: 0 }
    }

    /// Tells whether the program would fail.
    pub fn is_failed(&self) -> bool {
        matches!(self.end, PlannedEnd::Error(_))
    }

    /// Returns the plan as text, a line for each call. Inputs are cut, and calls that do not fit into this many characters are
    /// counted.
    pub fn in_words(&self, characters: usize) -> String {
        let mut lines = vec![match self.calls.len() {
            0 => "The program calls no tool.".to_owned(),
            1 => "The program would make 1 call:".to_owned(),
            count => format!("The program would make {count} calls:"),
        }];
        let mut left = characters;
        for (place, call) in self.calls.iter().enumerate() {
            let line = call.in_words();
            match left.checked_sub(line.len()) {
                Some(rest) => left = rest,
                None => {
                    lines.push(format!("  and {} more", self.calls.len() - place));
                    break;
                }
            }
            lines.push(line);
        }
        lines.push(match &self.end {
            PlannedEnd::Result(value) => format!("It would return {}", brief(&value.to_string(), MAX_SHOWN)),
            PlannedEnd::Error(error) => format!("It would fail: {}", brief(&error.to_string(), MAX_SHOWN)),
        });
        if !self.uncertain.is_empty() {
            lines.push("Not certain:".to_owned());
            lines.extend(self.uncertain.iter().map(|sentence| format!("  - {sentence}")));
        }
        lines.join("\n")
    }
}

impl PlannedCall {
    fn in_words(&self) -> String {
        let mark = if self.certain { ' ' } else { '~' };
        let (seq, path) = (self.seq.to_string(), brief(&self.path, 80));
        let input = brief(&self.input.to_string(), MAX_SHOWN);
        let mut done = match self.done {
            PlannedDone::Made => "made, it only reads",
            PlannedDone::Held => "held back",
            PlannedDone::Ran => "run with its effects held back",
            PlannedDone::Refused => "refused",
            PlannedDone::Open => "not answered",
        }
        .to_owned();
        if let Some(why) = &self.approval {
            done.push_str(&format!("; needs approval: {}", brief(why, 160)));
        }
        if let Some(error) = &self.error {
            done.push_str(&format!("; {}", brief(&error.to_string(), 160)));
        }
        format!(" {mark}{seq:<4} {path} {input}  [{done}]")
    }
}
