//! The background thread of a sandbox. It advances the epoch for running guests, cleans instances after use, and drops
//! instances that cannot be reused.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use wasmtime::Engine;

use crate::pooled_instance::{Image, PooledInstance};

/// The interval at which a running guest yields to the executor, and thus how late a time-out may be noticed.
const TICK: Duration = Duration::from_millis(1);
/// The maximum time of cleaning at a stretch. Running guests wait for the next tick meanwhile.
const UPKEEP: Duration = Duration::from_millis(4);
/// The number of idle ticks after which the thread sleeps until there is work.
const IDLE_TICKS: u32 = 100;
/// The maximum number of idle instances, and their number when there is nothing to do.
const EMPTY_ROOMS: usize = 64;
const EMPTY_ROOMS_WHEN_IDLE: usize = 4;

pub(crate) struct Housekeeper {
    chores: Arc<Chores>,
    thread: Option<JoinHandle<()>>,
}

struct Chores {
    /// The engines whose guests have to yield regularly.
    engines: [Engine; 2],
    /// The image that instances are cleaned to. `None` if instances are not reused.
    image: Option<Arc<Image>>,
    /// The idle instances. The last one returned is the first one taken, because its memory is still in the CPU caches.
    empty: Mutex<VecDeque<IdleInstance>>,
    graveyard: Mutex<Vec<PooledInstance>>,
    /// Locked while instances are cleaned or dropped. The holder knows that every instance without a guest is in one of
    /// the two lists.
    upkeep: Mutex<()>,
    ticks: AtomicU64,
    /// Set when ticks are needed, cleared by the thread.
    has_work: AtomicBool,
    is_parked: AtomicBool,
    is_over: AtomicBool,
}

struct IdleInstance {
    pooled: PooledInstance,
    is_clean: bool,
    /// The tick at which the instance was returned.
    since: u64,
}

#[derive(Clone, Copy)]
struct Deadline(Instant);

#[expect(clippy::disallowed_methods, reason = "no execution sees this time: it bounds the work between two ticks")]
impl Deadline {
    fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    fn has_passed(self) -> bool {
        Instant::now() >= self.0
    }
}

impl Housekeeper {
    /// Starts the thread. With an image, instances are reused.
    pub(crate) fn start(engines: [Engine; 2], image: Option<Arc<Image>>) -> std::io::Result<Self> {
        let chores = Arc::new(Chores {
            engines,
            image,
            empty: Mutex::default(),
            graveyard: Mutex::new(Vec::new()),
            upkeep: Mutex::new(()),
            ticks: AtomicU64::new(0),
            has_work: AtomicBool::new(false),
            is_parked: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        });
        let its_chores = Arc::clone(&chores);
        let thread = thread::Builder::new().name("isobox-sandbox".to_owned()).spawn(move || its_chores.work())?;
        Ok(Self { chores, thread: Some(thread) })
    }

    /// Keeps the epoch advancing for some time. Must be called at every poll of a guest: a running guest yields at the
    /// next epoch and is polled again.
    pub(crate) fn tick(&self) {
        self.chores.has_work.store(true, Ordering::SeqCst);
        if self.chores.is_parked.load(Ordering::SeqCst) {
            self.unpark();
        }
    }

    /// Returns a clean idle instance, if there is one.
    pub(crate) fn pooled(&self) -> Option<PooledInstance> {
        let image = self.chores.image.as_ref()?;
        loop {
            let IdleInstance { mut pooled, is_clean, .. } = self.chores.empty().pop_back()?;
            if is_clean || pooled.clean(image) {
                return Some(pooled);
            }
            self.bury(pooled);
        }
    }

    /// Takes back an instance for reuse. It is cleaned by its next user or within a few ticks.
    pub(crate) fn take_back(&self, pooled: PooledInstance) {
        match &self.chores.image {
            Some(image) if pooled.has_size_of(image) => {
                let since = self.chores.ticks.load(Ordering::Relaxed);
                self.chores.empty().push_back(IdleInstance { pooled, is_clean: false, since });
                self.tick();
            }
            _ => self.bury(pooled),
        }
    }

    /// Takes back an instance that cannot be reused. It is dropped within a few ticks.
    pub(crate) fn bury(&self, pooled: PooledInstance) {
        lock(&self.chores.graveyard).push(pooled);
        self.tick();
    }

    /// Releases the slots of all instances without a guest.
    pub(crate) fn bury_all_now(&self) {
        self.chores.bury_all_now();
    }

    #[cfg(test)]
    pub(crate) fn idle_instances_for_test(&self) -> usize {
        let _upkeep = lock(&self.chores.upkeep);
        self.chores.empty().len()
    }

    fn unpark(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Housekeeper {
    fn drop(&mut self) {
        self.chores.is_over.store(true, Ordering::SeqCst);
        self.unpark();
        if let Some(thread) = self.thread.take() {
            // Joining fails only if the thread panicked, and then nothing is left to wait for.
            drop(thread.join());
        }
    }
}

impl Chores {
    fn work(&self) {
        let mut idle = 0;
        while !self.is_over.load(Ordering::SeqCst) {
            if idle < IDLE_TICKS {
                thread::sleep(TICK);
            } else {
                self.is_parked.store(true, Ordering::SeqCst);
                // A caller that set the flag before the line above did not see that this thread was about to park.
                if !self.has_work.load(Ordering::SeqCst) && !self.is_over.load(Ordering::SeqCst) {
                    thread::park();
                }
                self.is_parked.store(false, Ordering::SeqCst);
            }
            idle = if self.has_work.swap(false, Ordering::SeqCst) { 0 } else { idle + 1 };
            self.engines.iter().for_each(Engine::increment_epoch);
            let _upkeep = lock(&self.upkeep);
            let until = Deadline::after(UPKEEP);
            self.shrink(if idle < IDLE_TICKS { EMPTY_ROOMS } else { EMPTY_ROOMS_WHEN_IDLE });
            if !(self.clean_instances(until) && self.clear_graves(until)) {
                self.has_work.store(true, Ordering::SeqCst);
            }
        }
        self.bury_all_now();
    }

    fn bury_all_now(&self) {
        let _upkeep = lock(&self.upkeep);
        self.shrink(0);
        drop(std::mem::take(&mut *lock(&self.graveyard)));
    }

    /// Cleans instances that were not used since the last tick, and tells whether all are clean. Skips instances in
    /// frequent use, because their next user cleans them faster.
    fn clean_instances(&self, until: Deadline) -> bool {
        let Some(image) = &self.image else { return true };
        let now = self.ticks.fetch_add(1, Ordering::Relaxed);
        while let Some(mut pooled) = self.dirty_instance(now) {
            if pooled.clean(image) {
                self.empty().push_front(IdleInstance { pooled, is_clean: true, since: now });
            } else {
                lock(&self.graveyard).push(pooled);
            }
            if until.has_passed() {
                return false;
            }
        }
        true
    }

    /// Returns the instance that was returned the longest ago. Clean ones are in front; reuse takes from the back.
    fn dirty_instance(&self, now: u64) -> Option<PooledInstance> {
        let mut empty = self.empty();
        let place = empty.iter().position(|one| !one.is_clean)?;
        (empty[place].since < now).then(|| empty.remove(place)).flatten().map(|one| one.pooled)
    }

    /// Drops the instances that have been idle the longest until `count` remain.
    fn shrink(&self, count: usize) {
        let mut empty = self.empty();
        let excess = empty.len().saturating_sub(count);
        lock(&self.graveyard).extend(empty.drain(..excess).map(|one| one.pooled));
    }

    /// Drops discarded instances, and tells whether all are gone.
    fn clear_graves(&self, until: Deadline) -> bool {
        while let Some(pooled) = { lock(&self.graveyard).pop() } {
            drop(pooled);
            if until.has_passed() {
                return false;
            }
        }
        true
    }

    fn empty(&self) -> MutexGuard<'_, VecDeque<IdleInstance>> {
        lock(&self.empty)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
