//! People and processes that are wrong, late, or concurrent.

use std::time::Duration;

use isobox::events::Label;
use isobox::journal::{Entry, Verdict};
use isobox::store::{Filter, State};
use isobox::{CallSeq, Code, Decisions, ExecutionId, Failure, Principal, json};
use isobox::{Resume, Resumed};

use super::support::{Database, Effects, PROGRAM, RESULT, approval, durable, here, paused, result, runtime};

fn code<T: std::fmt::Debug>(result: Result<T, Failure>) -> Code {
    result.expect_err("it is refused").code
}

#[test]
fn what_is_not_a_name_is_not_taken_for_one() {
    let long = format!("exec_{}", "0".repeat(100_000));
    let digits = "0".repeat(43);
    let names = ["", "exec_", "exec_\u{0}", "exec 1", "../exec_1", long.as_str(), "EXEC_", "exec_ü"];
    for name in names.into_iter().chain([format!("exec_{digits}\u{0}").as_str(), format!("exec_{digits}A").as_str()]) {
        let error = name.parse::<ExecutionId>().expect_err("it is not a name");
        assert!(error.to_string().len() < 300, "{error}");
        serde_json::from_value::<ExecutionId>(json!(name)).expect_err("it is not a name");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_knows_is_not_found() {
    for database in Database::each() {
        let isobox = runtime(&database.open().await, &Effects::default());
        let id = ExecutionId::new(1, 2);
        let decisions = || Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)]);
        assert_eq!(code(isobox.inspect(&id).await), Code::NotFound);
        assert_eq!(code(isobox.pending(&id).await), Code::NotFound);
        assert_eq!(code(isobox.decide(&id, decisions()).await), Code::NotFound);
        assert_eq!(code(isobox.reject(&id, "ada", None).await), Code::NotFound);
        assert_eq!(code(isobox.resume(&id, Resume::default()).await), Code::NotFound);
        assert_eq!(code(isobox.delete(&id, "ada").await), Code::NotFound);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_decided_is_decided_once() {
    for database in Database::each() {
        let effects = Effects::default();
        let isobox = runtime(&database.open().await, &effects);
        let waiting = paused(isobox.run(durable(PROGRAM)).await);
        let id = &waiting.execution_id;
        let approve = |seq| Decisions::new("ada", [(CallSeq::new(seq), Verdict::Approve)]);
        assert_eq!(code(isobox.decide(id, approve(0)).await), Code::Conflict, "it is done");
        assert_eq!(code(isobox.decide(id, approve(9)).await), Code::NotFound);
        assert_eq!(code(isobox.decide(id, approve(1).shown_at(waiting.revision + 1)).await), Code::Conflict);
        let all = Decisions::about_all("ada", waiting.revision + 1, Verdict::Approve);
        assert_eq!(code(isobox.decide(id, all).await), Code::Conflict);
        let answer = Decisions::new("ada", [(CallSeq::new(1), Verdict::Happened(json!(1)))]);
        assert_eq!(code(isobox.decide(id, answer).await), Code::Conflict);
        isobox.decide(id, approve(1)).await.expect("it waits");
        assert_eq!(code(isobox.decide(id, approve(1)).await), Code::Conflict);
        assert_eq!(result(here(isobox.resume(id, Resume::default()).await.expect("it goes on"))), json!(RESULT.0));
        assert_eq!(code(isobox.decide(id, approve(1)).await), Code::Conflict, "it is over");
        assert_eq!(code(isobox.reject(id, "ada", None).await), Code::Conflict);
        assert_eq!(result(here(isobox.resume(id, Resume::default()).await.expect("it is over"))), json!(RESULT.0));
        assert_eq!(effects.count(), RESULT.1);
    }
}

/// Has two pending calls at once.
const TWICE: &str = "
const [a, b] = await Promise.all(['a', 'b'].map((what) => tools.world.pay({ what })));
return a.did + b.did;";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_decisions_none_counts_where_one_does_not() {
    for database in Database::each() {
        let effects = Effects::default();
        let isobox = runtime(&database.open().await, &effects);
        let waiting = paused(isobox.run(durable(TWICE)).await);
        let id = &waiting.execution_id;
        let decide = async |by: &str, verdict: Verdict, calls: &[u32]| {
            let verdicts = calls.iter().map(|seq| (CallSeq::new(*seq), verdict.clone()));
            isobox.decide(id, Decisions::new(by, verdicts)).await
        };
        let twice = decide("bob", Verdict::Approve, &[1, 0, 1]).await.expect_err("it is refused");
        assert_eq!((twice.code, &*twice.message), (Code::Conflict, "there are two decisions about call 1"));
        decide("ada", Verdict::Approve, &[0]).await.expect("it waits");
        assert_eq!(code(decide("bob", Verdict::Deny(None), &[1, 0]).await), Code::Conflict);
        decide("ada", Verdict::Approve, &[1]).await.expect("there is no decision yet");
        assert_eq!(result(here(isobox.resume(id, Resume::default()).await.expect("it goes on"))), json!("ab"));
        let entries = isobox.inspect(id).await.expect("it is kept").entries;
        let by = entries.iter().filter_map(|entry| match entry {
            Entry::Decided(decided) => Some(decided.decision.by.as_str()),
            _ => None,
        });
        assert_eq!(by.collect::<Vec<_>>(), ["ada", "ada"]);
        assert_eq!(effects.count(), 2);
    }
}

/// The process that runs it continues as soon as one of two calls was approved, so that the pending calls keep
/// changing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_decisions_are_void_if_the_running_process_has_another() {
    for database in Database::each() {
        for _ in 0..5 {
            let effects = Effects::default();
            let (one, other) = (runtime(&database.open().await, &effects), runtime(&database.open().await, &effects));
            let running = tokio::spawn({
                let one = one.clone();
                let source =
                    format!("const free = tools.world.wait(1);{TWICE}").replace("return", "await free; return");
                async move { one.run(durable(&source)).await }
            });
            let id = loop {
                match other.executions(Filter::newest(1)).await.expect("a list").executions.pop() {
                    Some(listed) if listed.head.pending == 2 => break listed.id,
                    _ => tokio::time::sleep(Duration::from_millis(2)).await,
                }
            };
            one.decide(&id, Decisions::new("ada", [(CallSeq::new(1), Verdict::Approve)])).await.expect("it waits");
            let both = [(CallSeq::new(2), Verdict::Approve), (CallSeq::new(1), Verdict::Approve)];
            loop {
                assert_eq!(code(other.decide(&id, Decisions::new("bob", both.clone())).await), Code::Conflict);
                let state = other.inspect(&id).await.expect("it is kept").state;
                assert!(state.pending().any(|(call, _)| call.seq == CallSeq::new(2)), "bob has decided in part");
                if effects.count() > 0 {
                    break;
                }
            }
            one.decide(&id, Decisions::new("ada", [(CallSeq::new(2), Verdict::Approve)])).await.expect("it waits");
            effects.gate.add_permits(1);
            assert_eq!(result(running.await.expect("no panic")), json!("ab"));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_decide_at_once_one_does_and_it_happens_once() {
    for database in Database::each() {
        for _ in 0..5 {
            let effects = Effects::default();
            let (one, other) = (runtime(&database.open().await, &effects), runtime(&database.open().await, &effects));
            let waiting = paused(one.run(durable(PROGRAM)).await);
            let id = &waiting.execution_id;
            let (first, second) =
                tokio::join!(one.decide(id, approval(&waiting)), other.decide(id, approval(&waiting)));
            assert_eq!([&first, &second].iter().filter(|decided| decided.is_ok()).count(), 1, "{first:?} {second:?}");
            assert_eq!(code(first.and(second)), Code::Conflict);
            let (first, second) = tokio::join!(one.resume(id, Resume::default()), other.resume(id, Resume::default()));
            let outcomes = [first.expect("it goes on"), second.expect("it goes on")];
            let ends = outcomes.into_iter().filter_map(|resumed| match resumed {
                Resumed::Here(outcome) => Some(result(*outcome)),
                Resumed::Elsewhere => None,
            });
            let ends: Vec<_> = ends.collect();
            assert!(!ends.is_empty() && ends.iter().all(|end| *end == json!(RESULT.0)), "{ends:?}");
            assert_eq!(effects.count(), RESULT.1);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_runs_or_waits_is_not_pruned_and_can_be_deleted() {
    for database in Database::each() {
        let effects = Effects::default();
        let (isobox, other) = (runtime(&database.open().await, &effects), runtime(&database.open().await, &effects));
        let waiting = paused(isobox.run(durable(PROGRAM)).await);
        let running = tokio::spawn({
            let isobox = isobox.clone();
            async move { isobox.run(durable("return await tools.world.wait(1)")).await }
        });
        let over = isobox.run(durable("return 2")).await.execution_id().clone();
        let id = loop {
            let listed = other.executions(Filter::newest(9).with(State::Running)).await.expect("a list").executions;
            match listed.into_iter().find(|one| one.is_held) {
                Some(one) => break one.id,
                None => tokio::time::sleep(Duration::from_millis(2)).await,
            }
        };
        assert_eq!(other.prune("ada", 0).await.expect("it is pruned"), [over]);
        other.delete(&id, "ada").await.expect("it is ended first");
        let failure = running.await.expect("it ends").into_result().expect_err("it was ended");
        assert_eq!(failure.code, Code::Aborted);
        other.delete(&waiting.execution_id, "ada").await.expect("no process runs it");
        assert_eq!(other.executions(Filter::newest(9)).await.expect("a list").executions, []);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn labels_and_roles_may_hold_any_text() {
    for database in Database::each() {
        let isobox = runtime(&database.open().await, &Effects::default());
        let label = Label::default().function("\u{0}\u{1b}[31m ü".repeat(100));
        let run = durable(PROGRAM)
            .label(label.clone())
            .principal(Principal::named("ada").with_roles(["\u{0}"]))
            .session("\u{0}");
        let waiting = paused(isobox.run(run).await);
        isobox.decide(&waiting.execution_id, approval(&waiting)).await.expect("it waits");
        let outcome = here(isobox.resume(&waiting.execution_id, Resume::default()).await.expect("it goes on"));
        assert_eq!(result(outcome), json!(RESULT.0));
        let listed = isobox.executions(Filter::newest(1)).await.expect("a list").executions;
        assert_eq!(listed[0].head.function.as_deref(), label.function.as_deref());
    }
}
