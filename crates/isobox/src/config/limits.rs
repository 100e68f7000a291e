//! `limits`: the limits of every execution.

use std::fmt::Display;
use std::time::Duration;

use isobox_core::{ByteSize, InFlightExcess, Limits, Unsettled, parse_duration};
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section, Text};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys {
    known: &[
        "timeout",
        "cpu",
        "memory",
        "stack",
        "source",
        "result",
        "input",
        "output",
        "logs",
        "facts",
        "calls",
        "inFlight",
        "inFlightExcess",
        "durableValue",
        "journal",
        "snapshot",
        "settle",
        "unsettled",
        "lifetime",
    ],
    tolerated: &[],
    later: &[],
};

const OWNER: &str = "`limits`";

/// A limit with a unit, and its field.
enum Field {
    Duration(fn(&mut Limits) -> &mut Duration),
    Size(fn(&mut Limits) -> &mut ByteSize),
    Count(fn(&mut Limits) -> &mut u32),
}

const FIELDS: [(&str, Field); 17] = [
    ("timeout", Field::Duration(|limits| &mut limits.timeout)),
    ("cpu", Field::Duration(|limits| &mut limits.cpu)),
    ("memory", Field::Size(|limits| &mut limits.memory)),
    ("stack", Field::Size(|limits| &mut limits.stack)),
    ("source", Field::Size(|limits| &mut limits.source)),
    ("result", Field::Size(|limits| &mut limits.result)),
    ("input", Field::Size(|limits| &mut limits.input)),
    ("output", Field::Size(|limits| &mut limits.output)),
    ("logs", Field::Size(|limits| &mut limits.logs)),
    ("facts", Field::Size(|limits| &mut limits.facts)),
    ("calls", Field::Count(|limits| &mut limits.calls)),
    ("inFlight", Field::Count(|limits| &mut limits.in_flight)),
    ("durableValue", Field::Size(|limits| &mut limits.durable_value)),
    ("journal", Field::Size(|limits| &mut limits.journal)),
    ("snapshot", Field::Size(|limits| &mut limits.snapshot)),
    ("settle", Field::Duration(|limits| &mut limits.settle)),
    ("lifetime", Field::Duration(|limits| &mut limits.lifetime)),
];

const EXCESSES: [(&str, InFlightExcess); 2] = [("wait", InFlightExcess::Wait), ("fail", InFlightExcess::Fail)];

const UNSETTLED: [(&str, Unsettled); 2] = [("cancel", Unsettled::Cancel), ("fail", Unsettled::Fail)];

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> Limits {
    let mut limits = Limits::default();
    let Some(section) = reader.section(OWNER, value, &KEYS) else { return limits };
    for (key, field) in FIELDS {
        if let Some(value) = section.get(key) {
            set(reader, &section, key, &field, value, &mut limits);
        }
    }
    if let Some(excess) = reader.choice(&section, "inFlightExcess", &EXCESSES) {
        limits.in_flight_excess = excess;
    }
    if let Some(unsettled) = reader.choice(&section, "unsettled", &UNSETTLED) {
        limits.unsettled = unsettled;
    }
    limits
}

fn set(
    reader: &mut ConfigReader<'_>,
    section: &Section<'_>,
    key: &str,
    field: &Field,
    value: &Value<'_>,
    limits: &mut Limits,
) -> Option<()> {
    // Checked alone, so that a problem is known to be about this limit.
    let mut alone = Limits::default();
    let mut source = None;
    match field {
        Field::Duration(of) => {
            let text = reader.text_of(OWNER, key, value, "a duration like \"30s\"")?;
            let duration =
                accepted(reader, key, &text, parse_duration(&text.value), "a duration like 5s, 500ms or 2m")?;
            (*of(limits), *of(&mut alone)) = (duration, duration);
            source = Some(text);
        }
        Field::Size(of) => {
            let size = if let Value::NumberLit(literal) = value
                && let Ok(bytes) = literal.value.parse()
            {
                ByteSize::bytes(bytes)
            } else {
                let text = reader.text_of(OWNER, key, value, "a size like \"64MiB\", or a whole number of bytes")?;
                let size = accepted(reader, key, &text, text.value.parse(), "a size like 64MiB, 512KiB or 1000")?;
                source = Some(text);
                size
            };
            (*of(limits), *of(&mut alone)) = (size, size);
        }
        Field::Count(of) => {
            let count = reader.count(section, key)?;
            (*of(limits), *of(&mut alone)) = (count, count);
        }
    }
    if let Err(failure) = alone.check() {
        let message = match source {
            Some(text) => text.blame(failure.message, &format!("`{key}` is out of its range")),
            None => failure.message,
        };
        reader.problem(value.start(), OWNER, message);
    }
    Some(())
}

fn accepted<T, E: Display>(
    reader: &mut ConfigReader<'_>,
    key: &str,
    text: &Text,
    parsed: Result<T, E>,
    expected: &str,
) -> Option<T> {
    match parsed {
        Ok(quantity) => Some(quantity),
        Err(error) => {
            let message = text.blame(format!("`{key}`: {error}"), &format!("`{key}` is not {expected}"));
            reader.problem(text.start, OWNER, message);
            None
        }
    }
}
