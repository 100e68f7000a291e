//! What a case says about the times at which its execution rests: what waits then, and what is decided.

use std::collections::BTreeMap;
use std::time::Duration;

use isobox::journal::{Remember, ResumedFrom, Verdict};
use isobox::limits::parse_duration;
use isobox::{CallSeq, ExecutionId, Failure, Isobox, Value};
use serde::Deserialize;

/// How far an execution comes in one go, and what somebody says to it then.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Pass {
    /// `[seq, path, kind]` of every call that waits when the execution rests.
    #[serde(default)]
    pub pending: Vec<(CallSeq, String, String)>,
    /// What those of them ask for that need something from outside, as JSON.
    #[serde(default)]
    pub payloads: Vec<String>,
    /// What a person is shown of their inputs, as JSON; compared only if it is given.
    pub inputs: Option<Vec<String>>,
    /// `[path, state]` of every call at that time; compared only if it is given.
    pub calls: Option<Vec<(String, String)>>,
    /// The process dies instead, in a call of `spec.crash`, and nobody is asked anything.
    #[serde(default)]
    pub crash: bool,
    /// How long nobody says anything; not at all by default.
    pub takes: Option<String>,
    /// The calls that may be made.
    pub approve: Option<Which>,
    /// The calls that must not be made.
    pub deny: Option<Which>,
    /// What calls need from outside, as JSON, by their numbers.
    #[serde(default)]
    pub resolve: BTreeMap<CallSeq, String>,
    /// What came of calls that are in doubt, as JSON, by their numbers.
    #[serde(default)]
    pub happened: BTreeMap<CallSeq, String>,
    /// The calls in doubt that have not happened.
    pub did_not_happen: Option<Which>,
    /// The calls in doubt that fail, whether they have happened or not.
    pub fail: Option<Which>,
    /// The execution ends here, because a person refuses what it wants to do or because it is no longer wanted.
    pub end: Option<End>,
    /// Why something is denied, fails or ends.
    pub reason: Option<String>,
    /// For what else the decisions hold.
    #[serde(default)]
    pub remember: Remember,
    /// How the program is brought back where nothing is wrong with what was stored: from its memory, unless this says
    /// otherwise.
    pub resumes_from: Option<ResumedFrom>,
}

/// How a person ends an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "it says it itself")]
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

/// Some of the calls that wait.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Which {
    /// `"all"`.
    All(All),
    /// Those with these numbers.
    Calls(Vec<CallSeq>),
}

/// The word for all of them.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "it says it itself")]
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
    /// What is decided about a call, if anything is.
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

    /// The verdict about everything that waits, where there is one.
    pub fn verdict_about_all(&self) -> Option<Verdict> {
        match (&self.approve, &self.deny) {
            (Some(Which::All(All::All)), _) => Some(Verdict::Approve),
            (_, Some(Which::All(All::All))) => Some(Verdict::Deny(self.reason.clone())),
            _ => None,
        }
    }

    /// How long nobody says anything.
    pub(crate) fn takes(&self) -> Result<Duration, String> {
        let takes = self.takes.as_deref().map_or(Ok(Duration::ZERO), parse_duration);
        takes.map_err(|error| error.to_string())
    }

    /// What cannot be meant.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.crash != self.pending.is_empty() {
            return Err("a pass ends in a crash, or with calls that are pending".to_owned());
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
        if decided == 0 && self.end.is_none() && !self.crash {
            return Err("a pass decides nothing".to_owned());
        }
        Ok(())
    }
}

fn parse(json: &str) -> Result<Value, String> {
    serde_json::from_str(json).map_err(|error| format!("`{json}` is not JSON: {error}"))
}
