//! The one thread of a sandbox: it lets time pass for guests, cleans the rooms that they leave, and takes down those that
//! cannot be used again, off everybody's way.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use wasmtime::Engine;

use crate::pooled_instance::{Image, PooledInstance};

/// How often a running guest yields to the executor, and with it how late a time-out may be noticed.
const TICK: Duration = Duration::from_millis(1);
/// So long it cleans at a time: running guests wait for the next tick meanwhile.
const UPKEEP: Duration = Duration::from_millis(4);
/// So many ticks without work, and the thread sleeps until there is some.
const IDLE_TICKS: u32 = 100;
/// So many rooms stand empty at the most, and so many once there is nothing to do.
const EMPTY_ROOMS: usize = 64;
const EMPTY_ROOMS_WHEN_IDLE: usize = 4;

pub(crate) struct Housekeeper {
    chores: Arc<Chores>,
    thread: Option<JoinHandle<()>>,
}

struct Chores {
    /// Those whose guests have to yield now and then.
    engines: [Engine; 2],
    /// What rooms are cleaned to; none where they are not used again.
    image: Option<Arc<Image>>,
    /// The last one left is the first one taken: its memory is still in the processor's caches.
    empty: Mutex<VecDeque<IdleInstance>>,
    graveyard: Mutex<Vec<PooledInstance>>,
    /// Held while rooms are cleaned or dropped: whoever has it knows that every room without a guest is in one of the two.
    upkeep: Mutex<()>,
    ticks: AtomicU64,
    /// Set by everybody who needs ticks, cleared by the thread.
    has_work: AtomicBool,
    is_parked: AtomicBool,
    is_over: AtomicBool,
}

struct IdleInstance {
    pooled: PooledInstance,
    is_clean: bool,
    /// The tick at which it was left.
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
    /// With an image, rooms are used again.
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

    /// Sees to it that epochs pass for some time from now on. Whoever runs a guest calls it at every poll: a guest that
    /// runs yields at the next epoch, and is polled again.
    pub(crate) fn tick(&self) {
        self.chores.has_work.store(true, Ordering::SeqCst);
        if self.chores.is_parked.load(Ordering::SeqCst) {
            self.unpark();
        }
    }

    /// A clean room, where one stands empty.
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

    /// Takes a room whose guest is gone, to be used again. It is cleaned by whoever uses it next, or within a few ticks.
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

    /// Takes a room that cannot be used again; it is gone within a few ticks.
    pub(crate) fn bury(&self, pooled: PooledInstance) {
        lock(&self.chores.graveyard).push(pooled);
        self.tick();
    }

    /// Gives back the slots of all rooms that no guest is in.
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
            // It only fails if the thread panicked, and then there is nothing left to wait for.
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
                // Whoever set it before the line above did not see that this thread was about to park.
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

    /// Cleans what nobody has used since the last tick, and says whether that is done. What is in use is left alone:
    /// whoever uses it cleans it faster.
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

    /// The one that was left the longest ago. The clean ones stand in front: what is used comes from the back.
    fn dirty_instance(&self, now: u64) -> Option<PooledInstance> {
        let mut empty = self.empty();
        let place = empty.iter().position(|one| !one.is_clean)?;
        (empty[place].since < now).then(|| empty.remove(place)).flatten().map(|one| one.pooled)
    }

    /// Takes down the rooms that have stood empty the longest, down to so many.
    fn shrink(&self, count: usize) {
        let mut empty = self.empty();
        let excess = empty.len().saturating_sub(count);
        lock(&self.graveyard).extend(empty.drain(..excess).map(|one| one.pooled));
    }

    /// Whether all that had to go is gone.
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
