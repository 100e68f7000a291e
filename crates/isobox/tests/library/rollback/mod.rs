//! Rollbacks: what is reverted, in which order, and what is left; approvals, doubts, failures, crashes.

mod doubts;
mod refusals;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use isobox::calls::CallState;
use isobox::journal::{Entry, Verdict};
use isobox::policy::{Action, Policy, Right, Rule};
use isobox::rollback::{RevertCall, Reverting, Rollback, RolledBack};
use isobox::store::{Filter, State, Store, memory_store};
use isobox::{
    Builder, CallSeq, Code, Decisions, ExecutionId, Isobox, Limits, Outcome, PendingKind, Principal, Program, Resume,
    Run, Tool, ToolError, Value, json,
};

/// The reverts that were made, in order.
#[derive(Clone, Default)]
struct Undone(Arc<Mutex<Vec<String>>>);

impl Undone {
    fn add(&self, what: String) {
        self.0.lock().expect("no test panics here").push(what);
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().expect("no test panics here").clone()
    }
}

fn rule(tools: &str, action: Action) -> Rule {
    Rule::new(vec![tools.parse().expect("a pattern")], action)
}

fn seq(number: u32) -> CallSeq {
    CallSeq::new(number)
}

/// Tools that create numbered things, and delete them again.
fn builder(store: &Arc<dyn Store>, undone: &Undone) -> Builder {
    let next = Arc::new(AtomicUsize::new(1));
    let create = Tool::new("things.create", move |input| {
        let id = next.fetch_add(1, Ordering::Relaxed);
        async move { Ok(json!({ "id": id, "name": input["name"] })) }
    });
    let log = undone.clone();
    let revert = move |reverting: Reverting| {
        let log = log.clone();
        async move {
            let result = reverting.result.unwrap_or_default();
            log.add(format!("{} {} {}", reverting.context.seq, reverting.input["name"], result["id"]));
            match reverting.input["name"].as_str() {
                Some("broken") => Err(ToolError::new("it cannot be deleted")),
                Some("panicking") => panic!("this text is for the host"),
                Some("slow") => std::future::pending().await,
                Some("asking") if reverting.resolution.is_none() => Err(ToolError::interrupt(json!("really?"))),
                _ => Ok(json!("deleted")),
            }
        }
    };
    let rename = Tool::new("things.rename", |input| async move { Ok(json!({ "before": "x", "id": input["id"] })) })
        .expect("a tool")
        .reverted_by(RevertCall::new("things.name", json!({ "id": "$input.id", "name": "$result.before" })));
    let log = undone.clone();
    let name = Tool::new("things.name", move |input| {
        let log = log.clone();
        async move {
            log.add(input.to_string());
            Ok(Value::Null)
        }
    });
    let note = Tool::new("note", |_| async { Ok(Value::Null) }).expect("a tool");
    let fail = Tool::new("fail", |_| async { Err(ToolError::new("no")) }).expect("a tool");
    let tools = [create.expect("a tool").revert(revert), rename, name.expect("a tool"), note, fail];
    Isobox::builder().store(Arc::clone(store)).tools(tools)
}

async fn completed(isobox: &Isobox, source: &str) -> ExecutionId {
    let outcome = isobox.run(Run::new(Program::single(source)).durable()).await;
    assert!(matches!(outcome, Outcome::Completed(_)), "{outcome:?}");
    outcome.execution_id().clone()
}

async fn rolled_back(isobox: &Isobox, id: &ExecutionId, options: Rollback) -> RolledBack {
    match isobox.rollback(id, "ada", options).await.expect("it can be rolled back") {
        Outcome::RolledBack(rolled_back) => rolled_back,
        other => panic!("it was not rolled back: {other:?}"),
    }
}

const THREE: &str = "
await tools.things.create({ name: 'a' });
await tools.note('n');
const b = await tools.things.create({ name: 'b' });
await tools.things.rename({ id: b.id, name: 'c' });
await tools.fail().catch(() => 0);
return 1";

#[tokio::test]
async fn calls_are_reverted_in_reverse_order_and_what_cannot_be_is_told() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = builder(&store, &undone).build().expect("a runtime");
    let id = completed(&isobox, THREE).await;
    let done = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(undone.all(), [r#"{"id":2,"name":"x"}"#, "6 \"b\" 2", "7 \"a\" 1"]);
    assert_eq!(done.reverted, [seq(0), seq(2), seq(3)]);
    assert_eq!((done.failed.len(), done.error, done.to), (0, None, None));
    let left: Vec<_> = done.left.iter().map(|left| (left.seq, &*left.path, &*left.reason)).collect();
    assert_eq!(left, [(seq(1), "note", "its tool has no revert")]);
    let states: Vec<_> = done.calls.iter().map(|call| (call.path.as_str(), call.state, call.reverts)).collect();
    let expected = [
        ("things.create", CallState::Reverted, None),
        ("note", CallState::Applied, None),
        ("things.create", CallState::Reverted, None),
        ("things.rename", CallState::Reverted, None),
        ("fail", CallState::Failed, None),
        ("things.name", CallState::Applied, Some(seq(3))),
        ("things.create.revert", CallState::Applied, Some(seq(2))),
        ("things.create.revert", CallState::Applied, Some(seq(0))),
    ];
    assert_eq!(states, expected);
    let listed = isobox.executions(Filter::newest(9).with(State::RolledBack)).await.expect("a list").executions;
    assert_eq!(listed.len(), 1);
    let shown = isobox.inspect(&id).await.expect("it is kept").outcome(&id, isobox.policy()).expect("it is over");
    assert!(matches!(&shown, Outcome::RolledBack(shown) if shown.reverted == done.reverted), "{shown:?}");
    assert_eq!(json!(shown)["status"], "rolled_back");
}

#[tokio::test]
async fn nothing_is_reverted_twice() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = builder(&store, &undone).build().expect("a runtime");
    let id = completed(&isobox, THREE).await;
    rolled_back(&isobox, &id, Rollback::default()).await;
    let again = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!((undone.all().len(), again.reverted.len(), again.failed.len()), (3, 3, 0));
}

#[tokio::test]
async fn a_failed_revert_does_not_stop_the_others_and_is_made_again_on_request() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = builder(&store, &undone).build().expect("a runtime");
    let source = "for (const name of ['a', 'broken', 'b']) await tools.things.create({ name }); return 1";
    let id = completed(&isobox, source).await;
    let done = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(done.reverted, [seq(0), seq(2)]);
    let failed: Vec<_> = done.failed.iter().map(|failed| (failed.seq, failed.error.as_ref().map(|e| e.code))).collect();
    assert_eq!(failed, [(seq(1), Some(Code::Tool))]);
    let again = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(undone.all(), ["3 \"b\" 3", "4 \"broken\" 2", "5 \"a\" 1", "6 \"broken\" 2"]);
    assert_eq!(again.failed.len(), 1);
}

#[tokio::test]
async fn a_revert_that_panics_counts_as_a_failed_one() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = builder(&store, &undone).build().expect("a runtime");
    let source = "for (const name of ['a', 'panicking', 'b']) await tools.things.create({ name }); return 1";
    let id = completed(&isobox, source).await;
    let done = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(done.reverted, [seq(0), seq(2)], "the others are reverted");
    let failed: Vec<_> = done.failed.iter().map(|failed| (failed.seq, failed.error.as_ref().map(|e| e.code))).collect();
    assert_eq!(failed, [(seq(1), Some(Code::Tool))]);
    assert!(
        !json!(Outcome::RolledBack(done)).to_string().contains("for the host"),
        "the text of the panic is not told"
    );
    let again = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(undone.all(), ["3 \"b\" 3", "4 \"panicking\" 2", "5 \"a\" 1", "6 \"panicking\" 2"]);
    assert_eq!((again.reverted.len(), again.failed.len()), (2, 1), "it is made again on request");
}

#[tokio::test]
async fn an_execution_of_which_nothing_was_reverted_stays_as_it_was() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = builder(&store, &undone).build().expect("a runtime");
    let id = completed(&isobox, "await tools.things.create({ name: 'broken' }); return 5").await;
    let outcome = isobox.rollback(&id, "ada", Rollback::default()).await.expect("it is tried");
    let Outcome::Failed(failed) = outcome else { panic!("nothing was reverted: {outcome:?}") };
    assert_eq!(failed.error.code, Code::Tool);
    assert!(failed.error.message.contains("it cannot be deleted"), "{}", failed.error.message);
    let shown = isobox.inspect(&id).await.expect("it is kept").outcome(&id, isobox.policy());
    assert!(matches!(shown, Some(Outcome::Completed(completed)) if completed.result == json!(5)));
    let listed = isobox.executions(Filter::newest(9).with(State::Completed)).await.expect("a list").executions;
    assert_eq!(listed.len(), 1);
}

#[tokio::test]
async fn an_execution_goes_back_to_a_step() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = builder(&store, &undone).build().expect("a runtime");
    let source = "
        await codemode.step('first', () => tools.things.create({ name: 'a' }));
        await codemode.step('second', () => tools.things.create({ name: 'b' }));
        await tools.things.create({ name: 'c' });
        return 1";
    let id = completed(&isobox, source).await;
    let missing = isobox.rollback(&id, "ada", Rollback::default().to("third")).await.expect_err("there is none");
    assert_eq!((missing.code, missing.hint.as_deref()), (Code::NotFound, Some("its steps are `first`, `second`")));
    let done = rolled_back(&isobox, &id, Rollback::default().to("first")).await;
    assert_eq!(undone.all().iter().map(|one| &one[2..5]).collect::<Vec<_>>(), ["\"c\"", "\"b\""]);
    assert_eq!(done.to.as_deref(), Some("first"));
    let rest = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!((undone.all().len(), rest.reverted.len()), (3, 3));
    let (said, again) = (rest.in_words(), rolled_back(&isobox, &id, Rollback::default()).await.in_words());
    assert_eq!(said, "1 call was reverted (2 calls were reverted before)");
    assert_eq!(again, "no calls were reverted (3 calls were reverted before)");
}

#[tokio::test]
async fn a_dry_run_changes_nothing() {
    let (store, undone) = (memory_store(), Undone::default());
    let rules = vec![rule("things.create", Action::Redact(vec!["/name".to_owned()]))];
    let isobox = builder(&store, &undone).policy(Policy::new(rules)).build().expect("a runtime");
    let id = completed(&isobox, THREE).await;
    let before = isobox.inspect(&id).await.expect("it is kept").entries.len();
    let plan = isobox.rollback_plan(&id, &Rollback::default()).await.expect("a plan");
    let shown: Vec<_> = plan.reverts.iter().map(|one| (one.seq, &*one.path, &*one.by)).collect();
    let expected = [
        (seq(3), "things.rename", "things.name"),
        (seq(2), "things.create", "things.create.revert"),
        (seq(0), "things.create", "things.create.revert"),
    ];
    assert_eq!((shown.as_slice(), plan.left.len()), (&expected[..], 1));
    let redacted = json!({ "input": { "name": "[redacted]" }, "result": { "id": 1, "name": "[redacted]" } });
    assert_eq!(plan.reverts[2].input, redacted);
    assert_eq!(undone.all(), [""; 0]);
    assert_eq!(isobox.inspect(&id).await.expect("it is kept").entries.len(), before);
}

#[tokio::test]
async fn a_revert_may_need_approval_and_another_process_continues() {
    let (store, undone) = (memory_store(), Undone::default());
    let approval = || vec![rule("things.*.revert", Action::RequireApproval { except_read_only: false })];
    let runtime = || builder(&store, &undone).policy(Policy::new(approval())).build().expect("a runtime");
    let isobox = runtime();
    let id = completed(&isobox, THREE).await;
    let outcome = isobox.rollback(&id, "ada", Rollback::default()).await.expect("it begins");
    let Outcome::Paused(paused) = outcome else { panic!("it needs approval: {outcome:?}") };
    assert_eq!((paused.pending.len(), paused.pending[0].kind), (1, PendingKind::Approval));
    let pending = &paused.pending[0];
    assert_eq!((&*pending.path, pending.reverts), ("things.create.revert", Some(seq(2))));
    assert_eq!(pending.reverts_path.as_deref(), Some("things.create"));
    assert_eq!(undone.all().len(), 1, "the last call is reverted");
    drop(isobox);
    let isobox = runtime();
    isobox.decide(&id, Decisions::about_all("ada", paused.revision, Verdict::Approve)).await.expect("it waits");
    let resumed = isobox.resume(&id, Resume::default()).await.expect("it continues").into_outcome();
    let Some(Outcome::Paused(paused)) = resumed else { panic!("the next one needs approval: {resumed:?}") };
    let deny = Decisions::about_all("ada", paused.revision, Verdict::Deny(Some("keep it".to_owned())));
    isobox.decide(&id, deny).await.expect("it waits");
    let resumed = isobox.resume(&id, Resume::default()).await.expect("it continues").into_outcome();
    let Some(Outcome::RolledBack(done)) = resumed else { panic!("it is over: {resumed:?}") };
    assert_eq!((done.reverted, done.failed[0].seq), (vec![seq(2), seq(3)], seq(0)));
    assert_eq!(done.failed[0].error.as_ref().map(|error| error.code), Some(Code::ApprovalDenied));
    assert_eq!(undone.all().len(), 2);
}

#[tokio::test]
async fn a_revert_may_be_interrupted() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = builder(&store, &undone).build().expect("a runtime");
    let id = completed(&isobox, "await tools.things.create({ name: 'asking' }); return 1").await;
    let outcome = isobox.rollback(&id, "ada", Rollback::default()).await.expect("it begins");
    let Outcome::Paused(paused) = outcome else { panic!("it asks: {outcome:?}") };
    assert_eq!(paused.pending[0].payload, Some(json!("really?")));
    let answer = Decisions::about_all("ada", paused.revision, Verdict::Answer(json!("yes")));
    isobox.decide(&id, answer).await.expect("it waits");
    let resumed = isobox.resume(&id, Resume::default()).await.expect("it continues").into_outcome();
    assert!(matches!(&resumed, Some(Outcome::RolledBack(done)) if done.reverted == [seq(0)]), "{resumed:?}");
}

#[tokio::test]
async fn a_rollback_can_be_rejected() {
    let (store, undone) = (memory_store(), Undone::default());
    let rules = vec![rule("things.*.revert", Action::RequireApproval { except_read_only: false })];
    let isobox = builder(&store, &undone).policy(Policy::new(rules)).build().expect("a runtime");
    let id = completed(&isobox, "await tools.things.create({ name: 'a' }); return 5").await;
    isobox.rollback(&id, "ada", Rollback::default()).await.expect("it pauses");
    isobox.reject(&id, "bob", Some("leave it")).await.expect("it can be rejected");
    let resumed = isobox.resume(&id, Resume::default()).await.expect("it ends").into_outcome();
    assert!(matches!(&resumed, Some(Outcome::Failed(failed)) if failed.error.code == Code::Rejected), "{resumed:?}");
    let shown = isobox.inspect(&id).await.expect("it is kept").outcome(&id, isobox.policy());
    assert!(matches!(shown, Some(Outcome::Completed(_))), "the program had completed: {shown:?}");
}

#[tokio::test]
async fn only_what_has_ended_is_rolled_back_by_those_who_may_decide() {
    let (store, undone) = (memory_store(), Undone::default());
    let rules = vec![rule("note", Action::RequireApproval { except_read_only: false })];
    let isobox = builder(&store, &undone).policy(Policy::new(rules)).build().expect("a runtime");
    let paused = isobox.run(Run::new(Program::single("return await tools.note(1)")).durable()).await;
    let id = paused.execution_id();
    let refused = isobox.rollback(id, "ada", Rollback::default()).await.expect_err("it waits");
    assert_eq!(refused.code, Code::Conflict);
    assert!(refused.hint.is_some_and(|hint| hint.contains("reject")));
    assert!(isobox.rollback_plan(id, &Rollback::default()).await.is_err());
    let only_runs = Principal::named("eve").with_rights(Right::Run);
    let done = completed(&isobox, "return 1").await;
    let refused = isobox.rollback(&done, only_runs, Rollback::default()).await.expect_err("eve may not decide");
    assert_eq!(refused.code, Code::Forbidden);
    let unknown = isobox.rollback(&ExecutionId::new(1, 1), "ada", Rollback::default()).await.expect_err("none");
    assert_eq!(unknown.code, Code::NotFound);
    let nothing = rolled_back(&isobox, &done, Rollback::default()).await;
    assert_eq!((nothing.reverted.len(), nothing.left.len()), (0, 0));
}

#[tokio::test]
async fn tools_that_are_missing_are_left_and_reverted_later() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = builder(&store, &undone).build().expect("a runtime");
    let id = completed(&isobox, THREE).await;
    let bare = Isobox::builder().store(Arc::clone(&store)).build().expect("a runtime");
    let none = rolled_back(&bare, &id, Rollback::default()).await;
    assert_eq!((none.reverted.len(), none.left.len()), (0, 4));
    assert!(none.left.iter().all(|left| left.reason == "its tool is missing"), "{:?}", none.left);
    let done = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(done.reverted.len(), 3);
}

#[tokio::test]
async fn tools_of_an_execution_are_brought_along() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = Isobox::builder().store(Arc::clone(&store)).build().expect("a runtime");
    let log = undone.clone();
    let own = Tool::new("own", |input| async move { Ok(input) }).expect("a tool").revert(move |reverting| {
        log.add(reverting.input.to_string());
        async { Ok(Value::Null) }
    });
    let run = Run::new(Program::single("return await tools.own(3)")).durable().tool(own.clone());
    let outcome = isobox.run(run).await;
    let id = outcome.execution_id().clone();
    let without = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(without.left[0].reason, "its tool is missing");
    let done = rolled_back(&isobox, &id, Rollback::default().tools([own])).await;
    assert_eq!((done.reverted, undone.all()), (vec![seq(0)], vec!["3".to_owned()]));
}

#[tokio::test]
async fn an_execution_whose_journal_is_full_can_be_rolled_back() {
    let (store, undone) = (memory_store(), Undone::default());
    let limits = Limits::default().journal(isobox::ByteSize::kib(6));
    let isobox = builder(&store, &undone).limits(limits).build().expect("a runtime");
    let source = "for (;;) await tools.things.create({ name: 'x'.repeat(200) })";
    let outcome = isobox.run(Run::new(Program::single(source)).durable()).await;
    let Outcome::Failed(failed) = &outcome else { panic!("the journal is full: {outcome:?}") };
    assert_eq!(failed.error.code, Code::JournalLimit);
    let made = failed.calls.iter().filter(|call| call.state == CallState::Applied).count();
    let done = rolled_back(&isobox, outcome.execution_id(), Rollback::default()).await;
    assert_eq!((done.reverted.len(), done.error), (made, None));
    let entries = isobox.inspect(outcome.execution_id()).await.expect("it is kept").entries;
    assert!(entries.iter().any(|entry| matches!(entry, Entry::Rollback(plan) if plan.reverts.len() == made)));
}

#[tokio::test]
async fn a_revert_is_told_the_time_of_one_call_and_not_that_of_the_whole_rollback() {
    let (store, undone) = (memory_store(), Undone::default());
    let limits = Limits::default();
    let (log, timeout) = (undone.clone(), limits.timeout);
    let tool = Tool::new("add", |input| async { Ok(input) }).expect("a tool").revert(move |reverting: Reverting| {
        log.add((reverting.context.time_left <= timeout).to_string());
        async { Ok(Value::Null) }
    });
    let isobox = builder(&store, &undone).limits(limits).tool(tool).build().expect("a runtime");
    let id = completed(&isobox, "await tools.add(1); await tools.add(2)").await;
    rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(undone.all(), ["true", "true"]);
}
