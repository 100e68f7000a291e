//! Simulates durable executions in a world where one seed decides which faults happen.
//!
//! Programs, the execution loop and the sandbox are real. Time, the order of tasks, the tools, the people and the store
//! are simulated, all on one thread, so that a seed reproduces a run to the byte. A model that knows neither the
//! sandbox nor the store computes the expected results ([`model`]). Further invariants are in [`verify`].

pub mod clock;
pub mod driver;
pub mod executor;
pub mod falsify;
pub mod faults;
pub mod memory;
pub mod model;
pub mod people;
pub mod phases;
pub mod process;
pub mod program;
pub mod random;
pub mod record;
pub mod rollback;
pub mod scene;
pub mod sessions;
pub mod sleep;
pub mod stopping;
pub mod store;
pub mod subject;
pub mod timeline;
pub mod trace;
pub mod verify;
pub mod versions;
pub mod world;
