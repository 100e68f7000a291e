//! Verdicts about pending calls.

use isobox::journal::{CallDecision, Verdict};
use isobox::{Failure, Value};
use serde::{Deserialize, Deserializer};

use crate::ids::seq_of;

/// Verdicts: one for all pending calls, or one for each named call.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Verdicts {
    All(Word),
    Each(Vec<WrittenVerdict>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct WrittenVerdict {
    seq: String,
    verdict: Word,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    revision: Option<u64>,
    #[serde(default, deserialize_with = "given")]
    value: Option<Value>,
}

/// Reads `null` as a value.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    Approve,
    Deny,
    Answer,
    Happened,
    DidNotHappen,
    Fail,
}

impl Word {
    pub(crate) fn verdict(self, with: Option<(Option<String>, Option<Value>)>) -> Verdict {
        let (reason, value) = with.unwrap_or_default();
        match self {
            Self::Approve => Verdict::Approve,
            Self::Deny => Verdict::Deny(reason),
            Self::Answer => Verdict::Answer(value.unwrap_or_default()),
            Self::Happened => Verdict::Happened(value.unwrap_or_default()),
            Self::DidNotHappen => Verdict::DidNotHappen,
            Self::Fail => Verdict::Fail(reason),
        }
    }
}

pub(crate) fn decision_of(written: WrittenVerdict) -> Result<CallDecision, Failure> {
    let WrittenVerdict { seq, verdict, reason, revision, value } = written;
    let verdict = verdict.verdict(Some((reason.clone(), value)));
    Ok(CallDecision { revision, reason, ..CallDecision::new(seq_of(&seq)?, verdict) })
}
