//! Finds the pages of a guest's memory that differ from the image, so that only they have to be restored.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::thread::{self, ThreadId};

use rustix::io::Errno;
use rustix::mm::{Advice, madvise};

pub(crate) const PAGE: usize = 4096;

/// The private pages of one memory. All others still belong to the image and are shared with every instance. The kernel
/// copies a page in a page fault when it is first written; from then on it is private.
#[derive(Debug, Default)]
pub(crate) struct OwnPages(Vec<Range<usize>>);

impl OwnPages {
    /// Asks the kernel. May include pages of zeros that were read and never written.
    pub(crate) fn of(memory: &[u8]) -> io::Result<Self> {
        let start = memory.as_ptr().addr();
        Self::between(start..start + memory.len())
    }

    /// Returns the private pages between two addresses, as offsets from the first.
    pub(crate) fn between(addresses: Range<usize>) -> io::Result<Self> {
        const SWAPPED: u64 = 1 << 62;
        const PRESENT: u64 = 1 << 63;
        const OF_A_FILE: u64 = 1 << 61;
        let first = addresses.start / PAGE;
        let mut entries = vec![0; addresses.len() / PAGE * size_of::<u64>()];
        // Opened anew every time, because the file belongs to the process that opened it, and a fork would read the
        // wrong one.
        File::open("/proc/self/pagemap")?.read_exact_at(&mut entries, (first * size_of::<u64>()) as u64)?;
        let mut own = Self::default();
        for (index, entry) in entries.as_chunks().0.iter().enumerate() {
            let entry = u64::from_ne_bytes(*entry);
            if entry & (PRESENT | SWAPPED) != 0 && entry & OF_A_FILE == 0 {
                own.add(index);
            }
        }
        Ok(own)
    }

    fn add(&mut self, page: usize) {
        let (start, end) = (page * PAGE, (page + 1) * PAGE);
        match self.0.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => self.0.push(start..end),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(ExactSizeIterator::len).sum()
    }

    pub(crate) fn contains(&self, address: usize) -> bool {
        self.0.iter().any(|range| range.contains(&address))
    }

    /// Restores a memory to the image. These must be all of its private pages.
    pub(crate) fn restore(&self, memory: &mut [u8], image: &[u8]) {
        for range in &self.0 {
            memory[range.clone()].copy_from_slice(&image[range.clone()]);
        }
    }
}

/// Keeps the kernel from merging pages into a huge page, which would make them private without a fault.
pub(crate) fn keep_pages_small(memory: &mut [u8]) {
    // SAFETY: the range is that of the slice, and the advice does not change its content.
    let advised = unsafe { madvise(memory.as_mut_ptr().cast(), memory.len(), Advice::LinuxNoHugepage) };
    // A kernel that does not know the advice has no huge pages.
    debug_assert!(matches!(advised, Ok(()) | Err(Errno::INVAL)), "the range is mapped: {advised:?}");
}

/// Watches one thread for page faults. Without a fault, no page has become private.
#[derive(Debug)]
pub(crate) struct FaultWatch {
    thread: ThreadId,
    faults: u64,
    /// Whether the guest ran on another thread, whose faults are not seen here.
    has_left: bool,
}

impl FaultWatch {
    /// Starts to watch the current thread.
    pub(crate) fn start() -> Self {
        Self { thread: thread::current().id(), faults: thread_faults(), has_left: false }
    }

    /// Must be called before the memory may be written.
    pub(crate) fn pass(&mut self) {
        self.has_left |= self.thread != thread::current().id();
    }

    /// Tells whether there was certainly no fault.
    pub(crate) fn has_seen_none(&self) -> bool {
        !self.has_left && self.thread == thread::current().id() && self.faults == thread_faults()
    }
}

/// Returns the number of page faults of this thread so far.
fn thread_faults() -> u64 {
    // SAFETY: all fields are numbers, for which zero is a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a value of the right type that lives until the call returns.
    let status = unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) };
    assert_eq!(status, 0, "a thread can always ask for its own usage");
    usage.ru_minflt.cast_unsigned().wrapping_add(usage.ru_majflt.cast_unsigned())
}
