//! Decisions about calls of an execution.

use isobox_core::journal::{Decision, Instruction, JournalState, Remember, Verdict};
use isobox_core::{CallSeq, ConflictKind, ExecutionId, Failure, Principal, Timestamp};

/// Decisions about calls of one execution. Either all of them count or none.
#[derive(Debug, Clone)]
pub struct Decisions {
    shown: Option<u64>,
    about: About,
    pub(crate) by: Principal,
    reason: Option<String>,
    remember: Remember,
}

#[derive(Debug, Clone)]
enum About {
    All(Verdict),
    Calls(Vec<CallDecision>),
}

/// A decision about one call.
#[derive(Debug, Clone)]
pub struct CallDecision {
    /// The number of the call.
    pub seq: CallSeq,
    /// The verdict.
    pub verdict: Verdict,
    /// The revision at which the call was shown. Defaults to that of the other decisions.
    pub revision: Option<u64>,
    /// The reason for the journal. Defaults to that of the other decisions.
    pub reason: Option<String>,
}

impl CallDecision {
    /// Creates a decision about a call.
    pub fn new(seq: CallSeq, verdict: Verdict) -> Self {
        Self { seq, verdict, revision: None, reason: None }
    }
}

impl Decisions {
    /// Creates decisions from verdicts of a principal. A name alone is a principal that the host vouches for.
    pub fn new(by: impl Into<Principal>, verdicts: impl IntoIterator<Item = (CallSeq, Verdict)>) -> Self {
        Self::of(by, verdicts.into_iter().map(|(seq, verdict)| CallDecision::new(seq, verdict)))
    }

    /// Creates decisions with individual revisions and reasons.
    pub fn of(by: impl Into<Principal>, decisions: impl IntoIterator<Item = CallDecision>) -> Self {
        let about = About::Calls(decisions.into_iter().collect());
        Self { shown: None, about, by: by.into(), reason: None, remember: Remember::Nothing }
    }

    /// Applies a verdict to all calls that were pending at a revision. `CONFLICT` if they have changed since.
    pub fn about_all(by: impl Into<Principal>, revision: u64, verdict: Verdict) -> Self {
        let about = About::All(verdict);
        Self { shown: Some(revision), about, by: by.into(), reason: None, remember: Remember::Nothing }
    }

    /// Sets the revision that was shown. `CONFLICT` if one of the calls has changed since.
    #[must_use]
    pub fn shown_at(mut self, revision: u64) -> Self {
        self.shown = Some(revision);
        self
    }

    /// Sets the reason for later readers of the journal. The verdict contains the reason that the program may read.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Applies the decisions to further calls of the same tools with the same inputs.
    #[must_use]
    pub fn remember(mut self, remember: Remember) -> Self {
        self.remember = remember;
        self
    }

    /// Tells whether every decision names the revision at which its call was shown.
    #[cfg(feature = "continuations")]
    pub(crate) fn name_revision(&self) -> bool {
        self.shown.is_some()
            || matches!(&self.about, About::Calls(calls) if calls.iter().all(|call| call.revision.is_some()))
    }

    /// Returns the first of these messages that decides about one of the same calls, or ends the execution.
    pub(crate) fn anticipated_by<'s>(&self, said: &'s [Instruction]) -> Option<&'s Instruction> {
        said.iter().find(|said| match (said, &self.about) {
            (Instruction::Reject { .. } | Instruction::Cancel { .. }, _)
            | (Instruction::Decision { .. }, About::All(_)) => true,
            (Instruction::Decision { decision, .. }, About::Calls(calls)) => {
                calls.iter().any(|call| call.seq == decision.seq)
            }
        })
    }

    /// Returns the decision about each call, for an execution in this state.
    pub(crate) fn about(
        self,
        id: &ExecutionId,
        state: &JournalState,
        now: Timestamp,
    ) -> Result<Vec<Decision>, Failure> {
        let Self { shown, about, by, reason, remember } = self;
        let calls = match about {
            About::Calls(calls) => calls,
            About::All(verdict) => {
                if shown != Some(state.revision) {
                    let message =
                        format!("the pending calls have changed: the execution is at revision {}", state.revision);
                    return Err(
                        Failure::conflict(ConflictKind::Changed, message).hint("look at the pending calls again")
                    );
                }
                state.pending().map(|(call, _)| CallDecision::new(call.seq, verdict.clone())).collect()
            }
        };
        if calls.is_empty() {
            return Err(Failure::conflict(ConflictKind::NotPending, format!("no call is pending in execution {id}")));
        }
        let shown = shown.unwrap_or(state.revision);
        let mut decisions: Vec<Decision> = Vec::new();
        for CallDecision { seq, verdict, revision, reason: own_reason } in calls {
            if decisions.iter().any(|decision| decision.seq == seq) {
                let message = format!("there are two decisions about call {seq}");
                return Err(Failure::conflict(ConflictKind::WrongDecision, message));
            }
            let asked = state.check_verdict(seq, revision.unwrap_or(shown), &verdict, now)?;
            let reason = own_reason.or_else(|| reason.clone());
            decisions.push(Decision { seq, asked, verdict, by: by.name().to_owned(), reason, remember });
        }
        Ok(decisions)
    }
}

/// Refuses a decision because an earlier one is still in the inbox. The message names the principal and what to do.
pub(crate) fn already_decided(id: &ExecutionId, said: &Instruction) -> Failure {
    let (by, what) = match said {
        Instruction::Reject { by, .. } => (by, "rejected it".to_owned()),
        Instruction::Cancel { by, .. } => (by, "cancelled it".to_owned()),
        Instruction::Decision { decision, .. } => (&decision.by, decision.verdict.in_words(decision.seq)),
    };
    let message =
        format!("{by} has already {what}: the decision is recorded, and execution {id} has not continued since");
    Failure::conflict(ConflictKind::AlreadyDecided, message)
        .hint("resume the execution: that carries out the decision")
        .detail("decidedBy", by.as_str())
}
