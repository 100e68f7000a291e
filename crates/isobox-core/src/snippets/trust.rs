//! The trust in a snippet, by its successes and failures.

use serde::{Deserialize, Serialize};

use super::Uses;
use crate::{Code, Failure};

/// The trust in a version of a snippet. Policies may ask for approval below a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// A version that has rarely succeeded, or often failed.
    Untrusted,
    /// A version that has succeeded a few times.
    Provisional,
    /// A version that has succeeded often.
    Trusted,
}

impl Trust {
    /// Returns the name of the level.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Untrusted => "untrusted",
            Self::Provisional => "provisional",
            Self::Trusted => "trusted",
        }
    }
}

impl std::fmt::Display for Trust {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// The numbers of successes from which snippets are trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SnippetOptions {
    /// The number of successes from which a version is [`Trust::Provisional`]: 3.
    pub provisional: u32,
    /// The number of successes from which a version is [`Trust::Trusted`]: 10.
    pub trusted: u32,
}

impl SnippetOptions {
    setters! {
        provisional: u32,
        trusted: u32,
    }

    /// Checks that no version is trusted before it is provisional.
    ///
    /// # Errors
    ///
    /// `CONFIG`.
    pub fn check(&self) -> Result<(), Failure> {
        if self.provisional <= self.trusted {
            return Ok(());
        }
        let Self { provisional, trusted } = self;
        let message =
            format!("snippets would be trusted after {trusted} successes, and provisional after {provisional}");
        Err(Failure::new(Code::Config, message).hint("`trusted` has to be at least `provisional`"))
    }

    /// Returns how far a version with these uses is trusted. A failure takes back a success.
    pub fn trust(&self, uses: &Uses) -> Trust {
        let earned = uses.successes.saturating_sub(uses.failures);
        if earned >= self.trusted {
            Trust::Trusted
        } else if earned >= self.provisional {
            Trust::Provisional
        } else {
            Trust::Untrusted
        }
    }
}

impl Default for SnippetOptions {
    fn default() -> Self {
        Self { provisional: 3, trusted: 10 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_follows_from_successes_and_is_lost_by_failures() {
        use Trust::{Provisional, Trusted, Untrusted};
        let options = SnippetOptions::default();
        let trust = |successes, failures| options.trust(&Uses { successes, failures, ..Uses::default() });
        assert_eq!(
            [trust(0, 0), trust(2, 0), trust(3, 0), trust(3, 1)],
            [Untrusted, Untrusted, Provisional, Untrusted]
        );
        assert_eq!([trust(9, 0), trust(10, 0), trust(12, 3)], [Provisional, Trusted, Provisional]);
        assert!(Untrusted < Provisional && Provisional < Trusted);
        assert!(SnippetOptions::default().trusted(2).check().is_err());
    }
}
