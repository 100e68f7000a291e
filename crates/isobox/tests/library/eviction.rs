//! Waiting programs are evicted for others that have no permit, and continue unchanged.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use isobox::driver::{Ability, Driver, Error, ErrorKind, Instance, Sandbox, SandboxOptions, Snapshot, StartOptions};
use isobox::journal::Verdict;
use isobox::limits::CapacityLimits;
use isobox::program::{self, Prepared, Task};
use isobox::store::Store;
use isobox::store::memory_store;
use isobox::{
    BoxFuture, ByteSize, CallSeq, Code, Decisions, Isobox, Limits, LoweredLimits, Outcome, Program, Run, Tool, json,
};
use isobox::{Resume, Resumed};
use tokio::sync::Semaphore;

/// Returns a tool that answers when the test allows it.
fn waits(gate: &Arc<Semaphore>) -> Tool {
    let gate = Arc::clone(gate);
    let tool = Tool::new("wait", move |input| {
        let gate = Arc::clone(&gate);
        async move {
            gate.acquire().await.expect("it is open").forget();
            Ok(input)
        }
    });
    tool.expect("a tool")
}

/// Creates a runtime with one permit, and the tool that waits.
fn runtime(store: Option<&Arc<dyn Store>>) -> (Isobox, Arc<Semaphore>) {
    let gate = Arc::new(Semaphore::new(0));
    let token = Tool::new("token", |_| async { Ok(json!("s3cret")) }).expect("a tool").ephemeral();
    let pay = Tool::new("pay", |input| async move { Ok(input) }).expect("a tool").with_approval();
    let mut builder = Isobox::builder().tool(waits(&gate)).tool(token).tool(pay).max_live(NonZeroU32::MIN).queue(1);
    if let Some(store) = store {
        builder = builder.store(Arc::clone(store));
    }
    (builder.build().expect("a runtime"), gate)
}

const STATEFUL: &str = "
    const kept = new Map([['a', [1, 2]]]); class One { #n = 40; add(m) { return this.#n += m } } const one = new One();
    console.log('before', Math.random() < 1);
    const token = await tools.TOKEN({});
    const first = await tools.wait({ n: 1 });
    console.log('between');
    const second = await Promise.race([tools.wait({ n: 2 }), new Promise((done) => setTimeout(done, 20000, 'late'))]);
    return [first, second, kept.get('a'), one.add(2), String(token).length]";

async fn until_evicted(isobox: &Isobox, count: u32) {
    while isobox.capacity().usage().evicted != count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_program_that_has_returned_makes_room_while_its_calls_settle() {
    let (isobox, gate) = runtime(None);
    let returned = tokio::spawn({
        let isobox = isobox.clone();
        async move { isobox.run("tools.wait({ n: 1 }).then(() => {}); return 'back'").await }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(isobox.run("return 2").await.into_result().expect("there is room"), json!(2));
    assert!(!returned.is_finished(), "its call is still pending");
    gate.add_permits(1);
    assert_eq!(returned.await.expect("it ends").into_result().expect("it completes"), json!("back"));
}

#[tokio::test]
async fn a_waiting_execution_makes_room_and_continues_unchanged() {
    for (is_kept, tool) in [(false, "wait"), (false, "token"), (true, "wait"), (true, "token")] {
        let store = memory_store();
        let (isobox, gate) = runtime(is_kept.then_some(&store));
        let run = Run::new(Program::single(STATEFUL.replace("TOKEN", tool))).seed(3);
        let run = if is_kept { run.durable() } else { run };
        let waiting = tokio::spawn({
            let isobox = isobox.clone();
            async move { isobox.run(run).await }
        });
        if tool == "wait" {
            gate.add_permits(1);
        }
        while isobox.capacity().usage().live == 0 {
            tokio::task::yield_now().await;
        }
        for _ in 0..2 {
            // Gets the only permit once the waiting program is evicted, and is evicted in turn.
            let other = isobox.run("return await new Promise((done) => setTimeout(done, 1, 'done'))").await;
            assert_eq!(other.into_result().expect("it finds a place"), json!("done"));
            assert_eq!(isobox.capacity().usage().evicted, 1, "it waits outside");
            gate.add_permits(1);
            while gate.available_permits() > 0 || isobox.capacity().usage().evicted > 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
                if waiting.is_finished() {
                    break;
                }
            }
        }
        let outcome = waiting.await.expect("no panic");
        assert_eq!(
            outcome.logs().iter().map(|log| log.message.as_str()).collect::<Vec<_>>(),
            ["before true", "between"]
        );
        let size = if tool == "wait" { "[object Object]".len() } else { "s3cret".len() };
        let expected = json!([{ "n": 1 }, { "n": 2 }, [1, 2], 42, size]);
        assert_eq!(outcome.into_result().expect("it completes"), expected, "{is_kept} {tool}");
        let usage = isobox.capacity().usage();
        assert_eq!((usage.live, usage.evicted, usage.memory), (0, 0, ByteSize::bytes(0)));
    }
}

#[tokio::test]
async fn one_that_is_evicted_can_still_pause_time_out_and_be_dropped() {
    let store = memory_store();
    let (isobox, gate) = runtime(Some(&store));
    let source = "const kept = { n: 41 }; const [paid] = await Promise.all([tools.pay({ a: 1 }), tools.wait({})]); return [paid, ++kept.n]";
    let pausing = tokio::spawn({
        let isobox = isobox.clone();
        async move { isobox.run(Run::new(Program::single(source)).durable()).await }
    });
    tokio::task::yield_now().await;
    let limits = LoweredLimits::default().timeout(Duration::from_millis(400));
    let late = isobox.run(Run::new(Program::single("await tools.wait({})")).limits(limits)).await;
    assert_eq!(late.into_result().expect_err("the tool never answers").code, Code::Timeout);
    until_evicted(&isobox, 1).await;
    gate.add_permits(1);
    let Outcome::Paused(paused) = pausing.await.expect("no panic") else { panic!("it pauses") };
    until_evicted(&isobox, 0).await;
    let id = &paused.execution_id;
    isobox.decide(id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits");
    let Resumed::Here(outcome) = isobox.resume(id, Resume::default()).await.expect("it goes on") else {
        panic!("here")
    };
    assert_eq!(outcome.into_result().expect("it completes"), json!([{ "a": 1 }, 42]));

    let dropped = tokio::spawn({
        let isobox = isobox.clone();
        async move { isobox.run("await tools.wait({})").await }
    });
    tokio::task::yield_now().await;
    isobox.run("return 1").await.into_result().expect("it finds a place");
    until_evicted(&isobox, 1).await;
    dropped.abort();
    until_evicted(&isobox, 0).await;
    assert_eq!(isobox.capacity().usage().live, 0);
}

#[tokio::test]
async fn memory_is_made_room_for_by_those_that_wait() {
    let (isobox, gate) = runtime(None);
    let builder = Isobox::builder().tool(waits(&gate));
    drop(isobox);
    let isobox =
        builder.limits(Limits::default()).max_live(NonZeroU32::new(8).expect("not zero")).build().expect("a runtime");
    isobox.capacity().set(CapacityLimits { memory: ByteSize::mib(8), ..isobox.capacity().limits() });
    let large = tokio::spawn({
        let isobox = isobox.clone();
        async move { isobox.run("const all = new Array(1e6).fill(7); await tools.wait({}); return all.length").await }
    });
    while isobox.capacity().usage().memory <= ByteSize::mib(8) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    isobox.run("return 1").await.into_result().expect("it finds room");
    let usage = isobox.capacity().usage();
    assert_eq!(usage.evicted, 1);
    assert!(usage.memory < ByteSize::mib(1), "a million equal numbers are held in {}", usage.memory);
    large.abort();
}

/// A sandbox in which others take the place of a program that is to be restored.
struct Crowded {
    sandbox: Sandbox,
    /// The number of further programs for which there is no place.
    refused: Arc<AtomicU32>,
}

impl Driver for Crowded {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Error>> {
        self.sandbox.prepare(task)
    }

    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        self.sandbox.start(program, options)
    }

    fn restore<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        let refused = self.refused.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        match refused {
            Ok(_) => Box::pin(std::future::ready(Err(Error::new(ErrorKind::Busy, "no place is free")))),
            Err(_) => self.sandbox.restore(snapshot, options),
        }
    }

    fn image(&self) -> &str {
        self.sandbox.image()
    }

    fn can(&self, ability: Ability) -> bool {
        self.sandbox.can(ability)
    }
}

#[tokio::test]
async fn an_evicted_program_waits_until_the_sandbox_has_a_place_for_it() {
    for (refusals, expected) in [(3, Ok(json!(42))), (u32::MAX, Err(Code::Timeout))] {
        let (gate, refused) = (Arc::new(Semaphore::new(0)), Arc::new(AtomicU32::new(refusals)));
        let instances = NonZeroU32::new(4).expect("it is not zero");
        let sandbox = Sandbox::new(SandboxOptions::default().instances(instances)).expect("a sandbox");
        let driver = Arc::new(Crowded { sandbox, refused: Arc::clone(&refused) });
        let builder = Isobox::builder().driver(driver).tool(waits(&gate)).max_live(NonZeroU32::MIN);
        let isobox = builder.build().expect("a runtime");
        let mut run = Run::from("const kept = { n: 41 }; await tools.wait({}); return kept.n + 1");
        if expected.is_err() {
            run = run.limits(LoweredLimits::default().timeout(Duration::from_millis(500)));
        }
        let evicted = tokio::spawn({
            let isobox = isobox.clone();
            async move { isobox.run(run).await }
        });
        while isobox.capacity().usage().live == 0 {
            tokio::task::yield_now().await;
        }
        isobox.run("return 1").await.into_result().expect("the other program makes room");
        gate.add_permits(1);
        let result = evicted.await.expect("no panic").into_result();
        assert_eq!(result.map_err(|failure| failure.code), expected);
        let left = refused.load(Ordering::SeqCst);
        assert_eq!(left == 0, expected.is_ok(), "{left} refusals are left");
    }
}
