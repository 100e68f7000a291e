//! Stops work when the caller cancels it.

use std::pin::Pin;
use std::task::Poll;

use crate::{Code, Failure};

/// Returns the output of `work`, unless it is cancelled first. The futures are pinned by the caller: an argument of an
/// async function takes its size twice, and `work` is large.
pub(in crate::run) fn unless<'w, T>(
    mut cancelled: Pin<&'w mut (impl Future<Output = ()> + Send)>,
    mut work: Pin<&'w mut impl Future<Output = T>>,
) -> impl Future<Output = Option<T>> {
    std::future::poll_fn(move |context| {
        if cancelled.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        work.as_mut().poll(context).map(Some)
    })
}

pub(in crate::run) fn aborted() -> Failure {
    Failure::new(Code::Aborted, "the caller cancelled the execution")
}
