//! `isobox executions export | replay | fork`.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use isobox::calls::CallRecord;
use isobox::events::Contents;
use isobox::journal::Wanted;
use isobox::store::owned;
use isobox::text::{brief, lines_without_escapes, show_value, without_escapes};
use isobox::transcript::{Fork, ForkAnswer, OpenRequest, ReplayEnd, ReplayUntil, Replayed, Secrets, Transcript};
use isobox::{CallSeq, Code, Failure, Isobox, Outcome, Principal, Resume, Resumed, Value, json};

use super::decide::Deciding;
use super::find::{find, find_or_last};
use super::record::request_of;
use super::report;
use crate::Exit;
use crate::arguments::{ExecutionsCommand, ExportFormat};
use crate::deciding::user;
use crate::outcome::{Form, name_file_of_call, name_files, tell_elsewhere, tell_outcome};
use crate::progress::Printer;
use crate::retention::keep_house;
use crate::rows::Columns;
use crate::setting::{start_durably, tell_failed_servers};
use crate::source::Source;
use crate::style::{print_drawn, print_error, print_json, warn};

/// Tells whether a command works on a transcript alone, so that it needs no store.
pub(crate) fn is_about_file(command: &ExecutionsCommand) -> bool {
    matches!(command, ExecutionsCommand::Replay { source, .. } if is_file(source))
}

/// Tells whether a text names a file and not an execution, whose IDs have neither points nor slashes.
fn is_file(source: &str) -> bool {
    source == "-" || source.contains(['.', '/']) || Path::new(source).is_file()
}

/// Reads a transcript from a file or, for `-`, from standard input. Reads no more than a transcript may have.
fn read_transcript(source: &str) -> Result<Transcript> {
    let most = Transcript::MAX_SIZE.get() + 1;
    let mut text = Vec::new();
    match source {
        "-" => std::io::stdin().take(most).read_to_end(&mut text).context("cannot read standard input")?,
        path => {
            let opened = owned::open_stream(Path::new(path)).with_context(|| format!("cannot read {path}"))?;
            opened.take(most).read_to_end(&mut text).with_context(|| format!("cannot read {path}"))?
        }
    };
    Ok(Transcript::read(&text)?)
}

/// Writes an execution in a format, to a file or standard output. A file is named to programs that asked for JSON.
pub(crate) async fn export(
    archive: &Isobox,
    id: &str,
    secrets: Secrets,
    (format, form): (ExportFormat, Form),
    output: Option<&Path>,
) -> Result<()> {
    let id = find_or_last(archive, id).await?;
    let transcript = archive.export(&id, secrets).await?;
    if transcript.is_redacted && format == ExportFormat::Json {
        warn(
            "the policy redacts values: the transcript can be read but not replayed (--with-secrets exports everything)",
        );
    }
    let text = match format {
        ExportFormat::Json => transcript.to_json()?,
        ExportFormat::Markdown => report::markdown(&transcript),
        ExportFormat::Html => report::html(&transcript),
    };
    let Some(output) = output else {
        let printed = if format == ExportFormat::Json { print_json(&text) } else { print_drawn(&text) };
        return printed.context("cannot write the transcript");
    };
    owned::replace(output, format!("{text}\n").as_bytes())
        .with_context(|| format!("cannot write {}", output.display()))?;
    if form == Form::Json {
        let done = json!({ "executionId": id, "file": output.display().to_string() });
        print_json(&done.to_string()).context("cannot write the answer")?;
    }
    Ok(())
}

/// Replays an execution or a transcript, and shows how far the program came.
pub(crate) async fn replay(archive: &Isobox, source: &str, until: Option<CallSeq>, is_json: bool) -> Result<()> {
    let transcript = match is_file(source) {
        true => read_transcript(source)?,
        false => archive.export(&find_or_last(archive, source).await?, Secrets::Included).await?,
    };
    let until = until.map_or(ReplayUntil::End, ReplayUntil::Before);
    let replayed = archive.replay(&transcript, until).await?;
    if is_json {
        let record = replay_record(&transcript, &replayed);
        return print_json(&record.to_string()).context("cannot write the replay");
    }
    print_drawn(&Columns::of_standard_output().broken(&draw_replay(&transcript, &replayed)))
        .context("cannot write the replay")
}

fn replay_record(transcript: &Transcript, replayed: &Replayed) -> Value {
    let Replayed { end, calls, logs, facts, open, is_other_image, .. } = replayed;
    let (verdict, until) = match end {
        ReplayEnd::Same => ("same", None),
        ReplayEnd::EndedFromOutside => ("ended-from-outside", None),
        ReplayEnd::NotOver => ("not-over", None),
        ReplayEnd::Before(seq) => ("stopped", Some(seq)),
    };
    let source = Source::kept(transcript.beginning.clone());
    let open: Vec<Value> = open.iter().map(|open| open_record(open, &source)).collect();
    let mut outcome = json!(until.is_none().then(|| transcript.outcome()));
    name_files(&mut outcome, &source);
    json!({
        "executionId": transcript.execution_id,
        "replay": verdict,
        "until": until,
        "otherImage": is_other_image,
        "calls": calls,
        "logs": logs,
        "facts": facts,
        "open": open,
        "outcome": outcome,
    })
}

fn open_record(open: &OpenRequest, source: &Source) -> Value {
    let mut record = json!({ "seq": open.seq, "what": request_of(&open.what), "at": open.at });
    name_file_of_call(&mut record, source);
    record
}

fn draw_replay(transcript: &Transcript, replayed: &Replayed) -> String {
    let Replayed { end, calls, logs, open, is_other_image, .. } = replayed;
    let id = &transcript.execution_id;
    let mut lines = vec![match end {
        ReplayEnd::Same => format!("{id}: the same outcome, without any tool"),
        ReplayEnd::EndedFromOutside => {
            format!("{id}: the same until a person, a limit or the host ended it")
        }
        ReplayEnd::NotOver => format!("{id}: the same so far; the execution had not ended when it was recorded"),
        ReplayEnd::Before(seq) => format!("{id}: stopped before call {seq}"),
    }];
    if *is_other_image {
        lines.push("The program ran on another version of the sandbox.".to_owned());
    }
    lines.extend(calls.iter().filter(|call| call.duration_ms.is_some()).map(draw_call));
    for log in logs {
        let level = serde_json::to_value(log.level).unwrap_or_default();
        let level = level.as_str().unwrap_or_default().to_owned();
        lines.extend(lines_without_escapes(&log.message).map(|line| format!("{level} │ {}", &*line)));
    }
    lines.extend(open.iter().map(draw_open));
    if matches!(end, ReplayEnd::Before(_)) {
        return lines.join("\n");
    }
    match transcript.outcome() {
        Some(Outcome::Completed(completed)) => {
            let shown = show_value(&completed.result, 200).text;
            let shown: Vec<String> = shown.lines().map(|line| without_escapes(line).into_owned()).collect();
            lines.push(format!("result: {}", shown.join("\n")));
        }
        Some(Outcome::Failed(failed)) => {
            lines.push(format!("{}: {}", failed.error.code, brief(&failed.error.message, 500)));
        }
        _ => {}
    }
    lines.join("\n")
}

fn draw_call(call: &CallRecord) -> String {
    format!("call {} {} {}", call.seq, brief(&call.path, 80), call.state)
}

fn draw_open(open: &OpenRequest) -> String {
    let at = open.at.as_ref().map(|at| format!(" (line {}, column {})", at.line, at.column)).unwrap_or_default();
    match &open.what {
        Wanted::Tool { path, input, .. } => {
            format!("about to call {} {}{at} {}", open.seq, brief(path, 80), brief(input.get(), 1000))
        }
        Wanted::Timer(delay) => format!("about to wait {delay} ms, as {}{at}", open.seq),
    }
}

/// The call at which a fork begins, and the way in which the fork continues.
pub(crate) struct ForkEnd<'a> {
    pub(crate) before: CallSeq,
    pub(crate) answer: Option<&'a str>,
    pub(crate) fail: Option<&'a str>,
    pub(crate) program: &'a [PathBuf],
    pub(crate) roles: &'a [String],
}

impl Deciding<'_> {
    /// Forks an execution or a transcript, and runs the fork until it ends or pauses.
    pub(crate) async fn fork(&self, source: &str, end: ForkEnd<'_>) -> Result<Exit> {
        let transcript = match is_file(source) {
            true => read_transcript(source)?,
            false => self.archive.export(&find(self.archive, source).await?, Secrets::Included).await?,
        };
        let answer = match (end.answer, end.fail) {
            (Some(json), _) => ForkAnswer::Result(serde_json::from_str(json).context("--answer is not JSON")?),
            (None, Some(message)) => ForkAnswer::Failed(message.to_owned()),
            (None, None) => ForkAnswer::Made,
        };
        let principal = Principal::named(user()).with_roles(end.roles.iter().cloned());
        let mut fork = Fork::before(end.before).answer(answer).principal(principal);
        let program = match end.program {
            [] => Source::kept(transcript.beginning.clone()),
            files => Source::read(files, self.workspace.config().limits.source.get())?,
        };
        if !end.program.is_empty() {
            fork = fork.program(program.program.clone());
        }
        program.show_under(self.archive).await;
        let ready = tokio::select! {
            started = start_durably(self.workspace) => started?,
            () = self.watch.token.cancelled() => return Err(Failure::new(Code::Aborted, "interrupted").into()),
        };
        let isobox = ready.isobox.clone();
        let isobox = if self.options.json { isobox } else { isobox.observed_by(Printer::new(), Contents::Progress) };
        let resume = Resume::default().abandoned_by(self.watch.token.clone());
        let forked = isobox.fork(&transcript, fork, resume).await;
        tell_failed_servers(self.workspace, &ready);
        let form = Form::json_if(self.options.json);
        let exit = match forked {
            Ok(Resumed::Here(outcome)) => {
                if form == Form::Text {
                    print_error(&format!("forked as {}", outcome.execution_id()));
                }
                tell_outcome(&outcome, &program, self.commands, form)?
            }
            Ok(Resumed::Elsewhere) => tell_elsewhere(&transcript.execution_id, self.commands, form)?,
            Err(failure) => return Err(with_resume(failure, self).into()),
        };
        keep_house(&isobox, &self.workspace.config().retention).await;
        Ok(exit)
    }
}

/// Adds how to resume a fork that was stored before it failed.
fn with_resume(failure: Failure, deciding: &Deciding<'_>) -> Failure {
    let id = failure.details.get("executionId").and_then(Value::as_str).and_then(|id| id.parse().ok());
    match id {
        Some(id) => {
            let hint = format!("the fork is stored; resume: {}", deciding.commands.resume(&id));
            failure.hint(hint)
        }
        None => failure,
    }
}
