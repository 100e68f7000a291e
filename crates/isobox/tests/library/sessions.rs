//! Sessions: programs find the globals that the program before them left.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::faulty_store::{Fault, FaultyStore};
use isobox::journal::Verdict;
use isobox::sessions::{BusySession, SessionOptions, WhenFull};
use isobox::store::{Store, memory_store};
use isobox::transcript::{ReplayEnd, ReplayUntil, Secrets};
use isobox::{
    ByteSize, Code, ConflictKind, Continuations, Decisions, Failure, Isobox, LoweredLimits, Outcome, Principal, Resume,
    Resumed, Run, Tool, Value, json,
};
use isobox_core::store::{Amended, Collection};

pub(super) fn runtime(store: Option<&Arc<dyn Store>>) -> Isobox {
    let pay = Tool::new("shop.pay", |_| async { Ok(json!("paid")) }).expect("a tool").with_approval();
    let wait = Tool::new("shop.wait", |_| async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        Ok(json!(1))
    });
    let builder = Isobox::builder().tool(pay).tool(wait.expect("a tool"));
    let builder = match store {
        Some(store) => builder.store(Arc::clone(store)),
        None => builder,
    };
    builder.build().expect("a runtime")
}

pub(super) fn cell(source: &str) -> Run {
    Run::from(source).session("work").globals(BusySession::Refuse)
}

pub(super) async fn result(isobox: &Isobox, run: Run) -> Value {
    isobox.run(run).await.into_result().expect("it completes")
}

pub(super) async fn refusal(isobox: &Isobox, run: Run) -> Failure {
    isobox.run(run).await.into_result().expect_err("it is refused")
}

#[tokio::test]
async fn globals_are_there_for_the_next_program_with_and_without_a_store() {
    for store in [None, Some(memory_store())] {
        let isobox = runtime(store.as_ref());
        assert_eq!(
            result(&isobox, cell("globalThis.a = [1]; globalThis.add = (n) => a.push(n); return a")).await,
            json!([1])
        );
        assert_eq!(result(&isobox, cell("add(2); return a")).await, json!([1, 2]));
        assert_eq!(result(&isobox, Run::from("return typeof a").session("work")).await, "undefined", "only if asked");
        assert_eq!(result(&isobox, cell("return typeof a").session("other")).await, "undefined");
        let session = isobox.sessions().get("work").await.expect("it is kept");
        assert_eq!(session.versions.iter().map(|version| version.number).collect::<Vec<_>>(), [1, 2]);
        assert!(session.versions[1].bytes < 64 << 10 && session.used_by.is_none());
    }
}

#[tokio::test]
async fn a_session_survives_the_process_and_goes_on_in_another() {
    let store = memory_store();
    result(&runtime(Some(&store)), cell("globalThis.a = new Map([['x', 1n]]); return 1")).await;
    assert_eq!(result(&runtime(Some(&store)), cell("return String(a.get('x'))")).await, "1");
}

#[tokio::test]
async fn a_program_that_fails_leaves_the_session_as_it_was() {
    let isobox = runtime(None);
    result(&isobox, cell("globalThis.a = 1; return a")).await;
    for source in
        ["globalThis.a = 2; throw new Error('no')", "globalThis.a = 2; tools.shop.wait(); return 1", "globalThis.a = ("]
    {
        refusal(&isobox, cell(source)).await;
        assert_eq!(result(&isobox, cell("return a")).await, 1, "{source}");
    }
    refusal(&isobox, cell("throw 1").session("never")).await;
    assert_eq!(isobox.sessions().get("never").await.expect_err("nothing was left in it").code, Code::NotFound);
}

#[tokio::test]
async fn a_second_program_is_refused_or_waits_for_its_turn() {
    for store in [None, Some(memory_store())] {
        let isobox = runtime(store.as_ref());
        let slow = "globalThis.n = (globalThis.n ?? 0) + await tools.shop.wait(); return n";
        let first = isobox.start(cell(slow));
        until_it_has_its_session(&first).await;
        let failure = refusal(&isobox, cell("return 1")).await;
        assert_eq!(failure.conflict_kind(), Some(ConflictKind::InUse));
        assert_eq!(failure.details["executionId"], json!(first.id()));
        let waiting = cell(slow).globals(BusySession::Wait);
        assert_eq!(result(&isobox, waiting).await, 2);
        assert_eq!(first.outcome().await.into_result(), Ok(json!(1)));
    }
}

/// Waits for the first event of an execution: its session is its own then.
async fn until_it_has_its_session(handle: &isobox::Handle) {
    handle.events().next().await.expect("an execution has events");
}

#[tokio::test]
async fn a_wait_for_a_session_has_an_end() {
    let isobox = runtime(None);
    let first = isobox.start(cell("await new Promise((done) => setTimeout(done, 5000)); return 1"));
    until_it_has_its_session(&first).await;
    let limits = LoweredLimits::default().timeout(Duration::from_millis(100));
    let failure = refusal(&isobox, cell("return 1").globals(BusySession::Wait).limits(limits)).await;
    assert_eq!(failure.code, Code::Conflict);
}

#[tokio::test]
async fn a_program_that_waits_for_a_session_looks_without_writing() {
    let store = memory_store();
    let gate = Arc::new(tokio::sync::Notify::new());
    let opened = Arc::clone(&gate);
    let opens = Tool::new("opens", move |_| {
        let opened = Arc::clone(&opened);
        async move {
            opened.notified().await;
            Ok(json!(1))
        }
    });
    let holder = runtime(Some(&store));
    let first = holder.start(cell("return tools.opens()").tool(opens.expect("a tool")));
    until_it_has_its_session(&first).await;
    let faulty = FaultyStore::new(&store);
    let seen: Arc<dyn Store> = Arc::new(faulty.clone());
    let waiting = runtime(Some(&seen));
    // Only its first attempt may change a document.
    faulty.has(Fault::LastDocument);
    let end = async {
        tokio::time::sleep(Duration::from_millis(400)).await;
        faulty.has(Fault::No);
        gate.notify_one();
    };
    let second = result(&waiting, cell("return 2").globals(BusySession::Wait));
    assert_eq!(futures_util::future::join(second, end).await.0, json!(2));
    assert_eq!(first.outcome().await.into_result(), Ok(json!(1)));
}

#[tokio::test]
async fn a_program_that_is_dropped_gives_a_session_in_memory_back() {
    let isobox = runtime(None);
    let waiting = isobox.start(cell("await tools.shop.wait(); return 1"));
    until_it_has_its_session(&waiting).await;
    drop(waiting);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(result(&isobox, cell("return 1")).await, 1);
}

#[tokio::test]
async fn a_paused_program_holds_its_session_and_goes_on_elsewhere_with_the_globals_that_it_began_with() {
    let store = memory_store();
    let isobox = runtime(Some(&store));
    result(&isobox, cell("globalThis.a = { n: 1 }; return 1")).await;
    let Outcome::Paused(paused) = isobox.run(cell("a.n++; await tools.shop.pay(); a.n++; return a")).await else {
        panic!("it pauses")
    };
    let id = paused.execution_id.clone();
    assert_eq!(refusal(&isobox, cell("return 1")).await.code, Code::Conflict);
    assert_eq!(isobox.sessions().delete("work").await.expect_err("it is in use").code, Code::Conflict);
    assert_eq!(isobox.sessions().rewind("work", 1).await.expect_err("it is in use").code, Code::Conflict);
    let decisions = Decisions::about_all("ann", paused.revision, Verdict::Approve);
    isobox.decide(&id, decisions).await.expect("it is decided");
    // Without the snapshot of the paused program, its journal is replayed from the globals in it.
    let elsewhere = runtime(Some(&store));
    let Resumed::Here(outcome) = elsewhere.resume(&id, Resume::default()).await.expect("it is resumed") else {
        panic!("it goes on here")
    };
    assert_eq!(outcome.into_result(), Ok(json!({ "n": 3 })));
    assert_eq!(result(&elsewhere, cell("return a.n")).await, 3);
    let journal = isobox.inspect(&id).await.expect("it is kept").beginning;
    let used = journal.globals.expect("it used a session");
    let kept = isobox.sessions().get("work").await.expect("it is kept");
    assert_eq!((used.version, used.hash.as_deref()), (1, Some(kept.versions[0].hash.as_str())));
}

#[tokio::test]
async fn an_execution_of_a_session_is_replayed_and_forked_without_the_session() {
    let store = memory_store();
    let isobox = runtime(Some(&store));
    result(&isobox, cell("globalThis.a = 5; return 1")).await;
    let outcome = isobox.run(cell("globalThis.a += await tools.shop.wait(); return a")).await;
    assert_eq!(outcome.clone().into_result(), Ok(json!(6)));
    isobox.sessions().delete("work").await.expect("it is free");
    let transcript = isobox.export(outcome.execution_id(), Secrets::Included).await.expect("it is kept");
    let json = transcript.to_json().expect("it is JSON");
    let read = isobox::transcript::Transcript::read(json.as_bytes()).expect("it is a transcript");
    let replayed = runtime(None).replay(&read, ReplayUntil::End).await.expect("it is the same");
    assert_eq!(replayed.end, ReplayEnd::Same);
}

#[tokio::test]
async fn a_plan_finds_the_globals_and_leaves_none() {
    let isobox = runtime(None);
    result(&isobox, cell("globalThis.a = 1; return 1")).await;
    let plan = isobox.plan(cell("globalThis.a++; codemode.fact('a', a); await tools.shop.pay({ a }); return a")).await;
    assert_eq!((&plan.calls[0].input, &plan.facts["a"]), (&json!({ "a": 2 }), &json!(2)));
    assert_eq!(result(&isobox, cell("return a")).await, 1);
}

#[tokio::test]
async fn sessions_are_forked_rewound_and_deleted() {
    let isobox = runtime(None);
    let sessions = isobox.sessions();
    for _ in 0..3 {
        result(&isobox, cell("globalThis.n = (globalThis.n ?? 0) + 1; return n")).await;
    }
    let forked = sessions.fork("work", Some(2), "fork").await.expect("it is forked");
    assert_eq!((forked.name.as_str(), forked.versions.len()), ("fork", 1));
    assert_eq!(result(&isobox, cell("n *= 10; return n").session("fork")).await, 20);
    assert_eq!(result(&isobox, cell("return n")).await, 3, "the original is as it was");
    assert_eq!(sessions.rewind("work", 1).await.expect("it is rewound").versions.len(), 1);
    assert_eq!(result(&isobox, cell("return n")).await, 1);
    let names: Vec<String> =
        sessions.list("", 10).await.expect("a list").into_iter().map(|session| session.name).collect();
    assert_eq!(names, ["fork", "work"]);
    assert_eq!(sessions.list("fork", 10).await.expect("a list").len(), 1);
    let code = |failure: Failure| failure.code;
    let kind = |failure: Failure| failure.conflict_kind();
    assert_eq!(sessions.fork("work", None, "fork").await.map_err(kind), Err(Some(ConflictKind::AlreadyExists)));
    assert_eq!(sessions.fork("work", Some(99), "new").await.map_err(code), Err(Code::NotFound));
    assert_eq!(sessions.fork("none", None, "new").await.map_err(code), Err(Code::NotFound));
    assert_eq!(sessions.fork("work", None, "").await.map_err(code), Err(Code::Config));
    assert_eq!(sessions.rewind("work", 0).await.map_err(code), Err(Code::NotFound));
    sessions.delete("work").await.expect("it is deleted");
    assert_eq!(sessions.delete("work").await.map_err(code), Err(Code::NotFound));
    assert_eq!(result(&isobox, cell("return typeof n")).await, "undefined");
}

#[tokio::test]
async fn versions_and_sessions_are_bounded() {
    let options = SessionOptions::default().versions(2).most(2);
    let isobox = Isobox::builder().sessions(options).build().expect("a runtime");
    for _ in 0..4 {
        result(&isobox, cell("return 1")).await;
    }
    let numbers: Vec<u64> =
        isobox.sessions().get("work").await.expect("it is kept").versions.iter().map(|one| one.number).collect();
    assert_eq!(numbers, [3, 4]);
    result(&isobox, cell("return 1").session("b")).await;
    let refused = refusal(&isobox, cell("globalThis.n = 1; return 1").session("c")).await;
    assert_eq!((refused.code, refused.details["limit"].as_u64()), (Code::Conflict, Some(2)), "{refused:?}");
    assert!(refused.message.contains("no room for the session `c`"), "{}", refused.message);
    let refused = isobox.sessions().fork("work", None, "c").await;
    assert_eq!(refused.map_err(|failure| failure.code), Err(Code::Conflict), "nothing is forgotten for a fork either");
    isobox.sessions().delete("b").await.expect("it is deleted");
    assert_eq!(
        result(&isobox, cell("return typeof n").session("c")).await,
        "undefined",
        "the refused program did not run"
    );
    let options = SessionOptions::default().most(2).when_full(WhenFull::ForgetOldest);
    let isobox = Isobox::builder().sessions(options).build().expect("a runtime");
    for name in ["a", "b", "c"] {
        result(&isobox, cell("return 1").session(name)).await;
    }
    assert_eq!(isobox.sessions().list("", 9).await.expect("a list").len(), 2);
}

#[tokio::test]
async fn a_paused_program_whose_session_was_forgotten_goes_on_and_tells_that_its_globals_were_not_kept() {
    let pay = Tool::new("shop.pay", |_| async { Ok(json!("paid")) }).expect("a tool").with_approval();
    let options = SessionOptions::default().most(2).when_full(WhenFull::ForgetOldest);
    let builder = Isobox::builder().store(memory_store()).tool(pay).sessions(options);
    let isobox = builder.build().expect("a runtime");
    result(&isobox, cell("globalThis.n = 1; return n")).await;
    let Outcome::Paused(paused) = isobox.run(cell("n++; await tools.shop.pay(); return n")).await else {
        panic!("it pauses")
    };
    for name in ["a", "b"] {
        result(&isobox, cell("return 1").session(name)).await;
    }
    let decisions = Decisions::about_all("ann", paused.revision, Verdict::Approve);
    isobox.decide(&paused.execution_id, decisions).await.expect("it is decided");
    let resumed = isobox.resume(&paused.execution_id, Resume::default()).await.expect("it is resumed");
    let Some(Outcome::Completed(completed)) = resumed.into_outcome() else { panic!("it completes") };
    assert_eq!(completed.result, 2);
    assert!(completed.warnings[0].message.contains("the session was deleted or forgotten"), "{:?}", completed.warnings);
    assert_eq!(result(&isobox, cell("return typeof n")).await, "undefined");
}

#[tokio::test]
async fn globals_over_the_limit_are_not_kept_and_the_program_completes_with_a_warning() {
    let isobox = runtime(None);
    result(&isobox, cell("globalThis.a = 1; return 1")).await;
    let limits = LoweredLimits::default().snapshot(ByteSize::kib(16));
    let source = "globalThis.a = Array.from({ length: 20000 }, Math.random); return 1";
    let Outcome::Completed(completed) = isobox.run(cell(source).limits(limits)).await else { panic!("it completes") };
    assert!(completed.warnings[0].message.contains("more than the limit `snapshot`"), "{:?}", completed.warnings);
    assert_eq!(result(&isobox, cell("return a")).await, 1);
}

#[tokio::test]
async fn bad_names_other_owners_and_missing_sessions_are_refused() {
    let isobox = runtime(None);
    let long = "x".repeat(300);
    for name in ["", "a\nb", "a\0b", &long] {
        assert_eq!(refusal(&isobox, cell("return 1").session(name)).await.code, Code::Config, "{name:?}");
    }
    let without = Run::from("return 1").globals(BusySession::Wait);
    assert_eq!(refusal(&isobox, without).await.code, Code::Config);
    result(&isobox, cell("globalThis.a = 1; return 1").principal(Principal::named("ann"))).await;
    let other = cell("return a").principal(Principal::named("bob"));
    assert_eq!(refusal(&isobox, other).await.code, Code::Forbidden);
    let stateless = isobox.run_stateless(cell("return 1"), &Continuations::of_this_process()).await;
    assert_eq!(stateless.into_result().map_err(|failure| failure.code), Err(Code::Config));
}

#[tokio::test]
async fn a_program_that_ends_with_live_calls_leaves_its_globals_and_no_calls() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let slow = Tool::new("slow", |_| async {
        CALLS.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(100)).await;
        Ok(json!("late"))
    });
    let isobox = Isobox::builder().tool(slow.expect("a tool")).build().expect("a runtime");
    let source = "globalThis.seen = []; globalThis.late = tools.slow().then((value) => seen.push(value));
                  await Promise.race([late, null]); return 1";
    assert_eq!(result(&isobox, cell(source)).await, 1);
    let next = "await new Promise((done) => setTimeout(done, 150)); return [seen, await tools.slow()]";
    assert_eq!(result(&isobox, cell(next)).await, json!([[], "late"]));
    assert_eq!(CALLS.load(Ordering::SeqCst), 2);
    assert_eq!(refusal(&isobox, cell("await late")).await.code, Code::Deadlock);
}

#[tokio::test]
async fn a_process_that_dies_between_keeping_the_globals_and_its_end_keeps_them_once() {
    let inner = memory_store();
    let faulty = FaultyStore::new(&inner);
    let breaking = faulty.clone();
    let tool = Tool::new("break", move |_| {
        let faulty = breaking.clone();
        async move {
            faulty.has(Fault::LastDocument);
            Ok(json!(1))
        }
    });
    let store: Arc<dyn Store> = Arc::new(faulty.clone());
    let isobox = Isobox::builder().tool(tool.expect("a tool")).store(store).build().expect("a runtime");
    let outcome = isobox.run(cell("globalThis.n = (globalThis.n ?? 0) + await tools.break(); return n")).await;
    assert!(matches!(outcome, Outcome::Interrupted(_)), "{outcome:?}");
    let id = outcome.execution_id().clone();
    faulty.has(Fault::No);
    assert_eq!(isobox.sessions().get("work").await.expect("it is kept").versions.len(), 1);
    let Resumed::Here(outcome) = isobox.resume(&id, Resume::default()).await.expect("it is resumed") else {
        panic!("it goes on here")
    };
    assert_eq!(outcome.into_result(), Ok(json!(1)));
    let session = isobox.sessions().get("work").await.expect("it is kept");
    assert_eq!(session.versions.iter().map(|version| &version.by).collect::<Vec<_>>(), [&id]);
    assert_eq!(result(&isobox, cell("return n")).await, 1);
}

#[tokio::test]
async fn a_program_that_returns_after_its_store_has_broken_is_interrupted() {
    let inner = memory_store();
    let faulty = FaultyStore::new(&inner);
    let breaking = faulty.clone();
    let tool = Tool::new("break", move |_| {
        breaking.has(Fault::Damage);
        async { Ok(json!(1)) }
    });
    let store: Arc<dyn Store> = Arc::new(faulty);
    let isobox = Isobox::builder().tool(tool.expect("a tool")).store(store).build().expect("a runtime");
    let outcome = isobox.run(cell("globalThis.n = await tools.break(); return n")).await;
    assert!(matches!(&outcome, Outcome::Interrupted(it) if it.error.code == Code::Store), "{outcome:?}");
}

#[tokio::test]
async fn a_store_that_fails_loses_neither_the_execution_nor_the_session() {
    let inner = memory_store();
    let faulty = FaultyStore::new(&inner);
    let store: Arc<dyn Store> = Arc::new(faulty.clone());
    let isobox = Isobox::builder().store(store).build().expect("a runtime");
    result(&isobox, cell("globalThis.n = 1; return n")).await;
    faulty.has(Fault::Damage);
    assert_eq!(refusal(&isobox, cell("globalThis.n = 2; return n")).await.code, Code::Store);
    assert_eq!(isobox.sessions().list("", 9).await.expect_err("it fails").code, Code::Store);
    faulty.has(Fault::No);
    assert_eq!(result(&isobox, cell("return n")).await, 1);
}

#[tokio::test]
async fn a_short_outage_costs_neither_a_session_nor_its_globals() {
    for fault in [Fault::FailedSession, Fault::TornSession] {
        let faulty = FaultyStore::new(&memory_store());
        let breaking = faulty.clone();
        let tool = Tool::new("break", move |_| {
            breaking.has(fault);
            async { Ok(json!(1)) }
        });
        let store: Arc<dyn Store> = Arc::new(faulty.clone());
        let isobox = Isobox::builder().tool(tool.expect("a tool")).store(store).build().expect("a runtime");
        faulty.has(fault);
        assert_eq!(result(&isobox, cell("globalThis.n = 1; return n")).await, 1, "the session is taken: {fault:?}");
        let outcome = isobox.run(cell("n += await tools.break(); return n")).await;
        let Outcome::Completed(completed) = outcome else { panic!("its globals are kept: {outcome:?}") };
        assert_eq!((completed.result, completed.warnings.len()), (json!(2), 0), "{fault:?}");
        refusal(&isobox, cell("await tools.break(); n = 9; throw new Error('no')")).await;
        let session = isobox.sessions().get("work").await.expect("it is kept");
        assert_eq!((session.used_by, session.versions.len()), (None, 2), "{fault:?}");
        assert_eq!(result(&isobox, cell("return n")).await, 2, "{fault:?}");
    }
}

#[tokio::test]
async fn a_program_whose_execution_could_not_be_stored_has_failed_and_left_nothing() {
    let faulty = FaultyStore::new(&memory_store());
    let store: Arc<dyn Store> = Arc::new(faulty.clone());
    let isobox = Isobox::builder().store(store).build().expect("a runtime");
    result(&isobox, cell("globalThis.n = 1; return n")).await;
    // The session is taken, and nothing is written afterwards.
    faulty.has(Fault::LastDocument);
    let outcome = isobox.run(cell("globalThis.n = 2; return n")).await;
    let Outcome::Failed(failed) = outcome else { panic!("nothing of it is stored: {outcome:?}") };
    assert_eq!(failed.error.code, Code::Store);
    faulty.has(Fault::No);
    assert_eq!(isobox.sessions().get("work").await.expect("it is kept").versions.len(), 1);
}

#[tokio::test]
async fn a_session_whose_execution_was_rejected_is_free_again() {
    let store = memory_store();
    let isobox = runtime(Some(&store));
    let Outcome::Paused(paused) = isobox.run(cell("await tools.shop.pay(); return 1")).await else {
        panic!("it pauses")
    };
    isobox.reject(&paused.execution_id, "ann", None).await.expect("it is rejected");
    let resumed = isobox.resume(&paused.execution_id, Resume::default()).await;
    assert!(matches!(resumed, Ok(Resumed::Here(_))), "{resumed:?}");
    assert_eq!(result(&isobox, cell("return 2")).await, 2);
}

#[tokio::test]
async fn the_session_of_an_execution_that_expires_is_free_at_once_and_a_new_one_is_gone() {
    let isobox = runtime(Some(&memory_store()));
    result(&isobox, cell("globalThis.n = 1; return n")).await;
    for session in ["work", "new"] {
        let outcome = isobox.run(cell("globalThis.n = 2; await tools.shop.pay(); return n").session(session)).await;
        assert!(matches!(outcome, Outcome::Paused(_)), "{outcome:?}");
    }
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(isobox.expire("ann", Duration::ZERO).await.expect("a store").executions.len(), 2);
    let kept = isobox.sessions().list("", 9).await.expect("a list");
    let kept: Vec<_> = kept.iter().map(|session| (session.name.as_str(), session.used_by.is_some())).collect();
    assert_eq!(kept, [("work", false)]);
    assert_eq!(result(&isobox, cell("return n")).await, 1);
}

#[tokio::test]
async fn an_altered_session_is_refused_and_can_only_be_deleted() {
    let store = memory_store();
    let isobox = runtime(Some(&store));
    result(&isobox, cell("globalThis.a = 1; return a")).await;
    let sessions = Collection {
        name: "session",
        most: 10,
        when_full: WhenFull::Refuse,
        durability: isobox_core::store::DocumentDurability::Durable,
    };
    let alter = |bytes: Option<&[u8]>| {
        let mut bytes = bytes.expect("it is kept").to_vec();
        *bytes.last_mut().expect("it is not empty") ^= 1;
        Amended::Replaced(bytes)
    };
    store.amend_document(sessions, "work", Arc::new(alter)).await.expect("it is written");
    let code = |failure: Failure| failure.code;
    assert_eq!(refusal(&isobox, cell("return a")).await.code, Code::Store);
    assert_eq!(isobox.sessions().get("work").await.map_err(code), Err(Code::Store));
    assert_eq!(isobox.sessions().list("", 9).await.map_err(code), Err(Code::Store));
    assert_eq!(isobox.sessions().rewind("work", 1).await.map_err(code), Err(Code::Store));
    assert_eq!(isobox.sessions().fork("work", None, "new").await.map_err(code), Err(Code::Store));
    isobox.sessions().delete("work").await.expect("it is deleted");
    assert_eq!(result(&isobox, cell("return typeof a")).await, "undefined");
}
