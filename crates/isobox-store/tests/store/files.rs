//! The files of an SQLite store: what they may be, who may have rights to them, and that they stay where they are.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use isobox_core::store::{Error, ErrorKind, ExpectedState, Filter, Part, Status, Store};
use isobox_store::DatabaseStore;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{WriteParts, batch, head, id, new};

/// A store that was closed, and the folder that it is in.
async fn closed() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    let store = DatabaseStore::sqlite(&file).await.unwrap();
    store.create(new(1, "a")).await.unwrap();
    (folder, file)
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", file.display()))
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// What both ways to open a store say, which has to be the same.
async fn refusal(file: &Path) -> Error {
    let error = DatabaseStore::sqlite(file).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Broken, "{error}");
    let reading = DatabaseStore::sqlite_to_read(file).await.unwrap_err();
    assert_eq!(reading.to_string(), error.to_string());
    error
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").args(["-m", "600"]).arg(path).status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_file_is_refused_instead_of_waited_for() {
    for suffix in ["", ".key", "-wal", "-shm", "-journal"] {
        let (_folder, file) = closed().await;
        let path = beside(&file, suffix);
        for (make, expected) in [
            (make_pipe as fn(&Path), "it is a pipe"),
            (|path| drop(std::os::unix::net::UnixListener::bind(path).unwrap()), "it is a socket"),
            (|path| fs::create_dir(path).unwrap(), "it is a folder"),
            (|path| symlink("/dev/zero", path).unwrap(), ""),
        ] {
            drop(fs::remove_file(&path));
            make(&path);
            let refused = tokio::time::timeout(Duration::from_secs(20), refusal(&file)).await;
            let message = refused.unwrap_or_else(|_| panic!("{suffix}: it is waited for")).message().to_owned();
            assert!(message.contains(expected) && message.contains(&path.display().to_string()), "{message}");
            if path.is_dir() {
                fs::remove_dir(&path).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn a_link_in_the_place_of_a_database_is_refused() {
    let (_folder, file) = closed().await;
    let moved = file.with_file_name("moved.db");
    fs::rename(&file, &moved).unwrap();
    symlink(&moved, &file).unwrap();
    assert!(refusal(&file).await.message().contains("it is a link"));
}

#[tokio::test]
async fn rights_of_other_users_are_refused_with_the_command_that_takes_them_away() {
    for suffix in ["", ".key", "-wal", "-shm", "-journal"] {
        for mode in [0o640, 0o604, 0o620, 0o602] {
            let (_folder, file) = closed().await;
            let path = beside(&file, suffix);
            if !path.exists() {
                fs::write(&path, []).unwrap();
            }
            set_mode(&path, mode);
            let message = refusal(&file).await.message().to_owned();
            let expected = format!("other users may read or change it; run `chmod 600 {}`", path.display());
            assert!(message.ends_with(&expected), "{mode:o}: {message}");
            set_mode(&path, 0o600);
            DatabaseStore::sqlite(&file).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_folder_in_which_others_can_replace_files_is_refused() {
    let (folder, file) = closed().await;
    for (mode, is_fine) in [(0o777, false), (0o702, false), (0o1777, true), (0o755, true), (0o700, true)] {
        set_mode(folder.path(), mode);
        if is_fine {
            DatabaseStore::sqlite(&file).await.unwrap();
            continue;
        }
        let message = refusal(&file).await.message().to_owned();
        let expected = format!("other users may replace files in it; run `chmod go-w {}`", folder.path().display());
        assert!(message.ends_with(&expected), "{mode:o}: {message}");
    }
}

#[tokio::test]
async fn files_of_another_user_are_refused() {
    let (folder, file) = closed().await;
    if fs::metadata(folder.path()).unwrap().uid() != 0 {
        println!("SKIPPED: only root can give files to another user");
        return;
    }
    for path in [file.clone(), beside(&file, ".key"), folder.path().to_owned()] {
        std::os::unix::fs::chown(&path, Some(12_345), None).unwrap();
        let message = refusal(&file).await.message().to_owned();
        let expected =
            format!("it belongs to another user (12345); run `chown 0 {}` if it is meant to be yours", path.display());
        assert!(message.ends_with(&expected), "{message}");
        std::os::unix::fs::chown(&path, Some(0), None).unwrap();
    }
    DatabaseStore::sqlite(&file).await.unwrap();
}

#[tokio::test]
async fn files_that_disappear_are_noticed_before_anything_more_is_promised() {
    let suffixes = ["", ".key", "-wal", "-shm"];
    for (suffix, is_replaced) in suffixes.into_iter().flat_map(|suffix| [(suffix, false), (suffix, true)]) {
        let (_folder, file) = closed().await;
        let store = DatabaseStore::sqlite(&file).await.unwrap();
        let lease = store.create(new(2, "a")).await.unwrap();
        store.append(&lease, 0, batch("first"), head(Status::Running, 1), Vec::new()).await.unwrap();
        let path = beside(&file, suffix);
        let aside = file.with_file_name("aside");
        fs::rename(&path, &aside).unwrap();
        if is_replaced {
            fs::write(&path, []).unwrap();
        }
        let what = if is_replaced { "was replaced by another file" } else { "was removed" };
        let expected = format!("{} {what} while this process was using it", path.display());
        for attempt in 0..3 {
            let appended = store.append(&lease, 1, batch("lost"), head(Status::Running, 2), Vec::new()).await;
            let error = appended.expect_err("it would be promised and lost");
            assert_eq!(error.kind(), ErrorKind::Broken);
            assert!(error.message().ends_with(&expected), "{attempt}: {error}");
            let looked = store.load(&id(2), Part::Whole).await.unwrap_err();
            assert!(looked.message().ends_with(&expected), "{attempt}: {looked}");
        }
        drop(store);
        assert_eq!(path.exists(), is_replaced, "{suffix}: what another put there is not ours to remove");
        // What was moved and is put back has all that was promised.
        if matches!(suffix, "" | ".key") || is_replaced {
            fs::rename(&aside, &path).unwrap();
        }
        let store = DatabaseStore::sqlite(&file).await.unwrap();
        assert_eq!(store.load(&id(2), Part::Whole).await.unwrap().batches, [batch("first")], "{suffix} {what}");
    }
}

#[tokio::test]
async fn a_key_may_be_a_link_which_is_noticed_when_it_is_gone() {
    let (_folder, file) = closed().await;
    let (key, elsewhere) = (beside(&file, ".key"), file.with_file_name("elsewhere"));
    fs::rename(&key, &elsewhere).unwrap();
    symlink(&elsewhere, &key).unwrap();
    let store = DatabaseStore::sqlite(&file).await.unwrap();
    store.create(new(2, "a")).await.unwrap();
    fs::remove_file(&key).unwrap();
    let error = store.create(new(3, "a")).await.unwrap_err();
    let expected = format!("{} was removed while this process was using it", key.display());
    assert!(error.message().ends_with(&expected), "{error}");
}

#[tokio::test]
async fn what_was_promised_survives_the_removal_of_the_log() {
    let (_folder, file) = closed().await;
    let store = DatabaseStore::sqlite(&file).await.unwrap();
    let lease = store.create(new(2, "a")).await.unwrap();
    for position in 0..50 {
        store.append(&lease, position, batch("kept"), head(Status::Running, 1), Vec::new()).await.unwrap();
    }
    fs::remove_file(beside(&file, "-wal")).unwrap();
    store.append(&lease, 50, batch("lost"), head(Status::Running, 2), Vec::new()).await.unwrap_err();
    drop(store);
    let store = DatabaseStore::sqlite(&file).await.unwrap();
    assert_eq!(store.load(&id(2), Part::Whole).await.unwrap().batches.len(), 50);
}

/// Another process would keep it locked so; the locks are the same.
fn lock(file: &Path, statement: &str) -> Connection {
    let other = Connection::open(file).unwrap();
    other.execute_batch(statement).unwrap();
    other
}

#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn now() -> Instant {
    Instant::now()
}

#[tokio::test]
async fn a_locked_store_is_given_up_within_seconds() {
    const BOUND: Duration = Duration::from_secs(12);
    // One that nobody may even read, as it is before there is a log.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    drop(DatabaseStore::sqlite(&file).await.unwrap());
    Connection::open(&file).unwrap().execute_batch("PRAGMA journal_mode = DELETE").unwrap();
    let other = lock(&file, "BEGIN EXCLUSIVE");
    let begun = now();
    let error = DatabaseStore::sqlite(&file).await.unwrap_err();
    assert!(begun.elapsed() < BOUND, "opening took {:?}", begun.elapsed());
    let expected = format!("process {} has kept it locked for 5 s", std::process::id());
    assert!(error.message().ends_with(&expected), "{error}");
    let hint = isobox_core::Failure::from(error).hint.unwrap();
    assert!(hint.contains("wait until that process is done"), "{hint}");
    drop(other);

    // One that is written to, by many at once.
    let store = DatabaseStore::sqlite(&file).await.unwrap();
    let lease = store.create(new(1, "a")).await.unwrap();
    let other = lock(&file, "BEGIN IMMEDIATE");
    let begun = now();
    let appends: Vec<_> =
        (0..40).map(|_| store.append(&lease, 0, batch("late"), head(Status::Running, 1), Vec::new())).collect();
    for append in appends {
        assert!(append.await.unwrap_err().message().ends_with(&expected));
    }
    assert!(begun.elapsed() < BOUND, "forty operations took {:?}", begun.elapsed());
    drop(other);
    store.append(&lease, 0, batch("now"), head(Status::Running, 1), Vec::new()).await.unwrap();
}

#[tokio::test]
async fn looking_needs_no_lock_and_changes_nothing() {
    let (folder, file) = closed().await;
    let other = lock(&file, "BEGIN IMMEDIATE; UPDATE isobox_executions SET length = 7");
    let begun = now();
    let store = DatabaseStore::sqlite_to_read(&file).await.unwrap().expect("there is one");
    assert_eq!(store.list(Filter::newest(9)).await.unwrap().executions.len(), 1);
    assert_eq!(store.load(&id(1), Part::Whole).await.unwrap().beginning, batch("beginning of 1"));
    assert!(begun.elapsed() < Duration::from_secs(3), "looking took {:?}", begun.elapsed());
    for refused in
        [store.delete(&id(1), ExpectedState::Anyhow).await.unwrap_err(), store.create(new(3, "a")).await.unwrap_err()]
    {
        assert!(refused.message().ends_with("it was opened only for reading"), "{refused}");
    }
    drop((store, other));

    let nothing = folder.path().join("other").join("isobox.db");
    assert!(DatabaseStore::sqlite_to_read(&nothing).await.unwrap().is_none());
    assert!(!folder.path().join("other").exists(), "looking makes nothing");
    let empty = folder.path().join("empty.db");
    fs::write(&empty, []).unwrap();
    set_mode(&empty, 0o600);
    assert!(DatabaseStore::sqlite_to_read(&empty).await.unwrap_err().message().contains("is missing"));
}

#[tokio::test]
async fn one_who_looks_sees_what_is_in_the_log() {
    let (_folder, file) = closed().await;
    let store = DatabaseStore::sqlite(&file).await.unwrap();
    let looking = DatabaseStore::sqlite_to_read(&file).await.unwrap().expect("there is one");
    for number in 2..5 {
        store.create(new(number, "a")).await.unwrap();
        assert_eq!(looking.list(Filter::newest(9)).await.unwrap().executions.len(), usize::try_from(number).unwrap());
    }
}
