//! Improves the hint of an error with what the host knows: the author's text, the tools, and the usual mistakes.

use crate::policy::bridge::Bridge;
use crate::program::Program;
use crate::{Code, Failure};

/// Returns the failure with a better hint, if there is one.
pub(super) fn advise(failure: Failure, program: &Program, bridge: &Bridge<'_>) -> Failure {
    if failure.code != Code::Thrown {
        return failure;
    }
    match hint_for(&failure, program, bridge) {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn hint_for(failure: &Failure, program: &Program, bridge: &Bridge<'_>) -> Option<String> {
    let message = failure.message.as_str();
    if failure.name == "ReferenceError" {
        if let Some(name) = message.strip_suffix(" is not defined") {
            return undefined_name(name, failure, program, bridge);
        }
        let name = message.strip_suffix(" is not initialized")?;
        return Some(format!("move the declaration of `{name}` before its first use"));
    }
    if let Some(name) = message.strip_suffix(" is read-only") {
        return Some(format!("declare the variable with `let` instead of `const`: {name}"));
    }
    let hint = match (failure.name.as_str(), message) {
        ("SyntaxError", "unexpected token: 'object'") => "the value is an object already: use it without `JSON.parse`",
        ("SyntaxError", "unexpected token: 'undefined'") => "the value is undefined: check it before `JSON.parse`",
        ("SyntaxError", "nothing to repeat") => {
            "escape the special characters of a text before `new RegExp`: text.replace(/[.*+?^${}()|[\\]\\\\]/g, \"\\\\$&\")"
        }
        ("TypeError", "cannot convert BigInt to number") => {
            "a BigInt and a number cannot be mixed: convert one with `Number(…)` or `BigInt(…)`"
        }
        ("TypeError", "class constructors must be invoked with 'new'") => "write `new` before the name of the class",
        ("RangeError", "Date value is NaN") => {
            "the date is invalid: check its text, or `Number.isNaN(date.getTime())` before it is used"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

fn undefined_name(name: &str, failure: &Failure, program: &Program, bridge: &Bridge<'_>) -> Option<String> {
    let (before, after) = around(name, failure, program);
    if after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>") {
        return Some(format!("declare the variable first: `let {name} = …`"));
    }
    if name == "Function" && before.ends_with("instanceof") {
        return Some("write `typeof value === \"function\"` instead".to_owned());
    }
    bridge.tools_named(name).map(|call| format!("tools are called through `tools`: `{call}`"))
}

/// Returns the rest of the line before and after the name at which the program failed, or empty texts.
fn around<'p>(name: &str, failure: &Failure, program: &'p Program) -> (&'p str, &'p str) {
    let file = failure.details.get("file").and_then(|file| file.as_str()).unwrap_or(program.entry());
    let (Some(text), Some(line), Some(column)) = (program.files().get(file), failure.line, failure.column) else {
        return ("", "");
    };
    let line = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
    let at = line.char_indices().nth((column as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let (before, rest) = line.split_at(at);
    (before.trim_end(), rest.strip_prefix(name).unwrap_or_default().trim_start())
}
