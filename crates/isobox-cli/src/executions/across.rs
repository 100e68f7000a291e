//! Lists the pending calls of all executions and decides about many of them at once.

use std::collections::HashMap;
use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Context, Result};
use isobox::events::Contents;
use isobox::store::{Filter, State, Unreadable};
use isobox::text::marked;
use isobox::{
    CallSeq, Code, ConflictKind, Decisions, ExecutionId, Failure, Isobox, Outcome, Paused, Timestamp, Value, json,
};
use isobox::{Resume, Resumed};

use crate::Exit;
use crate::ask::{Asker, Interrupt, Right};
use crate::commands::Commands;
use crate::deciding::decider;
use crate::executions::decide::Deciding;
use crate::executions::decisions::{Group, read_decisions};
use crate::executions::held::advise_held;
use crate::executions::input::read_input;
use crate::executions::moment::{now, rough};
use crate::executions::unheard;
use crate::outcome::{Form, name_file_of_call, tell_elsewhere, tell_outcome, with_files};
use crate::pending::{Extent, draw_call, draw_commands};
use crate::progress::Printer;
use crate::retention::keep_house;
use crate::rows::Columns;
use crate::setting::start_durably;
use crate::source::Source;
use crate::style::{Colours, complain_of, print_drawn, print_error, print_json, print_laid_out};

/// The number of executions read per page.
const PAGE: u32 = 100;
/// The maximum number of calls drawn per execution.
const CALLS: usize = 20;

/// An execution with undecided calls.
struct Open {
    paused: Paused,
    /// The time since when each call has been pending.
    since: HashMap<CallSeq, Timestamp>,
    function: Option<String>,
    source: Source,
}

/// A page of executions with undecided calls.
#[derive(Default)]
struct Opened {
    executions: Vec<Open>,
    unreadable: Vec<Unreadable>,
    next: Option<String>,
}

/// Finds executions with undecided calls, newest first, at most `limit`.
async fn open(archive: &Isobox, limit: usize, after: Option<&str>) -> Result<Opened> {
    let not_over = [State::Running, State::Orphaned, State::Paused, State::Decided].into_iter();
    let mut filter = not_over.fold(Filter::newest(PAGE), Filter::with);
    filter.after = after.map(str::to_owned);
    let mut found = Opened::default();
    loop {
        let page = archive.executions(filter.clone()).await?;
        found.unreadable.extend(page.unreadable);
        for listed in page.executions.into_iter().filter(|listed| listed.head.pending > 0) {
            if found.executions.len() == limit {
                found.next = found.executions.last().map(|open| open.paused.execution_id.to_string());
                return Ok(found);
            }
            match open_one(archive, &listed.id).await {
                Ok(open) if open.paused.pending.is_empty() => {}
                Ok(open) => found.executions.push(open),
                // The execution was deleted meanwhile.
                Err(failure) if failure.code == Code::NotFound => {}
                Err(failure) => {
                    // A store that does not answer would make every execution look unreadable.
                    archive.executions(Filter::newest(1)).await?;
                    found.unreadable.push(Unreadable { id: listed.id.to_string(), reason: failure.message });
                }
            }
        }
        let is_further = page.next.is_some() && (filter.after.is_none() || page.next < filter.after);
        if !is_further {
            return Ok(found);
        }
        filter.after = page.next;
    }
}

async fn open_one(archive: &Isobox, id: &ExecutionId) -> Result<Open, Failure> {
    let inspected = archive.inspect(id).await?;
    let paused = Paused::of(id, &inspected.state, archive.policy());
    let paused = unheard::still_open(paused, &archive.inbox(id).await?);
    let since = inspected.state.pending().map(|(call, pending)| (call.seq, pending.at)).collect();
    let function = inspected.beginning.function.clone();
    let source = Source::kept(inspected.beginning);
    source.show_under(archive).await;
    Ok(Open { paused, since, function, source })
}

impl Deciding<'_> {
    /// Lists the pending calls of all executions.
    pub(crate) async fn pending(&self, limit: usize, after: Option<&str>) -> Result<Exit> {
        let found = open(self.archive, limit, after).await?;
        let exit = if found.executions.is_empty() { Exit::Failed } else { Exit::Completed };
        if self.options.json {
            let calls: Vec<Value> = found.executions.iter().flat_map(records).collect();
            let all = json!({ "pending": calls, "unreadable": found.unreadable, "next": found.next });
            print_json(&all.to_string()).context("cannot write the pending calls")?;
            return Ok(exit);
        }
        for row in &found.unreadable {
            print_error(&marked(&format!("{} cannot be read: {}", row.id, row.reason)));
        }
        if found.executions.is_empty() {
            print_error("no calls are pending");
            return Ok(exit);
        }
        let columns = Columns::of_standard_output();
        let drawn: Vec<String> = found.executions.iter().map(|open| draw(open, self.commands, columns)).collect();
        print_drawn(&drawn.join("\n\n")).context("cannot write the pending calls")?;
        print_laid_out(&format!("decide about each call: {}", self.commands.of_many("decide", "")));
        if let Some(next) = &found.next {
            let flags = format!(" --limit {limit} --after {next}");
            print_laid_out(&format!("next page: {}", self.commands.of_many("pending", &flags)));
        }
        Ok(exit)
    }

    /// Decides about calls of many executions and resumes them.
    pub(crate) async fn decide_across(&self, from: Option<&Path>, resumes: Resumes) -> Result<Exit> {
        let is_asked = from.is_none() && io::stdin().is_terminal();
        let (decided, exit) = if is_asked { self.ask_across().await? } else { self.take_across(from).await? };
        let gone_on = match resumes {
            Resumes::Decided => self.go_on_with(&decided).await?,
            Resumes::Nothing => {
                for (id, calls) in &decided {
                    self.tell(id, calls, None)?;
                }
                Exit::Completed
            }
        };
        Ok(exit.worst(gone_on))
    }

    /// Reads decisions from standard input or a file and records them.
    async fn take_across(&self, from: Option<&Path>) -> Result<(Vec<Decided>, Exit)> {
        let read = tokio::select! {
            read = read_input(from) => read,
            () = self.watch.token.cancelled() => return Err(Failure::new(Code::Aborted, "interrupted").into()),
        };
        let groups = read_decisions(&read.context("cannot read the decisions")?)?;
        let by = decider()?;
        let (mut decided, mut exit) = (Vec::new(), Exit::Completed);
        for Group { id, calls } in groups {
            let seqs: Vec<CallSeq> = calls.iter().map(|call| call.seq).collect();
            match self.archive.decide(&id, Decisions::of(&by, calls)).await {
                Ok(()) => decided.push((id, seqs)),
                Err(failure) => {
                    exit = exit.worst(Exit::of_failure(&failure));
                    self.refuse(&id, &[], failure)?;
                }
            }
        }
        Ok((decided, exit))
    }

    /// Asks about one execution after the other.
    async fn ask_across(&self) -> Result<(Vec<Decided>, Exit)> {
        if self.options.json || !io::stderr().is_terminal() {
            let message = "there are no decisions, and no terminal for questions";
            return Err(Failure::new(Code::Config, message)
                .hint("pass decisions on standard input or with --from FILE")
                .into());
        }
        let by = decider()?;
        let (mut decided, mut exit) = (Vec::new(), Exit::Completed);
        let mut asker = Asker::new(Right::Credential, Interrupt::LeavesIt);
        let mut after: Option<String> = None;
        let mut asked = 0;
        loop {
            let found = open(self.archive, PAGE as usize, after.as_deref()).await?;
            for open in &found.executions {
                asked += 1;
                let (id, function) = (&open.paused.execution_id, open.function.as_deref().unwrap_or_default());
                print_error(&format!("\n{id}  {}", isobox::text::brief(function, 80)));
                let verdicts = asker.ask_about(&open.paused, &open.source, &self.watch.token).await?;
                if let Some(verdicts) = verdicts {
                    let seqs = verdicts.iter().map(|(seq, _)| *seq).collect();
                    let decisions = Decisions::new(&by, verdicts).shown_at(open.paused.revision);
                    match self.archive.decide(id, decisions).await {
                        Ok(()) => decided.push((id.clone(), seqs)),
                        Err(failure) => {
                            exit = exit.worst(Exit::of_failure(&failure));
                            self.refuse(id, &[], failure)?;
                        }
                    }
                }
                if asker.has_given_up() {
                    return Ok((decided, exit));
                }
            }
            match found.next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        if asked == 0 {
            print_error("no calls are pending");
            exit = exit.worst(Exit::Failed);
        }
        Ok((decided, exit))
    }

    /// Resumes executions one after the other. A failure of one does not stop the others.
    async fn go_on_with(&self, decided: &[Decided]) -> Result<Exit> {
        if decided.is_empty() {
            return Ok(Exit::Completed);
        }
        let started = tokio::select! {
            started = start_durably(self.workspace) => started,
            () = self.watch.token.cancelled() => Err(Failure::new(Code::Aborted, "interrupted")),
        };
        let isobox = match started {
            Ok(ready) if self.options.json => ready.isobox,
            Ok(ready) => ready.isobox.observed_by(Printer::new(), Contents::Progress),
            Err(failure) => {
                for (id, calls) in decided {
                    self.refuse(id, calls, failure.clone())?;
                }
                return Ok(Exit::of_failure(&failure));
            }
        };
        let mut exit = Exit::Completed;
        for (id, calls) in decided {
            let gone_on = match isobox
                .resume(id, Resume::default().only_if_decided().abandoned_by(self.watch.token.clone()))
                .await
            {
                Ok(Resumed::Here(outcome)) => self.tell_gone_on(id, calls, Some(&outcome)).await?,
                Ok(Resumed::Elsewhere) => self.tell_gone_on(id, calls, None).await?,
                Err(failure) => {
                    let exit = Exit::of_failure(&failure);
                    self.refuse(id, calls, failure)?;
                    exit
                }
            };
            exit = exit.worst(gone_on);
        }
        keep_house(&isobox, &self.workspace.config().retention).await;
        Ok(exit)
    }

    /// Prints the outcome of an execution. Without an outcome, another process runs it.
    async fn tell_gone_on(&self, id: &ExecutionId, calls: &[CallSeq], outcome: Option<&Outcome>) -> Result<Exit> {
        if self.options.json {
            let told = match outcome {
                None => json!({ "executionId": id, "status": "running" }),
                Some(outcome) => with_files(outcome, &self.source_to_tell(id).await)?,
            };
            self.tell(id, calls, Some(told))?;
            return Ok(outcome.map_or(Exit::NotOver, Exit::of_outcome));
        }
        self.tell(id, calls, None)?;
        match outcome {
            None => tell_elsewhere(id, self.commands, Form::Text),
            Some(outcome) => {
                let source = self.source_to_tell(id).await;
                source.show_under(self.archive).await;
                tell_outcome(outcome, &source, self.commands, Form::Text)
            }
        }
    }

    /// Returns the program of an execution, or an empty one if it cannot be read: the outcome is printed anyway.
    pub(super) async fn source_to_tell(&self, id: &ExecutionId) -> Source {
        match self.archive.inspect(id).await {
            Ok(inspected) => Source::kept(inspected.beginning),
            Err(_) => Source::single(Source::STANDARD_INPUT.to_owned(), String::new()),
        }
    }

    /// Prints the decided calls and the outcome.
    fn tell(&self, id: &ExecutionId, calls: &[CallSeq], outcome: Option<Value>) -> Result<()> {
        let calls: Vec<String> = calls.iter().map(ToString::to_string).collect();
        if self.options.json {
            let mut line = json!({ "executionId": id, "decided": calls });
            if let Some(outcome) = outcome {
                line["outcome"] = outcome;
            }
            return print_json(&line.to_string()).context("cannot write the decision");
        }
        let noun = if calls.len() == 1 { "call" } else { "calls" };
        print_error(&format!("{id}: decided about {noun} {}", calls.join(", ")));
        Ok(())
    }

    /// Prints why a decision was refused, or why a decided execution was not resumed.
    fn refuse(&self, id: &ExecutionId, decided: &[CallSeq], failure: Failure) -> Result<()> {
        let failure = if failure.conflict_kind() == Some(ConflictKind::Held) {
            advise_held(failure, id.as_str(), self.commands)
        } else if decided.is_empty() {
            failure
        } else {
            let hint = failure.hint.as_ref().map(|hint| format!("{hint}; ")).unwrap_or_default();
            let resume = self.commands.resume(id);
            failure.hint(format!("{hint}the decision is recorded; resume: {resume}"))
        };
        if self.options.json {
            let calls: Vec<String> = decided.iter().map(ToString::to_string).collect();
            let line = json!({ "executionId": id, "decided": calls, "error": failure });
            return print_json(&line.to_string()).context("cannot write the refusal");
        }
        let mut failure = failure;
        failure.message = format!("{id}: {}", failure.message);
        complain_of(&failure);
        Ok(())
    }
}

/// An execution and its decided calls.
type Decided = (ExecutionId, Vec<CallSeq>);

/// The executions that a command resumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resumes {
    Decided,
    Nothing,
}

/// Returns the pending calls of an execution in the format that `decide` reads.
fn records(open: &Open) -> Vec<Value> {
    let record = |call: &isobox::PendingCall| {
        let mut record = json!(call);
        name_file_of_call(&mut record, &open.source);
        record["executionId"] = json!(open.paused.execution_id);
        record["revision"] = json!(open.paused.revision);
        record["since"] = json!(open.since.get(&call.seq));
        record
    };
    open.paused.pending.iter().map(record).collect()
}

fn draw(open: &Open, commands: &Commands, columns: Columns) -> String {
    let Open { paused, since, function, source } = open;
    let function =
        function.as_deref().map(|function| format!("  {}", isobox::text::brief(function, 80))).unwrap_or_default();
    let mut text = columns.broken(&format!("{}  revision {}{function}", paused.execution_id, paused.revision));
    for call in paused.pending.iter().take(CALLS) {
        let drawn = draw_call(call, source, Extent::Beginning, Colours::Off);
        text.push_str(&format!("\n{}", columns.broken(&drawn.text)));
        if let Some(since) = since.get(&call.seq) {
            text.push_str(&format!("\n  pending for {}", rough(now().0.saturating_sub(since.0))));
        }
        let shown = (&paused.execution_id, paused.revision);
        text.push_str(&draw_commands(shown, call, &drawn, commands, Colours::Off));
    }
    if let Some(more) = paused.pending.len().checked_sub(CALLS).filter(|more| *more > 0) {
        text.push_str(&format!("\n… {more} more calls; use --json to see all"));
    }
    text
}
