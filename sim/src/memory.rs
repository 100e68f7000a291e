//! The reference for remembered decisions: which calls may ask for approval, and which use a remembered decision.
//!
//! A decision for an execution applies to every call whose turn comes later: both are in the journal, in order. A
//! decision for a session is sent to the store before it is written to the journal. So a call certainly finds it if its
//! turn comes after it was written, may find it from when it was sent, and cannot find it before. The only uncertain
//! decisions are those of a process that died before writing them, or that no longer held the execution.

use std::collections::BTreeMap;

use isobox_core::journal::{
    CallAsked, CallSettled, Decision, Entry, Question, Remember, Settlement, Verdict, Wanted, decode_batch,
};
use isobox_core::store::{MemoryStore, Part, Store};
use isobox_core::{CallSeq, Code, ExecutionId};

use crate::people::{Spoken, Told, What};
use crate::program::ToolKind;
use crate::store::now;
use crate::timeline::{Moment, Timeline};
use crate::trace::Trace;
use crate::versions::Versions;

/// An execution and the instructions sent to it.
pub struct Story<'a> {
    /// The id of the execution.
    pub id: &'a ExecutionId,
    /// The session of the execution.
    pub session: Option<&'a str>,
    /// The instructions sent to the execution.
    pub sayings: &'a [Spoken],
    /// Whether its first batch is the history of another execution, about which no decision counts.
    pub is_fork: bool,
}

/// Reports calls that asked although a decision was remembered, and calls that used a decision that was never made.
pub fn check(stories: &[Story<'_>], store: &MemoryStore, timeline: &Timeline, versions: &Versions, trace: &Trace) {
    let moments = timeline.moments();
    let journals: Vec<(&Story<'_>, Journal)> =
        stories.iter().filter_map(|story| Some((story, Journal::of(story, store, &moments)?))).collect();
    let lasting: Vec<Lasting> =
        journals.iter().flat_map(|(story, journal)| lasting(story, journal, &moments)).collect();
    for (_, journal) in &journals {
        let follower = Follower { journal, lasting: &lasting, moments: &moments, versions, trace };
        follower.follow();
    }
}

/// The subject of a decision.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Matter {
    path: String,
    input: String,
    definition: String,
}

/// A decision for a session.
struct Lasting {
    session: String,
    matter: Matter,
    verdict: Verdict,
    said: usize,
    written: Option<usize>,
}

/// A journal with the time and the writer of each entry.
struct Journal {
    id: ExecutionId,
    session: Option<String>,
    is_fork: bool,
    entries: Vec<(Entry, usize, u32)>,
    calls: BTreeMap<CallSeq, (String, String)>,
}

impl Journal {
    fn of(story: &Story<'_>, store: &MemoryStore, moments: &[Moment]) -> Option<Self> {
        let stored = now(store.load(story.id, Part::Whole)).ok()?;
        let mut journal = Self {
            id: story.id.clone(),
            session: story.session.map(str::to_owned),
            is_fork: story.is_fork,
            entries: Vec::new(),
            calls: BTreeMap::new(),
        };
        let mut seal = stored.beginning.seal;
        for (number, batch) in stored.batches.iter().enumerate() {
            let entries = decode_batch(store.key(), story.id, &seal, batch).ok()?;
            seal = batch.seal;
            let (at, process) = moments.iter().enumerate().find_map(|(at, moment)| match moment {
                Moment::Written(written) if written.seal == seal => Some((at, written.process)),
                _ => None,
            })?;
            for entry in entries {
                journal.learn_calls(&entry);
                if story.is_fork && number == 0 {
                    continue;
                }
                journal.entries.push((entry, at, process));
            }
        }
        Some(journal)
    }

    fn learn_calls(&mut self, entry: &Entry) {
        let Entry::Step(step) = entry else { return };
        for asked in &step.calls {
            if let Wanted::Tool { path, input, .. } = &asked.what {
                self.calls.insert(asked.seq, (path.clone(), input.get().to_owned()));
            }
        }
    }

    fn matter(&self, seq: CallSeq, definition: String) -> Option<Matter> {
        let (path, input) = self.calls.get(&seq)?.clone();
        Some(Matter { path, input, definition })
    }

    /// Returns the subject of the question at a revision if it asks for approval.
    fn asked_at(&self, wanted: u64) -> Option<Matter> {
        let mut revision = 0;
        self.entries.iter().find_map(|(entry, _, _)| {
            revision += u64::from(matches!(entry, Entry::Asked(_) | Entry::Decided(_)));
            match entry {
                Entry::Asked(CallAsked { seq, question: Question::Approval { definition, .. }, .. })
                    if revision == wanted =>
                {
                    self.matter(*seq, definition.clone())
                }
                _ => None,
            }
        })
    }
}

/// Returns the instructions that apply to a session.
fn lasting(story: &Story<'_>, journal: &Journal, moments: &[Moment]) -> Vec<Lasting> {
    let Some(session) = story.session else { return Vec::new() };
    let said = story.sayings.iter().filter(|spoken| !matches!(spoken.told, Told::Refused(_)));
    said.filter_map(|spoken| {
        let What::Decision { asked, verdict, remember: Remember::Session, .. } = &spoken.what else { return None };
        Some(Lasting {
            session: session.to_owned(),
            matter: journal.asked_at(*asked)?,
            verdict: verdict.clone(),
            said: moments.iter().position(|moment| *moment == Moment::Instruction(spoken.by.clone()))?,
            written: journal.entries.iter().find_map(|(entry, at, _)| match entry {
                Entry::Decided(decided) if spoken.is(&decided.decision) => Some(*at),
                _ => None,
            }),
        })
    })
    .collect()
}

/// Walks through a journal.
struct Follower<'a> {
    journal: &'a Journal,
    lasting: &'a [Lasting],
    moments: &'a [Moment],
    versions: &'a Versions,
    trace: &'a Trace,
}

/// The progress of a call.
#[derive(Default)]
struct Far {
    /// Whether approval was asked for.
    was_asked: bool,
    /// The subject as it was shown in the current question.
    shown: Option<Matter>,
    /// The subject as it was approved, by a person or a remembered decision.
    approved: Option<Matter>,
    /// Whether a person denied the call.
    is_denied: bool,
    /// Whether it was in doubt, and a person has said that it did not happen.
    did_not_happen: bool,
}

impl Follower<'_> {
    fn follow(&self) {
        let mut calls: BTreeMap<CallSeq, Far> = BTreeMap::new();
        let mut remembered: Vec<(Matter, Verdict)> = Vec::new();
        for (entry, at, process) in &self.journal.entries {
            match entry {
                Entry::Asked(CallAsked { seq, question: Question::Approval { definition, .. }, .. }) => {
                    let far = calls.entry(*seq).or_default();
                    let Some(matter) = self.journal.matter(*seq, definition.clone()) else { continue };
                    if far.was_asked || far.approved.is_some() {
                        self.check_asked_again(*seq, far, &matter);
                    } else {
                        let turn = (*seq, *at, *process);
                        self.check_asked(turn, far.did_not_happen, &matter, &remembered);
                    }
                    *far = Far { was_asked: true, shown: Some(matter), ..Far::default() };
                }
                Entry::Decided(decided) => {
                    let Decision { seq, verdict, remember, .. } = &decided.decision;
                    let far = calls.entry(*seq).or_default();
                    far.did_not_happen |= *verdict == Verdict::DidNotHappen;
                    let Some(shown) = far.shown.take() else { continue };
                    if *remember != Remember::Nothing {
                        remembered.push((shown.clone(), verdict.clone()));
                    }
                    match verdict {
                        Verdict::Approve => far.approved = Some(shown),
                        _ => far.is_denied = true,
                    }
                }
                Entry::Started(started) => {
                    let far = calls.entry(started.seq).or_default();
                    let Some(matter) = self.matter_now(started.seq, *process) else { continue };
                    let is_approved = match &far.approved {
                        Some(approved) => *approved == matter,
                        None => !far.was_asked && self.is_remembered(&matter, Wish::Approved, &remembered, *at),
                    };
                    if !is_approved {
                        self.complain(format_args!("call {} started without approval", started.seq));
                    }
                    far.approved = Some(matter);
                }
                Entry::Settled(CallSettled { seq, settlement: Settlement::Failed(failure), .. })
                    if failure.code == Code::ApprovalDenied =>
                {
                    let far = calls.entry(*seq).or_default();
                    let Some(matter) = self.matter_now(*seq, *process) else { continue };
                    let was_asked = far.was_asked;
                    if !far.is_denied && (was_asked || !self.is_remembered(&matter, Wish::Denied, &remembered, *at)) {
                        self.complain(format_args!("call {seq} was denied without a decision"));
                    }
                }
                Entry::Asked(_)
                | Entry::Noted(_)
                | Entry::Settled(_)
                | Entry::Step(_)
                | Entry::Paused(_)
                | Entry::Resumed(_)
                | Entry::Ended(_)
                | Entry::Rollback(_) => {}
            }
        }
    }

    /// Returns the subject of a call that needs approval, as seen by the process that makes it.
    fn matter_now(&self, seq: CallSeq, process: u32) -> Option<Matter> {
        let (path, _) = self.journal.calls.get(&seq)?;
        ToolKind::at(path).filter(|kind| kind.wants_approval())?;
        self.journal.matter(seq, self.versions.definition(process, path))
    }

    /// Checks that a call asks only if no decision is remembered for it.
    fn check_asked(
        &self,
        (seq, at, process): (CallSeq, usize, u32),
        did_not_happen: bool,
        matter: &Matter,
        remembered: &[(Matter, Verdict)],
    ) {
        if remembered.iter().any(|(other, _)| other == matter) {
            self.complain(format_args!("call {seq} asks, although it was decided for the execution"));
        }
        // Of a call that the original of a fork had started, or of a revert that an earlier rollback had started, a person says
        // first whether it happened. The turn of the call was there.
        if self.journal.is_fork || did_not_happen {
            return;
        }
        let Some(turn) = self.turn(seq, at, process) else {
            return self.complain(format_args!("call {seq} asks before its turn"));
        };
        if self.for_session(matter).any(|one| one.written.is_some_and(|written| written < turn)) {
            self.complain(format_args!("call {seq} asks, although it was decided for the session"));
        }
    }

    /// Checks that a call asks again only if the approved subject has changed.
    fn check_asked_again(&self, seq: CallSeq, far: &Far, matter: &Matter) {
        if far.approved.as_ref().is_some_and(|approved| approved != matter) {
            self.trace.count("approval void", format_args!("{} {seq}", self.journal.id));
        } else {
            self.complain(format_args!("call {seq} asks again"));
        }
    }

    /// Tells whether a call that asked no one may use a remembered decision.
    fn is_remembered(&self, matter: &Matter, wish: Wish, remembered: &[(Matter, Verdict)], at: usize) -> bool {
        if let Some((_, verdict)) = remembered.iter().rev().find(|(other, _)| other == matter) {
            self.trace.count("decided for the execution", format_args!("{} {wish:?}", self.journal.id));
            return wish.is(verdict);
        }
        self.trace.count("decided for the session", format_args!("{} {wish:?}", self.journal.id));
        self.for_session(matter).any(|one| one.said < at && wish.is(&one.verdict))
    }

    fn for_session(&self, matter: &Matter) -> impl Iterator<Item = &Lasting> {
        let session = self.journal.session.clone();
        self.lasting.iter().filter(move |one| Some(&one.session) == session.as_ref() && one.matter == *matter)
    }

    /// Returns when the process that wrote the result of a call began to decide about it.
    fn turn(&self, seq: CallSeq, at: usize, process: u32) -> Option<usize> {
        self.moments[..at].iter().rposition(|moment| match moment {
            Moment::Turn(turn) => turn.process == process && turn.execution == self.journal.id && turn.seq == seq,
            Moment::Written(_) | Moment::Granted(_) | Moment::Instruction(_) | Moment::Expiry(_) => false,
        })
    }

    fn complain(&self, what: impl std::fmt::Display) {
        self.trace.violation(format_args!("{what} ({})", self.journal.id));
    }
}

/// The decision that a call needs for its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Approved,
    Denied,
}

impl Wish {
    fn is(self, verdict: &Verdict) -> bool {
        match self {
            Self::Approved => *verdict == Verdict::Approve,
            Self::Denied => matches!(verdict, Verdict::Deny(_)),
        }
    }
}
