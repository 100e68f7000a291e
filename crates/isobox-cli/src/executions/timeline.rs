//! Draws the timeline of an execution: calls as bars over time, and below them decisions and pauses. No I/O and no
//! clock.

use std::collections::BTreeMap;

use isobox::calls::{CallRecord, CallState};
use isobox::journal::{Decision, Ending, Entry, JournalState, Question, Remember, ResumedFrom, Verdict};
use isobox::store::State;
use isobox::text::{brief, show_value, without_escapes};
use isobox::{CallSeq, Code, ExecutionId, Timestamp, Value};

use super::axis::Axis;
use super::bars::{Bars, Shape};
use super::list::look_of;
use super::moment::{date_and_time, duration, time};
use crate::rows::{in_one_line, padded, width_of};
use crate::style::{Colours, Look};

/// The data that a timeline shows.
pub(crate) struct Story<'a> {
    pub(crate) id: &'a ExecutionId,
    pub(crate) created: Timestamp,
    pub(crate) function: Option<&'a str>,
    pub(crate) session: Option<&'a str>,
    pub(crate) owner: Option<&'a str>,
    pub(crate) entries: &'a [Entry],
    /// The inputs of calls, without what the policy redacts.
    pub(crate) inputs: &'a BTreeMap<CallSeq, Value>,
    /// Whether a live process runs the execution.
    pub(crate) is_held: bool,
    /// Whether a decision is recorded that no process has applied yet.
    pub(crate) is_decided: bool,
}

/// The maximum number of calls, and of event lines. The rest is counted.
const SHOWN: usize = 100;

/// Draws the timeline. Bars are at most `width` columns wide; widths below 60 count as 60. All text from outside is
/// escaped.
pub(crate) fn draw(story: &Story<'_>, width: usize, colours: Colours) -> String {
    let mut state = JournalState::default();
    for entry in story.entries {
        // Entries out of order were refused when the journal was read.
        if state.apply(entry.clone()).is_err() {
            break;
        }
    }
    let width = width.max(60);
    let parts = [
        head(story, &state, colours),
        chart(story, &state, width, colours),
        inputs(story, &state, width, colours),
        happenings(story, colours),
        result(story, &state, colours),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn head(story: &Story<'_>, state: &JournalState, colours: Colours) -> String {
    let status = status(story, state);
    let text = status.as_str();
    let status = look_of(status).map_or(text.to_owned(), |look| colours.paint(look, text));
    let mut lines = vec![format!("{}  {status}", colours.paint(Look::Strong, story.id.as_str()))];
    lines.push(format!("created {} UTC{}", date_and_time(story.created), by_whom(story)));
    let worked = match &state.ended {
        Some(ended) => ended.duration,
        None => state.used.wall,
    };
    let logged = state.logs.len();
    lines.push(format!(
        "{}, {}, {} active, {} CPU",
        counted(state.calls.len(), "call"),
        counted(logged, "log line"),
        duration(worked),
        duration(state.used.cpu / 1000)
    ));
    lines.join("\n")
}

fn by_whom(story: &Story<'_>) -> String {
    let owner = story.owner.map(|owner| format!(" by {}", one_line(owner))).unwrap_or_default();
    let function = story.function.map(|function| format!(" as {}", one_line(function))).unwrap_or_default();
    let session = story.session.map(|session| format!(" in session {}", one_line(session))).unwrap_or_default();
    format!("{owner}{function}{session}")
}

fn status(story: &Story<'_>, state: &JournalState) -> State {
    let status = state.status(story.entries.last());
    State::of(status, story.is_held, u32::from(story.is_decided))
}

/// Draws one row per call below a row with the time scale.
pub(super) fn chart(story: &Story<'_>, state: &JournalState, width: usize, colours: Colours) -> String {
    /// The maximum number of columns for a path.
    const PATH: usize = 29;
    let records = state.records();
    let Some(shown) = records.get(..records.len().min(SHOWN)).filter(|shown| !shown.is_empty()) else {
        return String::new();
    };
    let labels: Vec<String> =
        shown.iter().map(|call| format!("{} {}", call.seq, in_one_line(&call.path, PATH))).collect();
    let ends: Vec<String> = shown.iter().map(end_of).collect();
    let longest = |texts: &[String]| texts.iter().map(|text| width_of(text)).max().unwrap_or_default();
    let (label, end) = (longest(&labels), longest(&ends));
    let columns = width.saturating_sub(label + end + 4).max(12);
    let bars = Bars::of(story.created, story.entries);
    let axis = Axis::new(bars.begin, bars.end, &bars.pauses, columns);
    let scale = format!("{:label$}  {}", "", scale(&bars, columns));
    let mut rows = vec![colours.paint(Look::Faint, scale.trim_end())];
    for ((call, name), end) in shown.iter().zip(&labels).zip(&ends) {
        let row = row(call.seq, &bars, &axis);
        let end = if call.error.is_some() { colours.paint(Look::Error, end) } else { end.clone() };
        rows.push(format!("{}  {row}  {end}", padded(name, label)));
    }
    if records.len() > SHOWN {
        rows.push(format!("… {} more calls", records.len() - SHOWN));
    }
    rows.push(colours.paint(Look::Faint, "█ running  ░ pending  · not started  × failed  ┊ execution suspended"));
    rows.join("\n")
}

/// Lists the calls with their inputs and errors, one line each.
fn inputs(story: &Story<'_>, state: &JournalState, width: usize, colours: Colours) -> String {
    /// The maximum number of columns for an error.
    const ERROR: usize = 200;
    let records = state.records();
    let mut lines = Vec::new();
    for call in records.iter().take(SHOWN) {
        let input = story.inputs.get(&call.seq).map(Value::to_string).unwrap_or_default();
        let name = format!("{} {}", call.seq, brief(&call.path, 80));
        let room = width.saturating_sub(width_of(&name) + 1).max(40);
        lines.push(format!("{} {}", colours.paint(Look::Mark, &name), in_one_line(&input, room)).trim_end().to_owned());
        if let Some(error) = &call.error {
            let denied = Some(error).filter(|error| error.code == Code::ApprovalDenied);
            let by = denied.and_then(|error| error.details.get("by")?.as_str());
            let by = by.map(|by| format!(" (an earlier decision of {})", one_line(by))).unwrap_or_default();
            let error = format!("{}: {}{by}", error.code, in_one_line(&error.message, ERROR));
            lines.push(format!("  {}", colours.paint(Look::Error, &error)));
        }
    }
    lines.join("\n")
}

/// Draws the first and the last time of the chart.
fn scale(bars: &Bars, columns: usize) -> String {
    let (begin, end) = (time(Timestamp(bars.begin)), time(Timestamp(bars.last)));
    match columns.checked_sub(begin.len() + end.len()) {
        Some(room) if room > 0 => format!("{begin}{:room$}{end}", ""),
        _ => begin,
    }
}

fn row(seq: CallSeq, bars: &Bars, axis: &Axis) -> String {
    let mut cells: Vec<char> = (0..axis.columns).map(|column| if axis.is_pause(column) { '┊' } else { ' ' }).collect();
    for (shape, from, to) in bars.of_call(seq) {
        let (first, last) = axis.columns(from, to.unwrap_or(bars.end));
        let sign = match shape {
            Shape::Issued => '·',
            Shape::Waiting => '░',
            Shape::Running => '█',
            Shape::Failed => '×',
        };
        for cell in &mut cells[first..=last] {
            // A later span never hides that the call ran.
            if !(*cell == '█' && matches!(shape, Shape::Issued | Shape::Waiting)) {
                *cell = sign;
            }
        }
    }
    cells.into_iter().collect()
}

fn end_of(call: &CallRecord) -> String {
    match call.duration_ms {
        Some(took) => format!("{} {}", call.state, duration(took)),
        None => call.state.to_string(),
    }
}

/// Lists questions, decisions, pauses, resumptions and the end, one line each.
fn happenings(story: &Story<'_>, colours: Colours) -> String {
    let mut lines: Vec<String> = story
        .entries
        .iter()
        .filter_map(|entry| {
            let (at, what) = happening(entry)?;
            Some(format!("{}  {what}", colours.paint(Look::Faint, &date_and_time(at))))
        })
        .collect();
    if lines.len() > SHOWN {
        let more = lines.len() - SHOWN;
        lines.drain(SHOWN / 2..SHOWN / 2 + more);
        lines.insert(SHOWN / 2, format!("… {more} more lines"));
    }
    lines.join("\n")
}

pub(super) fn happening(entry: &Entry) -> Option<(Timestamp, String)> {
    Some(match entry {
        Entry::Asked(asked) => {
            let what = match &asked.question {
                Question::Approval { why, .. } => format!("needs approval: {}", one_line(why)),
                Question::Interrupt { .. } => "needs an answer".to_owned(),
                Question::InDoubt => match &asked.why {
                    Some(why) => format!("is in doubt: {}", one_line(why)),
                    None => "is in doubt".to_owned(),
                },
            };
            (asked.at, format!("call {} {what}", asked.seq))
        }
        Entry::Decided(decided) => (decided.at, who_decided(&decided.decision)),
        Entry::Paused(paused) => {
            let held = |by: &String| format!("held by {}: the store was restored from a backup", one_line(by));
            let rested = match paused.until {
                Some(until) => format!("left memory until {until}"),
                None => "paused".to_owned(),
            };
            (paused.at, paused.restored_by.as_ref().map_or(rested, held))
        }
        Entry::Resumed(resumed) => {
            let from = match resumed.from {
                ResumedFrom::Snapshot => "its snapshot",
                ResumedFrom::Journal => "its journal",
            };
            let released = |by: &String| format!(", released by {}", one_line(by));
            (
                resumed.at,
                format!("resumed from {from}{}", resumed.released_by.as_ref().map(released).unwrap_or_default()),
            )
        }
        Entry::Ended(ended) => {
            let how = match &ended.how {
                Ending::Completed(_) => "completed",
                Ending::Failed(failure) if failure.code == Code::Aborted => "cancelled",
                Ending::Failed(_) => "failed",
                Ending::Rejected(_) => "rejected",
                Ending::RolledBack(None) => "rolled back",
                Ending::RolledBack(Some(_)) => "the rollback stopped",
            };
            (ended.at, how.to_owned())
        }
        Entry::Rollback(begun) => {
            let to = begun.to.as_ref().map(|step| format!(" to step {}", one_line(step))).unwrap_or_default();
            (begun.at, format!("{} began to roll it back{to}", one_line(&begun.by)))
        }
        Entry::Started(started) => {
            let by = one_line(started.approved_by.as_ref()?);
            (started.at, format!("call {} was approved by an earlier decision of {by}", started.seq))
        }
        Entry::Step(_) | Entry::Noted(_) | Entry::Settled(_) => return None,
    })
}

/// Describes a decision and who made it.
pub(crate) fn who_decided(decision: &Decision) -> String {
    let remembered = match decision.remember {
        Remember::Nothing => "",
        Remember::Execution => ", also for the rest of the execution",
        Remember::Session => ", also for the session",
    };
    let (by, said) = (one_line(&decision.by), decision.verdict.in_words(decision.seq));
    let why = match &decision.verdict {
        Verdict::Deny(Some(reason)) | Verdict::Fail(Some(reason)) => Some(reason),
        _ => decision.reason.as_ref(),
    };
    let why = why.map(|why| format!(": {}", one_line(why))).unwrap_or_default();
    format!("{by} {said}{remembered}{why}")
}

fn result(story: &Story<'_>, state: &JournalState, colours: Colours) -> String {
    /// The maximum length of the result, in tokens.
    const RESULT: usize = 200;
    match state.ended.as_ref().map(|ended| &ended.how) {
        Some(Ending::Completed(value)) => {
            let shown = show_value(value, RESULT).text;
            let lines: Vec<String> = shown.lines().map(|line| without_escapes(line).into_owned()).collect();
            format!("{} {}", colours.paint(Look::Mark, "result:"), lines.join("\n"))
        }
        Some(Ending::Failed(failure) | Ending::Rejected(failure)) => {
            let place = match (failure.line, failure.column) {
                (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
                _ => String::new(),
            };
            let error = format!("{}: {}{place}", failure.code, in_one_line(&failure.message, 500));
            colours.paint(Look::Error, &error)
        }
        Some(Ending::RolledBack(_)) => {
            let reverted = state.records().iter().filter(|call| call.state == CallState::Reverted).count();
            format!("{} {}", colours.paint(Look::Mark, "reverted:"), counted(reverted, "call"))
        }
        None if matches!(story.entries.last(), Some(Entry::Paused(_))) || story.is_held => String::new(),
        None => "The process of this execution has ended. `isobox executions resume` resumes it.".to_owned(),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

pub(crate) fn one_line(text: &str) -> String {
    in_one_line(text, 160)
}

#[cfg(test)]
#[path = "timeline_tests.rs"]
mod tests;
