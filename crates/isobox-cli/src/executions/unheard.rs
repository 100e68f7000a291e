//! Decisions that are recorded, and that no process has taken up.

use isobox::journal::Said;
use isobox::{ExecutionId, Paused};

use super::timeline::{one_line, who_decided};
use crate::commands::Commands;

/// Says it, and how to go on.
pub(crate) fn draw(id: &ExecutionId, said: &[Said], commands: &Commands) -> String {
    let mut lines: Vec<String> = said.iter().map(in_words).collect();
    lines.push(format!("This is recorded, and the execution has not gone on since; go on: {}", commands.resume(id)));
    lines.join("\n")
}

fn in_words(said: &Said) -> String {
    match said {
        Said::Decision { decision, .. } => who_decided(decision),
        Said::Reject { by, reason: None, .. } => format!("{} rejected the execution", one_line(by)),
        Said::Reject { by, reason: Some(reason), .. } => {
            format!("{} rejected the execution: {}", one_line(by), one_line(reason))
        }
    }
}

/// What of it can still be decided.
pub(crate) fn still_open(mut paused: Paused, said: &[Said]) -> Paused {
    paused.pending.retain(|call| {
        said.iter().all(|said| match said {
            Said::Decision { decision, .. } => decision.seq != call.seq,
            Said::Reject { .. } => false,
        })
    });
    paused
}
