//! `isobox mcp`: serves code mode over the configured servers to the MCP client that started this process.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use isobox::connector::Ready;
use isobox::events::{Contents, Event, EventKind, Label, Observer};
use isobox::policy::Right;
use isobox::text::{CHARACTERS_PER_TOKEN, answer_json, answer_text, marked};
use isobox::tools::BriefingOptions;
use isobox::workspace::{Freshness, Workspace};
use isobox::{
    ByteSize, CancellationToken, Code, ConflictKind, ExecutionId, Failure, Isobox, Outcome, Paused, Principal, Run,
    Value, demo, json,
};
use isobox::{Resume, Resumed};
use isobox_server::{CodeMode, Executed, ProgressSender, serve_stdio, take_blocks};
use tokio::sync::RwLock;

use crate::Exit;
use crate::arguments::McpOptions;
use crate::deciding::user;
use crate::notices::Told;
use crate::progress::progress_line;
use crate::questions::{Reference, asks, question_of};
use crate::retention::keep_house;
use crate::setting::{Needs, Wanted, open_store, read_config_and_store, workspace_options};
use crate::signals::EndSignals;
use crate::trust::Asks;

pub(crate) fn mcp(options: &McpOptions) -> Result<Exit> {
    let wanted =
        Wanted { file: options.config.as_deref(), is_trusted: options.trust, needs: Needs::Servers, asks: Asks::Never };
    let config = read_config_and_store(wanted, options.store.as_deref())?;
    let is_demo = options.demo;
    let tools = move || if is_demo { demo::tools() } else { Ok(Vec::new()) };
    let workspace = Arc::new(Workspace::with_tools(config, workspace_options(Freshness::Quick), tools)?);
    let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let running = Arc::<RwLock<()>>::default();
    let housekeeping = Arc::<tokio::sync::Mutex<()>>::default();
    let door = Door {
        workspace: Arc::clone(&workspace),
        roles: options.roles.clone(),
        session: options.session.clone(),
        told: Mutex::default(),
        housekeeping: Arc::clone(&housekeeping),
        running: Arc::clone(&running),
    };
    let served = executor.block_on(async {
        // The list of tools depends on the store, and a client should learn at once if the store does not work.
        door.keep_house(&open_store(&workspace).await?);
        let mut signals = EndSignals::listen()?;
        let kept = Arc::clone(&workspace);
        tokio::spawn(async move { kept.keep_fresh().await });
        let scheduler = workspace.start_scheduler().await?;
        let served = tokio::select! {
            // Boxed because the type of the future is too long for the compiler.
            served = Box::pin(serve_stdio(door)) => served,
            _ = signals.next() => Ok(()),
        };
        drop(scheduler);
        // Lets a running cleanup finish.
        drop(tokio::time::timeout(PATIENCE, housekeeping.lock()).await);
        // The client is gone, and its executions can be resumed. Releases them at once if none runs here any more.
        if tokio::time::timeout(PATIENCE, running.write()).await.is_ok() {
            workspace.let_go().await;
        }
        workspace.close().await;
        anyhow::Ok(served)
    });
    // Futures that still wait for a program must not keep the process alive, because the client is gone.
    executor.shutdown_background();
    served?.map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(Exit::Completed)
}

/// The maximum time for which the answer to a call waits while its program sleeps. Clients give up after a minute.
const SLEEP: Duration = Duration::from_secs(20);

/// The maximum time to wait for running programs and for the cleanup.
const PATIENCE: Duration = Duration::from_secs(2);

struct Door {
    workspace: Arc<Workspace>,
    roles: Vec<String>,
    session: Option<String>,
    /// The problems and warnings that were last reported.
    told: Mutex<Told>,
    /// Locked while old executions are removed.
    housekeeping: Arc<tokio::sync::Mutex<()>>,
    /// Read-locked while a program runs. The write lock is granted only when none runs.
    running: Arc<RwLock<()>>,
}

impl Door {
    async fn ready(&self) -> Result<Ready, Failure> {
        let ready = self.workspace.durable().await?;
        self.told.lock().unwrap_or_else(PoisonError::into_inner).tell_news(&ready);
        Ok(ready)
    }

    /// Returns the runtime, or an error if the client cancels before it is ready.
    async fn runtime(
        &self,
        cancellation: &CancellationToken,
        progress: Option<ProgressSender>,
    ) -> Result<Isobox, Failure> {
        let ready = tokio::select! {
            ready = self.ready() => ready?,
            () = cancellation.cancelled() => {
                return Err(Failure::new(Code::Aborted, "the client cancelled the call"));
            }
        };
        Ok(match progress {
            Some(progress) => ready.isobox.observed_by(Forwarder(progress), Contents::Progress),
            None => ready.isobox,
        })
    }

    /// Builds the answer that the model reads.
    fn shown(&self, isobox: &Isobox, outcome: &Outcome) -> Executed {
        let mut shown = isobox.for_model(outcome, &Label::default());
        let mut blocks = Vec::new();
        if let Outcome::Completed(completed) = &*shown {
            let mut result = completed.result.clone();
            blocks = take_blocks(&mut result);
            if !blocks.is_empty() {
                let mut completed = completed.clone();
                completed.result = result;
                shown = Cow::Owned(Outcome::Completed(completed));
            }
        }
        let options = &self.workspace.config().answer;
        let (mut text, structured) = (answer_text(&shown, options), answer_json(&shown, options));
        if let Outcome::Paused(paused) = &*shown {
            text.push_str(&format!("\n\n{}", what_to_do(paused)));
        }
        if let Outcome::Sleeping(sleeping) = &*shown {
            let id = &sleeping.execution_id;
            text.push_str(&format!(
                "\n\nCall `resume` with {{ \"executionId\": \"{id}\" }} then to collect its outcome."
            ));
        }
        if let Outcome::Interrupted(interrupted) = &*shown {
            let id = &interrupted.execution_id;
            text.push_str(&format!("\n\nCall `resume` with {{ \"executionId\": \"{id}\" }} in a minute."));
        }
        // A pause, a sleep or an interruption is not an error: a model would run its program again.
        let is_error = !matches!(
            *shown,
            Outcome::Completed(_) | Outcome::Paused(_) | Outcome::Sleeping(_) | Outcome::Interrupted(_)
        );
        let question = match outcome {
            Outcome::Paused(paused) => question_of(paused),
            _ => None,
        };
        Executed { text, outcome: structured, blocks, is_error, question }
    }

    /// Removes old executions in the background.
    fn keep_house(&self, isobox: &Isobox) {
        if let Ok(alone) = Arc::clone(&self.housekeeping).try_lock_owned() {
            let (isobox, retention) = (isobox.clone(), self.workspace.config().retention);
            tokio::spawn(async move {
                keep_house(&isobox, &retention).await;
                drop(alone);
            });
        }
    }
}

/// Tells the model what to do about a pause. Leaves out the commands that decide, because the model must not run them.
fn what_to_do(paused: &Paused) -> String {
    let id = &paused.execution_id;
    format!(
        "You cannot decide this; a person decides at their own terminal. Tell them that execution {id} is waiting for a \
         decision, and call `resume` with {{ \"executionId\": \"{id}\" }} after they have decided."
    )
}

fn refused(failure: &Failure) -> Executed {
    Executed {
        outcome: json!({ "error": failure }),
        text: marked(&failure.to_string()),
        is_error: true,
        ..Executed::default()
    }
}

/// Answers that an execution cannot be resumed now. It has not ended: a model that takes this for the end runs the program
/// again, and its calls with it.
fn not_collected(id: &ExecutionId, failure: &Failure) -> Executed {
    if failure.code == Code::NotFound {
        return refused(failure);
    }
    let hint = failure.hint.as_ref().map(|hint| format!("\nhint: {}", marked(hint))).unwrap_or_default();
    Executed {
        outcome: json!({ "status": "interrupted", "executionId": id, "error": failure }),
        text: format!(
            "Execution {id} cannot be resumed now: {}{hint}\nIts program may have made calls already. Do not run it again: \
             call `resume` with {{ \"executionId\": \"{id}\" }} in a minute. If the answer is the same then, tell the user.",
            marked(&failure.to_string())
        ),
        ..Executed::default()
    }
}

/// The maximum number of tokens for the modules of the host in the description.
const MODULES: usize = 1000;

impl CodeMode for Door {
    async fn describe(&self) -> String {
        match self.ready().await {
            Ok(ready) => {
                let isobox = &ready.isobox;
                let options = BriefingOptions::default().modules(isobox.modules().described(MODULES));
                isobox.briefing(&options, &self.roles).await
            }
            Err(failure) => {
                format!("Runs a program, but its tools are not available: {}", marked(&failure.to_string()))
            }
        }
    }

    async fn changed(&self) {
        self.workspace.changed().await;
    }

    async fn execute(
        &self,
        code: String,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> Executed {
        let isobox = match self.runtime(&cancellation, progress).await {
            Ok(isobox) => isobox,
            Err(failure) => return refused(&failure),
        };
        let summary = self.workspace.config().answer.calls.as_ref();
        let details = summary.map(|summary| summary.details).unwrap_or_default();
        let label = Label::default().function("mcp".to_owned());
        // A model may run programs but not decide about calls.
        let principal = Principal::named(user()).with_roles(self.roles.iter().cloned()).with_rights(Right::Run);
        let mut run = Run::from(code).details(details).label(label).principal(principal.clone());
        run = run.cancelled_by(cancellation.clone());
        if isobox.keeps_executions() {
            run = run.durable();
        }
        if let Some(session) = &self.session {
            run = run.session(session);
        }
        let _running = self.running.read().await;
        let outcome = isobox.run(run).await;
        let outcome = self.sleep_through(&isobox, outcome, principal, cancellation).await;
        self.keep_house(&isobox);
        self.shown(&isobox, &outcome)
    }

    async fn plan(&self, code: String, cancellation: CancellationToken) -> Executed {
        let isobox = match self.runtime(&cancellation, None).await {
            Ok(isobox) => isobox,
            Err(failure) => return refused(&failure),
        };
        let principal = Principal::named(user()).with_roles(self.roles.iter().cloned()).with_rights(Right::Run);
        let plan = isobox.plan(Run::from(code).cancelled_by(cancellation).principal(principal)).await;
        let budget = self.workspace.config().answer.result.saturating_mul(CHARACTERS_PER_TOKEN);
        let outcome = serde_json::to_value(&plan).unwrap_or_default();
        let fits = outcome.to_string().len() <= budget;
        let outcome = if fits { outcome } else { json!({ "status": plan.status, "truncated": true }) };
        Executed { outcome, text: plan.in_words(budget), is_error: plan.is_failed(), ..Executed::default() }
    }

    /// Allows for a program in which every character is escaped.
    fn max_message(&self) -> ByteSize {
        const ESCAPED: u64 = 6;
        let source = self.workspace.config().limits.source.get();
        ByteSize::bytes(ByteSize::mib(4).get().saturating_add(source.saturating_mul(ESCAPED)))
    }

    fn can_pause(&self) -> bool {
        self.workspace.config().store.keeps_executions()
    }

    async fn resume(
        &self,
        execution: String,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> Executed {
        // Only the complete id is accepted: it proves that the caller was given the execution.
        let id: ExecutionId = match execution.parse() {
            Ok(id) => id,
            Err(error) => return refused(&Failure::new(Code::NotFound, format!("{error}"))),
        };
        match self.runtime(&cancellation, progress).await {
            Ok(isobox) => self.collect(&isobox, &id, cancellation).await,
            Err(failure) => not_collected(&id, &failure),
        }
    }

    async fn answer(
        &self,
        reference: String,
        answer: Value,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> Executed {
        let Some(Reference { id, seq, revision }) = Reference::read(&reference) else {
            return refused(&Failure::new(Code::NotFound, "no question has this reference"));
        };
        let isobox = match self.runtime(&cancellation, progress).await {
            Ok(isobox) => isobox,
            Err(failure) => return not_collected(&id, &failure),
        };
        let passed_on = match isobox.pending(&id).await {
            Ok(paused) if asks(&paused, seq) => isobox.pass_on(&id, (seq, revision), answer, user().as_str()).await,
            Ok(_) => {
                Err(Failure::conflict(ConflictKind::NotPending, format!("call {seq} is not waiting for an answer")))
            }
            Err(failure) => Err(failure),
        };
        let executed = self.collect(&isobox, &id, cancellation).await;
        match passed_on {
            Ok(()) => executed,
            // The question is not asked again: the answer to it cannot be used.
            Err(failure) => {
                let what = match failure.is_unconfirmed() {
                    true => "It is not known whether the answer was used",
                    false => "The answer was not used",
                };
                let text = format!("{}\n\n{what}: {}", executed.text, marked(&failure.to_string()));
                Executed { text, question: None, ..executed }
            }
        }
    }

    async fn search(&self, query: String, limit: Option<usize>) -> Value {
        match self.ready().await {
            Ok(ready) => {
                let isobox = &ready.isobox;
                let limit = limit.unwrap_or(isobox::tools::Catalogue::DEFAULT_RESULTS);
                serde_json::to_value(isobox.find(&query, limit, &self.roles).await).unwrap_or(Value::Null)
            }
            Err(failure) => json!({ "results": [], "total": 0, "truncated": false, "problem": failure.message }),
        }
    }
}

impl Door {
    /// Waits for a program that sleeps for a short while. A program whose call the client cancels does not wake again.
    async fn sleep_through(
        &self,
        isobox: &Isobox,
        outcome: Outcome,
        principal: Principal,
        cancellation: CancellationToken,
    ) -> Outcome {
        if !matches!(outcome, Outcome::Sleeping(_)) {
            return outcome;
        }
        let id = outcome.execution_id().clone();
        let (asleep, resume) =
            (Resumed::Here(Box::new(outcome.clone())), Resume::default().cancelled_by(cancellation.clone()));
        let woken = isobox.sleep_through(asleep, resume, SLEEP, &cancellation, |_| {}).await;
        if cancellation.is_cancelled() {
            let cancelled = isobox.cancel(&id, principal, Some("the client cancelled the call")).await;
            if cancelled.is_ok()
                && let Ok(Resumed::Here(ended)) = isobox.see_ended(&id, &CancellationToken::new()).await
            {
                return *ended;
            }
        }
        match woken {
            Ok(Resumed::Here(outcome)) => *outcome,
            // Its state is told by the next `resume`.
            Ok(Resumed::Elsewhere) | Err(_) => outcome,
        }
    }

    /// Returns the outcome of a paused execution. Continues it if a person has decided.
    async fn collect(&self, isobox: &Isobox, id: &ExecutionId, cancellation: CancellationToken) -> Executed {
        let _running = self.running.read().await;
        let resume = Resume::default().only_if_decided().abandoned_by(cancellation.clone());
        let collected = match isobox.resume(id, resume.clone()).await {
            Ok(collected) => isobox.sleep_through(collected, resume, SLEEP, &cancellation, |_| {}).await,
            Err(failure) => Err(failure),
        };
        match collected {
            Ok(Resumed::Here(outcome)) => {
                self.keep_house(isobox);
                self.shown(isobox, &outcome)
            }
            Ok(Resumed::Elsewhere) => Executed {
                outcome: json!({ "status": "running", "executionId": id }),
                text: format!("Execution {id} is running. Call `resume` again later."),
                ..Executed::default()
            },
            Err(failure) => not_collected(id, &failure),
        }
    }
}

/// Forwards the start and the progress of calls to the client.
struct Forwarder(ProgressSender);

impl Observer for Forwarder {
    fn observe(&self, event: &Event) {
        match &event.kind {
            EventKind::CallStarted { path, .. } => self.0.tell(path),
            EventKind::CallProgressed { path, progress, .. } => self.0.tell(&progress_line(path, progress)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_about_an_execution_says_that_its_program_must_not_run_again() {
        let id = ExecutionId::new(1, 2);
        for code in Code::ALL.iter().copied().filter(|code| *code != Code::NotFound) {
            let told = not_collected(&id, &Failure::new(code, "no\nwarn: not").hint("wait"));
            assert_eq!((&told.outcome["status"], &told.outcome["executionId"]), (&json!("interrupted"), &json!(id)));
            assert!(!told.is_error && told.outcome["error"]["code"] == code.as_str(), "{told:?}");
            for part in [id.as_str(), "Do not run it again: call `resume`", "\n  | warn: not", "\nhint: wait\n"] {
                assert!(told.text.contains(part), "{part}: {}", told.text);
            }
        }
        let unknown = not_collected(&id, &Failure::new(Code::NotFound, "there is no such execution"));
        assert!(unknown.is_error && unknown.outcome["error"]["code"] == "NOT_FOUND", "{unknown:?}");
    }
}
