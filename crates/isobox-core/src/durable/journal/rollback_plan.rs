//! The plan of a rollback.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CallSeq, Timestamp};

/// The plan of a rollback. It does not change, even if the configuration does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct RollbackBegun {
    /// The name of the principal that asked for it.
    pub by: String,
    /// The time.
    pub at: Timestamp,
    /// The number of the lease under which the process writes. Two processes that begin a rollback at the same moment do not
    /// write the same, and neither takes the entry of the other for its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lease: Option<u64>,
    /// The step after which calls are reverted. None for all calls.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to: Option<String>,
    /// The number of the first revert. The others follow in order.
    pub first: CallSeq,
    /// The calls to revert, in the order in which they are reverted.
    pub reverts: Vec<PlannedRevert>,
    /// The calls that stay as they are.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub left: Vec<LeftApplied>,
    /// Whether the store was restored from a backup after the execution had ended: the original may have been rolled back
    /// since, so that every revert is in doubt.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub restored: bool,
}

/// A call to revert.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct PlannedRevert {
    /// The number of the call.
    pub seq: CallSeq,
    /// The tool that reverts it.
    pub path: String,
    /// The template of the input for that tool. None if the tool gets input and result of the call.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "crate::json::present")]
    pub input: Option<Value>,
}

/// A call that a rollback leaves as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct LeftApplied {
    /// The number of the call.
    pub seq: CallSeq,
    /// The path of its tool.
    pub path: String,
    /// The reason, in words.
    pub reason: String,
}

impl RollbackBegun {
    /// Tells whether every revert has a number, and reverts another call.
    pub(super) fn is_sound(&self) -> bool {
        let (first, count) = (self.first.of_program(), u32::try_from(self.reverts.len()));
        let has_numbers = first.is_some_and(|first| count.is_ok_and(|count| first.checked_add(count).is_some()));
        let mut reverted = HashSet::new();
        has_numbers && self.reverts.iter().all(|revert| reverted.insert(revert.seq))
    }

    /// Returns the numbers of the reverts, each with the number of the call that it reverts.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (CallSeq, CallSeq)> {
        let first = self.first.number();
        self.reverts.iter().zip(first..).map(|(revert, number)| (CallSeq::new(number), revert.seq))
    }
}
