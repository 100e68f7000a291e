//! The lowered limits of a case.

use std::time::Duration;

use isobox::limits::{InFlightExcess, Unsettled, parse_duration};
use isobox::{ByteSize, LoweredLimits};
use serde::Deserialize;

/// Lowered limits, as written in the case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[expect(missing_docs, reason = "each field is the one of the same name in `isobox::Limits`")]
pub struct SpecLimits {
    pub timeout: Option<String>,
    pub cpu: Option<String>,
    pub memory: Option<ByteSize>,
    pub stack: Option<ByteSize>,
    pub source: Option<ByteSize>,
    pub result: Option<ByteSize>,
    pub input: Option<ByteSize>,
    pub output: Option<ByteSize>,
    pub logs: Option<ByteSize>,
    pub facts: Option<ByteSize>,
    pub calls: Option<u32>,
    pub in_flight: Option<u32>,
    pub in_flight_excess: Option<String>,
    pub durable_value: Option<ByteSize>,
    pub journal: Option<ByteSize>,
    pub snapshot: Option<ByteSize>,
    pub settle: Option<String>,
    pub unsettled: Option<String>,
}

impl SpecLimits {
    /// Returns the limits in the form of the library.
    pub fn lowered(&self) -> Result<LoweredLimits, String> {
        let duration = |text: &Option<String>| -> Result<Option<Duration>, String> {
            text.as_deref().map(parse_duration).transpose().map_err(|error| error.to_string())
        };
        Ok(LoweredLimits::default()
            .timeout(duration(&self.timeout)?)
            .cpu(duration(&self.cpu)?)
            .memory(self.memory)
            .stack(self.stack)
            .source(self.source)
            .result(self.result)
            .input(self.input)
            .output(self.output)
            .logs(self.logs)
            .facts(self.facts)
            .calls(self.calls)
            .in_flight(self.in_flight)
            .in_flight_excess(match self.in_flight_excess.as_deref() {
                None => None,
                Some("fail") => Some(InFlightExcess::Fail),
                Some("wait") => Some(InFlightExcess::Wait),
                Some(other) => return Err(format!("`inFlightExcess` is `wait` or `fail`, not `{other}`")),
            })
            .durable_value(self.durable_value)
            .journal(self.journal)
            .snapshot(self.snapshot)
            .settle(duration(&self.settle)?)
            .unsettled(match self.unsettled.as_deref() {
                None => None,
                Some("fail") => Some(Unsettled::Fail),
                Some("cancel") => Some(Unsettled::Cancel),
                Some(other) => return Err(format!("`unsettled` is `cancel` or `fail`, not `{other}`")),
            }))
    }

    /// Returns the limits as flags of the command line.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        let size = |size: Option<ByteSize>| size.map(|size| size.get().to_string());
        let count = |count: Option<u32>| count.map(|count| count.to_string());
        for (flag, value) in [
            ("--timeout", self.timeout.clone()),
            ("--cpu", self.cpu.clone()),
            ("--memory", size(self.memory)),
            ("--stack", size(self.stack)),
            ("--max-source", size(self.source)),
            ("--max-result", size(self.result)),
            ("--max-input", size(self.input)),
            ("--max-output", size(self.output)),
            ("--max-logs", size(self.logs)),
            ("--max-facts", size(self.facts)),
            ("--max-calls", count(self.calls)),
            ("--max-in-flight", count(self.in_flight)),
            ("--max-durable-value", size(self.durable_value)),
            ("--max-journal", size(self.journal)),
            ("--max-snapshot", size(self.snapshot)),
            ("--settle", self.settle.clone()),
        ] {
            flags.extend(value.map(|value| format!("{flag}={value}")));
        }
        if self.in_flight_excess.as_deref() == Some("fail") {
            flags.push("--fail-in-flight".to_owned());
        }
        if self.unsettled.as_deref() == Some("fail") {
            flags.push("--fail-unsettled".to_owned());
        }
        flags
    }
}
