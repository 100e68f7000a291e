//! Falsifies one entry of a journal before it is verified, to check that the verifier notices.

use std::collections::BTreeMap;

use isobox_core::journal::{Entry, Settlement, SnippetStarted, StepTaken, Wanted};
use isobox_core::{CallSeq, Code, Failure, Timestamp};
use serde_json::value::to_raw_value;

/// What a journal falsely says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Falsehood {
    /// A revert gave another result.
    RevertGaveAnother,
    /// A revert that succeeded has failed.
    RevertFailed,
    /// A revert that has settled has not.
    RevertIsOpen,
    /// The reverts were planned in another order.
    RevertsInAnotherOrder,
    /// A timer fired before its time.
    TimerIsEarly,
    /// A timer fired twice.
    TimerFiredTwice,
    /// A timer that fired did not.
    TimerNeverFired,
    /// A snippet that returned has failed, or the other way round.
    SnippetEndedOtherwise,
    /// A snippet that has ended runs.
    SnippetNeverEnded,
    /// A call runs another snippet.
    AnotherSnippetRan,
    /// A snippet got another input.
    SnippetGotAnotherInput,
    /// A call of a snippet gave another result.
    CallOfSnippetGaveAnother,
    /// A fork took over another result.
    ForkTookOverAnother,
    /// A fork took over a result less.
    ForkLeftOut,
    /// A fork made a call again whose result it took over.
    ForkMadeAgain,
}

impl Falsehood {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::RevertGaveAnother,
        Self::RevertFailed,
        Self::RevertIsOpen,
        Self::RevertsInAnotherOrder,
        Self::TimerIsEarly,
        Self::TimerFiredTwice,
        Self::TimerNeverFired,
        Self::SnippetEndedOtherwise,
        Self::SnippetNeverEnded,
        Self::AnotherSnippetRan,
        Self::SnippetGotAnotherInput,
        Self::CallOfSnippetGaveAnother,
        Self::ForkTookOverAnother,
        Self::ForkLeftOut,
        Self::ForkMadeAgain,
    ];

    /// Falsifies the first entry that can be. Returns whether there was one. `inherited` are the calls whose results a fork
    /// takes over.
    pub fn falsify(self, entries: &mut Vec<Entry>, inherited: &[CallSeq], has_jumped: bool) -> bool {
        match self {
            Self::RevertGaveAnother => change_result(in_rollbacks(entries)),
            Self::RevertFailed => {
                let failed = || Settlement::Failed(Box::new(Failure::new(Code::Tool, "it broke")));
                first_result(in_rollbacks(entries)).map(|settlement| *settlement = failed()).is_some()
            }
            Self::RevertIsOpen => {
                let begins = entries.iter().position(|entry| matches!(entry, Entry::Rollback(_)));
                remove(entries, |place, entry| begins.is_some_and(|begins| place > begins) && has_result(entry))
            }
            Self::RevertsInAnotherOrder => {
                let plan = entries.iter_mut().find_map(|entry| match entry {
                    Entry::Rollback(plan) if plan.reverts.len() > 1 => Some(plan),
                    _ => None,
                });
                plan.map(|plan| plan.reverts.reverse()).is_some()
            }
            // If the time of day was set, timers may be early.
            Self::TimerIsEarly => {
                !has_jumped && change_timer(entries, |step, _, due| step.clock = Timestamp(due.0 - 1))
            }
            Self::TimerFiredTwice => change_timer(entries, |step, seq, _| step.answers.push(seq)),
            Self::TimerNeverFired => change_timer(entries, |step, seq, _| step.answers.retain(|answer| *answer != seq)),
            Self::SnippetEndedOtherwise => change_step(entries, |step| {
                let failure = || Box::new(Failure::new(Code::Thrown, "it threw"));
                let ended = step.ended.first_mut()?;
                ended.failure = if ended.failure.is_some() { None } else { Some(failure()) };
                Some(())
            }),
            // What happened in the last step of a program may be missing.
            Self::SnippetNeverEnded => {
                let last =
                    entries.iter().rposition(|entry| matches!(entry, Entry::Step(step) if !step.ended.is_empty()));
                let steps_after = |last: usize| {
                    let program = entries[last + 1..].iter().take_while(|entry| !matches!(entry, Entry::Rollback(_)));
                    program.filter(|entry| matches!(entry, Entry::Step(_))).count()
                };
                let last = last.filter(|last| steps_after(*last) > 0);
                last.is_some_and(|last| change_step(&mut entries[last..=last], |step| step.ended.pop().map(drop)))
            }
            Self::AnotherSnippetRan => change_snippet(entries, |started| started.name.push('x')),
            Self::SnippetGotAnotherInput => change_snippet(entries, |started| {
                started.input = to_raw_value(&serde_json::json!({ "id": "x", "a": 0 })).expect("it is JSON");
            }),
            Self::CallOfSnippetGaveAnother => change_result(
                entries
                    .iter_mut()
                    .filter(|entry| matches!(entry, Entry::Settled(settled) if settled.seq.parent().is_some())),
            ),
            Self::ForkTookOverAnother => change_result(entries.iter_mut().filter(|entry| took_over(entry, inherited))),
            Self::ForkLeftOut => remove(entries, |_, entry| took_over(entry, inherited) && has_result(entry)),
            Self::ForkMadeAgain => {
                let started = entries.iter().find_map(|entry| match entry {
                    Entry::Started(started) if inherited.contains(&started.seq) => Some(entry.clone()),
                    _ => None,
                });
                started.map(|started| entries.push(started)).is_some()
            }
        }
    }
}

/// Changes the first step in which one timer fired, and its program told so.
fn change_timer(entries: &mut [Entry], change: impl FnOnce(&mut StepTaken, CallSeq, Timestamp)) -> bool {
    let mut due: BTreeMap<CallSeq, Timestamp> = BTreeMap::new();
    for step in entries.iter_mut().filter_map(step_of) {
        let mut fired = step.answers.iter().filter_map(|seq| Some((*seq, *due.get(seq)?)));
        let is_told = step.logs.iter().any(|log| log.message.ends_with('!'));
        if let (Some((seq, due)), None, true) = (fired.next(), fired.next(), is_told) {
            change(step, seq, due);
            return true;
        }
        for asked in &step.calls {
            if let Wanted::Timer(delay) = asked.what {
                due.insert(asked.seq, Timestamp(step.clock.0.saturating_add(delay)));
            }
        }
    }
    false
}

fn step_of(entry: &mut Entry) -> Option<&mut StepTaken> {
    match entry {
        Entry::Step(step) => Some(step),
        _ => None,
    }
}

fn change_step(entries: &mut [Entry], change: impl Fn(&mut StepTaken) -> Option<()>) -> bool {
    entries.iter_mut().filter_map(step_of).any(|step| change(step).is_some())
}

fn change_snippet(entries: &mut [Entry], change: impl FnOnce(&mut SnippetStarted)) -> bool {
    let started = entries.iter_mut().find_map(|entry| match entry {
        Entry::Settled(settled) => match &mut settled.settlement {
            Settlement::Snippet(started) => Some(started),
            _ => None,
        },
        _ => None,
    });
    started.map(|started| change(started)).is_some()
}

fn in_rollbacks(entries: &mut [Entry]) -> impl Iterator<Item = &mut Entry> {
    entries.iter_mut().skip_while(|entry| !matches!(entry, Entry::Rollback(_)))
}

fn has_result(entry: &Entry) -> bool {
    matches!(entry, Entry::Settled(settled) if matches!(settled.settlement, Settlement::Result(_)))
}

fn first_result<'e>(mut entries: impl Iterator<Item = &'e mut Entry>) -> Option<&'e mut Settlement> {
    entries.find_map(|entry| match entry {
        Entry::Settled(settled) if matches!(settled.settlement, Settlement::Result(_)) => Some(&mut settled.settlement),
        _ => None,
    })
}

/// Changes the first result, which is a number.
fn change_result<'e>(entries: impl Iterator<Item = &'e mut Entry>) -> bool {
    let Some(settlement) = first_result(entries) else { return false };
    let Settlement::Result(json) = settlement else { return false };
    let number: u64 = json.get().parse().unwrap_or_default();
    *settlement = Settlement::Result(to_raw_value(&(number + 1)).expect("it is JSON"));
    true
}

fn remove(entries: &mut Vec<Entry>, is_wanted: impl Fn(usize, &Entry) -> bool) -> bool {
    let place = entries.iter().enumerate().position(|(place, entry)| is_wanted(place, entry));
    place.map(|place| entries.remove(place)).is_some()
}

fn took_over(entry: &Entry, inherited: &[CallSeq]) -> bool {
    matches!(entry, Entry::Settled(settled) if inherited.contains(&settled.seq))
}
