//! Drivers without optional abilities: what they do not limit is a warning, and waiting programs are neither evicted nor
//! restored.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use isobox::driver::{
    Ability, Answer, BookUse, CalledFrom, Driver, Error, ErrorKind, Instance, Sandbox, SandboxOptions, Snapshot,
    StartOptions, Step,
};
use isobox::events::Log;
use isobox::journal::{Entry, ResumedFrom, Verdict};
use isobox::program;
use isobox::program::{Prepared, Task};
use isobox::sessions::BusySession;
use isobox::store::memory_store;
use isobox::tools::Catalogue;
use isobox::{
    BoxFuture, Builder, ByteSize, Code, Decisions, Isobox, Outcome, Region, Resume, Resumed, Run, Timestamp, Tool, json,
};
use tokio::sync::Semaphore;

/// A sandbox without optional abilities.
struct Plain {
    sandbox: Sandbox,
    /// Counts the snapshots that were asked for.
    asked: Arc<AtomicU32>,
}

impl Driver for Plain {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Error>> {
        self.sandbox.prepare(task)
    }

    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        Box::pin(async move {
            let inner = self.sandbox.start(program, options).await?;
            Ok(Box::new(Fixed { inner, asked: Arc::clone(&self.asked) }) as Box<dyn Instance>)
        })
    }

    fn restore<'a>(
        &'a self,
        _snapshot: &'a Snapshot,
        _options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        Box::pin(std::future::ready(Err(Error::new(ErrorKind::Snapshot, "this driver has no snapshots"))))
    }

    fn image(&self) -> &str {
        self.sandbox.image()
    }

    fn check_region(&self, region: &Region) -> Result<(), Error> {
        self.sandbox.check_region(region)
    }

    fn can(&self, _ability: Ability) -> bool {
        false
    }
}

/// An instance that stays where it is.
struct Fixed {
    inner: Box<dyn Instance>,
    asked: Arc<AtomicU32>,
}

impl Instance for Fixed {
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Error>> {
        self.inner.step(answers, clock)
    }

    fn stopped_at(&mut self) -> BoxFuture<'_, Option<CalledFrom>> {
        self.inner.stopped_at()
    }

    fn take_logs(&mut self) -> Vec<Log> {
        self.inner.take_logs()
    }

    fn snapshot(&mut self, _limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(None))
    }

    fn cpu_used(&self) -> Duration {
        self.inner.cpu_used()
    }

    fn set_cpu_used(&mut self, used: Duration) {
        self.inner.set_cpu_used(used);
    }

    fn written(&self) -> BookUse {
        self.inner.written()
    }

    fn set_written(&mut self, written: BookUse) {
        self.inner.set_written(written);
    }
}

/// Returns the builder of a runtime with one permit.
fn builder(asked: &Arc<AtomicU32>) -> Builder {
    let instances = NonZeroU32::new(4).expect("it is not zero");
    let sandbox = Sandbox::new(SandboxOptions::default().instances(instances)).expect("a sandbox");
    Isobox::builder().driver(Arc::new(Plain { sandbox, asked: Arc::clone(asked) })).max_live(NonZeroU32::MIN)
}

#[tokio::test]
async fn limits_that_a_driver_does_not_enforce_are_warnings() {
    let told = [
        "the driver does not limit processor time: only the time-out ends a program that computes",
        "the driver does not limit memory",
    ];
    let isobox = builder(&Arc::default()).build().expect("a runtime");
    assert_eq!(isobox.warnings(), told);
    let other = isobox.with_catalogue(Catalogue::builder().build()).expect("its names are there");
    assert_eq!(other.warnings(), told, "with other tools, too");
    let enforced = Isobox::builder().max_live(NonZeroU32::MIN).build().expect("a runtime");
    assert!(enforced.warnings().is_empty(), "{:?}", enforced.warnings());
}

#[tokio::test(start_paused = true)]
async fn a_waiting_program_keeps_its_permit_where_no_snapshots_are_taken() {
    let (asked, gate) = (Arc::new(AtomicU32::new(0)), Arc::new(Semaphore::new(0)));
    let opened = Arc::clone(&gate);
    let wait = Tool::new("wait", move |_| {
        let gate = Arc::clone(&opened);
        async move {
            gate.acquire().await.expect("it is open").forget();
            Ok(json!(1))
        }
    });
    let isobox = builder(&asked).tool(wait.expect("a tool")).build().expect("a runtime");
    let run = |source: &'static str| {
        let isobox = isobox.clone();
        tokio::spawn(async move { isobox.run(source).await })
    };
    let waiting = run("return await tools.wait({})");
    while isobox.capacity().usage().live == 0 {
        tokio::task::yield_now().await;
    }
    let other = run("return 2");
    while isobox.capacity().usage().queued == 0 {
        tokio::task::yield_now().await;
    }
    // Many times as long as a program waits before it is evicted.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let usage = isobox.capacity().usage();
    assert_eq!((usage.live, usage.queued, usage.evicted), (1, 1, 0));
    assert_eq!(asked.load(Ordering::SeqCst), 0, "no snapshot was asked for");
    gate.add_permits(1);
    for (running, result) in [(waiting, json!(1)), (other, json!(2))] {
        assert_eq!(running.await.expect("no panic").into_result().expect("it completes"), result);
    }
}

#[tokio::test]
async fn a_pause_is_resumed_by_a_replay_where_no_snapshots_are_taken() {
    const PROGRAM: &str = "
const found = await tools.find({});
const paid = await tools.pay({});
return [found, paid, await tools.send({})]";
    let effects = Arc::new(AtomicU32::new(0));
    let doing = |path| {
        let effects = Arc::clone(&effects);
        let tool = Tool::new(path, move |_| {
            let number = effects.fetch_add(1, Ordering::SeqCst);
            async move { Ok(json!(number)) }
        });
        tool.expect("a tool")
    };
    let tools = [doing("find"), doing("pay").with_approval(), doing("send")];
    let isobox = builder(&Arc::default()).store(memory_store()).tools(tools).build().expect("a runtime");
    let Outcome::Paused(paused) = isobox.run(Run::from(PROGRAM).durable()).await else { panic!("it asks") };
    assert_eq!(effects.load(Ordering::SeqCst), 1);
    let id = &paused.execution_id;
    let decided = Decisions::about_all("ada", paused.revision, Verdict::Approve);
    isobox.decide(id, decided).await.expect("it waits for that");
    let Resumed::Here(outcome) = isobox.resume(id, Resume::default()).await.expect("it goes on") else {
        panic!("no other process runs it")
    };
    assert_eq!(outcome.into_result().expect("it completes"), json!([0, 1, 2]));
    assert_eq!(effects.load(Ordering::SeqCst), 3, "no effect is doubled");
    let entries = isobox.inspect(id).await.expect("it is kept").entries;
    let is_replayed = |entry: &Entry| matches!(entry, Entry::Resumed(resumed) if resumed.from == ResumedFrom::Journal);
    assert!(entries.iter().any(is_replayed), "{entries:?}");
}

#[tokio::test]
async fn sessions_have_no_globals_where_no_snapshots_are_taken() {
    let isobox = builder(&Arc::default()).build().expect("a runtime");
    let run = Run::from("return 1").session("work").globals(BusySession::Refuse);
    let failure = isobox.run(run).await.into_result().expect_err("nothing could be left");
    let message = "this sandbox takes no snapshots, so that sessions have no globals";
    assert_eq!((failure.code, &*failure.message), (Code::Config, message));
}
