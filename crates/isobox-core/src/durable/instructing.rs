//! Sends instructions to an execution that another process may hold.

use crate::durable::resumption::Resumption;
use crate::journal::{Decision, Instruction, JournalState, Verdict, decode_beginning};
use crate::store::{Error, ErrorKind, ExpectedState, Part, Store};
use crate::{ByteSize, Code, ExecutionId, Failure, OwnDecisions, Principal, RequestError, Timestamp};

/// Posts decisions about an execution to its inbox, all of them or none. Once this returns, they take effect as soon as
/// the execution continues.
///
/// Returns `FORBIDDEN` if a principal decides about their own execution and the policy denies that. Returns
/// [`ErrorKind::AlreadyDecided`] if another principal was faster. Only the first decision about a call can be posted: a
/// decision stays in the inbox until the journal has it, and from then on the journal has another revision.
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
        match store.post(id, messages.clone(), ExpectedState::AtRevision(seen)).await {
            // The set of pending calls has changed meanwhile.
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

/// Posts a rejection or a cancellation to the inbox of an execution. Once this returns, it takes effect as soon as the
/// execution continues.
///
/// Returns `FORBIDDEN` if a principal rejects their own execution and the policy denies that, [`ErrorKind::Over`] if
/// the execution has ended, and [`ErrorKind::AlreadyDecided`] if the inbox has another such message.
pub async fn stop(
    store: &dyn Store,
    id: &ExecutionId,
    by: &Principal,
    own: OwnDecisions,
    instruction: &Instruction,
) -> Result<(), RequestError> {
    instruction.check_texts()?;
    let beginning = store.load(id, Part::SinceCheckpoint).await?.beginning;
    // The journal is read only here, so that an execution whose journal was altered can still be ended.
    if let (OwnDecisions::Deny, Instruction::Reject { .. }) = (own, instruction) {
        let owner = decode_beginning(store.key(), id, &beginning)?.principal();
        instruction.check_principal(own, owner.name())?;
    }
    if let Instruction::Reject { .. } = instruction {
        by.bind(store).await?;
    }
    Ok(store.post(id, vec![instruction.message(store.key(), &beginning.seal)?], ExpectedState::Anyhow).await?)
}

/// Returns the revision of an execution if all calls that are decided about are pending.
fn waiting_at(resumption: &Resumption, id: &ExecutionId, decisions: &[Decision]) -> Result<u64, RequestError> {
    let now = &resumption.place.state;
    if now.ended.is_some() {
        let message = format!("execution {id} is over: no call is pending");
        return Err(Error::new(ErrorKind::Over(resumption.head.status), message).into());
    }
    if decisions.iter().any(|decision| now.asked(decision.seq) != Some(decision.asked)) {
        return Err(Error::already_decided(id).into());
    }
    // From the head, which is not sealed: altering the head must not prevent decisions.
    Ok(resumption.head.revision)
}

/// Checks the size of an answer against the limit of tool outputs. The result of a call in doubt is checked as an
/// output when it is delivered to the program.
fn check_size(decision: &Decision, limit: ByteSize) -> Result<(), Failure> {
    let Verdict::Answer(value) = &decision.verdict else { return Ok(()) };
    let size = value.to_string().len();
    if limit.holds(size) {
        return Ok(());
    }
    let message = format!("the answer to call {} is {size} bytes, and the limit is {limit}", decision.seq);
    Err(Failure::new(Code::OutputTooLarge, message).detail("limit", limit.get()).detail("size", size))
}
