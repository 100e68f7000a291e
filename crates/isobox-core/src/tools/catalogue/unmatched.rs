//! Finds rules and settings that match no tool. A typing error in a rule would otherwise silently let calls through.

use super::Catalogue;
use crate::policy::{PathPattern, Permission, Policy, Subject, ToolNames};
use crate::snippets::RUN;
use crate::text::{brief, shorten};
use crate::{Code, Failure, Tool};

/// A rule or setting that matches no tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmatched {
    /// The rule or setting, its pattern, and a suggestion.
    pub message: String,
    /// Whether it may match tools of an absent connector.
    pub may_be_absent: bool,
}

/// The treatment of a rule or setting that matches no tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// A warning.
    #[default]
    Lenient,
    /// An error, unless it may match tools of an absent connector.
    Strict,
}

/// A connector whose tools are missing.
#[derive(Debug, Clone)]
pub(super) struct Absent {
    /// Its configured name.
    pub(super) name: String,
    /// The prefixes of its tools' names, each with a dot, and the paths that its tools are renamed to.
    pub(super) starts: Vec<String>,
    pub(super) why: Absence,
}

/// The reason why the tools of a connector are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absence {
    /// The connector did not start.
    Down,
    /// The host has disabled the connector.
    Disabled,
}

/// The maximum number of messages. Further ones are counted.
const MAX_WORDED: usize = 20;

impl Catalogue {
    /// Checks that rules and settings match tools. Returns a warning about each that does not, and about each property in
    /// a rule that no tool has.
    ///
    /// # Errors
    ///
    /// `CONFIG` if the check is strict and something matches no tool.
    pub fn check_names(&self, policy: &Policy, strictness: Strictness) -> Result<Vec<String>, Failure> {
        if strictness == Strictness::Strict {
            // All are judged: an error may come after many that are only warnings.
            let wrong = worded(self.all_unmatched(policy).filter(|one| !one.may_be_absent));
            if !wrong.is_empty() {
                let messages: Vec<String> = wrong.into_iter().map(|one| one.message).collect();
                return Err(Failure::new(Code::Config, messages.join("; "))
                    .hint("correct the names; without `strict` these are warnings"));
            }
        }
        let unmatched = self.unmatched(policy);
        let unknown = self.unknown_parts(policy).take(MAX_WORDED);
        Ok(unmatched.into_iter().map(|one| one.message).chain(unknown).collect())
    }

    /// Returns the patterns of rules that match no tool, and the settings for tools that no connector offers: the first 20,
    /// and a message that there are more.
    pub fn unmatched(&self, policy: &Policy) -> Vec<Unmatched> {
        worded(self.all_unmatched(policy))
    }

    fn all_unmatched(&self, policy: &Policy) -> impl Iterator<Item = Unmatched> {
        let settings = self.unused_settings.iter().filter_map(move |path| self.unused(path));
        let patterns = policy.rules().iter().enumerate().flat_map(move |(index, rule)| {
            let owner = format!("rule {} of the policy", index + 1);
            rule.tools.iter().filter_map(move |pattern| self.unmatched_pattern(&owner, pattern))
        });
        settings.chain(patterns)
    }

    /// Returns a message if a pattern matches no tool. `owner` names the origin of the pattern: `--approve`.
    pub fn unmatched_pattern(&self, owner: &str, pattern: &PathPattern) -> Option<Unmatched> {
        let is_revert = |tool: &Tool| tool.has_own_revert() && pattern.matches(tool.revert_path().as_str());
        if pattern.matches(RUN) || self.iter().any(|tool| pattern.matches_any(tool.names()) || is_revert(tool)) {
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
                format!("the settings for the tool `{shown}` are not used: `{path}` is configured under another name")
            } else {
                format!("there are settings for the tool `{shown}`, but it is the host's own: no connector offers it")
            };
            return Some(Unmatched { message, may_be_absent: false });
        }
        // The absence of its connector is reported already.
        if self.absent.iter().any(|absent| absent.may_have(&pattern)) {
            return None;
        }
        let nearest = self.nearest_name(path);
        let message = format!("something is configured for the tool `{shown}`, but no connector offers it{nearest}");
        Some(Unmatched { message, may_be_absent: false })
    }

    /// Returns `; did you mean …?` with the nearest name of a tool, or nothing.
    fn nearest_name(&self, written: &str) -> String {
        const LIKE: f64 = 0.75;
        /// The maximum length for comparisons, which take time. A longer path is not a typing error.
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

    /// Returns the connector that has not started and that may have a tool at this path.
    pub(crate) fn down_connector(&self, path: &str) -> Option<&str> {
        let has = |absent: &&Absent| absent.starts.iter().any(|start| path.starts_with(start.as_str()));
        self.down().find(has).map(|absent| absent.name.as_str())
    }

    /// Says which connectors have not started, so that their tools are neither found nor described. Leaves out those whose
    /// tools these roles must not see.
    pub fn down_in_words(&self, policy: &Policy, roles: &[String]) -> Option<String> {
        const NAMED: usize = 10;
        let is_hidden = |start: &String| policy.preview(Subject::unknown(start), roles).permission == Permission::Hide;
        let seen = self.down().filter(|absent| !absent.starts.iter().any(is_hidden));
        let mut names: Vec<String> = seen.map(|absent| format!("`{}`", brief(&absent.name, 80))).collect();
        if let Some(more) = names.len().checked_sub(NAMED).filter(|more| *more > 0) {
            names.truncate(NAMED);
            names.push(format!("{more} more"));
        }
        let (last, others) = names.split_last()?;
        Some(match others {
            [] => format!("the server {last} has not started: its tools are not available now"),
            _ => format!(
                "the servers {} and {last} have not started: their tools are not available now",
                others.join(", ")
            ),
        })
    }

    fn down(&self) -> impl Iterator<Item = &Absent> {
        self.absent.iter().filter(|absent| matches!(absent.why, Absence::Down))
    }

    /// Returns the names of the tool at a path, or only the path if there is none.
    pub fn names<'a>(&'a self, path: &'a str) -> ToolNames<'a> {
        self.get(path).map_or_else(|| path.into(), Tool::names)
    }
}

/// Returns the first of these, and a message if there are more.
fn worded(unmatched: impl Iterator<Item = Unmatched>) -> Vec<Unmatched> {
    let mut found: Vec<Unmatched> = unmatched.take(MAX_WORDED + 1).collect();
    if let Some(next) = found.get(MAX_WORDED) {
        let may_be_absent = next.may_be_absent;
        found.truncate(MAX_WORDED);
        found.push(Unmatched { message: "more rules and settings name no tool".to_owned(), may_be_absent });
    }
    found
}

impl Absent {
    pub(super) fn may_have(&self, pattern: &PathPattern) -> bool {
        self.starts.iter().any(|start| pattern.may_match_below(start))
    }
}
