//! How much is told of values that cross the wall.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::present;

/// Something that crossed the wall.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// How large it is, in bytes of JSON; unless the host asked for nothing of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes: Option<usize>,
    /// The value, without what the policy redacts; only where the host asked for contents.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub value: Option<Value>,
}

/// How much of what crosses the wall is told, in events and in traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Contents {
    /// Nothing.
    Nothing,
    /// How large it is.
    #[default]
    Sizes,
    /// The same, but what calls tell on their way is told, without what the policy redacts.
    Progress,
    /// The values as well, without what the policy redacts.
    Values,
}
