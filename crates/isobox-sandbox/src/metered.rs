//! Work of a guest that is given up once it has used too much processor time.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::housekeeper::Housekeeper;
use crate::room::Watch;

/// A future that is given up once it has used too much processor time. Epochs pass while it is polled.
pub(crate) struct Metered<'a, F> {
    pub(crate) call: F,
    pub(crate) housekeeper: &'a Housekeeper,
    /// Where the room of the guest is used again.
    pub(crate) watch: Option<&'a mut Watch>,
    pub(crate) used: &'a mut Duration,
    pub(crate) limit: Duration,
}

impl<F: Future> Future for Metered<'_, F> {
    /// None when the time is used up.
    type Output = Option<F::Output>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // SAFETY: `call` is pinned whenever `self` is: it is never moved out, and `Metered` has no `Drop` of its own.
        let (call, housekeeper, watch, used, limit) = unsafe {
            let this = self.get_unchecked_mut();
            (Pin::new_unchecked(&mut this.call), this.housekeeper, &mut this.watch, &mut *this.used, this.limit)
        };
        housekeeper.tick();
        if let Some(watch) = watch {
            watch.enter();
        }
        let before = thread_time();
        let polled = call.poll(context);
        *used += thread_time().saturating_sub(before);
        match polled {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if *used > limit => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// The processor time of this thread: waiting for other processes does not count against a program.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}
