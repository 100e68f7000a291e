//! Names of executions.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::text::brief;

/// The name of an execution.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct ExecutionId(Arc<str>);

impl ExecutionId {
    /// A name that sorts by time and is as unique as the number is random.
    pub fn new(milliseconds: u64, random: u128) -> Self {
        Self(format!("exec_{milliseconds:012x}{random:032x}").into())
    }

    /// The name as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that is not the name of an execution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the name of an execution, which is `exec_` and 44 hexadecimal digits")]
pub struct NotAnExecutionId(String);

impl FromStr for ExecutionId {
    type Err = NotAnExecutionId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match text.strip_prefix("exec_") {
            Some(digits) if digits.len() == 44 && digits.bytes().all(is_digit) => Ok(Self(text.into())),
            _ => Err(NotAnExecutionId(brief(text, 80))),
        }
    }
}

impl TryFrom<String> for ExecutionId {
    type Error = NotAnExecutionId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl Serialize for ExecutionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Display for ExecutionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
