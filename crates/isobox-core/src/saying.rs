//! Saying something to an execution that another process may hold.

use futures_util::future::try_join_all;

use crate::journal::{Decision, Entry, Said};
use crate::resumption::{inspect, standing};
use crate::store::Store;
use crate::store::failures::already_said;
use crate::{Code, ExecutionId, Failure};

/// Leaves decisions in the inbox of an execution. When this returns, each of them counts, once the execution goes on.
///
/// `CONFLICT` where somebody else was faster. That they were is seen in the inbox until their decision is in the journal,
/// and from then on in the journal: so it is looked at once more after all was said. Whoever contradicts themselves has said
/// nothing.
pub async fn post_decisions(store: &dyn Store, id: &ExecutionId, decisions: &[Decision]) -> Result<(), Failure> {
    let message = |decision: &Decision| Said::Decision(decision.clone()).message(store.key(), id);
    let decisions = without_repetitions(decisions, id)?;
    let said = decisions.iter().copied().map(message).collect::<Result<Vec<_>, _>>()?;
    // Handed over together, they take one flush.
    try_join_all(said.into_iter().map(|message| store.post(id, message)).collect::<Vec<_>>()).await?;
    let now = standing(store, id).await?;
    if decisions.iter().all(|decision| now.asked(decision.seq) == Some(decision.asked)) && now.ended.is_none() {
        return Ok(());
    }
    let inspected = inspect(store, id).await?;
    for decision in decisions {
        let about_the_same = inspected.entries.iter().find_map(|entry| match entry {
            Entry::Decided(decided) => {
                Some(&decided.decision).filter(|other| (other.seq, other.asked) == (decision.seq, decision.asked))
            }
            _ => None,
        });
        match about_the_same {
            Some(other) if other != decision => return Err(already_said(id)),
            Some(_) => {}
            None if inspected.standing.ended.is_some() => {
                return Err(Failure::new(Code::Conflict, format!("execution {id} is over: nothing waits for anybody")));
            }
            None => {}
        }
    }
    Ok(())
}

/// What is said twice counts once; otherwise the second would be refused, and the first would count all the same.
fn without_repetitions<'d>(decisions: &'d [Decision], id: &ExecutionId) -> Result<Vec<&'d Decision>, Failure> {
    let mut different: Vec<&Decision> = Vec::new();
    for decision in decisions {
        match different.iter().find(|other| (other.seq, other.asked) == (decision.seq, decision.asked)) {
            Some(other) if *other == decision => {}
            Some(_) => {
                let message = format!("call {} of execution {id} is decided about in two ways at once", decision.seq);
                return Err(Failure::new(Code::Conflict, message).hint("decide about each call once"));
            }
            None => different.push(decision),
        }
    }
    Ok(different)
}
