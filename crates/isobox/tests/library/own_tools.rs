//! Tools of a single run: visible like those of the runtime, recorded without their functions, and provided again on
//! resume.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use isobox::journal::Verdict;
use isobox::policy::{Action, Approval, ApprovalRequest, Approver, Policy, Rule};
use isobox::rollback::Rollback;
use isobox::store::{Filter, State, Store, memory_store};
use isobox::tools::ToolDefinition;
use isobox::{
    BoxFuture, Builder, CancellationToken, Checks, Code, Decisions, ExecutionId, Failure, Isobox, Outcome, Paused,
    Resume, Run, Tool, ToolError, Value, json,
};

use crate::gate::Gate;

fn builder() -> Builder {
    let clock =
        Tool::new("office.clock", |_| async { Ok(json!("noon")) }).expect("a tool").description("tells the time");
    Isobox::builder().max_live(NonZeroU32::new(2).expect("it is not zero")).tool(clock)
}

/// Creates a runtime that the store considers another process.
fn process(store: &Arc<dyn Store>) -> Isobox {
    builder().store(Arc::clone(store)).build().expect("a runtime")
}

/// Returns a tool of a run that counts its calls.
fn letter(calls: &Arc<AtomicU32>) -> Tool {
    let calls = Arc::clone(calls);
    let tool = Tool::new("desk.letter", move |input| {
        let calls = Arc::clone(&calls);
        async move {
            calls.fetch_add(1, Ordering::SeqCst);
            Ok(json!({ "to": input["to"] }))
        }
    });
    let schema = json!({ "type": "object", "properties": { "to": { "type": "string" } }, "required": ["to"] });
    tool.expect("a tool").description("writes a letter").input_schema(schema).expect("a schema")
}

const WRITES: &str = "const time = await tools.office.clock(); return [time, await tools.desk.letter({ to: 'ada' })]";

fn written() -> Value {
    json!(["noon", { "to": "ada" }])
}

fn failure(outcome: Outcome) -> Failure {
    outcome.into_result().expect_err("it fails")
}

fn paused(outcome: Outcome) -> Paused {
    match outcome {
        Outcome::Paused(paused) => paused,
        other => panic!("it did not pause: {other:?}"),
    }
}

async fn approve(isobox: &Isobox, paused: &Paused) {
    let decisions = Decisions::about_all("ada", paused.revision, Verdict::Approve);
    isobox.decide(&paused.execution_id, decisions).await.expect("it waits for that");
}

async fn resumed(isobox: &Isobox, id: &ExecutionId, tools: impl IntoIterator<Item = Tool>) -> Result<Outcome, Failure> {
    let resumed = isobox.resume(id, Resume::default().tools(tools)).await?;
    Ok(resumed.into_outcome().expect("no other process runs it"))
}

/// Returns a durable execution that is waiting for approval of its own tool.
async fn waiting(isobox: &Isobox, calls: &Arc<AtomicU32>) -> Paused {
    paused(isobox.run(Run::from(WRITES).durable().tool(letter(calls).with_approval())).await)
}

#[tokio::test]
async fn a_program_finds_the_tools_of_its_run_as_it_finds_those_of_the_runtime() {
    let calls = Arc::default();
    let isobox = builder().namespaces_as_globals().build().expect("a runtime");
    let run = |source: &str| isobox.run(Run::from(source).tools([letter(&calls)]));
    assert_eq!(run(WRITES).await.into_result().expect("it completes"), written());
    let found = "return (await codemode.search('write a letter')).results.map((one) => one.path)";
    assert_eq!(run(found).await.into_result().expect("it completes"), json!(["desk.letter"]));
    let types = run("return (await codemode.describe('desk')).types").await.into_result().expect("it completes");
    assert!(types.as_str().expect("a text").contains("to: string"), "{types}");
    let global = run("return [await office.clock(), await desk.letter({ to: 'ada' })]").await;
    assert_eq!(global.into_result().expect("it completes"), written());
    assert_eq!(failure(run("await tools.desk.letter({})").await).code, Code::Check);
    assert_eq!(failure(isobox.run(WRITES).await).code, Code::Check, "other runs have no such tool");
    assert!(isobox.catalogue().get("desk.letter").is_none());
}

struct Yes;

impl Approver for Yes {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        let is_its_own = request.path == "desk.letter";
        Box::pin(async move { if is_its_own { Approval::Approved } else { Approval::Denied(None) } })
    }
}

#[tokio::test]
async fn rules_and_approvers_decide_about_the_tools_of_a_run() {
    let calls = Arc::default();
    let rule = |action| Policy::new(vec![Rule::new(vec!["desk.*".parse().expect("a pattern")], action)]);
    let run = || Run::from(WRITES).tool(letter(&calls));
    let denying = builder().policy(rule(Action::Deny(None))).build().expect("a runtime");
    assert_eq!(failure(denying.run(run()).await).code, Code::Check);
    assert_eq!(failure(denying.run(run().checks(Checks::Off)).await).code, Code::Forbidden);
    let asking = || builder().policy(rule(Action::RequireApproval { except_read_only: false }));
    assert_eq!(failure(asking().build().expect("a runtime").run(run()).await).code, Code::ApprovalRequired);
    assert_eq!(calls.load(Ordering::SeqCst), 0);
    let asked = asking().approver(Yes).build().expect("a runtime").run(run()).await;
    assert_eq!(asked.into_result().expect("it is approved"), written());
}

#[tokio::test]
async fn a_path_that_is_taken_fails_the_run_and_overrides_nothing() {
    let (store, calls) = (memory_store(), Arc::default());
    let isobox = process(&store);
    let clock = || Tool::new("office.clock", |_| async { Ok(json!("midnight")) }).expect("a tool");
    let twice = Run::from("return 1").tools([letter(&calls), letter(&calls)]);
    let source = "return await tools.office.clock()";
    for run in [Run::from(source).tool(clock()), Run::from(source).durable().tool(clock()), twice] {
        let refused = failure(isobox.run(run).await);
        assert_eq!(refused.code, Code::Config);
        assert!(refused.message.contains("is taken"), "{refused}");
    }
    assert_eq!(isobox.run(source).await.into_result().expect("it completes"), json!("noon"));
    assert!(isobox.executions(Filter::newest(1)).await.expect("a store").executions.is_empty(), "nothing is kept");
}

#[tokio::test]
async fn a_durable_run_records_its_tools_and_a_resume_brings_their_functions() {
    let (store, calls) = (memory_store(), Arc::default());
    let waiting = waiting(&process(&store), &calls).await;
    let (id, elsewhere) = (&waiting.execution_id, process(&store));
    let recorded = elsewhere.inspect(id).await.expect("it is kept").beginning.tools.into_owned();
    assert_eq!(recorded, [letter(&calls).with_approval().definition()]);
    approve(&elsewhere, &waiting).await;

    let length = || async { elsewhere.inspect(id).await.expect("it is kept").entries.len() };
    let before = length().await;
    let other = Tool::new("desk.stamp", |_| async { Ok(json!(null)) }).expect("a tool");
    for tools in [vec![], vec![other.clone()]] {
        let refused = resumed(&elsewhere, id, tools).await.expect_err("a tool is missing");
        assert_eq!((refused.code, &refused.details["tools"]), (Code::UnknownTool, &json!(["desk.letter"])));
        assert!(refused.message.contains("`desk.letter`"), "{refused}");
    }
    assert_eq!(length().await, before, "it stays as it was");
    assert_eq!(elsewhere.inbox(id).await.expect("a store").len(), 1, "and so does the decision");

    let outcome = resumed(&process(&store), id, [other, letter(&calls).with_approval()]).await.expect("all are there");
    assert_eq!(outcome.into_result().expect("it completes"), written());
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    let again = resumed(&elsewhere, id, []).await.expect("it is over, so that it needs no functions");
    assert_eq!(again.into_result().expect("it completes"), written());
}

#[tokio::test]
async fn an_execution_whose_process_died_waits_for_a_process_that_has_its_tools() {
    let (store, gate) = (memory_store(), Gate::new());
    let isobox = process(&store);
    let handle = isobox.start(Run::from("return await tools.gate()").durable().tool(gate.tool()));
    let id = handle.id().clone();
    gate.entered().await;
    drop(handle);
    gate.left().await;
    let elsewhere = process(&store);
    assert_eq!(resumed(&elsewhere, &id, []).await.expect_err("its tool is missing").code, Code::UnknownTool);
    let orphaned = Filter::newest(1).with(State::Orphaned);
    assert_eq!(elsewhere.executions(orphaned).await.expect("a store").executions[0].id, id);
    gate.open();
    let outcome = resumed(&elsewhere, &id, [gate.tool()]).await.expect("its tool is there");
    assert_eq!(outcome.into_result().expect("it completes"), json!(2), "the call is idempotent, and is made again");
}

#[tokio::test]
async fn an_approval_is_void_where_the_definition_has_changed() {
    let (store, calls) = (memory_store(), Arc::default());
    let isobox = process(&store);
    let first = waiting(&isobox, &calls).await;
    approve(&isobox, &first).await;
    let changed = || letter(&calls).with_approval().description("burns a letter");
    let again = paused(resumed(&isobox, &first.execution_id, [changed()]).await.expect("it is there"));
    assert_eq!(calls.load(Ordering::SeqCst), 0, "another tool was approved");
    assert!(again.revision > first.revision);
    approve(&isobox, &again).await;
    let outcome = resumed(&isobox, &first.execution_id, [changed()]).await.expect("it is there");
    assert_eq!(outcome.into_result().expect("it completes"), written());
}

#[tokio::test]
async fn a_resume_in_a_runtime_that_has_a_tool_of_the_same_path_is_refused() {
    let (store, calls) = (memory_store(), Arc::default());
    let first = waiting(&process(&store), &calls).await;
    let (id, other) = (&first.execution_id, Arc::default());
    let taken = builder().tool(letter(&other)).store(Arc::clone(&store)).build().expect("a runtime");
    approve(&taken, &first).await;
    assert_eq!(resumed(&taken, id, []).await.expect_err("it is another tool").code, Code::UnknownTool);
    let brought = [letter(&calls).with_approval()];
    assert_eq!(resumed(&taken, id, brought.clone()).await.expect_err("its path is taken").code, Code::Config);
    let outcome = resumed(&process(&store), id, brought).await.expect("its path is free");
    assert_eq!(outcome.into_result().expect("it completes"), written());
    assert_eq!((calls.load(Ordering::SeqCst), other.load(Ordering::SeqCst)), (1, 0));
}

#[tokio::test]
async fn what_ends_and_shows_executions_needs_no_functions() {
    let (store, calls) = (memory_store(), Arc::default());
    let (isobox, house) = (process(&store), process(&store));
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(waiting(&isobox, &calls).await.execution_id);
    }
    let token = CancellationToken::new();
    let report = house.resume(&ids[0], Resume::default().only_if_decided()).await.expect("it is only reported");
    assert_eq!(paused(report.into_outcome().expect("no other process runs it")).pending[0].path, "desk.letter");
    house.reject(&ids[0], "ada", None).await.expect("it waits");
    let seen = house.see_ended(&ids[0], &token).await.expect("a store").into_outcome().expect("it has ended");
    assert_eq!(failure(seen).code, Code::Rejected);
    house.cancel(&ids[1], "ada", None).await.expect("it waits");
    assert_eq!(house.end_stopped().await.expect("a store"), [ids[1].clone()]);
    house.cancel(&ids[2], "ada", None).await.expect("it waits");
    assert_eq!(failure(resumed(&house, &ids[2], []).await.expect("it ends")).code, Code::Aborted);
    house.delete(&ids[3], "ada").await.expect("it is paused");
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(house.expire("ada", Duration::ZERO).await.expect("a store").executions, [ids[4].clone()]);
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_retry_under_a_chosen_id_brings_tools_with_the_same_definitions() {
    let (store, gate, id) = (memory_store(), Gate::new(), ExecutionId::new(1_800_000_000_000, 18));
    let isobox = process(&store);
    let attempt = |tools: Vec<Tool>| Run::from("return await tools.gate()").durable().id(id.clone()).tools(tools);
    let handle = isobox.start(attempt(vec![gate.tool()]));
    gate.entered().await;
    drop(handle);
    gate.left().await;
    let calls = Arc::default();
    for tools in [vec![], vec![gate.tool().description("another")], vec![gate.tool(), letter(&calls)]] {
        let refused = failure(process(&store).run(attempt(tools)).await);
        assert_eq!(refused.code, Code::Conflict);
        assert!(refused.message.contains("other tools"), "{refused}");
    }
    gate.open();
    let outcome = process(&store).run(attempt(vec![gate.tool()])).await;
    assert_eq!(outcome.into_result().expect("it is resumed with its tools"), json!(2));
}

#[tokio::test]
async fn a_tool_that_a_client_defines_can_be_made_again_of_what_was_recorded() {
    let (store, isobox) = (memory_store(), process(&memory_store()));
    let sent = json!({
        "path": "client.pay", "description": "pays", "approval": "always",
        "inputSchema": { "type": "object", "properties": { "amount": { "type": "number" } } },
    });
    let definition: ToolDefinition = serde_json::from_value(sent).expect("a definition");
    let tool = |definition: ToolDefinition| {
        definition.into_tool(|call| async move { Ok(json!({ "paid": call.input["amount"] })) }).expect("a tool")
    };
    let source = "return await tools.client.pay({ amount: 7 })";
    assert_eq!(
        failure(isobox.run(Run::from(source).tool(tool(definition.clone()))).await).code,
        Code::ApprovalRequired
    );
    let first = paused(process(&store).run(Run::from(source).durable().tool(tool(definition))).await);
    let elsewhere = process(&store);
    approve(&elsewhere, &first).await;
    let recorded = elsewhere.inspect(&first.execution_id).await.expect("it is kept").beginning.tools.into_owned();
    let outcome = resumed(&elsewhere, &first.execution_id, recorded.into_iter().map(tool)).await.expect("it is there");
    assert_eq!(outcome.into_result().expect("the approval is for this tool"), json!({ "paid": 7 }));
}

#[tokio::test]
async fn definitions_that_take_too_much_are_not_recorded() {
    let (store, calls) = (memory_store(), Arc::default());
    let isobox = process(&store);
    let run = || Run::from(WRITES).tool(letter(&calls).description("x".repeat(2 << 20)));
    assert_eq!(failure(isobox.run(run().durable()).await).code, Code::Config);
    assert!(isobox.executions(Filter::newest(1)).await.expect("a store").executions.is_empty(), "nothing is kept");
    assert_eq!(isobox.run(run()).await.into_result().expect("nothing is recorded of it"), written());
}

#[tokio::test]
async fn a_process_whose_tools_do_not_fit_gives_a_rollback_back_at_once() {
    let store = memory_store();
    let lamp = || {
        let on = Tool::new("desk.lamp", |_| async { Ok(json!("on")) }).expect("a tool");
        on.revert(|reverting| async move {
            let answer = reverting.resolution.is_some();
            if answer { Ok(json!("off")) } else { Err(ToolError::interrupt(json!("really?"))) }
        })
    };
    let isobox = process(&store);
    let done = isobox.run(Run::from("return await tools.desk.lamp()").durable().tool(lamp())).await;
    let id = done.execution_id().clone();
    let rollback = isobox.rollback(&id, "ada", Rollback::default().tools([lamp()])).await.expect("it begins");
    let asked = paused(rollback);
    let answer = Decisions::about_all("ada", asked.revision, Verdict::Answer(json!("yes")));
    isobox.decide(&id, answer).await.expect("it waits for that");
    // It has a tool of this name already.
    let other = builder().store(Arc::clone(&store)).tool(lamp()).build().expect("a runtime");
    let refused = other.resume(&id, Resume::default().tools([lamp()])).await.expect_err("two tools have one name");
    assert_eq!(refused.code, Code::Config, "{refused}");
    let outcome = resumed(&isobox, &id, [lamp()]).await.expect("it is free");
    assert!(matches!(&outcome, Outcome::RolledBack(done) if done.reverted.len() == 1), "{outcome:?}");
}
