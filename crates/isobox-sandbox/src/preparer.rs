//! Prepares programs in a sandbox.
//!
//! The front end parses untrusted programs with a parser that bounds neither its time nor its memory nor its stack. So
//! it is a WebAssembly module too. Every program is prepared by its own instance, which starts from the same memory,
//! has no imports, and is dropped afterwards. Its resources are bounded here, for any text and any version of the
//! parser.

use std::num::NonZeroU32;
use std::time::Duration;

use isobox_core::driver::{Error, ErrorKind};
use isobox_core::program::{Answer, Task};
use isobox_core::{ByteSize, Capacity, CapacityLimits};
use wasmtime::{
    Engine, InstancePre, Linker, Memory, Module, ResourceLimiter, Result, Store, Trap, TypedFunc, bail, format_err,
};

use crate::housekeeper::Housekeeper;
use crate::memo::Memo;
use crate::metered::Metered;

/// The number of programs that are prepared concurrently. Further ones wait.
pub(crate) const PREPARERS: NonZeroU32 = NonZeroU32::new(8).expect("it is not zero");
/// The maximum number of waiting programs.
const QUEUE: u32 = 100_000;
/// The maximum CPU time for preparing a program. The largest program within the default limits takes a tenth of it.
const TIME: Duration = Duration::from_secs(2);
/// The maximum memory for preparing a program.
const MEMORY: usize = 128 << 20;
/// The maximum size of an answer: a number of bytes per byte of the task, and a constant for any task.
const ANSWER_PER_BYTE: usize = 64;
const ANSWER: usize = 64 << 10;

static PREPARER: &[u8] = include_bytes!(env!("ISOBOX_PREPARER_CODE"));

pub(crate) struct Preparer {
    engine: Engine,
    pre: InstancePre<AnswerReader>,
    admission: Capacity,
    memo: Memo,
}

/// The host state of one instance.
#[derive(Default)]
struct AnswerReader {
    was_refused_memory: bool,
}

/// The reason why a task was not answered.
enum Unanswered {
    Time,
    Memory,
    Stack,
    Size,
    Defect(wasmtime::Error),
}

impl Preparer {
    pub(crate) fn load(engine: &Engine) -> Result<Self> {
        // SAFETY: these bytes were made by the build script of this crate with the same version of wasmtime. They are
        // part of the program, so changing them requires changing the program.
        let module = unsafe { Module::deserialize(engine, PREPARER)? };
        let pre = Linker::new(engine).instantiate_pre(&module)?;
        let limits =
            CapacityLimits { memory: ByteSize::mib(u64::from(PREPARERS.get())), live: PREPARERS.get(), queue: QUEUE };
        Ok(Self { engine: engine.clone(), pre, admission: Capacity::new(limits), memo: Memo::default() })
    }

    /// Answers a task.
    pub(crate) async fn answer(&self, task: &Task<'_>, housekeeper: &Housekeeper) -> Result<Answer, Error> {
        let task = serde_json::to_vec(task)
            .map_err(|error| Error::new(ErrorKind::Broken, format!("a program is not JSON: {error}")))?;
        if let Some(answer) = self.memo.recall(&task) {
            return Ok(answer);
        }
        let _place = self.admission.admit().await.map_err(|failure| Error::new(ErrorKind::Busy, failure.message))?;
        let mut used = Duration::ZERO;
        let call = self.ask(&task);
        let metered = Metered { call, housekeeper, watch: None, used: &mut used, limit: TIME };
        let (answer, size) = metered.await.unwrap_or(Err(Unanswered::Time)).map_err(error)?;
        self.memo.keep(task, &answer, size);
        Ok(answer)
    }

    /// Returns the answer and the size of its text.
    async fn ask(&self, task: &[u8]) -> Result<(Answer, usize), Unanswered> {
        let mut store = Store::new(&self.engine, AnswerReader::default());
        store.limiter(|reader| reader);
        store.epoch_deadline_async_yield_and_update(1);
        store.set_epoch_deadline(1);
        let answered = self.call(&mut store, task).await;
        answered.map_err(|error| match error.downcast_ref::<Trap>() {
            _ if error.is::<TooLarge>() => Unanswered::Size,
            // A module that was refused memory cannot report it.
            _ if store.data().was_refused_memory => Unanswered::Memory,
            Some(Trap::StackOverflow | Trap::MemoryOutOfBounds) => Unanswered::Stack,
            _ => Unanswered::Defect(error),
        })
    }

    async fn call(&self, store: &mut Store<AnswerReader>, task: &[u8]) -> Result<(Answer, usize)> {
        let instance = self.pre.instantiate_async(&mut *store).await?;
        let reserve: TypedFunc<u32, u32> = instance.get_typed_func(&mut *store, "isobox_reserve")?;
        let answer: TypedFunc<(), u64> = instance.get_typed_func(&mut *store, "isobox_answer")?;
        let memory = instance.get_memory(&mut *store, "memory").ok_or_else(|| format_err!("it has no memory"))?;
        let address = reserve.call_async(&mut *store, u32::try_from(task.len())?).await?;
        memory.write(&mut *store, address as usize, task)?;
        let packed = answer.call_async(&mut *store, ()).await?;
        read(memory, store, packed, task.len())
    }
}

/// Reads the answer at the address that the module returned. The module may be hostile, so everything is checked.
fn read(memory: Memory, store: &Store<AnswerReader>, packed: u64, task: usize) -> Result<(Answer, usize)> {
    let start = usize::try_from(packed >> 32)?;
    let size = usize::try_from(packed & u64::from(u32::MAX))?;
    if size > task.saturating_mul(ANSWER_PER_BYTE).saturating_add(ANSWER) {
        return Err(TooLarge.into());
    }
    let Some(answer) = memory.data(store).get(start..start.saturating_add(size)) else {
        bail!("the answer lies outside of its memory")
    };
    Ok((serde_json::from_slice(answer)?, size))
}

#[derive(Debug, thiserror::Error)]
#[error("the answer is too large")]
struct TooLarge;

impl ResourceLimiter for AnswerReader {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        self.was_refused_memory |= desired > MEMORY;
        Ok(desired <= MEMORY)
    }

    fn table_growing(&mut self, current: usize, _: usize, _: Option<usize>) -> Result<bool> {
        Ok(current == 0)
    }
}

/// Returns the error for the author of a program that cannot be prepared.
fn error(unanswered: Unanswered) -> Error {
    let refused = |limit, message| Error::new(ErrorKind::Excessive(limit), message);
    match unanswered {
        Unanswered::Time => refused("time", "the program takes too long to be read"),
        Unanswered::Memory => refused("memory", "the program takes too much memory to be read"),
        Unanswered::Stack => refused("stack", "the program is nested too deeply"),
        Unanswered::Size => refused("size", "the program becomes too large when types are removed"),
        Unanswered::Defect(error) => {
            Error::new(ErrorKind::Broken, format!("the program could not be read: {}", error.root_cause()))
        }
    }
}
