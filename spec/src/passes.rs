//! The passes of a case: the pending calls at each pause, and the decisions about them.

use std::collections::BTreeMap;
use std::time::Duration;

use isobox::journal::{Remember, ResumedFrom, Verdict};
use isobox::limits::parse_duration;
use isobox::{CallSeq, ExecutionId, Failure, Isobox, PendingCall, Value};
use serde::Deserialize;

/// The state of an execution at a pause, and the decisions that follow.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Pass {
    /// `[seq, path, kind]` of every pending call.
    #[serde(default)]
    pub pending: Vec<(CallSeq, String, String)>,
    /// The requests of calls that need an answer, as JSON.
    #[serde(default)]
    pub payloads: Vec<String>,
    /// The inputs as a person sees them, as JSON; compared only if given.
    pub inputs: Option<Vec<String>>,
    /// `[path, state]` of every call at that time; compared only if given.
    pub calls: Option<Vec<(String, String)>>,
    /// The process dies instead, in a call of `spec.crash`, and nothing is asked.
    #[serde(default)]
    pub crash: bool,
    /// The execution waits for a timer, alone or beside the pending calls. If nothing is decided, the timer is waited for.
    #[serde(default)]
    pub sleeps: bool,
    /// The delay before the decisions; zero by default.
    pub takes: Option<String>,
    /// The calls to approve.
    pub approve: Option<Which>,
    /// The calls to deny.
    pub deny: Option<Which>,
    /// The answers to calls, as JSON, by their numbers.
    #[serde(default)]
    pub resolve: BTreeMap<CallSeq, String>,
    /// The results of calls in doubt that happened, as JSON, by their numbers.
    #[serde(default)]
    pub happened: BTreeMap<CallSeq, String>,
    /// The calls in doubt that did not happen.
    pub did_not_happen: Option<Which>,
    /// The calls in doubt to fail, whether they happened or not.
    pub fail: Option<Which>,
    /// Ends the execution here: its calls are refused, or it is no longer needed.
    pub end: Option<End>,
    /// The reason for a denial, a failure or the end.
    pub reason: Option<String>,
    /// The scope in which the decisions are remembered.
    #[serde(default)]
    pub remember: Remember,
    /// The state that the program is resumed from if the stored state is intact; its snapshot by default.
    pub resumes_from: Option<ResumedFrom>,
}

/// How a person ends an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum End {
    Reject,
    Cancel,
}

impl End {
    /// Ends an execution.
    pub(crate) async fn say(self, isobox: &Isobox, id: &ExecutionId, reason: Option<&str>) -> Result<(), Failure> {
        match self {
            Self::Reject => isobox.reject(id, "ada", reason).await,
            Self::Cancel => isobox.cancel(id, "ada", reason).await,
        }
    }
}

/// Some of the pending calls.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Which {
    /// `"all"`.
    All(All),
    /// The calls with these numbers.
    Calls(Vec<CallSeq>),
}

/// The word for all pending calls.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum All {
    All,
}

impl Which {
    fn has(&self, seq: CallSeq) -> bool {
        match self {
            Self::All(All::All) => true,
            Self::Calls(calls) => calls.contains(&seq),
        }
    }
}

impl Pass {
    /// Returns the verdict about a call, if there is one.
    pub fn verdict(&self, seq: CallSeq) -> Result<Option<Verdict>, String> {
        let has = |which: &Option<Which>| which.as_ref().is_some_and(|which| which.has(seq));
        let value = |values: &BTreeMap<CallSeq, String>| values.get(&seq).map(|json| parse(json)).transpose();
        let verdicts = [
            has(&self.approve).then_some(Verdict::Approve),
            has(&self.deny).then(|| Verdict::Deny(self.reason.clone())),
            value(&self.resolve)?.map(Verdict::Answer),
            value(&self.happened)?.map(Verdict::Happened),
            has(&self.did_not_happen).then_some(Verdict::DidNotHappen),
            has(&self.fail).then(|| Verdict::Fail(self.reason.clone())),
        ];
        Ok(verdicts.into_iter().flatten().next())
    }

    /// Returns the verdict about all pending calls, if there is one.
    pub fn verdict_about_all(&self) -> Option<Verdict> {
        match (&self.approve, &self.deny) {
            (Some(Which::All(All::All)), _) => Some(Verdict::Approve),
            (_, Some(Which::All(All::All))) => Some(Verdict::Deny(self.reason.clone())),
            _ => None,
        }
    }

    /// Tells whether the pass decides about one of these calls, or ends the execution.
    pub(crate) fn decides(&self, pending: &[PendingCall]) -> bool {
        self.end.is_some() || pending.iter().any(|call| matches!(self.verdict(call.seq), Ok(Some(_))))
    }

    /// Returns the delay before the decisions.
    pub(crate) fn takes(&self) -> Result<Duration, String> {
        let takes = self.takes.as_deref().map_or(Ok(Duration::ZERO), parse_duration);
        takes.map_err(|error| error.to_string())
    }

    /// Checks that the pass is consistent.
    pub(crate) fn check(&self) -> Result<(), String> {
        if (self.crash || (self.sleeps && self.pending.is_empty())) != self.pending.is_empty() {
            return Err("a pass ends in a crash, asleep, or with calls that are pending".to_owned());
        }
        let mut decided = 0;
        for (seq, ..) in &self.pending {
            decided += usize::from(self.verdict(*seq)?.is_some());
        }
        let lists = [&self.approve, &self.deny, &self.did_not_happen, &self.fail];
        let named = lists.into_iter().flatten().flat_map(|which| match which {
            Which::All(All::All) => &[],
            Which::Calls(calls) => calls.as_slice(),
        });
        let named = named.chain(self.resolve.keys()).chain(self.happened.keys());
        for seq in named {
            if !self.pending.iter().any(|(pending, ..)| pending == seq) {
                return Err(format!("a pass decides about call {seq}, which is not pending"));
            }
        }
        if decided == 0 && self.end.is_none() && !self.crash && !self.sleeps {
            return Err("a pass decides nothing".to_owned());
        }
        Ok(())
    }
}

fn parse(json: &str) -> Result<Value, String> {
    serde_json::from_str(json).map_err(|error| format!("`{json}` is not JSON: {error}"))
}
