//! Finds a hint for an error that a program did not catch: from the author's text, the tools, and the usual mistakes.

use super::names;
use crate::policy::bridge::Bridge;
use crate::program::Program;
use crate::{Code, Failure};

/// Returns the failure with a hint, if there is one.
pub(in crate::run) fn advise(failure: Failure, program: &Program, bridge: &Bridge<'_>) -> Failure {
    let hint = match failure.code {
        Code::Thrown => hint_for(&failure, program, bridge),
        Code::Serialization => hint_for_value(&failure.message),
        Code::InvalidInput => hint_for_arguments(&failure.message),
        _ => None,
    };
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Returns the hint for a result that is a function, which often is a tool that was not called.
fn hint_for_value(message: &str) -> Option<String> {
    let hint = "call it, and return its value; a tool is called with its input: `await tools.name({ … })`";
    (message == "the result is not JSON: it is a function").then(|| hint.to_owned())
}

/// Returns the hint for a tool that is itself the callback of `map` or `forEach`, which gets three arguments.
fn hint_for_arguments(message: &str) -> Option<String> {
    const LONGEST: usize = 120;
    let tool = message.strip_suffix(" takes one argument, an object; it was given 3")?;
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '.');
    let is_tool = tool.starts_with("tools.") && tool.len() <= LONGEST && tool.chars().all(is_part);
    is_tool.then(|| format!("a callback gets the index and the list, too: write `(input) => {tool}(input)`"))
}

fn hint_for(failure: &Failure, program: &Program, bridge: &Bridge<'_>) -> Option<String> {
    let message = failure.message.as_str();
    if failure.name == "ReferenceError" {
        if let Some(name) = name_before(message, " is not defined") {
            return Some(undefined_name(name, failure, program, bridge));
        }
        return name_before(message, " is not initialized").map(uninitialized_name);
    }
    if failure.name == "TypeError" {
        if let Some(name) = message.strip_prefix('\'').and_then(|rest| name_before(rest, "' is read-only")) {
            return Some(read_only(name, parted(failure, program)));
        }
        if let Some((called, reason)) = message.split_once(" is not a function: ") {
            return names::instead_of_method(called, reason).map(str::to_owned);
        }
        if wants_tools(message) {
            return Some("`tools` is a global here, and not an argument: write `async () => …`".to_owned());
        }
    }
    let hint = match (failure.name.as_str(), message) {
        ("SyntaxError", "nothing to repeat") => {
            "escape the special characters of a text before `new RegExp`: text.replace(/[.*+?^${}()|[\\]\\\\]/g, \"\\\\$&\")"
        }
        ("SyntaxError", _) => return hint_for_json(message, line_of(failure, program)).map(str::to_owned),
        ("TypeError", "cannot convert BigInt to number") => {
            "a BigInt and a number cannot be mixed: convert one with `Number(…)` or `BigInt(…)`"
        }
        ("TypeError", "class constructors must be invoked with 'new'") => "write `new` before the name of the class",
        ("TypeError", "object is not extensible") => {
            "the object is frozen: make a changed copy, `{ ...object, name: value }` or `[...list, value]`"
        }
        ("RangeError", "Date value is NaN") => {
            "the date is invalid: check its text, or `Number.isNaN(date.getTime())` before it is used"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Checks whether a program fails because its function expects its tools as an argument: `({ tools }) => …`, `(tools) => …`.
fn wants_tools(message: &str) -> bool {
    message.starts_with("cannot destructure \"tools\" of undefined")
        || (message.starts_with("cannot read ") && message.ends_with(" of undefined: tools is undefined"))
}

fn uninitialized_name(name: &str) -> String {
    if name == "this" {
        return "call `super(…)` in the constructor before `this` is used".to_owned();
    }
    format!("move the declaration of `{name}` before its first use")
}

/// Returns the hint for a write to a variable or a property, from the text before and behind the place of the error.
fn read_only(name: &str, (before, behind): (&str, &str)) -> String {
    if !writes_variable(name, before, behind) {
        return "the object is frozen, or the property is: make a changed copy, `{ ...object, name: value }` or \
            `list.with(index, value)`"
            .to_owned();
    }
    match name {
        "tools" | "codemode" => format!("`{name}` belongs to the host: use another name, and declare it with `let`"),
        _ => format!("declare `{name}` with `let` instead of `const`"),
    }
}

/// Checks whether a write that failed was to a variable. The engine has one message for variables and properties. A write to a
/// property fails at its name or bracket, and one to a variable at any place of its statement.
fn writes_variable(name: &str, before: &str, behind: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '"' | '\'');
    let is_property = |before: &str| before.ends_with(is_part) || (before.ends_with('.') && !before.ends_with("..."));
    let is_index = behind.starts_with('[') && before.ends_with(|last: char| is_part(last) || matches!(last, ')' | ']'));
    if is_index || name.starts_with(|first: char| first.is_ascii_digit()) {
        return false;
    }
    if behind.starts_with(name) {
        return !is_property(before);
    }
    let is_whole = |at: usize| !before[at + name.len()..].starts_with(is_part);
    before.match_indices(name).any(|(at, _)| is_whole(at) && !is_property(&before[..at]))
}

/// Returns the hint for a text that is no JSON, at a line that parses one.
fn hint_for_json(message: &str, line: &str) -> Option<&'static str> {
    let token = message.strip_prefix("unexpected token: '")?.strip_suffix('\'')?;
    match token {
        "object" => Some("the value is an object already: use it without `JSON.parse`"),
        "undefined" => Some("the value is undefined: check it before `JSON.parse`"),
        _ if !line.contains("JSON.parse(") => None,
        _ if token.starts_with('`') => {
            Some("the JSON is in a Markdown fence: take the text between the fences before `JSON.parse`")
        }
        _ if token.starts_with(char::is_alphabetic) => {
            Some("the text is no JSON; an array or an object is used without `JSON.parse`")
        }
        _ => None,
    }
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
    if before.ends_with('&') && after.starts_with(';') && matches!(name, "lt" | "gt" | "amp" | "quot") {
        return "the text is escaped for HTML: write <, >, & and quotes as they are".to_owned();
    }
    if name == "Function" && before.ends_with("instanceof") {
        return "write `typeof value === \"function\"` instead".to_owned();
    }
    match bridge.tools_named(name) {
        Some(call) => format!("tools are called through `tools`: `{call}`"),
        None => names::instead_of(name),
    }
}

/// Returns the rest of the line before and after the name at which the program failed, or empty texts.
fn around<'p>(name: &str, failure: &Failure, program: &'p Program) -> (&'p str, &'p str) {
    let (before, rest) = parted(failure, program);
    (before.trim_end(), rest.strip_prefix(name).unwrap_or_default().trim_start())
}

/// Returns the line at which the program failed, parted at the place of the error, or empty texts.
fn parted<'p>(failure: &Failure, program: &'p Program) -> (&'p str, &'p str) {
    let Some(column) = failure.column else { return ("", "") };
    let line = line_of(failure, program);
    let at = line.char_indices().nth((column as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    line.split_at(at)
}

/// Returns the line at which the program failed, or an empty text.
fn line_of<'p>(failure: &Failure, program: &'p Program) -> &'p str {
    let file = failure.details.get("file").and_then(|file| file.as_str()).unwrap_or(program.entry());
    let (Some(text), Some(line)) = (program.files().get(file), failure.line) else { return "" };
    text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default()
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

    #[test]
    fn a_write_to_a_property_is_told_from_one_to_a_constant() {
        for parts in
            [("", "total += n;"), ("(total as any) += ", "n;"), ("f(...", "total++)"), ("list.total = (total) ", "= 5")]
        {
            assert_eq!(read_only("total", parts), "declare `total` with `let` instead of `const`", "{parts:?}");
        }
        for parts in [
            ("o.", "total = total + 5;"),
            ("o", "[\"total\"] = total"),
            ("o.total ", "= 5"),
            ("subtotal", "++"),
            ("", ""),
        ] {
            assert!(read_only("total", parts).starts_with("the object is frozen"), "{parts:?}");
        }
        assert!(read_only("0", ("list", "[0] = 5")).starts_with("the object is frozen"));
        assert!(read_only("tools", ("", "tools = {};")).starts_with("`tools` belongs to the host"));
        assert!(uninitialized_name("this").starts_with("call `super(…)`"));
    }

    #[test]
    fn texts_that_are_no_json_are_told_apart() {
        let line = "return JSON.parse(text);";
        let hint = |token: &str| hint_for_json(&format!("unexpected token: '{token}'"), line).unwrap_or_default();
        assert!(hint("object").starts_with("the value is an object already"));
        assert!(hint("`").starts_with("the JSON is in a Markdown fence"));
        assert!(hint("Oslo").starts_with("the text is no JSON"));
        assert_eq!(hint("}"), "");
        assert_eq!(hint_for_json("unexpected token: 'Oslo'", "throw made;"), None);
    }

    #[test]
    fn a_function_that_expects_the_tools_is_recognised() {
        assert!(wants_tools("cannot destructure \"tools\" of undefined"));
        assert!(wants_tools("cannot read \"cities\" of undefined: tools is undefined"));
        assert!(!wants_tools("cannot read \"cities\" of undefined: tools.list is undefined"));
        assert!(!wants_tools("cannot destructure \"tools\" of null"));
    }

    #[test]
    fn a_tool_as_a_callback_is_to_be_called_with_its_input() {
        let told = |tool: &str, count: u8| {
            hint_for_arguments(&format!("{tool} takes one argument, an object; it was given {count}"))
        };
        assert!(told("tools.mail.send", 3).is_some_and(|hint| hint.ends_with("`(input) => tools.mail.send(input)`")));
        assert_eq!(told("tools.mail.send", 2), None);
        assert_eq!(told("tools.a b\n", 3), None);
    }

    #[test]
    fn a_function_as_the_result_is_to_be_called() {
        assert!(hint_for_value("the result is not JSON: it is a function").is_some());
        assert_eq!(hint_for_value("the result is not JSON: it is a symbol"), None);
    }
}
