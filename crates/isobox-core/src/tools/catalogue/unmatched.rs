//! What names tools that are not there: a typing error in a rule would otherwise let calls through in silence.

use super::Catalogue;
use crate::policy::{PathPattern, Policy, ToolNames};
use crate::text::shorten;
use crate::{Code, Failure, Tool};

/// Something that names tools of which none is there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmatched {
    /// What names which tools, and what may be meant.
    pub message: String,
    /// Whether it may be about tools that are not there now: their connector is absent.
    pub may_be_absent: bool,
}

/// Whether something that names no tool is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// It is a warning.
    #[default]
    Lenient,
    /// It is an error, unless it may be about tools of a connector that is absent.
    Strict,
}

/// A connector whose tools are not there.
#[derive(Debug, Clone)]
pub(super) struct Absent {
    /// As it is configured.
    pub(super) name: String,
    /// What the names of its tools start with, each followed by a dot, and paths that its tools are renamed to.
    pub(super) starts: Vec<String>,
    pub(super) why: Absence,
}

/// Why the tools of a connector are not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absence {
    /// It did not start.
    Down,
    /// The host does without it.
    Disabled,
}

/// The most that are worded; the others are counted.
const MAX_WORDED: usize = 20;

impl Catalogue {
    /// Checks that rules and settings name tools that are there, and gives a warning about each that does not.
    ///
    /// # Errors
    ///
    /// `CONFIG` where that is to be strict, and something names no tool.
    pub fn check_names(&self, policy: &Policy, strictness: Strictness) -> Result<Vec<String>, Failure> {
        let unmatched = self.unmatched(policy);
        if strictness == Strictness::Strict {
            let wrong: Vec<&str> =
                unmatched.iter().filter(|one| !one.may_be_absent).map(|one| one.message.as_str()).collect();
            if !wrong.is_empty() {
                return Err(Failure::new(Code::Config, wrong.join("; "))
                    .hint("correct the names; without `strict` these are warnings"));
            }
        }
        Ok(unmatched.into_iter().map(|one| one.message).collect())
    }

    /// The patterns of rules that match no tool, and settings for tools that no connector offers.
    pub fn unmatched(&self, policy: &Policy) -> Vec<Unmatched> {
        let settings = self.unused_settings.iter().filter_map(|path| self.unused(path));
        let patterns = policy.rules().iter().enumerate().flat_map(|(index, rule)| {
            let owner = format!("rule {} of the policy", index + 1);
            rule.tools.iter().filter_map(move |pattern| self.unmatched_pattern(&owner, pattern))
        });
        let mut found: Vec<Unmatched> = settings.chain(patterns).take(MAX_WORDED + 1).collect();
        if found.len() > MAX_WORDED {
            found.truncate(MAX_WORDED);
            let message = "more rules and settings name no tool".to_owned();
            found.push(Unmatched { message, may_be_absent: true });
        }
        found
    }

    /// What to say of a pattern that matches no tool; `owner` is what has the pattern: `--approve`.
    pub fn unmatched_pattern(&self, owner: &str, pattern: &PathPattern) -> Option<Unmatched> {
        if self.iter().any(|tool| pattern.matches_any(tool.names())) {
            return None;
        }
        let shown = shorten(pattern.as_str(), 80);
        let absent = self.absent.iter().find(|absent| absent.may_have(pattern));
        let (end, may_be_absent) = match absent {
            Some(Absent { why: Absence::Disabled, .. }) => return None,
            Some(Absent { name, why: Absence::Down, .. }) => {
                (format!(" now; it may be about `{}`, which has not started", shorten(name, 80)), true)
            }
            None => (self.nearest_name(pattern.as_str()), false),
        };
        Some(Unmatched { message: format!("{owner}: `{shown}` matches no tool{end}"), may_be_absent })
    }

    fn unused(&self, path: &str) -> Option<Unmatched> {
        let pattern: PathPattern = path.parse().ok()?;
        let shown = shorten(path, 80);
        if let Some(tool) = self.iter().find(|tool| pattern.matches_any(tool.names())) {
            let path = tool.path();
            let message = if tool.is_offered() {
                format!("what is configured for the tool `{shown}` is not used: `{path}` is configured by another name")
            } else {
                format!(
                    "something is configured for the tool `{shown}`, but no connector offers it: it is the host's own"
                )
            };
            return Some(Unmatched { message, may_be_absent: false });
        }
        // Its connector is absent, which is said already.
        if self.absent.iter().any(|absent| absent.may_have(&pattern)) {
            return None;
        }
        let nearest = self.nearest_name(path);
        let message = format!("something is configured for the tool `{shown}`, but no connector offers it{nearest}");
        Some(Unmatched { message, may_be_absent: false })
    }

    /// `; did you mean …?` with the name of a tool that is nearest to what was written, or nothing.
    fn nearest_name(&self, written: &str) -> String {
        const LIKE: f64 = 0.75;
        /// Nobody means a tool with more than this, and comparing takes its time.
        const MAX_LENGTH: usize = 100;
        if written.len() > MAX_LENGTH {
            return String::new();
        }
        let below = self.namespaces.keys().map(|root| format!("{root}.*")).filter(|_| written.contains('*'));
        let names = self.iter().flat_map(|tool| tool.names().all()).map(str::to_owned);
        let short = below.chain(names).filter(|name| name.len() <= MAX_LENGTH);
        let scored = short.map(|name| (strsim::jaro_winkler(written, &name), name)).filter(|(score, _)| *score >= LIKE);
        let nearest = scored.max_by(|one, other| one.0.total_cmp(&other.0).then_with(|| other.1.cmp(&one.1)));
        nearest.map(|(_, name)| format!("; did you mean `{name}`?")).unwrap_or_default()
    }

    /// The names of the tool at a path; only the path where there is none.
    pub fn names<'a>(&'a self, path: &'a str) -> ToolNames<'a> {
        self.get(path).map_or_else(|| path.into(), Tool::names)
    }
}

impl Absent {
    fn may_have(&self, pattern: &PathPattern) -> bool {
        self.starts.iter().any(|start| pattern.may_match_below(start))
    }
}
