//! Patterns that select the tools of a rule.

use std::fmt;
use std::str::FromStr;

use super::ToolNames;
use crate::{Code, Failure};

/// A pattern for the names of tools: `*` stands for any text, dots included, so that `pay.*` is everything below `pay`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern(String);

impl PathPattern {
    /// The maximum length of a pattern, in bytes. No name of a tool is longer.
    pub const MAX_LENGTH: usize = 1_200;

    /// Tells whether a name matches.
    pub fn matches(&self, path: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = path.strip_prefix(first) else { return false };
        let Some(last) = parts.next_back() else { return rest.is_empty() };
        for part in parts {
            let Some(at) = rest.find(part) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last)
    }

    /// Tells whether any of a tool's names matches.
    pub fn matches_any(&self, names: ToolNames<'_>) -> bool {
        names.all().any(|name| self.matches(name))
    }

    /// Tells whether a name with this start can match.
    pub(crate) fn may_match_below(&self, start: &str) -> bool {
        match self.0.split_once('*') {
            Some((literal, _)) => literal.starts_with(start) || start.starts_with(literal),
            None => self.0.starts_with(start),
        }
    }

    /// Returns the pattern as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PathPattern {
    type Err = Failure;

    fn from_str(pattern: &str) -> Result<Self, Failure> {
        let is_wildcard = |character: char| "?{}[]!,".contains(character);
        let reason = if pattern.is_empty() {
            "it is empty; `*` stands for every tool"
        } else if pattern.len() > Self::MAX_LENGTH {
            "it is too long"
        } else if pattern.contains(is_wildcard) {
            "`*` is the only wildcard; write a list for several patterns"
        } else if pattern.trim() != pattern || pattern.contains(char::is_control) {
            "it has white space around it or control characters in it"
        } else {
            return Ok(Self(pattern.to_owned()));
        };
        let pattern = crate::text::brief(pattern, 80);
        Err(Failure::new(Code::Config, format!("`{pattern}` is not a pattern for tool names: {reason}")))
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text_dots_included() {
        let fits = |pattern: &str, path: &str| pattern.parse::<PathPattern>().expect("a pattern").matches(path);
        for (pattern, path, expected) in [
            ("pay.charge", "pay.charge", true),
            ("pay.charge", "pay.charges", false),
            ("pay.*", "pay.charge", true),
            ("pay.*", "pay.cards.charge", true),
            ("pay.*", "pay", false),
            ("pay.*", "prepay.charge", false),
            ("github.*.delete*", "github.issues.delete_all", true),
            ("github.*.delete*", "github.issues.comments.delete", true),
            ("github.*.delete*", "github.delete", false),
            ("*", "anything.at.all", true),
            ("*.delete", "a.delete", true),
            ("*.delete", "a.delete.b", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("a*b*c", "a.b.b.c", true),
            ("a**c", "abc", true),
            ("git hub.create-*", "git hub.create-issue", true),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} and {path}");
        }
    }

    #[test]
    fn what_could_never_fit_is_refused() {
        for pattern in ["", "pay.{a,b}", "pay?", "pay.a, pay.b", " pay.*", "!pay.*", "pay\n", &"a".repeat(1_300)] {
            assert_eq!(pattern.parse::<PathPattern>().expect_err("no pattern").code, Code::Config, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_knows_what_it_can_match_below_a_name() {
        for (pattern, start, expected) in [
            ("mail.*", "mail.", true),
            ("mail.send", "mail.", true),
            ("ma*", "mail.", true),
            ("*", "mail.", true),
            ("mailbox.*", "mail.", false),
            ("pay.*", "mail.", false),
            ("mail", "mail.", false),
        ] {
            let parsed: PathPattern = pattern.parse().expect("a pattern");
            assert_eq!(parsed.may_match_below(start), expected, "{pattern} and {start}");
        }
    }
}
