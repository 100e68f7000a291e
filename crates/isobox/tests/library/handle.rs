//! Started executions: their event streams, and how they are cancelled, dropped and detached.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use isobox::Resume;
use isobox::events::{Contents, Event, EventKind, Events, Observer};
use isobox::store::memory_store;
use isobox::{
    Builder, ByteSize, CancellationToken, Code, Isobox, LoweredLimits, Outcome, Run, Tool, ToolError, Value, json,
};

use crate::gate::Gate;

fn builder() -> Builder {
    let add = Tool::new("add", |input| async move { Ok(json!({ "sum": input["a"] })) });
    let fail = Tool::new("fail", |_| async { Err(ToolError::internal("password hunter2")) });
    let large = Tool::new("large", |_| async { Ok(json!("x".repeat(300_000))) });
    Isobox::builder()
        .max_live(NonZeroU32::new(2).expect("it is not zero"))
        .tools([add, fail, large].map(|tool| tool.expect("a tool")))
}

fn gated(gate: &Gate) -> Isobox {
    builder().tool(gate.tool()).store(memory_store()).build().expect("the runtime starts")
}

async fn rest(mut events: Events) -> Vec<Event> {
    let mut all = Vec::new();
    while let Some(event) = events.next().await {
        all.push(event);
    }
    all
}

fn numbers(events: &[Event]) -> Vec<u64> {
    events.iter().map(|event| event.number).collect()
}

fn json_of(event: &Event) -> Value {
    serde_json::to_value(event).expect("it is JSON")
}

fn outcome_of(events: &[Event]) -> Option<&Outcome> {
    match &events.last()?.kind {
        EventKind::Ended { outcome, .. } => Some(outcome),
        _ => None,
    }
}

fn code(outcome: Outcome) -> Code {
    outcome.into_result().expect_err("it does not complete").code
}

const PROGRAM: &str = "console.log('hi'); await tools.add({ a: 1 }); await tools.fail().catch(() => 0); return 1";

#[tokio::test]
async fn a_started_execution_has_its_id_at_once_and_events_that_are_numbered_in_order() {
    let isobox = builder().build().expect("the runtime starts");
    let handle = isobox.start(PROGRAM);
    let id = handle.id().clone();
    let events = rest(handle.events()).await;
    let outcome = handle.outcome().await;
    assert_eq!(*outcome.execution_id(), id);
    assert!(events.iter().all(|event| event.execution == id && event.pass == 1));
    assert_eq!(numbers(&events), (0..9).collect::<Vec<u64>>());
    let types: Vec<Value> = events.iter().map(|event| json_of(event)["type"].clone()).collect();
    let expected = json!([
        "started",
        "logged",
        "callIssued",
        "callStarted",
        "callSettled",
        "callIssued",
        "callStarted",
        "callSettled",
        "ended"
    ]);
    assert_eq!(Value::from(types), expected);
    assert_eq!(outcome_of(&events), Some(&outcome));
    assert_eq!(outcome.into_result().expect("it completes"), json!(1));
}

#[tokio::test]
async fn the_observer_and_every_stream_get_the_same_events_and_their_json_says_no_secret() {
    #[derive(Clone, Default)]
    struct Diary(Arc<Mutex<Vec<Value>>>);
    impl Observer for Diary {
        fn observe(&self, event: &Event) {
            self.0.lock().expect("no thread panicked").push(json_of(event));
        }
    }
    let diary = Diary::default();
    let isobox = builder().observer(diary.clone()).contents(Contents::Values).build().expect("the runtime starts");
    let handle = isobox.start(PROGRAM);
    let (first, second) = (handle.events(), handle.events());
    handle.outcome().await.into_result().expect("it completes");
    let told = diary.0.lock().expect("no thread panicked").clone();
    for events in [rest(first).await, rest(second).await] {
        assert_eq!(events.iter().map(json_of).collect::<Vec<_>>(), told);
    }
    let text = Value::from(told.clone()).to_string();
    assert!(text.contains(r#""output":{"bytes":9,"value":{"sum":1}}"#) && !text.contains("hunter2"), "{text}");
    for json in told {
        let read: Event = serde_json::from_value(json.clone()).expect("it is an event");
        assert_eq!(json_of(&read), json);
    }
}

#[tokio::test]
async fn a_reader_that_is_slow_holds_nothing_up_and_sees_which_events_it_missed() {
    let gate = Gate::new();
    let handle =
        gated(&gate).start("await tools.gate(); for (let i = 0; i < 2_000; i++) console.log(i); return 'done'");
    let mut events = handle.events();
    assert_eq!(events.next().await.map(|event| event.number), Some(0));
    gate.open();
    assert_eq!(handle.outcome().await.into_result().expect("it completes"), json!("done"));
    let late = rest(events).await;
    assert_eq!(late.len(), Events::MAX_WAITING);
    assert!(late[0].number > 900, "{:?}", late[0]);
    assert!(late.windows(2).all(|pair| pair[1].number == pair[0].number + 1));
    assert!(outcome_of(&late).is_some());
}

#[tokio::test]
async fn values_that_nobody_reads_are_bounded_in_size_as_well() {
    let isobox = builder().contents(Contents::Values).build().expect("the runtime starts");
    let handle = isobox.start("for (let i = 0; i < 40; i++) await tools.large(); return 'done'");
    let events = handle.events();
    assert_eq!(handle.outcome().await.into_result().expect("it completes"), json!("done"));
    let late = rest(events).await;
    let bytes: usize = late.iter().map(|event| json_of(event).to_string().len()).sum();
    let most = ByteSize::bytes((Events::MAX_BYTES + 100_000) as u64);
    assert!(late[0].number > 0 && most.holds(bytes) && outcome_of(&late).is_some(), "{bytes}");
}

#[tokio::test]
async fn cancelling_ends_an_execution_for_good() {
    let gate = Gate::new();
    let isobox = gated(&gate);
    for run in [Run::from("await tools.gate()"), Run::from("await tools.gate()").durable()] {
        let handle = isobox.start(run);
        gate.entered().await;
        handle.cancel();
        let (id, events) = (handle.id().clone(), handle.events());
        assert_eq!(code(handle.outcome().await), Code::Aborted);
        gate.left().await;
        assert!(outcome_of(&rest(events).await).is_some());
        match isobox.resume(&id, Resume::default()).await {
            Ok(resumed) => assert_eq!(code(resumed.into_outcome().expect("it is over")), Code::Aborted),
            Err(failure) => assert_eq!(failure.code, Code::NotFound, "it was never kept"),
        }
    }
    let token = CancellationToken::new();
    let handle = isobox.start(Run::from("await tools.gate()").cancelled_by(token.clone()));
    gate.entered().await;
    token.cancel();
    assert_eq!(code(handle.await), Code::Aborted);
    let handle = isobox.start(Run::from("await tools.gate()").cancelled_by(CancellationToken::new()));
    handle.cancel();
    assert_eq!(code(handle.await), Code::Aborted);
}

#[tokio::test]
async fn dropping_a_handle_stops_its_execution_and_a_durable_one_can_be_resumed() {
    let gate = Gate::new();
    let isobox = gated(&gate);
    let handle = isobox.start("await tools.gate()");
    let events = handle.events();
    gate.entered().await;
    drop(handle);
    gate.left().await;
    assert!(outcome_of(&rest(events).await).is_none(), "the stream ends without an outcome");

    let handle = isobox.start(Run::from("return await tools.gate()").durable());
    let id = handle.id().clone();
    gate.entered().await;
    drop(handle);
    gate.left().await;
    gate.open();
    let outcome =
        isobox.resume(&id, Resume::default()).await.expect("it is kept").into_outcome().expect("no process runs it");
    assert_eq!(outcome.into_result().expect("it completes"), json!(3), "the call is idempotent, and is made again");
}

#[tokio::test]
async fn a_detached_execution_goes_on_without_its_handle() {
    let gate = Gate::new();
    let handle = gated(&gate).start("return await tools.gate()");
    let events = handle.events();
    gate.entered().await;
    handle.detach();
    gate.open();
    let events = rest(events).await;
    assert!(matches!(outcome_of(&events), Some(Outcome::Completed(_))), "{events:?}");
}

#[tokio::test]
async fn what_is_refused_before_it_begins_has_an_outcome_and_no_events() {
    let isobox = builder().build().expect("the runtime starts");
    let limits = LoweredLimits::default().memory(ByteSize::mib(1 << 20));
    let handle = isobox.start(Run::from("return 1").limits(limits));
    let id = handle.id().clone();
    assert!(rest(handle.events()).await.is_empty());
    let outcome = handle.outcome().await;
    assert_eq!(*outcome.execution_id(), id);
    outcome.into_result().expect_err("limits are only lowered");
}
