//! What records of calls hold beside which tool was called and how far that came.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::journal::{CallSettled, Entry, Settlement};
use crate::policy::{Policy, ToolNames};
use crate::report::presentation::write_within;
use crate::{CallRecord, CallSeq, Limits, Outcome};

/// What is recorded of every call beside which tool it was and how far it came, without what the policy redacts.
///
/// All of it together is no larger than one input and one output may be: a detail that does not fit any more is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallDetails {
    /// What the program passed.
    pub inputs: bool,
    /// What it got: the output, or the error.
    pub outputs: bool,
}

impl CallDetails {
    setters! {
        inputs: bool,
        outputs: bool,
    }
}

/// The details of one execution, while it runs.
pub(crate) struct KeptDetails<'a> {
    asked: CallDetails,
    policy: &'a Policy,
    /// In bytes of JSON.
    room: usize,
    inputs: HashMap<CallSeq, Value>,
    outputs: HashMap<CallSeq, Value>,
}

impl<'a> KeptDetails<'a> {
    pub(crate) fn new(asked: CallDetails, policy: &'a Policy, limits: &Limits) -> Self {
        let room = limits.input.get().saturating_add(limits.output.get());
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        Self { asked, policy, room, inputs: HashMap::new(), outputs: HashMap::new() }
    }

    pub(crate) fn input(&mut self, seq: CallSeq, names: ToolNames<'_>, input: &Value) {
        if self.asked.inputs {
            let shown = self.policy.redacted(names, input);
            if let Some(json) = write_within(&shown, self.room) {
                self.room -= json.len();
                self.inputs.insert(seq, shown);
            }
        }
    }

    pub(crate) fn output(&mut self, seq: CallSeq, names: ToolNames<'_>, json: &str) {
        if self.asked.outputs
            && json.len() <= self.room
            && let Ok(output) = serde_json::from_str(json)
        {
            self.room -= json.len();
            self.outputs.insert(seq, self.policy.redacted(names, &output));
        }
    }

    /// Whether nothing has to be kept.
    pub(crate) fn is_unwanted(&self) -> bool {
        self.asked == CallDetails::default()
    }

    /// Takes up what a journal holds.
    pub(crate) fn learn(&mut self, entries: &[Entry]) {
        let mut tools = HashMap::new();
        for entry in entries {
            match entry {
                Entry::Step(step) => {
                    let asked = step.calls.iter().filter_map(|asked| Some((asked.names()?, asked.tool()?)));
                    for (names, (seq, (_, input))) in asked {
                        self.input(seq, names, &input);
                        tools.insert(seq, names);
                    }
                }
                Entry::Settled(CallSettled { seq, settlement: Settlement::Result(json), .. }) => {
                    if let Some(names) = tools.get(seq) {
                        self.output(*seq, *names, json.get());
                    }
                }
                Entry::Settled(_)
                | Entry::Started(_)
                | Entry::Asked(_)
                | Entry::Decided(_)
                | Entry::Paused(_)
                | Entry::Resumed(_)
                | Entry::Ended(_) => {}
            }
        }
    }

    /// Adds what is kept to the records of an outcome.
    pub(crate) fn complete_all(&mut self, outcome: &mut Outcome) {
        for record in outcome.calls_mut() {
            self.complete(record.seq, record);
        }
    }

    /// Puts into the record of a call what is known of it.
    pub(crate) fn complete(&mut self, seq: CallSeq, record: &mut CallRecord) {
        record.input = self.inputs.remove(&seq);
        record.output = self.outputs.remove(&seq);
        if !self.asked.outputs {
            record.error = None;
        }
    }
}
