//! Advice about an execution that is held.

use isobox::Failure;

use crate::commands::Commands;

/// Adds the commands that decide about an execution that is held since its store was restored. The failure itself names
/// none, because models read it too.
pub(crate) fn advise_held(failure: Failure, id: &str, commands: &Commands) -> Failure {
    let hint = failure.hint.as_ref().map(|hint| format!("{hint}; ")).unwrap_or_default();
    let (reject, resume) = (commands.named("reject", id), commands.named("resume", id));
    failure.hint(format!("{hint}then end it: {reject}, or resume it: {resume} --restored"))
}
