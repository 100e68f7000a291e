//! Recorded instructions that no process has applied yet.

use isobox::journal::Instruction;
use isobox::text::without_escapes;
use isobox::{ExecutionId, Paused};

use super::timeline::{one_line, who_decided};
use crate::commands::Commands;

/// Describes the instructions and how to resume the execution.
pub(crate) fn draw(id: &ExecutionId, said: &[Instruction], commands: &Commands) -> String {
    let mut lines: Vec<String> = said.iter().map(in_words).collect();
    lines.push(format!("This is recorded but not applied yet; resume: {}", without_escapes(&commands.resume(id))));
    lines.join("\n")
}

fn in_words(said: &Instruction) -> String {
    match said {
        Instruction::Decision { decision, .. } => who_decided(decision),
        Instruction::Reject { by, reason, .. } => ended(by, "rejected", reason.as_deref()),
        Instruction::Cancel { by, reason, .. } => ended(by, "cancelled", reason.as_deref()),
    }
}

fn ended(by: &str, what: &str, reason: Option<&str>) -> String {
    let reason = reason.map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
    format!("{} {what} the execution{reason}", one_line(by))
}

/// Removes the calls that the instructions already decide.
pub(crate) fn still_open(mut paused: Paused, said: &[Instruction]) -> Paused {
    paused.pending.retain(|call| {
        said.iter().all(|said| match said {
            Instruction::Decision { decision, .. } => decision.seq != call.seq,
            Instruction::Reject { .. } | Instruction::Cancel { .. } => false,
        })
    });
    paused
}
