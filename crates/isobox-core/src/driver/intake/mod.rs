//! Accepts the requests of a program: numbers its calls and timers, enforces their limits, and bounds its log.
//!
//! Every driver passes the requests of its guest to an intake, so that limits are the same for all drivers. The guest
//! is hostile: it may call any method with any argument, in any order.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::fact_book::{FactBook, Noted};
use super::log_book::{BookUse, LogBook, LogUse};
use super::{Call, CalledFrom, Error, ErrorKind, Exhausted, GuestError, Origin, ProgramState, Request, Returned, Step};
use crate::json::parse_json;
use crate::text::brief;
use crate::{ByteSize, CallSeq, Code, Fact, InFlightExcess, Level, Limits, Log, ToolPath};

/// Collects the requests of a program in a step, within its limits.
#[derive(Debug)]
pub struct Intake {
    limits: Limits,
    lasting: Lasting,
    /// The total size of the inputs of unanswered calls.
    unanswered_bytes: usize,
    logs: LogBook,
    facts: FactBook,
    calls: Vec<Call>,
    cleared: Vec<CallSeq>,
    unawaited: Vec<CallSeq>,
    hints: Vec<String>,
    end: Option<ProgramState>,
}

/// The part of an [`Intake`] that lasts from one step to the next. A driver keeps it in its snapshots.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Lasting {
    next_call: u32,
    /// The tool calls among the numbers that were given. The others are timers.
    #[serde(default)]
    tool_calls: u32,
    /// The unanswered tool calls, with the sizes of their inputs.
    unanswered: BTreeMap<u32, usize>,
    timers: BTreeSet<u32>,
    /// The last message for each reason. The program cannot change it, unlike the error that it receives.
    refusals: BTreeMap<Refusal, String>,
    logged: LogUse,
    #[serde(skip_serializing_if = "LogUse::is_none", default)]
    facts: LogUse,
}

/// The reason for which a call or a timer is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// The program has made too many calls, or set too many timers.
    CallLimit,
    /// Too many calls are in flight.
    InFlightLimit,
    /// The input is too large, alone or together with the inputs of other unanswered calls.
    InputTooLarge,
    /// The path is longer than that of any tool.
    PathTooLong,
    /// The input is not valid JSON.
    Serialization,
}

/// A refused call or timer. The program gets the message as an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The reason.
    pub reason: Refusal,
    /// The message for the program.
    pub message: String,
}

/// The claim of a guest about the origin of the error that ended its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimedOrigin {
    /// The program created the error.
    Program,
    /// The engine created the error.
    Engine(Code),
    /// The error is a refusal of this kind. Accepted only if the program was in fact refused something for this reason.
    Refusal(Refusal),
    /// The error is the answer to this call.
    Call(CallSeq),
}

/// The texts of an error as the guest reports it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ErrorTexts {
    /// Its `name`.
    pub name: String,
    /// Its `message`.
    pub message: String,
    /// The stack where it was created.
    pub stack: String,
    /// The stack where it was thrown.
    pub thrown_at: String,
    /// [`GuestError::parts`] as JSON. Empty if there are none.
    pub parts: String,
}

/// The bounds of timers, at once and in total. The guest has the same bounds, and throws before the intake refuses.
const MOST_TIMERS_AT_ONCE: usize = 10_000;
const MOST_TIMERS: u32 = 100_000;

/// The maximum length of a refusal message.
const LONGEST_REFUSAL: usize = 1024;

/// The maximum number of hints about a result, and their maximum length in characters.
const MOST_HINTS: usize = 5;
const LONGEST_HINT: usize = 300;

impl Refusal {
    /// Returns the code of the error that the program gets.
    pub fn code(self) -> Code {
        match self {
            Self::CallLimit => Code::CallLimit,
            Self::InFlightLimit => Code::InFlightLimit,
            Self::InputTooLarge => Code::InputTooLarge,
            Self::PathTooLong => Code::UnknownTool,
            Self::Serialization => Code::Serialization,
        }
    }
}

impl Lasting {
    /// Returns an upper bound for the JSON of the lasting part under these limits.
    pub fn size_limit(limits: &Limits) -> ByteSize {
        const EACH_CALL: u64 = 48;
        const EACH_TIMER: u64 = 12;
        const REST: u64 = (64 << 10) + MOST_TIMERS_AT_ONCE as u64 * EACH_TIMER;
        ByteSize::bytes(u64::from(limits.calls).saturating_mul(EACH_CALL).saturating_add(REST))
    }

    /// Checks that an intake with these limits can have produced this state.
    fn check(&self, limits: &Limits) -> Result<(), Error> {
        let over =
            |limit: &str| Err(Error::new(ErrorKind::Snapshot, format!("the snapshot is over the limit `{limit}`")));
        let damaged = || Err(Error::new(ErrorKind::Snapshot, "the snapshot is damaged: a number is out of order"));
        if !limits.logs.holds(self.logged.bytes) {
            return over("logs");
        }
        if !limits.facts.holds(self.facts.bytes) {
            return over("facts");
        }
        if self.tool_calls > limits.calls {
            return over("calls");
        }
        let timers = self.next_call.checked_sub(self.tool_calls);
        if timers.is_none_or(|timers| timers > MOST_TIMERS) || self.timers.len() > MOST_TIMERS_AT_ONCE {
            return damaged();
        }
        let numbers = self.unanswered.keys().chain(&self.timers);
        if numbers.copied().any(|number| number >= self.next_call) {
            return damaged();
        }
        if self.refusals.values().any(|message| message.len() > LONGEST_REFUSAL) {
            return damaged();
        }
        if !unanswered_limit(limits).holds(self.unanswered_bytes()) {
            return over("input");
        }
        Ok(())
    }

    fn unanswered_bytes(&self) -> usize {
        self.unanswered.values().fold(0, |sum, size| sum.saturating_add(*size))
    }
}

/// Returns the limit for the inputs of all unanswered calls together. The host holds them as values, which take many
/// times the bytes of their text.
fn unanswered_limit(limits: &Limits) -> ByteSize {
    const INPUTS: u64 = 8;
    ByteSize::bytes(limits.input.get().saturating_mul(INPUTS))
}

impl Intake {
    /// Creates the intake of a program that has not started.
    pub fn new(limits: Limits) -> Self {
        Self {
            logs: LogBook::new(limits.logs),
            facts: FactBook::resumed(limits.facts, LogUse::default()),
            limits,
            lasting: Lasting::default(),
            unanswered_bytes: 0,
            calls: Vec::new(),
            cleared: Vec::new(),
            unawaited: Vec::new(),
            hints: Vec::new(),
            end: None,
        }
    }

    /// Creates the intake of a program that continues from a snapshot.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Snapshot`] if no intake with these limits can have produced this state.
    pub fn resumed(limits: Limits, lasting: Lasting) -> Result<Self, Error> {
        lasting.check(&limits)?;
        Ok(Self {
            logs: LogBook::resumed(limits.logs, lasting.logged),
            facts: FactBook::resumed(limits.facts, lasting.facts),
            unanswered_bytes: lasting.unanswered_bytes(),
            lasting,
            ..Self::new(limits)
        })
    }

    /// Returns the limits of the program.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the state that a snapshot must keep of a waiting program. All other state belongs to one step, and is
    /// empty between two.
    pub fn lasting(&self) -> Lasting {
        Lasting { logged: self.logs.usage(), facts: self.facts.usage(), ..self.lasting.clone() }
    }

    /// Records that the answer to a call or a timer is delivered.
    pub fn answer(&mut self, seq: CallSeq) {
        let number = seq.number();
        self.lasting.timers.remove(&number);
        self.unanswered_bytes -= self.lasting.unanswered.remove(&number).unwrap_or_default();
    }

    /// Accepts a call of a tool. Returns its number.
    ///
    /// # Errors
    ///
    /// The refusal to pass to the program.
    pub fn call(&mut self, path: &[u8], input: &[u8], place: Option<CalledFrom>) -> Result<CallSeq, Refused> {
        if path.len() > ToolPath::MAX_LENGTH {
            let message = format!("unknown tool: a path of {} bytes is longer than that of any tool", path.len());
            return Err(self.refuse(Refusal::PathTooLong, message));
        }
        let path = String::from_utf8_lossy(path);
        let limit = self.limits.input;
        if !limit.holds(input.len()) {
            let (path, size) = (brief(&path, 80), input.len());
            let message = format!("the input of tool `{path}` is {size} bytes, and the limit is {limit}");
            return Err(self.refuse(Refusal::InputTooLarge, message));
        }
        let limit = self.limits.in_flight;
        match self.limits.in_flight_excess {
            InFlightExcess::Fail if self.lasting.unanswered.len() >= limit as usize => {
                let message = format!("the program had more than {limit} tool calls under way at once");
                return Err(self.refuse(Refusal::InFlightLimit, message));
            }
            InFlightExcess::Fail | InFlightExcess::Wait => {}
        }
        let together = unanswered_limit(&self.limits);
        if !together.holds(self.unanswered_bytes + input.len()) {
            let message = format!("the inputs of unanswered calls are more than {together} together");
            return Err(self.refuse(Refusal::InputTooLarge, message));
        }
        let size = input.len();
        let input = match parse_json(input) {
            Ok(input) => input,
            Err(error) => {
                let path = brief(&path, 80);
                let message = format!("the input of tool `{path}` is not JSON that can be passed: {error}");
                return Err(self.refuse(Refusal::Serialization, message));
            }
        };
        let limit = self.limits.calls;
        if self.lasting.tool_calls >= limit {
            let message = format!("the program made more than {limit} tool calls");
            return Err(self.refuse(Refusal::CallLimit, message));
        }
        self.lasting.tool_calls += 1;
        let number = self.next_number();
        self.lasting.unanswered.insert(number, size);
        self.unanswered_bytes += size;
        Ok(self.issue(number, Request::Tool { path: path.into_owned(), input }, place))
    }

    /// Accepts a timer. Returns its number. Timers have bounds of their own, and do not count as calls.
    ///
    /// # Errors
    ///
    /// The refusal to pass to the program.
    pub fn timer(&mut self, delay: Duration) -> Result<CallSeq, Refused> {
        let made = self.lasting.next_call - self.lasting.tool_calls;
        if self.lasting.timers.len() >= MOST_TIMERS_AT_ONCE || made >= MOST_TIMERS {
            return Err(self.refuse(Refusal::CallLimit, "the program set too many timers".to_owned()));
        }
        let number = self.next_number();
        self.lasting.timers.insert(number);
        Ok(self.issue(number, Request::Timer(delay), None))
    }

    fn next_number(&mut self) -> u32 {
        self.lasting.next_call += 1;
        self.lasting.next_call - 1
    }

    fn issue(&mut self, number: u32, request: Request, place: Option<CalledFrom>) -> CallSeq {
        let seq = CallSeq::new(number);
        let is_tool = matches!(request, Request::Tool { .. });
        self.calls.push(Call { seq, request, place });
        if self.end.is_some() && is_tool {
            // Made by a getter that is read after the program has ended. Its promise can have no reader.
            self.unawaited.push(seq);
        }
        seq
    }

    fn refuse(&mut self, reason: Refusal, message: String) -> Refused {
        self.lasting.refusals.insert(reason, message.clone());
        Refused { reason, message }
    }

    /// Records that the program has cleared a timer.
    pub fn clear(&mut self, seq: CallSeq) {
        if self.lasting.timers.remove(&seq.number()) {
            self.cleared.push(seq);
        }
    }

    /// Accepts a line of the program's log. Replaces bytes that are not UTF-8.
    pub fn log(&mut self, level: Level, text: &[u8]) {
        self.logs.add(level, text);
    }

    /// Accepts a fact, whose value is JSON. A fact beyond the limit is dropped, and the log says so once.
    ///
    /// # Errors
    ///
    /// The refusal to pass to the program, if the value is not JSON.
    pub fn fact(&mut self, name: &[u8], json: &[u8]) -> Result<(), Refused> {
        match self.facts.add(name, json) {
            Noted::Quietly => {}
            Noted::Full(warning) => self.logs.warn(warning),
            Noted::NotJson(error) => {
                let name = brief(&String::from_utf8_lossy(name), 80);
                let message = format!("the value of fact `{name}` is not JSON that can be recorded: {error}");
                return Err(self.refuse(Refusal::Serialization, message));
            }
        }
        Ok(())
    }

    /// Records that the program never looked at the answer to a call.
    pub fn unawaited(&mut self, seq: CallSeq) {
        let made = self.lasting.next_call;
        if seq.number() < made && self.unawaited.len() < made as usize {
            self.unawaited.push(seq);
        }
    }

    /// Accepts a hint about the result. Drops hints beyond a small number.
    pub fn hint(&mut self, text: &[u8]) {
        if self.hints.len() < MOST_HINTS {
            self.hints.push(brief(&String::from_utf8_lossy(text), LONGEST_HINT));
        }
    }

    /// Accepts the result of the program, as JSON.
    pub fn done(&mut self, json: &[u8]) {
        if !self.limits.result.holds(json.len()) {
            self.end = Some(ProgramState::Exhausted(Exhausted::Result(json.len())));
            return;
        }
        self.end = Some(match parse_json(json) {
            Ok(result) => ProgramState::Done(Returned::with_result(result)),
            Err(error) => ProgramState::Failed(GuestError {
                origin: Origin::Engine(Code::Serialization),
                name: Code::Serialization.error_name().to_owned(),
                message: format!("the result is not JSON that can be returned: {error}"),
                stack: String::new(),
                thrown_at: String::new(),
                parts: Map::new(),
            }),
        });
    }

    /// Accepts the error that ended the program.
    pub fn fail(&mut self, claim: ClaimedOrigin, texts: ErrorTexts) {
        let ErrorTexts { mut name, mut message, stack, thrown_at, parts } = texts;
        let origin = match claim {
            ClaimedOrigin::Program => Origin::Program,
            ClaimedOrigin::Engine(code) => Origin::Engine(code),
            // Checked against the ledger of calls.
            ClaimedOrigin::Call(seq) => Origin::Call(seq),
            ClaimedOrigin::Refusal(reason) => match self.lasting.refusals.get(&reason) {
                Some(said) => {
                    let code = reason.code();
                    name = code.error_name().to_owned();
                    message.clone_from(said);
                    Origin::Engine(code)
                }
                None => Origin::Program,
            },
        };
        let parts = match parse_json(parts.as_bytes()) {
            Ok(Value::Object(parts)) => parts,
            _ => Map::new(),
        };
        self.end = Some(ProgramState::Failed(GuestError { origin, name, message, stack, thrown_at, parts }));
    }

    /// Returns how the program ended in this step. None if it waits.
    pub fn end(&self) -> Option<&ProgramState> {
        self.end.as_ref()
    }

    /// Returns what the program did since the last step, and how it ended, if it did.
    pub fn take_step(&mut self) -> Step {
        let (unawaited, hints) = (std::mem::take(&mut self.unawaited), std::mem::take(&mut self.hints));
        let state = match self.end.take() {
            None => ProgramState::Waiting,
            Some(ProgramState::Done(Returned { result, .. })) => {
                ProgramState::Done(Returned { result, unawaited, hints })
            }
            Some(end) => end,
        };
        self.step(state)
    }

    /// Returns what the program did since the last step, if a limit stopped it.
    pub fn take_exhausted(&mut self, limit: Exhausted) -> Step {
        self.step(ProgramState::Exhausted(limit))
    }

    /// Returns the new log lines.
    pub fn take_logs(&mut self) -> Vec<Log> {
        self.logs.take()
    }

    /// Returns the new facts.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        self.facts.take()
    }

    /// Returns how much of the log and of the facts is used.
    pub fn written(&self) -> BookUse {
        BookUse { logs: self.logs.usage(), facts: self.facts.usage() }
    }

    /// Continues with what the program and its snippets have used of the log and of the facts together.
    pub fn set_written(&mut self, written: BookUse) {
        self.logs.set_usage(written.logs);
        self.facts.set_usage(written.facts);
    }

    fn step(&mut self, state: ProgramState) -> Step {
        Step {
            calls: std::mem::take(&mut self.calls),
            cleared: std::mem::take(&mut self.cleared),
            logs: self.take_logs(),
            facts: self.take_facts(),
            state,
        }
    }
}
