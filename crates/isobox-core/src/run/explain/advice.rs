//! Finds a hint for an error that a program did not catch: from the author's text, the tools, and the usual mistakes.

use crate::policy::bridge::Bridge;
use crate::program::Program;
use crate::{Code, Failure};

/// Returns the failure with a hint, if there is one.
pub(in crate::run) fn advise(failure: Failure, program: &Program, bridge: &Bridge<'_>) -> Failure {
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
        if let Some(name) = name_before(message, " is not defined") {
            return Some(undefined_name(name, failure, program, bridge));
        }
        let name = name_before(message, " is not initialized")?;
        return Some(format!("move the declaration of `{name}` before its first use"));
    }
    if let Some(name) = message.strip_prefix('\'').and_then(|rest| name_before(rest, "' is read-only")) {
        return Some(format!("declare `{name}` with `let` instead of `const`"));
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

/// Returns the name before the end of a message. A program can throw an error with any message, so that only the characters
/// of names are accepted.
fn name_before<'m>(message: &'m str, end: &str) -> Option<&'m str> {
    const LONGEST: usize = 80;
    let name = message.strip_suffix(end)?;
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    (!name.is_empty() && name.len() <= LONGEST && name.chars().all(is_part)).then_some(name)
}

fn undefined_name(name: &str, failure: &Failure, program: &Program, bridge: &Bridge<'_>) -> String {
    let (before, after) = around(name, failure, program);
    if after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>") {
        return format!("declare the variable first: `let {name} = …`");
    }
    if name == "Function" && before.ends_with("instanceof") {
        return "write `typeof value === \"function\"` instead".to_owned();
    }
    match bridge.tools_named(name) {
        Some(call) => format!("tools are called through `tools`: `{call}`"),
        None => instead_of(name),
    }
}

/// Returns what to use instead of a global that is missing.
fn instead_of(missing: &str) -> String {
    const GLOBALS: &str = "the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, \
        `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like";
    let instead = match missing {
        "fetch" | "XMLHttpRequest" | "axios" | "WebSocket" | "EventSource" | "http" | "https" => {
            "there is no network here; call a tool instead; "
        }
        "module" | "exports" => "`return` or `export default` the result instead; ",
        "__dirname" | "__filename" | "fs" => "there is no file system here; call a tool instead; ",
        "Deno" | "Bun" => "this is neither Deno nor Bun; ",
        "window" | "document" | "localStorage" | "sessionStorage" | "navigator" | "location" | "alert" => {
            "this is not a browser; "
        }
        "eval" | "Function" => "code cannot be made from text here; ",
        "Atomics" | "SharedArrayBuffer" | "Worker" | "MessageChannel" => {
            "there is one thread here; run calls at the same time with Promise.all; "
        }
        "WebAssembly" => "WebAssembly cannot run here; ",
        "ReadableStream" | "WritableStream" | "TransformStream" | "TextDecoderStream" => {
            "there are no streams here; work with whole values; "
        }
        "_" | "lodash" => "use the methods of Array and Object instead; ",
        "moment" | "dayjs" => "use Date instead; ",
        "util" | "path" | "url" | "assert" | "events" | "querystring" => {
            return format!("import it first: import {missing} from \"node:{missing}\"");
        }
        _ => "",
    };
    format!("{instead}{GLOBALS}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_a_program_made_is_not_quoted_as_a_name() {
        let end = " is not defined";
        assert_eq!(name_before("größe_1 is not defined", end), Some("größe_1"));
        for forged in ["", "a b", "x\nerror[INTERNAL]: no", "\u{1b}[31mx", &"a".repeat(81)] {
            assert_eq!(name_before(&format!("{forged}{end}"), end), None, "{forged}");
        }
    }
}
