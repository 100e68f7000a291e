//! Reads the events of a program from its journal, by labels and steps.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use isobox_core::journal::{Entry, Settlement, Wanted};
use isobox_core::{CallSeq, Code};
use serde_json::Value;

use crate::program::{CHILD, RUN, SAME, Thrown};
use crate::world::label_of;

/// A journal in the form that the model needs. Steps are counted from 0.
#[derive(Debug, Default)]
pub struct Record {
    /// The number of steps.
    pub steps: usize,
    /// The calls by label.
    pub calls: BTreeMap<String, Called>,
    /// The log lines with their steps, in order.
    pub logs: Vec<(usize, String)>,
    /// The index of each line in `logs`.
    pub lines: BTreeMap<String, usize>,
    /// The ends of snippets with their steps: the label of the call, and how it ended.
    pub ends: Vec<(usize, String)>,
    /// The contradictions that were found.
    pub oddities: Vec<String>,
}

/// A call.
#[derive(Debug, Clone)]
pub struct Called {
    /// The number of the call.
    pub seq: CallSeq,
    /// The path of the tool.
    pub path: String,
    /// The value passed as the label.
    pub id: String,
    /// The value of `a` passed to the call.
    pub a: u64,
    /// The step in which the call was made.
    pub made: usize,
    /// The result. None for a call that runs a snippet.
    pub settled: Option<Result<u64, Thrown>>,
    /// The name of the snippet that the call has started.
    pub snippet: Option<String>,
    /// The step in which the program got the result.
    pub delivered: Option<usize>,
}

impl Record {
    /// Reads the record of a program, without its rollbacks. `ephemeral` returns the results of ephemeral calls.
    pub fn of(entries: &[Entry], ephemeral: impl Fn(&str, &str, u64) -> Result<u64, Thrown>) -> Self {
        let mut record = Self::default();
        let mut labels: BTreeMap<CallSeq, String> = BTreeMap::new();
        let mut timers: BTreeSet<CallSeq> = BTreeSet::new();
        for entry in entries {
            match entry {
                Entry::Step(step) => {
                    let number = record.steps;
                    record.steps += 1;
                    let fired = step.answers.iter().filter(|seq| timers.contains(seq)).count();
                    // A snippet that has returned gets no more answers, and its timers tell nothing.
                    if step.logs.iter().filter(|log| log.message.ends_with('!')).count() > fired {
                        record.oddities.push(format!("more timers tell that they fired than did in step {number}"));
                    }
                    for seq in &step.answers {
                        // Timers have no label.
                        let Some(label) = labels.get(seq) else { continue };
                        let call = record.calls.get_mut(label).expect("it has a label");
                        if call.delivered.replace(number).is_some() {
                            record.oddities.push(format!("call {label} is answered twice"));
                        }
                    }
                    // Calls with the same input as others log their labels before, in order.
                    let mut said: VecDeque<&str> =
                        step.logs.iter().filter_map(|log| log.message.strip_suffix('?')).collect();
                    for asked in &step.calls {
                        let Wanted::Tool { path, input, .. } = &asked.what else {
                            timers.insert(asked.seq);
                            continue;
                        };
                        let input: Value = serde_json::from_str(input.get()).expect("JSON");
                        let passed = label_of(&input);
                        let label = match &passed {
                            Some((id, _)) if id == SAME => said.pop_front(),
                            Some((id, _)) => Some(id.as_str()),
                            None => None,
                        };
                        let (Some(label), Some((id, a))) = (label.map(str::to_owned), passed.clone()) else {
                            record.oddities.push(format!("call {} has no label", asked.seq));
                            continue;
                        };
                        let call = Called {
                            seq: asked.seq,
                            path: path.clone(),
                            id,
                            a,
                            made: number,
                            settled: None,
                            snippet: None,
                            delivered: None,
                        };
                        record.check_number(asked.seq, &label, &labels);
                        if record.calls.insert(label.clone(), call).is_some() {
                            record.oddities.push(format!("call {label} is made twice"));
                        }
                        labels.insert(asked.seq, label);
                    }
                    for ended in &step.ended {
                        let label = labels.get(&ended.seq).map_or("", String::as_str);
                        record.ends.push((number, end_of_snippet(label, ended.failure.as_ref().map(|one| one.code))));
                    }
                    for log in &step.logs {
                        if record.lines.insert(log.message.clone(), record.logs.len()).is_some() {
                            record.oddities.push(format!("`{}` is logged twice", log.message));
                        }
                        record.logs.push((number, log.message.clone()));
                    }
                }
                Entry::Settled(settled) => {
                    let Some(label) = labels.get(&settled.seq) else {
                        record.oddities.push(format!("something came of call {}, which was not made", settled.seq));
                        continue;
                    };
                    let call = record.calls.get_mut(label).expect("it has a label");
                    call.settled = Some(match &settled.settlement {
                        Settlement::Result(json) => json.get().parse::<u64>().map_err(|_| Thrown::Tool),
                        Settlement::Ephemeral => ephemeral(&call.path, label, call.a),
                        Settlement::Snippet(started) => {
                            call.snippet = Some(started.name.clone());
                            let input = serde_json::from_str(started.input.get()).unwrap_or_default();
                            if call.path != RUN || label_of(&input) != Some((call.id.clone(), call.a)) {
                                record.oddities.push(format!("call {label} runs {} with {input}", started.name));
                            }
                            continue;
                        }
                        Settlement::Failed(failure) => Err(match failure.code {
                            Code::Timeout | Code::Aborted if call.path == RUN => Thrown::Late,
                            Code::ApprovalDenied => Thrown::Denied,
                            Code::UnknownTool => Thrown::Unknown,
                            Code::Tool => Thrown::Tool,
                            other => {
                                record.oddities.push(format!("call {label} failed with {other}"));
                                Thrown::Tool
                            }
                        }),
                    });
                }
                Entry::Started(_)
                | Entry::Noted(_)
                | Entry::Asked(_)
                | Entry::Decided(_)
                | Entry::Paused(_)
                | Entry::Resumed(_)
                | Entry::Ended(_)
                | Entry::Rollback(_) => {}
            }
        }
        record
    }

    /// Checks that the calls of a snippet, and no others, are numbered under the call that runs it.
    fn check_number(&mut self, seq: CallSeq, label: &str, labels: &BTreeMap<CallSeq, String>) {
        let parent = label.rsplit_once(CHILD).map(|(parent, _)| parent);
        let numbered = seq.parent().map(|seq| labels.get(&seq).map_or("", String::as_str));
        if parent != numbered {
            self.oddities.push(format!("call {label} has the number {seq}, which is under {numbered:?}"));
        }
    }
}

/// Describes how a snippet ended.
pub fn end_of_snippet(label: &str, failure: Option<Code>) -> String {
    match failure {
        None => format!("{label} returned"),
        // A call of a snippet that runs another one ends with either of them.
        Some(Code::Timeout | Code::Aborted) => format!("{label} was stopped"),
        Some(code) => format!("{label} failed with {code}"),
    }
}
