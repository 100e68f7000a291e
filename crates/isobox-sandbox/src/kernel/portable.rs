//! The kernel interface without help of the operating system.

use std::io;
use std::ops::Range;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Fails: the pages are not known. Instances are therefore not reused.
pub(crate) fn private_pages(_addresses: Range<usize>, _found: impl FnMut(usize)) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Does nothing: no page is watched.
pub(crate) fn keep_pages_small(_memory: &mut [u8]) {}

/// Returns 0: no fault is seen.
pub(crate) fn thread_faults() -> u64 {
    0
}

/// Does nothing: the memory stays resident until it is unmapped.
///
/// # Safety
///
/// Always safe. Other systems have conditions.
pub(crate) unsafe fn give_back(_range: Range<usize>) {}

/// Returns the wall time since the first call, which is at least the CPU time between two calls. A program is then also charged
/// for the time in which other threads run.
#[expect(clippy::disallowed_methods, reason = "no execution sees this time: it bounds what one may use")]
pub(crate) fn thread_time() -> Duration {
    static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    ORIGIN.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_known_of_pages_and_nothing_is_changed() {
        let mut memory = vec![7; 2 * crate::kernel::PAGE];
        let start = memory.as_ptr().addr();
        keep_pages_small(&mut memory);
        // SAFETY: it does nothing.
        unsafe { give_back(start..start + memory.len()) };
        assert!(memory.iter().all(|byte| *byte == 7));
        let error = private_pages(start..start + memory.len(), |page| panic!("it finds {page}")).unwrap_err();
        assert_eq!((error.kind(), thread_faults()), (io::ErrorKind::Unsupported, 0));
    }

    #[test]
    fn the_time_of_a_thread_is_at_least_what_passes() {
        let before = thread_time();
        std::thread::sleep(Duration::from_millis(2));
        assert!(thread_time() - before >= Duration::from_millis(2));
    }
}
