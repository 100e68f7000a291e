//! The decisions of a person who knows the case and can look at the world. No I/O.

use isobox::journal::Inspected;
use isobox::journal::{Entry, Remember, Verdict};
use isobox::{CallSeq, ExecutionId, PendingCall, PendingKind, Value};

use crate::{Case, End, Pass, World};

/// The instruction for a paused execution.
#[derive(Debug, PartialEq)]
pub(crate) enum Say {
    /// No instruction: the host has an approver, or a timer goes first.
    Nothing,
    /// Verdicts.
    Verdicts(Vec<(CallSeq, Verdict)>, Remember),
    /// The end of the execution, with a reason.
    End(End, Option<String>),
}

/// Returns the next instruction for pending calls: first all calls in doubt, then the passes in order.
pub(crate) fn next(
    case: &Case,
    world: &World,
    id: &ExecutionId,
    journal: &Inspected,
    pending: &[PendingCall],
) -> Result<Say, String> {
    let doubts = doubts(world, id, pending);
    if !doubts.is_empty() {
        return Ok(Say::Verdicts(doubts, Remember::Nothing));
    }
    let passes = case.all_passes();
    for (number, pass) in passes.iter().enumerate() {
        let is_listed = |call: &PendingCall| pass.pending.iter().any(|(seq, ..)| *seq == call.seq);
        if let Some(end) = pass.end
            && pass.pending.iter().all(|(seq, ..)| pending.iter().any(|call| call.seq == *seq))
        {
            return Ok(Say::End(end, pass.reason.clone()));
        }
        let mut verdicts = Vec::new();
        for call in pending.iter().filter(|call| is_listed(call)) {
            if let Some(verdict) = pass.verdict(call.seq)?
                && decisions_before(&passes[..number], call.seq)? == decisions_in(journal, call.seq)
            {
                verdicts.push((call.seq, verdict));
            }
        }
        if !verdicts.is_empty() {
            return Ok(Say::Verdicts(verdicts, pass.remember));
        }
    }
    let is_asleep = matches!(journal.entries.last(), Some(Entry::Paused(pause)) if pause.until.is_some());
    if case.header.approver.is_some() || is_asleep {
        return Ok(Say::Nothing);
    }
    Err(format!("the case does not decide about {pending:?}"))
}

/// Returns verdicts about calls in doubt: those that took effect, in that order, and then the others.
pub(crate) fn doubts(world: &World, id: &ExecutionId, pending: &[PendingCall]) -> Vec<(CallSeq, Verdict)> {
    let in_doubt = pending.iter().filter(|call| call.kind == PendingKind::InDoubt);
    let mut known: Vec<_> = in_doubt.map(|call| (world.result_of(id, call.seq), call)).collect();
    known.sort_by_key(|(result, _)| result.as_ref().map_or(usize::MAX, |(place, _)| *place));
    let verdict = |(result, call): (Option<(usize, Value)>, &PendingCall)| {
        let verdict = result.map_or(Verdict::DidNotHappen, |(_, result)| Verdict::Happened(result));
        (call.seq, verdict)
    };
    known.into_iter().map(verdict).collect()
}

/// Counts the decisions of passes about a call.
fn decisions_before(passes: &[Pass], seq: CallSeq) -> Result<usize, String> {
    let mut count = 0;
    for pass in passes.iter().filter(|pass| pass.pending.iter().any(|(listed, ..)| *listed == seq)) {
        count += usize::from(pass.verdict(seq)?.is_some());
    }
    Ok(count)
}

/// Counts the journaled decisions about a call, except for doubts.
fn decisions_in(journal: &Inspected, seq: CallSeq) -> usize {
    let is_one = |entry: &&Entry| match entry {
        Entry::Decided(decided) if decided.decision.seq == seq => {
            matches!(decided.decision.verdict, Verdict::Approve | Verdict::Deny(_) | Verdict::Answer(_))
        }
        _ => false,
    };
    journal.entries.iter().filter(is_one).count()
}
