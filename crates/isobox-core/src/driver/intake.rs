//! Takes in what a program sends: numbers its calls and timers, holds them to the limits, keeps its log within its budget.
//!
//! Every driver hands over here what its guest sends, so that limits hold in the same way whatever runs the program. The guest is
//! hostile: each of these methods may be called with anything, in any order.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::log_book::{LogBook, LogUse};
use super::{Call, CalledFrom, Error, ErrorKind, Exhausted, GuestError, Origin, Request, State, Step};
use crate::json::parse_json;
use crate::text::brief;
use crate::{ByteSize, CallSeq, Code, InFlightExcess, Level, Limits, Log, ToolPath};

/// Collects what one program does in a step, within its limits.
#[derive(Debug)]
pub struct Intake {
    limits: Limits,
    lasting: Lasting,
    /// The sizes of the inputs of unanswered calls together.
    unanswered_bytes: usize,
    logs: LogBook,
    calls: Vec<Call>,
    cleared: Vec<CallSeq>,
    unawaited: Vec<CallSeq>,
    end: Option<State>,
}

/// The part of an [`Intake`] that lasts from one step to the next. A driver keeps it in its snapshots.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Lasting {
    next_call: u32,
    /// Tool calls that are not answered yet, with the sizes of their inputs.
    unanswered: BTreeMap<u32, usize>,
    timers: BTreeSet<u32>,
    /// The last message for each reason. The program can change the error that it is given, but not this.
    refusals: BTreeMap<Refusal, String>,
    logged: LogUse,
}

/// Names the reason for which a call or a timer is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// The program has made as many calls and timers as it may.
    CallLimit,
    /// As many calls as may be under way at once are.
    InFlightLimit,
    /// The input is too large, alone or together with the inputs of other unanswered calls.
    InputTooLarge,
    /// The path is longer than that of any tool.
    PathTooLong,
    /// The input is not JSON that can be passed.
    Serialization,
}

/// A call or a timer that was refused. The program gets the message as an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub reason: Refusal,
    /// What the program is told.
    pub message: String,
}

/// What a guest says about the origin of the error that ended its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The program made it.
    Program,
    /// The engine made it.
    Engine(Code),
    /// It is a refusal of this kind. That counts only if the program was in fact refused something for this reason.
    Refusal(Refusal),
    /// It is the answer to this call.
    Call(CallSeq),
}

/// The texts of an error as the guest reports it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ErrorTexts {
    /// Its `name`.
    pub name: String,
    /// Its `message`.
    pub message: String,
    /// Where it was made.
    pub stack: String,
    /// Where it was thrown.
    pub thrown_at: String,
}

/// More than any message of a refusal.
const LONGEST_REFUSAL: usize = 1024;

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
    /// Bounds the JSON of what an intake with these limits can keep.
    pub fn size_limit(limits: &Limits) -> ByteSize {
        const EACH_CALL: u64 = 48;
        const REST: u64 = 64 << 10;
        ByteSize::bytes(u64::from(limits.calls).saturating_mul(EACH_CALL).saturating_add(REST))
    }

    /// Checks that an intake with these limits can have kept this.
    fn check(&self, limits: &Limits) -> Result<(), Error> {
        let over =
            |limit: &str| Err(Error::new(ErrorKind::Snapshot, format!("the snapshot is over the limit `{limit}`")));
        let damaged = || Err(Error::new(ErrorKind::Snapshot, "the snapshot is damaged: a number is out of order"));
        if !limits.logs.holds(self.logged.bytes) {
            return over("logs");
        }
        if self.next_call > limits.calls {
            return over("calls");
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

/// Bounds the inputs of unanswered calls together. The host holds them as values, which take many times the bytes of their text.
fn unanswered_limit(limits: &Limits) -> ByteSize {
    const INPUTS: u64 = 8;
    ByteSize::bytes(limits.input.get().saturating_mul(INPUTS))
}

impl Intake {
    /// Makes the intake of a program that has not started.
    pub fn new(limits: Limits) -> Self {
        Self {
            logs: LogBook::new(limits.logs),
            limits,
            lasting: Lasting::default(),
            unanswered_bytes: 0,
            calls: Vec::new(),
            cleared: Vec::new(),
            unawaited: Vec::new(),
            end: None,
        }
    }

    /// Makes the intake of a program that goes on from a snapshot.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Snapshot`] where no intake with these limits can have kept this.
    pub fn resumed(limits: Limits, lasting: Lasting) -> Result<Self, Error> {
        lasting.check(&limits)?;
        Ok(Self {
            logs: LogBook::resumed(limits.logs, lasting.logged),
            unanswered_bytes: lasting.unanswered_bytes(),
            lasting,
            ..Self::new(limits)
        })
    }

    /// Returns the limits of the program.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns what a snapshot has to keep of a program that waits. All else is of one step, and empty between two.
    pub fn lasting(&self) -> Lasting {
        Lasting { logged: self.logs.usage(), ..self.lasting.clone() }
    }

    /// Notes that the program is given the answer to a call or a timer.
    pub fn answer(&mut self, seq: CallSeq) {
        let number = seq.number();
        self.lasting.timers.remove(&number);
        self.unanswered_bytes -= self.lasting.unanswered.remove(&number).unwrap_or_default();
    }

    /// Takes a call of a tool. Returns its number.
    ///
    /// # Errors
    ///
    /// The refusal that the program has to be given in its place.
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
            let message = format!("the inputs of calls that wait for their answers are more than {together} together");
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
        let number = self.number_call()?;
        self.lasting.unanswered.insert(number, size);
        self.unanswered_bytes += size;
        Ok(self.issue(number, Request::Tool { path: path.into_owned(), input }, place))
    }

    /// Takes a timer. Returns its number.
    ///
    /// # Errors
    ///
    /// The refusal that the program has to be given in its place.
    pub fn timer(&mut self, delay: Duration) -> Result<CallSeq, Refused> {
        let number = self.number_call()?;
        self.lasting.timers.insert(number);
        Ok(self.issue(number, Request::Timer(delay), None))
    }

    fn number_call(&mut self) -> Result<u32, Refused> {
        let limit = self.limits.calls;
        if self.lasting.next_call >= limit {
            let message = format!("the program made more than {limit} tool calls and timers");
            return Err(self.refuse(Refusal::CallLimit, message));
        }
        self.lasting.next_call += 1;
        Ok(self.lasting.next_call - 1)
    }

    fn issue(&mut self, number: u32, request: Request, place: Option<CalledFrom>) -> CallSeq {
        let seq = CallSeq::new(number);
        self.calls.push(Call { seq, request, place });
        seq
    }

    fn refuse(&mut self, reason: Refusal, message: String) -> Refused {
        self.lasting.refusals.insert(reason, message.clone());
        Refused { reason, message }
    }

    /// Notes that the program no longer wants a timer.
    pub fn clear(&mut self, seq: CallSeq) {
        if self.lasting.timers.remove(&seq.number()) {
            self.cleared.push(seq);
        }
    }

    /// Takes a line of the program's log; bytes that are not UTF-8 are replaced.
    pub fn log(&mut self, level: Level, text: &[u8]) {
        self.logs.add(level, text);
    }

    /// Notes that the program never looked at the answer to a call.
    pub fn unawaited(&mut self, seq: CallSeq) {
        let made = self.lasting.next_call;
        if seq.number() < made && self.unawaited.len() < made as usize {
            self.unawaited.push(seq);
        }
    }

    /// Takes what the program returned, as JSON.
    pub fn done(&mut self, json: &[u8]) {
        if !self.limits.result.holds(json.len()) {
            self.end = Some(State::Exhausted(Exhausted::Result(json.len())));
            return;
        }
        self.end = Some(match parse_json(json) {
            Ok(result) => State::Done { result, unawaited: Vec::new() },
            Err(error) => State::Failed(GuestError {
                origin: Origin::Engine(Code::Serialization),
                name: Code::Serialization.error_name().to_owned(),
                message: format!("the result is not JSON that can be returned: {error}"),
                stack: String::new(),
                thrown_at: String::new(),
            }),
        });
    }

    /// Takes the error that ended the program.
    pub fn fail(&mut self, claim: Claim, texts: ErrorTexts) {
        let ErrorTexts { mut name, mut message, stack, thrown_at } = texts;
        let origin = match claim {
            Claim::Program => Origin::Program,
            Claim::Engine(code) => Origin::Engine(code),
            // Calls are checked where they are kept.
            Claim::Call(seq) => Origin::Call(seq),
            Claim::Refusal(reason) => match self.lasting.refusals.get(&reason) {
                Some(said) => {
                    let code = reason.code();
                    name = code.error_name().to_owned();
                    message.clone_from(said);
                    Origin::Engine(code)
                }
                None => Origin::Program,
            },
        };
        self.end = Some(State::Failed(GuestError { origin, name, message, stack, thrown_at }));
    }

    /// Returns how the program ended in this step; none where it waits.
    pub fn end(&self) -> Option<&State> {
        self.end.as_ref()
    }

    /// Returns what the program did since the last time, and how it ended, where it did.
    pub fn take_step(&mut self) -> Step {
        let unawaited = std::mem::take(&mut self.unawaited);
        let state = match self.end.take() {
            None => State::Waiting,
            Some(State::Done { result, .. }) => State::Done { result, unawaited },
            Some(end) => end,
        };
        self.step(state)
    }

    /// Returns what the program did since the last time, where a limit stopped it.
    pub fn take_exhausted(&mut self, limit: Exhausted) -> Step {
        self.step(State::Exhausted(limit))
    }

    /// Returns the lines that were logged since the last time.
    pub fn take_logs(&mut self) -> Vec<Log> {
        self.logs.take()
    }

    fn step(&mut self, state: State) -> Step {
        Step {
            calls: std::mem::take(&mut self.calls),
            cleared: std::mem::take(&mut self.cleared),
            logs: self.take_logs(),
            state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits { calls: 3, input: ByteSize::bytes(10), in_flight: 2, ..Limits::default() }
    }

    fn reason<T>(answer: Result<T, Refused>) -> Option<Refusal> {
        answer.err().map(|refused| refused.reason)
    }

    #[test]
    fn calls_and_timers_are_numbered_together_and_counted() {
        let mut intake = Intake::new(limits());
        let made = [intake.call(b"a", b"1", None), intake.timer(Duration::ZERO), intake.call(b"b", b"2", None)];
        assert_eq!(made.map(|seq| seq.map(CallSeq::number)), [Ok(0), Ok(1), Ok(2)]);
        assert_eq!(reason(intake.timer(Duration::ZERO)), Some(Refusal::CallLimit));
        assert_eq!(reason(intake.call(b"c", b"3", None)), Some(Refusal::CallLimit));
        assert_eq!(intake.take_step().calls.len(), 3);
    }

    #[test]
    fn what_a_program_may_not_pass_is_refused_and_uses_up_no_number() {
        let mut intake = Intake::new(limits());
        assert_eq!(reason(intake.call(&[b'a'; ToolPath::MAX_LENGTH + 1], b"1", None)), Some(Refusal::PathTooLong));
        assert_eq!(reason(intake.call(b"a", b"\"too long\" ", None)), Some(Refusal::InputTooLarge));
        assert_eq!(reason(intake.call(b"a", b"{", None)), Some(Refusal::Serialization));
        assert_eq!(intake.call(b"a", b"1", None).map(CallSeq::number), Ok(0));
    }

    #[test]
    fn inputs_of_unanswered_calls_are_bounded_together_until_they_are_answered() {
        let mut intake = Intake::new(Limits { calls: 100, ..limits() });
        let call = |intake: &mut Intake| reason(intake.call(b"a", b"\"12345678\"", None));
        assert!((0..8).all(|_| call(&mut intake).is_none()), "eight inputs fit");
        assert_eq!(call(&mut intake), Some(Refusal::InputTooLarge));
        intake.answer(CallSeq::new(3));
        intake.answer(CallSeq::new(3));
        assert_eq!((call(&mut intake), call(&mut intake)), (None, Some(Refusal::InputTooLarge)));
    }

    #[test]
    fn a_program_that_may_not_wait_is_refused_one_call_too_many() {
        let mut intake = Intake::new(Limits { in_flight_excess: InFlightExcess::Fail, ..limits() });
        let calls = [intake.call(b"a", b"1", None), intake.call(b"a", b"1", None), intake.call(b"a", b"1", None)];
        assert_eq!(calls.map(reason), [None, None, Some(Refusal::InFlightLimit)]);
    }

    #[test]
    fn a_refusal_that_was_never_made_is_an_error_of_the_program() {
        let texts = || ErrorTexts { name: "Mine".to_owned(), message: "mine".to_owned(), ..ErrorTexts::default() };
        let ended = |intake: &mut Intake| match intake.take_step().state {
            State::Failed(error) => (error.origin, error.message),
            state => panic!("it failed: {state:?}"),
        };
        let mut intake = Intake::new(limits());
        intake.fail(Claim::Refusal(Refusal::CallLimit), texts());
        assert_eq!(ended(&mut intake), (Origin::Program, "mine".to_owned()));
        for _ in 0..4 {
            let _ = intake.timer(Duration::ZERO);
        }
        intake.fail(Claim::Refusal(Refusal::CallLimit), texts());
        let said = "the program made more than 3 tool calls and timers".to_owned();
        assert_eq!(ended(&mut intake), (Origin::Engine(Code::CallLimit), said));
    }

    #[test]
    fn what_lasts_goes_on_with_the_same_numbers_and_is_held_to_the_limits() {
        let mut intake = Intake::new(limits());
        intake.call(b"a", b"\"1234567\"", None).expect("it may be made");
        intake.timer(Duration::ZERO).expect("it may be made");
        intake.log(Level::Log, b"a line");
        let json = serde_json::to_string(&intake.lasting()).expect("it is JSON");
        let lasting = || serde_json::from_str::<Lasting>(&json).expect("it is what was kept");
        let mut resumed = Intake::resumed(limits(), lasting()).expect("it fits");
        assert_eq!(resumed.lasting(), intake.lasting());
        assert_eq!(resumed.timer(Duration::ZERO).map(CallSeq::number), Ok(2));
        for (limit, limits) in [
            ("calls", Limits { calls: 1, ..limits() }),
            ("logs", Limits { logs: ByteSize::bytes(3), ..limits() }),
            ("input", Limits { input: ByteSize::bytes(1), ..limits() }),
        ] {
            let error = Intake::resumed(limits, lasting()).expect_err("it is over the limit");
            assert_eq!(error.message, format!("the snapshot is over the limit `{limit}`"));
        }
        let forged = Lasting { timers: [7].into(), ..lasting() };
        assert_eq!(Intake::resumed(limits(), forged).expect_err("it has no timer 7").kind, ErrorKind::Snapshot);
    }
}
