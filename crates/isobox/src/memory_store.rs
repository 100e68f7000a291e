//! A store in memory.

use std::sync::Arc;

use isobox_core::journal::StoreKey;
use isobox_core::store::{MemoryStore, Store};

use crate::real_clock::RealClock;

/// Creates a store in the memory of this process: executions can wait for people in it, but not survive a crash.
pub fn memory_store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new(StoreKey::of_this_process(), Arc::new(RealClock::new())))
}
