//! The host state of one instance, and the imports through which the guest reaches it.

use std::time::Duration;

use isobox_core::driver::intake::{ClaimedOrigin, Intake, Lasting, Refused};
use isobox_core::{BookUse, CallSeq, CalledFrom, Exhausted, Fact, Level, Limits, Log, Meter, ProgramState, Step};
use wasmtime::{Caller, Linker, Memory, ResourceLimiter, Result, bail, format_err};

use crate::abi::{claim, decode_report, origin, state};
use crate::stack::StackMark;

/// All state outside its own memory that a guest can change.
pub(crate) struct Guest {
    pub(crate) memory: Option<Memory>,
    pub(crate) stack: StackMark,
    pub(crate) intake: Intake,
    meter: Meter,
    base_memory: usize,
    /// The bytes by which the memory has grown.
    grown: u64,
    /// Whether a memory request was ever refused. A later trap is most likely an engine that could not handle the
    /// refusal.
    was_refused_memory: bool,
    /// The message of the last refusal, which the guest reads.
    last_refusal: String,
    /// The answer to the last question about a locale, until the guest reads it.
    last_answer: String,
}

impl Guest {
    pub(crate) fn new(limits: Limits, meter: Meter, base_memory: usize) -> Self {
        Self {
            memory: None,
            stack: StackMark::default(),
            intake: Intake::new(limits),
            meter,
            base_memory,
            grown: 0,
            was_refused_memory: false,
            last_refusal: String::new(),
            last_answer: String::new(),
        }
    }

    /// Gives back the memory of a guest that is gone.
    pub(crate) fn leave(&mut self) {
        self.meter.shrink(std::mem::take(&mut self.grown));
    }

    pub(crate) fn base_memory(&self) -> usize {
        self.base_memory
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.intake.limits()
    }

    /// Returns the state of a waiting guest that must be kept besides its memory.
    pub(crate) fn lasting(&self) -> (Lasting, bool) {
        (self.intake.lasting(), self.was_refused_memory)
    }

    /// Continues with the saved state of another guest.
    pub(crate) fn resume(&mut self, intake: Intake, was_refused_memory: bool) {
        (self.intake, self.was_refused_memory) = (intake, was_refused_memory);
    }

    pub(crate) fn was_refused_memory(&self) -> bool {
        self.was_refused_memory
    }

    /// Records that a memory request of the guest was refused.
    pub(crate) fn refuse_memory(&mut self) {
        self.was_refused_memory = true;
    }

    /// Returns what the guest did since the last step, given the state that it returned.
    pub(crate) fn take_step(&mut self, returned: i32) -> Result<Step> {
        match (returned, self.intake.end()) {
            (state::WAITING, None)
            | (state::DONE, Some(ProgramState::Done(_)))
            | (state::DONE | state::FAILED, Some(ProgramState::Failed(_) | ProgramState::Exhausted(_))) => {
                Ok(self.intake.take_step())
            }
            _ => bail!("the guest violated the protocol"),
        }
    }

    /// Returns what the guest did since the last step, given the limit that stopped it.
    pub(crate) fn exhausted(&mut self, limit: Exhausted) -> Step {
        self.intake.take_exhausted(limit)
    }

    pub(crate) fn take_logs(&mut self) -> Vec<Log> {
        self.intake.take_logs()
    }

    pub(crate) fn take_facts(&mut self) -> Vec<Fact> {
        self.intake.take_facts()
    }

    pub(crate) fn written(&self) -> BookUse {
        self.intake.written()
    }

    pub(crate) fn set_written(&mut self, written: BookUse) {
        self.intake.set_written(written);
    }

    pub(crate) fn call(&mut self, path: &[u8], input: &[u8], place: Option<CalledFrom>) -> Result<i32> {
        let called = self.intake.call(path, input, place);
        self.number_or_refusal(called)
    }

    pub(crate) fn timer(&mut self, milliseconds: f64) -> Result<i32> {
        let delay = Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(Duration::ZERO);
        let timer = self.intake.timer(delay);
        self.number_or_refusal(timer)
    }

    fn number_or_refusal(&mut self, answer: Result<CallSeq, Refused>) -> Result<i32> {
        let number = match answer {
            Ok(seq) => i32::try_from(seq.number()),
            Err(Refused { reason, message }) => {
                self.last_refusal = message;
                i32::try_from(origin::of_refusal(reason)).map(|reason| -reason)
            }
        };
        number.map_err(|_| format_err!("the call numbers are used up"))
    }

    pub(crate) fn log(&mut self, level: u32, text: &[u8]) {
        let level = match level {
            0 => Level::Debug,
            2 => Level::Info,
            3 => Level::Warn,
            4 => Level::Error,
            _ => Level::Log,
        };
        self.intake.log(level, text);
    }

    /// Returns 0, or minus the origin of a refusal.
    pub(crate) fn fact(&mut self, name: &[u8], json: &[u8]) -> Result<i32> {
        let noted = self.intake.fact(name, json).map(|()| CallSeq::new(0));
        self.number_or_refusal(noted)
    }

    pub(crate) fn fail(&mut self, number: u32, report: &[u8]) {
        let claim: ClaimedOrigin = claim(number);
        self.intake.fail(claim, decode_report(report));
    }
}

impl ResourceLimiter for Guest {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> Result<bool> {
        // Instances share the memory of the image; only the growth belongs to the instance. The limit is for all instances
        // of an execution together.
        let grown = desired.saturating_sub(current.max(self.base_memory)) as u64;
        let limit = self.limits().memory.get().saturating_sub(self.base_memory as u64);
        let is_granted = self.limits().memory.holds(desired) && self.meter.grow(grown, limit);
        if is_granted {
            self.grown += grown;
        } else {
            self.refuse_memory();
        }
        Ok(is_granted)
    }

    fn table_growing(&mut self, _current: usize, _desired: usize, _maximum: Option<usize>) -> Result<bool> {
        // Called for the table of the image, which has no instruction to grow it.
        Ok(true)
    }
}

/// Defines the imports of the guest. They are the only way out of the sandbox.
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
            guest.call(path, input, place)
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
        caller.data_mut().timer(milliseconds)
    })?;
    linker.func_wrap(MODULE, "clear", |mut caller: Caller<'_, Guest>, seq: u32| {
        caller.data_mut().intake.clear(CallSeq::new(seq))
    })?;
    linker.func_wrap(
        MODULE,
        "log",
        |mut caller: Caller<'_, Guest>, level: u32, text: u32, size: u32| -> Result<()> {
            let (memory, guest) = parts(&mut caller)?;
            guest.log(level, slice(memory, text, size)?);
            Ok(())
        },
    )?;
    linker.func_wrap(
        MODULE,
        "fact",
        |mut caller: Caller<'_, Guest>, name: u32, name_size: u32, json: u32, json_size: u32| {
            let (memory, guest) = parts(&mut caller)?;
            guest.fact(slice(memory, name, name_size)?, slice(memory, json, json_size)?)
        },
    )?;
    linker.func_wrap(MODULE, "intl", |mut caller: Caller<'_, Guest>, request: u32, size: u32| -> Result<u32> {
        let (memory, guest) = parts(&mut caller)?;
        guest.last_answer = isobox_intl::answer(slice(memory, request, size)?).encode();
        Ok(u32::try_from(guest.last_answer.len())?)
    })?;
    linker.func_wrap(MODULE, "answer", |mut caller: Caller<'_, Guest>, text: u32, size: u32| -> Result<()> {
        let answer = std::mem::take(&mut caller.data_mut().last_answer);
        let written = answer.len().min(size as usize);
        let memory = memory_of(&mut caller)?;
        memory.write(&mut caller, text as usize, &answer.as_bytes()[..written])?;
        Ok(())
    })?;
    linker.func_wrap(MODULE, "unawaited", |mut caller: Caller<'_, Guest>, seq: u32| {
        caller.data_mut().intake.unawaited(CallSeq::new(seq));
    })?;
    linker.func_wrap(MODULE, "hint", |mut caller: Caller<'_, Guest>, text: u32, size: u32| -> Result<()> {
        let (memory, guest) = parts(&mut caller)?;
        guest.intake.hint(slice(memory, text, size)?);
        Ok(())
    })?;
    linker.func_wrap(MODULE, "done", |mut caller: Caller<'_, Guest>, json: u32, size: u32| {
        let (memory, guest) = parts(&mut caller)?;
        guest.intake.done(slice(memory, json, size)?);
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

fn parts<'a>(caller: &'a mut Caller<'_, Guest>) -> Result<(&'a [u8], &'a mut Guest)> {
    let (bytes, guest) = memory_of(caller)?.data_and_store_mut(caller);
    Ok((bytes, guest))
}

fn memory_of(caller: &mut Caller<'_, Guest>) -> Result<Memory> {
    caller.data().memory.ok_or_else(|| format_err!("the guest has no memory yet"))
}

/// Returns a part of the guest's memory. The guest chose the numbers, so they are checked.
pub(crate) fn slice(memory: &[u8], start: u32, size: u32) -> Result<&[u8]> {
    let start = start as usize;
    memory
        .get(start..start.saturating_add(size as usize))
        .ok_or_else(|| format_err!("the guest pointed outside its memory"))
}
