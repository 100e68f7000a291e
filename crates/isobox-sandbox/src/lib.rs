//! Runs programs behind a hard wall: QuickJS-ng compiled to WebAssembly, in wasmtime.
//!
//! The guest image in `guest/` is compiled to machine code when this crate is built, so that what ships contains no
//! compiler. Every execution gets an instance of its own from a pool, whose memory is the image, copied on write. A bug in
//! the JavaScript engine stays inside that memory: the only way out are the nine functions in `guest.rs`, and each of
//! them distrusts what it is given. The parser that reads a program first runs behind the same wall (`preparer.rs`).
//!
//! What this crate refuses to do: decide. Which tool exists, what a call may do and what an error means is decided by
//! `isobox-core`, on the other side of [`isobox_core::Driver`].

#![expect(unsafe_code, reason = "the one crate that may; each block says why it is sound")]

mod abi;
mod codegen;
// In tests too, so that what the fuzzer drives is known to compile.
#[cfg(any(fuzzing, test))]
pub mod fuzzing;
mod guest;
mod housekeeper;
mod instance;
mod memo;
mod metered;
mod pages;
mod pool;
mod pooled_instance;
mod preparer;
mod sandbox;
mod snapshot;
#[cfg(test)]
mod snapshot_tests;
mod stack;
#[cfg(test)]
mod tests;

pub use pool::{Cleaning, SandboxOptions};
pub use sandbox::Sandbox;
pub use snapshot::IMAGE_HASH;
