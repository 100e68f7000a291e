//! Waits for a future beside another task. Below: what happens to an execution while its program waits.

pub(super) mod listening;
pub(super) mod location;
pub(super) mod lookout;
pub(crate) mod sleeping;

use std::task::Poll;
use std::time::Duration;

use crate::Clock;

/// Returns the result of the future. Calls `also` if the future is not ready at once.
pub(crate) async fn meanwhile<F: Future>(mut also: impl FnMut(), future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(|context| {
        let polled = future.as_mut().poll(context);
        if polled.is_pending() {
            also();
        }
        polled
    })
    .await
}

/// Returns the result of the future, unless `moment` comes first.
///
/// The clock is read at every poll: a guest that spins yields often, and could otherwise delay its own time-out by
/// keeping the executor from its timers.
pub(crate) async fn until<F: Future>(clock: &dyn Clock, moment: Duration, future: F) -> Option<F::Output> {
    let mut future = std::pin::pin!(future);
    let mut sleep = None;
    std::future::poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        if clock.elapsed() >= moment {
            return Poll::Ready(None);
        }
        let sleep = sleep.get_or_insert_with(|| clock.sleep_until(moment));
        sleep.as_mut().poll(context).map(|()| None)
    })
    .await
}
