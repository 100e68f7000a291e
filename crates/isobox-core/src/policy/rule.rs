//! One rule: which tools, for whom, with which inputs, and what then.

use jsonschema::Validator;
use serde_json::Value;

use super::{PathPattern, Subject, Verdict};
use crate::{Code, Failure};

/// One rule of a policy.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The tools that it is about: those that fit any of these.
    pub tools: Vec<PathPattern>,
    /// The callers that it is about: those with any of these roles; all where there is none.
    pub roles: Vec<String>,
    /// The inputs that it is about; all where there is none.
    pub condition: Option<Condition>,
    /// What then.
    pub action: Action,
}

/// What a rule does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// The call may be made.
    Allow,
    /// The call must not be made; a reason that the program may read.
    Deny(Option<String>),
    /// A person has to approve the call.
    RequireApproval {
        /// But not of tools that a trusted connector says to change nothing.
        except_read_only: bool,
    },
    /// For callers without one of the rule's roles the tools do not exist; for the others, the next rules decide.
    OnlyRoles,
    /// So many calls in one execution.
    Rate(u32),
    /// These parts of inputs and results (JSON pointers) are shown to nobody.
    Redact(Vec<String>),
}

/// A JSON Schema that an input has to fit for a rule to be about it.
#[derive(Debug, Clone)]
pub struct Condition(Validator);

impl Condition {
    /// `CONFIG` where it is no schema.
    pub fn new(schema: Value) -> Result<Self, Failure> {
        let validator = jsonschema::validator_for(&schema);
        validator.map(Self).map_err(|error| {
            Failure::new(Code::Config, format!("the condition of a rule is not a JSON Schema: {error}"))
        })
    }
}

impl Rule {
    /// A rule for all callers and all inputs.
    pub fn new(tools: Vec<PathPattern>, action: Action) -> Self {
        Self { tools, roles: Vec::new(), condition: None, action }
    }

    pub(super) fn is_about(&self, path: &str) -> bool {
        self.tools.iter().any(|pattern| pattern.matches(path))
    }

    /// An input that is not known fits no condition.
    pub(super) fn matches(&self, path: &str, input: Option<&Value>, roles: &[String]) -> bool {
        let fits = match (&self.condition, input) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(condition), Some(input)) => condition.0.is_valid(input),
        };
        fits && self.is_about(path) && (self.is_for(roles) || self.action == Action::OnlyRoles)
    }

    fn is_for(&self, roles: &[String]) -> bool {
        self.roles.is_empty() || self.roles.iter().any(|role| roles.contains(role))
    }

    /// What the rule decides about a call that it matches, if it decides at all.
    pub(super) fn verdict(&self, subject: Subject<'_>, roles: &[String]) -> Option<Verdict> {
        match self.action {
            Action::Allow => Some(Verdict::Allow),
            Action::Deny(_) => Some(Verdict::Deny),
            Action::RequireApproval { except_read_only } => {
                let is_harmless = except_read_only && subject.is_trusted && subject.hints.read_only == Some(true);
                Some(if is_harmless { Verdict::Allow } else { Verdict::RequireApproval })
            }
            Action::OnlyRoles if self.is_for(roles) => None,
            Action::OnlyRoles => Some(Verdict::Hide),
            Action::Rate(_) | Action::Redact(_) => None,
        }
    }

    pub(super) fn reason(&self, index: usize, verdict: Verdict) -> String {
        let patterns: Vec<String> = self.tools.iter().map(|pattern| format!("`{pattern}`")).collect();
        let rule = format!("rule {} ({})", index + 1, patterns.join(", "));
        match (verdict, &self.action) {
            (Verdict::Allow, Action::RequireApproval { .. }) => {
                format!("{rule} exempts it from approval: its trusted connector says that it changes nothing")
            }
            (Verdict::Allow, _) => format!("{rule} allows it"),
            (Verdict::RequireApproval, _) => format!("{rule} asks for approval"),
            (Verdict::Deny, Action::Deny(Some(reason))) => format!("{rule} denies it: {reason}"),
            (Verdict::Deny, _) => format!("{rule} denies it"),
            (Verdict::Hide, _) => format!("{rule} keeps it for the roles {}", self.roles.join(", ")),
        }
    }
}
