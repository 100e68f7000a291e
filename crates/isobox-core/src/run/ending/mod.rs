//! Ends a pass of an execution: records its end, and creates the outcome.

pub(super) mod cancelling;
pub(crate) mod expiry;
pub(crate) mod lifecycle;
mod settling;

use std::time::Duration;

use crate::driver::{GuestError, Returned};
use crate::durable::journaling::Journaling;
use crate::durable::recorder::{Existence, Recorder};
use crate::journal::{Ended, Ending, Entry, JournalState};
use crate::log::add_facts;
use crate::report::kept_details::KeptDetails;
use crate::report::observer::EventKind;
use crate::report::outcome::Account;
use crate::run::calls::ledger::Ledger;
use crate::run::ending::lifecycle::tell_connectors;
use crate::run::explain::explain_refusal;
use crate::run::host::keeps_nothing;
use crate::run::host::setting::Setting;
use crate::run::run_loop::{RunLoop, Stop};
use crate::run::session_use::{leave_session, outage, release_session};
use crate::run::waiting::location::Unfinished;
use crate::snippets::Use;
use crate::store::Error;
use crate::{ExecutionId, Facts, Failure, Log, Outcome, Snapshot};

/// The advice about an execution that the store may not have.
const PERHAPS: &str = "the store has not confirmed the execution: if resuming it fails with `NOT_FOUND`, no call was made, and \
                       the program can be run again";

impl Outcome {
    /// Returns the outcome of an execution that the store may have, for a process that could not find out.
    pub fn unconfirmed(execution_id: ExecutionId, error: Failure) -> Self {
        interrupted(execution_id, Existence::Unknown, error, &JournalState::default(), 0)
    }

    /// Returns the outcome of an execution that the store has, for a process that could not read it.
    pub fn unread(execution_id: ExecutionId, error: Failure) -> Self {
        interrupted(execution_id, Existence::Stored, error, &JournalState::default(), 0)
    }
}

/// The parts of an execution that remain when its program has ended or waits.
pub(super) struct Closing<'a> {
    pub(super) setting: Setting<'a>,
    pub(super) journal: Journaling,
    pub(super) ledger: Ledger,
    pub(super) details: KeptDetails<'a>,
    pub(super) logs: Vec<Log>,
    /// The warnings of the checks before the program ran.
    pub(super) warnings: Vec<String>,
    pub(super) facts: Facts,
    /// The globals that the program left for its session.
    pub(super) left: Option<Snapshot>,
    /// The log messages and facts of the program since its last step.
    pub(super) unfinished: Unfinished,
    /// The runs of snippets that are not counted yet.
    pub(super) uses: Vec<Use>,
}

impl<'a> RunLoop<'a> {
    /// Returns the failure of the program if the engine refused to run it.
    pub(super) async fn explain_refusal(&mut self, error: &GuestError) -> Failure {
        let Setting { host, execution, .. } = self.setting;
        let (driver, clock) = (&*host.driver, &*host.clock);
        explain_refusal(error, &execution.program, &self.program, driver, clock, self.deadline).await
    }

    /// Passes on an answer. After an error this process writes nothing more, so that it sends before what has happened so far:
    /// a call that has settled is then not in doubt when the execution is resumed.
    pub(super) fn heed<T, E>(&mut self, answer: Result<T, E>) -> Result<T, E> {
        // An effect that is only planned would be in doubt.
        if answer.is_err() && self.journal.has_inbox() && !self.effects.is_any_planned() {
            self.journal.send();
        }
        self.journal.heed(answer)
    }

    /// Ends the program.
    pub(super) fn into_closing(self) -> Closing<'a> {
        let Self { setting, location, journal, ledger, details, logs, warnings, facts, left, snippets, .. } = self;
        let unfinished = location.end();
        setting.reporter.tell(&unfinished.logs, &unfinished.facts);
        let uses = snippets.uses;
        Closing { setting, journal, ledger, details, logs, warnings, facts, left, unfinished, uses }
    }
}

impl<'a> Closing<'a> {
    /// Closes an execution that has not begun.
    pub(super) fn of_nothing(setting: Setting<'a>) -> Self {
        let Setting { host, execution, .. } = setting;
        Self {
            setting,
            journal: Journaling::Off,
            ledger: Ledger::new(execution.limits.in_flight),
            details: KeptDetails::new(execution.details, &host.policy, &execution.limits),
            logs: Vec::new(),
            warnings: Vec::new(),
            facts: Facts::new(),
            left: None,
            unfinished: Unfinished::default(),
            uses: Vec::new(),
        }
    }

    /// Records and reports the end of a pass that began at `started`. If the store has another execution with the same
    /// ID, this one had no effect, and nothing is reported.
    pub(super) async fn close(mut self, result: Result<Returned, Stop>, started: Duration) -> Result<Outcome, Error> {
        let Setting { host, reporter, .. } = self.setting;
        if let (false, Some(keeper)) = (self.uses.is_empty(), &host.keeper) {
            keeper.snippets.note(std::mem::take(&mut self.uses));
        }
        let elapsed = host.clock.elapsed().saturating_sub(started);
        let duration = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let (outcome, is_over) = self.finish(result, duration).await?;
        reporter.report(|_| EventKind::Ended { outcome: Box::new(outcome.clone()) });
        tell_connectors(host, &outcome, is_over).await;
        Ok(outcome)
    }

    /// Returns the outcome once it is durable, and whether the execution has ended.
    async fn finish(mut self, result: Result<Returned, Stop>, duration: u64) -> Result<(Outcome, bool), Error> {
        let Setting { host, execution, .. } = self.setting;
        let result = result.map(|returned| returned.after_warnings(std::mem::take(&mut self.warnings)));
        let id = execution.id.clone();
        let recorder = match self.journal {
            Journaling::On(recorder) => recorder,
            Journaling::Off => {
                let (how, mut hints) = match result {
                    Ok(Returned { result, hints, .. }) => (Ending::Completed(result), hints),
                    Err(Stop::Failed(failure) | Stop::Rejected(failure)) => (Ending::Failed(failure), Vec::new()),
                    Err(Stop::Paused) => (Ending::Failed(keeps_nothing()), Vec::new()),
                };
                let has_returned = matches!(how, Ending::Completed(_));
                // The session is in memory, or the execution has not begun because the store fails.
                let patience = Duration::ZERO;
                let not_kept = leave_session(host, execution, self.left, has_returned, patience).await;
                hints.extend(not_kept.unwrap_or_else(|failure| Some(format!("the session was not kept: {failure}"))));
                let (mut logs, mut facts) = (self.logs, self.facts);
                logs.extend(self.unfinished.logs);
                add_facts(&mut facts, self.unfinished.facts);
                let account = Account { logs, facts, calls: self.ledger.into_records(self.details) };
                return Ok((Outcome::ended(id, how, hints, account, duration), true));
            }
        };
        let mut details = self.details;
        let is_rollback = recorder.state().is_rolling_back();
        let (mut how, mut hints) = match result {
            Ok(_) if is_rollback => (Ending::RolledBack(None), Vec::new()),
            Ok(Returned { result, hints, .. }) => (Ending::Completed(result), hints),
            Err(Stop::Failed(failure) | Stop::Rejected(failure)) if is_rollback => {
                (Ending::RolledBack(Some(Box::new(failure))), Vec::new())
            }
            Err(Stop::Failed(failure)) => (Ending::Failed(failure), Vec::new()),
            Err(Stop::Rejected(failure)) => (Ending::Rejected(failure), Vec::new()),
            Err(Stop::Paused) => {
                let mut outcome = Outcome::at_rest(&id, recorder.state(), recorder.due(), &host.policy);
                details.complete_all(&mut outcome);
                return Ok((outcome, false));
            }
        };
        let mut recorder = *recorder;
        // Before the end is recorded: a process that dies in between is followed by one that does it again. After everything
        // else is, because only a stored execution can be followed.
        let is_used = execution.used_globals().is_some() && !is_rollback && !recorder.is_broken();
        let has_returned = matches!(how, Ending::Completed(_));
        if is_used && has_returned {
            let left = match recorder.confirm().await {
                Ok(()) => leave_session(host, execution, self.left, has_returned, outage(host)).await,
                Err(error) => Err(error.into()),
            };
            match left {
                Ok(not_kept) => hints.extend(not_kept),
                // If nothing of the execution is stored, the session is as it was before.
                Err(failure) => {
                    let duration = recorder.worked_before().saturating_add(duration);
                    match recorder.existence().await {
                        Existence::Missing => how = Ending::Failed(failure),
                        existence @ (Existence::Stored | Existence::Unknown) => {
                            let outcome = interrupted(id, existence, failure, recorder.state(), duration);
                            return Ok((outcome, false));
                        }
                    }
                }
            }
        }
        let (mut outcome, is_over) =
            write_end(self.setting, &mut recorder, (how, hints), self.unfinished, duration).await;
        if let Some(error) = recorder.take_collision() {
            return Err(error);
        }
        // Its last step must not be durable without its end.
        if is_used && is_over && !has_returned {
            release_session(host, execution).await;
        }
        details.complete_all(&mut outcome);
        Ok((outcome, is_over))
    }
}

/// Records how an execution ended. If the store has the execution, it has not ended before that record is durable. If
/// the store does not have it, nothing is written.
async fn write_end(
    setting: Setting<'_>,
    recorder: &mut Recorder,
    (how, hints): (Ending, Vec<String>),
    Unfinished { logs, facts }: Unfinished,
    duration: u64,
) -> (Outcome, bool) {
    let Setting { host, execution, .. } = setting;
    let duration = recorder.worked_before().saturating_add(duration);
    let told = |how, hints, state: JournalState, calls| {
        let JournalState { logs, facts, .. } = state;
        Outcome::ended(execution.id.clone(), how, hints, Account { logs, facts, calls }, duration)
    };
    if recorder.is_broken() {
        let outcome = match how {
            Ending::Failed(failure) | Ending::Rejected(failure) => not_over(setting, recorder, failure, duration).await,
            Ending::RolledBack(Some(failure)) => not_over(setting, recorder, *failure, duration).await,
            Ending::Completed(_) | Ending::RolledBack(None) => {
                let state = recorder.take_state();
                let calls = state.records();
                told(how, hints, state, calls)
            }
        };
        return (outcome, false);
    }
    let stopped = match &how {
        Ending::RolledBack(stopped) => Some(stopped.as_deref().cloned()),
        Ending::Completed(_) | Ending::Failed(_) | Ending::Rejected(_) => None,
    };
    let noted = recorder.note(Entry::Ended(Ended { how, logs, facts, hints, duration, at: host.clock.now() }));
    let confirmed = match noted {
        Ok(()) => recorder.confirm().await.map_err(Failure::from),
        Err(failure) => Err(failure),
    };
    match confirmed {
        Ok(()) => {
            let mut state = recorder.take_state();
            if let Some(outcome) = stopped.and_then(|stopped| Outcome::of_rollback(&execution.id, &state, stopped)) {
                return (outcome, true);
            }
            // The reported state of a call depends on whether the execution has ended.
            let calls = state.records();
            let Ended { how, hints, .. } = state.ended.take().expect("the end was recorded above");
            (told(how, hints, state, calls), true)
        }
        Err(failure) => (not_over(setting, recorder, failure, duration).await, false),
    }
}

/// Reports an execution whose end could not be stored.
async fn not_over(setting: Setting<'_>, recorder: &mut Recorder, failure: Failure, duration: u64) -> Outcome {
    let (id, existence) = (setting.execution.id.clone(), recorder.existence().await);
    let mut state = recorder.take_state();
    // The end may be in the state, but is not stored.
    state.ended = None;
    if existence != Existence::Missing {
        return interrupted(id, existence, failure, &state, duration);
    }
    let calls = state.records();
    let JournalState { logs, facts, .. } = state;
    let account = Account { logs, facts, calls };
    let mut outcome = Outcome::ended(id, Ending::Failed(failure), Vec::new(), account, duration);
    outcome.forget_starts();
    outcome
}

/// Reports an execution that the store has or may have, and that can be resumed.
fn interrupted(
    id: ExecutionId,
    existence: Existence,
    failure: Failure,
    state: &JournalState,
    duration: u64,
) -> Outcome {
    let failure = match existence {
        Existence::Stored | Existence::Missing => failure,
        Existence::Unknown => {
            let hint = failure.hint.as_ref().map_or_else(|| PERHAPS.to_owned(), |hint| format!("{hint}; {PERHAPS}"));
            failure.hint(hint)
        }
    };
    Outcome::interrupted(id, failure, state, duration)
}
