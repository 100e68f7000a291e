//! Progress reports of calls.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::stream::{self, StreamExt};
use isobox::events::{Content, Contents, Event, EventKind, Observer};
use isobox::policy::{Action, Policy, Rule};
use isobox::tools::Progress;
use isobox::{Builder, CancellationToken, Isobox, Run, Tool, json};

/// Records the progress and the ends of calls.
#[derive(Clone, Default)]
struct Diary(Arc<Mutex<Vec<Told>>>);

/// The number of a call, and its report. None if the call has ended.
type Told = (u32, Option<Content>);

impl Observer for Diary {
    fn observe(&self, event: &Event) {
        let mut told = self.0.lock().expect("no thread panicked");
        match &event.kind {
            EventKind::CallProgressed { seq, progress, .. } => told.push((seq.number(), Some(progress.clone()))),
            EventKind::CallSettled { seq, .. } => told.push((seq.number(), None)),
            _ => {}
        }
    }
}

impl Diary {
    fn told(&self) -> Vec<Told> {
        self.0.lock().expect("no thread panicked").clone()
    }
}

fn builder(tool: Tool) -> Builder {
    Isobox::builder().max_live(NonZeroU32::MIN).tool(tool)
}

fn secretive() -> Tool {
    let outputs = || [json!({ "key": "hunter2", "step": 1 }), json!("last")];
    Tool::streaming("stream", move |_| stream::iter(outputs().map(Ok))).expect("a path")
}

#[tokio::test]
async fn progress_is_told_as_sizes_unless_contents_are_asked_for_and_never_what_is_redacted() {
    let redact = || Rule::new(vec!["*".parse().expect("a pattern")], Action::Redact(vec!["/key".to_owned()]));
    let shown = json!({ "key": "[redacted]", "step": 1 });
    for (contents, value) in
        [(Contents::Sizes, None), (Contents::Progress, Some(shown.clone())), (Contents::Values, Some(shown))]
    {
        let diary = Diary::default();
        let builder = builder(secretive()).policy(Policy::new(vec![redact()])).contents(contents);
        let isobox = builder.observer(diary.clone()).build().expect("the runtime starts");
        assert_eq!(isobox.run("return tools.stream()").await.into_result().expect("it completes"), json!("last"));
        assert_eq!(diary.told(), [(0, Some(Content { bytes: Some(26), value })), (0, None)]);
    }
}

#[tokio::test]
async fn a_tool_of_any_kind_may_tell_and_after_its_end_nobody_listens() {
    let kept: Arc<Mutex<Option<Progress>>> = Arc::default();
    let keep = Arc::clone(&kept);
    let tool = Tool::with_call("tell", move |call| {
        *keep.lock().expect("no thread panicked") = Some(call.progress.clone());
        async move {
            // From another task, while the execution waits.
            let progress = call.progress.clone();
            tokio::spawn(async move { progress.report(json!("from afar")) });
            tokio::time::sleep(Duration::from_millis(100)).await;
            Ok(json!(call.progress.is_wanted()))
        }
    });
    let diary = Diary::default();
    let isobox = builder(tool.expect("a path")).observer(diary.clone()).contents(Contents::Values).build();
    let isobox = isobox.expect("the runtime starts");
    assert_eq!(isobox.run("return tools.tell()").await.into_result().expect("it completes"), json!(true));
    let progress = kept.lock().expect("no thread panicked").take().expect("it was called");
    assert!(!progress.is_wanted());
    progress.report(json!("too late"));
    assert_eq!(diary.told(), [(0, Some(Content { bytes: Some(11), value: Some(json!("from afar")) })), (0, None)]);
}

#[tokio::test]
async fn without_an_observer_nobody_wants_progress() {
    let tool = Tool::with_call("tell", |call| async move { Ok(json!(call.progress.is_wanted())) }).expect("a path");
    let isobox = builder(tool).build().expect("the runtime starts");
    assert_eq!(isobox.run("return tools.tell()").await.into_result().expect("it completes"), json!(false));
}

#[tokio::test]
async fn the_stream_is_dropped_when_the_caller_gives_up() {
    struct Guard(Arc<AtomicBool>);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let token = CancellationToken::new();
    let is_dropped = Arc::new(AtomicBool::new(false));
    let (cancel, flag) = (token.clone(), Arc::clone(&is_dropped));
    let tool = Tool::streaming("stream", move |_| {
        let (cancel, guard) = (cancel.clone(), Guard(Arc::clone(&flag)));
        stream::iter([Ok(json!(1))]).chain(stream::once(async move {
            let _guard = guard;
            cancel.cancel();
            std::future::pending().await
        }))
    });
    let isobox = builder(tool.expect("a path")).build().expect("the runtime starts");
    let outcome = isobox.run(Run::from("await tools.stream()").cancelled_by(token)).await;
    assert_eq!(outcome.into_result().expect_err("it was cancelled").code, isobox::Code::Aborted);
    assert!(is_dropped.load(Ordering::SeqCst));
}

#[tokio::test]
async fn a_stream_that_never_waits_and_never_ends_is_stopped_by_the_time_out_and_told_of_within_bounds() {
    let tool = Tool::streaming("stream", |_| stream::repeat_with(|| Ok(json!(1)))).expect("a path");
    let diary = Diary::default();
    let isobox = builder(tool).observer(diary.clone()).build().expect("the runtime starts");
    let limits = isobox::LoweredLimits::default().timeout(Duration::from_secs(2));
    let outcome = isobox.run(Run::from("await tools.stream()").limits(limits)).await;
    assert_eq!(outcome.into_result().expect_err("it never ends").code, isobox::Code::Timeout);
    assert_eq!(diary.told().len(), Progress::MAX_REPORTS as usize);
}
