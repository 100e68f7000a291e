//! The promises to a host: capacity, cancellation, determinism, and isolation of programs.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox::calls::CallState;
use isobox::driver::{Driver, Sandbox, SandboxOptions};
use isobox::events::{Event, EventKind, Observer};
use isobox::journal::Verdict;
use isobox::limits::CapacityLimits;
use isobox::store::memory_store;
use isobox::{
    Builder, CallSeq, CancellationToken, Code, Decisions, Isobox, LoweredLimits, Outcome, Principal, Program, Resume,
    Run, Tool, ToolError, Value, json,
};

fn builder(live: u32) -> Builder {
    Isobox::builder().max_live(NonZeroU32::new(live).expect("it is not zero"))
}

/// Returns a tool that never answers and counts its existing futures.
fn hang(existing: &Arc<AtomicU32>) -> Tool {
    struct Counted(Arc<AtomicU32>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }
    let existing = Arc::clone(existing);
    Tool::new("hang", move |_| {
        existing.fetch_add(1, Ordering::SeqCst);
        let counted = Counted(Arc::clone(&existing));
        async move {
            let _counted = counted;
            std::future::pending().await
        }
    })
    .expect("the path is one")
}

/// The address space for the instances of one runtime is a third of that of a process.
#[tokio::test]
async fn a_process_has_as_many_runtimes_as_it_likes() {
    let runtimes: Vec<Isobox> = (0..20).map(|_| Isobox::builder().build().expect("a runtime")).collect();
    for (number, isobox) in runtimes.iter().enumerate() {
        let outcome = isobox.run(Program::single(format!("return {number}"))).await;
        assert_eq!(outcome.into_result().expect("it completes"), json!(number));
    }
}

fn failure_code(outcome: Outcome) -> Code {
    outcome.into_result().expect_err("it failed").code
}

async fn until(mut condition: impl FnMut() -> bool) {
    for _ in 0..500 {
        if condition() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never came true");
}

#[tokio::test]
async fn a_cancelled_program_is_stopped_whatever_it_does() {
    let existing = Arc::new(AtomicU32::new(0));
    let isobox = builder(4).tool(hang(&existing)).build().expect("the runtime starts");
    for program in ["for (;;) {}", "await tools.hang()", "await new Promise((done) => setTimeout(done, 1e6))"] {
        let token = CancellationToken::new();
        let cancel = async {
            tokio::time::sleep(Duration::from_millis(30)).await;
            token.cancel();
        };
        let run = isobox.run(Run::from(program).cancelled_by(token.clone()));
        let (outcome, ()) = tokio::join!(run, cancel);
        assert_eq!(failure_code(outcome), Code::Aborted, "{program}");
        assert_eq!((existing.load(Ordering::SeqCst), isobox.capacity().usage().live), (0, 0), "{program}");
    }
}

#[tokio::test]
async fn what_was_logged_and_called_before_the_end_is_in_the_outcome() {
    let existing = Arc::new(AtomicU32::new(0));
    let isobox = builder(4).tool(hang(&existing)).build().expect("the runtime starts");
    let limits = LoweredLimits::default().timeout(Duration::from_secs(1));
    let spinning = isobox.run(Run::from("console.log('before'); for (;;) {}").limits(limits.clone())).await;
    assert_eq!(spinning.logs()[0].message, "before");
    assert_eq!(failure_code(spinning), Code::Timeout);
    let waiting = isobox.run(Run::from("await tools.hang()").limits(limits)).await;
    assert_eq!(waiting.calls()[0].state, CallState::CancelledUnknown);
    assert_eq!(failure_code(waiting), Code::Timeout);
}

#[tokio::test]
async fn dropping_the_future_frees_the_place_and_the_futures_of_its_calls() {
    let existing = Arc::new(AtomicU32::new(0));
    let isobox = builder(1).queue(0).tool(hang(&existing)).build().expect("the runtime starts");
    for program in ["await Promise.all([tools.hang(), tools.hang()])", "for (;;) {}"] {
        let run = isobox.run(program);
        assert!(tokio::time::timeout(Duration::from_millis(30), run).await.is_err(), "{program}");
        assert_eq!((existing.load(Ordering::SeqCst), isobox.capacity().usage().live), (0, 0), "{program}");
        // Without a queue, a permit that is not free at once would be BUSY.
        assert_eq!(isobox.run("return 1").await.into_result(), Ok(json!(1)), "{program}");
    }
}

#[tokio::test]
async fn a_program_that_returns_leaves_no_future_of_a_call_behind() {
    let existing = Arc::new(AtomicU32::new(0));
    let isobox = builder(1).tool(hang(&existing)).build().expect("the runtime starts");
    for (program, code) in [
        ("return await Promise.race([tools.hang(), new Promise((done) => setTimeout(done, 1))])", None),
        ("tools.hang().catch(() => {}); await new Promise((done) => setTimeout(done, 1)); throw 1", Some(Code::Thrown)),
    ] {
        let settle = LoweredLimits::default().settle(Duration::from_millis(10));
        let outcome = isobox.run(Run::from(program).limits(settle)).await;
        assert_eq!(outcome.calls()[0].state, CallState::CancelledUnknown, "{program}");
        assert_eq!(outcome.into_result().err().map(|failure| failure.code), code, "{program}");
        assert_eq!(existing.load(Ordering::SeqCst), 0, "{program}");
    }
}

#[tokio::test]
async fn dropping_the_future_of_one_that_waits_frees_its_place_in_the_queue() {
    let existing = Arc::new(AtomicU32::new(0));
    let isobox = builder(1).queue(1).tool(hang(&existing)).build().expect("the runtime starts");
    let mut first = Box::pin(isobox.run("await tools.hang()"));
    // A program may be polled several times before it is prepared.
    while existing.load(Ordering::SeqCst) == 0 {
        assert!(futures_util::poll!(first.as_mut()).is_pending());
    }
    let mut second = Box::pin(isobox.run("return 2"));
    while isobox.capacity().usage().queued == 0 {
        assert!(futures_util::poll!(second.as_mut()).is_pending());
    }
    assert_eq!(failure_code(isobox.run("return 3").await), Code::Busy);
    drop(second);
    assert_eq!(isobox.capacity().usage().queued, 0);
    let mut third = Box::pin(isobox.run("return 3"));
    while isobox.capacity().usage().queued == 0 {
        assert!(futures_util::poll!(third.as_mut()).is_pending());
    }
    drop(first);
    assert_eq!(third.await.into_result(), Ok(json!(3)));
}

#[tokio::test]
async fn past_the_capacity_executions_queue_and_past_the_queue_they_are_busy() {
    let existing = Arc::new(AtomicU32::new(0));
    let isobox = builder(1).queue(1).tool(hang(&existing)).build().expect("the runtime starts");
    let first = tokio::spawn({
        let isobox = isobox.clone();
        async move { isobox.run("await tools.hang()").await }
    });
    until(|| isobox.capacity().usage().live == 1).await;
    let token = CancellationToken::new();
    let queued = tokio::spawn({
        let (isobox, token) = (isobox.clone(), token.clone());
        async move { isobox.run(Run::from("return 2").cancelled_by(token)).await }
    });
    until(|| isobox.capacity().usage().queued == 1).await;
    assert_eq!(failure_code(isobox.run("return 3").await), Code::Busy);
    token.cancel();
    assert_eq!(failure_code(queued.await.expect("it ends")), Code::Aborted);
    assert_eq!(isobox.capacity().usage().queued, 0, "who gives up in the queue leaves it");
    let queued = tokio::spawn({
        let isobox = isobox.clone();
        async move { isobox.run("return 2").await }
    });
    until(|| isobox.capacity().usage().queued == 1).await;
    first.abort();
    assert_eq!(queued.await.expect("it ends").into_result(), Ok(json!(2)));
}

#[tokio::test]
async fn a_sandbox_that_is_full_is_busy_and_what_waits_in_a_store_is_resumed_later() {
    let existing = Arc::new(AtomicU32::new(0));
    let options = SandboxOptions::default().instances(NonZeroU32::MIN);
    let sandbox: Arc<dyn Driver> = Arc::new(Sandbox::new(options).expect("a sandbox"));
    // Each runtime has capacity of its own. The sandbox has one instance for both.
    let runtime = || {
        let send = Tool::new("send", |_| async { Ok(json!("sent")) }).expect("a tool").with_approval();
        builder(8).driver(Arc::clone(&sandbox)).store(memory_store()).tool(hang(&existing)).tool(send).build()
    };
    let (one, other) = (runtime().expect("it starts"), runtime().expect("it starts"));
    let outcome = one.run(Run::from("return tools.send()").durable()).await;
    let Outcome::Paused(paused) = outcome else { panic!("it does not pause: {outcome:?}") };
    let decisions = Decisions::about_all("ada", paused.revision, Verdict::Approve);
    one.decide(&paused.execution_id, decisions).await.expect("it waits for that");
    let mut running = Box::pin(other.run("await tools.hang()"));
    while existing.load(Ordering::SeqCst) == 0 {
        assert!(futures_util::poll!(running.as_mut()).is_pending());
    }
    assert_eq!(failure_code(one.run("return 1").await), Code::Busy);
    let refused = one.resume(&paused.execution_id, Resume::default()).await.expect_err("the sandbox is full");
    assert_eq!(refused.code, Code::Busy);
    drop(running);
    assert_eq!(one.run("return 1").await.into_result(), Ok(json!(1)));
    let resumed = one.resume(&paused.execution_id, Resume::default()).await.expect("it can be resumed");
    assert_eq!(resumed.into_outcome().expect("no other process runs it").into_result(), Ok(json!("sent")));
}

#[tokio::test]
async fn capacity_can_be_changed_and_reset_while_executions_wait() {
    let existing = Arc::new(AtomicU32::new(0));
    let isobox = builder(8).tool(hang(&existing)).build().expect("the runtime starts");
    isobox.capacity().set(CapacityLimits { live: 1, queue: 0, ..isobox.capacity().limits() });
    let first = tokio::spawn({
        let isobox = isobox.clone();
        async move { isobox.run("await tools.hang()").await }
    });
    until(|| isobox.capacity().usage().live == 1).await;
    assert_eq!(failure_code(isobox.run("return 1").await), Code::Busy);
    isobox.capacity().reset();
    assert_eq!(isobox.run("return 1").await.into_result(), Ok(json!(1)));
    first.abort();
}

#[tokio::test]
async fn memory_that_a_program_has_taken_keeps_others_out_until_it_ends() {
    let existing = Arc::new(AtomicU32::new(0));
    let isobox =
        builder(8).memory(isobox::ByteSize::mib(16)).queue(0).tool(hang(&existing)).build().expect("it starts");
    let large = tokio::spawn({
        let isobox = isobox.clone();
        async move { isobox.run("const bytes = new Uint8Array(20e6); await tools.hang(); return bytes.length").await }
    });
    until(|| existing.load(Ordering::SeqCst) == 1).await;
    assert!(isobox.capacity().usage().memory >= isobox::ByteSize::mib(19));
    assert_eq!(failure_code(isobox.run("return 1").await), Code::Busy);
    large.abort();
    until(|| isobox.capacity().usage().live == 0).await;
    assert_eq!(isobox.capacity().usage().memory, isobox::ByteSize::bytes(0));
    assert_eq!(isobox.run("return 1").await.into_result(), Ok(json!(1)));
}

#[tokio::test]
async fn after_any_kind_of_end_the_next_execution_is_unaffected() {
    let isobox = builder(1).build().expect("the runtime starts");
    for (program, code) in [
        ("const all = []; for (;;) all.push(new Uint8Array(1e6))", Code::Memory),
        ("(function f() { f(); })()", Code::Stack),
        ("globalThis.left = 1; Object.prototype.left = 2; throw 1", Code::Thrown),
        ("Object.defineProperty(globalThis, 'left', { value: 3 }); await new Promise(() => {})", Code::Deadlock),
    ] {
        assert_eq!(failure_code(isobox.run(program).await), code, "{program}");
        let next = isobox.run("return [typeof left, ({}).left === undefined, [1, 2].map((n) => n * 2)]").await;
        assert_eq!(next.into_result(), Ok(json!(["undefined", true, [2, 4]])), "{program}");
    }
}

#[tokio::test]
async fn the_same_seed_gives_the_same_numbers_and_another_one_others() {
    let isobox = builder(1).build().expect("the runtime starts");
    let program = "return [Math.random(), Math.random()]";
    let numbers = async |seed| isobox.run(Run::from(program).seed(seed)).await.into_result().expect("it completes");
    let first = numbers(7).await;
    assert_eq!(numbers(7).await, first);
    let others = [numbers(0).await, numbers(1).await, numbers(8).await, numbers(u64::MAX).await];
    assert!(others.iter().all(|other| *other != first));
    assert_ne!(others[0], others[1]);
    let unseeded = isobox.run(program).await.into_result().expect("it completes");
    assert_ne!(unseeded, isobox.run(program).await.into_result().expect("it completes"));
}

#[tokio::test]
async fn the_host_sees_the_whole_error_of_a_tool_and_the_program_does_not() {
    #[derive(Clone, Default)]
    struct Seen(Arc<Mutex<Vec<String>>>);
    impl Observer for Seen {
        fn observe(&self, event: &Event) {
            if let EventKind::CallSettled { path, result: Err(failed), .. } = &event.kind {
                let error = failed.cause.as_deref().expect("a tool failed");
                let source = std::error::Error::source(error).map(ToString::to_string);
                self.0.lock().expect("no thread panicked").push(format!("{path}: {error}: {source:?}"));
            }
        }
    }
    let seen = Seen::default();
    let secret = Tool::new("secret", |_| async { Err(ToolError::internal("password hunter2")) }).expect("it is a tool");
    let isobox = builder(1).tool(secret).observer(seen.clone()).build().expect("the runtime starts");
    let outcome = isobox.run("await tools.secret()").await;
    assert!(!serde_json::to_string(&outcome).expect("it is JSON").contains("hunter2"));
    assert_eq!(failure_code(outcome), Code::Tool);
    assert_eq!(*seen.0.lock().expect("no thread panicked"), ["secret: the tool failed: Some(\"password hunter2\")"]);
}

#[tokio::test(flavor = "current_thread")]
async fn a_program_that_computes_does_not_starve_the_executor() {
    let isobox = builder(1).build().expect("the runtime starts");
    let limits = LoweredLimits::default().timeout(Duration::from_millis(300));
    let ticks = AtomicU32::new(0);
    let ticking = async {
        loop {
            tokio::time::sleep(Duration::from_millis(1)).await;
            ticks.fetch_add(1, Ordering::SeqCst);
        }
    };
    tokio::select! {
        () = ticking => {}
        outcome = isobox.run(Run::from("for (;;) {}").limits(limits)) => assert_eq!(failure_code(outcome), Code::Timeout),
    }
    assert!(ticks.load(Ordering::SeqCst) >= 5, "{ticks:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_executions_at_once_do_not_mix() {
    let double = Tool::new("double", |input: Value| async move {
        tokio::time::sleep(Duration::from_millis(2)).await;
        Ok(json!(input["n"].as_i64().unwrap_or_default() * 2))
    });
    let isobox = builder(200).tool(double.expect("it is a tool")).build().expect("the runtime starts");
    let runs: Vec<_> = (0..500)
        .map(|n| {
            let isobox = isobox.clone();
            tokio::spawn(async move {
                let program =
                    format!("let n = {n}; for (let i = 0; i < 3; i++) n = await tools.double({{ n }}); return n");
                (n, isobox.run(program).await.into_result())
            })
        })
        .collect();
    for run in runs {
        let (n, result) = run.await.expect("it does not panic");
        assert_eq!(result, Ok(json!(n * 8)));
    }
    assert_eq!(isobox.capacity().usage().live, 0);
}

#[tokio::test]
async fn limits_of_one_execution_cannot_exceed_those_of_the_runtime() {
    let isobox = builder(1).build().expect("the runtime starts");
    let limits = LoweredLimits::default().calls(100_000);
    assert_eq!(failure_code(isobox.run(Run::from("return 1").limits(limits)).await), Code::Config);
}

#[test]
fn a_runtime_that_cannot_be_is_refused_with_a_reason() {
    let twice = || Tool::new("a.b", |_| async { Ok(json!(1)) }).expect("it is a tool");
    let refused = |builder: Builder| builder.build().err().map(|failure| failure.code);
    assert_eq!(refused(builder(1).tools([twice(), twice()])), Some(Code::Config));
    let no_stack = isobox::Limits::default().stack(isobox::ByteSize::bytes(0));
    assert_eq!(refused(builder(1).limits(no_stack)), Some(Code::Config));
    let no_memory = isobox::Limits::default().memory(isobox::ByteSize::kib(1));
    assert_eq!(refused(builder(1).limits(no_memory)), Some(Code::Config));
    for path in ["", ".", "a..b", "1a", "a-b", "then", "a.toJSON", "a b", "ä"] {
        let tool = Tool::new(path, |_| async { Ok(json!(1)) });
        assert_eq!(tool.err().map(|failure| failure.code), Some(Code::Config), "{path}");
    }
    let tool = twice().input_schema(json!({ "type": "nonsense" }));
    assert_eq!(tool.err().map(|failure| failure.code), Some(Code::Config));
}

#[test]
fn a_program_whose_files_cannot_be_is_refused_with_a_reason() {
    let refused = |paths: &[&str], entry: &str| {
        let files = paths.iter().map(|path| ((*path).to_owned(), "return 1".to_owned())).collect();
        let failure = isobox::Failure::from(Program::new(files, entry).err()?);
        assert_eq!(failure.code, Code::Config);
        Some(failure.message)
    };
    assert_eq!(refused(&["main.ts", "lib/ä b.ts"], "main.ts"), None);
    let missing = refused(&["main.ts"], "other.ts");
    assert_eq!(missing.as_deref(), Some("the entry \"other.ts\" is not among the program's files"));
    let long = "a".repeat(201);
    for (path, fault) in [
        ("", "is empty"),
        (long.as_str(), "is longer than 200 bytes"),
        ("/etc/passwd", "is absolute"),
        ("a\\b.ts", "holds a backslash"),
        ("a\nb.ts", "holds a control character"),
        ("../a.ts", "holds `..`"),
        ("a/../b.ts", "holds `..`"),
        ("a//b.ts", "holds an empty part or `.`"),
        ("./a.ts", "holds an empty part or `.`"),
    ] {
        assert_eq!(refused(&[path], path), Some(format!("the file path {path:?} {fault}")));
    }
    assert_eq!(refused(&["a".repeat(200).as_str()], &"a".repeat(200)), None);
    let many: Vec<String> = (0..257).map(|number| format!("{number}.ts")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(refused(&many[..256], "0.ts"), None);
    assert_eq!(refused(&many, "0.ts").as_deref(), Some("a program has at most 256 files, this one has 257"));
}

#[tokio::test]
async fn a_tool_knows_which_call_it_gets_and_for_whom() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    let tool = Tool::with_call("ask", move |call| {
        kept.lock().expect("no thread panicked").push(call.context.clone());
        async move { Ok(json!(call.context.key())) }
    });
    let isobox = Isobox::builder().tool(tool.expect("a tool")).build().expect("a runtime");
    let run = Run::from("await tools.ask(1); return tools.ask(2)")
        .principal(Principal::named("ada").with_roles(["sales"]))
        .session("monday");
    let outcome = isobox.run(run).await;
    let told = told.lock().expect("no thread panicked").clone();
    let [first, second] = told.as_slice() else { panic!("two calls: {told:?}") };
    assert_eq!((first.seq, second.seq), (CallSeq::new(0), CallSeq::new(1)));
    assert_eq!(first.execution.as_str(), outcome.execution_id().as_str());
    assert_eq!((first.caller.name.as_str(), first.caller.roles.as_slice()), ("ada", &["sales".to_owned()][..]));
    assert_eq!((first.session.as_deref(), first.attempt, first.fencing_token), (Some("monday"), 1, None));
    assert!(first.time_left <= isobox.limits().timeout && second.time_left <= first.time_left);
    assert!(first.cancellation.is_cancelled(), "the call is over");
    assert_eq!(outcome.into_result().expect("it completes"), json!(second.key()));
}

#[tokio::test]
async fn a_call_that_is_made_again_is_another_attempt_with_the_same_key() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    let tool = Tool::with_call("slow", move |call| {
        let mut kept = kept.lock().expect("no thread panicked");
        kept.push(call.context.clone());
        let is_first = kept.len() == 1;
        async move {
            if is_first {
                std::future::pending::<()>().await;
            }
            Ok(json!(call.context.attempt))
        }
    });
    let tool = tool.expect("a tool").idempotent(true);
    let isobox = Isobox::builder().store(isobox::store::memory_store()).tool(tool).build().expect("a runtime");
    let handle = isobox.start(Run::from("return tools.slow()").durable());
    let first = loop {
        if let Some(first) = told.lock().expect("no thread panicked").first().cloned() {
            break first;
        }
        tokio::task::yield_now().await;
    };
    let id = handle.id().clone();
    assert!(!first.cancellation.is_cancelled());
    drop(handle);
    first.cancellation.cancelled().await;
    let outcome = loop {
        match isobox.resume(&id, Resume::default()).await.expect("it is kept").into_outcome() {
            Some(outcome) => break outcome,
            // The task of the handle has not ended yet.
            None => tokio::task::yield_now().await,
        }
    };
    assert_eq!(outcome.into_result().expect("it completes"), json!(2));
    let second = told.lock().expect("no thread panicked")[1].clone();
    assert_eq!((first.attempt, second.attempt, second.key()), (1, 2, first.key()));
    assert!(second.fencing_token > first.fencing_token, "another process could have taken it over");
}
