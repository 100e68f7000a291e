//! One live program: a wasm instance and its steps.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_core::driver::{Error, ErrorKind};
use isobox_core::program::Prepared;
use isobox_core::{
    Answer, BookUse, ByteSize, CalledFrom, Exhausted, Fact, Instance, Log, ProgramState, Region, Snapshot,
    StartOptions, Step, Timestamp,
};
use wasmtime::{Caller, Func, Store, Trap};

use crate::abi::{encode_answers, encode_program, how_to_start, state};
use crate::guest::Guest;
use crate::kept::Acquaintance;
use crate::metered::Metered;
use crate::pages::Watch;
use crate::pool::Shared;
use crate::pooled_instance::{Exports, PooledInstance, SMALL_INPUT};
use crate::snapshot::{self, Beside, Saved};

pub(crate) struct WasmInstance {
    shared: Arc<Shared>,
    /// Present until the instance is dropped.
    pooled: Option<PooledInstance>,
    /// Present until the first step.
    start: Option<Start>,
    message: Vec<u8>,
    cpu_used: Duration,
    stage: Stage,
}

struct Start {
    program: Arc<Prepared>,
    namespaces: Arc<[String]>,
    region: Region,
    seed: u64,
    /// Whether the memory is that of the image, and not what an earlier program of a session left.
    is_first: bool,
}

/// The stage of an instance. It can continue only from a wait: after it was stopped inside a step, its state is
/// unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Stepping,
    /// The program has returned, and nothing was done since.
    Returned,
    Ended,
}

/// The minimum duration of a step after which the stack is trimmed. A shorter step cannot have touched enough of the
/// stack to be worth a system call.
const TRIM_AFTER: Duration = Duration::from_micros(100);
/// The maximum CPU time for closing a program that has returned.
const MAX_CLOSING: Duration = Duration::from_secs(1);
/// The maximum CPU time for finding the place at which a program was stopped.
const MAX_STOP_SEARCH: Duration = Duration::from_millis(20);

impl WasmInstance {
    pub(crate) fn new(
        shared: Arc<Shared>,
        pooled: PooledInstance,
        program: Arc<Prepared>,
        options: StartOptions,
    ) -> Self {
        let StartOptions { namespaces, region, seed, globals, .. } = options;
        Self {
            shared,
            pooled: Some(pooled),
            start: Some(Start { program, namespaces, region, seed, is_first: globals.is_none() }),
            message: Vec::new(),
            cpu_used: Duration::ZERO,
            stage: Stage::Waiting,
        }
    }

    /// Restores the instance of a snapshot. The pooled instance must be clean.
    pub(crate) fn restored(
        shared: Arc<Shared>,
        mut pooled: PooledInstance,
        mut saved: Saved<'_>,
    ) -> Result<Self, Error> {
        let restored = saved.restore(&mut pooled);
        // If the restore failed, the pooled instance is like any other after use.
        let (pooled, cpu_used) = (Some(pooled), saved.cpu_used());
        let instance = Self { shared, pooled, start: None, message: Vec::new(), cpu_used, stage: Stage::Waiting };
        restored.map(|()| instance)
    }

    pub(crate) fn take_snapshot(&mut self, limit: ByteSize) -> Option<Snapshot> {
        match self.stage {
            Stage::Waiting if self.start.is_none() => {
                let beside = Beside::Waiting { cpu_used: self.cpu_used };
                snapshot::take(self.pooled.as_mut()?, &self.shared.image, &beside, limit)
            }
            Stage::Waiting | Stage::Stepping | Stage::Returned | Stage::Ended => None,
        }
    }

    /// Closes a program that has returned, and takes a snapshot of its globals.
    pub(crate) async fn close(&mut self, limit: ByteSize) -> Option<Snapshot> {
        if self.stage != Stage::Returned {
            return None;
        }
        self.stage = Stage::Stepping;
        let shared = Arc::clone(&self.shared);
        let pooled = self.pooled.as_mut()?;
        // The watch has ended with the program.
        pooled.reused.watch = Watch::Off;
        let store = &mut pooled.store;
        let function = pooled.exports.instance.get_typed_func::<(), i32>(&mut *store, "isobox_close").ok()?;
        store.set_epoch_deadline(1);
        let call = function.call_async(store, ());
        let (mut used, most) = (Duration::ZERO, MAX_CLOSING);
        let metered = Metered { call, housekeeper: &shared.housekeeper, watch: None, used: &mut used, limit: most };
        let closed = metered.await?.ok()?;
        self.stage = Stage::Ended;
        (closed == 0).then(|| snapshot::take(pooled, &shared.image, &Beside::Closed, limit)).flatten()
    }

    async fn make_step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> Result<Step, Error> {
        let refused = match self.stage {
            Stage::Waiting => None,
            Stage::Stepping => Some("the instance was stopped inside a step and cannot continue"),
            Stage::Returned | Stage::Ended => Some("the program has ended and cannot continue"),
        };
        if let Some(reason) = refused {
            return Err(Error::new(ErrorKind::Broken, reason));
        }
        let shared = Arc::clone(&self.shared);
        self.stage = Stage::Stepping;
        let Some(pooled) = self.pooled.as_mut() else {
            return Err(Error::new(ErrorKind::Broken, "the instance is gone"));
        };
        let store = &mut pooled.store;
        self.message.clear();
        let start = self.start.take();
        match &start {
            Some(start) => encode_program(&start.program, &start.namespaces, &start.region, &mut self.message),
            None => {
                for answer in &answers {
                    store.data_mut().intake.answer(answer.seq);
                }
                encode_answers(&answers, &mut self.message);
            }
        }
        store.set_epoch_deadline(1);
        let limit = store.data().limits().cpu;
        if self.cpu_used > limit {
            return Ok(store.data_mut().exhausted(Exhausted::Cpu));
        }
        let used_before = self.cpu_used;
        let call = run(store, &pooled.exports, &shared, &mut self.message, start, clock);
        let watch = Some(&mut pooled.reused.watch);
        let metered = Metered { call, housekeeper: &shared.housekeeper, watch, used: &mut self.cpu_used, limit }.await;
        self.message.clear();
        self.message.shrink_to(SMALL_INPUT);
        if self.cpu_used - used_before > TRIM_AFTER {
            store.data().stack.trim();
        }
        let guest = store.data_mut();
        let ended = match metered {
            None => return Ok(guest.exhausted(Exhausted::Cpu)),
            Some(Ok(returned)) => guest.take_step(returned),
            Some(Err(error)) => Err(error),
        };
        match ended {
            Ok(step) => {
                self.stage = match step.state {
                    ProgramState::Waiting => Stage::Waiting,
                    ProgramState::Done(_) => {
                        pooled.reused.watch.leave();
                        Stage::Returned
                    }
                    ProgramState::Failed(_) | ProgramState::Exhausted(_) => {
                        pooled.reused.watch.leave();
                        Stage::Ended
                    }
                };
                Ok(step)
            }
            Err(error) => match error.downcast_ref::<Trap>() {
                Some(Trap::StackOverflow) => Ok(guest.exhausted(Exhausted::Stack)),
                // An engine that was refused memory may no longer be able to report that.
                _ if guest.was_refused_memory() => Ok(guest.exhausted(Exhausted::Memory)),
                _ => {
                    let message = format!("the sandbox failed: {}", error.root_cause());
                    Err(Error::new(ErrorKind::Broken, message))
                }
            },
        }
    }
}

impl WasmInstance {
    /// Asks a guest that was stopped inside a step where it was. Its heap may be in the middle of a change, so the answer may
    /// be missing or wrong, but it comes soon.
    async fn find_stop(&mut self) -> Option<CalledFrom> {
        if !matches!(self.stage, Stage::Stepping) {
            return None;
        }
        let shared = Arc::clone(&self.shared);
        let pooled = self.pooled.as_mut()?;
        let store = &mut pooled.store;
        let function = pooled.exports.instance.get_typed_func::<(), u64>(&mut *store, "isobox_stopped_at").ok()?;
        store.set_epoch_deadline(1);
        let call = function.call_async(store, ());
        let (mut used, limit) = (Duration::ZERO, MAX_STOP_SEARCH);
        let metered = Metered { call, housekeeper: &shared.housekeeper, watch: None, used: &mut used, limit };
        let packed = metered.await?.ok()?;
        let part = |shift: u32, bits: u32| ((packed >> shift) & ((1 << bits) - 1)) as u32;
        let place = CalledFrom { file: part(48, 16), line: part(24, 24), column: part(0, 24) };
        (place.line > 0).then_some(place)
    }
}

#[cfg(any(test, fuzzing))]
impl WasmInstance {
    /// Returns a copy of the guest's memory.
    pub(crate) fn memory_for_test(&self) -> Vec<u8> {
        self.pooled.as_ref().map(|pooled| pooled.exports.memory.data(&pooled.store).to_vec()).unwrap_or_default()
    }
}

#[cfg(test)]
impl WasmInstance {
    /// Returns the stack pointer of the guest.
    pub(crate) fn stack_pointer_for_test(&mut self) -> Option<i32> {
        let pooled = self.pooled.as_mut()?;
        pooled.exports.stack_pointer.get(&mut pooled.store).i32()
    }

    /// Makes the kernel write the guest's memory to the swap space, if there is one.
    pub(crate) fn page_out_for_test(&mut self) {
        let Some(pooled) = self.pooled.as_mut() else { return };
        let memory = pooled.exports.memory.data_mut(&mut pooled.store);
        // SAFETY: the range is that of the slice, and the advice does not change its content.
        let advised =
            unsafe { rustix::mm::madvise(memory.as_mut_ptr().cast(), memory.len(), rustix::mm::Advice::LinuxPageOut) };
        advised.expect("the range is mapped");
    }

    /// Returns the resident bytes of the marked stack beyond the part that may stay.
    pub(crate) fn held_stack_for_test(&self) -> Option<usize> {
        self.pooled.as_ref()?.store.data().stack.held_for_test()
    }
}

async fn run(
    store: &mut Store<Guest>,
    exports: &Exports,
    shared: &Shared,
    message: &mut Vec<u8>,
    start: Option<Start>,
    clock: Timestamp,
) -> wasmtime::Result<i32> {
    let now = clock.0 as f64;
    let Some(start) = start else {
        let size = deliver(store, exports, shared.small_input, message).await?;
        if !store.data().stack.is_marked() {
            mark_stack(store).await?;
        }
        return exports.step.call_async(store, (size, now)).await;
    };
    let limits = store.data().limits();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let (settle, timeout) = (milliseconds(limits.settle), milliseconds(limits.timeout));
    let loaded = load(store, exports, shared, message, &start).await?;
    if loaded != state::WAITING {
        return Ok(loaded);
    }
    exports.begin.call_async(store, (start.seed, now, settle, timeout)).await
}

/// Has the guest load the program of a message, or writes what loading it has written before.
async fn load(
    store: &mut Store<Guest>,
    exports: &Exports,
    shared: &Shared,
    message: &mut Vec<u8>,
    start: &Start,
) -> wasmtime::Result<i32> {
    let limits = store.data().limits();
    let stack = u32::try_from(limits.stack.get())?;
    let memory = u32::try_from(limits.memory.get()).unwrap_or(u32::MAX);
    let how = how_to_start(&start.program);
    // The key is the message, followed by everything else that loading depends on.
    let size = message.len();
    message.extend([stack.to_le_bytes(), memory.to_le_bytes(), how.to_le_bytes()].as_flattened());
    let acquaintance = start.is_first.then(|| shared.kept.meet(message, &shared.image));
    if let Some(Acquaintance::Kept(program)) = &acquaintance {
        program.write(exports.memory.data_mut(store));
        return Ok(state::WAITING);
    }
    let size = deliver(store, exports, shared.small_input, &message[..size]).await?;
    let loaded = exports.load.call_async(&mut *store, (size, how, stack, memory)).await?;
    if let (Some(acquaintance), state::WAITING, false) = (&acquaintance, loaded, store.data().was_refused_memory()) {
        shared.kept.keep(message, acquaintance, exports.memory.data(&*store), &shared.image);
    }
    Ok(loaded)
}

/// Writes a message into the memory of the guest. Returns its size.
async fn deliver(
    store: &mut Store<Guest>,
    exports: &Exports,
    small_input: u32,
    message: &[u8],
) -> wasmtime::Result<u32> {
    let size = u32::try_from(message.len())?;
    let address = if message.len() <= SMALL_INPUT {
        small_input
    } else {
        let address = exports.reserve.call_async(&mut *store, size).await?;
        if address == 0 {
            store.data_mut().refuse_memory();
            wasmtime::bail!("the guest has no memory for the message");
        }
        address
    };
    // The guest chose the address; `write` checks it.
    exports.memory.write(&mut *store, address as usize, message)?;
    Ok(size)
}

/// Marks the stack, as a starting guest does, for a guest that was started elsewhere. The function stays with the
/// store, as the stack does, so once per store is enough.
async fn mark_stack(store: &mut Store<Guest>) -> wasmtime::Result<()> {
    let mark = Func::wrap(&mut *store, |mut caller: Caller<'_, Guest>| caller.data_mut().stack.mark());
    mark.typed::<(), ()>(&*store)?.call_async(store, ()).await
}

impl Instance for WasmInstance {
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Error>> {
        Box::pin(self.make_step(answers, clock))
    }

    fn stopped_at(&mut self) -> BoxFuture<'_, Option<CalledFrom>> {
        Box::pin(self.find_stop())
    }

    fn take_logs(&mut self) -> Vec<Log> {
        self.pooled.as_mut().map(|pooled| pooled.store.data_mut().take_logs()).unwrap_or_default()
    }

    fn take_facts(&mut self) -> Vec<Fact> {
        self.pooled.as_mut().map(|pooled| pooled.store.data_mut().take_facts()).unwrap_or_default()
    }

    fn snapshot(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        Box::pin(std::future::ready(self.take_snapshot(limit)))
    }

    fn globals(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        Box::pin(self.close(limit))
    }

    fn cpu_used(&self) -> Duration {
        self.cpu_used
    }

    fn set_cpu_used(&mut self, used: Duration) {
        self.cpu_used = used;
    }

    fn written(&self) -> BookUse {
        self.pooled.as_ref().map(|pooled| pooled.store.data().written()).unwrap_or_default()
    }

    fn set_written(&mut self, written: BookUse) {
        if let Some(pooled) = &mut self.pooled {
            pooled.store.data_mut().set_written(written);
        }
    }
}

impl Drop for WasmInstance {
    fn drop(&mut self) {
        let Some(mut pooled) = self.pooled.take() else { return };
        pooled.store.data_mut().leave();
        match self.stage {
            Stage::Waiting | Stage::Returned | Stage::Ended => self.shared.housekeeper.take_back(pooled),
            Stage::Stepping => self.shared.housekeeper.bury(pooled),
        }
    }
}
