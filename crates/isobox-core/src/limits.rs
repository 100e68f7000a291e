//! The limits of an execution.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Code, Failure};

/// The limits of one execution. A runtime has its own; an execution may lower them, never raise them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Limits {
    /// Wall-clock time, including the time spent waiting for tools.
    pub timeout: Duration,
    /// CPU time inside the sandbox.
    pub cpu: Duration,
    /// Linear memory, including that of the engine (about 2 MiB).
    pub memory: ByteSize,
    /// The stack of the program, from [`Limits::MIN_STACK`] to [`Limits::MAX_STACK`].
    pub stack: ByteSize,
    /// All files of the program together.
    pub source: ByteSize,
    /// The result as JSON.
    pub result: ByteSize,
    /// The input of one tool call as JSON.
    pub input: ByteSize,
    /// The output of one tool call as JSON.
    pub output: ByteSize,
    /// All log messages together.
    pub logs: ByteSize,
    /// All facts together, as JSON.
    #[serde(skip_serializing_if = "is_usual_facts", default = "usual_facts")]
    pub facts: ByteSize,
    /// Tool calls in total. Timers do not count.
    pub calls: u32,
    /// Tool calls that were issued and whose answers are not delivered yet.
    pub in_flight: u32,
    /// The treatment of a call above `in_flight`.
    pub in_flight_excess: InFlightExcess,
    /// The output of one tool call as JSON, in a durable execution.
    pub durable_value: ByteSize,
    /// The journal of a durable execution.
    pub journal: ByteSize,
    /// The stored state of a waiting program. If it is larger, the program is resumed by a replay.
    pub snapshot: ByteSize,
    /// The time for which a program that has returned waits for its pending calls. It never exceeds `timeout`.
    #[serde(skip_serializing_if = "is_usual_settle", default = "usual_settle")]
    pub settle: Duration,
    /// The treatment of a call that is still pending after `settle`.
    #[serde(skip_serializing_if = "is_usual_unsettled", default)]
    pub unsettled: Unsettled,
    /// The age up to which a durable execution may wait for timers. With it, a program that waits for timers and people
    /// only sleeps in the store, and its sleep does not count towards `timeout`. Zero: programs do not sleep.
    #[serde(skip_serializing_if = "Duration::is_zero", default)]
    pub lifetime: Duration,
}

/// Returns `facts` of a journal that does not have it. Journals rely on this value.
const fn usual_facts() -> ByteSize {
    ByteSize::kib(256)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual_facts(facts: &ByteSize) -> bool {
    *facts == usual_facts()
}

/// Returns `settle` of a journal that does not have it. Journals rely on this value.
const fn usual_settle() -> Duration {
    Duration::from_secs(2)
}

fn is_usual_settle(settle: &Duration) -> bool {
    *settle == usual_settle()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual_unsettled(unsettled: &Unsettled) -> bool {
    *unsettled == Unsettled::default()
}

impl Limits {
    setters! {
        timeout: Duration,
        cpu: Duration,
        memory: ByteSize,
        stack: ByteSize,
        source: ByteSize,
        result: ByteSize,
        input: ByteSize,
        output: ByteSize,
        logs: ByteSize,
        facts: ByteSize,
        calls: u32,
        in_flight: u32,
        in_flight_excess: InFlightExcess,
        durable_value: ByteSize,
        journal: ByteSize,
        snapshot: ByteSize,
        settle: Duration,
        unsettled: Unsettled,
        lifetime: Duration,
    }
}

/// The treatment of a call that is pending when its program has returned, and does not settle in time. The stricter
/// variant is the smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Unsettled {
    /// The program fails with `DETACHED_CALL`.
    Fail,
    /// The call is cancelled, and the program completes with a warning.
    #[default]
    Cancel,
}

/// The treatment of a call above the limit of calls in flight. The stricter variant is the smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum InFlightExcess {
    /// The call fails with `IN_FLIGHT_LIMIT`.
    Fail,
    /// The call waits until another one is answered.
    #[default]
    Wait,
}

impl Limits {
    /// The largest stack that fits into the guest image.
    pub const MAX_STACK: ByteSize = ByteSize::mib(1);
    /// The smallest stack that fits the engine's own functions.
    pub const MIN_STACK: ByteSize = ByteSize::kib(32);
    /// The smallest memory that fits the engine.
    pub const MIN_MEMORY: ByteSize = ByteSize::mib(4);
    /// The address space of the sandbox.
    pub const MAX_MEMORY: ByteSize = ByteSize::mib(4096);

    /// Returns `CONFIG` if a limit is invalid.
    pub fn check(&self) -> Result<(), Failure> {
        let wrong = |message: String| Err(Failure::new(Code::Config, message));
        if self.stack < Self::MIN_STACK || self.stack > Self::MAX_STACK {
            return wrong(format!(
                "the stack limit is {}, but it has to be from {} to {}",
                self.stack,
                Self::MIN_STACK,
                Self::MAX_STACK
            ));
        }
        if self.memory < Self::MIN_MEMORY || self.memory > Self::MAX_MEMORY {
            return wrong(format!(
                "the memory limit is {}, but it has to be from {} to {}",
                self.memory,
                Self::MIN_MEMORY,
                Self::MAX_MEMORY
            ));
        }
        if self.timeout.is_zero() || self.cpu.is_zero() {
            return wrong("a limit of 0 for wall-clock or processor time leaves no program any time to run".to_owned());
        }
        if self.in_flight == 0 {
            return wrong("the limit of calls in flight is 0, so that no call could ever start".to_owned());
        }
        Ok(())
    }

    /// Returns these limits with those of `lowered` applied. Returns `CONFIG` if one of them would be raised.
    pub fn lowered(&self, lowered: &LoweredLimits) -> Result<Self, Failure> {
        fn lower<T: PartialOrd + Copy + fmt::Debug>(name: &str, own: T, asked: Option<T>) -> Result<T, Failure> {
            match asked {
                Some(asked) if asked > own => {
                    let message = format!("the limit `{name}` can be lowered for one execution, not raised");
                    Err(Failure::new(Code::Config, message)
                        .detail("allowed", format!("{own:?}"))
                        .detail("asked", format!("{asked:?}")))
                }
                Some(asked) => Ok(asked),
                None => Ok(own),
            }
        }
        let limits = Self {
            timeout: lower("timeout", self.timeout, lowered.timeout)?,
            cpu: lower("cpu", self.cpu, lowered.cpu)?,
            memory: lower("memory", self.memory, lowered.memory)?,
            stack: lower("stack", self.stack, lowered.stack)?,
            source: lower("source", self.source, lowered.source)?,
            result: lower("result", self.result, lowered.result)?,
            input: lower("input", self.input, lowered.input)?,
            output: lower("output", self.output, lowered.output)?,
            logs: lower("logs", self.logs, lowered.logs)?,
            facts: lower("facts", self.facts, lowered.facts)?,
            calls: lower("calls", self.calls, lowered.calls)?,
            in_flight: lower("inFlight", self.in_flight, lowered.in_flight)?,
            in_flight_excess: lower("inFlightExcess", self.in_flight_excess, lowered.in_flight_excess)?,
            durable_value: lower("durableValue", self.durable_value, lowered.durable_value)?,
            journal: lower("journal", self.journal, lowered.journal)?,
            snapshot: lower("snapshot", self.snapshot, lowered.snapshot)?,
            settle: lower("settle", self.settle, lowered.settle)?,
            unsettled: lower("unsettled", self.unsettled, lowered.unsettled)?,
            lifetime: lower("lifetime", self.lifetime, lowered.lifetime)?,
        };
        limits.check()?;
        Ok(limits)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            cpu: Duration::from_secs(10),
            memory: ByteSize::mib(64),
            stack: ByteSize::kib(512),
            source: ByteSize::kib(256),
            result: ByteSize::mib(1),
            input: ByteSize::mib(1),
            output: ByteSize::mib(4),
            logs: ByteSize::kib(256),
            facts: usual_facts(),
            calls: 256,
            in_flight: 32,
            in_flight_excess: InFlightExcess::Wait,
            durable_value: ByteSize::bytes(1_000_000),
            journal: ByteSize::mib(64),
            snapshot: ByteSize::mib(64),
            settle: usual_settle(),
            unsettled: Unsettled::Cancel,
            lifetime: Duration::ZERO,
        }
    }
}

/// The limits that one execution lowers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "each field is the one of the same name in `Limits`")]
#[non_exhaustive]
pub struct LoweredLimits {
    pub timeout: Option<Duration>,
    pub cpu: Option<Duration>,
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
    pub in_flight_excess: Option<InFlightExcess>,
    pub durable_value: Option<ByteSize>,
    pub journal: Option<ByteSize>,
    pub snapshot: Option<ByteSize>,
    pub settle: Option<Duration>,
    pub unsettled: Option<Unsettled>,
    pub lifetime: Option<Duration>,
}

impl LoweredLimits {
    setters! {
        timeout: impl Into<Option<Duration>>,
        cpu: impl Into<Option<Duration>>,
        memory: impl Into<Option<ByteSize>>,
        stack: impl Into<Option<ByteSize>>,
        source: impl Into<Option<ByteSize>>,
        result: impl Into<Option<ByteSize>>,
        input: impl Into<Option<ByteSize>>,
        output: impl Into<Option<ByteSize>>,
        logs: impl Into<Option<ByteSize>>,
        facts: impl Into<Option<ByteSize>>,
        calls: impl Into<Option<u32>>,
        in_flight: impl Into<Option<u32>>,
        in_flight_excess: impl Into<Option<InFlightExcess>>,
        durable_value: impl Into<Option<ByteSize>>,
        journal: impl Into<Option<ByteSize>>,
        snapshot: impl Into<Option<ByteSize>>,
        settle: impl Into<Option<Duration>>,
        unsettled: impl Into<Option<Unsettled>>,
        lifetime: impl Into<Option<Duration>>,
    }
}

/// A number of bytes, written `64MiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteSize(u64);

impl ByteSize {
    /// Creates a size in bytes.
    pub const fn bytes(count: u64) -> Self {
        Self(count)
    }

    /// Creates a size in kibibytes.
    pub const fn kib(count: u64) -> Self {
        Self(count << 10)
    }

    /// Creates a size in mebibytes.
    pub const fn mib(count: u64) -> Self {
        Self(count << 20)
    }

    /// Returns the number of bytes.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Tells whether this many bytes are within the size.
    pub const fn holds(self, bytes: usize) -> bool {
        bytes as u64 <= self.0
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
            if self.0 >> shift > 0 && self.0.trailing_zeros() >= shift {
                return write!(formatter, "{} {unit}", self.0 >> shift);
            }
        }
        write!(formatter, "{} bytes", self.0)
    }
}

/// A text that is not a size, a duration or a time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct ParseQuantityError {
    text: String,
    expected: &'static str,
}

impl ParseQuantityError {
    pub(crate) fn new(text: &str, expected: &'static str) -> Self {
        Self { text: text.to_owned(), expected }
    }
}

impl FromStr for ByteSize {
    type Err = ParseQuantityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const UNITS: [(&str, u64); 9] = [
            ("", 1),
            ("b", 1),
            ("kib", 1 << 10),
            ("mib", 1 << 20),
            ("gib", 1 << 30),
            ("kb", 1_000),
            ("mb", 1_000_000),
            ("gb", 1_000_000_000),
            ("bytes", 1),
        ];
        parse_quantity(text, &UNITS, |number, unit| number.checked_mul(*unit).map(Self))
            .ok_or_else(|| ParseQuantityError::new(text, "a size like 64MiB, 512KiB or 1000"))
    }
}

/// Parses a duration like `5s`, `500ms`, `2m`, `1h` or `30d`.
pub fn parse_duration(text: &str) -> Result<Duration, ParseQuantityError> {
    const UNITS: [(&str, Duration); 5] = [
        ("ms", Duration::from_millis(1)),
        ("s", Duration::from_secs(1)),
        ("m", Duration::from_secs(60)),
        ("h", Duration::from_secs(3600)),
        ("d", Duration::from_secs(86_400)),
    ];
    parse_quantity(text, &UNITS, |number, unit| unit.checked_mul(u32::try_from(number).ok()?))
        .ok_or_else(|| ParseQuantityError::new(text, "a duration like 5s, 500ms or 2m"))
}

fn parse_quantity<U, T>(text: &str, units: &[(&str, U)], make: impl Fn(u64, &U) -> Option<T>) -> Option<T> {
    let text = text.trim();
    let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim();
    let (_, unit) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    make(number.parse().ok()?, unit)
}

impl Serialize for ByteSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for ByteSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(bytes) => Ok(Self(bytes)),
            Written::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_units() {
        for (text, bytes) in
            [("64MiB", 64 << 20), ("512 KiB", 512 << 10), ("1000", 1000), ("2mb", 2_000_000), ("7B", 7)]
        {
            assert_eq!(text.parse::<ByteSize>(), Ok(ByteSize::bytes(bytes)), "{text}");
        }
        for text in ["", "MiB", "-1", "1.5MiB", "64 apples", "99999999999999999999", "18446744073709551615KiB"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2 m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("30d"), Ok(Duration::from_secs(30 * 86_400)));
        for text in ["5", "", "s", "-1s", "1w", "99999999999s"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_execution_may_lower_its_limits_and_not_raise_them() {
        let own = Limits::default();
        let lower = LoweredLimits { calls: Some(3), ..LoweredLimits::default() };
        assert_eq!(own.lowered(&lower).map(|limits| limits.calls), Ok(3));
        let higher = LoweredLimits { calls: Some(257), ..LoweredLimits::default() };
        assert_eq!(own.lowered(&higher).map_err(|failure| failure.code), Err(Code::Config));
    }
}
