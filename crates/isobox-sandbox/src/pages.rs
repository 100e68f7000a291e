//! Finds the pages of a guest's memory that differ from the image, so that only they have to be restored.

use std::io;
use std::ops::Range;
use std::thread::{self, ThreadId};

pub(crate) use crate::kernel::PAGE;
use crate::kernel::{private_pages, thread_faults};

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
        let mut own = Self::default();
        private_pages(addresses, |page| own.add(page))?;
        Ok(own)
    }

    fn add(&mut self, page: usize) {
        let (start, end) = (page * PAGE, (page + 1) * PAGE);
        match self.0.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => self.0.push(start..end),
        }
    }

    /// Returns the numbers of the pages, in order.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.0.iter().flat_map(|range| range.start / PAGE..range.end / PAGE)
    }

    /// Returns those pages of the memory that differ from the image, with their content, in order. These must be all of its
    /// private pages.
    pub(crate) fn changed<'m>(&self, memory: &'m [u8], image: &[u8]) -> Vec<(usize, &'m [u8; PAGE])> {
        let contents = memory.as_chunks().0;
        let numbered = self.numbers().map(|page| (page, &contents[page]));
        numbered.filter(|(page, content)| *content != base_of(image, *page)).collect()
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

/// Returns the pages of a memory that differ from the image, with their content, in order. Pages beyond the image differ from zeros.
pub(crate) fn changed_pages<'m>(memory: &'m [u8], image: &[u8]) -> impl Iterator<Item = (usize, &'m [u8; PAGE])> {
    memory.as_chunks().0.iter().enumerate().filter(|(page, content)| *content != base_of(image, *page))
}

/// Returns the initial content of a page: that of the image, or zeros if memory has grown.
pub(crate) fn base_of(image: &[u8], page: usize) -> &[u8; PAGE] {
    image.as_chunks().0.get(page).unwrap_or(&[0; PAGE])
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

    /// Notes whether the guest runs on another thread. Must be called before the memory may be written.
    pub(crate) fn pass(&mut self) {
        self.has_left |= self.thread != thread::current().id();
    }

    /// Tells whether there was certainly no fault.
    pub(crate) fn has_seen_none(&self) -> bool {
        !self.has_left && self.thread == thread::current().id() && self.faults == thread_faults()
    }
}

/// The completeness of the known private pages of a memory.
#[derive(Debug, Default)]
pub(crate) enum Watch {
    /// Unknown: the kernel has to be asked.
    #[default]
    Off,
    /// Complete when the watch began, and as long as it has seen no fault.
    On(FaultWatch),
    /// Complete.
    Complete,
}

impl Watch {
    /// Notes a run of the guest, possibly on another thread than before. Must be called before the guest runs.
    pub(crate) fn enter(&mut self) {
        if let Self::On(watch) = self {
            watch.pass();
        }
    }

    /// Ends the watch. Must be called after the guest has run for the last time, on the thread that it ran on.
    pub(crate) fn leave(&mut self) {
        if let Self::On(watch) = self {
            *self = if watch.has_seen_none() { Self::Complete } else { Self::Off };
        }
    }
}

/// The private pages of a memory that is restored between two uses.
#[derive(Debug, Default)]
pub(crate) struct ReusedMemory {
    own_pages: OwnPages,
    pub(crate) watch: Watch,
}

impl ReusedMemory {
    /// Starts the watch. Must be called before a restored memory is used again.
    pub(crate) fn start(&mut self) {
        if matches!(self.watch, Watch::Complete) {
            self.watch = Watch::On(FaultWatch::start());
        }
    }

    /// Restores the memory to the image, which has the same size. Returns false if more than `limit` bytes are private: giving
    /// them back to the kernel takes less time.
    pub(crate) fn restore(&mut self, memory: &mut [u8], image: &[u8], limit: usize) -> bool {
        if !matches!(self.watch, Watch::Complete) {
            match OwnPages::of(memory) {
                Ok(pages) if pages.bytes() <= limit => self.own_pages = pages,
                Ok(_) | Err(_) => return false,
            }
        }
        self.own_pages.restore(memory, image);
        self.watch = Watch::Complete;
        true
    }
}
