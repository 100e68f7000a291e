//! Progress reports of calls. They go to the host, never to the program.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Poll, Waker};

use futures_util::stream::{Stream, StreamExt};
use futures_util::task::AtomicWaker;
use serde_json::Value;

use crate::json::{dismantle, is_within_depth};
use crate::{CallSeq, Content, Contents, ToolError};

/// Reports the progress of a call. Clones report about the same call.
///
/// Reporting neither blocks nor fails. The observer of a runtime receives at most [`Progress::MAX_REPORTS`] reports of
/// one call, and only the size of a report with more than [`Progress::MAX_BYTES`]. If reports come faster than they are
/// received, the oldest are dropped. After the end of the call nothing is reported.
#[derive(Clone, Default)]
pub struct Progress(Option<Weak<ProgressSink>>);

/// Receives reports.
pub type ProgressSink = dyn Fn(Value) + Send + Sync;

impl Progress {
    /// The maximum number of reports of one call.
    pub const MAX_REPORTS: u32 = 1_000;
    /// The maximum size of a report, in bytes of JSON. Of larger ones only the size is reported.
    pub const MAX_BYTES: usize = 16 << 10;

    /// Creates a progress that reports to `sink` for as long as it exists. The default reports nothing.
    pub fn to(sink: &Arc<ProgressSink>) -> Self {
        Self(Some(Arc::downgrade(sink)))
    }

    /// Tells whether reports are received.
    pub fn is_wanted(&self) -> bool {
        self.0.as_ref().is_some_and(|sink| sink.strong_count() > 0)
    }

    /// Reports progress, as any value that the host understands.
    pub fn report(&self, progress: Value) {
        if let Some(sink) = self.0.as_ref().and_then(Weak::upgrade) {
            sink(progress);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Progress").field("is_wanted", &self.is_wanted()).finish()
    }
}

/// The reports of the calls of one execution, until the execution handles them.
#[derive(Default)]
pub(crate) struct ProgressQueue {
    waiting: Mutex<VecDeque<Report>>,
    reader: AtomicWaker,
}

/// A report of a call.
pub(crate) struct Report {
    pub(crate) seq: CallSeq,
    /// Not redacted yet.
    pub(crate) content: Content,
}

impl ProgressQueue {
    /// The maximum number of queued reports. They wait while the program computes.
    const MAX_WAITING: usize = 64;

    /// Returns the sink for the reports of one call.
    pub(crate) fn sink(self: &Arc<Self>, seq: CallSeq, contents: Contents) -> Arc<ProgressSink> {
        let (queue, left) = (Arc::clone(self), AtomicU32::new(Progress::MAX_REPORTS));
        Arc::new(move |value| {
            if !is_within_depth(&value) {
                return dismantle(value);
            }
            let one_less = |left: u32| left.checked_sub(1);
            if left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_err() {
                return;
            }
            let bytes = value.to_string().len();
            let is_shown = match contents {
                Contents::Nothing | Contents::Sizes => false,
                Contents::Progress | Contents::Values => bytes <= Progress::MAX_BYTES,
            };
            queue.leave(Report {
                seq,
                content: Content {
                    bytes: (contents != Contents::Nothing).then_some(bytes),
                    value: is_shown.then_some(value),
                },
            });
        })
    }

    fn leave(&self, report: Report) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() == Self::MAX_WAITING {
            waiting.pop_front();
        }
        waiting.push_back(report);
        drop(waiting);
        self.reader.wake();
    }

    /// Takes the queued reports. Wakes `waker` when there are more.
    pub(crate) fn take(&self, waker: &Waker) -> VecDeque<Report> {
        self.reader.register(waker);
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the last value of a stream, and reports earlier ones as progress.
///
/// A value that is not followed at once is reported before it is known whether it is the last.
pub(crate) async fn last_of(
    stream: impl Stream<Item = Result<Value, ToolError>>,
    progress: Progress,
) -> Result<Value, ToolError> {
    let mut stream = std::pin::pin!(stream);
    let mut last = None;
    let mut untold = None;
    loop {
        let next = match futures_util::poll!(stream.next()) {
            Poll::Ready(next) => next,
            Poll::Pending => {
                if let Some(value) = untold.take() {
                    progress.report(value);
                }
                stream.next().await
            }
        };
        let Some(value) = next.transpose()? else { break };
        if let Some(value) = untold.take() {
            progress.report(value);
        }
        untold = progress.is_wanted().then(|| value.clone());
        last = Some(value);
        give_way().await;
    }
    last.ok_or_else(|| ToolError::new("the tool returned no output: its stream was empty"))
}

/// Yields: a stream that is always ready would keep the execution from its time-out.
async fn give_way() {
    let mut has_waited = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut has_waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use serde_json::json;

    fn told(queue: &Arc<ProgressQueue>) -> Vec<(u32, usize, Option<Value>)> {
        let reports = queue.take(futures_util::task::noop_waker_ref());
        reports
            .into_iter()
            .map(|report| (report.seq.number(), report.content.bytes.unwrap_or_default(), report.content.value))
            .collect()
    }

    #[test]
    fn what_is_told_is_bounded_in_size_in_depth_and_in_number() {
        let queue = Arc::new(ProgressQueue::default());
        let sink = queue.sink(CallSeq::new(3), Contents::Progress);
        let progress = Progress::to(&sink);
        progress.report(json!("x".repeat(Progress::MAX_BYTES - 2)));
        progress.report(json!("x".repeat(Progress::MAX_BYTES - 1)));
        let mut deep = json!(1);
        for _ in 0..500_000 {
            deep = Value::Array(vec![deep]);
        }
        progress.report(deep);
        let sizes: Vec<(usize, bool)> =
            told(&queue).iter().map(|(_, bytes, value)| (*bytes, value.is_some())).collect();
        assert_eq!(sizes, [(Progress::MAX_BYTES, true), (Progress::MAX_BYTES + 1, false)]);
        let mut count = 2;
        for number in 0..2 * Progress::MAX_REPORTS {
            progress.report(json!(number));
            count += told(&queue).len();
        }
        assert_eq!(count, Progress::MAX_REPORTS as usize);
    }

    #[test]
    fn of_reports_that_nobody_takes_the_last_ones_wait() {
        let queue = Arc::new(ProgressQueue::default());
        let (one, other) =
            (queue.sink(CallSeq::new(1), Contents::Values), queue.sink(CallSeq::new(2), Contents::Sizes));
        (0..100).for_each(|number| Progress::to(&one).report(json!(number)));
        Progress::to(&other).report(json!("size"));
        let told = told(&queue);
        assert_eq!(told.len(), ProgressQueue::MAX_WAITING);
        assert_eq!(told[ProgressQueue::MAX_WAITING - 2..], [(1, 2, Some(json!(99))), (2, 6, None)]);
    }

    #[test]
    fn nothing_is_told_of_a_call_that_is_over() {
        let queue = Arc::new(ProgressQueue::default());
        let sink = queue.sink(CallSeq::new(1), Contents::Values);
        let progress = Progress::to(&sink);
        assert!(progress.is_wanted() && !Progress::default().is_wanted());
        drop(sink);
        progress.report(json!(1));
        assert!(!progress.is_wanted() && told(&queue).is_empty());
    }

    #[test]
    fn a_stream_that_never_waits_gives_way() {
        let endless = futures_util::stream::repeat_with(|| Ok(json!(1)));
        assert_eq!(last_of(endless, Progress::default()).now_or_never().map(|end| end.is_ok()), None);
    }
}
