//! The number of a call, as people and journals write it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of a call or a timer within an execution. Written as text: calls of nested programs will have numbers of
/// several parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSeq(pub u32);

impl fmt::Display for CallSeq {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A text that is not the number of a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the number of a call")]
pub struct NotACallSeq(String);

impl FromStr for CallSeq {
    type Err = NotACallSeq;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_plain = text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = if is_plain { text.parse().ok() } else { None };
        number.map(Self).ok_or_else(|| NotACallSeq(crate::text::brief(text, 40)))
    }
}

impl Serialize for CallSeq {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CallSeq {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
