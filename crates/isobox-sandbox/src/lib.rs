//! Runs programs in a sandbox: QuickJS-ng compiled to WebAssembly, in wasmtime.
//!
//! The guest image in `guest/` is compiled to machine code when this crate is built, so that the released program
//! contains no compiler. Every execution gets its own instance from a pool. The memory of the instance is the image,
//! copied on write. A bug in the JavaScript engine stays inside that memory: the only way out is through the
//! functions in `guest.rs`, and each of them distrusts its arguments. The parser that reads a program first runs in the
//! same kind of sandbox (`preparer.rs`).
//!
//! This crate makes no decisions. `isobox-core`, on the other side of [`isobox_core::Driver`], decides which tools
//! exist, what a call may do and what an error means.

#![expect(unsafe_code, reason = "the only crate with unsafe code; each block says why it is sound")]

mod abi;
#[cfg(test)]
mod border_tests;
mod codegen;
// Also built in tests, so that the code for the fuzzer is known to compile.
#[cfg(any(fuzzing, test))]
pub mod fuzzing;
mod guest;
mod housekeeper;
mod instance;
mod kept;
#[cfg(test)]
mod kept_tests;
mod kernel;
mod memo;
mod metered;
mod options;
mod pages;
mod pool;
mod pooled_instance;
mod preparer;
mod sandbox;
#[cfg(test)]
mod session_tests;
mod snapshot;
#[cfg(test)]
mod snapshot_tests;
mod stack;
#[cfg(test)]
mod tests;

pub use isobox_intl::{check_locale, check_zone};
pub use options::{Cleaning, SandboxOptions};
pub use preparer::PreparationCost;
pub use sandbox::Sandbox;
pub use snapshot::IMAGE_HASH;
