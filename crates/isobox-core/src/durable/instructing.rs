//! Sends instructions to an execution that another process may hold.

use crate::durable::resumption::{Inspected, Resumption, inspect};
use crate::journal::{Decision, Ending, Entry, Instruction, JournalState, Verdict, decode_beginning};
use crate::store::{Error, ErrorKind, ExpectedState, Message, Part, Store};
use crate::{ByteSize, Code, ExecutionId, Failure, OwnDecisions, Principal, RequestError, Timestamp};

/// The number of times that messages are posted to a store that does not confirm them.
const ATTEMPTS: u32 = 3;

/// Posts decisions about an execution to its inbox, all of them or none. Once this returns, they take effect as soon as
/// the execution continues. After an error none of them counts, unless it [is unconfirmed](Failure::is_unconfirmed).
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
    let said: Vec<Instruction> = instructions.collect();
    let owner = resumption.beginning.principal();
    let sealed = |instruction: &Instruction| {
        instruction.check_principal(own, owner.name())?;
        instruction.check_texts()?;
        instruction.message(store.key(), &resumption.place.beginning)
    };
    let messages = said.iter().map(sealed).collect::<Result<Vec<_>, _>>()?;
    loop {
        let seen = waiting_at(&resumption, id, &decisions)?;
        by.bind(store).await?;
        match post(store, id, (&said, &messages), &ExpectedState::AtRevision(seen)).await {
            // The set of pending calls has changed meanwhile.
            Err(error) if error.store_kind() == Some(ErrorKind::Changed) => {
                resumption = Resumption::load(store, id).await?;
                if resumption.head.revision == seen {
                    return Err(error);
                }
            }
            posted => return posted,
        }
    }
}

/// Posts a rejection or a cancellation to the inbox of an execution. Once this returns, it takes effect as soon as the
/// execution continues.
///
/// Returns `FORBIDDEN` if a principal rejects their own execution and the policy denies that, [`ErrorKind::Over`] if
/// the execution has ended, and [`ErrorKind::AlreadyDecided`] if the inbox has another such message. After an error
/// nothing is posted, unless it [is unconfirmed](Failure::is_unconfirmed).
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
    let message = instruction.message(store.key(), &beginning.seal)?;
    post(store, id, (std::slice::from_ref(instruction), &[message]), &ExpectedState::Anyhow).await
}

/// Posts the messages of instructions. A store that fails may have them nevertheless: they are posted again, and are
/// recognised if they are there.
async fn post(
    store: &dyn Store,
    id: &ExecutionId,
    (said, messages): (&[Instruction], &[Message]),
    state: &ExpectedState,
) -> Result<(), RequestError> {
    let (mut attempts, mut earlier) = (1, None);
    loop {
        match store.post(id, messages.to_vec(), state.clone()).await {
            Ok(()) => return Ok(()),
            Err(refused) if refused.kind().is_refusal() => {
                // Without an earlier attempt, the message in the inbox is one of another caller.
                let Some(earlier) = earlier else { return Err(refused.into()) };
                return match is_recorded(store, id, said, messages).await {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(refused.into()),
                    Err(error) if error.kind().is_refusal() => Err(refused.into()),
                    Err(_) => Err(unconfirmed(earlier)),
                };
            }
            Err(error) if error.kind() == ErrorKind::Unavailable && attempts < ATTEMPTS => {
                attempts += 1;
                earlier = Some(error);
            }
            Err(error) => return Err(unconfirmed(error)),
        }
    }
}

/// Tells whether each message is in the inbox, or was carried out. A message leaves the inbox in the transaction that
/// adds it to the journal, so the inbox is read first.
async fn is_recorded(
    store: &dyn Store,
    id: &ExecutionId,
    said: &[Instruction],
    messages: &[Message],
) -> Result<bool, Error> {
    let inbox = store.inbox(id).await?;
    if messages.iter().all(|message| inbox.contains(message)) {
        return Ok(true);
    }
    let journal = inspect(store, id).await?;
    let mut both = said.iter().zip(messages);
    Ok(both.all(|(instruction, message)| inbox.contains(message) || is_carried_out(instruction, &journal)))
}

fn is_carried_out(instruction: &Instruction, journal: &Inspected) -> bool {
    // The end of the program, or that of the last rollback.
    let mut latest = journal.entries.iter().rev();
    let last = latest.find_map(|entry| if let Entry::Ended(ended) = entry { Some(&ended.how) } else { None });
    let failure = last.filter(|_| journal.state.ended.is_some()).and_then(|how| match how {
        Ending::Failed(failure) | Ending::Rejected(failure) => Some(failure),
        Ending::RolledBack(stopped) => stopped.as_deref(),
        Ending::Completed(_) => None,
    });
    let has_ended = |code: Code, by: &str| {
        let is_by = |failure: &Failure| failure.details.get("by").is_some_and(|name| *name == *by);
        failure.is_some_and(|failure| failure.code == code && is_by(failure))
    };
    match instruction {
        Instruction::Decision { decision, .. } => {
            let is_same = |entry: &Entry| matches!(entry, Entry::Decided(decided) if decided.decision == *decision);
            journal.entries.iter().any(is_same)
        }
        Instruction::Reject { by, .. } => has_ended(Code::Rejected, by),
        Instruction::Cancel { by, .. } => has_ended(Code::Aborted, by),
    }
}

/// Reports that the store may have messages that it has not confirmed.
fn unconfirmed(error: Error) -> RequestError {
    const LOOK: &str = "look at the execution before it is resumed: what was recorded takes effect then";
    let failure = Failure::from(error);
    let message = format!("it is not known whether the decision was recorded: {}", failure.message);
    let hint = failure.hint.as_ref().map_or_else(|| LOOK.to_owned(), |hint| format!("{hint}; {LOOK}"));
    Failure { message, ..failure }.hint(hint).unconfirmed().into()
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
