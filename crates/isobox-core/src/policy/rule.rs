//! One rule: the tools, callers and inputs that it applies to, and its action.

use serde_json::{Value, json};

use super::{Condition, PathPattern, Permission, Subject, ToolNames};

/// One rule of a policy.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rule {
    /// The tools that the rule applies to: those that match any pattern.
    pub tools: Vec<PathPattern>,
    /// The callers that the rule applies to: those with any of these roles, or all if there is none.
    /// [`Action::OnlyRoles`] uses the roles differently.
    pub roles: Vec<String>,
    /// The inputs that the rule applies to. All if there is none.
    pub condition: Option<Condition>,
    /// The action.
    pub action: Action,
}

impl Rule {
    setters! {
        roles: Vec<String>,
        condition: impl Into<Option<Condition>>,
    }
}

/// The action of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// The call may be made.
    Allow,
    /// The call must not be made, for a reason that the program may read.
    Deny(Option<String>),
    /// A person has to approve the call.
    RequireApproval {
        /// Exempts tools that a trusted connector marks as read-only.
        except_read_only: bool,
    },
    /// The tools do not exist for callers without one of the rule's roles. For the others, the next rules decide.
    OnlyRoles,
    /// The maximum number of calls in one execution.
    Rate(u32),
    /// These parts of inputs and results (JSON pointers) are never shown.
    Redact(Vec<String>),
}

/// The result of matching a rule with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    No,
    Yes,
    /// The condition cannot be decided for this input.
    Unknown,
}

impl Rule {
    /// Creates a rule for all callers and all inputs.
    pub fn new(tools: Vec<PathPattern>, action: Action) -> Self {
        Self { tools, roles: Vec::new(), condition: None, action }
    }

    pub(super) fn is_about(&self, names: ToolNames<'_>) -> bool {
        self.tools.iter().any(|pattern| pattern.matches_any(names))
    }

    /// Tells whether the rule matches the tool by a name that no other tool has.
    pub(super) fn is_surely_about(&self, names: ToolNames<'_>) -> bool {
        self.tools.iter().any(|pattern| names.own().any(|name| pattern.matches(name)))
    }

    /// Tells whether the rule applies to a call.
    pub(super) fn fit(&self, names: ToolNames<'_>, input: &Value, roles: &[String]) -> Fit {
        if !self.is_about(names) || !self.concerns(roles) {
            return Fit::No;
        }
        match self.condition.as_ref().map(|condition| condition.fits(input)) {
            None | Some(Some(true)) => Fit::Yes,
            Some(Some(false)) => Fit::No,
            Some(None) => Fit::Unknown,
        }
    }

    /// Returns the permission for inputs that fit the rule, if it is about the tool and the caller, and decides.
    pub(super) fn permission_for(&self, subject: Subject<'_>, roles: &[String]) -> Option<Permission> {
        let permission = if self.concerns(roles) { self.permission(subject, roles) } else { None }?;
        (permission != Permission::Allow || self.is_surely_about(subject.names)).then_some(permission)
    }

    fn concerns(&self, roles: &[String]) -> bool {
        self.is_for(roles) || self.action == Action::OnlyRoles
    }

    fn is_for(&self, roles: &[String]) -> bool {
        self.roles.is_empty() || self.has_role(roles)
    }

    fn has_role(&self, roles: &[String]) -> bool {
        self.roles.iter().any(|role| roles.contains(role))
    }

    /// Returns a hash of the calls that the rule applies to, independent of its position and its action.
    pub(super) fn matter(&self) -> String {
        use sha2::{Digest, Sha256};
        let tools: Vec<&str> = self.tools.iter().map(PathPattern::as_str).collect();
        let matter = json!([tools, self.roles, self.condition.as_ref().map(Condition::schema)]);
        Sha256::digest(matter.to_string()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the permission for a call that the rule matches, if it decides.
    fn permission(&self, subject: Subject<'_>, roles: &[String]) -> Option<Permission> {
        match self.action {
            Action::Allow => Some(Permission::Allow),
            Action::Deny(_) => Some(Permission::Deny),
            Action::RequireApproval { except_read_only } => Some(if except_read_only && subject.is_read_only() {
                Permission::Allow
            } else {
                Permission::RequireApproval
            }),
            // Without roles in the rule, no caller has one of them.
            Action::OnlyRoles if self.has_role(roles) => None,
            Action::OnlyRoles => Some(Permission::Hide),
            Action::Rate(_) | Action::Redact(_) => None,
        }
    }

    pub(super) fn reason(&self, index: usize, permission: Permission, fit: Fit) -> String {
        let patterns: Vec<String> = self.tools.iter().map(|pattern| format!("`{pattern}`")).collect();
        let rule = format!("rule {} ({})", index + 1, patterns.join(", "));
        let reason = match (permission, &self.action) {
            (Permission::Allow, Action::RequireApproval { .. }) => {
                format!("{rule} exempts it from approval: its trusted connector says that it changes nothing")
            }
            (Permission::Allow, _) => format!("{rule} allows it"),
            (Permission::RequireApproval, _) => format!("{rule} asks for approval"),
            (Permission::Deny, Action::Deny(Some(reason))) => format!("{rule} denies it: {reason}"),
            (Permission::Deny, _) => format!("{rule} denies it"),
            (Permission::Hide, _) => format!("{rule} reserves it for the roles {}", self.roles.join(", ")),
        };
        match fit {
            Fit::Yes | Fit::No => reason,
            Fit::Unknown => format!("{reason} (whether this input fits its `when` cannot be decided)"),
        }
    }
}
