//! Threads that look for something for a moment, in place of being woken: waking a thread takes longer than a short program.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Looks for something, for this long.
#[expect(clippy::disallowed_methods, reason = "the moment is shorter than any clock of a program tells")]
pub(crate) fn look_for<T>(time: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    /// The number of looks before the clock is read.
    const LOOKS: u32 = 16;
    let end = Instant::now() + time;
    loop {
        for _ in 0..LOOKS {
            if let Some(found) = look() {
                return Some(found);
            }
            std::hint::spin_loop();
        }
        if Instant::now() >= end {
            return None;
        }
    }
}

/// Decides whether looking is worth it: the number of looks that found something, less those that did not.
pub(crate) struct Credit {
    credit: AtomicU32,
    asked: AtomicU32,
}

impl Default for Credit {
    fn default() -> Self {
        Self { credit: AtomicU32::new(Self::MAX), asked: AtomicU32::new(0) }
    }
}

impl Credit {
    const MAX: u32 = 8;
    /// Without credit, only every so many looks are tried.
    const TRY_EVERY: u32 = 32;

    /// Tells whether to look.
    pub(crate) fn suffices(&self) -> bool {
        self.credit.load(Ordering::Relaxed) > 0
            || self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(Self::TRY_EVERY)
    }

    /// Counts a look.
    pub(crate) fn count(&self, has_found: bool) {
        let change =
            |credit: u32| if has_found { (credit < Self::MAX).then_some(credit + 1) } else { credit.checked_sub(1) };
        // The credit may be full or empty.
        let _ = self.credit.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
    }
}
