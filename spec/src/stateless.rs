//! Runs a case without a store: each of its pauses is a text, and each pass runs in another runtime.

use isobox::store::{Filter, memory_store};
use isobox::{CancellationToken, Continuations, Continue, Outcome, Paused};

use crate::durably::{compare_rest, decisions, new_session};
use crate::process::{Moves, Process};
use crate::runtime::{cancel_after_polls, run_of};
use crate::saved::save_snippets;
use crate::{Caller, Case, Diary, Fate, Pass, World, compare, with_caller};

/// The secret of all runtimes.
const SECRET: [u8; 32] = [7; 32];

/// Tells why a case cannot be carried through its pauses as a text, if it cannot.
pub fn cannot_be_carried(case: &Case) -> Option<&'static str> {
    let header = &case.header;
    let has = |what: fn(&Pass) -> bool| header.passes.iter().any(what);
    let reasons = [
        (header.passes.is_empty(), "does not pause"),
        (header.differs_kept.is_some(), "needs not to be kept"),
        (header.capacity.is_some(), "needs a runtime that others use"),
        (header.session.is_some(), "needs the globals of a session"),
        (has(|pass| pass.crash), "needs a journal that survives its process"),
        (has(|pass| pass.sleeps), "needs something that wakes it"),
        (has(|pass| pass.end.is_some()), "needs a store in which it is ended"),
    ];
    reasons.into_iter().find_map(|(applies, reason)| applies.then_some(reason))
}

/// Runs a case to its end or to the first difference.
pub async fn run_statelessly(case: &Case) -> Result<(), String> {
    // It has the snippets, and remembers the used texts.
    let store = memory_store();
    save_snippets(case, &store).await?;
    let (world, diary) = (World::default(), Diary::default());
    let start = || Process::start(case, &store, &world, &diary, &Fate::endless(), Moves::AsItRests);
    let keys = || Continuations::new(&SECRET).map_err(|failure| failure.to_string());
    let caller = Caller { gives_up: CancellationToken::new(), dies: None };
    let mut process = start()?;
    let (run, begun_with) = (run_of(case, &caller.gives_up)?.session(new_session()), keys()?);
    let running = Box::pin(process.isobox.run_stateless(run, &begun_with));
    let cancelled = cancel_after_polls(case.header.cancel_after_polls, &caller.gives_up, running);
    let mut outcome = with_caller(caller.clone(), cancelled).await;
    for (number, pass) in case.header.passes.iter().enumerate() {
        let problem = |problem| format!("{}\npass {}: {problem}", case.header.title, number + 1);
        let Outcome::Paused(paused) = &outcome else {
            return Err(problem(format!("expected a pause, not {outcome:?}")));
        };
        compare_rest(pass, paused).map_err(problem)?;
        tokio::time::sleep(pass.takes()?).await;
        let Paused { execution_id: id, continuation, .. } = paused;
        let text = continuation.as_ref().ok_or("the pause has no continuation")?;
        let answer = Continue::decided(id, decisions(pass, paused));
        process = start()?;
        let keys = keys()?;
        let continued = Box::pin(process.isobox.resume_stateless(text, &keys, answer));
        let continued = with_caller(caller.clone(), continued).await;
        outcome = continued.unwrap_or_else(|failure| Outcome::refused(id.clone(), failure));
    }
    compare(case, &outcome)?;
    diary.compare(case)?;
    let kept = process.isobox.executions(Filter::newest(1)).await.map_err(|failure| failure.to_string())?;
    if let Some(kept) = kept.executions.first() {
        return Err(format!("the store keeps execution {}", kept.id));
    }
    let repeated = world.repeated(outcome.execution_id());
    if repeated.is_empty() { Ok(()) } else { Err(repeated.join("\n")) }
}
