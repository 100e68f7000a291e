//! The kernel interface on Linux.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::io::Errno;
use rustix::mm::{Advice, madvise};
use rustix::time::{ClockId, clock_gettime};

use super::PAGE;

/// Finds the private pages between two addresses, in order, numbered from the first. May include pages of zeros that were read
/// and never written.
pub(crate) fn private_pages(addresses: Range<usize>, mut found: impl FnMut(usize)) -> io::Result<()> {
    const SWAPPED: u64 = 1 << 62;
    const PRESENT: u64 = 1 << 63;
    const OF_A_FILE: u64 = 1 << 61;
    let first = addresses.start / PAGE;
    let mut entries = vec![0; addresses.len() / PAGE * size_of::<u64>()];
    // Opened anew every time, because the file belongs to the process that opened it, and a fork would read the wrong one.
    File::open("/proc/self/pagemap")?.read_exact_at(&mut entries, (first * size_of::<u64>()) as u64)?;
    for (page, entry) in entries.as_chunks().0.iter().enumerate() {
        let entry = u64::from_ne_bytes(*entry);
        if entry & (PRESENT | SWAPPED) != 0 && entry & OF_A_FILE == 0 {
            found(page);
        }
    }
    Ok(())
}

/// Keeps the kernel from merging pages into a huge page, which would make them private without a fault.
pub(crate) fn keep_pages_small(memory: &mut [u8]) {
    // SAFETY: the range is that of the slice, and the advice does not change its content.
    let advised = unsafe { madvise(memory.as_mut_ptr().cast(), memory.len(), Advice::LinuxNoHugepage) };
    // A kernel that does not know the advice has no huge pages.
    debug_assert!(matches!(advised, Ok(()) | Err(Errno::INVAL)), "the range is mapped: {advised:?}");
}

/// Returns the number of page faults of this thread so far.
pub(crate) fn thread_faults() -> u64 {
    // SAFETY: all fields are numbers, for which zero is a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a value of the right type that lives until the call returns.
    let status = unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) };
    assert_eq!(status, 0, "a thread can always ask for its own usage");
    usage.ru_minflt.cast_unsigned().wrapping_add(usage.ru_majflt.cast_unsigned())
}

/// Returns memory to the kernel. The pages read as zeros afterwards.
///
/// # Safety
///
/// The range has whole pages of private memory that is mapped, and its content is no longer needed.
pub(crate) unsafe fn give_back(range: Range<usize>) {
    let start = std::ptr::with_exposed_provenance_mut(range.start);
    // SAFETY: the caller guarantees it.
    let advised = unsafe { madvise(start, range.len(), Advice::LinuxDontNeed) };
    debug_assert!(advised.is_ok(), "the range is mapped: {advised:?}");
}

/// Returns the CPU time that this thread has used.
pub(crate) fn thread_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
