//! A live execution is notified of decisions. Its clock stands still here, so that it never polls.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::pending;
use isobox::calls::CallDetails;
use isobox::driver::SandboxOptions;
use isobox::events::{Contents, Label};
use isobox::journal::{Decision, Instruction, Remember, Verdict};
use isobox::limits::{Capacity, CapacityLimits};
use isobox::policy::Policy;
use isobox::program::Program;
use isobox::store::Store;
use isobox::tools::{Catalogue, Validation};
use isobox::{ByteSize, CallSeq, Code, ExecutionId, Limits, Outcome, Region, Tool, Value, json};
use isobox_core::Namespaces;
use isobox_core::journal::StoreKey;
use isobox_core::store::{Coverage, ExpectedState, MemoryStore, Node};
use isobox_core::{Clock, Durability, Execution, Host, Keeper, Timestamp, Timing, execute};
use isobox_sandbox::Sandbox;
use isobox_store::DatabaseStore;

use super::clocks::SetClock;
use super::ending::beginning_of;
use super::hostile::Database;
use tokio::sync::Notify;

/// The time after which a test fails. Durations are not tested.
const FAILS_AFTER: Duration = Duration::from_secs(60);

fn memory() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new(StoreKey::new([1; 32]), Arc::<SetClock>::default()))
}

pub(super) fn id() -> ExecutionId {
    ExecutionId::new(1, 1)
}

/// Returns a host with these tools.
pub(super) fn host(tools: impl IntoIterator<Item = Tool>, clock: Arc<dyn Clock>, keeper: Keeper) -> Host {
    let mut catalogue = Catalogue::builder();
    for tool in tools {
        catalogue.tool(tool).expect("its path is free");
    }
    let instances = NonZeroU32::new(2).expect("it is not zero");
    let sandbox = Sandbox::new(SandboxOptions::default().instances(instances)).expect("a sandbox");
    Host {
        driver: Arc::new(sandbox),
        clock,
        catalogue: Arc::new(catalogue.build()),
        policy: Arc::new(Policy::default()),
        approver: None,
        namespaces: Namespaces::default(),
        capacity: Capacity::new(CapacityLimits { memory: ByteSize::mib(64), live: 1, queue: 0 }),
        observer: None,
        contents: Contents::default(),
        reshape: None,
        validation: Validation::default(),
        keeper: Some(keeper),
        learner: None,
        checks: isobox_core::Checks::default(),
        rules: Arc::default(),
        modules: Arc::default(),
        sessions: None,
    }
}

/// Returns a durable execution of a program.
pub(super) fn execution(source: &str, limits: Limits) -> Execution {
    Execution {
        id: id(),
        seed: 5,
        program: Program::single(source),
        limits,
        label: Label::default(),
        details: CallDetails::default(),
        durability: Durability::Journal,
        session: None,
        globals: isobox_core::Globals::None,
        tools: Vec::new(),
        region: Region::default(),
        principal: isobox::Principal::host(),
        purpose: isobox_core::Purpose::Program,
        checks: None,
    }
}

async fn run(store: Arc<dyn Store>, source: &str, said: Instruction) -> Outcome {
    let there = Arc::clone(&store);
    run_told(store, &*there, source, said).await
}

/// Runs a program that calls `hang`, which ends after `pay` was called. Posts an instruction through `there` while it
/// waits, and returns the outcome.
async fn run_told(store: Arc<dyn Store>, there: &dyn Store, source: &str, said: Instruction) -> Outcome {
    let (called, clock) = (Arc::new(Notify::new()), Arc::<SetClock>::default() as Arc<dyn Clock>);
    let (hanging, paid) = (Arc::clone(&called), Arc::new(Notify::new()));
    let paying = Arc::clone(&paid);
    let hang = Tool::new("hang", move |_| {
        hanging.notify_one();
        let paid = Arc::clone(&paid);
        async move {
            paid.notified().await;
            Ok(Value::Null)
        }
    });
    let pay = Tool::new("pay", move |input| {
        paying.notify_one();
        async move { Ok(input) }
    });
    let keeper = Keeper::new(store, Node("here".into()), Arc::clone(&clock), Timing::default());
    keeper.keep_alive().await.expect("it is alive");
    let host = host([pay.expect("a tool").with_approval(), hang.expect("a tool")], clock, keeper);
    let execution = execution(source, Limits::default());
    let running = tokio::spawn(async move { Box::pin(execute(&host, execution, pending())).await.expect("it is new") });
    called.notified().await;
    let message = said.message(there.key(), &beginning_of(there, &id()).await).expect("a message");
    there.post(&id(), vec![message], ExpectedState::Anyhow).await.expect("it is posted");
    tokio::time::timeout(FAILS_AFTER, running).await.expect("it was told").expect("it does not panic")
}

fn approval() -> Instruction {
    let (seq, verdict, remember) = (CallSeq::new(0), Verdict::Approve, Remember::Nothing);
    let decision = Decision { seq, asked: 1, verdict, by: "ada".to_owned(), reason: None, remember };
    Instruction::Decision { decision, at: Timestamp(0) }
}

fn rejection() -> Instruction {
    Instruction::Reject { by: "ada".to_owned(), reason: None, at: Timestamp(0) }
}

/// Asks for approval of `pay` and also waits for `hang`, so that it does not pause.
const ASKING: &str = "const [paid] = await Promise.all([tools.pay(3), tools.hang()]); return paid";

#[tokio::test]
async fn an_execution_that_waits_for_a_decision_is_told_of_it() {
    let outcome = run(memory(), ASKING, approval()).await;
    assert_eq!(outcome.into_result().expect("it was approved"), json!(3));
}

#[tokio::test]
async fn an_execution_over_sqlite_is_told_of_what_its_own_process_decides() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = DatabaseStore::sqlite(folder.path().join("isobox.db")).await.expect("a store");
    let outcome = run(Arc::new(store), ASKING, approval()).await;
    assert_eq!(outcome.into_result().expect("it was approved"), json!(3));
}

#[tokio::test]
async fn an_execution_over_postgresql_is_told_of_what_another_process_decides() {
    let database = Database::postgres();
    let (here, there) = (database.open().await, database.open().await);
    // From now on the server tells everything.
    let mut changes = here.subscribe(&id());
    while changes.coverage() == Coverage::Partial {
        tokio::time::timeout(FAILS_AFTER, changes.changed()).await.expect("the server tells");
    }
    let outcome = run_told(here, &*there, ASKING, approval()).await;
    assert_eq!(outcome.into_result().expect("it was approved"), json!(3));
}

#[tokio::test]
async fn an_execution_that_asks_nobody_is_told_of_its_rejection() {
    let outcome = run(memory(), "await tools.hang()", rejection()).await;
    assert_eq!(outcome.into_result().expect_err("it was rejected").code, Code::Rejected);
}
