//! The amount of content in events and traces.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::present;

/// A value that was passed between program and host.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Its size in bytes of JSON. None with [`Contents::Nothing`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes: Option<usize>,
    /// The value, without the parts that the policy redacts. Only with [`Contents::Values`].
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub value: Option<Value>,
}

/// The amount of content in events and traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Contents {
    /// Nothing.
    Nothing,
    /// Only sizes.
    #[default]
    Sizes,
    /// Sizes, and the progress reports of calls, without the parts that the policy redacts.
    Progress,
    /// Sizes and values, without the parts that the policy redacts.
    Values,
}
