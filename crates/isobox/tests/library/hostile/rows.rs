//! Rows that were altered without the key.

use std::num::NonZeroU32;

use isobox::config::Config;
use isobox::journal::Verdict;
use isobox::journal::{Entry, Remember, ResumedFrom};
use isobox::store::{Filter, State};
use isobox::workspace::{Workspace, WorkspaceOptions};
use isobox::{Code, Decisions, ExecutionId, Failure, Isobox, Outcome, json};
use isobox::{Resume, Resumed};

use super::support::{Database, Effects, PROGRAM, RESULT, approval, durable, here, paused, result, runtime};

/// Saves the rows, so that they can be restored.
const KEEP: &str = "CREATE TABLE kept_batches AS SELECT * FROM isobox_batches;
    CREATE TABLE kept_executions AS SELECT * FROM isobox_executions";
const REPAIR: &str = "DELETE FROM isobox_batches; INSERT INTO isobox_batches SELECT * FROM kept_batches;
    DELETE FROM isobox_inbox;
    UPDATE isobox_executions SET status = (SELECT status FROM kept_executions), epoch = (SELECT epoch FROM kept_executions),
        head = (SELECT head FROM kept_executions), length = (SELECT length FROM kept_executions)";

/// Without a checkpoint the whole journal is read.
const REFUSED: [(&str, Code); 22] = [
    ("UPDATE isobox_batches SET bytes = (SELECT bytes FROM kept_batches WHERE position = 0) WHERE position = -1", Code::Store),
    ("UPDATE isobox_batches SET bytes = {x:} WHERE position = -1", Code::Store),
    ("UPDATE isobox_batches SET bytes = {x:} WHERE position = 0", Code::Store),
    ("UPDATE isobox_batches SET bytes = {x:310a} WHERE position = 0", Code::Store),
    ("UPDATE isobox_batches SET bytes = {x:310a7b7d0a} WHERE position = 1", Code::Store),
    ("UPDATE isobox_batches SET bytes = (SELECT bytes FROM kept_batches WHERE position = 1) WHERE position = 0", Code::Store),
    ("UPDATE isobox_batches SET seal = (SELECT seal FROM kept_batches WHERE position = 0) WHERE position = -1", Code::Store),
    ("UPDATE isobox_batches SET seal = {x:00} WHERE position = 0", Code::Store),
    ("UPDATE isobox_batches SET seal = {x:} WHERE position = -1", Code::Store),
    ("UPDATE isobox_batches SET position = 7 WHERE position = 0", Code::Store),
    ("UPDATE isobox_batches SET position = 100 WHERE position = 0; UPDATE isobox_batches SET position = 0 WHERE position = 1;
      UPDATE isobox_batches SET position = 1 WHERE position = 100", Code::Store),
    ("DELETE FROM isobox_batches WHERE position = 0", Code::Store),
    ("DELETE FROM isobox_batches WHERE position = 1", Code::Store),
    ("DELETE FROM isobox_batches WHERE position = -1", Code::Store),
    ("UPDATE isobox_executions SET length = length + 1", Code::Store),
    ("UPDATE isobox_executions SET length = 0", Code::Store),
    ("UPDATE isobox_executions SET length = -1", Code::Store),
    ("UPDATE isobox_executions SET head = '[]'", Code::Store),
    ("UPDATE isobox_executions SET status = 'running'", Code::Store),
    ("UPDATE isobox_executions SET status = 'nonsense'", Code::Store),
    ("UPDATE isobox_executions SET epoch = -5", Code::Store),
    ("UPDATE isobox_executions SET status = 'completed', head = REPLACE(head, '\"paused\"', '\"completed\"')", Code::Conflict),
];

async fn approve_and_resume(
    isobox: &Isobox,
    id: &ExecutionId,
    decisions: Decisions,
) -> Result<isobox::Outcome, Failure> {
    isobox.decide(id, decisions).await?;
    isobox.resume(id, Resume::default()).await.map(here)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_altered_journal_is_refused_and_goes_on_once_it_is_as_it_was() {
    for (alteration, code) in REFUSED {
        for database in Database::each() {
            let effects = Effects::default();
            let isobox = runtime(&database.open().await, &effects);
            let waiting = paused(isobox.run(durable(PROGRAM)).await);
            let id = &waiting.execution_id;
            database.alter(KEEP);
            database.alter("DELETE FROM isobox_checkpoints");
            database.alter(alteration);
            let isobox = runtime(&database.open().await, &effects);
            let refusal = approve_and_resume(&isobox, id, approval(&waiting)).await.expect_err(alteration);
            // Rows that are not read before a decision are read before anything runs.
            assert_eq!(refusal.code, code, "{alteration}: {refusal}");
            if let Ok(Resumed::Here(outcome)) = isobox.resume(id, Resume::default()).await {
                panic!("{alteration}: {outcome:?}");
            }
            assert_eq!(effects.count(), 1, "{alteration}");
            database.alter(REPAIR);
            let isobox = runtime(&database.open().await, &effects);
            let outcome = approve_and_resume(&isobox, id, approval(&waiting)).await.expect(alteration);
            assert_eq!((result(outcome), effects.count()), (json!(RESULT.0), RESULT.1), "{alteration}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_altered_is_named_and_can_be_removed() {
    let alterations = [
        "UPDATE isobox_executions SET head = '[]'",
        "UPDATE isobox_executions SET status = 'nonsense'",
        "UPDATE isobox_batches SET bytes = {x:}",
        "DELETE FROM isobox_batches",
    ];
    for alteration in alterations {
        for database in Database::each() {
            let isobox = runtime(&database.open().await, &Effects::default());
            let id = paused(isobox.run(durable(PROGRAM)).await).execution_id;
            database.alter(alteration);
            let page = isobox.executions(Filter::newest(9)).await.expect(alteration);
            let names = page.executions.iter().map(|one| one.id.as_str());
            let names: Vec<_> = names.chain(page.unreadable.iter().map(|row| row.id.as_str())).collect();
            assert_eq!(names, [id.as_str()], "{alteration}");
            isobox.delete(&id, "ada").await.expect(alteration);
            assert_eq!(isobox.executions(Filter::newest(9)).await.expect("nothing else was altered").executions, []);
        }
    }
}

/// Rows that only inform others about an execution, or only make it fast.
const HARMLESS: [(&str, ResumedFrom); 15] = [
    ("SELECT 1", ResumedFrom::Snapshot),
    ("UPDATE isobox_executions SET head = REPLACE(head, '\"revision\":', '\"revision\":9')", ResumedFrom::Snapshot),
    ("UPDATE isobox_executions SET created = 0, updated = 0", ResumedFrom::Snapshot),
    ("UPDATE isobox_executions SET node = 'a node that is not alive'", ResumedFrom::Snapshot),
    ("UPDATE isobox_executions SET epoch = 9223372036854775807", ResumedFrom::Snapshot),
    (
        "INSERT INTO isobox_inbox (execution, key, bytes) SELECT id, {x:78}, {x:00ff} FROM isobox_executions",
        ResumedFrom::Snapshot,
    ),
    ("DELETE FROM isobox_checkpoints", ResumedFrom::Journal),
    ("UPDATE isobox_checkpoints SET bytes = {x:}", ResumedFrom::Journal),
    (
        "UPDATE isobox_checkpoints SET bytes = (SELECT bytes FROM isobox_batches WHERE position = 0)",
        ResumedFrom::Journal,
    ),
    ("UPDATE isobox_checkpoints SET seal = (SELECT seal FROM isobox_batches WHERE position = 0)", ResumedFrom::Journal),
    ("UPDATE isobox_checkpoints SET seal = {x:00}", ResumedFrom::Journal),
    ("UPDATE isobox_checkpoints SET position = 0", ResumedFrom::Journal),
    ("UPDATE isobox_checkpoints SET position = position - 1", ResumedFrom::Journal),
    ("UPDATE isobox_checkpoints SET position = 99", ResumedFrom::Journal),
    ("UPDATE isobox_checkpoints SET position = -1", ResumedFrom::Journal),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_checkpoint_an_execution_comes_to_the_same_outcome() {
    for (alteration, expected) in HARMLESS {
        for database in Database::each() {
            let effects = Effects::default();
            let isobox = runtime(&database.open().await, &effects);
            let waiting = paused(isobox.run(durable(PROGRAM)).await);
            let id = &waiting.execution_id;
            database.alter(alteration);
            let isobox = runtime(&database.open().await, &effects);
            let outcome = approve_and_resume(&isobox, id, approval(&waiting)).await.expect(alteration);
            assert_eq!((result(outcome), effects.count()), (json!(RESULT.0), RESULT.1), "{alteration}");
            let entries = isobox.inspect(id).await.expect("a journal").entries;
            let from = entries.iter().find_map(|entry| match entry {
                Entry::Resumed(resumed) => Some(resumed.from),
                _ => None,
            });
            assert_eq!(from, Some(expected), "{alteration}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_approves_by_writing_to_the_database() {
    for database in Database::each() {
        let effects = Effects::default();
        let isobox = runtime(&database.open().await, &effects);
        let waiting = paused(isobox.run(durable(PROGRAM)).await);
        let said = r#"{"decision":{"seq":"1","asked":1,"verdict":"approve","by":"eve"}}"#;
        let hex: String = said.bytes().map(|byte| format!("{byte:02x}")).collect();
        // The content as it is, and after something that could be a seal.
        for (key, bytes) in [("6a", hex.clone()), ("6b", format!("{}{hex}", "00".repeat(32)))] {
            let columns = "INSERT INTO isobox_inbox (execution, key, bytes)";
            database.alter(&format!("{columns} SELECT id, {{x:{key}}}, {{x:{bytes}}} FROM isobox_executions"));
        }
        let again =
            paused(here(isobox.resume(&waiting.execution_id, Resume::default()).await.expect("it pauses again")));
        assert_eq!((again.pending.len(), effects.count()), (1, 1));
        let outcome = approve_and_resume(&isobox, &again.execution_id, approval(&again)).await;
        assert_eq!(result(outcome.expect("it goes on")), json!(RESULT.0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_to_one_execution_is_not_said_to_another() {
    for database in Database::each() {
        let effects = Effects::default();
        let isobox = runtime(&database.open().await, &effects);
        let one = paused(isobox.run(durable(PROGRAM)).await);
        let other = paused(isobox.run(durable(PROGRAM)).await);
        isobox.decide(&one.execution_id, approval(&one)).await.expect("it waits");
        database.alter(&format!(
            "INSERT INTO isobox_inbox (execution, key, bytes) SELECT '{}', key, bytes FROM isobox_inbox",
            other.execution_id
        ));
        paused(here(isobox.resume(&other.execution_id, Resume::default()).await.expect("it pauses again")));
        assert_eq!(effects.count(), 2, "the first of each");
        assert_eq!(
            result(here(isobox.resume(&one.execution_id, Resume::default()).await.expect("it goes on"))),
            json!(RESULT.0)
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_remembered_for_a_session_holds_for_that_one() {
    for database in Database::each() {
        let effects = Effects::default();
        let isobox = runtime(&database.open().await, &effects);
        let source = "return (await tools.world.pay({ what: 'x' })).did";
        let session = "a\u{0} session ü";
        let first = paused(isobox.run(durable(source).session(session)).await);
        let decisions = approval(&first).remember(Remember::Session);
        let outcome = approve_and_resume(&isobox, &first.execution_id, decisions).await.expect("it goes on");
        assert_eq!(result(outcome), json!("x"));
        assert_eq!(result(isobox.run(durable(source).session(session)).await), json!("x"));
        database.alter("INSERT INTO isobox_remembered SELECT {x:74}, about, decision FROM isobox_remembered");
        paused(isobox.run(durable(source).session("t")).await);
        database.alter("UPDATE isobox_remembered SET decision = {x:22617070726f766522}");
        paused(isobox.run(durable(source).session(session)).await);
        assert_eq!(effects.count(), 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_whose_key_is_no_text_is_reported_and_nothing_runs() {
    for database in Database::each() {
        let effects = Effects::default();
        let isobox = runtime(&database.open().await, &effects);
        let waiting = paused(isobox.run(durable(PROGRAM)).await);
        let id = &waiting.execution_id;
        database
            .alter("INSERT INTO isobox_inbox (execution, key, bytes) SELECT id, {x:ff}, {x:00} FROM isobox_executions");
        assert_eq!(isobox.resume(id, Resume::default()).await.expect_err("it is refused").code, Code::Store);
        assert_eq!(effects.count(), 1);
        database.alter("DELETE FROM isobox_inbox");
        let verdicts = [(isobox::CallSeq::new(1), Verdict::Approve)];
        let outcome = approve_and_resume(&isobox, id, Decisions::new("ada", verdicts)).await.expect("it goes on");
        assert_eq!((result(outcome), effects.count()), (json!(RESULT.0), RESULT.1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_altered_row_hides_no_other_and_keeps_nobody_from_their_work() {
    let alterations = [
        ("UPDATE isobox_executions SET head = '[]' WHERE id = '$ID'", "$ID"),
        ("UPDATE isobox_executions SET head = '' WHERE id = '$ID'", "$ID"),
        ("UPDATE isobox_executions SET head = REPLACE(head, '\"calls\"', '\"more\":1,\"calls\"') WHERE id = '$ID'", "$ID"),
        ("UPDATE isobox_executions SET status = 'nonsense' WHERE id = '$ID'", "$ID"),
        ("UPDATE isobox_executions SET status = 'completed' WHERE id = '$ID'", "$ID"),
        ("UPDATE isobox_executions SET created = -1 WHERE id = '$ID'", "$ID"),
        // Without rows that refer to it, its ID can be anything.
        ("DELETE FROM isobox_batches WHERE execution = '$ID'; DELETE FROM isobox_checkpoints WHERE execution = '$ID';
          UPDATE isobox_executions SET id = 'exec_nonsense' WHERE id = '$ID'", "exec_nonsense"),
        ("DELETE FROM isobox_batches WHERE execution = '$ID'; DELETE FROM isobox_checkpoints WHERE execution = '$ID';
          UPDATE isobox_executions SET id = '' WHERE id = '$ID'", ""),
    ];
    for (alteration, name) in alterations {
        for database in Database::each() {
            let effects = Effects::default();
            let isobox = runtime(&database.open().await, &effects);
            let over = isobox.run(durable("return 1")).await.execution_id().clone();
            let bad = paused(isobox.run(durable(PROGRAM)).await).execution_id;
            let waiting = paused(isobox.run(durable(PROGRAM)).await);
            database.alter(&alteration.replace("$ID", bad.as_str()));
            let isobox = runtime(&database.open().await, &effects);
            let page = isobox.executions(Filter::newest(9)).await.expect(alteration);
            let names: Vec<_> = page.executions.iter().map(|one| &one.id).collect();
            assert_eq!(names, [&waiting.execution_id, &over], "{alteration}");
            let rows: Vec<_> = page.unreadable.iter().map(|row| row.id.as_str()).collect();
            assert_eq!(rows, [name.replace("$ID", bad.as_str())], "{alteration}");
            assert!(!page.unreadable[0].reason.is_empty());
            let only = isobox.executions(Filter::newest(9).with(State::Unreadable)).await.expect(alteration);
            assert_eq!((only.executions.len(), &only.unreadable), (0, &page.unreadable), "{alteration}");

            // All rows are found once, page by page.
            let (mut filter, mut found) = (Filter::newest(1), 0);
            loop {
                let page = isobox.executions(filter.clone()).await.expect(alteration);
                found += page.executions.len() + page.unreadable.len();
                let Some(next) = page.next else { break };
                filter = filter.after(next);
            }
            assert_eq!(found, 3, "{alteration}");

            isobox.end_stopped().await.expect(alteration);
            assert_eq!(isobox.prune("ada", 0).await.expect(alteration), [over], "{alteration}");
            let outcome =
                approve_and_resume(&isobox, &waiting.execution_id, approval(&waiting)).await.expect(alteration);
            assert_eq!(result(outcome), json!(RESULT.0), "{alteration}");
            assert_eq!(isobox.expire("ada", std::time::Duration::ZERO).await.expect(alteration).executions, []);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_is_none_hides_no_other_row() {
    let database = Database::sqlite();
    let isobox = runtime(&database.open().await, &Effects::default());
    let bad = paused(isobox.run(durable(PROGRAM)).await).execution_id;
    let good = paused(isobox.run(durable(PROGRAM)).await).execution_id;
    database.alter(&format!("UPDATE isobox_executions SET head = CAST({{x:80ff}} AS TEXT) WHERE id = '{bad}'"));
    let page = isobox.executions(Filter::newest(9)).await.expect("the other one is fine");
    assert_eq!((page.executions[0].id.clone(), page.unreadable[0].id.as_str()), (good, bad.as_str()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_ahead_takes_leases_away_and_doubles_no_effect() {
    for database in Database::each() {
        let effects = Effects::default();
        let (isobox, other) = (runtime(&database.open().await, &effects), runtime(&database.open().await, &effects));
        let running = tokio::spawn({
            let isobox = isobox.clone();
            let source = "await tools.world.wait(1); return await tools.world.do({ what: 'once' })";
            async move { isobox.run(durable(source)).await }
        });
        let id = loop {
            let listed = other.executions(Filter::newest(1).with(State::Running)).await.expect("a list").executions;
            match listed.into_iter().find(|one| one.head.calls == 1) {
                Some(one) => break one.id,
                None => tokio::time::sleep(std::time::Duration::from_millis(2)).await,
            }
        };
        // For the other process, whose clock is an hour ahead, every lease has expired.
        database.alter("UPDATE isobox_nodes SET expires = expires - 3600000");
        let taken = paused(here(other.resume(&id, Resume::default()).await.expect("its lease has run out")));
        assert_eq!(taken.pending[0].kind, isobox::PendingKind::InDoubt, "only a person can tell");
        // The first process is alive, and its call returns.
        effects.gate.add_permits(1);
        let outcome = running.await.expect("no panic");
        assert!(matches!(&outcome, Outcome::Interrupted(left) if left.error.code == Code::Conflict), "{outcome:?}");
        assert_eq!(effects.count(), 0, "a process that was fenced starts nothing");
        let happened = Decisions::about_all("ada", taken.revision, Verdict::Happened(json!(1)));
        let outcome = approve_and_resume(&other, &id, happened).await.expect("it waits for that");
        assert_eq!((result(outcome), effects.count()), (json!({ "did": "once" }), 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workspaces_of_one_process_share_the_connections_to_a_server() {
    let database = Database::postgres();
    let config = json!({ "store": { "url": database.url(), "connections": 3 } }).to_string();
    let open = || {
        let config = Config::parse(&config, &|_| None).expect("it is read");
        Workspace::new(config, WorkspaceOptions::default().max_live(NonZeroU32::new(1)))
    };
    let workspaces: Vec<Workspace> = (0..4).map(|_| open().expect("a workspace")).collect();
    for workspace in &workspaces {
        let archive = workspace.archive().await.expect("the store opens");
        let listed = (0..20).map(|_| archive.executions(Filter::newest(1)));
        assert!(futures_util::future::join_all(listed).await.iter().all(Result::is_ok));
    }
    let count = database.connections();
    assert!((1..=3).contains(&count), "{count}");
    drop(workspaces);
    // The server takes a moment to notice.
    let is_closed = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        database.connections() == 0
    });
    assert!(is_closed, "the last one that uses it closes it");
    open()
        .expect("a workspace")
        .archive()
        .await
        .expect("it opens again")
        .executions(Filter::newest(1))
        .await
        .expect("a list");
}
