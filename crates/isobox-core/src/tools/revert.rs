//! The ways to undo calls of a tool: a function of the host, or a call of another tool.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::{MAX_DEPTH, is_within_depth};
use crate::text::brief;
use crate::tools::call::{CallContext, Invocation, ToolCall};

/// The way in which calls of a tool are reverted.
#[derive(Clone)]
pub(crate) enum Revert {
    /// By a function of the host.
    Own(Arc<Reverter>),
    /// By a call of another tool.
    Call(RevertCall),
}

pub(crate) type Reverter = dyn Fn(Reverting) -> Invocation + Send + Sync;

/// A call that is being reverted, as the function of [`Tool::revert`](crate::Tool::revert) sees it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reverting {
    /// The input of the call.
    pub input: Value,
    /// The result of the call. None if it was not stored: the tool says that it must not be
    /// ([`Tool::ephemeral`](crate::Tool::ephemeral)), or it was refused, for instance because it was too large.
    pub result: Option<Value>,
    /// Identifies the revert, which is a call of its own: its number, its attempt, its idempotency key.
    pub context: CallContext,
    /// The answer to [`ToolError::interrupt`](crate::ToolError::interrupt), once a person has given it.
    pub resolution: Option<Value>,
}

/// A call that reverts the calls of a tool, for tools that have no function for it.
///
/// Texts in the input that start with `$input` or `$result` stand for values of the reverted call: `"$result.id"`,
/// `"$input.items.0"`. `"$$result"` is the text `$result`. The journals of rollbacks keep the input, so that it must have no
/// secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevertCall {
    /// The path of the tool to call, or its name at its connector.
    pub call: String,
    /// The input.
    #[serde(default)]
    pub input: Value,
}

impl Reverting {
    /// Returns the input of a revert by a function of the host.
    pub(crate) fn input(input: &Value, result: Option<&Value>) -> Value {
        let mut parts = serde_json::Map::new();
        parts.insert("input".to_owned(), input.clone());
        if let Some(result) = result {
            parts.insert("result".to_owned(), result.clone());
        }
        parts.into()
    }

    pub(super) fn of(call: ToolCall) -> Self {
        let ToolCall { mut input, context, resolution, .. } = call;
        let mut take = |key: &str| input.as_object_mut().and_then(|parts| parts.remove(key));
        let (passed, result) = (take("input").unwrap_or_default(), take("result"));
        Self { input: passed, result, context, resolution }
    }
}

impl RevertCall {
    /// Creates a call of this tool with this input.
    pub fn new(call: impl Into<String>, input: Value) -> Self {
        Self { call: call.into(), input }
    }

    /// Returns the input for the revert of a call. Returns what is missing otherwise.
    pub fn input_for(&self, input: &Value, result: Option<&Value>) -> Result<Value, String> {
        let filled = fill(&self.input, input, result)?;
        if is_within_depth(&filled) { Ok(filled) } else { Err(format!("it is nested deeper than {MAX_DEPTH} levels")) }
    }
}

fn fill(template: &Value, input: &Value, result: Option<&Value>) -> Result<Value, String> {
    Ok(match template {
        Value::String(text) => match text.strip_prefix('$') {
            Some(rest) if rest.starts_with('$') => rest.into(),
            Some(rest) => find(text, rest, input, result)?.unwrap_or_else(|| text.as_str().into()),
            None => text.as_str().into(),
        },
        Value::Array(items) => {
            let items: Result<Vec<_>, _> = items.iter().map(|item| fill(item, input, result)).collect();
            items?.into()
        }
        Value::Object(entries) => {
            let filled: Result<serde_json::Map<_, _>, _> = entries
                .iter()
                .map(|(key, value)| Ok::<_, String>((key.clone(), fill(value, input, result)?)))
                .collect();
            filled?.into()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => template.clone(),
    })
}

/// Returns the value that a text refers to. None if it refers to nothing.
fn find(text: &str, rest: &str, input: &Value, result: Option<&Value>) -> Result<Option<Value>, String> {
    let mut segments = rest.split('.');
    let mut value = match segments.next() {
        Some("input") => input,
        Some("result") => result.ok_or("its result was not stored")?,
        Some(_) | None => return Ok(None),
    };
    for segment in segments {
        let inner = match value {
            Value::Array(items) => segment.parse::<usize>().ok().and_then(|place| items.get(place)),
            Value::Object(entries) => entries.get(segment),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        value = inner.ok_or_else(|| format!("`{}` has no value", brief(text, 80)))?;
    }
    Ok(Some(value.clone()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(template: Value) -> Result<Value, String> {
        let (input, result) = (json!({ "to": "ada", "tags": ["a", "b"] }), json!({ "id": 7, "a.b": 1 }));
        RevertCall::new("undo", template).input_for(&input, Some(&result))
    }

    #[test]
    fn texts_stand_for_values_of_the_reverted_call() {
        let template =
            json!({ "id": "$result.id", "who": ["$input.to", "$input.tags.1"], "all": "$result", "keep": 3 });
        let expected = json!({ "id": 7, "who": ["ada", "b"], "all": { "id": 7, "a.b": 1 }, "keep": 3 });
        assert_eq!(filled(template), Ok(expected));
    }

    #[test]
    fn other_texts_are_kept() {
        for text in ["$", "$results.id", "$inputs", "id", "", "a $result.id", "$other"] {
            assert_eq!(filled(json!(text)), Ok(json!(text)), "{text}");
        }
        assert_eq!(filled(json!("$$result.id")), Ok(json!("$result.id")));
    }

    #[test]
    fn a_missing_value_is_named() {
        for text in ["$result.number", "$input.tags.2", "$input.tags.x", "$input.to.length", "$result."] {
            let message = filled(json!({ "deep": [text] })).unwrap_err();
            assert_eq!(message, format!("`{text}` has no value"));
        }
        let unstored = RevertCall::new("undo", json!("$result")).input_for(&json!({}), None);
        assert_eq!(unstored, Err("its result was not stored".to_owned()));
    }
}
