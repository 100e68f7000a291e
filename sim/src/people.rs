//! The people who decide: they look, think, and may act concurrently.

use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox_core::journal::{Decision, Entry, Instruction, Pending, Question, Remember, Verdict};
use isobox_core::store::MemoryStore;
use isobox_core::{
    Approval, ApprovalRequest, Approver, CallSeq, Clock, Code, ExecutionId, Failure, OwnDecisions, Principal,
    Timestamp, decide, inspect, stop,
};
use serde_json::json;

use crate::clock::SimClock;

use crate::random::Random;
use crate::store::{SimStore, now};
use crate::timeline::{Moment, Timeline};
use crate::trace::Trace;
use crate::world::{Seen, World};

/// An instruction of a person and the answer to it.
#[derive(Debug, Clone)]
pub struct Spoken {
    /// The unique name of the person, who gives one instruction, possibly about several calls.
    pub by: String,
    /// The instruction.
    pub what: What,
    /// The time of the instruction.
    pub at: Timestamp,
    /// The answer.
    pub told: Told,
}

impl Spoken {
    /// Tells whether this instruction led to the decision.
    pub fn is(&self, decision: &Decision) -> bool {
        let Decision { seq, asked, verdict, by, remember, .. } = decision.clone();
        (&self.by, &self.what) == (&by, &What::Decision { seq, asked, verdict, remember })
    }
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A verdict about a call.
    Decision {
        /// The call.
        seq: CallSeq,
        /// The revision of the question.
        asked: u64,
        /// The verdict.
        verdict: Verdict,
        /// The scope in which the verdict is remembered.
        remember: Remember,
    },
    /// End the execution because its calls are refused.
    Reject,
    /// End the execution because it is no longer needed.
    Cancel,
}

/// The answer to an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// It is accepted. Records whether a process held the execution then.
    Accepted(Held),
    /// It is refused.
    Refused(Code),
    /// The result is unknown.
    Unknown,
}

/// Whether a live process holds an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// A process holds it.
    Somewhere,
    /// No process holds it. The last holder may come back as long as no other process gets the lease.
    Nowhere {
        /// The number of the last lease of the execution.
        epoch: u64,
        /// The number of ends in the journal so far: of the program, and of rollbacks.
        ends: usize,
    },
}

/// All instructions.
pub type Sayings = Arc<Mutex<Vec<Spoken>>>;

/// A person who decides about an execution.
#[derive(Clone)]
pub struct Person {
    /// The unique name of the person.
    pub name: String,
    /// The execution.
    pub id: ExecutionId,
    /// The store through which the person sends instructions.
    pub store: SimStore,
    /// The real store, to look up whether a process holds the execution.
    pub truth: MemoryStore,
    /// The record of all instructions.
    pub sayings: Sayings,
    /// The clock for the time of the instruction.
    pub clock: SimClock,
    /// The order of the instruction among other events.
    pub timeline: Timeline,
    /// The trace of the world.
    pub trace: Trace,
}

impl Person {
    /// Decides about calls as shown at a revision, as `Isobox::decide` does.
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
        self.sayings.lock().expect("no holder of the lock panics").push(Spoken { by, what, at, told });
    }

    fn held(&self) -> Held {
        let epoch = self.timeline.last_lease(&self.id);
        match now(inspect(&self.truth, &self.id)) {
            Ok(inspected) if inspected.is_held || inspected.state.ended.is_some() => Held::Somewhere,
            Ok(inspected) => {
                let ends = inspected.entries.iter().filter(|entry| matches!(entry, Entry::Ended(_))).count();
                Held::Nowhere { epoch, ends }
            }
            Err(_) => Held::Nowhere { epoch, ends: 0 },
        }
    }
}

/// The approver of the host: decides after a while, and postpones some calls.
pub struct OnTheSpot {
    /// The clock.
    pub clock: SimClock,
    /// The source of its decisions.
    pub random: Mutex<Random>,
    /// The trace of the world.
    pub trace: Trace,
}

/// The name of the approver in journals.
pub const ON_THE_SPOT: &str = "the host's approver";

impl Approver for OnTheSpot {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        let mut random = self.random.lock().expect("no holder of the lock panics");
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

/// Returns the verdict of a person who can look at the world. `attempts` are the call and, for a revert, those of the same
/// call in earlier rollbacks. Returns `None` if it is too early.
pub fn verdict(
    random: &mut Random,
    world: &World,
    id: &ExecutionId,
    attempts: &[CallSeq],
    pending: &Pending,
) -> Option<Verdict> {
    let seen: Vec<Seen> = attempts.iter().map(|seq| world.seen(&format!("{id}:{seq}"))).collect();
    let effects: usize = seen.iter().map(|seen| seen.effects).sum();
    let value = seen.iter().find_map(|seen| seen.gave.filter(|_| seen.effects > 0)?.ok());
    Some(match &pending.question {
        Question::Approval { .. } if random.percent(80) => Verdict::Approve,
        Question::Approval { .. } => Verdict::Deny(None),
        Question::Interrupt { .. } if random.percent(85) => Verdict::Answer(json!({ "token": 1 })),
        Question::Interrupt { .. } => Verdict::Deny(Some("no".to_owned())),
        // A process that counts as dead may still be making the call.
        Question::InDoubt if seen.iter().any(|seen| seen.under_way > 0) => return None,
        Question::InDoubt => match (effects, value) {
            _ if random.percent(12) => Verdict::Fail(None),
            (0, _) => Verdict::DidNotHappen,
            (_, Some(value)) => Verdict::Happened(json!(value)),
            (_, None) => Verdict::Fail(Some("it broke".to_owned())),
        },
    })
}
