//! The permissions of a tool before the input of a call is known.

use serde_json::Value;

use super::{Condition, Permission};
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
