//! Shows values without the parts that rules redact.

use serde_json::Value;

use super::Policy;
use super::names::ToolNames;
use super::rule::{Action, Rule};

/// The parts of the input of a revert: those of the reverted call.
const REVERTED: [&str; 2] = ["/input", "/result"];

/// The replacement for redacted values.
const REDACTED: &str = "[redacted]";
/// The replacement for values that only the tool needs.
const HIDDEN: &str = "[hidden]";

impl Policy {
    /// Returns a copy of an input or result of this tool that may be shown, without the parts that rules redact.
    pub fn redacted<'n>(&self, names: impl Into<ToolNames<'n>>, value: &Value) -> Value {
        let names = names.into();
        let mut shown = value.clone();
        for pointer in self.redactions(names) {
            if let Some(secret) = shown.pointer_mut(pointer) {
                *secret = Value::String(REDACTED.to_owned());
            }
        }
        // The revert of a call shows the input and the result of that call.
        if let Some(reverted) = names.path.strip_suffix(".revert") {
            for (pointer, part) in
                self.redactions(reverted.into()).flat_map(|pointer| REVERTED.map(|part| (pointer, part)))
            {
                if let Some(secret) = shown.pointer_mut(&format!("{part}{pointer}")) {
                    *secret = Value::String(REDACTED.to_owned());
                }
            }
        }
        shown
    }

    /// Returns a copy of the payload of an interrupt of this tool that may be shown: without the parts that rules redact, and
    /// without its `continuation`, which is the state of the tool and may contain earlier answers.
    pub fn redacted_payload<'n>(&self, names: impl Into<ToolNames<'n>>, payload: &Value) -> Value {
        let mut shown = self.redacted(names, payload);
        if let Some(state) = shown.get_mut("continuation") {
            *state = Value::String(HIDDEN.to_owned());
        }
        shown
    }

    /// Returns the parts of inputs and results of this tool that rules redact, as JSON pointers.
    pub(crate) fn redactions<'p>(&'p self, names: ToolNames<'p>) -> impl Iterator<Item = &'p str> {
        let pointers = move |rule: &'p Rule| match &rule.action {
            Action::Redact(pointers) if rule.is_about(names) => pointers.as_slice(),
            _ => &[],
        };
        self.rules.iter().flat_map(pointers).map(String::as_str)
    }

    /// Tells whether a rule redacts anything. The texts of programs, which may contain the same values, are then not
    /// shown in full either. See [`without_literals`](crate::program::without_literals).
    pub fn redacts(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule.action, Action::Redact(_)))
    }
}
