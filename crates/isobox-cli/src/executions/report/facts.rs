//! The content of a report, bounded and not escaped.

use std::collections::{BTreeMap, HashMap};

use isobox::calls::CallRecord;
use isobox::journal::{Ending, Entry, Settlement, Wanted};
use isobox::store::Status;
use isobox::text::{lines_without_escapes, shorten};
use isobox::transcript::Transcript;
use isobox::{CallSeq, Outcome, Timestamp, Value};

use crate::executions::bars::{Bars, Shape};
use crate::executions::moment::{date_and_time, duration};
use crate::executions::timeline::happening;

/// The maximum number of calls, of events, and of log lines.
const CALLS: usize = 200;
const EVENTS: usize = 500;
const LOGS: usize = 500;
/// The maximum number of characters of a value, of the result, and of the program.
const VALUE: usize = 4_000;
const RESULT: usize = 40_000;
const PROGRAM: usize = 400_000;

/// The content of a report. All texts are cleaned of control characters, and none of them is escaped for a format.
pub(super) struct Facts {
    pub(super) title: String,
    /// Labels and values.
    pub(super) summary: Vec<(&'static str, String)>,
    /// Names and texts.
    pub(super) files: Vec<(String, String)>,
    pub(super) calls: Vec<CallFacts>,
    pub(super) more_calls: usize,
    /// Times and sentences.
    pub(super) events: Vec<(String, String)>,
    pub(super) logs: Vec<String>,
    /// The facts of the program.
    pub(super) found: Vec<String>,
    pub(super) outcome: Ended,
    pub(super) bars: Bars,
    pub(super) is_redacted: bool,
}

pub(super) struct CallFacts {
    pub(super) seq: CallSeq,
    pub(super) path: String,
    pub(super) state: String,
    /// The duration of the call, and the time that it waited for people.
    pub(super) cost: String,
    pub(super) place: Option<String>,
    pub(super) input: String,
    pub(super) output: Option<String>,
    pub(super) error: Option<String>,
}

pub(super) enum Ended {
    Completed(String),
    Failed(String),
    NotYet(&'static str),
}

impl Facts {
    pub(super) fn of(transcript: &Transcript) -> Self {
        let Transcript { beginning, entries, state, .. } = transcript;
        let bars = Bars::of(beginning.created, entries);
        let records = state.records();
        let details = Details::of(entries);
        let calls = records.iter().take(CALLS).map(|record| details.call(record, &bars)).collect();
        let mut events: Vec<(String, String)> =
            entries.iter().filter_map(happening).map(|(at, what)| (date_and_time(at), what)).collect();
        cut(&mut events, EVENTS, |more| (String::new(), format!("… {more} more")));
        let mut logs: Vec<String> = state.logs.iter().map(|log| shorten(&log.message, VALUE)).collect();
        cut(&mut logs, LOGS, |more| format!("… {more} more lines"));
        let mut found: Vec<String> =
            state.facts.iter().map(|(name, value)| shorten(&format!("{name}: {value}"), VALUE)).collect();
        cut(&mut found, LOGS, |more| format!("… {more} more facts"));
        let files = beginning.program.files().iter();
        Self {
            title: format!("Execution {}", transcript.execution_id),
            summary: summary(transcript, &bars, records.len()),
            files: files.map(|(path, text)| (clean(path), clean(&shorten(text, PROGRAM)))).collect(),
            calls,
            more_calls: records.len().saturating_sub(CALLS),
            events,
            logs: logs.iter().map(|line| clean(line)).collect(),
            found: found.iter().map(|line| clean(line)).collect(),
            outcome: ended(transcript),
            bars,
            is_redacted: transcript.is_redacted,
        }
    }
}

fn summary(transcript: &Transcript, bars: &Bars, calls: usize) -> Vec<(&'static str, String)> {
    let Transcript { beginning, state, .. } = transcript;
    let active = state.ended.as_ref().map_or(state.used.wall, |ended| ended.duration);
    let paused: u64 = bars.pauses.iter().map(|(from, to)| to - from).sum();
    let mut summary = vec![
        ("status", transcript.status().to_string()),
        ("created", format!("{} UTC", date_and_time(beginning.created))),
        ("active time", duration(active)),
        ("CPU time", duration(state.used.cpu / 1000)),
        ("time paused", duration(paused)),
        ("calls", calls.to_string()),
        ("log messages", state.logs.len().to_string()),
        ("exported", format!("{} UTC", date_and_time(transcript.exported))),
        ("image", clean(&beginning.image)),
    ];
    let texts = [("owner", &beginning.owner), ("function", &beginning.function), ("session", &beginning.session)];
    summary.extend(texts.into_iter().filter_map(|(label, text)| Some((label, clean(text.as_ref()?)))));
    if let Some(from) = &beginning.forked_from {
        summary.push(("forked from", format!("{}, before call {}", from.execution, from.before)));
    }
    summary
}

fn ended(transcript: &Transcript) -> Ended {
    match transcript.state.ended.as_ref().map(|ended| &ended.how) {
        Some(Ending::Completed(value)) => Ended::Completed(pretty(value, RESULT)),
        Some(Ending::Failed(failure) | Ending::Rejected(failure)) => {
            let place = match (failure.line, failure.column) {
                (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
                _ => String::new(),
            };
            Ended::Failed(clean(&format!("{}: {}{place}", failure.code, shorten(&failure.message, VALUE))))
        }
        Some(Ending::RolledBack(_)) => match transcript.outcome() {
            Some(Outcome::RolledBack(rolled_back)) => Ended::Failed(clean(&rolled_back.in_words())),
            Some(_) | None => Ended::NotYet("The execution was rolled back."),
        },
        None if transcript.status() == Status::Sleeping => {
            Ended::NotYet("The execution was waiting for a timer when it was exported.")
        }
        None if transcript.status() == Status::Paused => {
            Ended::NotYet("The execution was paused when it was exported.")
        }
        None => Ended::NotYet("The execution had not ended when it was exported."),
    }
}

/// The inputs and outputs of calls, as the entries record them.
#[derive(Default)]
struct Details<'e> {
    inputs: BTreeMap<CallSeq, (&'e str, Option<String>)>,
    outputs: HashMap<CallSeq, &'e Settlement>,
}

impl<'e> Details<'e> {
    fn of(entries: &'e [Entry]) -> Self {
        let mut details = Self::default();
        for entry in entries {
            match entry {
                Entry::Step(step) => {
                    for asked in &step.calls {
                        if let Wanted::Tool { input, .. } = &asked.what {
                            let place = asked.at.as_ref().map(|at| match &at.file {
                                Some(file) => format!("{file}:{}:{}", at.line, at.column),
                                None => format!("line {}, column {}", at.line, at.column),
                            });
                            details.inputs.insert(asked.seq, (input.get(), place));
                        }
                    }
                }
                Entry::Settled(settled) => {
                    details.outputs.insert(settled.seq, &settled.settlement);
                }
                _ => {}
            }
        }
        details
    }

    fn call(&self, record: &CallRecord, bars: &Bars) -> CallFacts {
        let (input, place) = self.inputs.get(&record.seq).map_or(("", None), |(input, place)| (*input, place.clone()));
        let (output, error) = match self.outputs.get(&record.seq) {
            Some(Settlement::Result(json)) => (Some(pretty_text(json.get())), None),
            Some(Settlement::Ephemeral) => (Some("(not recorded)".to_owned()), None),
            Some(Settlement::Snippet(started)) => {
                (Some(format!("(runs the snippet {} version {})", started.name, started.version)), None)
            }
            Some(Settlement::Failed(failure)) => {
                (None, Some(clean(&format!("{}: {}", failure.code, shorten(&failure.message, VALUE)))))
            }
            None => (None, None),
        };
        let waited: u64 = bars
            .of_call(record.seq)
            .filter(|(shape, ..)| *shape == Shape::Waiting)
            .map(|(_, from, to)| to.unwrap_or(bars.end).saturating_sub(from))
            .sum();
        let mut cost: Vec<String> =
            record.duration_ms.map(|took| format!("took {}", duration(took))).into_iter().collect();
        if waited > 0 {
            cost.push(format!("waited {} for a decision", duration(waited)));
        }
        CallFacts {
            seq: record.seq,
            path: clean(&shorten(&record.path, 200)),
            state: record.state.to_string(),
            cost: cost.join(", "),
            place: place.map(|place| clean(&place)),
            input: pretty_text(input),
            output,
            error,
        }
    }
}

fn pretty_text(json: &str) -> String {
    serde_json::from_str(json).map_or_else(|_| clean(&shorten(json, VALUE)), |value: Value| pretty(&value, VALUE))
}

fn pretty(value: &Value, characters: usize) -> String {
    clean(&shorten(&format!("{value:#}"), characters))
}

/// Removes control sequences and invisible characters. Line breaks stay.
pub(super) fn clean(text: &str) -> String {
    let text = text.replace('\t', "    ");
    lines_without_escapes(&text).map(|line| line.into_owned()).collect::<Vec<_>>().join("\n")
}

/// Shortens a list in its middle.
fn cut<T>(list: &mut Vec<T>, most: usize, note: impl FnOnce(usize) -> T) {
    if list.len() > most {
        let more = list.len() - most;
        list.splice(most / 2..most / 2 + more, [note(more)]);
    }
}

/// Returns the first and the last time of the timeline.
pub(super) fn scale(bars: &Bars) -> (String, String) {
    (date_and_time(Timestamp(bars.begin)), date_and_time(Timestamp(bars.last)))
}
