//! Parses the arguments of the tools. Error messages tell the model what is wrong.

use rmcp::model::JsonObject;
use serde_json::Value;

/// A call of one of the tools.
#[derive(Debug, PartialEq)]
pub(super) enum Call {
    Execute {
        code: String,
    },
    /// Tells which calls a program would make.
    Plan {
        code: String,
    },
    Search {
        query: String,
        limit: Option<usize>,
    },
    Resume {
        execution: String,
    },
}

/// The reason why a call is invalid, in words.
#[derive(Debug, PartialEq)]
pub(super) enum InvalidCall {
    /// The tool does not exist. This is an error of the client.
    UnknownTool(String),
    /// The arguments do not fit the tool. The model reads the message, and can correct its call.
    Arguments(String),
}

/// The set of offered tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offered {
    ExecuteAndSearch,
    /// With `resume`, if programs may pause.
    ResumeToo,
}

/// The maximum number of results of a search.
pub(super) const MOST_RESULTS: usize = 50;

impl Call {
    /// Parses a call.
    pub(super) fn read(tool: &str, arguments: Option<JsonObject>, offered: Offered) -> Result<Self, InvalidCall> {
        let mut arguments = Arguments { tool, left: arguments.unwrap_or_default() };
        let call = match tool {
            "execute" => {
                let code = arguments.text("code")?;
                if arguments.truth("plan")? { Self::Plan { code } } else { Self::Execute { code } }
            }
            "search" => {
                Self::Search { query: arguments.text("query")?, limit: arguments.count("limit", MOST_RESULTS)? }
            }
            "resume" if offered == Offered::ResumeToo => Self::Resume { execution: arguments.text("executionId")? },
            _ => {
                let tools = match offered {
                    Offered::ExecuteAndSearch => "`execute` and `search`",
                    Offered::ResumeToo => "`execute`, `search` and `resume`",
                };
                let message = format!("Unknown tool: `{}`. The tools are {tools}.", shown(tool));
                return Err(InvalidCall::UnknownTool(message));
            }
        };
        arguments.finish()?;
        Ok(call)
    }

    /// Returns what is wrong if the arguments of a tool are not an object. None if they are, or if the tool does not exist.
    pub(super) fn not_an_object(tool: &str, arguments: &Value, offered: Offered) -> Option<String> {
        let is_offered = matches!(tool, "execute" | "search") || (tool == "resume" && offered == Offered::ResumeToo);
        let is_wrong = is_offered && !arguments.is_object();
        is_wrong.then(|| {
            format!("Invalid arguments for `{tool}`: the arguments have to be an object, not {}.", kind(arguments))
        })
    }
}

struct Arguments<'a> {
    tool: &'a str,
    left: JsonObject,
}

impl Arguments<'_> {
    fn text(&mut self, key: &str) -> Result<String, InvalidCall> {
        match self.left.shift_remove(key) {
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(self.problem(&format!("`{key}` has to be a string, not {}", kind(&other)))),
            None => Err(self.problem(&format!("`{key}` is missing"))),
        }
    }

    /// Returns an optional boolean, which is false by default.
    fn truth(&mut self, key: &str) -> Result<bool, InvalidCall> {
        match self.left.shift_remove(key) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(truth)) => Ok(truth),
            Some(other) => Err(self.problem(&format!("`{key}` has to be a boolean, not {}", kind(&other)))),
        }
    }

    fn count(&mut self, key: &str, most: usize) -> Result<Option<usize>, InvalidCall> {
        let value = match self.left.shift_remove(key) {
            None | Some(Value::Null) => return Ok(None),
            Some(value) => value,
        };
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        match count.filter(|count| (1..=most).contains(count)) {
            Some(count) => Ok(Some(count)),
            None => Err(self.problem(&format!("`{key}` has to be a whole number from 1 to {most}"))),
        }
    }

    fn finish(&self) -> Result<(), InvalidCall> {
        match self.left.keys().next() {
            Some(key) => Err(self.problem(&format!("there is no argument `{}`", shown(key)))),
            None => Ok(()),
        }
    }

    fn problem(&self, what: &str) -> InvalidCall {
        InvalidCall::Arguments(format!("Invalid arguments for `{}`: {what}.", self.tool))
    }
}

fn shown(text: &str) -> String {
    isobox_core::brief(text, 80)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read_of(offered: Offered, tool: &str, arguments: &Value) -> Result<Call, String> {
        Call::read(tool, arguments.as_object().cloned(), offered).map_err(|error| match error {
            InvalidCall::UnknownTool(message) | InvalidCall::Arguments(message) => message,
        })
    }

    fn read(tool: &str, arguments: Value) -> Result<Call, String> {
        read_of(Offered::ExecuteAndSearch, tool, &arguments)
    }

    #[test]
    fn a_program_is_resumed_only_where_programs_can_pause() {
        let arguments = json!({ "executionId": "exec_1" });
        let resume = Call::Resume { execution: "exec_1".into() };
        assert_eq!(read_of(Offered::ResumeToo, "resume", &arguments), Ok(resume));
        for (offered, arguments, expected) in [
            (Offered::ExecuteAndSearch, arguments, "Unknown tool: `resume`. The tools are `execute` and `search`."),
            (Offered::ResumeToo, json!({}), "Invalid arguments for `resume`: `executionId` is missing."),
            (
                Offered::ResumeToo,
                json!({ "executionId": "exec_1", "approve": true }),
                "Invalid arguments for `resume`: there is no argument `approve`.",
            ),
        ] {
            assert_eq!(read_of(offered, "resume", &arguments), Err(expected.to_owned()));
        }
        let unknown = read_of(Offered::ResumeToo, "approve", &json!({}));
        assert_eq!(unknown, Err("Unknown tool: `approve`. The tools are `execute`, `search` and `resume`.".to_owned()));
    }

    #[test]
    fn calls_are_read() {
        assert_eq!(read("execute", json!({ "code": "1" })), Ok(Call::Execute { code: "1".into() }));
        assert_eq!(read("execute", json!({ "code": "1", "plan": false })), Ok(Call::Execute { code: "1".into() }));
        assert_eq!(read("execute", json!({ "code": "1", "plan": true })), Ok(Call::Plan { code: "1".into() }));
        for limit in [json!({ "query": "a" }), json!({ "query": "a", "limit": null })] {
            assert_eq!(read("search", limit), Ok(Call::Search { query: "a".into(), limit: None }));
        }
        let search = Call::Search { query: "a".into(), limit: Some(50) };
        assert_eq!(read("search", json!({ "limit": 50, "query": "a" })), Ok(search));
    }

    #[test]
    fn what_is_wrong_with_a_call_is_said() {
        for (tool, arguments, expected) in [
            ("execute", json!(null), "Invalid arguments for `execute`: `code` is missing."),
            (
                "execute",
                json!({ "code": "", "plan": "yes" }),
                "Invalid arguments for `execute`: `plan` has to be a boolean, not a string.",
            ),
            (
                "execute",
                json!({ "code": [] }),
                "Invalid arguments for `execute`: `code` has to be a string, not an array.",
            ),
            (
                "execute",
                json!({ "code": "", "a\u{1b}": 1 }),
                "Invalid arguments for `execute`: there is no argument `a\\u{1b}`.",
            ),
            (
                "search",
                json!({ "query": 7 }),
                "Invalid arguments for `search`: `query` has to be a string, not a number.",
            ),
            (
                "search",
                json!({ "query": "", "limit": 0 }),
                "Invalid arguments for `search`: `limit` has to be a whole number from 1 to 50.",
            ),
            (
                "search",
                json!({ "query": "", "limit": 1.5 }),
                "Invalid arguments for `search`: `limit` has to be a whole number from 1 to 50.",
            ),
            ("run", json!({}), "Unknown tool: `run`. The tools are `execute` and `search`."),
        ] {
            assert_eq!(read(tool, arguments), Err(expected.to_owned()));
        }
    }
}
