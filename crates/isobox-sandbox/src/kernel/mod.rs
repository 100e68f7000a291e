//! The functions of the operating system that the sandbox uses beside those of `std`.
//!
//! `portable` replaces all of them, with less: instances are not reused, stacks stay resident, and CPU time is counted by wall
//! time. The feature `portable` selects it on Linux, too.

#[cfg(all(target_os = "linux", not(feature = "portable")))]
mod linux;
#[cfg(any(test, not(target_os = "linux"), feature = "portable"))]
mod portable;

#[cfg(all(target_os = "linux", not(feature = "portable")))]
pub(crate) use linux::{give_back, keep_pages_small, private_pages, thread_faults, thread_time};
#[cfg(any(not(target_os = "linux"), feature = "portable"))]
pub(crate) use portable::{give_back, keep_pages_small, private_pages, thread_faults, thread_time};

/// The size of a page.
pub(crate) const PAGE: usize = 4096;
