//! What people have decided about executions that nobody has gone on with since.

use std::collections::HashSet;

use isobox::journal::Said;
use isobox::store::{Listed, Status};
use isobox::{ExecutionId, Failure, Isobox, Paused};

use super::timeline::{one_line, who_decided};
use crate::commands::Commands;

/// Says it, and how to go on.
pub(crate) fn draw(id: &ExecutionId, said: &[Said], commands: &Commands) -> String {
    let mut lines: Vec<String> = said.iter().map(in_words).collect();
    lines.push(format!("Nobody has gone on with it since; go on: {}", commands.resume(id)));
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
            Said::Decision { decision, .. } => decision.seq.to_string() != call.seq,
            Said::Reject { .. } => false,
        })
    });
    paused
}

/// Which of them wait for nobody any more but for whoever goes on.
pub(crate) async fn decided(archive: &Isobox, listed: &[Listed]) -> Result<HashSet<ExecutionId>, Failure> {
    let mut decided = HashSet::new();
    for Listed { id, head, is_held, .. } in listed {
        if head.status == Status::Paused && !is_held && !archive.said(id).await?.is_empty() {
            decided.insert(id.clone());
        }
    }
    Ok(decided)
}
