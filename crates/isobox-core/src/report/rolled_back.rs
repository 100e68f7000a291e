//! The outcome of a rollback.

use serde::{Deserialize, Serialize};

use crate::journal::{JournalState, LastRollback, LeftApplied};
use crate::report::call_record::{CallRecord, CallState};
use crate::text::brief;
use crate::{CallSeq, Code, ExecutionId, Facts, Failure, Log};

/// Calls of an execution, which had ended, were reverted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RolledBack {
    /// The ID of the execution.
    pub execution_id: ExecutionId,
    /// The step after which calls were reverted. None if all calls were.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to: Option<String>,
    /// The calls that this rollback and earlier ones have reverted, in the order in which they were made.
    pub reverted: Vec<CallSeq>,
    /// Those of them that earlier rollbacks have reverted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reverted_before: Vec<CallSeq>,
    /// The calls whose revert failed or was not made. A further rollback tries them again.
    pub failed: Vec<FailedRevert>,
    /// The calls that cannot be reverted.
    pub left: Vec<LeftApplied>,
    /// The reason why the rollback stopped early, if it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<Failure>,
    /// The log messages of the program.
    pub logs: Vec<Log>,
    /// The facts that the program recorded.
    #[serde(skip_serializing_if = "Facts::is_empty", default)]
    pub facts: Facts,
    /// The calls of the program and of its rollbacks.
    pub calls: Vec<CallRecord>,
    /// The duration in milliseconds, including that of the program.
    pub duration_ms: u64,
}

/// A call whose revert failed or was not made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FailedRevert {
    /// The number of the call.
    pub seq: CallSeq,
    /// The path of its tool.
    pub path: String,
    /// The failure of its revert. None if the revert was not made, or if it is unknown whether it took effect.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<Failure>,
}

impl RolledBack {
    /// Returns the result of the last rollback of an execution. None if there was none.
    pub(crate) fn of(execution_id: &ExecutionId, state: &JournalState, error: Option<Failure>) -> Option<Self> {
        let LastRollback { plan, .. } = &**state.rollback.as_ref()?;
        let calls = state.records();
        // They are in the order of their numbers.
        let place_of = |seq: CallSeq| calls.binary_search_by_key(&seq, |call| call.seq).ok();
        let path_of = |seq: CallSeq| place_of(seq).map(|place| calls[place].path.clone());
        let failed = state.failed_reverts(&calls).into_iter().map(|(seq, error)| FailedRevert {
            seq,
            path: path_of(seq).unwrap_or_default(),
            error: error.cloned(),
        });
        let reverted = calls.iter().filter(|call| call.state == CallState::Reverted).map(|call| call.seq);
        let reverted: Vec<CallSeq> = reverted.collect();
        // A rollback does not plan what is reverted already.
        let is_planned = |seq: &CallSeq| plan.reverts.iter().any(|revert| revert.seq == *seq);
        Some(Self {
            execution_id: execution_id.clone(),
            to: plan.to.clone(),
            reverted_before: reverted.iter().copied().filter(|seq| !is_planned(seq)).collect(),
            reverted,
            failed: failed.collect(),
            left: plan.left.clone(),
            error,
            logs: state.logs.clone(),
            facts: state.facts.clone(),
            duration_ms: state.ended.as_ref().map_or(0, |ended| ended.duration),
            calls,
        })
    }

    /// Describes the rollback, in one line per call that is not reverted.
    pub fn in_words(&self) -> String {
        let count = |count: usize| match count {
            0 => "no calls were".to_owned(),
            1 => "1 call was".to_owned(),
            count => format!("{count} calls were"),
        };
        let after = self.to.as_ref().map(|step| format!(" after step `{}`", brief(step, 80))).unwrap_or_default();
        let now = self.reverted.len().saturating_sub(self.reverted_before.len());
        let before = match self.reverted_before.len() {
            0 => String::new(),
            before => format!(" ({} reverted before)", count(before)),
        };
        let mut lines = vec![format!("{} reverted{after}{before}", count(now))];
        lines.extend(self.error.iter().map(|error| format!("the rollback stopped: {}", error.message)));
        for FailedRevert { seq, path, error } in &self.failed {
            let why = error.as_ref().map_or("its revert was not completed", |error| &error.message);
            lines.push(format!("not reverted: call {seq} (`{path}`): {why}"));
        }
        for LeftApplied { seq, path, reason, .. } in &self.left {
            lines.push(format!("left applied: call {seq} (`{path}`): {reason}"));
        }
        lines.join("\n")
    }

    /// Describes the rollback as a failure, for callers that expect the result of the program.
    pub(crate) fn as_failure(&self) -> Failure {
        if self.reverted.is_empty()
            && let Some(error) = &self.error
        {
            return error.clone();
        }
        let (reverted, failed) = (self.reverted.len(), self.failed.len());
        if failed == 0 {
            return Failure::new(
                Code::Rejected,
                format!("the execution was rolled back: {reverted} calls were reverted"),
            );
        }
        let first = &self.failed[0];
        let why = match &first.error {
            Some(error) => error.message.as_str(),
            None => "its revert was not made",
        };
        let message = format!(
            "{reverted} calls were reverted, and {failed} were not: call {} (`{}`): {why}",
            first.seq, first.path
        );
        Failure::new(Code::Tool, message).hint("roll the execution back again to retry the reverts that failed")
    }
}
