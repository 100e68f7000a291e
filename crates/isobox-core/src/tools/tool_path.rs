//! The paths of tools.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Code, Failure};

/// The path of a tool: identifiers joined by dots.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct ToolPath(String);

/// The end of the paths of reverts.
const REVERTS: &str = ".revert";

impl ToolPath {
    /// The maximum length of a path, in bytes.
    pub const MAX_LENGTH: usize = 512;

    /// Returns the path under which a snippet is found beside tools. None if the name is not an identifier.
    pub(crate) fn of_snippet(name: &str) -> Option<Self> {
        let is_segment = !name.contains('.') && name.parse::<Self>().is_ok();
        is_segment.then(|| Self(format!("{}.{name}", crate::snippets::RUN)))
    }

    /// Returns the path of the reverts of a tool that brings a function for them. It may be longer than a path that can be
    /// chosen.
    pub(crate) fn of_reverts(of: &Self) -> Self {
        Self(format!("{of}{REVERTS}"))
    }

    /// Returns the path of the tool whose reverts would have this path.
    pub(crate) fn reverted(path: &str) -> Option<&str> {
        path.strip_suffix(REVERTS)
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for ToolPath {
    type Err = Failure;

    fn from_str(path: &str) -> Result<Self, Failure> {
        // The program's `tools` object answers these itself, so that it is not a promise and works with operators.
        const RESERVED: [&str; 4] = ["then", "toJSON", "toString", "valueOf"];
        let is_identifier = |segment: &str| {
            let mut characters = segment.chars();
            characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_' || first == '$')
                && characters.all(|character| character.is_ascii_alphanumeric() || character == '_' || character == '$')
        };
        let reason = if path.len() > Self::MAX_LENGTH {
            "it is too long"
        } else if !path.split('.').all(is_identifier) {
            "it has to be identifiers joined by dots"
        } else if path.split('.').any(|segment| RESERVED.contains(&segment)) {
            "`then`, `toJSON`, `toString` and `valueOf` cannot be part of it"
        } else if path == "codemode" || path.starts_with("codemode.") {
            "`codemode` is reserved for Isobox"
        } else {
            return Ok(Self(path.to_owned()));
        };
        let path = crate::text::brief(path, 80);
        Err(Failure::new(Code::Config, format!("`{path}` cannot be the path of a tool: {reason}")))
    }
}

impl TryFrom<String> for ToolPath {
    type Error = Failure;

    fn try_from(path: String) -> Result<Self, Failure> {
        path.parse()
    }
}

impl fmt::Display for ToolPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
