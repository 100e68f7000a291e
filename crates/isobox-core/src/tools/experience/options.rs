//! The options for learning, and the tools that it applies to.

use serde_json::Value;

use crate::policy::{PathPattern, Permission, Policy};
use crate::text::brief;
use crate::{Catalogue, Code, Failure, Tool};

/// The options for learning the types of results.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExperienceOptions {
    /// Whether types are learned and shown.
    pub is_enabled: bool,
    /// The tools of whose results short texts are kept, so that a few that recur become an enumeration. Of other tools no
    /// value is kept.
    pub enums: Vec<PathPattern>,
    /// The tools that change nothing, beside those that a trusted connector marks as read-only. They may be called only
    /// to learn from their results.
    pub read_only: Vec<PathPattern>,
}

impl ExperienceOptions {
    setters! {
        is_enabled: bool,
        enums: Vec<PathPattern>,
        read_only: Vec<PathPattern>,
    }

    /// Returns the version of a tool, which changes with its definition and with everything that decides what is
    /// learned. Returns none if nothing is learned from the tool.
    pub fn version(&self, tool: &Tool, policy: &Policy) -> Option<String> {
        use sha2::{Digest, Sha256};
        if !self.is_enabled || !tool.can_be_learned_from() {
            return None;
        }
        let mut digest = Sha256::new();
        digest.update(tool.definition_hash());
        digest.update([u8::from(self.allows_enums(tool))]);
        for pointer in policy.redactions(tool.names()) {
            digest.update(pointer);
            digest.update([0]);
        }
        Some(digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }

    /// Tells whether short texts of a tool's results are kept.
    pub(super) fn allows_enums(&self, tool: &Tool) -> bool {
        matches(&self.enums, tool)
    }

    /// Checks that a tool may be called only to learn from its result: it changes nothing, and the policy allows the call
    /// without approval.
    ///
    /// # Errors
    ///
    /// `CONFIG` if nothing is learned, `UNKNOWN_TOOL`, `FORBIDDEN` or `APPROVAL_REQUIRED` if the call must not be made,
    /// `INVALID_INPUT` if the input does not fit.
    pub fn check_call(
        &self,
        catalogue: &Catalogue,
        path: &str,
        input: &Value,
        policy: &Policy,
        roles: &[String],
    ) -> Result<(), Failure> {
        let tool = catalogue.get(path).filter(|tool| catalogue.is_visible(tool, policy, roles));
        let Some(tool) = tool else {
            let advice = catalogue.suggestion(path, policy, roles);
            return Err(Failure::new(Code::UnknownTool, format!("unknown tool: `{}`{advice}", brief(path, 80))));
        };
        if !self.is_enabled {
            return Err(Failure::new(Code::Config, "types are not learned: `experience.enabled` is false"));
        }
        if !tool.can_be_learned_from() {
            let message = format!("there is nothing to learn from `{path}`: its results have a type, or are not kept");
            return Err(Failure::new(Code::Config, message));
        }
        if !tool.subject().is_read_only() && !matches(&self.read_only, tool) {
            let message = format!("`{path}` is not called to learn from it, because it may change something");
            return Err(Failure::new(Code::Forbidden, message).hint(
                "only tools that a trusted server marks as read-only are called, and those of `experience.readOnly`",
            ));
        }
        let ruling = policy.decide(tool.subject_of(input), input, roles);
        match ruling.permission {
            Permission::Allow => tool.check_input(input),
            Permission::RequireApproval => {
                let message =
                    format!("`{path}` is not called to learn from it, because it needs approval: {}", ruling.why);
                Err(Failure::new(Code::ApprovalRequired, message))
            }
            Permission::Deny | Permission::Hide => {
                Err(Failure::new(Code::Forbidden, format!("the policy forbids this call of `{path}`: {}", ruling.why)))
            }
        }
    }
}

/// Types are learned, and no texts are kept.
impl Default for ExperienceOptions {
    fn default() -> Self {
        Self { is_enabled: true, enums: Vec::new(), read_only: Vec::new() }
    }
}

/// Tells whether a pattern matches a name that no other tool has.
fn matches(patterns: &[PathPattern], tool: &Tool) -> bool {
    patterns.iter().any(|pattern| tool.names().own().any(|name| pattern.matches(name)))
}
