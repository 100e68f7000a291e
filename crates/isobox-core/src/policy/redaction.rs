//! Shows values without the parts that rules redact.

use std::borrow::Cow;

use serde_json::Value;

use super::Policy;
use super::names::ToolNames;
use super::rule::{Action, Rule};
use crate::ToolPath;
use crate::snippets::{RUN, show_masked};

/// The parts of the input of a revert: those of the reverted call.
const REVERTED: [&str; 2] = ["/input", "/result"];

/// The beginning of a hidden part whose pointer counts at every depth.
pub(super) const ANYWHERE: &str = "**";

/// The replacement for redacted values.
const REDACTED: &str = "[redacted]";
/// The replacement for values that only the tool needs.
const HIDDEN: &str = "[hidden]";

impl Policy {
    /// Returns a copy of an input or result of this tool that may be shown, without the parts that rules redact.
    pub fn redacted<'n>(&self, names: impl Into<ToolNames<'n>>, value: &Value) -> Value {
        let names = names.into();
        let mut shown = value.clone();
        // Like the program, the code of a snippet may contain redacted values as literals.
        if names.path == RUN {
            show_masked(&mut shown, self.redacts().then_some(HIDDEN));
        }
        for pointer in self.redactions(names) {
            if let Some(secret) = shown.pointer_mut(&place(names, pointer, value)) {
                *secret = Value::String(REDACTED.to_owned());
            }
        }
        // The revert of a call shows the input and the result of that call.
        if let Some(reverted) = ToolPath::reverted(names.path) {
            for (pointer, part) in
                self.redactions(reverted.into()).flat_map(|pointer| REVERTED.map(|part| (pointer, part)))
            {
                if let Some(secret) = shown.pointer_mut(&format!("{part}{pointer}")) {
                    *secret = Value::String(REDACTED.to_owned());
                }
            }
        }
        for part in names.hidden {
            match part.strip_prefix(ANYWHERE) {
                Some(pointer) => hide_anywhere(&mut shown, pointer),
                None => {
                    if let Some(secret) = shown.pointer_mut(part) {
                        *secret = Value::String(REDACTED.to_owned());
                    }
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

    /// Returns the values in an input or result of this tool that rules redact.
    pub(crate) fn secrets<'v>(&self, names: ToolNames<'_>, value: &'v Value) -> Vec<&'v Value> {
        let redactions = self.redactions(names);
        let mut secrets: Vec<&Value> =
            redactions.filter_map(|pointer| value.pointer(&place(names, pointer, value))).collect();
        for part in names.hidden {
            match part.strip_prefix(ANYWHERE) {
                Some(pointer) => find_anywhere(value, pointer, &mut secrets),
                None => secrets.extend(value.pointer(part)),
            }
        }
        secrets
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

/// Returns the place of a redacted part in a value. Rules see the input of a snippet as the member `input` of the call that
/// runs it, and programs may pass it as the second argument.
fn place<'p>(names: ToolNames<'_>, pointer: &'p str, value: &Value) -> Cow<'p, str> {
    match pointer.strip_prefix("/input").filter(|rest| rest.is_empty() || rest.starts_with('/')) {
        Some(rest) if names.path == RUN && value.is_array() => Cow::Owned(format!("/1{rest}")),
        Some(_) | None => Cow::Borrowed(pointer),
    }
}

fn hide_anywhere(value: &mut Value, pointer: &str) {
    if let Some(secret) = value.pointer_mut(pointer) {
        *secret = Value::String(REDACTED.to_owned());
    }
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| hide_anywhere(member, pointer)),
        Value::Array(items) => items.iter_mut().for_each(|item| hide_anywhere(item, pointer)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn find_anywhere<'v>(value: &'v Value, pointer: &str, found: &mut Vec<&'v Value>) {
    found.extend(value.pointer(pointer));
    match value {
        Value::Object(members) => members.values().for_each(|member| find_anywhere(member, pointer, found)),
        Value::Array(items) => items.iter().for_each(|item| find_anywhere(item, pointer, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::program::Program;
    use crate::snippets::add_masked;

    #[test]
    fn the_input_of_a_snippet_is_redacted_where_rules_see_it_and_where_programs_pass_it() {
        let rule = |pointer: &str| {
            let redact = Action::Redact(vec![pointer.to_owned()]);
            Policy::new(vec![Rule::new(vec!["*".parse().expect("a pattern")], redact)])
        };
        let (part, whole) = (rule("/input/pin"), rule("/input"));
        let passed = json!(["a", { "pin": 1, "b": 2 }]);
        assert_eq!(part.redacted(RUN, &passed), json!(["a", { "pin": "[redacted]", "b": 2 }]));
        assert_eq!(whole.redacted(RUN, &passed), json!(["a", "[redacted]"]));
        assert_eq!(part.secrets(RUN.into(), &passed), [&json!(1)]);
        let seen = json!({ "name": "a", "input": { "pin": 1, "b": 2 } });
        let shown = json!({ "name": "a", "input": { "pin": "[redacted]", "b": 2 } });
        assert_eq!(part.redacted(RUN, &seen), shown);
        assert_eq!(part.redacted("another", &passed), passed);
        assert_eq!(rule("/inputs").redacted(RUN, &passed), passed);
    }

    #[test]
    fn the_code_of_a_snippet_is_shown_without_its_literals_if_anything_is_redacted() {
        let redact = Action::Redact(vec!["/pin".to_owned()]);
        let redacting = Policy::new(vec![Rule::new(vec!["bank.pay".parse().expect("a pattern")], redact)]);
        let call = |code: &str| json!({ "name": "a", "version": 1, "trust": "trusted", "code": code, "input": null });
        let mut asked = call("return 4711");
        add_masked(&mut asked, &Program::single("return ****"));
        assert_eq!(redacting.redacted(RUN, &asked), call("return ****"));
        assert_eq!(redacting.redacted(RUN, &call("return 4711")), call("[hidden]"));
        assert_eq!(Policy::default().redacted(RUN, &asked), call("return 4711"));
        assert_eq!(redacting.redacted("another", &asked), asked);
    }
}
