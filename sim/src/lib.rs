//! Durable executions in a simulated world, where everything that can go wrong does, and one seed decides what.
//!
//! Programs, the execution loop and the sandbox are the real ones. Time, the order in which tasks run, the tools, the people
//! and the store are simulated: all of it on one thread, so that a seed is a whole story that can be told again to the
//! byte. A model that knows neither the sandbox nor the store says what has to come out ([`model`]), and what must
//! hold besides is in [`verify`].

pub mod clock;
pub mod driver;
pub mod executor;
pub mod faults;
pub mod memory;
pub mod model;
pub mod people;
pub mod process;
pub mod program;
pub mod random;
pub mod record;
pub mod scene;
pub mod store;
pub mod subject;
pub mod timeline;
pub mod trace;
pub mod verify;
pub mod versions;
pub mod world;
