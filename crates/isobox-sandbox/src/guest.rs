//! What the host keeps for one instance, and the imports through which the guest reaches it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use isobox_core::{
    ByteSize, Call, CalledFrom, Code, Exhausted, GuestError, Level, Limits, Log, LogBook, LogUse, Meter, Origin,
    Request, State, Step, ToolPath, brief, parse_json,
};
use wasmtime::{Caller, Linker, Memory, ResourceLimiter, Result, bail, format_err};

use crate::abi::{decode_report, engine_code, origin, state};
use crate::stack::StackMark;

/// Why a call was refused inside the import: the origin of the error that the guest makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Refusal(pub(crate) u32);

/// What the inputs of calls that are not answered yet may be together. The host holds them as values, which take many
/// times the bytes of their text.
pub(crate) fn unanswered_limit(limits: &Limits) -> ByteSize {
    const INPUTS: u64 = 8;
    ByteSize::bytes(limits.input.get().saturating_mul(INPUTS))
}

/// What lasts from one step to the next outside the guest's own memory, beside the use of its log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Lasting {
    /// Whether memory was ever refused: a trap after that is most likely an engine that could not bear it.
    pub(crate) was_refused_memory: bool,
    pub(crate) next_call: u32,
    /// Tool calls issued and not yet answered, with the sizes of their inputs.
    pub(crate) unanswered: BTreeMap<u32, usize>,
    pub(crate) timers: BTreeSet<u32>,
    /// What was last said for each reason. The program can change the error that it gets, but not this.
    pub(crate) refusals: BTreeMap<Refusal, String>,
}

/// Everything that a guest can change outside its own memory.
pub(crate) struct Guest {
    pub(crate) memory: Option<Memory>,
    pub(crate) stack: StackMark,
    limits: Limits,
    meter: Meter,
    base_memory: usize,
    lasting: Lasting,
    /// The sizes of the inputs of unanswered calls together.
    unanswered_bytes: usize,
    last_refusal: String,
    calls: Vec<Call>,
    cleared: Vec<u32>,
    unawaited: Vec<u32>,
    logs: LogBook,
    end: Option<State>,
}

impl Guest {
    pub(crate) fn new(limits: Limits, meter: Meter, base_memory: usize) -> Self {
        Self {
            memory: None,
            stack: StackMark::default(),
            logs: LogBook::new(limits.logs),
            limits,
            meter,
            base_memory,
            lasting: Lasting::default(),
            unanswered_bytes: 0,
            last_refusal: String::new(),
            calls: Vec::new(),
            cleared: Vec::new(),
            unawaited: Vec::new(),
            end: None,
        }
    }

    pub(crate) fn base_memory(&self) -> usize {
        self.base_memory
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What has to be kept of a guest that waits, beside its memory. All else is of one step, and empty between two.
    pub(crate) fn lasting(&self) -> (&Lasting, LogUse) {
        (&self.lasting, self.logs.usage())
    }

    /// Goes on where another one was left.
    pub(crate) fn resume(&mut self, lasting: Lasting, logged: LogUse) {
        self.unanswered_bytes = lasting.unanswered.values().sum();
        self.lasting = lasting;
        self.logs = LogBook::resumed(self.limits.logs, logged);
    }

    pub(crate) fn was_refused_memory(&self) -> bool {
        self.lasting.was_refused_memory
    }

    /// Notes that the guest could not have the memory that it needed.
    pub(crate) fn refuse_memory(&mut self) {
        self.lasting.was_refused_memory = true;
    }

    /// Notes which calls are answered now.
    pub(crate) fn answer(&mut self, seq: u32) {
        self.lasting.timers.remove(&seq);
        self.unanswered_bytes -= self.lasting.unanswered.remove(&seq).unwrap_or_default();
    }

    /// What the guest did since the last time, where it says that it stands as `returned`.
    pub(crate) fn take_step(&mut self, returned: i32) -> Result<Step> {
        let unawaited = std::mem::take(&mut self.unawaited);
        let state = match (returned, self.end.take()) {
            (state::WAITING, None) => State::Waiting,
            (state::DONE, Some(State::Done { result, .. })) => State::Done { result, unawaited },
            (state::DONE | state::FAILED, Some(end @ (State::Failed(_) | State::Exhausted(_)))) => end,
            _ => bail!("the guest does not keep to the protocol"),
        };
        Ok(self.step(state))
    }

    /// What the guest did since the last time, where a limit stopped it.
    pub(crate) fn exhausted(&mut self, limit: Exhausted) -> Step {
        self.step(State::Exhausted(limit))
    }

    fn step(&mut self, state: State) -> Step {
        Step {
            calls: std::mem::take(&mut self.calls),
            cleared: std::mem::take(&mut self.cleared),
            logs: self.take_logs(),
            state,
        }
    }

    pub(crate) fn take_logs(&mut self) -> Vec<Log> {
        self.logs.take()
    }

    /// A number for one more call or timer, or why there is none.
    fn number_call(&mut self) -> Result<u32, Refusal> {
        let limit = self.limits.calls;
        if self.lasting.next_call >= limit {
            let message = format!("the program made more than {limit} tool calls and timers");
            return Err(self.refuse(origin::CALL_LIMIT, message));
        }
        self.lasting.next_call += 1;
        Ok(self.lasting.next_call - 1)
    }

    fn refuse(&mut self, reason: u32, message: String) -> Refusal {
        self.lasting.refusals.insert(Refusal(reason), message.clone());
        self.last_refusal = message;
        Refusal(reason)
    }

    pub(crate) fn call(&mut self, path: &[u8], input: &[u8], place: Option<CalledFrom>) -> Result<u32, Refusal> {
        use isobox_core::InFlightExcess::{Fail, Wait};
        if path.len() > ToolPath::MAX_LENGTH {
            let message = format!("unknown tool: a path of {} bytes is longer than that of any tool", path.len());
            return Err(self.refuse(origin::PATH_TOO_LONG, message));
        }
        let path = String::from_utf8_lossy(path);
        let limit = self.limits.input;
        if !limit.holds(input.len()) {
            let message =
                format!("the input of tool `{}` is {} bytes, and the limit is {limit}", brief(&path, 80), input.len());
            return Err(self.refuse(origin::INPUT_TOO_LARGE, message));
        }
        let limit = self.limits.in_flight;
        match self.limits.in_flight_excess {
            Fail if self.lasting.unanswered.len() >= limit as usize => {
                let message = format!("the program had more than {limit} tool calls under way at once");
                return Err(self.refuse(origin::IN_FLIGHT_LIMIT, message));
            }
            Fail | Wait => {}
        }
        let together = unanswered_limit(&self.limits);
        if !together.holds(self.unanswered_bytes + input.len()) {
            let message = format!("the inputs of calls that wait for their answers are more than {together} together");
            return Err(self.refuse(origin::INPUT_TOO_LARGE, message));
        }
        let size = input.len();
        let input = match parse_json(input) {
            Ok(input) => input,
            Err(error) => {
                let path = brief(&path, 80);
                let message = format!("the input of tool `{path}` is not JSON that can be passed: {error}");
                return Err(self.refuse(origin::SERIALIZATION, message));
            }
        };
        self.number_call().inspect(|&seq| {
            self.lasting.unanswered.insert(seq, size);
            self.unanswered_bytes += size;
            let request = Request::Tool { path: path.into_owned(), input };
            self.calls.push(Call { seq, request, place });
        })
    }

    pub(crate) fn timer(&mut self, milliseconds: f64) -> Result<u32, Refusal> {
        let delay = Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(Duration::ZERO);
        self.number_call().inspect(|&seq| {
            self.lasting.timers.insert(seq);
            self.calls.push(Call { seq, request: Request::Timer(delay), place: None });
        })
    }

    pub(crate) fn clear(&mut self, seq: u32) {
        if self.lasting.timers.remove(&seq) {
            self.cleared.push(seq);
        }
    }

    pub(crate) fn log(&mut self, level: u32, text: &[u8]) {
        let level = match level {
            0 => Level::Debug,
            2 => Level::Info,
            3 => Level::Warn,
            4 => Level::Error,
            _ => Level::Log,
        };
        self.logs.add(level, text);
    }

    pub(crate) fn unawaited(&mut self, seq: u32) {
        if seq < self.lasting.next_call && self.unawaited.len() < self.lasting.next_call as usize {
            self.unawaited.push(seq);
        }
    }

    pub(crate) fn done(&mut self, json: &[u8]) {
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

    pub(crate) fn fail(&mut self, number: u32, report: &[u8]) {
        let [mut name, mut message, stack, thrown_at] = decode_report(report);
        // A refusal counts only if it was made here; calls are checked where they are kept.
        let refused = self.lasting.refusals.get(&Refusal(number));
        let is_refusal = (origin::CALL_LIMIT..=origin::PATH_TOO_LONG).contains(&number);
        let origin = match engine_code(number) {
            Some(code) if is_refusal => match refused {
                Some(said) => {
                    name = code.error_name().to_owned();
                    message = said.clone();
                    Origin::Engine(code)
                }
                None => Origin::Program,
            },
            Some(code) => Origin::Engine(code),
            None if number >= origin::CALL => Origin::Call(number - origin::CALL),
            None => Origin::Program,
        };
        self.end = Some(State::Failed(GuestError { origin, name, message, stack, thrown_at }));
    }
}

impl ResourceLimiter for Guest {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> Result<bool> {
        let is_granted = self.limits.memory.holds(desired);
        if is_granted {
            // The memory that the image brings is shared between instances; growth is the instance's own.
            self.meter.grow(desired.saturating_sub(current.max(self.base_memory)) as u64);
        } else {
            self.refuse_memory();
        }
        Ok(is_granted)
    }

    fn table_growing(&mut self, _current: usize, _desired: usize, _maximum: Option<usize>) -> Result<bool> {
        // Asked for the table that the image has; the image has no instruction to grow it.
        Ok(true)
    }
}

/// The only way out of the sandbox.
pub(crate) fn define_imports(linker: &mut Linker<Guest>) -> Result<()> {
    const MODULE: &str = "isobox";
    linker.func_wrap(MODULE, "mark", |mut caller: Caller<'_, Guest>| caller.data_mut().stack.mark())?;
    linker.func_wrap(
        MODULE,
        "call",
        |mut caller: Caller<'_, Guest>,
         path: u32,
         path_size: u32,
         input: u32,
         input_size: u32,
         file: u32,
         line: u32,
         column: u32| {
            let (memory, guest) = parts(&mut caller)?;
            let (path, input) = (slice(memory, path, path_size)?, slice(memory, input, input_size)?);
            let place = (line > 0).then_some(CalledFrom { file, line, column });
            number_or_refusal(guest.call(path, input, place))
        },
    )?;
    linker.func_wrap(MODULE, "refusal", |mut caller: Caller<'_, Guest>, text: u32, size: u32| -> Result<u32> {
        let message = std::mem::take(&mut caller.data_mut().last_refusal);
        let kept = message.floor_char_boundary(size as usize);
        let memory = memory_of(&mut caller)?;
        memory.write(&mut caller, text as usize, &message.as_bytes()[..kept])?;
        Ok(u32::try_from(kept)?)
    })?;
    linker.func_wrap(MODULE, "timer", |mut caller: Caller<'_, Guest>, milliseconds: f64| {
        number_or_refusal(caller.data_mut().timer(milliseconds))
    })?;
    linker.func_wrap(MODULE, "clear", |mut caller: Caller<'_, Guest>, seq: u32| caller.data_mut().clear(seq))?;
    linker.func_wrap(
        MODULE,
        "log",
        |mut caller: Caller<'_, Guest>, level: u32, text: u32, size: u32| -> Result<()> {
            let (memory, guest) = parts(&mut caller)?;
            guest.log(level, slice(memory, text, size)?);
            Ok(())
        },
    )?;
    linker.func_wrap(MODULE, "unawaited", |mut caller: Caller<'_, Guest>, seq: u32| {
        caller.data_mut().unawaited(seq);
    })?;
    linker.func_wrap(MODULE, "done", |mut caller: Caller<'_, Guest>, json: u32, size: u32| {
        let (memory, guest) = parts(&mut caller)?;
        guest.done(slice(memory, json, size)?);
        Ok::<_, wasmtime::Error>(())
    })?;
    linker.func_wrap(
        MODULE,
        "fail",
        |mut caller: Caller<'_, Guest>, origin: u32, report: u32, size: u32| -> Result<()> {
            let (memory, guest) = parts(&mut caller)?;
            guest.fail(origin, slice(memory, report, size)?);
            Ok(())
        },
    )?;
    Ok(())
}

fn number_or_refusal(answer: Result<u32, Refusal>) -> Result<i32> {
    let number = match answer {
        Ok(number) => i32::try_from(number),
        Err(Refusal(reason)) => i32::try_from(reason).map(|reason| -reason),
    };
    number.map_err(|_| format_err!("there are no more numbers for calls"))
}

fn parts<'a>(caller: &'a mut Caller<'_, Guest>) -> Result<(&'a [u8], &'a mut Guest)> {
    let (bytes, guest) = memory_of(caller)?.data_and_store_mut(caller);
    Ok((bytes, guest))
}

fn memory_of(caller: &mut Caller<'_, Guest>) -> Result<Memory> {
    caller.data().memory.ok_or_else(|| format_err!("the guest has no memory yet"))
}

/// A part of the guest's memory. The guest chose the numbers.
pub(crate) fn slice(memory: &[u8], start: u32, size: u32) -> Result<&[u8]> {
    let start = start as usize;
    memory
        .get(start..start.saturating_add(size as usize))
        .ok_or_else(|| format_err!("the guest pointed outside its memory"))
}
