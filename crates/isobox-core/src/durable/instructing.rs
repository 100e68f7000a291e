//! Saying something to an execution that another process may hold.

use crate::durable::resumption::Resumption;
use crate::journal::{Decision, Instruction, JournalState, Verdict, decode_beginning};
use crate::store::{Error, ErrorKind, Expected, Part, Store};
use crate::{ByteSize, Code, ExecutionId, Failure, OwnDecisions, Principal, RequestError, Timestamp};

/// Looks where an execution stands, makes decisions of it, and leaves them in its inbox, all of them or none. When this
/// returns, each of them counts, once the execution goes on.
///
/// `FORBIDDEN` where a principal decides about their own execution and the policy denies that.
/// [`ErrorKind::AlreadyDecided`] where another principal was faster. Their decision is in the inbox until the journal has it, and the journal has another revision from
/// then on: so whatever is left in the inbox at the revision at which all calls were seen to wait, with
/// no other message about them, is the first that anybody has said about them.
pub async fn decide(
    store: &dyn Store,
    id: &ExecutionId,
    by: &Principal,
    (at, own): (Timestamp, OwnDecisions),
    decisions: impl FnOnce(&JournalState) -> Result<Vec<Decision>, Failure>,
) -> Result<(), RequestError> {
    let mut resumption = Resumption::load(store, id).await?;
    let decisions = decisions(&resumption.place.state)?;
    decisions.iter().try_for_each(|decision| check_size(decision, resumption.beginning.limits.durable_value))?;
    let instructions = decisions.iter().map(|decision| Instruction::Decision { decision: decision.clone(), at });
    let owner = resumption.beginning.principal();
    let sealed = |instruction: Instruction| {
        instruction.check_principal(own, owner.name())?;
        instruction.check_texts()?;
        instruction.message(store.key(), &resumption.place.beginning)
    };
    let messages = instructions.map(sealed).collect::<Result<Vec<_>, _>>()?;
    loop {
        let seen = waiting_at(&resumption, id, &decisions)?;
        by.bind(store).await?;
        match store.post(id, messages.clone(), Expected::AtRevision(seen)).await {
            // Something else was asked or decided meanwhile.
            Err(error) if error.kind() == ErrorKind::Changed => {
                resumption = Resumption::load(store, id).await?;
                if resumption.head.revision == seen {
                    return Err(error.into());
                }
            }
            posted => return Ok(posted?),
        }
    }
}

/// Leaves a rejection or a cancellation in the inbox of an execution. When this returns, it counts, once the execution goes on.
///
/// `FORBIDDEN` where a principal rejects their own execution and the policy denies that, [`ErrorKind::Over`] where the execution is
/// over, [`ErrorKind::AlreadyDecided`] where another message ends it already.
pub async fn stop(
    store: &dyn Store,
    id: &ExecutionId,
    by: &Principal,
    own: OwnDecisions,
    instruction: &Instruction,
) -> Result<(), RequestError> {
    instruction.check_texts()?;
    let beginning = store.load(id, Part::SinceCheckpoint).await?.beginning;
    // Only then: an execution whose journal was altered can still be ended.
    if let (OwnDecisions::Deny, Instruction::Reject { .. }) = (own, instruction) {
        let owner = decode_beginning(store.key(), id, &beginning)?.principal();
        instruction.check_principal(own, owner.name())?;
    }
    if let Instruction::Reject { .. } = instruction {
        by.bind(store).await?;
    }
    Ok(store.post(id, vec![instruction.message(store.key(), &beginning.seal)?], Expected::Anyhow).await?)
}

/// The revision at which an execution stands, where all that is decided about still waits.
fn waiting_at(resumption: &Resumption, id: &ExecutionId, decisions: &[Decision]) -> Result<u64, RequestError> {
    let now = &resumption.place.state;
    if now.ended.is_some() {
        let message = format!("execution {id} is over: nothing waits for anybody");
        return Err(Error::new(ErrorKind::Over(resumption.head.status), message).into());
    }
    if decisions.iter().any(|decision| now.asked(decision.seq) != Some(decision.asked)) {
        return Err(Error::already_decided(id).into());
    }
    // As it is in the head, which is not sealed: whoever altered it shall not keep anybody from deciding.
    Ok(resumption.head.revision)
}

/// What a tool asked for is kept like what tools give, and may be as large. What a call is said to have given is its output,
/// and held to that when the program gets it.
fn check_size(decision: &Decision, limit: ByteSize) -> Result<(), Failure> {
    let Verdict::Answer(value) = &decision.verdict else { return Ok(()) };
    let size = value.to_string().len();
    if limit.holds(size) {
        return Ok(());
    }
    let message = format!("what is said about call {} is {size} bytes, and the limit is {limit}", decision.seq);
    Err(Failure::new(Code::OutputTooLarge, message).detail("limit", limit.get()).detail("size", size))
}
