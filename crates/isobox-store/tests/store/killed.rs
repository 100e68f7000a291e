//! Processes that are killed, or that the disk refuses.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use isobox_core::ExecutionId;
use isobox_core::store::{Part, Store};
use isobox_store::DatabaseStore;

use crate::support::{WriteParts, random};

/// The example `appends`, which cargo builds with the tests.
fn appends() -> PathBuf {
    example("appends")
}

fn example(name: &str) -> PathBuf {
    let folder = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples");
    let program = folder.join(name);
    assert!(program.exists(), "{} is missing: run `cargo test` without --test", program.display());
    program
}

/// What a process said: the last position of every execution that was acknowledged, and anything else.
fn read_lines(lines: impl Iterator<Item = String>) -> (HashMap<ExecutionId, u64>, Vec<String>) {
    let (mut acknowledged, mut others) = (HashMap::new(), Vec::new());
    for line in lines {
        match line.split_once(' ').map(|(id, position)| (id.to_owned(), position.parse::<u64>())) {
            Some((id, Ok(position))) => {
                acknowledged.insert(serde_json::from_value(id.into()).unwrap(), position);
            }
            _ => others.push(line),
        }
    }
    (acknowledged, others)
}

async fn assert_is_there(store: &DatabaseStore, acknowledged: &HashMap<ExecutionId, u64>) {
    for (id, position) in acknowledged {
        let stored = store.load(id, Part::Whole).await.unwrap();
        assert!(stored.batches.len() as u64 > *position, "{id} has lost what was acknowledged");
        for (position, batch) in stored.batches.iter().enumerate() {
            assert_eq!(batch.bytes, format!("{position:0400}").into_bytes());
        }
    }
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_kill_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    let mut seen = 0;
    for round in 0..50 {
        let mut child =
            Command::new(appends()).args([file.as_os_str(), "8".as_ref()]).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        // Now and then before anything was acknowledged.
        let first = if round % 10 == 0 { None } else { lines.next() };
        std::thread::sleep(Duration::from_micros((random() % 40_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let (acknowledged, others) = read_lines(first.into_iter().chain(lines));
        assert_eq!(others, [] as [String; 0]);
        seen += acknowledged.len();
        assert_is_there(&DatabaseStore::sqlite(&file).await.unwrap(), &acknowledged).await;
    }
    assert!(seen > 100, "only {seen} executions were seen");
}

#[tokio::test]
async fn several_processes_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new folder").join("isobox.db");
    let start = |_| Command::new(appends()).arg(&file).args(["5", "40"]).stdout(Stdio::piped()).spawn().unwrap();
    let children = (0..4).map(start).collect::<Vec<_>>();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let (acknowledged, others) = read_lines(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned));
        assert_eq!(others, [] as [String; 0]);
        assert_eq!(acknowledged.values().collect::<Vec<_>>(), [&39; 5]);
        assert_is_there(&DatabaseStore::sqlite(&file).await.unwrap(), &acknowledged).await;
    }
}

#[tokio::test]
async fn a_disk_that_takes_no_more_is_reported_and_what_was_written_is_safe() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    drop(DatabaseStore::sqlite(&file).await.unwrap());
    // Files of this process get no larger than 500 blocks of 512 bytes.
    let script = "trap '' XFSZ; ulimit -f 500; exec \"$0\" \"$1\" 5 5000";
    let output = Command::new("sh").args(["-c", script]).arg(appends()).arg(&file).output().unwrap();
    let (acknowledged, others) = read_lines(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned));
    assert_eq!(acknowledged.len(), 5);
    assert_eq!(others.len(), 5, "every execution was told: {others:?}");
    for other in others {
        assert!(other.starts_with("STORE: the SQLite database "), "{other}");
        assert!(other.contains("isobox.db: the disk "), "{other}");
    }
    assert_is_there(&DatabaseStore::sqlite(&file).await.unwrap(), &acknowledged).await;
}

#[tokio::test]
async fn looking_needs_no_room_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    let create = async |number: u64| {
        let store = DatabaseStore::sqlite(&file).await.unwrap();
        store.create(crate::support::new(number, "a")).await.unwrap();
        store
    };
    let look = || {
        // No file of this process may grow.
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$1\"";
        let output = Command::new("sh").args(["-c", script]).arg(example("looks")).arg(&file).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    drop(create(1).await);
    assert!(!folder.path().join("isobox.db-wal").exists(), "everything is in the database");
    assert_eq!(look(), "1\n");
    // What is in the log of a process that runs is seen too.
    let running = create(2).await;
    assert_eq!(look(), "2\n");
    drop(running);
    // What is only in a log, with nobody there to share it, cannot be read, and that is said.
    let wal = folder.path().join("isobox.db-wal");
    std::fs::write(&wal, [1; 5_000]).unwrap();
    std::fs::set_permissions(&wal, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let said = look();
    assert!(said.starts_with("STORE: ") && said.contains("its log ") && said.contains("cannot be read"), "{said}");
}

#[tokio::test]
async fn a_file_that_cannot_be_written_to_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isobox.db");
    let as_nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    drop(DatabaseStore::sqlite(&file).await.unwrap());
    let rights = |path: &std::path::Path, mode: &str| {
        let owner = if is_root { "65534" } else { "" };
        assert!(Command::new("chmod").arg(mode).arg(path).status().unwrap().success());
        assert!(owner.is_empty() || Command::new("chown").arg(owner).arg(path).status().unwrap().success());
    };
    rights(&file, "0400");
    rights(&folder.path().join("isobox.db.key"), "0400");
    rights(folder.path(), "0500");
    let copy = std::env::temp_dir().join(format!("isobox-appends-{:x}", random()));
    std::fs::copy(appends(), &copy).unwrap();
    let mut command = if is_root { Command::new("setpriv") } else { Command::new(&copy) };
    if is_root {
        command.args(as_nobody).arg(&copy);
    }
    let output = command.arg(&file).args(["1", "1"]).output().unwrap();
    std::fs::remove_file(&copy).unwrap();
    rights(folder.path(), "0700");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        said,
        format!("STORE: the SQLite database {}: it cannot be written to\n", file.display()),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
