//! A snapshot of another guest image: the journal is replayed instead.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, pending};
use isobox::calls::CallDetails;
use isobox::driver::SandboxOptions;
use isobox::events::{Contents, Label};
use isobox::journal::{Decision, Entry, Instruction, Remember, ResumedFrom, Verdict};
use isobox::limits::{Capacity, CapacityLimits};
use isobox::policy::Policy;
use isobox::program;
use isobox::program::{Prepared, Program, Task};
use isobox::store::Store;
use isobox::tools::{Catalogue, Validation};
use isobox::{ByteSize, CallSeq, ExecutionId, Limits, Outcome, Principal, Region, Tool, json};
use isobox_core::driver::Error;
use isobox_core::journal::StoreKey;
use isobox_core::store::{ExpectedState, MemoryStore, Node};
use isobox_core::{
    Ability, Answer, BookUse, CalledFrom, Clock, Driver, Durability, Execution, Host, Instance, Keeper, Log, Means,
    Namespaces, Snapshot, StartOptions, Step, Timestamp, Timing, execute, inspect, resume,
};
use isobox_sandbox::Sandbox;

/// A sandbox whose snapshots belong to another image.
struct Elder(Sandbox);

impl Driver for Elder {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Error>> {
        self.0.prepare(task)
    }

    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        async move { Ok(Box::new(Renamed(self.0.start(program, options).await?)) as Box<dyn Instance>) }.boxed()
    }

    fn restore<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        self.0.restore(snapshot, options)
    }

    fn image(&self) -> &str {
        "an older image"
    }

    fn can(&self, ability: Ability) -> bool {
        self.0.can(ability)
    }
}

struct Renamed(Box<dyn Instance>);

impl Instance for Renamed {
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Error>> {
        self.0.step(answers, clock)
    }

    fn stopped_at(&mut self) -> BoxFuture<'_, Option<CalledFrom>> {
        self.0.stopped_at()
    }

    fn take_logs(&mut self) -> Vec<Log> {
        self.0.take_logs()
    }

    fn snapshot(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        let renamed = |snapshot| Snapshot { image: "an older image".to_owned(), ..snapshot };
        self.0.snapshot(limit).map(move |snapshot| snapshot.map(renamed)).boxed()
    }

    fn cpu_used(&self) -> Duration {
        self.0.cpu_used()
    }

    fn set_cpu_used(&mut self, used: Duration) {
        self.0.set_cpu_used(used);
    }

    fn written(&self) -> BookUse {
        self.0.written()
    }

    fn set_written(&mut self, written: BookUse) {
        self.0.set_written(written);
    }
}

struct RealClock(Instant);

impl Clock for RealClock {
    fn now(&self) -> Timestamp {
        Timestamp(1_780_000_000_000)
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn boot_time(&self) -> Duration {
        self.elapsed()
    }

    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()> {
        tokio::time::sleep(moment.saturating_sub(self.elapsed())).boxed()
    }
}

fn sandbox() -> Sandbox {
    let instances = NonZeroU32::new(4).expect("it is not zero");
    Sandbox::new(SandboxOptions::default().instances(instances)).expect("a sandbox")
}

fn host(driver: Arc<dyn Driver>, clock: &Arc<dyn Clock>, store: &Arc<dyn Store>, node: &str) -> Host {
    let pay = Tool::new("pay", |input| async move { Ok(input) }).expect("a tool").with_approval();
    let mut catalogue = Catalogue::builder();
    catalogue.tool(pay).expect("a tool");
    Host {
        driver,
        clock: Arc::clone(clock),
        catalogue: Arc::new(catalogue.build()),
        policy: Arc::new(Policy::default()),
        approver: None,
        namespaces: Namespaces::default(),
        capacity: Capacity::new(CapacityLimits { memory: ByteSize::mib(64), live: 2, queue: 0 }),
        observer: None,
        contents: Contents::default(),
        reshape: None,
        validation: Validation::default(),
        keeper: Some(Keeper::new(Arc::clone(store), Node(node.into()), Arc::clone(clock), Timing::default())),
        learner: None,
        checks: isobox_core::Checks::default(),
        rules: Arc::default(),
        modules: Arc::default(),
        sessions: None,
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the clock of this test is real")]
async fn a_snapshot_of_another_image_is_left_and_the_journal_replayed() {
    let clock: Arc<dyn Clock> = Arc::new(RealClock(Instant::now()));
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(StoreKey::new([1; 32]), Arc::clone(&clock)));
    let id = ExecutionId::new(1, 1);
    let execution = Execution {
        id: id.clone(),
        seed: 5,
        program: Program::single("const kept = [1, 2]; kept.push(await tools.pay(3)); return kept"),
        limits: Limits::default(),
        principal: Principal::host(),
        label: Label::default(),
        details: CallDetails::default(),
        durability: Durability::Journal,
        session: None,
        globals: isobox_core::Globals::None,
        tools: Vec::new(),
        region: Region::default(),
        purpose: isobox_core::Purpose::Program,
        checks: None,
    };
    let elder = host(Arc::new(Elder(sandbox())), &clock, &store, "elder");
    let Ok(Outcome::Paused(paused)) = execute(&elder, execution, pending()).await else { panic!("it waits") };
    let (verdict, by) = (Verdict::Approve, "ada".to_owned());
    let (seq, asked, remember) = (CallSeq::new(0), paused.revision, Remember::Nothing);
    let decision = Decision { seq, asked, verdict, by, reason: None, remember };
    let message = Instruction::Decision { decision, at: Timestamp(0) }
        .message(store.key(), &crate::ending::beginning_of(&*store, &id).await)
        .expect("a message");
    store.post(&id, vec![message], ExpectedState::Anyhow).await.expect("it is posted");

    let younger = host(Arc::new(sandbox()), &clock, &store, "younger");
    let outcome = resume(&younger, &id, Means::default(), pending()).await.expect("it goes on");
    assert_eq!(outcome.into_result().expect("it completes"), json!([1, 2, 3]));
    let entries = inspect(&*store, &id).await.expect("a journal").entries;
    let is_replayed = |entry: &Entry| matches!(entry, Entry::Resumed(resumed) if resumed.from == ResumedFrom::Journal);
    assert!(entries.iter().any(is_replayed), "{entries:?}");
}
