//! Limits the CPU time of guest work.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use crate::housekeeper::Housekeeper;
use crate::kernel::thread_time;
use crate::pages::Watch;

/// A future that is stopped when it has used too much CPU time. Keeps the epoch advancing while it is polled.
pub(crate) struct Metered<'a, F> {
    pub(crate) call: F,
    pub(crate) housekeeper: &'a Housekeeper,
    /// Present if the instance of the guest is reused.
    pub(crate) watch: Option<&'a mut Watch>,
    pub(crate) used: &'a mut Duration,
    pub(crate) limit: Duration,
}

impl<F: Future> Future for Metered<'_, F> {
    /// `None` when the time is used up.
    type Output = Option<F::Output>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // SAFETY: `call` is pinned whenever `self` is: it is never moved out, and `Metered` does not implement `Drop`.
        let (call, housekeeper, watch, used, limit) = unsafe {
            let this = self.get_unchecked_mut();
            (Pin::new_unchecked(&mut this.call), this.housekeeper, &mut this.watch, &mut *this.used, this.limit)
        };
        housekeeper.tick();
        if let Some(watch) = watch {
            watch.enter();
        }
        let stopwatch = Stopwatch::start();
        let polled = call.poll(context);
        *used += stopwatch.stop();
        match polled {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if *used > limit => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// Measures an upper bound of the CPU time of this thread. Waiting for other processes does not count against a
/// program.
///
/// Asking the kernel for CPU time takes as long as a short step of a program. So the kernel is asked at most once per
/// [`LEAP`]: work that takes less wall time is counted by wall time, and longer work began at most one leap after the
/// last reading.
struct Stopwatch {
    began: Instant,
}

/// The maximum error of one measurement.
const LEAP: Duration = Duration::from_millis(1);

/// The last reading of the kernel's counter on this thread, and its time.
#[derive(Clone, Copy)]
struct Reading {
    at: Instant,
    processor_time: Duration,
}

thread_local! {
    static LAST: Cell<Option<Reading>> = const { Cell::new(None) };
}

#[expect(clippy::disallowed_methods, reason = "no execution sees this time: it bounds what one may use")]
impl Stopwatch {
    fn start() -> Self {
        let began = Instant::now();
        if LAST.get().is_none_or(|last| began.saturating_duration_since(last.at) > LEAP) {
            LAST.set(Some(Reading { at: began, processor_time: thread_time() }));
        }
        Self { began }
    }

    fn stop(self) -> Duration {
        let now = Instant::now();
        let wall = now.saturating_duration_since(self.began);
        if wall < LEAP {
            return wall;
        }
        let processor_time = thread_time();
        let last = LAST.replace(Some(Reading { at: now, processor_time }));
        last.map_or(wall, |last| processor_time.saturating_sub(last.processor_time).min(wall))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses CPU time and returns the amount that the kernel reports.
    fn compute(time: Duration) -> Duration {
        let before = thread_time();
        while thread_time() - before < time {}
        thread_time() - before
    }

    #[test]
    fn processor_time_is_measured_from_above_and_by_less_than_a_leap() {
        for time in [0, 20, 300, 1_500, 4_000].map(Duration::from_micros) {
            // Earlier work of the thread must not count.
            compute(time);
            let stopwatch = Stopwatch::start();
            let used = compute(time);
            let measured = stopwatch.stop();
            assert!(measured >= used, "{measured:?} is less than {used:?}");
        }
    }

    #[cfg(all(target_os = "linux", not(feature = "portable")))]
    #[test]
    fn waiting_does_not_count() {
        let stopwatch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(50));
        let measured = stopwatch.stop();
        assert!(measured < Duration::from_millis(40), "{measured:?}");
    }
}
