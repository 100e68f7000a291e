//! Collects the details of calls while an execution runs.

use std::collections::HashMap;

use serde_json::Value;

use crate::journal::{CallSettled, Entry, Settlement};
use crate::policy::{Policy, ToolNames};
use crate::report::presentation::write_within;
use crate::{CallDetails, CallRecord, CallSeq, Limits, Outcome};

/// The details of a running execution.
pub(crate) struct KeptDetails<'a> {
    asked: CallDetails,
    policy: &'a Policy,
    /// The remaining bytes of JSON.
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

    /// Tells whether no details are recorded.
    pub(crate) fn is_unwanted(&self) -> bool {
        self.asked == CallDetails::default()
    }

    /// Adds the details from a journal.
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
                | Entry::Noted(_)
                | Entry::Asked(_)
                | Entry::Decided(_)
                | Entry::Paused(_)
                | Entry::Resumed(_)
                | Entry::Ended(_)
                | Entry::Rollback(_) => {}
            }
        }
    }

    /// Adds the details to the records of an outcome.
    pub(crate) fn complete_all(&mut self, outcome: &mut Outcome) {
        for record in outcome.calls_mut() {
            self.complete(record.seq, record);
        }
    }

    /// Adds the details of a call to its record.
    pub(crate) fn complete(&mut self, seq: CallSeq, record: &mut CallRecord) {
        record.input = self.inputs.remove(&seq);
        record.output = self.outputs.remove(&seq);
        if !self.asked.outputs {
            record.error = None;
        }
    }
}
