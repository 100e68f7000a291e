//! Durable executions: they wait for people, continue in other processes, and repeat nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use isobox::calls::CallState;
use isobox::journal::{Entry, Remember, Verdict};
use isobox::store::memory_store;
use isobox::store::{Filter, Status, Store};
use isobox::{
    CallSeq, Code, ConflictKind, Decisions, Isobox, Outcome, Paused, PendingKind, Program, Run, Tool, ToolError, Value,
    json,
};
use isobox::{Resume, Resumed};

/// Counts the effects of tools.
#[derive(Clone, Default)]
struct Effects(Arc<AtomicU32>);

impl Effects {
    fn count(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

fn runtime(store: &Arc<dyn Store>, effects: &Effects) -> Isobox {
    let counted = effects.clone();
    let send = Tool::new("mail.send", move |input| {
        let effects = counted.clone();
        async move {
            effects.0.fetch_add(1, Ordering::SeqCst);
            Ok(json!({ "sent": input["to"] }))
        }
    });
    let login = Tool::with_call("drive.list", |call| async move {
        match call.resolution {
            Some(token) => Ok(json!(["a.txt", token["user"]])),
            None => Err(ToolError::interrupt(json!({ "url": "https://login.example.com" }))),
        }
    });
    let read = Tool::new("mail.read", |input| async move { Ok(json!({ "read": input })) });
    Isobox::builder()
        .store(Arc::clone(store))
        .tool(send.expect("a tool").with_approval())
        .tool(login.expect("a tool"))
        .tool(read.expect("a tool"))
        .build()
        .expect("a runtime")
}

fn paused(outcome: Outcome) -> Paused {
    match outcome {
        Outcome::Paused(paused) => paused,
        other => panic!("it did not pause: {other:?}"),
    }
}

fn result(outcome: Outcome) -> Value {
    outcome.into_result().expect("it completes")
}

async fn resume(isobox: &Isobox, paused: &Paused, decisions: Decisions) -> Outcome {
    isobox.decide(&paused.execution_id, decisions).await.expect("it is decided");
    match isobox.resume(&paused.execution_id, Resume::default()).await.expect("it goes on") {
        Resumed::Here(outcome) => *outcome,
        Resumed::Elsewhere => panic!("no other process runs it"),
    }
}

fn durable(source: &str) -> Run {
    Run::new(Program::single(source)).durable()
}

#[tokio::test]
async fn a_program_waits_for_a_person_and_goes_on_in_another_runtime() {
    let (store, effects) = (memory_store(), Effects::default());
    let first = runtime(&store, &effects);
    let outcome = first
        .run(durable(
            "const seen = new Map([['a', 1]]);
             console.log('before', Math.random() < 2, (await tools.mail.read({ id: 1 })).read.id);
             const [sent, read] = await Promise.all([tools.mail.send({ to: 'ada' }), tools.mail.read({ id: 2 })]);
             seen.set('b', sent.sent);
             return [...seen, read.read.id];",
        ))
        .await;
    let paused = paused(outcome);
    assert_eq!(effects.count(), 0);
    assert_eq!(paused.pending.len(), 1);
    assert_eq!((paused.pending[0].path.as_str(), paused.pending[0].kind), ("mail.send", PendingKind::Approval));
    assert_eq!(paused.pending[0].input, json!({ "to": "ada" }));
    let states: Vec<CallState> = paused.calls.iter().map(|call| call.state).collect();
    assert_eq!(states, [CallState::Applied, CallState::Pending, CallState::Applied]);

    drop(first);
    let second = runtime(&store, &effects);
    let approve = Decisions::about_all("ada", paused.revision, Verdict::Approve).reason("she asked for it");
    let outcome = resume(&second, &paused, approve).await;
    let entries = second.inspect(outcome.execution_id()).await.expect("it is kept").entries;
    let decided = entries.iter().find_map(|entry| match entry {
        Entry::Decided(decided) => Some((decided.decision.by.as_str(), decided.decision.reason.as_deref())),
        _ => None,
    });
    assert_eq!(decided, Some(("ada", Some("she asked for it"))));
    assert_eq!(outcome.logs().len(), 1, "what was logged before is not logged again");
    assert_eq!(result(outcome), json!([["a", 1], ["b", "ada"], 2]));
    assert_eq!(effects.count(), 1);
    let listed = second.executions(Filter::newest(10)).await.expect("a list").executions;
    assert_eq!((listed.len(), listed[0].head.status), (1, Status::Completed));
}

/// A tool that asks twice, and then loses what it was doing.
fn forgetful(store: &Arc<dyn Store>) -> Isobox {
    let tool = Tool::with_call("shop.order", |call| async move {
        match (call.interrupt, call.resolution) {
            (None, None) => Err(ToolError::interrupt(json!({ "step": 1 }))),
            (Some(asked), Some(_)) if asked["step"] == 1 => Err(ToolError::interrupt(json!({ "step": 2 }))),
            (Some(asked), Some(answer)) => Err(ToolError::in_doubt(format!("{asked} was answered with {answer}"))),
            other => Err(ToolError::new(format!("{other:?} do not belong together"))),
        }
    });
    Isobox::builder().store(Arc::clone(store)).tool(tool.expect("a tool")).build().expect("a runtime")
}

#[tokio::test]
async fn a_tool_gets_the_interrupt_that_was_answered_and_may_leave_its_call_in_doubt() {
    let store = memory_store();
    let source = "try { return await tools.shop.order({}) } catch (error) { return error.message }";
    let first = paused(forgetful(&store).run(durable(source)).await);
    assert_eq!(first.pending[0].payload, Some(json!({ "step": 1 })));
    let answer = |answer: Value| Decisions::new("ada", [(CallSeq::new(0), Verdict::Answer(answer))]);
    let second = paused(resume(&forgetful(&store), &first, answer(json!("yes"))).await);
    assert_eq!(second.pending[0].payload, Some(json!({ "step": 2 })));
    let third = paused(resume(&forgetful(&store), &second, answer(json!("no"))).await);
    assert_eq!((third.pending[0].kind, third.calls[0].state), (PendingKind::InDoubt, CallState::InDoubt));
    let happened = Decisions::new("ada", [(CallSeq::new(0), Verdict::Happened(json!({ "order": 7 })))]);
    assert_eq!(result(resume(&forgetful(&store), &third, happened).await), json!({ "order": 7 }));
    // A run that cannot wait fails the call.
    let doubtful = Tool::new("a", |_| async { Err(ToolError::in_doubt("nobody knows")) }).expect("a tool");
    let isobox = Isobox::builder().tool(doubtful).build().expect("a runtime");
    let outcome = isobox
        .run(Run::new(Program::single("try { await tools.a({}) } catch (e) { return [e.code, e.message] }")))
        .await;
    assert_eq!(result(outcome), json!(["TOOL", "nobody knows"]));
}

#[tokio::test]
async fn a_denial_can_be_caught_and_a_rejection_cannot() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let source = "try { await tools.mail.send({ to: 'ada' }) } catch (error) { return [error.code, error.message] }";
    let first = paused(isobox.run(durable(source)).await);
    let denied = Decisions::new("bob", [(CallSeq::new(0), Verdict::Deny(Some("not today".to_owned())))]);
    let outcome = resume(&isobox, &first, denied).await;
    assert_eq!(outcome.calls()[0].state, CallState::Denied);
    assert_eq!(result(outcome), json!(["APPROVAL_DENIED", "a person denied the call of `mail.send`: not today"]));

    let second = paused(isobox.run(durable(source)).await);
    isobox.reject(&second.execution_id, "bob", Some("stop")).await.expect("it is said");
    let Resumed::Here(outcome) = isobox.resume(&second.execution_id, Resume::default()).await.expect("it ends") else {
        panic!("no other process runs it")
    };
    let failure = outcome.into_result().expect_err("it was ended");
    assert_eq!((failure.code, failure.message.as_str()), (Code::Rejected, "bob rejected the execution: stop"));
    assert_eq!(effects.count(), 0);
}

#[tokio::test]
async fn a_decision_is_on_what_was_shown_and_counts_once() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let source = "const [a] = await Promise.allSettled([tools.mail.send({ to: 'a' }), tools.mail.send({ to: 'b' })]);
                  await tools.mail.send({ to: 'c' }); return a.status";
    let first = paused(isobox.run(durable(source)).await);
    let id = &first.execution_id;
    let code = |outcome: Result<(), isobox::Failure>| outcome.expect_err("it is refused").code;
    let kind = |outcome: Result<(), isobox::Failure>| outcome.expect_err("it is refused").conflict_kind();
    let approve = |seq| Decisions::new("ada", [(CallSeq::new(seq), Verdict::Approve)]);
    assert_eq!(code(isobox.decide(id, approve(7)).await), Code::NotFound);
    assert_eq!(kind(isobox.decide(id, approve(0).shown_at(9)).await), Some(ConflictKind::Changed));
    let answer = Decisions::new("ada", [(CallSeq::new(0), Verdict::Answer(json!(1)))]);
    assert_eq!(kind(isobox.decide(id, answer).await), Some(ConflictKind::WrongDecision));
    isobox.decide(id, approve(0).shown_at(first.revision)).await.expect("it waits");
    assert_eq!(kind(isobox.decide(id, approve(0)).await), Some(ConflictKind::AlreadyDecided));
    let Resumed::Here(outcome) = isobox.resume(id, Resume::default()).await.expect("it goes on") else {
        panic!("here")
    };
    let second = paused(*outcome);
    assert_eq!(effects.count(), 1);
    assert_eq!(second.pending.len(), 1, "the other one still waits");
    assert_eq!(kind(isobox.decide(id, approve(0)).await), Some(ConflictKind::NotPending), "it is done");
    assert_eq!(
        kind(isobox.decide(id, Decisions::about_all("ada", first.revision, Verdict::Approve)).await),
        Some(ConflictKind::Changed)
    );
    let third = paused(resume(&isobox, &second, approve(1).shown_at(first.revision)).await);
    let outcome = resume(&isobox, &third, Decisions::about_all("ada", third.revision, Verdict::Approve)).await;
    assert_eq!(result(outcome), json!("fulfilled"));
    assert_eq!(effects.count(), 3);
    assert_eq!(kind(isobox.decide(id, approve(2)).await), Some(ConflictKind::NotPending), "it is over");
}

#[tokio::test]
async fn a_tool_gets_what_it_asked_for_with_the_same_key() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let first = paused(isobox.run(durable("return await tools.drive.list({})")).await);
    assert_eq!(first.pending[0].kind, PendingKind::Interrupt);
    assert_eq!(first.pending[0].payload, Some(json!({ "url": "https://login.example.com" })));
    let answer = Decisions::new("ada", [(CallSeq::new(0), Verdict::Answer(json!({ "user": "ada" })))]);
    assert_eq!(result(resume(&isobox, &first, answer).await), json!(["a.txt", "ada"]));
}

#[tokio::test]
async fn decisions_are_remembered_for_an_execution_or_for_a_session() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let source = "for (let i = 0; i < 3; i++) await tools.mail.send({ to: 'ada', cc: 'bob' }); return 'done'";
    let first = paused(isobox.run(durable(source)).await);
    let approve = || Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)]);
    let outcome = resume(&isobox, &first, approve().remember(Remember::Execution)).await;
    assert_eq!(result(outcome), json!("done"));
    let again = paused(isobox.run(durable(source).session("s1")).await);
    let outcome = resume(&isobox, &again, approve().remember(Remember::Session)).await;
    assert_eq!(result(outcome), json!("done"));
    let source = "return await tools.mail.send({ cc: 'bob', to: 'ada' })";
    assert_eq!(result(isobox.run(durable(source).session("s1")).await), json!({ "sent": "ada" }));
    paused(isobox.run(durable(source).session("s2")).await);
}

#[tokio::test]
async fn a_pending_call_shows_where_it_is_made() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let source = "const to: string = 'ada';\nasync function tell() {\n  await tools.mail.read({});\n  return tools.mail.send({ to });\n}\nreturn await Promise.all([tell(), tools.drive.list({})])";
    let first = paused(isobox.run(durable(source)).await);
    let places: Vec<_> =
        first.pending.iter().map(|call| call.at.clone().map(|at| (at.file, at.line, at.column))).collect();
    assert_eq!(places, [Some((None, 6, 47)), Some((None, 4, 21))]);
    let files = [
        ("main.ts", "import { tell } from './lib/tell.ts';\nexport default () => tell()"),
        ("lib/tell.ts", "\n\nexport const tell = () => tools.mail.send({ to: 'bob' })"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let program = Program::new(files.into(), "main.ts").expect("a program");
    let second = paused(isobox.run(Run::new(program).durable()).await);
    let at = second.pending[0].at.clone().expect("it is known");
    assert_eq!((at.file.as_deref(), at.line, at.column), (Some("lib/tell.ts"), 3, 38));
}

#[tokio::test]
async fn processor_time_from_before_a_pause_counts_after_it() {
    let store = memory_store();
    let source =
        "for (let i = 0; i < 400_000; i++); await tools.mail.send({ to: 1 }); await tools.mail.send({ to: 2 })";
    let mut outcome = runtime(&store, &Effects::default()).run(durable(source)).await;
    while let Outcome::Paused(paused) = outcome {
        let decisions = Decisions::about_all("ada", paused.revision, Verdict::Approve);
        outcome = resume(&runtime(&store, &Effects::default()), &paused, decisions).await;
    }
    let inspected = runtime(&store, &Effects::default()).inspect(outcome.execution_id()).await.expect("it is kept");
    let used = inspected.entries.iter().filter_map(|entry| match entry {
        Entry::Paused(paused) => Some(paused.used.cpu),
        _ => None,
    });
    let used: Vec<u64> = used.collect();
    // The work after the first pause is a small part of the work before.
    assert!(matches!(used[..], [first, second] if 0 < first && first < second), "{used:?}");
}

#[tokio::test]
async fn a_step_gives_the_same_after_any_resume() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let source = "const seen = [];
        const total = await codemode.step('total', async () => { seen.push(1); const { read } = await tools.mail.read({ id: 2 }); return { id: read.id, at: new Date(0) } });
        const nothing = await codemode.step('nothing', () => { seen.push(2) });
        await tools.mail.send({ to: 'ada' });
        return [total, nothing === undefined, seen]";
    let first = paused(isobox.run(durable(source)).await);
    assert_eq!(
        first.calls.iter().map(|call| call.path.as_str()).collect::<Vec<_>>(),
        ["mail.read", "codemode.step", "codemode.step", "mail.send"]
    );
    let approve = Decisions::new("ada", [(CallSeq::new(3), Verdict::Approve)]);
    let expected = json!([{ "id": 2, "at": "1970-01-01T00:00:00.000Z" }, true, [1, 2]]);
    assert_eq!(result(resume(&isobox, &first, approve).await), expected);
}

#[test]
fn futures_can_go_to_other_threads() {
    fn sent<T: Send>(_future: &T) {}
    let isobox = runtime(&memory_store(), &Effects::default());
    let id = isobox::ExecutionId::new(0, 0);
    sent(&isobox.run(durable("1")));
    sent(&isobox.resume(&id, Resume::default()));
    sent(&isobox.delete(&id, "ada"));
    sent(&isobox.expire("ada", std::time::Duration::ZERO));
}

#[tokio::test]
async fn what_is_asked_for_of_calls_is_there_of_those_before_a_resume_as_well() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let details = isobox::calls::CallDetails::default().inputs(true).outputs(true);
    let source = "await tools.mail.read({ id: 1 }); return await tools.mail.send({ to: 'ada' })";
    let first = paused(isobox.run(durable(source).details(details)).await);
    let id = &first.execution_id;
    let approve = Decisions::new("ada", [(CallSeq::new(1), Verdict::Approve)]);
    let outcome = resume(&isobox, &first, approve).await;
    let told = |outcome: &Outcome| {
        outcome.calls().iter().map(|call| (call.input.clone(), call.output.clone())).collect::<Vec<_>>()
    };
    let expected = [
        (Some(json!({ "id": 1 })), Some(json!({ "read": { "id": 1 } }))),
        (Some(json!({ "to": "ada" })), Some(json!({ "sent": "ada" }))),
    ];
    assert_eq!(told(&outcome), expected);
    let stored = isobox.inspect(id).await.expect("it is kept").outcome(id, isobox.policy()).expect("it is over");
    assert_eq!(told(&stored), expected);
}

#[tokio::test]
async fn a_tool_that_waited_for_approval_gets_the_defaults_of_its_input() {
    let schema = json!({ "type": "object", "properties": { "cc": { "type": "string", "default": "bob" } } });
    let echo = Tool::new("mail.echo", |input| async move { Ok(input) }).expect("a tool").with_approval();
    let echo = echo.input_schema(schema).expect("a schema").defaults(isobox::tools::Defaults::Fill);
    let isobox = Isobox::builder().store(memory_store()).tool(echo).build().expect("a runtime");
    let paused = paused(isobox.run(durable("return await tools.mail.echo({ to: 'ada' })")).await);
    assert_eq!(paused.pending[0].input, json!({ "to": "ada", "cc": "bob" }), "that is what is approved");
    let outcome = resume(&isobox, &paused, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await;
    assert_eq!(result(outcome), json!({ "to": "ada", "cc": "bob" }));
}

#[tokio::test]
async fn what_is_asked_is_seen_and_decided_while_other_calls_run() {
    let (store, effects) = (memory_store(), Effects::default());
    let released = Arc::new(tokio::sync::Notify::new());
    let release = Arc::clone(&released);
    let slow = Tool::new("demo.slow", move |_| {
        let released = Arc::clone(&released);
        async move {
            released.notified().await;
            Ok(json!("slow"))
        }
    });
    let counted = effects.clone();
    let send = Tool::new("mail.send", move |_| {
        counted.0.fetch_add(1, Ordering::SeqCst);
        async { Ok(json!("sent")) }
    });
    let read = Tool::new("mail.read", |_| async { Ok(json!("read")) });
    let tools = [slow.expect("a tool"), send.expect("a tool").with_approval(), read.expect("a tool")];
    let isobox = Isobox::builder().store(store).tools(tools).build().expect("a runtime");
    let source = "const slow = tools.demo.slow(); await tools.mail.read();
                  const sent = tools.mail.send(); return [await slow, await sent]";
    let person = async {
        loop {
            tokio::task::yield_now().await;
            let listed = isobox.executions(Filter::newest(1)).await.expect("a list").executions;
            let Some(one) = listed.first().filter(|one| one.head.pending > 0) else { continue };
            let shown = isobox.pending(&one.id).await.expect("it waits");
            isobox
                .decide(&one.id, Decisions::about_all("ada", shown.revision, Verdict::Approve))
                .await
                .expect("it is decided");
            break;
        }
        while effects.count() == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        release.notify_one();
    };
    let both = futures_util::future::join(isobox.run(durable(source)), person);
    let (outcome, ()) = tokio::time::timeout(std::time::Duration::from_secs(20), both).await.expect("it is seen");
    assert_eq!(result(outcome), json!(["slow", "sent"]));
}

#[tokio::test]
async fn what_could_not_be_read_again_or_kept_is_not_accepted_as_an_answer() {
    let isobox = runtime(&memory_store(), &Effects::default());
    let first = paused(isobox.run(durable("return await tools.drive.list({})")).await);
    let nested = |depth| (0..depth).fold(json!({ "user": "ada" }), |inner, _| json!([inner]));
    let answer = |value| Decisions::new("ada", [(CallSeq::new(0), Verdict::Answer(value))]);
    let refused = isobox.decide(&first.execution_id, answer(nested(100))).await.expect_err("it is too deep");
    assert_eq!(refused.code, Code::Serialization);
    assert_eq!(refused.message, "the answer to call 0 is nested deeper than 100 levels");
    let large = answer(json!({ "user": "a".repeat(1_000_001) }));
    let refused = isobox.decide(&first.execution_id, large).await.expect_err("it is too large");
    assert_eq!(refused.code, Code::OutputTooLarge, "{refused}");
    let outcome = resume(&isobox, &first, answer(nested(99))).await;
    assert_eq!(result(outcome)[0], json!("a.txt"));
}
