//! The one thread of a sandbox: it lets time pass for guests, and buries dead instances off everybody's way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use wasmtime::{Engine, Store};

use crate::guest::Guest;

/// How often a running guest yields to the executor, and with it how late a time-out may be noticed.
const TICK: Duration = Duration::from_millis(1);
/// So many ticks without work, and the thread sleeps until there is some.
const IDLE_TICKS: u32 = 100;

pub(crate) struct Housekeeper {
    chores: Arc<Chores>,
    thread: Option<JoinHandle<()>>,
}

struct Chores {
    engine: Engine,
    graveyard: Mutex<Vec<Store<Guest>>>,
    /// Held while instances are dropped: whoever has it knows that all that were taken from the graveyard are gone.
    burial: Mutex<()>,
    /// Set by everybody who needs ticks, cleared by the thread.
    has_work: AtomicBool,
    is_parked: AtomicBool,
    is_over: AtomicBool,
}

impl Housekeeper {
    pub(crate) fn start(engine: Engine) -> std::io::Result<Self> {
        let chores = Arc::new(Chores {
            engine,
            graveyard: Mutex::new(Vec::new()),
            burial: Mutex::new(()),
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

    /// Takes an instance that nobody needs any more; it is gone within a few ticks.
    pub(crate) fn bury(&self, store: Store<Guest>) {
        self.chores.graves().push(store);
        self.tick();
    }

    /// Gives back the slots of all dead instances now.
    pub(crate) fn bury_all_now(&self) {
        self.chores.clear_graves();
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
            self.engine.increment_epoch();
            self.clear_graves();
        }
        self.clear_graves();
    }

    fn clear_graves(&self) {
        let _burial = self.burial.lock().unwrap_or_else(PoisonError::into_inner);
        let dead = std::mem::take(&mut *self.graves());
        drop(dead);
    }

    fn graves(&self) -> std::sync::MutexGuard<'_, Vec<Store<Guest>>> {
        self.graveyard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
