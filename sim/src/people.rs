//! Those outside who decide: they look, they think, and they may all speak at once.

use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox_core::journal::{Decision, Entry, Instruction, Pending, Question, Remember, Verdict};
use isobox_core::store::MemoryStore;
use isobox_core::{
    Approval, ApprovalRequest, Approver, CallSeq, Clock, Code, ExecutionId, Failure, Inspected, OwnDecisions,
    Principal, Timestamp, decide, inspect, stop,
};
use serde_json::json;

use crate::clock::SimClock;

use crate::random::Random;
use crate::store::{SimStore, now};
use crate::timeline::{Moment, Timeline};
use crate::trace::Trace;
use crate::world::World;

/// Something that somebody said, and what they were told.
#[derive(Debug, Clone)]
pub struct Spoken {
    /// Who; nobody speaks twice, but about several calls at once.
    pub by: String,
    /// What.
    pub what: What,
    /// When.
    pub at: Timestamp,
    /// What came of it.
    pub told: Told,
}

impl Spoken {
    /// Whether this is what was said when this was decided.
    pub fn is(&self, decision: &Decision) -> bool {
        let Decision { seq, asked, verdict, by, remember, .. } = decision.clone();
        (&self.by, &self.what) == (&by, &What::Decision { seq, asked, verdict, remember })
    }
}

/// What was said.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A verdict about a call.
    Decision {
        /// Which.
        seq: CallSeq,
        /// The revision at which it was asked about.
        asked: u64,
        /// What.
        verdict: Verdict,
        /// For how much more it is to hold.
        remember: Remember,
    },
    /// That the execution ends: what it wants to do is refused.
    Reject,
    /// That the execution ends: it is no longer wanted.
    Cancel,
}

/// What somebody was told who had spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// That it counts; and whether a process held the execution then.
    Accepted(Held),
    /// That it does not.
    Refused(Code),
    /// Nothing: nobody knows.
    Unknown,
}

/// Whether a living process holds an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// One does.
    Somewhere,
    /// None does. The process that held it last may come back as long as no other has resumed it: so often it was resumed until
    /// then.
    Nowhere {
        /// Counts the resumptions in its journal.
        resumptions: usize,
    },
}

/// All that was said.
pub type Sayings = Arc<Mutex<Vec<Spoken>>>;

/// One who decides about an execution.
#[derive(Clone)]
pub struct Person {
    /// A name of their own.
    pub name: String,
    /// The execution.
    pub id: ExecutionId,
    /// How they speak to it.
    pub store: SimStore,
    /// Where they look up whether somebody holds it.
    pub truth: MemoryStore,
    /// Where it is written down.
    pub sayings: Sayings,
    /// By which they say when.
    pub clock: SimClock,
    /// When it was said, among other things.
    pub timeline: Timeline,
    /// What happens.
    pub trace: Trace,
}

impl Person {
    /// Decides about calls, on what was shown at a revision; as `Isobox::decide` does.
    pub async fn decide(self, verdicts: Vec<(CallSeq, Verdict)>, remember: Remember, shown: Option<u64>) {
        let (mut said, at, by) = (None, self.clock.now(), Principal::host());
        let answer = decide(&self.store, &self.id, &by, (at, OwnDecisions::Allow), |state| {
            let shown = shown.unwrap_or(state.revision);
            let of = |(seq, verdict)| {
                let (asked, by) = (state.check_verdict(seq, shown, &verdict, at)?, self.name.clone());
                Ok(Decision { seq, asked, verdict, by, reason: None, remember })
            };
            let decisions = verdicts.into_iter().map(of).collect::<Result<Vec<_>, Failure>>()?;
            self.timeline.note(Moment::Instruction(self.name.clone()));
            said = Some(decisions.clone());
            Ok(decisions)
        });
        match (answer.await.map_err(Failure::from), said) {
            (answer, Some(decisions)) => {
                for Decision { seq, asked, verdict, remember, .. } in decisions {
                    self.hear(What::Decision { seq, asked, verdict, remember }, at, &answer);
                }
            }
            (Err(Failure { code: Code::Store, .. }), None) => {
                self.trace.line(format_args!("{} sees nothing", self.name));
            }
            (Err(failure), None) => {
                self.trace.count("decision refused", format_args!("{}: {}", self.name, failure.code));
            }
            (Ok(()), None) => unreachable!("something was said"),
        }
    }

    /// Rejects the execution, as `Isobox::reject` does.
    pub async fn reject(self) {
        let (by, at) = (self.name.clone(), self.clock.now());
        self.end(What::Reject, at, Instruction::Reject { by, reason: None, at }).await;
    }

    /// Cancels the execution, as `Isobox::cancel` does.
    pub async fn cancel(self) {
        let (by, at) = (self.name.clone(), self.clock.now());
        self.end(What::Cancel, at, Instruction::Cancel { by, reason: None, at }).await;
    }

    async fn end(self, what: What, at: Timestamp, said: Instruction) {
        let answer = stop(&self.store, &self.id, &Principal::host(), OwnDecisions::Allow, &said).await;
        self.hear(what, at, &answer.map_err(Failure::from));
    }

    fn hear(&self, what: What, at: Timestamp, answer: &Result<(), Failure>) {
        let told = match answer {
            Ok(()) => Told::Accepted(self.held()),
            Err(Failure { code: Code::Store, .. }) => Told::Unknown,
            Err(failure) => Told::Refused(failure.code),
        };
        let by = self.name.clone();
        let kind = match told {
            Told::Accepted(_) => "decision accepted",
            Told::Refused(_) => "decision refused",
            Told::Unknown => "decision unknown",
        };
        self.trace.count(kind, format_args!("{} says {what:?}: {told:?}", self.name));
        self.sayings.lock().expect("nobody panics while holding it").push(Spoken { by, what, at, told });
    }

    fn held(&self) -> Held {
        match now(inspect(&self.truth, &self.id)) {
            Ok(inspected) if inspected.is_held || inspected.state.ended.is_some() => Held::Somewhere,
            Ok(inspected) => Held::Nowhere { resumptions: resumptions(&inspected) },
            Err(_) => Held::Nowhere { resumptions: 0 },
        }
    }
}

/// Counts how often an execution was resumed.
pub fn resumptions(inspected: &Inspected) -> usize {
    inspected.entries.iter().filter(|entry| matches!(entry, Entry::Resumed(_))).count()
}

/// Who is asked on the spot: thinks for a while, and leaves some things to others.
pub struct OnTheSpot {
    /// Time.
    pub clock: SimClock,
    /// What they will say.
    pub random: Mutex<Random>,
    /// What happens.
    pub trace: Trace,
}

/// How journals name them.
pub const ON_THE_SPOT: &str = "the host's approver";

impl Approver for OnTheSpot {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        let mut random = self.random.lock().expect("nobody panics while holding it");
        let (thinks, answer) = (random.below(2_000), random.below(10));
        let (clock, trace) = (self.clock.clone(), self.trace.clone());
        async move {
            clock.sleep(thinks).await;
            let approval = match answer {
                0..6 => Approval::Approved,
                6..8 => Approval::Denied(None),
                _ => Approval::Postponed,
            };
            trace.count("decided on the spot", format_args!("{} {approval:?}", request.seq));
            approval
        }
        .boxed()
    }
}

/// What somebody would say who can look at the world; none where it is too early.
pub fn verdict(
    random: &mut Random,
    world: &World,
    id: &ExecutionId,
    seq: CallSeq,
    pending: &Pending,
) -> Option<Verdict> {
    let seen = world.seen(&format!("{id}:{seq}"));
    Some(match &pending.question {
        Question::Approval { .. } if random.percent(80) => Verdict::Approve,
        Question::Approval { .. } => Verdict::Deny(None),
        Question::Interrupt { .. } if random.percent(85) => Verdict::Answer(json!({ "token": 1 })),
        Question::Interrupt { .. } => Verdict::Deny(Some("no".to_owned())),
        // A process that was given up may still be at it.
        Question::InDoubt if seen.under_way > 0 => return None,
        Question::InDoubt => match (seen.effects, seen.gave) {
            _ if random.percent(12) => Verdict::Fail(None),
            (0, _) => Verdict::DidNotHappen,
            (_, Some(Ok(value))) => Verdict::Happened(json!(value)),
            (_, _) => Verdict::Fail(Some("it broke".to_owned())),
        },
    })
}
