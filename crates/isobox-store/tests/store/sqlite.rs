//! What a store in a file does besides.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use isobox_core::Timestamp;
use isobox_core::store::{
    Document, Error, ErrorKind, ExpectedState, Filter, Head, LESSONS, Part, Status, Store, USED_ONCE,
};
use isobox_store::DatabaseStore;
use rusqlite::Connection;

use crate::support::{WriteParts, batch, head, id, new};

async fn open(file: &Path) -> DatabaseStore {
    DatabaseStore::sqlite(file).await.unwrap()
}

/// What a store says that cannot be opened.
async fn refusal(file: &Path) -> Error {
    let error = DatabaseStore::sqlite(file).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Broken);
    assert!(error.message().contains(&file.display().to_string()), "{error}");
    error
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn only_its_owner_can_read_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a").join("b").join("isobox.db");
    let store = open(&file).await;
    store.create(new(1, "a")).await.unwrap();
    for name in ["isobox.db", "isobox.db-wal", "isobox.db-shm", "isobox.db.key"] {
        assert_eq!(mode(&file.with_file_name(name)), 0o600, "{name}");
    }
    assert_eq!((mode(&folder.path().join("a")), mode(&folder.path().join("a").join("b"))), (0o700, 0o700));
    let files = std::fs::read_dir(file.parent().unwrap()).unwrap().count();
    assert_eq!(files, 4, "no other files are left behind");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_who_start_at_once_agree_on_one_key() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("isobox.db");
        let start = |_| {
            let file = file.clone();
            tokio::spawn(async move { open(&file).await })
        };
        let stores = join_all((0..8).map(start)).await.into_iter().map(Result::unwrap).collect::<Vec<_>>();
        let key = std::fs::read(folder.path().join("isobox.db.key")).unwrap();
        assert_eq!(key.len(), 32);
        assert_ne!(key, [0; 32]);
        assert!(stores.iter().all(|store| store.key().as_bytes() == key.as_slice()));
    }
}

#[tokio::test]
async fn a_store_is_there_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    let first = open(&file).await;
    first.create(new(1, "a")).await.unwrap();
    let key = first.key().clone();
    drop(first);
    let second = open(&file).await;
    assert_eq!(second.key().as_bytes(), key.as_bytes());
    assert_eq!(second.load(&id(1), Part::Whole).await.unwrap().beginning, batch("beginning of 1"));
}

#[tokio::test]
async fn a_store_without_its_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, key) = (folder.path().join("isobox.db"), folder.path().join("isobox.db.key"));
    drop(open(&file).await);
    let right = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    let error = refusal(&file).await;
    assert!(error.message().contains("is missing"), "{error}");
    assert!(!key.exists(), "no other key takes its place");

    let write = |bytes: &[u8]| {
        std::fs::write(&key, bytes).unwrap();
        std::fs::set_permissions(&key, PermissionsExt::from_mode(0o600)).unwrap();
    };
    write(&right[..31]);
    assert!(refusal(&file).await.message().contains("32 bytes"));
    write(&[7; 32]);
    assert!(refusal(&file).await.message().contains("sealed with another key"));
    write(&right);
    open(&file).await;
}

#[tokio::test]
async fn what_is_not_a_database_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    drop(open(&file).await);
    let text = "a letter to a friend".repeat(500);
    std::fs::write(&file, &text).unwrap();
    let error = refusal(&file).await;
    assert!(error.message().contains("is not an SQLite database"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);

    let error = DatabaseStore::sqlite("/proc/isobox/isobox.db").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Broken);
    assert!(error.message().starts_with("cannot make the folder /proc/isobox: "), "{error}");
}

#[tokio::test]
async fn a_newer_store_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    drop(open(&file).await);
    let change = |version: &str| {
        let sql = format!("UPDATE isobox_settings SET value = CAST('{version}' AS BLOB) WHERE name = 'version'");
        Connection::open(&file).unwrap().execute_batch(&sql).unwrap();
    };
    let version = || -> String {
        let sql = "SELECT CAST(value AS TEXT) FROM isobox_settings WHERE name = 'version'";
        Connection::open(&file).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let current = version();
    change("99");
    let error = refusal(&file).await;
    let expected = format!("it has version 99, and this Isobox supports versions up to {current}");
    assert!(error.message().ends_with(&expected), "{error}");
    change("many");
    refusal(&file).await;
    change(&current);
    open(&file).await;
}

#[tokio::test]
async fn a_store_of_an_earlier_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    open(&file).await.create(new(1, "a")).await.unwrap();
    // Version 2, with what it had learned about a tool.
    let before = "DROP TABLE isobox_documents; DROP INDEX isobox_executions_by_due; \
                  ALTER TABLE isobox_executions DROP COLUMN due; \
                  CREATE TABLE isobox_lessons (tool BLOB PRIMARY KEY NOT NULL, bytes BLOB NOT NULL, \
                  changed INTEGER NOT NULL) STRICT, WITHOUT ROWID; \
                  INSERT INTO isobox_lessons VALUES (CAST('a.b' AS BLOB), X'07', 1); \
                  UPDATE isobox_settings SET value = CAST('2' AS BLOB) WHERE name = 'version'";
    Connection::open(&file).unwrap().execute_batch(before).unwrap();
    let store = open(&file).await;
    let learned = Document { key: "a.b".to_owned(), bytes: vec![7] };
    assert_eq!(store.documents(LESSONS, "", 9).await.unwrap(), [learned]);
    assert_eq!(store.due(Timestamp(u64::MAX), None, 9).await.unwrap().due, []);
    store.load(&id(1), Part::Whole).await.unwrap();
}

#[tokio::test]
async fn a_store_that_another_process_keeps_locked_fails_and_then_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    let store = open(&file).await;
    let lease = store.create(new(1, "a")).await.unwrap();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let first = store.append(&lease, 0, batch("first"), head(Status::Running, 1), Vec::new());
    let error = first.await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.message().contains("has kept it locked for 5 s"), "{error}");

    // One that is done in time is waited for.
    let waiting = store.append(&lease, 0, batch("second"), head(Status::Running, 1), Vec::new());
    std::thread::sleep(Duration::from_millis(300));
    other.execute_batch("COMMIT").unwrap();
    waiting.await.unwrap();
    assert_eq!(store.load(&id(1), Part::Whole).await.unwrap().batches, [batch("second")]);
}

#[tokio::test]
async fn altered_rows_are_noticed_and_can_be_deleted() {
    let alterations = [
        "DELETE FROM isobox_batches WHERE position = 1",
        "DELETE FROM isobox_batches WHERE position = 2",
        "DELETE FROM isobox_batches WHERE position = -1",
        "UPDATE isobox_executions SET length = 2",
        "UPDATE isobox_executions SET length = -3",
        "UPDATE isobox_executions SET status = 'paused'",
        "UPDATE isobox_executions SET status = 'dreaming'",
        "UPDATE isobox_executions SET head = '{}'",
        "UPDATE isobox_batches SET seal = X'00' WHERE position = 0",
    ];
    for alteration in alterations {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("isobox.db");
        let store = open(&file).await;
        let lease = store.create(new(1, "a")).await.unwrap();
        for position in 0..3 {
            store.append(&lease, position, batch("b"), head(Status::Running, 2), Vec::new()).await.unwrap();
        }
        Connection::open(&file).unwrap().execute_batch(alteration).unwrap();
        let error = store.load(&id(1), Part::Whole).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Broken, "{alteration}");
        assert!(error.message().contains("was altered or damaged"), "{alteration}: {error}");
        store.delete(&id(1), ExpectedState::Anyhow).await.unwrap();
        assert_eq!(store.list(Filter::newest(9)).await.unwrap().executions, []);
    }
}

#[tokio::test]
async fn an_altered_row_hides_nothing_that_is_due() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    let store = open(&file).await;
    for number in 1..=3 {
        let lease = store.create(new(number, "a")).await.unwrap();
        let asleep = Head { due: Some(Timestamp(10)), ..head(Status::Sleeping, 1) };
        store.append(&lease, 0, batch("b"), asleep, Vec::new()).await.unwrap();
    }
    let altered = "UPDATE isobox_executions SET due = -7 WHERE created = 1; \
                   UPDATE isobox_executions SET id = 'exec_altered' WHERE created = 2";
    Connection::open(&file).unwrap().execute_batch(&format!("PRAGMA foreign_keys = OFF; {altered}")).unwrap();
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let agenda = store.due(Timestamp(10), after, 1).await.unwrap();
        found.extend(agenda.due.into_iter().map(|due| due.id));
        after = agenda.after;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(found, [id(1), id(3)]);
}

#[tokio::test]
async fn what_was_used_once_is_forgotten_some_time_after_it_has_expired() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("isobox.db")).await;
    let use_up = async |key: &str, now, until| store.use_once(key, Timestamp(now), Timestamp(until)).await.unwrap();
    let remembered = async |key: &str| store.recall(USED_ONCE, key).await.unwrap().is_some();
    assert!(use_up("a1", 0, 5).await && !use_up("a1", 4, 5).await && use_up("b1", 0, 20).await);
    assert!(use_up("c1", 10, 20).await && remembered("a1").await, "not every use forgets");
    assert!(use_up("c00", 10, 20).await);
    assert!(!remembered("a1").await && remembered("b1").await && remembered("c00").await);
}
