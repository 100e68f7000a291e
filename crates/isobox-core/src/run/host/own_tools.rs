//! Records the tools that an execution has beside those of the host, and finds their functions on resume.

use crate::{Code, Failure, Tool, ToolDefinition};

/// The maximum number of missing tools in a message.
const NAMED: usize = 10;

/// Returns the definitions of an execution's own tools for the journal.
pub(in crate::run) fn recorded(tools: &[Tool]) -> Result<Vec<ToolDefinition>, Failure> {
    if tools.is_empty() {
        return Ok(Vec::new());
    }
    let definitions = ToolDefinition::of_all(tools);
    let size = serde_json::to_vec(&definitions).map_or(usize::MAX, |json| json.len());
    let limit = ToolDefinition::MAX_RECORDED;
    if limit.holds(size) {
        return Ok(definitions);
    }
    let message = format!("the definitions of the tools of the execution are {size} bytes, and the limit is {limit}");
    Err(Failure::new(Code::Config, message)
        .hint("shorten descriptions and schemas, or give the tools to the runtime, which records none of them")
        .detail("limit", limit.get())
        .detail("size", size))
}

/// Returns the tools that the execution began with, from those that a resume provides. Returns `UNKNOWN_TOOL` if one is
/// missing.
pub(in crate::run) fn brought(recorded: &[ToolDefinition], tools: &[Tool]) -> Result<Vec<Tool>, Failure> {
    let is = |definition: &ToolDefinition, tool: &&Tool| *tool.path() == definition.path;
    let find = |definition| tools.iter().find(|tool| is(definition, tool)).cloned().ok_or(definition.path.as_str());
    let (found, missing): (Vec<_>, Vec<_>) = recorded.iter().map(find).partition(Result::is_ok);
    if missing.is_empty() {
        return Ok(found.into_iter().flatten().collect());
    }
    let missing: Vec<&str> = missing.into_iter().filter_map(Result::err).collect();
    let mut names: Vec<String> = missing.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
    if missing.len() > NAMED {
        names.push(format!("and {} more", missing.len() - NAMED));
    }
    let message = format!("the execution has tools of its own, and these are missing: {}", names.join(", "));
    Err(Failure::new(Code::UnknownTool, message)
        .hint("resume it in a process that provides them (`Resume::tools`); the execution was neither run nor changed")
        .detail("tools", missing))
}

/// Returns those of the tools that the execution began with.
pub(in crate::run) fn available(recorded: &[ToolDefinition], tools: &[Tool]) -> Vec<Tool> {
    let is_recorded = |tool: &&Tool| recorded.iter().any(|definition| definition.path == *tool.path());
    tools.iter().filter(is_recorded).cloned().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn tool(path: &str, description: &str) -> Tool {
        Tool::new(path, |_| async { Ok(Value::Null) }).unwrap().description(description)
    }

    #[test]
    fn of_the_tools_that_are_brought_those_that_were_recorded_are_used() {
        let recorded = recorded(&[tool("b", ""), tool("a", "")]).unwrap();
        assert_eq!(recorded.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        let found = brought(&recorded, &[tool("c", ""), tool("b", "changed"), tool("a", "")]).unwrap();
        assert_eq!(found.iter().map(|tool| tool.path().as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(found[1].description_text(), "changed");
        assert!(brought(&[], &[tool("c", "")]).unwrap().is_empty());
    }

    #[test]
    fn missing_tools_are_named_up_to_a_bound() {
        let many: Vec<Tool> = (0..12).map(|number| tool(&format!("t{number:02}"), "")).collect();
        let recorded = recorded(&many).unwrap();
        let failure = brought(&recorded, &many[11..]).unwrap_err();
        assert_eq!(failure.code, Code::UnknownTool);
        assert!(failure.message.ends_with("`t08`, `t09`, and 1 more"), "{failure}");
        assert_eq!(failure.details["tools"].as_array().map(Vec::len), Some(11));
    }

    #[test]
    fn definitions_that_take_too_much_are_refused() {
        let large = "x".repeat(600 << 10);
        recorded(&[tool("a", &large)]).unwrap();
        let failure = recorded(&[tool("a", &large), tool("b", &large)]).unwrap_err();
        assert_eq!((failure.code, &failure.details["limit"]), (Code::Config, &json!(1 << 20)));
    }
}
