//! Pipes in place of files, folders without the right to write, databases that another process keeps locked.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::executions::{Done, Folder, ONE};

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").args(["-m", "600"]).arg(path).status().expect("it starts").success());
}

/// Ends a command that waits for something that never comes.
pub(crate) fn within(seconds: u64, mut command: Command) -> Done {
    let mut bounded = Command::new("timeout");
    bounded.arg(seconds.to_string()).arg(command.get_program()).args(command.get_args());
    bounded.current_dir(command.get_current_dir().expect("it is set")).stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => bounded.env(name, value),
            None => bounded.env_remove(name),
        };
    }
    command = bounded;
    Done::of(&command.output().expect("it starts"))
}

#[test]
fn pipes_in_the_place_of_files_are_refused_in_one_sentence() {
    let folder = Folder::with("pipes", "{}");
    folder.file("program.ts", "return 1");
    assert_eq!(folder.isobox(&["run", "program.ts"]).status, 0);
    make_pipe(&folder.0.join("pipe"));
    for (arguments, status) in [
        (&["run", "--config", "pipe", "program.ts"][..], 2),
        (&["tools", "list", "--config", "pipe"], 2),
        (&["run", "--store", "sqlite:pipe", "program.ts"], 5),
        (&["executions", "list", "--store", "sqlite:pipe"], 5),
        (&["run", "--store", "postgres://127.0.0.1/x?sslrootcert=pipe", "program.ts"], 5),
    ] {
        let done = within(20, folder.command(arguments));
        assert_eq!(done.status, status, "{arguments:?}: {done:?}");
        assert!(done.stderr.contains("it is a pipe; only a regular file will do"), "{arguments:?}: {done:?}");
    }
    let key = folder.0.join(".isobox/isobox.db.key");
    fs::remove_file(&key).expect("removed");
    make_pipe(&key);
    for arguments in [&["run", "program.ts"][..], &["executions", "list"]] {
        let done = within(20, folder.command(arguments));
        assert!(done.stderr.contains("isobox.db.key: it is a pipe"), "{done:?}");
    }
}

#[test]
fn pipes_and_devices_in_the_place_of_modules_and_inputs_end_a_command() {
    let folder = Folder::with("module-pipe", r#"{ "modules": { "m": "./pipe" } }"#);
    folder.file("program.ts", "return 1");
    make_pipe(&folder.0.join("pipe"));
    let done = within(20, folder.command(&["run", "--trust", "program.ts"]));
    assert!(done.status == 2 && done.stderr.contains("it is a pipe; only a regular file will do"), "{done:?}");

    folder.file("open.js", "export const a = 1");
    fs::set_permissions(folder.0.join("open.js"), fs::Permissions::from_mode(0o646)).expect("it is ours");
    folder.file("isobox.json", r#"{ "modules": { "m": "./open.js" } }"#);
    let done = within(20, folder.command(&["run", "--trust", "program.ts"]));
    assert!(done.status == 2 && done.stderr.contains("other users may change it; run `chmod go-w"), "{done:?}");

    folder.file("isobox.json", "{}");
    let done = within(20, folder.command(&["tools", "learn", "--inputs", "/dev/zero"]));
    assert!(done.status == 2 && done.stderr.contains("/dev/zero is larger than"), "{done:?}");
}

#[test]
fn a_program_may_come_from_a_pipe_that_has_a_writer() {
    let folder = Folder::with("program-pipe", "{}");
    let shell = |script: &str| {
        let mut command = folder.command(&[]);
        let isobox = command.get_program().to_owned();
        command = Command::new("bash");
        command.arg("-c").arg(script).current_dir(&folder.0).env("ISOBOX", isobox).env("NO_COLOR", "1");
        within(40, command)
    };
    assert_eq!(shell("\"$ISOBOX\" run <(echo 'return 1 + 1')").stdout, "2\n");
    assert_eq!(shell("\"$ISOBOX\" run <(sleep 1; echo 'return 1'; sleep 1; echo '+ 2')").stdout, "3\n");
    assert_eq!(shell("echo 'return 4' | \"$ISOBOX\" run /dev/stdin").stdout, "4\n");
    assert_eq!(shell("mkfifo p; (sleep 1; echo 'return 5' > p) & \"$ISOBOX\" run p").stdout, "5\n");
    let silent = shell("mkfifo q; \"$ISOBOX\" run q");
    assert_eq!(silent.status, 2, "{silent:?}");
    assert!(silent.stderr.contains("no process writes to this pipe"), "{silent:?}");
    let endless = shell("\"$ISOBOX\" run /dev/zero");
    assert!(endless.status == 1 && endless.stderr.contains("SOURCE_TOO_LARGE"), "{endless:?}");
}

/// Another process, which keeps the store of a folder locked.
struct Locker(Child);

impl Locker {
    fn new(folder: &Folder) -> Self {
        let script = "import sqlite3, time\n\
                      c = sqlite3.connect('.isobox/isobox.db', isolation_level=None)\n\
                      c.execute('BEGIN IMMEDIATE')\n\
                      open('locked', 'w').close()\n\
                      time.sleep(600)";
        let child = Command::new("python3").args(["-c", script]).current_dir(&folder.0).spawn().expect("it starts");
        while !folder.0.join("locked").exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        Self(child)
    }
}

impl Drop for Locker {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn now() -> Instant {
    Instant::now()
}

#[test]
fn looking_waits_for_no_lock_and_everything_else_for_a_few_seconds() {
    let folder = Folder::new("locked");
    let id = folder.pause(ONE);
    let locker = Locker::new(&folder);
    let begun = now();
    let listed = folder.isobox(&["executions", "list"]);
    assert!(listed.status == 0 && listed.stdout.contains("paused"), "{listed:?}");
    let shown = folder.isobox(&["executions", "show", &id]);
    assert!(shown.status == 0 && shown.stdout.contains("mail.send"), "{shown:?}");
    assert!(begun.elapsed() < Duration::from_secs(5), "looking took {:?}", begun.elapsed());
    for arguments in [&["run", "program.ts"][..], &["executions", "prune"]] {
        let begun = now();
        let done = folder.isobox(arguments);
        assert_ne!(done.status, 0, "{done:?}");
        let expected = format!("process {} has kept it locked for 5 s", locker.0.id());
        assert!(done.stderr.contains(&expected), "{done:?}");
        assert!(begun.elapsed() < Duration::from_secs(15), "{arguments:?} took {:?}", begun.elapsed());
    }
}

/// Runs a command as a user without the right to write to the folder. Root, who may write everywhere, becomes another user.
fn without_the_right_to_write(folder: &Folder, arguments: &[&str]) -> Done {
    let own = folder.0.join(".isobox");
    let is_root = Command::new("id").arg("-u").output().expect("it starts").stdout == b"0\n";
    let run = |program: &str, arguments: &[&std::ffi::OsStr]| {
        assert!(Command::new(program).args(arguments).status().expect("it starts").success(), "{program}");
    };
    let binary = folder.0.join("isobox");
    fs::copy(env!("CARGO_BIN_EXE_isobox"), &binary).expect("copied");
    if is_root {
        run("chown", &["-R".as_ref(), "65534".as_ref(), folder.0.as_os_str()]);
    }
    run("chmod", &["0500".as_ref(), own.as_os_str()]);
    let mut command = if is_root { Command::new("setpriv") } else { Command::new(&binary) };
    if is_root {
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&binary);
    }
    command.args(arguments).current_dir(&folder.0).env("NO_COLOR", "1").env("HOME", "/nonexistent");
    command.env("ISOBOX_DECIDE_KEY_FILE", folder.0.join("ada.key"));
    let done = Done::of(&command.stdin(Stdio::null()).output().expect("it starts"));
    run("chmod", &["0700".as_ref(), own.as_os_str()]);
    if is_root {
        run("chown", &["-R".as_ref(), "0".as_ref(), folder.0.as_os_str()]);
    }
    done
}

#[test]
fn looking_needs_no_right_to_write() {
    let folder = Folder::new("read-only");
    let id = folder.pause(ONE);
    let listed = without_the_right_to_write(&folder, &["executions", "list"]);
    assert!(listed.status == 0 && listed.stdout.contains("paused"), "{listed:?}");
    let shown = without_the_right_to_write(&folder, &["executions", "show", &id]);
    assert!(shown.status == 0 && shown.stdout.contains("mail.send"), "{shown:?}");
    let pruned = without_the_right_to_write(&folder, &["executions", "prune"]);
    assert!(pruned.status == 5 && pruned.stderr.contains("cannot be written to"), "{pruned:?}");

    // What is only in a log cannot be read without the file that its readers share: that is said.
    let own = folder.0.join(".isobox");
    let locker = Locker::new(&folder);
    fs::copy(own.join("isobox.db-wal"), own.join("kept")).expect("copied");
    drop(locker);
    fs::write(own.join("kept"), [1; 5_000]).expect("written");
    fs::rename(own.join("kept"), own.join("isobox.db-wal")).expect("renamed");
    drop(fs::remove_file(own.join("isobox.db-shm")));
    let refused = without_the_right_to_write(&folder, &["executions", "list"]);
    assert!(refused.status == 5 && refused.stderr.contains("isobox.db-wal"), "{refused:?}");
}

#[test]
fn looking_where_nothing_is_kept_makes_nothing() {
    let folder = Folder::with("nothing", "{}");
    let listed = folder.isobox(&["executions", "list"]);
    assert_eq!((listed.status, listed.stderr.as_str()), (1, "no executions found\n"), "{listed:?}");
    for (command, key) in [("list", "executions"), ("pending", "pending")] {
        let found = folder.isobox(&["executions", command, "--json"]);
        assert_eq!((found.status, &found.json()[key]), (1, &serde_json::json!([])), "{found:?}");
    }
    let pending = folder.isobox(&["executions", "pending"]);
    assert_eq!((pending.status, pending.stderr.as_str()), (1, "no calls are pending\n"));
    assert_eq!(folder.isobox(&["executions", "show", "exec_01"]).status, 4);
    assert!(!folder.0.join(".isobox").exists());
}
