//! The permissions of a tool before the input of a call is known.

use serde_json::Value;

use super::{Condition, Permission, Policy, Subject, without_rule};
use crate::text::shorten;

/// The permissions of a tool before the input of a call is known.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Preview<'p> {
    /// The least strict permission that a call may get.
    pub permission: Permission,
    /// The permissions for inputs that fit a condition, in the order of their rules. The first that fits decides.
    pub conditional: Vec<(&'p Condition, Permission)>,
    /// The permission for all other inputs.
    pub otherwise: Permission,
}

impl Policy {
    /// Decides about a tool before its input is known, to show it to a model. What may be allowed for some input is
    /// shown, with its conditions.
    pub fn preview(&self, subject: Subject<'_>, roles: &[String]) -> Preview<'_> {
        // The strictest of the rules that may be about another tool.
        let mut floor = Permission::Allow;
        let mut found: Vec<(&Condition, Permission, bool)> = Vec::new();
        let otherwise = self.rules.iter().filter(|rule| rule.is_about(subject.names)).find_map(|rule| {
            let permission = rule.permission_for(subject, roles)?.max(floor);
            let is_sure = rule.is_surely_about(subject.names);
            match &rule.condition {
                Some(condition) => found.push((condition, permission, is_sure)),
                None if is_sure => return Some(permission),
                None => floor = permission,
            }
            None
        });
        let otherwise = otherwise.unwrap_or_else(|| without_rule(subject).permission).max(floor);
        // What follows a rule that may be about another tool decides, too.
        let mut least = otherwise;
        for (_, permission, is_sure) in found.iter_mut().rev() {
            if !*is_sure {
                *permission = (*permission).max(least);
            }
            least = least.min(*permission);
        }
        let mut conditional: Vec<_> =
            found.into_iter().map(|(condition, permission, _)| (condition, permission)).collect();
        // A condition changes nothing if only conditions with the same permission follow. Others keep inputs from later rules.
        let last = conditional.iter().rposition(|(_, permission)| *permission != otherwise);
        conditional.truncate(last.map_or(0, |last| last + 1));
        let permissions = conditional.iter().map(|(_, permission)| *permission);
        Preview {
            permission: permissions.min().map_or(otherwise, |least| least.min(otherwise)),
            conditional,
            otherwise,
        }
    }
}

impl Preview<'_> {
    /// Tells whether the tool is shown: some call of it may be made.
    pub fn is_visible(&self) -> bool {
        self.permission < Permission::Deny
    }

    /// Returns a sentence for each condition, and one for all other inputs. Empty if there is no condition.
    pub fn in_words(&self) -> Vec<String> {
        let what = |permission, is_first| match (permission, is_first) {
            (Permission::Allow, true) => "Allowed",
            (Permission::Allow, false) => "Otherwise allowed",
            (Permission::RequireApproval, true) => "Needs approval by a person",
            (Permission::RequireApproval, false) => "Otherwise needs approval by a person",
            (Permission::Deny | Permission::Hide, true) => "Denied",
            (Permission::Deny | Permission::Hide, false) => "Otherwise denied",
        };
        let mut sentences: Vec<String> = self
            .conditional
            .iter()
            // What is hidden for some inputs is not described to those from whom it is hidden.
            .filter(|(_, permission)| *permission != Permission::Hide)
            .enumerate()
            .map(|(index, (condition, permission))| {
                let schema = without_annotations(condition.schema()).to_string();
                format!("{} if the input fits {}.", what(*permission, index == 0), shorten(&schema, 140))
            })
            .collect();
        if !sentences.is_empty() {
            sentences.push(format!("{} otherwise.", what(self.otherwise, true)));
        }
        sentences
    }
}

/// Returns a schema without the words that its author wrote for other readers.
fn without_annotations(schema: &Value) -> Value {
    match schema {
        Value::Object(keywords) => {
            let strip = |(keyword, value): (&String, &Value)| {
                let value = match (keyword.as_str(), value) {
                    ("$comment" | "$schema" | "title" | "description" | "examples" | "default", _) => return None,
                    ("const" | "enum", _) => value.clone(),
                    // A property may have the name of a keyword.
                    (
                        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions",
                        Value::Object(schemas),
                    ) => Value::Object(
                        schemas.iter().map(|(name, of)| (name.clone(), without_annotations(of))).collect(),
                    ),
                    _ => without_annotations(value),
                };
                Some((keyword.clone(), value))
            };
            Value::Object(keywords.iter().filter_map(strip).collect())
        }
        Value::Array(parts) => Value::Array(parts.iter().map(without_annotations).collect()),
        other => other.clone(),
    }
}
