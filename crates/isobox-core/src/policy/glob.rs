//! Which tools a rule is about.

use std::fmt;
use std::str::FromStr;

use crate::{Code, Failure};

/// A pattern for the paths of tools: `*` stands for any text, dots included, so that `pay.*` is everything below `pay`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern(String);

impl PathPattern {
    /// Whether a path fits.
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
}

impl FromStr for PathPattern {
    type Err = Failure;

    fn from_str(pattern: &str) -> Result<Self, Failure> {
        const MAX_LENGTH: usize = 512;
        let is_known = |character: char| character.is_ascii_alphanumeric() || "_$.*".contains(character);
        let reason = if pattern.is_empty() {
            "it is empty; `*` stands for every tool"
        } else if pattern.len() > MAX_LENGTH {
            "it is too long"
        } else if !pattern.chars().all(is_known) {
            "paths are identifiers joined by dots, and `*` is the only wildcard"
        } else {
            return Ok(Self(pattern.to_owned()));
        };
        let pattern = crate::text::brief(pattern, 80);
        Err(Failure::new(Code::Config, format!("`{pattern}` is no pattern for the paths of tools: {reason}")))
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
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} and {path}");
        }
    }

    #[test]
    fn what_could_never_fit_is_refused() {
        for pattern in ["", "pay-*", "pay.{a,b}", "pay?", "a b", &"a".repeat(600)] {
            assert_eq!(pattern.parse::<PathPattern>().expect_err("no pattern").code, Code::Config, "{pattern}");
        }
    }
}
