//! Decides about calls and resumes the execution.

use std::cell::{Cell, OnceCell};
use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::{Context, Result};
use isobox::events::Contents;
use isobox::journal::Inspected;
use isobox::journal::{Remember, Verdict};
use isobox::text::{brief, marked};
use isobox::workspace::Workspace;
use isobox::{
    CallSeq, CancellationToken, Code, ConflictKind, Decisions, ExecutionId, Failure, Isobox, Outcome, Paused,
    PendingKind, Value, json,
};
use isobox::{Resume, Resumed};

use crate::Exit;
use crate::arguments::{DecisionOptions, ExecutionsOptions, RememberedFor, ResolutionOptions};
use crate::ask::{Asker, Interrupt, Right};
use crate::commands::Commands;
use crate::deciding::decider;
use crate::executions::find::{find, find_or_last};
use crate::executions::input::read_input;
use crate::executions::unheard;
use crate::outcome::{Form, print_running, tell_elsewhere, tell_outcome, tell_sleep, with_files};
use crate::pending::waits_for;
use crate::progress::Printer;
use crate::retention::keep_house;
use crate::setting::{start_durably, tell_failed_servers};
use crate::source::Source;
use crate::style::{print_error, print_json, print_laid_out};

/// The context of a deciding command.
pub(crate) struct Deciding<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) archive: &'a Isobox,
    pub(crate) commands: &'a Commands,
    pub(crate) options: &'a ExecutionsOptions,
    pub(crate) watch: &'a Watch,
}

/// The way in which a person ends an execution.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    /// The person refuses what the program wants to do.
    Reject,
    /// The execution is no longer wanted.
    Cancel,
}

/// State shared between the signal handling and the running command.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Cancelled when the person stops watching.
    pub(crate) token: CancellationToken,
    /// The execution that the command decides about or resumes.
    pub(crate) going_on: OnceCell<ExecutionId>,
    /// Whether a decision is recorded.
    pub(crate) is_recorded: Cell<bool>,
}

impl Deciding<'_> {
    pub(crate) async fn approve(
        &self,
        id: &str,
        calls: &[CallSeq],
        is_about_all: bool,
        options: &DecisionOptions,
    ) -> Result<Exit> {
        let id = find(self.archive, id).await?;
        let Some(revision) = options.revision else { return self.ask_to_approve(&id, calls, options).await };
        let by = decider()?;
        let decisions = if is_about_all {
            Decisions::about_all(by, revision, Verdict::Approve)
        } else if calls.is_empty() {
            Decisions::new(by, [(self.only_approval(&id).await?, Verdict::Approve)])
        } else {
            Decisions::new(by, calls.iter().map(|seq| (*seq, Verdict::Approve)))
        };
        self.decide(&id, because(decisions.shown_at(revision), options), options).await
    }

    /// Shows calls that need approval, all of them if none is named, and asks about each.
    async fn ask_to_approve(&self, id: &ExecutionId, calls: &[CallSeq], options: &DecisionOptions) -> Result<Exit> {
        let mut paused = self.still_open(id).await?;
        let mut asker = self.asker().ok_or_else(|| self.not_shown(id))?;
        let by = decider()?;
        paused.pending.retain(|call| call.kind == PendingKind::Approval);
        let is_pending = |seq: &CallSeq| paused.pending.iter().any(|call| call.seq == *seq);
        if let Some(seq) = calls.iter().find(|seq| !is_pending(seq)) {
            let message = format!("call {seq} of execution {id} does not need approval");
            return Err(Failure::conflict(ConflictKind::NotPending, message).hint(self.commands.show(id)).into());
        }
        if paused.pending.is_empty() {
            return Err(self.nothing_to_approve(id).into());
        }
        paused.pending.retain(|call| calls.is_empty() || calls.contains(&call.seq));
        let source = self.source(id).await?;
        match asker.ask_about(&paused, &source, &self.watch.token).await? {
            Some(verdicts) => {
                let decisions = Decisions::new(by, verdicts).shown_at(paused.revision);
                self.decide(id, because(decisions, options), options).await
            }
            None => Ok(self.left_undecided(id)),
        }
    }

    pub(crate) async fn deny(&self, id: &str, call: CallSeq, options: &DecisionOptions) -> Result<Exit> {
        let id = find(self.archive, id).await?;
        let verdict = Verdict::Deny(options.reason.clone());
        let decisions = Decisions::new(decider()?, [(call, verdict)]);
        // A denial lets nothing happen, whatever the call is by now.
        let decisions = match options.revision {
            Some(revision) => decisions.shown_at(revision),
            None => decisions,
        };
        self.decide(&id, decisions, options).await
    }

    pub(crate) async fn resolve(
        &self,
        id: &str,
        call: CallSeq,
        resolution: &ResolutionOptions,
        options: &DecisionOptions,
    ) -> Result<Exit> {
        let id = find(self.archive, id).await?;
        let shown = match options.revision {
            Some(revision) => revision,
            None => match self.ask_to_resolve(&id, call).await? {
                Some(revision) => revision,
                None => return Ok(self.left_undecided(&id)),
            },
        };
        let verdict = tokio::select! {
            verdict = verdict_of(resolution, options.reason.as_deref()) => verdict?,
            () = self.watch.token.cancelled() => return Err(Failure::new(Code::Aborted, "interrupted").into()),
        };
        let decisions = Decisions::new(decider()?, [(call, verdict)]).shown_at(shown);
        let decisions = if resolution.fail { decisions } else { because(decisions, options) };
        self.decide(&id, decisions, options).await
    }

    /// Shows a call, and asks whether to resolve it as the command says. Returns the revision that was shown, or `None` if
    /// the person leaves it paused.
    async fn ask_to_resolve(&self, id: &ExecutionId, seq: CallSeq) -> Result<Option<u64>> {
        let paused = self.still_open(id).await?;
        let mut asker = self.asker().ok_or_else(|| self.not_shown(id))?;
        let Some(call) = paused.pending.iter().find(|call| call.seq == seq) else {
            let message = format!("call {seq} of execution {id} is not pending");
            return Err(Failure::conflict(ConflictKind::NotPending, message).hint(self.commands.show(id)).into());
        };
        let source = self.source(id).await?;
        Ok(asker.confirms(call, &source, &self.watch.token).await?.then_some(paused.revision))
    }

    /// Ends an execution. Records the instruction first, then waits until it is applied.
    pub(crate) async fn end(&self, id: &str, how: End, reason: Option<&str>) -> Result<Exit> {
        let id = find(self.archive, id).await?;
        let by = decider()?;
        let recorded = match how {
            End::Reject => self.archive.reject(&id, by, reason).await,
            End::Cancel => self.archive.cancel(&id, by, reason).await,
        };
        match recorded {
            // The execution was rejected or cancelled before and has not ended yet. This command makes sure that it
            // ends.
            Err(failure) if failure.details.contains_key("decidedBy") => {
                if !self.options.json {
                    print_error(&marked(&failure.message));
                }
            }
            recorded => recorded?,
        }
        self.watch.is_recorded.set(true);
        self.watch.going_on.get_or_init(|| id.clone());
        // The execution ends before it continues, so none of its tools are needed.
        let seen = self.wait_for(self.archive.see_ended(&id, &self.watch.token)).await;
        let again = match how {
            End::Reject => self.commands.reject(&id),
            End::Cancel => self.commands.cancel(&id),
        };
        let (noun, participle, code) = match how {
            End::Reject => ("rejection", "rejected", Code::Rejected),
            End::Cancel => ("cancellation", "cancelled", Code::Aborted),
        };
        match seen {
            Ok(Resumed::Here(outcome)) => {
                if self.options.json {
                    let shown = with_files(&outcome, &self.source_to_tell(&id).await)?;
                    print_json(&shown.to_string()).context("cannot write the outcome")?;
                }
                match *outcome {
                    Outcome::Failed(failed) if failed.error.code == code => {
                        if !self.options.json {
                            print_error(&marked(&failed.error.message));
                        }
                        Ok(Exit::Completed)
                    }
                    outcome => {
                        if !self.options.json {
                            print_error(&format!("execution {id} ended before it could be {participle}"));
                        }
                        // The execution ended in another way: that is not a failure of this command, but not what was
                        // asked for either.
                        Ok(if outcome_is_over(&outcome) { Exit::Refused } else { Exit::of_outcome(&outcome) })
                    }
                }
            }
            Ok(Resumed::Elsewhere) => {
                if self.options.json {
                    print_running(&id)?;
                }
                print_laid_out(&format!(
                    "The {noun} is recorded. Another process runs execution {id} and ends it at its next wait.\ncheck again: \
                     {again}"
                ));
                Ok(Exit::NotOver)
            }
            Err(failure) if failure.code == Code::Aborted => {
                if self.options.json {
                    print_running(&id)?;
                }
                print_laid_out(&format!(
                    "interrupted: the {noun} of {id} is recorded and takes effect when the execution resumes\nend it now: {again}"
                ));
                Ok(Exit::Interrupted)
            }
            Err(failure) => Err(failure.into()),
        }
    }

    /// Deletes an execution. Cancels it first if a process runs it.
    pub(crate) async fn delete(&self, id: &str) -> Result<ExecutionId> {
        let id = find(self.archive, id).await?;
        let by = decider()?;
        tokio::select! {
            deleted = self.wait_for(self.archive.delete(&id, by)) => deleted?,
            () = self.watch.token.cancelled() => {
                let hint = format!("the execution was cancelled but not deleted; to delete it: {}", self.commands.delete(&id));
                return Err(Failure::new(Code::Aborted, "interrupted").hint(hint).into());
            }
        }
        Ok(id)
    }

    /// Waits for the work. On a terminal, reports when the wait takes long.
    async fn wait_for<T>(&self, work: impl Future<Output = T>) -> T {
        const LONG: Duration = Duration::from_secs(2);
        let mut work = std::pin::pin!(work);
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = tokio::time::sleep(LONG) => {}
        }
        if !self.options.json && io::stderr().is_terminal() {
            let patience = self.archive.ending_patience().as_secs();
            print_error(&format!(
                "The process that runs the execution does not respond: waiting for it, or until its lease expires, at most {patience} s …"
            ));
        }
        work.await
    }

    /// Resumes an execution that is held because its store was restored from a backup.
    pub(crate) async fn resume_restored(&self, id: &str) -> Result<Exit> {
        let id = find(self.archive, id).await?;
        let options = Resume::default().restored(decider()?);
        self.watch.going_on.get_or_init(|| id.clone());
        let inspected = self.archive.inspect(&id).await?;
        self.resume_and_tell(&id, inspected, None, options).await
    }

    /// Resumes an execution. On a terminal, asks about pending calls.
    pub(crate) async fn resume(&self, id: &str) -> Result<Exit> {
        let id = find_or_last(self.archive, id).await?;
        self.watch.going_on.get_or_init(|| id.clone());
        let inspected = self.archive.inspect(&id).await?;
        self.resume_and_tell(&id, inspected, self.asker(), Resume::default().only_if_decided()).await
    }

    async fn decide(&self, id: &ExecutionId, decisions: Decisions, options: &DecisionOptions) -> Result<Exit> {
        let inspected = self.archive.inspect(id).await?;
        let remember = options.remember.map(RememberedFor::remember).unwrap_or_default();
        if remember == Remember::Session && inspected.beginning.session.is_none() {
            let message = "the execution has no session to remember a decision for";
            return Err(Failure::new(Code::Config, message).hint("run programs with --session KEY").into());
        }
        self.watch.going_on.get_or_init(|| id.clone());
        self.archive.decide(id, decisions.remember(remember)).await?;
        self.watch.is_recorded.set(true);
        if options.no_resume {
            if self.options.json {
                print_json(&json!({ "executionId": id, "status": "decided" }).to_string())
                    .context("cannot write the status")?;
            } else {
                print_laid_out(&format!("The decision is recorded.\nresume: {}", self.commands.resume(id)));
            }
            return Ok(Exit::Completed);
        }
        self.resume_and_tell(id, inspected, None, Resume::default().only_if_decided()).await
    }

    async fn resume_and_tell(
        &self,
        id: &ExecutionId,
        inspected: Inspected,
        asker: Option<Asker>,
        options: Resume,
    ) -> Result<Exit> {
        let source = Source::kept(inspected.beginning);
        source.show_under(self.archive).await;
        let ready = tokio::select! {
            started = start_durably(self.workspace) => started?,
            () = self.watch.token.cancelled() => return Err(Failure::new(Code::Aborted, "interrupted").into()),
        };
        let isobox = ready.isobox.clone();
        let isobox = if self.options.json { isobox } else { isobox.observed_by(Printer::new(), Contents::Progress) };
        let token = &self.watch.token;
        let mut ended = isobox.resume(id, options.abandoned_by(token.clone())).await?;
        let resume = Resume::default().abandoned_by(token.clone());
        ended = isobox.sleep_through(ended, resume, Duration::MAX, token, tell_sleep).await?;
        if let Some(mut asker) = asker {
            let asked = asker.ask_until_over(&isobox, ended, &source, &self.watch.token).await;
            self.watch.is_recorded.set(asker.has_decided());
            ended = asked?;
        }
        tell_failed_servers(self.workspace, &ready);
        let form = Form::json_if(self.options.json);
        let exit = match &ended {
            Resumed::Here(outcome) => tell_outcome(outcome, &source, self.commands, form)?,
            Resumed::Elsewhere => tell_elsewhere(id, self.commands, form)?,
        };
        keep_house(&isobox, &self.workspace.config().retention).await;
        Ok(exit)
    }

    /// Returns the questions to the person at the terminal, if there is one.
    fn asker(&self) -> Option<Asker> {
        let is_watched = !self.options.json && io::stdin().is_terminal() && io::stderr().is_terminal();
        is_watched.then(|| Asker::new(Right::Credential, Interrupt::LeavesIt))
    }

    /// Returns the pending calls about which no decision is recorded.
    async fn still_open(&self, id: &ExecutionId) -> Result<Paused, Failure> {
        let paused = self.archive.pending(id).await?;
        Ok(unheard::still_open(paused, &self.archive.inbox(id).await?))
    }

    async fn source(&self, id: &ExecutionId) -> Result<Source, Failure> {
        let source = Source::kept(self.archive.inspect(id).await?.beginning);
        source.show_under(self.archive).await;
        Ok(source)
    }

    /// Refuses a decision about calls that were not shown.
    fn not_shown(&self, id: &ExecutionId) -> Failure {
        let message = "a decision is for what was shown: name its revision with --revision, or decide at a terminal";
        Failure::new(Code::Config, message)
            .hint(format!("the pending calls with their revision: {}", self.commands.show(id)))
    }

    fn nothing_to_approve(&self, id: &ExecutionId) -> Failure {
        Failure::conflict(ConflictKind::NotPending, format!("no call of execution {id} needs approval"))
            .hint(self.commands.show(id))
    }

    fn left_undecided(&self, id: &ExecutionId) -> Exit {
        print_laid_out(&format!("Nothing was decided.\ndecide about each call: {}", self.commands.resume(id)));
        Exit::NotOver
    }

    /// Returns the only call that needs approval.
    async fn only_approval(&self, id: &ExecutionId) -> Result<CallSeq, Failure> {
        let paused = self.archive.pending(id).await?;
        let mut waiting = paused.pending.iter().filter(|call| call.kind == PendingKind::Approval);
        match (waiting.next(), waiting.next()) {
            (Some(call), None) => Ok(call.seq),
            (None, _) => Err(self.nothing_to_approve(id)),
            (Some(_), Some(_)) => Err(which_one(&paused).hint(self.commands.show(id))),
        }
    }
}

fn outcome_is_over(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Completed(_) | Outcome::Failed(_))
}

fn which_one(paused: &Paused) -> Failure {
    let calls =
        paused.pending.iter().map(|call| format!("{} {} {}", call.seq, brief(&call.path, 80), waits_for(call.kind)));
    let calls = calls.collect::<Vec<_>>().join("\n");
    let message = format!("several calls are pending; name the calls to approve:\n{calls}");
    Failure::new(Code::Config, message)
}

/// Adds the reason of the options to the decisions.
fn because(decisions: Decisions, options: &DecisionOptions) -> Decisions {
    match &options.reason {
        Some(reason) => decisions.reason(reason),
        None => decisions,
    }
}

async fn verdict_of(options: &ResolutionOptions, reason: Option<&str>) -> Result<Verdict> {
    Ok(match options {
        ResolutionOptions { answer: Some(answer), .. } => Verdict::Answer(value_of(answer).await?),
        ResolutionOptions { happened: Some(result), .. } => Verdict::Happened(value_of(result).await?),
        ResolutionOptions { fail: true, .. } => Verdict::Fail(reason.map(str::to_owned)),
        ResolutionOptions { .. } => Verdict::DidNotHappen,
    })
}

/// Parses the value of an argument. `-` reads it from standard input, because other users of the machine can see
/// arguments.
async fn value_of(argument: &str) -> Result<Value> {
    let text = match argument {
        "-" => read_input(None).await.context("cannot read standard input")?,
        argument => argument.to_owned(),
    };
    serde_json::from_str(&text).context("the value is not JSON")
}
