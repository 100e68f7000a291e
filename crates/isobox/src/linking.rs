//! Links the modules of a host while its runtime is built, which is not async.

use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Duration;

use isobox_core::{Clock, Code, Failure};

use crate::real_clock::RealClock;

/// The maximum time for linking modules.
const LIMIT: Duration = Duration::from_secs(30);

/// Waits on this thread until the modules are linked. A driver that needs this thread would never finish, so the wait has an
/// end.
pub(crate) fn linked<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    blocking(work, LIMIT).unwrap_or_else(|| {
        Err(Failure::new(Code::Config, format!("the driver did not link the modules within {LIMIT:?}"))
            .hint("build the runtime on a thread that the driver does not need"))
    })
}

fn blocking<T>(work: impl Future<Output = T>, limit: Duration) -> Option<T> {
    let mut work = std::pin::pin!(work);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let clock = RealClock::new();
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(done);
        }
        let left = limit.checked_sub(clock.elapsed()).filter(|left| !left.is_zero())?;
        std::thread::park_timeout(left);
    }
}

/// Continues the thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_another_thread_is_waited_for_and_work_that_never_ends_is_given_up() {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let other = std::thread::spawn(move || sender.send(7));
        assert_eq!(blocking(receiver, LIMIT), Some(Ok(7)));
        assert_eq!(other.join().expect("it does not panic"), Ok(()));
        assert_eq!(blocking(std::future::pending::<()>(), Duration::from_millis(1)), None);
    }
}
