//! Improves the hint of an error with what the host knows: the author's text, and the tools.

use crate::policy::bridge::Bridge;
use crate::program::Program;
use crate::{Code, Failure};

/// Returns the failure with a better hint, if there is one, for a name that is not defined.
pub(super) fn advise(failure: Failure, program: &Program, bridge: &Bridge<'_>) -> Failure {
    if failure.code != Code::Thrown || failure.name != "ReferenceError" {
        return failure;
    }
    let Some(name) = failure.message.strip_suffix(" is not defined").map(str::to_owned) else { return failure };
    if is_assigned(&name, &failure, program) {
        return failure.hint(format!("declare the variable first: `let {name} = …`"));
    }
    match bridge.tools_named(&name) {
        Some(call) => failure.hint(format!("tools are called through `tools`: `{call}`")),
        None => failure,
    }
}

/// Tells whether the failure is at an assignment to the name.
fn is_assigned(name: &str, failure: &Failure, program: &Program) -> bool {
    let file = failure.details.get("file").and_then(|file| file.as_str()).unwrap_or(program.entry());
    let (Some(text), Some(line), Some(column)) = (program.files().get(file), failure.line, failure.column) else {
        return false;
    };
    let line = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
    let at = line.char_indices().nth((column as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let rest = line[at..].strip_prefix(name).unwrap_or_default().trim_start();
    rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>")
}
