//! IDs of executions.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::text::brief;

/// The ID of an execution: `exec_` and 44 lower-case hexadecimal digits.
///
/// A caller that chooses the ID creates it with [`ExecutionId::new`] and keeps it for retries, or parses a text of
/// exactly this form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct ExecutionId(Arc<str>);

impl ExecutionId {
    /// Creates an ID that sorts by time and is as unique as the number is random. Only the last 48 bits of the
    /// milliseconds count.
    pub fn new(milliseconds: u64, random: u128) -> Self {
        let milliseconds = milliseconds & 0xffff_ffff_ffff;
        Self(format!("exec_{milliseconds:012x}{random:032x}").into())
    }

    /// Returns the ID as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that is not the ID of an execution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the ID of an execution, which is `exec_` and 44 hexadecimal digits")]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_that_is_made_is_one_that_is_read() {
        for (milliseconds, random) in [(0, 0), (1_800_000_000_000, 7), (u64::MAX, u128::MAX)] {
            let id = ExecutionId::new(milliseconds, random);
            assert_eq!(id.as_str().parse(), Ok(id));
        }
    }

    #[test]
    fn nothing_else_is_the_name_of_an_execution() {
        let digits = "0".repeat(44);
        let texts = [
            String::new(),
            "order-17".to_owned(),
            digits.clone(),
            format!("exec_{digits}0"),
            format!("exec_{}", &digits[1..]),
            format!("exec_{}A", &digits[1..]),
            format!("exec_{}/", &digits[1..]),
            format!("exec_{}é", &digits[2..]),
            format!(" exec_{digits}"),
            format!("EXEC_{digits}"),
        ];
        for text in texts {
            assert!(text.parse::<ExecutionId>().is_err(), "{text}");
            assert!(serde_json::from_value::<ExecutionId>(text.into()).is_err());
        }
    }
}
