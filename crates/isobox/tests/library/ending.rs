//! Ends of durable executions that do not come from the program: expiry, deletion, rejection; and their reports.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox::connector::{Connector, ConnectorSettings, Offer, OfferedTool};
use isobox::events::{Contents, Event, EventKind, Observer};
use isobox::journal::{Ending, Entry, Instruction, Verdict};
use isobox::policy::{Approval, ApprovalRequest, Approver};
use isobox::store::memory_store;
use isobox::store::{Filter, State, Status, Store};
use isobox::tools::Catalogue;
use isobox::{
    Builder, CallSeq, CancellationToken, Code, Decisions, ExecutionId, Failure, Isobox, Outcome, Program, Run,
    Timestamp, Tool, ToolCall, ToolError, Value, connector, json,
};
use isobox::{Resume, Resumed};
use isobox_core::journal::Seal;
use isobox_core::journal::StoreKey;
use isobox_core::store::Part;
use isobox_core::store::{ExpectedState, Message};

use super::faulty_store::{Fault, FaultyStore};

/// Records notifications, and fails in every way that a connector can.
#[derive(Default)]
struct Witness {
    told: Mutex<Vec<String>>,
    panics: bool,
    hangs: bool,
}

impl Connector for Witness {
    fn name(&self) -> &'static str {
        "disk"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        std::future::ready(Ok(Offer::default())).boxed()
    }

    fn call<'a>(&'a self, _tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        std::future::ready(Ok(call.input)).boxed()
    }

    fn pass_ended<'a>(&'a self, _execution: &'a ExecutionId, status: Status) -> BoxFuture<'a, ()> {
        self.told.lock().expect("no thread panicked").push(format!("pass {status}"));
        assert!(!self.panics, "a connector that is told");
        std::future::ready(()).boxed()
    }

    fn execution_ended<'a>(&'a self, _execution: &'a ExecutionId, status: Status) -> BoxFuture<'a, ()> {
        self.told.lock().expect("no thread panicked").push(format!("execution {status}"));
        async move {
            assert!(!self.panics, "a connector that is told");
            if self.hangs {
                std::future::pending().await
            }
        }
        .boxed()
    }
}

pub(super) fn builder(store: &Arc<dyn Store>) -> Builder {
    let pay = Tool::new("pay", |input| async move { Ok(input) }).expect("a tool").with_approval();
    let hang = Tool::new("hang", |_| std::future::pending()).expect("a tool");
    let nap = Tool::new("nap", |_| async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        Ok(Value::Null)
    });
    let tools = [pay, hang, nap.expect("a tool")];
    Isobox::builder().store(Arc::clone(store)).tools(tools).max_live(NonZeroU32::MIN)
}

fn witnessed(store: &Arc<dyn Store>, witness: Witness) -> (Isobox, Arc<Witness>) {
    let witness = Arc::new(witness);
    let isobox = builder(store).build().expect("a runtime");
    let mut catalogue = Catalogue::builder();
    let pay = Tool::new("pay", |input| async move { Ok(input) }).expect("a tool").with_approval();
    catalogue.tool(pay).expect("it is free");
    let connector: Arc<dyn Connector> = Arc::<Witness>::clone(&witness);
    let offer = Offer::default().tools(vec![OfferedTool::new("read")]);
    catalogue.connector(&connector, offer, &ConnectorSettings::default());
    (isobox.with_catalogue(catalogue.build()).expect("its names are there"), witness)
}

/// Returns the seal of the beginning, for which messages to an execution are sealed.
pub(super) async fn beginning_of(store: &dyn Store, id: &ExecutionId) -> Seal {
    store.load(id, Part::Whole).await.expect("it is kept").beginning.seal
}

pub(super) fn durable(source: &str) -> Run {
    Run::new(Program::single(source)).durable()
}

async fn approve(isobox: &Isobox, id: &ExecutionId) -> Outcome {
    isobox.decide(id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits");
    match isobox.resume(id, Resume::default()).await.expect("it goes on") {
        Resumed::Here(outcome) => *outcome,
        Resumed::Elsewhere => panic!("no other process runs it"),
    }
}

#[tokio::test]
async fn connectors_are_told_of_the_end_of_passes_and_of_executions_and_cannot_spoil_them() {
    for panics in [false, true] {
        let (isobox, witness) = witnessed(&memory_store(), Witness { panics, ..Witness::default() });
        let paused = isobox.run(durable("return await tools.pay(await tools.disk.read({ a: 1 }))")).await;
        assert!(matches!(paused, Outcome::Paused(_)), "{paused:?}");
        // Number 1: call 0 was the one that read.
        let id = paused.execution_id();
        isobox.decide(id, Decisions::new("ada", [(CallSeq::new(1), Verdict::Approve)])).await.expect("it waits");
        let Resumed::Here(outcome) = isobox.resume(id, Resume::default()).await.expect("it goes on") else {
            panic!("here")
        };
        assert_eq!(outcome.into_result().expect("it completes"), json!({ "a": 1 }));
        let failed = isobox.run("null.x").await;
        assert_eq!(failed.into_result().expect_err("it fails").code, Code::Thrown);
        let told = witness.told.lock().expect("no thread panicked");
        assert_eq!(
            *told,
            ["pass paused", "pass completed", "execution completed", "pass failed", "execution failed"],
            "panics: {panics}"
        );
    }
}

#[tokio::test]
async fn a_connector_that_does_not_come_to_an_end_is_not_waited_for() {
    let (isobox, witness) = witnessed(&memory_store(), Witness { hangs: true, ..Witness::default() });
    let outcome = tokio::time::timeout(Duration::from_secs(60), isobox.run("return 1")).await.expect("it is given up");
    assert_eq!(outcome.into_result().expect("it has completed"), json!(1));
    assert_eq!(*witness.told.lock().expect("no thread panicked"), ["pass completed", "execution completed"]);
}

#[tokio::test]
async fn what_expires_ends_and_stays_to_be_looked_at() {
    let store = memory_store();
    let (isobox, witness) = witnessed(&store, Witness::default());
    let paused = isobox.run(durable("await tools.pay({})")).await;
    assert_eq!(isobox.expire("ada", Duration::from_hours(24)).await.expect("a store").executions, []);
    tokio::time::sleep(Duration::from_millis(5)).await;
    let id = paused.execution_id();
    assert_eq!(isobox.expire("ada", Duration::ZERO).await.expect("a store").executions, std::slice::from_ref(id));
    let listed = isobox.executions(Filter::newest(9).with(State::Failed)).await.expect("a store").executions;
    assert_eq!((&listed[0].id, listed[0].head.code), (id, Some(Code::Timeout)));
    assert_eq!((listed[0].head.pending, listed[0].is_held), (0, false), "it is neither pending nor held");
    let outcome = isobox.inspect(id).await.expect("it is kept").outcome(id, isobox.policy()).expect("it is over");
    let failure = outcome.into_result().expect_err("it failed");
    assert!(failure.message.contains("has expired"));
    assert_eq!(failure.details.get("by"), Some(&json!("ada")), "the end names who expired it");
    assert_eq!(witness.told.lock().expect("no thread panicked").last().map(String::as_str), Some("execution failed"));
    let late = isobox.decide(id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await;
    assert_eq!(late.expect_err("it is over").code, Code::Conflict);
}

#[tokio::test]
async fn a_process_that_loses_a_race_to_create_an_execution_tells_nobody_of_an_end() {
    /// Records the events of ends.
    #[derive(Clone, Default)]
    struct Ends(Arc<Mutex<Vec<Event>>>);
    impl Observer for Ends {
        fn observe(&self, event: &Event) {
            if let EventKind::Ended { .. } = &event.kind {
                self.0.lock().expect("no thread panicked").push(event.clone());
            }
        }
    }
    // The end is written together with the creation, and before the first call.
    for source in ["return 7", "await tools.disk.read({}); return 7"] {
        let inner = memory_store();
        let attempt = || durable(source).id(ExecutionId::new(1_800_000_000_000, 5));
        let (first, _) = witnessed(&inner, Witness::default());
        let outcome = first.run(attempt()).await;
        let faulty = FaultyStore::new(&inner);
        faulty.has(Fault::Blind);
        let (second, witness) = witnessed(&(Arc::new(faulty) as Arc<dyn Store>), Witness::default());
        let ends = Ends::default();
        let retried = second.observed_by(ends.clone(), Contents::Sizes).run(attempt()).await;
        assert_eq!(retried, outcome, "it is the outcome of the first");
        assert_eq!(retried.into_result().expect("it completed"), json!(7));
        assert!(ends.0.lock().expect("no thread panicked").is_empty(), "{source}");
        assert!(witness.told.lock().expect("no thread panicked").is_empty(), "{source}");
    }
}

async fn how_it_failed(isobox: &Isobox, id: &ExecutionId) -> Failure {
    let outcome = isobox.inspect(id).await.expect("it is kept").outcome(id, isobox.policy()).expect("it is over");
    outcome.into_result().expect_err("it failed")
}

#[tokio::test]
async fn what_was_said_keeps_an_execution_for_as_long_as_everything_else_does() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let source = "return await tools.pay({ a: 1 })";
    let [late, early, rejected] = [
        isobox.run(durable(source)).await.execution_id().clone(),
        isobox.run(durable(source)).await.execution_id().clone(),
        isobox.run(durable(source)).await.execution_id().clone(),
    ];
    isobox.decide(&early, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits");
    isobox.reject(&rejected, "ada", None).await.expect("it is not over");
    let said = async |id| {
        let message = store.inbox(id).await.expect("it is kept").pop().expect("the inbox has a message");
        Instruction::of(&message, store.key(), &beginning_of(&*store, id).await).expect("it is sealed")
    };
    let now = isobox.executions(Filter::newest(1)).await.expect("a store").executions[0].head.updated;
    assert!(said(&early).await.at() >= now && said(&rejected).await.at() >= now);
    // Posted with a clock that is ahead, so that it is later than the time here.
    let Instruction::Decision { decision, .. } = said(&early).await else { panic!("it is a decision") };
    let message = Instruction::Decision { decision, at: Timestamp(u64::MAX) };
    let message = message.message(store.key(), &beginning_of(&*store, &late).await).expect("a message");
    store.post(&late, vec![message], ExpectedState::Anyhow).await.expect("it waits");
    tokio::time::sleep(Duration::from_millis(5)).await;
    let expired = isobox.expire("ada", Duration::ZERO).await.expect("a store").executions;
    // The newest comes first. Both may be of the same millisecond.
    let mut both = [rejected, early.clone()];
    both.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(expired, both);
    let failure = how_it_failed(&isobox, &early).await;
    assert_eq!(failure.message, "the execution has expired: its decisions were not carried out in time");
    let Resumed::Here(outcome) = isobox.resume(&late, Resume::default()).await.expect("a store") else {
        panic!("here")
    };
    assert_eq!(outcome.into_result().expect("it was approved"), json!({ "a": 1 }));
}

#[tokio::test]
async fn what_says_nothing_keeps_no_execution() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let paused = isobox.run(durable("await tools.pay({})")).await;
    let id = paused.execution_id();
    let said = Instruction::Reject { by: "eve".to_owned(), reason: None, at: Timestamp(u64::MAX) };
    let forged = said.message(&StoreKey::new([9; 32]), &beginning_of(&*store, id).await).expect("a message");
    let unsealed = Message { key: "k".to_owned(), bytes: serde_json::to_vec(&said).expect("JSON") };
    let of_another = said.message(store.key(), &[9; 32]).expect("a message");
    let of_another = Message { key: "another".to_owned(), ..of_another };
    store.post(id, vec![forged, unsealed, of_another], ExpectedState::Anyhow).await.expect("it waits");
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(isobox.expire("ada", Duration::ZERO).await.expect("a store").executions, std::slice::from_ref(id));
    let failure = how_it_failed(&isobox, id).await;
    assert_eq!(failure.message, "the execution has expired: its pending calls were not decided in time");
}

#[tokio::test]
async fn what_nobody_went_on_with_after_its_process_had_ended_expires() {
    let store = memory_store();
    let (isobox, witness) = witnessed(&store, Witness::default());
    let dying = builder(&store).build().expect("a runtime");
    let running = tokio::spawn(async move { dying.run(durable("await tools.hang({})")).await });
    let id = loop {
        tokio::task::yield_now().await;
        if let Some(listed) = isobox.executions(Filter::newest(1)).await.expect("a store").executions.pop()
            && listed.head.calls == 1
        {
            break listed.id;
        }
    };
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(isobox.expire("ada", Duration::ZERO).await.expect("a store").executions, [], "a process runs it");
    running.abort();
    assert!(running.await.expect_err("it was aborted").is_cancelled());
    let listed = isobox.executions(Filter::newest(1).with(State::Orphaned)).await.expect("a store").executions;
    assert_eq!((&listed[0].id, listed[0].is_held), (&id, false));
    assert_eq!(
        isobox.expire("ada", Duration::from_hours(1)).await.expect("a store").executions,
        [],
        "a process may resume it"
    );
    assert_eq!(isobox.expire("ada", Duration::ZERO).await.expect("a store").executions, std::slice::from_ref(&id));
    let failure = how_it_failed(&isobox, &id).await;
    let message = "the execution has expired: it was not resumed after its process ended";
    assert_eq!((failure.code, &*failure.message), (Code::Timeout, message));
    assert_eq!(*witness.told.lock().expect("no thread panicked"), ["execution failed"]);
    let Resumed::Here(again) = isobox.resume(&id, Resume::default()).await.expect("a store") else { panic!("here") };
    assert_eq!(again.into_result().expect_err("it is over"), failure, "nothing is run again");
}

#[tokio::test]
async fn deleting_ends_what_runs_wherever_that_is_and_leaves_nothing() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let elsewhere = builder(&store).build().expect("a runtime");
    for deleting in [&isobox, &elsewhere] {
        let running = tokio::spawn({
            let isobox = isobox.clone();
            async move { isobox.run(durable("await tools.hang({})")).await }
        });
        let id = loop {
            tokio::task::yield_now().await;
            if let Some(listed) = isobox.executions(Filter::newest(1)).await.expect("a store").executions.pop()
                && listed.head.calls == 1
            {
                break listed.id;
            }
        };
        deleting.delete(&id, "ada").await.expect("it is ended");
        let failure = running.await.expect("no panic").into_result().expect_err("it was ended");
        assert_eq!(failure.message, "ada cancelled the execution: it is being deleted");
        assert_eq!(failure.code, Code::Aborted);
        assert_eq!(isobox.inspect(&id).await.expect_err("it is gone").code, Code::NotFound);
        assert_eq!(isobox.capacity().usage().live, 0);
        assert_eq!(deleting.delete(&id, "ada").await.expect_err("it is gone").code, Code::NotFound);
    }
}

/// Postpones all decisions.
struct Postponing;

impl Approver for Postponing {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        let is_small = request.input["amount"].as_u64().is_some_and(|amount| amount < 10);
        std::future::ready(if is_small { Approval::Approved } else { Approval::Postponed }).boxed()
    }
}

#[tokio::test]
async fn an_approver_may_leave_the_decision_to_others() {
    let isobox = builder(&memory_store()).approver(Postponing).build().expect("a runtime");
    let source = "return [await tools.pay({ amount: 1 }), await tools.pay({ amount: 10 })]";
    let failure = isobox.run(source).await.into_result().expect_err("there is no other approver");
    assert_eq!(failure.code, Code::ApprovalRequired);
    let Outcome::Paused(paused) = isobox.run(durable(source)).await else { panic!("it waits for others") };
    assert_eq!(paused.pending.iter().map(|call| call.seq.to_string()).collect::<Vec<_>>(), ["1"]);
    let id = &paused.execution_id;
    isobox.decide(id, Decisions::new("ada", [(CallSeq::new(1), Verdict::Approve)])).await.expect("it waits");
    let Resumed::Here(outcome) = isobox.resume(id, Resume::default()).await.expect("it goes on") else {
        panic!("here")
    };
    assert_eq!(outcome.into_result().expect("approved"), json!([{ "amount": 1 }, { "amount": 10 }]));
}

/// Records the requests, and denies them.
#[derive(Clone, Default)]
struct Denying(Arc<Mutex<Vec<String>>>);

impl Approver for Denying {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        self.0.lock().expect("no thread panicked").push(request.path);
        std::future::ready(Approval::Denied(None)).boxed()
    }
}

#[tokio::test]
async fn nobody_is_asked_on_the_spot_about_what_was_decided() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let paused = isobox.run(durable("return await tools.pay({ a: 1 })")).await;
    let id = paused.execution_id();
    isobox.decide(id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits");
    let approver = Denying::default();
    let other = builder(&store).approver(approver.clone()).build().expect("a runtime");
    let outcome =
        other.resume(id, Resume::default()).await.expect("a store").into_outcome().expect("no other process runs it");
    assert_eq!(outcome.into_result().expect("it was approved"), json!({ "a": 1 }));
    assert_eq!(*approver.0.lock().expect("no thread panicked"), <[String; 0]>::default());
}

/// Never decides.
struct Silent;

impl Approver for Silent {
    fn decide(&self, _request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        std::future::pending().boxed()
    }
}

/// Starts a program that keeps running while a call is pending.
async fn pay_while_asking(isobox: &Isobox) -> (ExecutionId, tokio::task::JoinHandle<Outcome>) {
    let running = tokio::spawn({
        let isobox = isobox.clone();
        async move { isobox.run(durable("return await tools.pay({ a: 1 })")).await }
    });
    loop {
        tokio::task::yield_now().await;
        if let Some(listed) = isobox.executions(Filter::newest(1)).await.expect("a store").executions.pop()
            && listed.head.pending == 1
        {
            return (listed.id, running);
        }
    }
}

#[tokio::test]
async fn another_person_may_decide_what_the_approver_was_asked() {
    let isobox = builder(&memory_store()).approver(Silent).build().expect("a runtime");
    let (id, running) = pay_while_asking(&isobox).await;
    isobox.decide(&id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits");
    assert_eq!(running.await.expect("no panic").into_result().expect("it is approved"), json!({ "a": 1 }));
}

#[tokio::test]
async fn what_was_decided_before_a_rejection_was_heard_takes_no_effect() {
    let isobox = builder(&memory_store()).approver(Silent).build().expect("a runtime");
    let (id, running) = pay_while_asking(&isobox).await;
    isobox.decide(&id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits");
    isobox.reject(&id, "bob", None).await.expect("it is not over");
    assert_eq!(running.await.expect("no panic").into_result().expect_err("bob ended it").code, Code::Rejected);
    let entries = isobox.inspect(&id).await.expect("it is kept").entries;
    assert!(!entries.iter().any(|entry| matches!(entry, Entry::Decided(_) | Entry::Started(_))), "{entries:?}");
}

#[tokio::test]
async fn a_reported_cancellation_is_in_the_journal() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let paused = isobox.run(durable("return await tools.pay({ a: 1 })")).await;
    let (id, token) = (paused.execution_id(), CancellationToken::new());
    token.cancel();
    let Resumed::Here(outcome) =
        isobox.resume(id, Resume::default().cancelled_by(token.clone())).await.expect("a store")
    else {
        panic!("here")
    };
    assert_eq!(outcome.into_result().expect_err("it is cancelled at once").code, Code::Aborted);
    let ended = isobox.inspect(id).await.expect("it is kept").state.ended.expect("it is over");
    assert!(matches!(ended.how, Ending::Failed(failure) if failure.code == Code::Aborted));
}

#[tokio::test]
async fn whether_a_call_needs_approval_may_depend_on_its_input() {
    let transfer = Tool::new("transfer", |input| async move { Ok(input["amount"].clone()) }).expect("a tool");
    let transfer = transfer.with_approval_when(|input| match input["amount"].as_u64() {
        Some(amount) => amount > 100,
        None => panic!("an amount is missing"),
    });
    let isobox = builder(&memory_store()).tool(transfer).build().expect("a runtime");
    let small = isobox.run(durable("return await tools.transfer({ amount: 100 })")).await;
    assert_eq!(small.into_result().expect("no approval is needed"), json!(100));
    for input in ["{ amount: 101 }", "{}"] {
        let outcome = isobox.run(durable(&format!("return await tools.transfer({input})"))).await;
        assert!(matches!(outcome, Outcome::Paused(_)), "{outcome:?}");
        approve(&isobox, outcome.execution_id()).await;
    }
}

#[tokio::test]
async fn what_another_process_runs_can_be_rejected() {
    // One program waits for long, one never does.
    for source in ["await tools.hang({})", "for (let i = 0; i < 200; i++) await tools.nap({})"] {
        let store = memory_store();
        let isobox = builder(&store).build().expect("a runtime");
        let other = builder(&store).build().expect("a runtime");
        let running = tokio::spawn(async move { isobox.run(durable(source)).await });
        let id = loop {
            tokio::task::yield_now().await;
            if let Some(listed) = other.executions(Filter::newest(1)).await.expect("a store").executions.pop() {
                break listed.id;
            }
        };
        other.reject(&id, "bob", None).await.expect("it is said");
        let failure = running.await.expect("no panic").into_result().expect_err("it was ended");
        assert_eq!(failure.code, Code::Rejected, "{source}");
        let listed = other.executions(Filter::newest(1)).await.expect("a store").executions;
        assert_eq!(listed[0].head.status, Status::Rejected);
    }
}
