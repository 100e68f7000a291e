//! Prepares programs in a sandbox.
//!
//! The front end parses untrusted programs with a parser that bounds neither its time nor its memory nor its stack. So
//! it is a WebAssembly module too. Every program is prepared from the same memory by an instance that has no imports. The
//! resources of the instance are bounded here, for any text and any version of the parser.
//!
//! An instance that has answered is used again: its memory is overwritten with the first one. Nothing else of it changes:
//! the module has no instruction that changes a table, and the function that answers restores the stack pointer, which is
//! the only global, from a local variable. An instance that has not answered is dropped.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use isobox_core::driver::{Error, ErrorKind, MAX_PREPARING};
use isobox_core::program::{Answer, Preparation, Program, Task};
use isobox_core::{ByteSize, Capacity, CapacityLimits};
use wasmtime::{
    Engine, InstancePre, Linker, Memory, Module, ResourceLimiter, Result, Store, Trap, TypedFunc, format_err,
};

use crate::housekeeper::Housekeeper;
use crate::kernel::keep_pages_small;
use crate::memo::Memo;
use crate::metered::Metered;
use crate::options::{Cleaning, SandboxOptions, runtime_config};
use crate::pages::{PAGE, ReusedMemory, changed_pages};

/// The number of programs that are prepared concurrently. Further ones wait.
const PREPARERS: NonZeroU32 = NonZeroU32::new(8).expect("it is not zero");
/// The maximum number of waiting programs.
const QUEUE: u32 = 100_000;
/// The maximum memory for preparing a program.
const MEMORY: usize = 128 << 20;
/// The maximum size of an answer: a number of bytes per byte of the task, and a constant for any task.
const ANSWER_PER_BYTE: usize = 64;
const ANSWER: usize = 64 << 10;

/// The size of a page of WebAssembly.
const WASM_PAGE: u64 = 64 << 10;
/// The maximum number of idle instances.
const MAX_IDLE: usize = 4;
/// The maximum size of private pages that are worth overwriting for every program.
const MAX_OWN_BYTES: usize = 512 * PAGE;
/// The memory that is reserved in the first memory, so that a small program needs no more.
const WARM_MEMORY: u32 = 512 << 10;
/// The program that is prepared to make the first memory.
const WARM_UP: &str = "interface Row { id: number }\nconst rows: Row[] = await tools.list({ all: true });\nreturn rows.map((row) => row.id);";

static PREPARER: &[u8] = include_bytes!(env!("ISOBOX_PREPARER_CODE"));

/// The preparers that sandboxes of this process share.
static SHARED: Mutex<Vec<(Cleaning, Weak<Preparer>)>> = Mutex::new(Vec::new());

pub(crate) struct Preparer {
    engine: Engine,
    pre: InstancePre<AnswerReader>,
    admission: Capacity,
    memo: Memo,
    /// The memory that every program is prepared from, if instances are reused. Without it, every program is prepared by a new
    /// instance, from the memory of the module.
    first_memory: Option<FirstMemory>,
    idle: Mutex<Vec<PreparerInstance>>,
    last_cost: Mutex<Option<PreparationCost>>,
}

/// The resources that the preparation of one program has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreparationCost {
    /// The CPU time.
    pub cpu: Duration,
    /// The memory in addition to what every preparation begins with, in bytes.
    pub grown: usize,
}

/// The memory that every program is prepared from.
struct FirstMemory {
    content: Box<[u8]>,
    /// The pages that differ from the memory of a new instance.
    changed: Vec<Range<usize>>,
}

struct PreparerInstance {
    store: Store<AnswerReader>,
    memory: Memory,
    reserve: TypedFunc<u32, u32>,
    answer: TypedFunc<(), u64>,
    reused: ReusedMemory,
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
    /// Returns a preparer that all sandboxes of this process share that ask for it and are cleaned in the same way. Making one
    /// takes longer than making a small pool for running programs.
    pub(crate) fn shared(options: SandboxOptions, is_reusing: bool) -> Result<Arc<Self>> {
        // Locked while a preparer is made, so that concurrent callers get the same one.
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.retain(|(_, preparer)| preparer.strong_count() > 0);
        let found = shared.iter().filter(|(cleaning, _)| *cleaning == options.cleaning);
        if let Some(preparer) = found.filter_map(|(_, preparer)| preparer.upgrade()).next() {
            return Ok(preparer);
        }
        let preparer = Self::load(options, is_reusing)?;
        shared.push((options.cleaning, Arc::downgrade(&preparer)));
        Ok(preparer)
    }

    /// Loads the image of the front end, and reserves a pool of its own for it, so that preparing programs takes no instances
    /// from running ones.
    pub(crate) fn load(options: SandboxOptions, is_reusing: bool) -> Result<Arc<Self>> {
        let engine = &Engine::new(&runtime_config(SandboxOptions { instances: PREPARERS, ..options }))?;
        // SAFETY: these bytes were made by the build script of this crate with the same version of wasmtime. They are
        // part of the program, so changing them requires changing the program.
        let module = unsafe { Module::deserialize(engine, PREPARER)? };
        let pre = Linker::new(engine).instantiate_pre(&module)?;
        let limits =
            CapacityLimits { memory: ByteSize::mib(u64::from(PREPARERS.get())), live: PREPARERS.get(), queue: QUEUE };
        let first_memory = is_reusing.then(|| first_memory(engine, &pre)).transpose()?;
        Ok(Arc::new(Self {
            engine: engine.clone(),
            pre,
            admission: Capacity::new(limits),
            memo: Memo::default(),
            first_memory,
            idle: Mutex::default(),
            last_cost: Mutex::default(),
        }))
    }

    /// Returns the engine whose epochs have to advance while a program is prepared.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
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
        let mut instance = self.instance().map_err(|failure| error(Unanswered::Defect(failure)))?;
        let PreparerInstance { store, memory, reserve, answer, reused } = &mut instance;
        reused.start();
        let before = memory.data_size(&*store);
        let call = ask(store, *memory, reserve, answer, &task);
        let metered =
            Metered { call, housekeeper, watch: Some(&mut reused.watch), used: &mut used, limit: MAX_PREPARING };
        let answered = metered.await.unwrap_or(Err(Unanswered::Time));
        let grown = memory.data_size(&*store).saturating_sub(before);
        *self.last_cost.lock().unwrap_or_else(PoisonError::into_inner) = Some(PreparationCost { cpu: used, grown });
        let answered = answered.map_err(error)?;
        // The answer is read afterwards: page faults of the host would count as those of the instance.
        reused.watch.leave();
        let (answer, size) = read(*memory, store, answered, task.len())?;
        self.take_back(instance);
        self.memo.keep(task, &answer, size);
        Ok(answer)
    }

    /// Returns the cost of the last task that was not answered from the cache, once.
    pub(crate) fn take_last_cost(&self) -> Option<PreparationCost> {
        self.last_cost.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns an instance with the first memory.
    fn instance(&self) -> Result<PreparerInstance> {
        let Some(first) = &self.first_memory else { return PreparerInstance::new(&self.engine, &self.pre) };
        loop {
            let Some(mut instance) = self.idle().pop() else { break };
            let memory = instance.memory.data_mut(&mut instance.store);
            if memory.len() == first.content.len() && instance.reused.restore(memory, &first.content, MAX_OWN_BYTES) {
                *instance.store.data_mut() = AnswerReader::default();
                return Ok(instance);
            }
        }
        let mut instance = PreparerInstance::new(&self.engine, &self.pre)?;
        instance.write(first)?;
        Ok(instance)
    }

    fn take_back(&self, instance: PreparerInstance) {
        let mut idle = self.idle();
        if self.first_memory.is_some() && idle.len() < MAX_IDLE {
            idle.push(instance);
        }
    }

    /// Returns the number of idle instances and the memory of the next one, with the memory that it starts from.
    #[cfg(test)]
    pub(crate) fn memories_for_test(&self) -> (usize, Vec<u8>, Option<&[u8]>) {
        let idle = self.idle().len();
        let instance = self.instance().expect("an instance can be made");
        let next = instance.memory.data(&instance.store).to_vec();
        self.take_back(instance);
        (idle, next, self.first_memory.as_ref().map(|first| &*first.content))
    }

    fn idle(&self) -> MutexGuard<'_, Vec<PreparerInstance>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PreparerInstance {
    fn new(engine: &Engine, pre: &InstancePre<AnswerReader>) -> Result<Self> {
        let mut store = Store::new(engine, AnswerReader::default());
        store.limiter(|reader| reader);
        let instance = pre.instantiate(&mut store)?;
        let reserve = instance.get_typed_func(&mut store, "isobox_reserve")?;
        let answer = instance.get_typed_func(&mut store, "isobox_answer")?;
        let memory = instance.get_memory(&mut store, "memory").ok_or_else(|| format_err!("it has no memory"))?;
        keep_pages_small(memory.data_mut(&mut store));
        Ok(Self { store, memory, reserve, answer, reused: ReusedMemory::default() })
    }

    /// Replaces the memory of a new instance. Does not read it: pages that were read count as private.
    fn write(&mut self, first: &FirstMemory) -> Result<()> {
        let missing = first.content.len().saturating_sub(self.memory.data_size(&self.store));
        self.memory.grow(&mut self.store, u64::try_from(missing)?.div_ceil(WASM_PAGE))?;
        let memory = self.memory.data_mut(&mut self.store);
        keep_pages_small(memory);
        for range in &first.changed {
            memory[range.clone()].copy_from_slice(&first.content[range.clone()]);
        }
        Ok(())
    }
}

/// Returns the memory after a small program was prepared, and the memory for larger ones was freed. Most of the work of the
/// allocator is done then, and small programs do not make the memory grow.
fn first_memory(engine: &Engine, pre: &InstancePre<AnswerReader>) -> Result<FirstMemory> {
    let PreparerInstance { mut store, memory, reserve, answer, .. } = PreparerInstance::new(engine, pre)?;
    store.set_epoch_deadline(u64::MAX / 2);
    let before = memory.data(&store).to_vec();
    let program = Program::single(WARM_UP);
    let task = serde_json::to_vec(&Task::Prepare(Preparation::new(&program)))?;
    reserve.call(&mut store, WARM_MEMORY)?;
    let address = reserve.call(&mut store, u32::try_from(task.len())?)?;
    memory.write(&mut store, address as usize, &task)?;
    answer.call(&mut store, ())?;
    reserve.call(&mut store, 0)?;
    let content: Box<[u8]> = memory.data(&store).into();
    let changed = changed_pages(&content, &before).map(|(page, _)| page * PAGE..(page + 1) * PAGE).collect();
    Ok(FirstMemory { content, changed })
}

/// Asks for an answer. Returns its address in the upper 32 bits and its size in the lower 32 bits.
async fn ask(
    store: &mut Store<AnswerReader>,
    memory: Memory,
    reserve: &TypedFunc<u32, u32>,
    answer: &TypedFunc<(), u64>,
    task: &[u8],
) -> Result<u64, Unanswered> {
    store.epoch_deadline_async_yield_and_update(1);
    store.set_epoch_deadline(1);
    let answered = call(store, memory, reserve, answer, task).await;
    answered.map_err(|error| match error.downcast_ref::<Trap>() {
        // A module that was refused memory cannot report it.
        _ if store.data().was_refused_memory => Unanswered::Memory,
        Some(Trap::StackOverflow | Trap::MemoryOutOfBounds) => Unanswered::Stack,
        _ => Unanswered::Defect(error),
    })
}

async fn call(
    store: &mut Store<AnswerReader>,
    memory: Memory,
    reserve: &TypedFunc<u32, u32>,
    answer: &TypedFunc<(), u64>,
    task: &[u8],
) -> Result<u64> {
    let address = reserve.call_async(&mut *store, u32::try_from(task.len())?).await?;
    memory.write(&mut *store, address as usize, task)?;
    answer.call_async(&mut *store, ()).await
}

/// Reads the answer at the address that the module returned, and the size of its text. The module may be hostile, so everything
/// is checked.
fn read(memory: Memory, store: &Store<AnswerReader>, packed: u64, task: usize) -> Result<(Answer, usize), Error> {
    let defect = |failure: wasmtime::Error| error(Unanswered::Defect(failure));
    let start = usize::try_from(packed >> 32).map_err(|failure| defect(failure.into()))?;
    let size = usize::try_from(packed & u64::from(u32::MAX)).map_err(|failure| defect(failure.into()))?;
    if size > task.saturating_mul(ANSWER_PER_BYTE).saturating_add(ANSWER) {
        return Err(error(Unanswered::Size));
    }
    let Some(answer) = memory.data(store).get(start..start.saturating_add(size)) else {
        return Err(defect(format_err!("the answer lies outside of its memory")));
    };
    let answer = serde_json::from_slice(answer).map_err(|failure| defect(failure.into()))?;
    Ok((answer, size))
}

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
