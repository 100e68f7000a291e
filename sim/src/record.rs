//! What a journal says that happened to a program, by labels and steps.

use std::collections::{BTreeMap, VecDeque};

use isobox_core::journal::{Entry, Settlement, Wanted};
use isobox_core::{CallSeq, Code, Inspected};
use serde_json::Value;

use crate::program::{SAME, Thrown};
use crate::world::label_of;

/// A journal as the model needs it. Steps are counted from 0.
#[derive(Debug, Default)]
pub struct Record {
    /// How many steps there were.
    pub steps: usize,
    /// The calls, by label.
    pub calls: BTreeMap<String, Called>,
    /// What was logged, with its step, in order.
    pub logs: Vec<(usize, String)>,
    /// Where in `logs` a line is.
    pub lines: BTreeMap<String, usize>,
    /// What cannot be.
    pub oddities: Vec<String>,
}

/// A call.
#[derive(Debug, Clone)]
pub struct Called {
    /// Its number.
    pub seq: CallSeq,
    /// Of which tool.
    pub path: String,
    /// What it passed in the place of a label.
    pub id: String,
    /// What it passed besides.
    pub a: u64,
    /// In which step it was made.
    pub made: usize,
    /// What came of it.
    pub settled: Option<Result<u64, Thrown>>,
    /// In which step the program got that.
    pub delivered: Option<usize>,
}

impl Record {
    /// Of an execution whose ephemeral calls give this.
    pub fn of(inspected: &Inspected, ephemeral: impl Fn(&str, &str, u64) -> Result<u64, Thrown>) -> Self {
        let mut record = Self::default();
        let mut labels: BTreeMap<CallSeq, String> = BTreeMap::new();
        for entry in &inspected.entries {
            match entry {
                Entry::Step(step) => {
                    let number = record.steps;
                    record.steps += 1;
                    for seq in &step.answers {
                        // Timers have none.
                        let Some(label) = labels.get(seq) else { continue };
                        let call = record.calls.get_mut(label).expect("it has a label");
                        if call.delivered.replace(number).is_some() {
                            record.oddities.push(format!("call {label} is answered twice"));
                        }
                    }
                    // Those that pass the same as others say their labels before, in their order.
                    let mut said: VecDeque<&str> =
                        step.logs.iter().filter_map(|log| log.message.strip_suffix('?')).collect();
                    for asked in &step.calls {
                        let Wanted::Tool { path, input, .. } = &asked.what else { continue };
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
                            delivered: None,
                        };
                        if record.calls.insert(label.clone(), call).is_some() {
                            record.oddities.push(format!("call {label} is made twice"));
                        }
                        labels.insert(asked.seq, label);
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
                        Settlement::Failed(failure) => Err(match failure.code {
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
                | Entry::Asked(_)
                | Entry::Decided(_)
                | Entry::Paused(_)
                | Entry::Resumed(_)
                | Entry::Ended(_) => {}
            }
        }
        record
    }
}
