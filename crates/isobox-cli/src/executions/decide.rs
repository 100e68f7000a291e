//! Deciding about calls, and going on with what was decided.

use std::cell::OnceCell;
use std::io::{self, IsTerminal, Read};

use anyhow::{Context, Result};
use isobox::journal::{Remember, Verdict};
use isobox::{
    CallSeq, CancellationToken, CarriedOn, Code, Contents, Decisions, ExecutionId, Failure, Inspected, Isobox, Outcome,
    Paused, PendingKind, Value, Workspace, brief, marked,
};
use tokio::sync::oneshot;

use crate::Exit;
use crate::arguments::{DecisionOptions, ExecutionsOptions, RememberedFor, ResolutionOptions};
use crate::ask::{Asker, Interrupt, Right};
use crate::commands::Commands;
use crate::deciding::decider;
use crate::executions::find::find;
use crate::outcome::{Form, print_running, tell_elsewhere, tell_outcome};
use crate::pending::waits_for;
use crate::progress::Printer;
use crate::retention::keep_house;
use crate::setting::start_durably;
use crate::source::Source;
use crate::style::{print_error, print_json};

/// What deciding needs.
pub(crate) struct Deciding<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) archive: &'a Isobox,
    pub(crate) commands: &'a Commands,
    pub(crate) options: &'a ExecutionsOptions,
    pub(crate) watch: &'a Watch,
}

/// What whoever may stop the process and what goes on in it know of each other.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Cancelled when the person stops watching.
    pub(crate) token: CancellationToken,
    /// The execution that is decided about, or goes on.
    pub(crate) going_on: OnceCell<ExecutionId>,
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
        let by = decider()?;
        let decisions = match options.revision {
            Some(revision) if is_about_all => Decisions::about_all(by, revision, Verdict::Approve),
            _ if calls.is_empty() => Decisions::new(by, [(self.only_approval(&id).await?, Verdict::Approve)]),
            _ => Decisions::new(by, calls.iter().map(|seq| (*seq, Verdict::Approve))),
        };
        self.decide(&id, because(decisions, options), options).await
    }

    pub(crate) async fn deny(&self, id: &str, call: CallSeq, options: &DecisionOptions) -> Result<Exit> {
        let id = find(self.archive, id).await?;
        let verdict = Verdict::Deny(options.reason.clone());
        let decisions = Decisions::new(decider()?, [(call, verdict)]);
        self.decide(&id, decisions, options).await
    }

    pub(crate) async fn resolve(
        &self,
        id: &str,
        call: CallSeq,
        resolution: &ResolutionOptions,
        options: &DecisionOptions,
    ) -> Result<Exit> {
        let verdict = tokio::select! {
            verdict = verdict_of(resolution, options.reason.as_deref()) => verdict?,
            () = self.watch.token.cancelled() => return Err(Failure::new(Code::Aborted, "interrupted").into()),
        };
        let id = find(self.archive, id).await?;
        let decisions = Decisions::new(decider()?, [(call, verdict)]);
        let decisions = if resolution.fail { decisions } else { because(decisions, options) };
        self.decide(&id, decisions, options).await
    }

    pub(crate) async fn reject(&self, id: &str, reason: Option<&str>) -> Result<Exit> {
        let id = find(self.archive, id).await?;
        self.archive.reject(&id, decider()?, reason).await?;
        // It ends before anything of it goes on, so that it needs none of its tools.
        match self.archive.collect(&id, &self.watch.token).await? {
            CarriedOn::Here(outcome) if self.options.json => {
                print_json(&serde_json::to_string(&outcome)?).context("cannot write the outcome")?;
            }
            CarriedOn::Here(outcome) => match *outcome {
                Outcome::Failed(failed) if failed.error.code == Code::Rejected => {
                    print_error(&marked(&failed.error.message));
                }
                _ => print_error(&format!("execution {id} was over before it could be rejected")),
            },
            CarriedOn::Elsewhere if self.options.json => print_running(&id)?,
            CarriedOn::Elsewhere => {
                print_error("Another process runs this execution, and ends it when it next waits for something.");
            }
        }
        Ok(Exit::Completed)
    }

    /// Goes on with an execution, and asks on a terminal.
    pub(crate) async fn resume(&self, id: &str) -> Result<Exit> {
        let id = find(self.archive, id).await?;
        self.watch.going_on.get_or_init(|| id.clone());
        let inspected = self.archive.inspect(&id).await?;
        let is_watched = !self.options.json && io::stdin().is_terminal() && io::stderr().is_terminal();
        let asker = is_watched.then(|| Asker::new(Right::Credential, Interrupt::LeavesIt));
        self.carry_on(&id, inspected, asker).await
    }

    async fn decide(&self, id: &ExecutionId, decisions: Decisions, options: &DecisionOptions) -> Result<Exit> {
        let inspected = self.archive.inspect(id).await?;
        let remember = options.remember.map(RememberedFor::remember).unwrap_or_default();
        if remember == Remember::Session && inspected.beginning.session.is_none() {
            let message = "the execution belongs to no session, so that nothing can be remembered for one";
            return Err(Failure::new(Code::Config, message).hint("run programs with --session KEY").into());
        }
        let decisions = match options.revision {
            Some(revision) => decisions.shown_at(revision),
            None => decisions,
        };
        self.watch.going_on.get_or_init(|| id.clone());
        self.archive.decide(id, decisions.remember(remember)).await?;
        self.carry_on(id, inspected, None).await
    }

    async fn carry_on(&self, id: &ExecutionId, inspected: Inspected, asker: Option<Asker>) -> Result<Exit> {
        let source = Source::kept(inspected.beginning);
        source.show_under(self.archive).await;
        let isobox = tokio::select! {
            started = start_durably(self.workspace) => started?.isobox,
            () = self.watch.token.cancelled() => return Err(Failure::new(Code::Aborted, "interrupted").into()),
        };
        let isobox = if self.options.json { isobox } else { isobox.observed_by(Printer::new(), Contents::Progress) };
        let mut ended = isobox.collect(id, &self.watch.token).await?;
        if let Some(mut asker) = asker {
            ended = asker.ask_until_over(&isobox, ended, &source, &self.watch.token).await?;
        }
        let form = Form::json_if(self.options.json);
        let exit = match &ended {
            CarriedOn::Here(outcome) => tell_outcome(outcome, &source, self.commands, form)?,
            CarriedOn::Elsewhere => tell_elsewhere(id, self.commands, form)?,
        };
        keep_house(&isobox, &self.workspace.config().retention).await;
        Ok(exit)
    }

    /// The one call that waits for approval.
    async fn only_approval(&self, id: &ExecutionId) -> Result<CallSeq, Failure> {
        let paused = self.archive.pending(id).await?;
        let mut waiting = paused.pending.iter().filter(|call| call.kind == PendingKind::Approval);
        match (waiting.next(), waiting.next()) {
            (Some(call), None) => call.seq.parse().map_err(|error| Failure::new(Code::Internal, format!("{error}"))),
            (None, _) => Err(Failure::new(Code::Conflict, format!("no call of execution {id} waits for approval"))
                .hint(self.commands.show(id))),
            (Some(_), Some(_)) => Err(which_one(&paused)),
        }
    }
}

fn which_one(paused: &Paused) -> Failure {
    let calls =
        paused.pending.iter().map(|call| format!("{} {} {}", call.seq, brief(&call.path, 80), waits_for(call.kind)));
    let calls = calls.collect::<Vec<_>>().join("\n");
    let message = format!("several calls wait; say which are approved:\n{calls}");
    Failure::new(Code::Config, message).hint(format!("--all --revision {} approves all of them", paused.revision))
}

/// With the reason that was given, where the verdict itself has none.
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

/// The value of an argument, or of standard input: everybody on this machine can see arguments.
async fn value_of(argument: &str) -> Result<Value> {
    let text = match argument {
        "-" => read_input().await.context("standard input cannot be read")?,
        argument => argument.to_owned(),
    };
    serde_json::from_str(&text).context("this is not JSON")
}

/// The largest value that is read from standard input.
const MAX_INPUT: u64 = 16 << 20;

/// All of standard input. The thread that reads may wait for a person, and ends with the process.
async fn read_input() -> io::Result<String> {
    let (sender, receiver) = oneshot::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = io::stdin().take(MAX_INPUT + 1).read_to_string(&mut text).and_then(|_| match text.len() as u64 {
            0..=MAX_INPUT => Ok(text),
            _ => Err(io::Error::other("it is larger than 16 MiB, and no result of a call is")),
        });
        sender.send(read)
    });
    receiver.await.unwrap_or_else(|_| Err(io::Error::other("nobody reads it")))
}
