//! Durable sleep: programs that wait for timers are stored, and are woken when they are due.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox::journal::{Entry, Verdict};
use isobox::policy::{Approval, ApprovalRequest, Approver};
use isobox::store::{Filter, State, Store, memory_store};
use isobox::{
    CancellationToken, Code, Continuations, Decisions, ExecutionId, Isobox, Limits, LoweredLimits, Outcome, Resume,
    Resumed, Run, Sleeping, Tool, Woken, json,
};
use tokio::sync::Barrier;

const LIFETIME: Duration = Duration::from_secs(3600);

/// A process with these tools, over a store.
fn process(store: &Arc<dyn Store>, lifetime: Duration, paid: &Arc<AtomicU32>) -> Isobox {
    let paid = Arc::clone(paid);
    let pay = Tool::new("pay", move |input| {
        paid.fetch_add(1, Ordering::Relaxed);
        async move { Ok(input["amount"].clone()) }
    });
    let limits = Limits::default().lifetime(lifetime);
    let builder = Isobox::builder().limits(limits).store(Arc::clone(store));
    builder.tool(pay.expect("a tool").with_approval()).build().expect("a runtime")
}

fn runtime(store: &Arc<dyn Store>) -> Isobox {
    process(store, LIFETIME, &Arc::default())
}

fn durable(source: &str) -> Run {
    Run::from(source).durable()
}

/// Less time than any sleep takes.
fn short() -> LoweredLimits {
    LoweredLimits::default().timeout(Duration::from_millis(900))
}

fn asleep(outcome: Outcome) -> Sleeping {
    match outcome {
        Outcome::Sleeping(sleeping) => sleeping,
        other => panic!("it does not sleep: {other:?}"),
    }
}

async fn has_ended(isobox: &Isobox, id: &ExecutionId) -> bool {
    let inspected = isobox.inspect(id).await.expect("it is there");
    matches!(inspected.entries.last(), Some(Entry::Ended(_)))
}

async fn outcome(isobox: &Isobox, id: &ExecutionId) -> Outcome {
    let resumed = isobox.resume(id, Resume::default()).await.expect("it is there");
    resumed.into_outcome().expect("no other process runs it")
}

async fn woken(isobox: &Isobox) -> Vec<Woken> {
    let mut woken = Vec::new();
    isobox.wake_due(&CancellationToken::new(), |one| woken.push(one)).await.expect("the store works");
    woken
}

async fn through(isobox: &Isobox, sleeping: Sleeping) -> Outcome {
    let asleep = Resumed::Here(Box::new(Outcome::Sleeping(sleeping)));
    let token = CancellationToken::new();
    let ended = isobox.sleep_through(asleep, Resume::default(), Duration::from_secs(30), &token, |_| {}).await;
    ended.expect("it goes on").into_outcome().expect("no other process runs it")
}

const NAP: &str = "
    const before = Date.now();
    const seen = new Map([['a', 1]]);
    await new Promise((done) => setTimeout(done, 3200));
    return [seen.get('a'), Date.now() - before >= 3200];";

#[tokio::test]
async fn a_program_that_waits_for_a_timer_leaves_memory_and_goes_on_in_another_process() {
    let store = memory_store();
    let first = runtime(&store);
    let sleeping = asleep(first.run(durable(NAP)).await);
    assert_eq!(first.capacity().usage().live, 0);
    let listed = first.executions(Filter::newest(9).with(State::Sleeping)).await.expect("a list").executions;
    assert_eq!((listed.len(), listed[0].head.due, listed[0].is_held), (1, Some(sleeping.until), false));
    drop(first);

    let second = runtime(&store);
    assert!(woken(&second).await.is_empty(), "it is not due yet");
    let entries = async || second.inspect(&sleeping.execution_id).await.expect("it is there").entries.len();
    let before = entries().await;
    assert_eq!(asleep(outcome(&second, &sleeping.execution_id).await), sleeping);
    assert_eq!(entries().await, before, "one that is not due is not touched");
    let ended = through(&second, sleeping).await;
    assert_eq!(ended.into_result(), Ok(json!([1, true])));
    let listed = second.executions(Filter::newest(9)).await.expect("a list").executions;
    assert_eq!((listed[0].state(), listed[0].head.due), (State::Completed, None));
}

#[tokio::test]
async fn everything_that_is_due_is_woken_once_by_any_number_of_processes() {
    let store = memory_store();
    let [one, other] = [runtime(&store), runtime(&store)];
    for _ in 0..20 {
        asleep(one.run(durable(NAP)).await);
    }
    tokio::time::sleep(Duration::from_millis(3400)).await;
    let (here, there) = tokio::join!(woken(&one), woken(&other));
    let all: Vec<&Woken> = here.iter().chain(&there).collect();
    assert_eq!(all.len(), 20);
    assert!(all.iter().all(|woken| matches!(woken.outcome, Ok(Outcome::Completed(_)))), "{all:?}");
    assert!(woken(&one).await.is_empty());
}

#[tokio::test]
async fn a_scheduler_wakes_what_is_due_and_stops_when_it_is_dropped() {
    let store = memory_store();
    let isobox = runtime(&store);
    // Programs note the time at which they go on.
    let late =
        "const due = Date.now() + 3500; await new Promise((done) => setTimeout(done, 3500)); return Date.now() - due;";
    let scheduler = isobox.start_scheduler().expect("it has a store");
    let again = isobox.start_scheduler().expect("it has a store");
    let mut ids = Vec::new();
    for _ in 0..10 {
        ids.push(asleep(isobox.run(durable(late)).await).execution_id);
    }
    for id in &ids {
        while !has_ended(&isobox, id).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let late = outcome(&isobox, id).await.into_result().expect("it was woken").as_i64().expect("a number");
        assert!(late >= 0, "it was woken {late} ms late");
    }
    drop(scheduler);
    let last = asleep(isobox.run(durable(NAP)).await);
    drop(again);
    tokio::time::sleep(Duration::from_millis(3500)).await;
    let inspected = isobox.inspect(&last.execution_id).await.expect("it is there");
    assert!(matches!(inspected.entries.last(), Some(Entry::Paused(_))), "nothing woke it");
}

/// More executions than are woken at the same time. Each continues only when all have been woken.
const CROWD: usize = 40;

/// Puts the crowd to sleep.
async fn sleeping_crowd() -> (Isobox, Vec<ExecutionId>) {
    let meeting = Arc::new(Barrier::new(CROWD));
    let meet = Tool::new("meet", move |_| {
        let meeting = Arc::clone(&meeting);
        async move {
            meeting.wait().await;
            Ok(json!("met"))
        }
    });
    let builder = Isobox::builder().limits(Limits::default().lifetime(LIFETIME)).store(memory_store());
    let isobox = builder.tool(meet.expect("a tool")).build().expect("a runtime");
    let mut ids = Vec::new();
    for _ in 0..CROWD {
        let source = "await new Promise((done) => setTimeout(done, 3200)); return tools.meet()";
        ids.push(asleep(isobox.run(durable(source)).await).execution_id);
    }
    (isobox, ids)
}

#[tokio::test]
async fn a_woken_program_that_waits_for_a_tool_keeps_no_other_one_from_waking() {
    let (isobox, ids) = sleeping_crowd().await;
    let _scheduler = isobox.start_scheduler().expect("it has a store");
    for id in &ids {
        while !has_ended(&isobox, id).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(outcome(&isobox, id).await.into_result(), Ok(json!("met")));
    }
}

#[tokio::test]
async fn all_that_is_due_is_woken_although_some_wait_for_the_others() {
    let (isobox, ids) = sleeping_crowd().await;
    tokio::time::sleep(Duration::from_millis(3400)).await;
    let woken = woken(&isobox).await;
    assert_eq!(woken.len(), ids.len());
    assert!(woken.iter().all(|woken| matches!(woken.outcome, Ok(Outcome::Completed(_)))), "{woken:?}");
}

#[tokio::test]
async fn an_execution_whose_tool_is_missing_is_not_lost_and_stays_due() {
    let store = memory_store();
    let isobox = runtime(&store);
    let own = || Tool::new("own", |_| async { Ok(json!(7)) }).expect("a tool");
    let run = durable("await new Promise((done) => setTimeout(done, 3100)); return tools.own()").tool(own());
    let sleeping = asleep(isobox.run(run).await);
    tokio::time::sleep(Duration::from_millis(3200)).await;
    for _ in 0..2 {
        let all = woken(&isobox).await;
        let failure = all[0].outcome.as_ref().expect_err("its tool is missing");
        assert_eq!((all.len(), failure.code), (1, Code::UnknownTool));
    }
    let resumed = isobox.resume(&sleeping.execution_id, Resume::default().tool(own())).await.expect("it goes on");
    assert_eq!(resumed.into_outcome().expect("it ran here").into_result(), Ok(json!(7)));
}

const RACE: &str = "
    let late;
    const timer = new Promise((done) => { late = setTimeout(() => done('the timer'), 3300); });
    const won = await Promise.race([tools.pay({ amount: 5 }), timer]);
    clearTimeout(late);
    return won;";

#[tokio::test]
async fn of_a_timer_and_an_approval_the_first_wins() {
    for approves in [true, false] {
        let (store, paid) = (memory_store(), Arc::default());
        let isobox = process(&store, LIFETIME, &paid);
        let Outcome::Paused(paused) = isobox.run(durable(RACE)).await else { panic!("it does not pause") };
        assert!(paused.until.is_some() && paused.pending.len() == 1, "{paused:?}");
        let id = &paused.execution_id;
        if approves {
            let approved = Decisions::about_all("ada", paused.revision, Verdict::Approve);
            isobox.decide(id, approved).await.expect("it is pending");
            assert_eq!(outcome(&isobox, id).await.into_result(), Ok(json!(5)));
            assert_eq!(paid.load(Ordering::Relaxed), 1);
        } else {
            tokio::time::sleep(Duration::from_millis(3400)).await;
            let all = woken(&isobox).await;
            let ended = all.into_iter().next().expect("it is due").outcome.expect("it is woken");
            assert_eq!(ended.into_result(), Ok(json!("the timer")));
            assert_eq!(paid.load(Ordering::Relaxed), 0);
        }
    }
}

#[tokio::test]
async fn a_decision_after_the_timer_was_due_comes_too_late_although_nobody_was_awake() {
    for verdict in [Verdict::Approve, Verdict::Deny(None)] {
        let (store, paid) = (memory_store(), Arc::default());
        let isobox = process(&store, LIFETIME, &paid);
        let Outcome::Paused(paused) = isobox.run(durable(RACE)).await else { panic!("it does not pause") };
        tokio::time::sleep(Duration::from_millis(3400)).await;
        let decided = Decisions::about_all("ada", paused.revision, verdict);
        isobox.decide(&paused.execution_id, decided).await.expect("it is pending");
        assert_eq!(outcome(&isobox, &paused.execution_id).await.into_result(), Ok(json!("the timer")));
        assert_eq!(paid.load(Ordering::Relaxed), 0);
    }
}

#[tokio::test]
async fn a_decision_before_the_timer_was_due_counts_although_nobody_was_awake() {
    let (store, paid) = (memory_store(), Arc::default());
    let isobox = process(&store, LIFETIME, &paid);
    let Outcome::Paused(paused) = isobox.run(durable(RACE)).await else { panic!("it does not pause") };
    let approved = Decisions::about_all("ada", paused.revision, Verdict::Approve);
    isobox.decide(&paused.execution_id, approved).await.expect("it is pending");
    tokio::time::sleep(Duration::from_millis(3400)).await;
    assert_eq!(outcome(&isobox, &paused.execution_id).await.into_result(), Ok(json!(5)));
    assert_eq!(paid.load(Ordering::Relaxed), 1);
}

/// Never decides.
struct Silent;

impl Approver for Silent {
    fn decide(&self, _request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        std::future::pending().boxed()
    }
}

#[tokio::test]
async fn a_race_of_a_timer_and_an_approval_that_cannot_sleep_ends_with_advice() {
    let awake = process(&memory_store(), Duration::ZERO, &Arc::default());
    let pay = Tool::new("pay", |_| async { Ok(json!(5)) }).expect("a tool").with_approval();
    let asking = Isobox::builder().tool(pay).approver(Silent).build().expect("a runtime");
    let keys = Continuations::new(&[7; 32]).expect("a secret");
    let limited = |source: &str| Run::from(source).limits(LoweredLimits::default().timeout(Duration::from_secs(2)));
    let (kept, stateless, asked, napped) = tokio::join!(
        awake.run(limited(RACE).durable()),
        awake.run_stateless(limited(RACE), &keys),
        asking.run(limited(RACE)),
        awake.run(limited(NAP).durable()),
    );
    for (outcome, is_advised) in [(kept, true), (stateless, true), (asked, true), (napped, false)] {
        let failure = outcome.into_result().expect_err("its time is up");
        assert_eq!((failure.code, failure.details.get("limit")), (Code::Timeout, Some(&json!("timeout"))));
        let hint = failure.hint.expect("advice");
        let advice = ["set the limit `lifetime`", "without a timer"];
        assert!(advice.iter().all(|part| hint.contains(part) == is_advised), "{hint}");
    }
}

#[tokio::test]
async fn sleep_counts_against_the_lifetime_and_not_the_time_out() {
    // Each pass is short, and all sleeps together exceed the time-out.
    let store = memory_store();
    let isobox = runtime(&store);
    let long =
        "for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done, 2010)); return 'rested'";
    let sleeping = asleep(isobox.run(durable(long).limits(short())).await);
    assert_eq!(through(&isobox, sleeping).await.into_result(), Ok(json!("rested")));

    let brief = process(&store, Duration::from_millis(3500), &Arc::default());
    let sleeping = asleep(brief.run(durable("await new Promise((done) => setTimeout(done, 1e9))")).await);
    let failure = through(&brief, sleeping).await.into_result().expect_err("it is too old");
    assert_eq!((failure.code, failure.details.get("limit")), (Code::Timeout, Some(&json!("lifetime"))));
    assert!(failure.message.contains("older than 3.5s"), "{failure}");

    // Without durable sleep, and without a journal, timers count as ever.
    let off = short().lifetime(Duration::ZERO);
    for run in
        [durable("await new Promise((done) => setTimeout(done, 2000))").limits(off), Run::from(NAP).limits(short())]
    {
        let failure = isobox.run(run).await.into_result().expect_err("its time is up");
        assert_eq!((failure.code, failure.details.get("limit")), (Code::Timeout, Some(&json!("timeout"))));
    }
}

#[tokio::test]
async fn a_timer_that_is_cleared_does_not_wake_the_program() {
    let store = memory_store();
    let isobox = runtime(&store);
    let program = "
        const long = setTimeout(() => console.log('never'), 3600e3);
        await new Promise((done) => setTimeout(done, 3100));
        clearTimeout(long);
        await new Promise((done) => setTimeout(done, 3100));
        return 'done';";
    let sleeping = asleep(isobox.run(durable(program)).await);
    let ended = through(&isobox, sleeping).await;
    assert_eq!((ended.logs().len(), ended.into_result()), (0, Ok(json!("done"))));
}

#[tokio::test]
async fn a_sleeper_is_rejected_cancelled_and_deleted_without_waking() {
    let store = memory_store();
    let isobox = runtime(&store);
    let hour = "await new Promise((done) => setTimeout(done, 3600e3 - 1e5)); return 1";
    let (token, mut ids) = (CancellationToken::new(), Vec::new());
    for _ in 0..3 {
        ids.push(asleep(isobox.run(durable(hour)).await).execution_id);
    }
    isobox.reject(&ids[0], "ada", None).await.expect("it is not over");
    let rejected = isobox.executions(Filter::newest(9).with(State::Decided)).await.expect("a list").executions;
    assert_eq!(rejected.len(), 1);
    // Its process may have died before it could end it.
    assert_eq!(isobox.end_stopped().await.expect("the store works"), [ids[0].clone()]);
    isobox.cancel(&ids[1], "ada", None).await.expect("it is not over");
    let ended = isobox.see_ended(&ids[1], &token).await.expect("it ends").into_outcome().expect("here");
    assert_eq!(ended.into_result().expect_err("it was cancelled").code, Code::Aborted);
    isobox.delete(&ids[2], "ada").await.expect("it is deleted");
    assert_eq!(store.due(isobox::Timestamp(u64::MAX), None, 9).await.expect("it works").due, []);
    let expired = isobox.expire("ada", Duration::ZERO).await.expect("the store works");
    assert_eq!(expired.executions, []);
}

#[tokio::test]
async fn only_what_was_due_and_not_woken_expires() {
    let store = memory_store();
    let isobox = runtime(&store);
    let due = asleep(isobox.run(durable(NAP)).await).execution_id;
    let later = asleep(isobox.run(durable("await new Promise((done) => setTimeout(done, 1e6))")).await).execution_id;
    tokio::time::sleep(Duration::from_millis(3400)).await;
    let expired = isobox.expire("ada", Duration::from_millis(20)).await.expect("the store works").executions;
    assert_eq!(expired, std::slice::from_ref(&due));
    let failure = outcome(&isobox, &due).await.into_result().expect_err("it has expired");
    assert!(failure.message.contains("not woken"), "{failure}");
    asleep(outcome(&isobox, &later).await);
}

#[tokio::test]
async fn a_stateless_program_does_not_sleep() {
    let isobox = runtime(&memory_store());
    let keys = Continuations::new(&[7; 32]).expect("a secret");
    let failure =
        isobox.run_stateless(Run::from(NAP).limits(short()), &keys).await.into_result().expect_err("its time is up");
    assert_eq!((failure.code, failure.details.get("limit")), (Code::Timeout, Some(&json!("timeout"))));
}

#[tokio::test]
async fn absurd_delays_and_many_timers_are_bounded() {
    let store = memory_store();
    let isobox = runtime(&store);
    let program = "
        const fired = [];
        for (const delay of [NaN, -1, -Infinity, undefined, null, 'x', 0]) setTimeout(() => fired.push(String(delay)), delay);
        await new Promise((done) => setTimeout(done, 50));
        let refused;
        let last;
        try { for (let count = 0; count < 1e6; count++) last = setTimeout(() => {}, Infinity); } catch (error) { refused = error.name; }
        clearTimeout(last);
        await new Promise((done) => setTimeout(done, 3100));
        return [fired.length, refused];";
    let sleeping = asleep(isobox.run(durable(program)).await);
    assert_eq!(through(&isobox, sleeping).await.into_result(), Ok(json!([7, "RangeError"])));
    let far = asleep(isobox.run(durable("await new Promise((done) => setTimeout(done, Infinity))")).await);
    let created = isobox.inspect(&far.execution_id).await.expect("it is there").beginning.created;
    assert_eq!(far.until.0 - created.0, LIFETIME.as_millis() as u64, "the lifetime bounds it");
}
