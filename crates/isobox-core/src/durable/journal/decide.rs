//! Checks whether a decision about an execution is valid, by its journal. No I/O and no clock.

use serde::{Deserialize, Serialize};

use super::{CallProgress, Decision, JournalCall, JournalState, Pending, Question, Seal, StoreKey, Verdict};
use crate::json::{MAX_DEPTH, is_within_depth};
use crate::store::Message;
use crate::{ByteSize, CallSeq, Code, ConflictKind, Failure, OwnDecisions, Timestamp};

/// The maximum length of a reason. People read it, and programs whose calls are denied.
const LONGEST_REASON: ByteSize = ByteSize::kib(16);
/// The maximum length of a principal's name.
const LONGEST_NAME: ByteSize = ByteSize::kib(1);

/// The purpose in the seal of messages.
const PURPOSE: &[u8] = b"said to ";

/// An instruction to an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Instruction {
    /// Decides about a call.
    Decision {
        /// The decision.
        decision: Decision,
        /// The time of the decision.
        at: Timestamp,
    },
    /// Ends the execution because a person refuses what the program is about to do.
    Reject {
        /// The name of the principal.
        by: String,
        /// The reason.
        reason: Option<String>,
        /// The time of the rejection.
        at: Timestamp,
    },
    /// Ends the execution because it is no longer wanted.
    Cancel {
        /// The name of the principal.
        by: String,
        /// The reason.
        reason: Option<String>,
        /// The time of the cancellation.
        at: Timestamp,
    },
}

impl Instruction {
    /// Returns the time of the instruction, by the clock of its sender.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Decision { at, .. } | Self::Reject { at, .. } | Self::Cancel { at, .. } => *at,
        }
    }

    /// Tells whether the instruction ends the execution.
    pub fn is_end(&self) -> bool {
        match self {
            Self::Reject { .. } | Self::Cancel { .. } => true,
            Self::Decision { .. } => false,
        }
    }

    /// Refuses decisions and rejections by the principal that runs the execution, if the policy denies them.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the policy denies the instruction.
    pub fn check_principal(&self, own: OwnDecisions, owner: &str) -> Result<(), Failure> {
        match self {
            Self::Decision { decision: Decision { by, .. }, .. } | Self::Reject { by, .. } => own.check(by, owner),
            Self::Cancel { .. } => Ok(()),
        }
    }

    /// Refuses a name or a reason that is too long.
    pub fn check_texts(&self) -> Result<(), Failure> {
        let (by, reasons) = match self {
            Self::Decision { decision: Decision { by, reason, verdict, .. }, .. } => {
                let told = match verdict {
                    Verdict::Deny(told) | Verdict::Fail(told) => told.as_deref(),
                    Verdict::Approve | Verdict::Answer(_) | Verdict::Happened(_) | Verdict::DidNotHappen => None,
                };
                (by, [reason.as_deref(), told])
            }
            Self::Reject { by, reason, .. } | Self::Cancel { by, reason, .. } => (by, [reason.as_deref(), None]),
        };
        check_text("name of the principal", by, LONGEST_NAME)?;
        reasons.into_iter().flatten().try_for_each(|reason| check_text("reason", reason, LONGEST_REASON))
    }

    /// Makes a message for the inbox of an execution, sealed with the key of the store and for this beginning. Write
    /// access to the database is therefore not enough to decide. A message to another execution is not valid either,
    /// not even to an earlier one with the same ID. Two decisions about the same question have the same key.
    pub fn message(&self, key: &StoreKey, beginning: &Seal) -> Result<Message, Failure> {
        let about = match self {
            Self::Decision { decision, .. } => format!("{}:{}", decision.seq, decision.asked),
            // Rejection and cancellation share a key: either ends the execution.
            Self::Reject { .. } | Self::Cancel { .. } => "reject".to_owned(),
        };
        let bytes = serde_json::to_vec(self)
            .map_err(|error| Failure::new(Code::Serialization, format!("the decision cannot be written: {error}")))?;
        Ok(Message { key: about, bytes: key.sealed(&[PURPOSE, beginning], &bytes) })
    }

    /// Reads a message to the execution with this beginning. Returns none if the instruction is unknown, or if the
    /// message was sealed with another key or for another execution.
    pub fn of(message: &Message, key: &StoreKey, beginning: &Seal) -> Option<Self> {
        serde_json::from_slice(key.opened(&[PURPOSE, beginning], &message.bytes)?).ok()
    }
}

fn check_text(what: &str, text: &str, limit: ByteSize) -> Result<(), Failure> {
    if limit.holds(text.len()) {
        return Ok(());
    }
    let message = format!("the {what} is {} bytes long, and the limit is {limit}", text.len());
    Err(Failure::new(Code::InputTooLarge, message).detail("limit", limit.get()).detail("size", text.len()))
}

impl JournalState {
    /// Checks a verdict that is given now on what was shown at revision `shown`. Returns the revision at which the call
    /// became pending.
    pub fn check_verdict(&self, seq: CallSeq, shown: u64, verdict: &Verdict, now: Timestamp) -> Result<u64, Failure> {
        let Some(call) = self.call(seq) else {
            return Err(Failure::new(Code::NotFound, format!("the execution has no call {seq}")));
        };
        if self.is_closed(seq) {
            let message = format!("call {seq} (`{}`) is one of the program, which has ended", call.path);
            return Err(Failure::conflict(ConflictKind::NotPending, message)
                .hint("a rollback is under way: decide about its calls"));
        }
        let CallProgress::Pending(pending) = &call.progress else {
            let message = format!("call {seq} (`{}`) {}", call.path, call.how_far());
            return Err(Failure::conflict(ConflictKind::NotPending, message));
        };
        if !(pending.asked..=self.revision).contains(&shown) {
            let message = format!(
                "the pending calls have changed: revision {shown} was shown, and the execution is at {}",
                self.revision
            );
            return Err(
                Failure::conflict(ConflictKind::Changed, message).hint("look at the pending calls again, then decide")
            );
        }
        if let Verdict::Answer(value) | Verdict::Happened(value) = verdict
            && !is_within_depth(value)
        {
            let message = format!("the answer to call {seq} is nested deeper than {MAX_DEPTH} levels");
            return Err(Failure::new(Code::Serialization, message));
        }
        let (fits, expected) = match (&pending.question, verdict) {
            (Question::Approval { .. }, Verdict::Approve | Verdict::Deny(_)) => (true, ""),
            (Question::Approval { .. }, _) => (false, "approval: approve or deny it"),
            (Question::Interrupt { .. }, Verdict::Answer(_) | Verdict::Deny(_)) => (true, ""),
            (Question::Interrupt { .. }, _) => (false, "an answer: resolve it with one, or deny it"),
            (Question::InDoubt, Verdict::Happened(_) | Verdict::DidNotHappen | Verdict::Fail(_)) => (true, ""),
            (Question::InDoubt, _) => {
                (false, "a decision whether it happened: resolve it as happened, as not happened, or as failed")
            }
        };
        if fits {
            check_time(call, pending, verdict, now)?;
            return Ok(pending.asked);
        }
        let message = format!("call {seq} (`{}`) is waiting for {expected}", call.path);
        Err(Failure::conflict(ConflictKind::WrongDecision, message))
    }
}

/// Refuses a verdict that comes too early: a call that another process may still be making is not made again.
fn check_time(call: &JournalCall, pending: &Pending, verdict: &Verdict, now: Timestamp) -> Result<(), Failure> {
    let Some(not_before) = pending.not_before.filter(|moment| now < *moment) else { return Ok(()) };
    match verdict {
        Verdict::DidNotHappen => {
            let (seq, path, left) = (call.seq, &call.path, (not_before.0 - now.0).div_ceil(1000));
            let message = format!(
                "call {seq} (`{path}`) may still take effect: the process that started it may be slow rather than dead; \
                 `did not happen` is accepted in {left} s"
            );
            Err(Failure::conflict(ConflictKind::TooEarly, message)
                .hint("wait, check whether it happened, then resolve it; `happened` and `fail` are accepted now")
                .detail("notBefore", not_before.0))
        }
        Verdict::Approve | Verdict::Deny(_) | Verdict::Answer(_) | Verdict::Happened(_) | Verdict::Fail(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reject(by: &str) -> Instruction {
        Instruction::Reject { by: by.to_owned(), reason: Some("no".to_owned()), at: Timestamp(7) }
    }

    fn cancel(by: &str) -> Instruction {
        Instruction::Cancel { by: by.to_owned(), reason: Some("no".to_owned()), at: Timestamp(7) }
    }

    #[test]
    fn messages_keep_their_tags() {
        let content = json!({ "by": "ada", "reason": "no", "at": 7 });
        assert_eq!(json!(reject("ada")), json!({ "reject": content }));
        assert_eq!(json!(cancel("ada")), json!({ "cancel": content }));
        assert_eq!(
            serde_json::from_value::<Instruction>(json!({ "reject": content })).expect("the instruction is valid"),
            reject("ada")
        );
        assert_eq!(
            serde_json::from_value::<Instruction>(json!({ "cancel": content })).expect("the instruction is valid"),
            cancel("ada")
        );
    }

    #[test]
    fn an_execution_has_one_message_that_ends_it() {
        let key = StoreKey::new([1; 32]);
        let key_of = |instruction: &Instruction| instruction.message(&key, &[2; 32]).expect("it can be written").key;
        assert_eq!(key_of(&reject("ada")), key_of(&cancel("bob")));
    }

    #[test]
    fn a_message_is_for_the_execution_with_one_beginning() {
        let key = StoreKey::new([1; 32]);
        let message = reject("ada").message(&key, &[2; 32]).expect("it can be written");
        assert_eq!(Instruction::of(&message, &key, &[2; 32]), Some(reject("ada")));
        assert_eq!(Instruction::of(&message, &key, &[3; 32]), None);
        assert_eq!(Instruction::of(&message, &StoreKey::new([9; 32]), &[2; 32]), None);
    }

    #[test]
    fn an_owner_may_cancel_where_they_may_not_decide() {
        let check = |instruction: &Instruction| {
            instruction.check_principal(OwnDecisions::Deny, "ada").map_err(|failure| failure.code)
        };
        let approve = |by: &str| Instruction::Decision {
            decision: Decision {
                seq: CallSeq::new(0),
                asked: 1,
                verdict: Verdict::Approve,
                by: by.to_owned(),
                reason: None,
                remember: crate::journal::Remember::Nothing,
            },
            at: Timestamp(7),
        };
        assert_eq!((check(&approve("ada")), check(&approve("bob"))), (Err(Code::Forbidden), Ok(())));
        assert_eq!((check(&reject("ada")), check(&reject("bob"))), (Err(Code::Forbidden), Ok(())));
        assert_eq!((check(&cancel("ada")), check(&cancel("bob"))), (Ok(()), Ok(())));
    }
}
