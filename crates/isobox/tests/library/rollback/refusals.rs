//! Calls that failed although they took effect, and what a catalogue and a rollback refuse.

use std::time::Duration;

use isobox::calls::CallState;
use isobox::journal::{Entry, Settlement, Verdict};
use isobox::policy::{OwnDecisions, Policy};
use isobox::rollback::{RevertCall, Reverting, Rollback};
use isobox::store::{Timing, memory_store};
use isobox::tools::ToolPath;
use isobox::{
    ByteSize, Code, Decisions, ExecutionId, Isobox, Limits, Outcome, Program, Resume, Run, Tool, ToolError, Value, json,
};

use super::{Undone, builder, completed, rolled_back, seq};

#[tokio::test]
async fn a_call_whose_result_was_refused_is_reverted_if_its_revert_does_not_need_the_result() {
    let (store, undone) = (memory_store(), Undone::default());
    let long = |path| Tool::new(path, |_| async { Ok(json!({ "text": "x".repeat(5_000) })) }).expect("a tool");
    let by = |input| RevertCall::new("things.name", input);
    let log = undone.clone();
    let own = move |reverting: Reverting| {
        log.add(format!("{} {:?}", reverting.input, reverting.result));
        async { Ok(Value::Null) }
    };
    let tools = [
        long("long.own").revert(own.clone()),
        long("long.by_input").reverted_by(by(json!({ "id": "$input.id" }))),
        long("long.by_result").reverted_by(by(json!({ "id": "$result.text" }))),
        long("long.plain"),
        Tool::new("checked", |_| async { Ok(json!("a text")) })
            .expect("a tool")
            .output_schema(json!({ "type": "number" }))
            .expect("a schema")
            .revert(own.clone()),
        Tool::new("own.check", |_| async { Err(ToolError::invalid_output("no id")) }).expect("a tool").revert(own),
        Tool::new("refused", |_| async { Err(ToolError::invalid_input("no")) }).expect("a tool"),
    ];
    let limits = Limits::default().output(ByteSize::kib(1));
    let isobox = builder(&store, &undone).limits(limits).tools(tools).build().expect("a runtime");
    let source = "
        const { long, own } = tools;
        const codes = [];
        for (const call of [long.own, long.by_input, long.by_result, long.plain, tools.checked, own.check, tools.refused]) {
            codes.push(await call({ id: 5 }).catch((error) => error.code));
        }
        return codes;";
    let outcome = isobox.run(Run::new(Program::single(source)).durable()).await;
    let Outcome::Completed(done) = &outcome else { panic!("it completes: {outcome:?}") };
    let long = "OUTPUT_TOO_LARGE";
    assert_eq!(done.result, json!([long, long, long, long, "INVALID_OUTPUT", "INVALID_OUTPUT", "INVALID_INPUT"]));
    let id = outcome.execution_id();
    let plan = isobox.rollback_plan(id, &Rollback::default()).await.expect("a plan");
    assert_eq!(plan.reverts.iter().map(|one| one.seq).collect::<Vec<_>>(), [5, 4, 1, 0].map(seq));
    let done = rolled_back(&isobox, id, Rollback::default()).await;
    assert_eq!((done.reverted, done.left == plan.left), ([0, 1, 4, 5].map(seq).to_vec(), true));
    let left: Vec<_> = done.left.iter().map(|left| (left.seq, &*left.reason)).collect();
    let expected = [
        (seq(3), "its tool has no revert"),
        (seq(2), "the input of its revert cannot be made: its result was not stored"),
    ];
    assert_eq!(left, expected);
    let own = r#"{"id":5} None"#;
    assert_eq!(undone.all(), [own, own, r#"{"id":5}"#, own]);
}

#[tokio::test]
async fn a_call_that_failed_although_it_may_have_taken_effect_is_left() {
    let (store, undone) = (memory_store(), Undone::default());
    let lost = Tool::new("lost", |input| async move {
        if input["late"] == json!(true) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err(ToolError::in_doubt("the connection was lost"))
    });
    let timing = Timing::default().doubt(Duration::ZERO);
    let tools = [lost.expect("a tool").revert(|_| async { Ok(Value::Null) })];
    let isobox = builder(&store, &undone).timing(timing).tools(tools).build().expect("a runtime");
    let left = async |id: &ExecutionId| {
        let plan = isobox.rollback_plan(id, &Rollback::default()).await.expect("a plan");
        assert_eq!(plan.reverts, []);
        plan.left.into_iter().map(|left| left.reason).collect::<Vec<_>>()
    };
    let unknown = ["it is unknown whether the call took effect"];
    // Nobody knows, and the call fails.
    let failed = isobox.run(Run::from("return await tools.lost().catch(() => 0)").durable()).await;
    let Outcome::Paused(paused) = failed else { panic!("it is in doubt: {failed:?}") };
    let id = paused.execution_id;
    isobox.decide(&id, Decisions::about_all("ada", paused.revision, Verdict::Fail(None))).await.expect("it waits");
    let outcome = isobox.resume(&id, Resume::default()).await.expect("it goes on").into_outcome();
    assert!(matches!(outcome, Some(Outcome::Completed(_))), "{outcome:?}");
    assert_eq!(left(&id).await, unknown);
    // The program has returned, and does not wait for a decision.
    let source = "const call = tools.lost({ late: true }); call.catch(() => 0); return 1";
    let outcome = isobox.run(Run::from(source).durable()).await;
    let Outcome::Completed(done) = &outcome else { panic!("it completes: {outcome:?}") };
    assert_eq!((done.calls[0].state, done.warnings.len()), (CallState::CancelledUnknown, 1));
    assert_eq!(left(outcome.execution_id()).await, unknown);
    // It is made again, and nobody knows about that attempt.
    let repeated = isobox.run(Run::from("return await tools.lost()").durable()).await;
    let Outcome::Paused(paused) = repeated else { panic!("it is in doubt: {repeated:?}") };
    let id = paused.execution_id;
    let not = Decisions::about_all("ada", paused.revision, Verdict::DidNotHappen);
    isobox.decide(&id, not).await.expect("it waits");
    let again = isobox.resume(&id, Resume::default()).await.expect("it goes on").into_outcome();
    assert!(matches!(again, Some(Outcome::Paused(_))), "it is lost again: {again:?}");
    isobox.reject(&id, "ada", None).await.expect("it waits");
    isobox.resume(&id, Resume::default()).await.expect("it ends");
    assert_eq!(left(&id).await, unknown);
}

#[tokio::test]
async fn a_revert_whose_result_is_refused_has_succeeded() {
    let (store, undone) = (memory_store(), Undone::default());
    let tool = |path: &str| Tool::new(path, |_| async { Ok(json!(1)) }).expect("a tool");
    let log = undone.clone();
    let undo = move |what: &'static str, result: fn() -> Value| {
        let log = log.clone();
        Tool::new(what, move |_| {
            log.add(what.to_owned());
            async move { Ok(result()) }
        })
        .expect("a tool")
    };
    let by = |path: &str| RevertCall::new(path, json!({}));
    let deep = || (0..5_000).fold(json!(1), |inner, _| Value::Array(vec![inner]));
    let tools = [
        tool("a").reverted_by(by("long")),
        tool("b").reverted_by(by("deep")),
        tool("c").reverted_by(by("wrong")),
        tool("d").reverted_by(by("secret")),
        undo("long", || json!("x".repeat(5_000))),
        undo("deep", deep),
        undo("wrong", || json!("a text")).output_schema(json!({ "type": "number" })).expect("a schema"),
        undo("secret", || json!("hunter2")).ephemeral(),
    ];
    let limits = Limits::default().output(ByteSize::kib(1));
    let isobox = Isobox::builder().store(store).limits(limits).tools(tools).build().expect("a runtime");
    let id = completed(&isobox, "for (const path of ['a', 'b', 'c', 'd']) await tools[path](); return 1").await;
    let done = rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!((done.reverted.len(), done.failed.len()), (4, 0));
    rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(undone.all(), ["secret", "wrong", "deep", "long"], "none is made again");
    let journal = isobox.inspect(&id).await.expect("it is kept");
    let results: Vec<String> = journal.entries.iter().filter_map(stored_result).collect();
    assert_eq!(results[4..], ["null", "\"a text\"", "null", "null"]);
}

fn stored_result(entry: &Entry) -> Option<String> {
    match entry {
        Entry::Settled(settled) => match &settled.settlement {
            Settlement::Result(json) => Some(json.get().to_owned()),
            other => Some(format!("{other:?}")),
        },
        _ => None,
    }
}

#[tokio::test]
async fn the_path_of_the_reverts_of_a_tool_is_taken() {
    let tool = |path: &str| Tool::new(path, |_| async { Ok(json!(1)) }).expect("a tool");
    let create = || tool("create").revert(|_| async { Ok(Value::Null) });
    let expected = "a tool has the path `create.revert`, which is that of the reverts of `create`";
    for tools in [[create(), tool("create.revert")], [tool("create.revert"), create()]] {
        let failure = Isobox::builder().tools(tools).build().err().expect("they clash");
        assert_eq!((failure.code, &*failure.message), (Code::Config, expected));
    }
    let isobox = Isobox::builder().tool(create()).build().expect("a runtime");
    let outcome = isobox.run(Run::from("return 1").tool(tool("create.revert"))).await;
    assert_eq!(outcome.into_result().expect_err("they clash").code, Code::Config);
    // Without a function for its reverts, a tool takes no other path.
    let other = tool("create").reverted_by(RevertCall::new("create.revert", json!({})));
    Isobox::builder().tools([other, tool("create.revert")]).build().expect("they do not clash");
}

#[tokio::test]
async fn a_tool_with_the_longest_path_can_be_reverted() {
    let (store, path) = (memory_store(), "a".repeat(ToolPath::MAX_LENGTH));
    let tool = Tool::new(&path, |_| async { Ok(json!(1)) }).expect("a tool").revert(|_| async { Ok(Value::Null) });
    let isobox = Isobox::builder().store(store).tool(tool).build().expect("a runtime");
    let id = completed(&isobox, &format!("return await tools.{path}()")).await;
    assert_eq!(rolled_back(&isobox, &id, Rollback::default()).await.reverted, [seq(0)]);
}

#[tokio::test]
async fn nobody_rolls_back_their_own_execution_where_the_host_denies_own_decisions() {
    let (store, undone) = (memory_store(), Undone::default());
    let lax = builder(&store, &undone).build().expect("a runtime");
    let policy = Policy::default().with_own_decisions(OwnDecisions::Deny);
    let strict = builder(&store, &undone).policy(policy).build().expect("a runtime");
    let run = |name: &str| {
        let source = format!("await tools.things.create({{ name: '{name}' }}); return 1");
        lax.run(Run::new(Program::single(source)).durable().principal("ada"))
    };
    let (asking, plain) = (run("asking").await, run("plain").await);
    let asking = asking.execution_id();
    let refused = strict.rollback(asking, "ada", Rollback::default()).await.expect_err("it is hers");
    assert_eq!((refused.code, undone.all().len()), (Code::Forbidden, 0), "{refused}");

    let begun = lax.rollback(asking, "ada", Rollback::default()).await.expect("this process allows it");
    assert!(matches!(begun, Outcome::Paused(_)), "the revert has a question: {begun:?}");
    let refused = strict.resume(asking, Resume::default()).await.expect_err("it is not continued here");
    assert_eq!((refused.code, undone.all().len()), (Code::Forbidden, 1), "{refused}");
    strict.cancel(asking, "ada", None).await.expect("that is no decision");
    let ended = strict.resume(asking, Resume::default()).await.expect("it ends").into_outcome();
    assert!(ended.is_some_and(|outcome| !matches!(outcome, Outcome::Paused(_))), "the rollback is over");

    let done = strict.rollback(plain.execution_id(), "bob", Rollback::default()).await.expect("it is not his");
    assert!(matches!(done, Outcome::RolledBack(_)), "{done:?}");
}
