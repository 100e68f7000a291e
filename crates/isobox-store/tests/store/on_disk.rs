//! What is in the files of an SQLite store.

use std::path::Path;

use futures_util::future::join_all;
use isobox_core::journal::Batch;
use isobox_core::store::{Checkpoint, ExpectedState, Holding, Message, Release, Status, Store};
use isobox_store::DatabaseStore;

use crate::support::{WriteParts, batch, head, id, new, random};

/// In how many places a text stands in the files of a folder.
fn count(folder: &Path, text: &str) -> usize {
    let files = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    files.map(|bytes| bytes.windows(text.len()).filter(|window| *window == text.as_bytes()).count()).sum()
}

#[tokio::test]
async fn nothing_of_a_deleted_execution_is_left_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let store = DatabaseStore::sqlite(folder.path().join("isobox.db")).await.unwrap();
    let long = |word: &str| Batch { bytes: word.repeat(2_000).into_bytes().into(), seal: [1; 32] };
    for number in 0..20 {
        let (kept, word) = (number % 2 == 0, if number % 2 == 0 { "WHAT-STAYS" } else { "A-SECRET" });
        let mut new = new(number, "a");
        let execution = new.create.as_mut().unwrap();
        execution.beginning = long(word);
        execution.head.function = Some(word.into());
        let lease = store.create(new).await.unwrap();
        store.append(&lease, 0, batch(word), head(Status::Running, 1), Vec::new()).await.unwrap();
        for text in ["first", "second"] {
            let bytes = [long(word).bytes, text.into()].concat();
            store.save_checkpoint(&lease, Checkpoint { position: 1, seal: [1; 32], bytes }).await.unwrap();
        }
        let message = Message { key: word.to_owned(), bytes: long(word).bytes.into() };
        store.post(&id(number), vec![message], ExpectedState::Anyhow).await.unwrap();
        if kept {
            let heard = vec![word.to_owned()];
            store.append(&lease, 1, batch(word), head(Status::Running, 2), heard).await.unwrap();
        }
    }
    assert!(count(folder.path(), "A-SECRET") > 10_000);
    for number in (0..20).filter(|number| number % 2 == 1) {
        store.delete(&id(number), ExpectedState::Anyhow).await.unwrap();
    }
    assert_eq!(count(folder.path(), "A-SECRET"), 0);
    assert!(count(folder.path(), "WHAT-STAYS") > 10_000);
}

/// How many transactions are in the write-ahead log: the last page of each says how large the database is then.
fn transactions(log: &Path) -> usize {
    let bytes = std::fs::read(log).unwrap();
    let (header, frames) = bytes.split_at(32);
    let page = u32::from_be_bytes(header[8..12].try_into().unwrap()) as usize;
    frames.chunks_exact(24 + page).filter(|frame| frame[4..8] != [0; 4]).count()
}

#[tokio::test]
async fn many_executions_share_one_flush() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    let store = DatabaseStore::sqlite(&file).await.unwrap();
    let create = (0..50).map(|number| store.create(new(number, "a"))).collect::<Vec<_>>();
    let leases = join_all(create).await.into_iter().map(Result::unwrap).collect::<Vec<_>>();
    let other = rusqlite::Connection::open(&file).unwrap();
    let before = transactions(&file.with_file_name("isobox.db-wal"));
    // Nothing can be committed until all have handed over what they have.
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let append = leases.iter().map(|lease| store.append(lease, 0, batch("b"), head(Status::Running, 1), Vec::new()));
    let appended = append.collect::<Vec<_>>();
    other.execute_batch("COMMIT").unwrap();
    assert!(join_all(appended).await.iter().all(Result::is_ok));
    let flushes = transactions(&file.with_file_name("isobox.db-wal")) - before;
    assert!((1..=2).contains(&flushes), "{flushes} flushes for 50 executions");
}

/// The bound of the contract is 200 MB for 10,000.
#[tokio::test]
async fn a_thousand_paused_executions_take_less_than_20_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    let store = DatabaseStore::sqlite(&file).await.unwrap();
    let noise = |length: usize| {
        let mut bytes = vec![0; length];
        getrandom::fill(&mut bytes).unwrap();
        bytes
    };
    let pause = async |number: u64| {
        let mut new = new(number, "a");
        new.create.as_mut().unwrap().beginning.bytes = noise(2_000).into();
        let lease = store.create(new).await.unwrap();
        for position in 0..6 {
            let batch = Batch { bytes: noise(300).into(), seal: [1; 32] };
            drop(store.append(&lease, position, batch, head(Status::Paused, number), Vec::new()));
        }
        let checkpoint = Checkpoint { position: 6, seal: [1; 32], bytes: noise(12_000) };
        drop(store.save_checkpoint(&lease, checkpoint));
        assert_eq!(store.release(&lease, Release::IfNothingWasSaid).await.unwrap(), Holding::Free);
    };
    join_all((0..1_000).map(|number| pause(number ^ (random() as u64) << 20))).await;
    let size = |name: &str| std::fs::metadata(file.with_file_name(name)).unwrap().len();
    let (database, log) = (size("isobox.db"), size("isobox.db-wal"));
    drop(store);
    let closed = size("isobox.db");
    assert!(closed < 20_000_000, "{closed} bytes; {database} and {log} in the log while it was open");
    println!("{closed} bytes; {database} and {log} in the log while it was open");
}
