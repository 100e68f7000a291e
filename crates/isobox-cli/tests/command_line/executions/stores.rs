//! Where executions are kept, and what is said where that does not work.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{ASKING, Done, Folder, ONE};

/// Says that nothing can be kept there, what to do, and nothing secret.
fn assert_unusable(done: &Done, status: i32, message: &str) {
    assert_eq!((done.status, done.stdout.as_str()), (status, ""), "{done:?}");
    assert!(done.stderr.contains(message), "{message}\n{done:?}");
    assert!(done.stderr.contains("--store") && !done.stderr.contains("hunter2"), "{done:?}");
}

#[test]
fn a_configuration_keeps_executions_beside_itself_for_its_owner_alone() {
    let folder = Folder::new("beside");
    folder.isobox(&["tools", "list", "--demo"]);
    assert!(!folder.0.join(".isobox").exists(), "looking at tools makes no store");
    folder.file("program.ts", ONE);
    let elsewhere = Folder::with("beside-elsewhere", "{}");
    let (config, program) = (folder.0.join("isobox.json"), folder.0.join("program.ts"));
    let arguments = ["run", "--demo", "--config", &config.display().to_string(), &program.display().to_string()];
    assert_eq!(elsewhere.isobox(&arguments).status, 3);
    assert!(!elsewhere.0.join(".isobox").exists(), "it is kept beside the configuration");
    let own = folder.0.join(".isobox");
    assert_eq!(fs::read_to_string(own.join(".gitignore")).expect("it is there"), "*\n");
    let mode = |name: &str| fs::metadata(own.join(name)).expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode("."), mode("isobox.db"), mode("isobox.db.key")), (0o700, 0o600, 0o600));
}

#[test]
fn without_a_configuration_nothing_is_kept_unless_it_is_asked_for() {
    let folder = Folder::new("without");
    fs::remove_file(folder.0.join("isobox.json")).expect("removed");
    folder.file("program.ts", "return (await tools.demo.echo({ a: 1 })).a");
    assert_eq!(folder.isobox(&["run", "--demo", "program.ts"]).stdout, "1\n");
    assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 2, "the program, and the credential of the test");
    let nowhere = folder.isobox(&["executions", "list"]);
    assert_eq!(nowhere.status, 2);
    assert!(
        nowhere.stderr.contains("no execution store is configured") && nowhere.stderr.contains("--store"),
        "{nowhere:?}"
    );
    assert_eq!(folder.isobox(&["run", "--demo", "--store", "sqlite:kept/a.db", "program.ts"]).status, 0);
    let listed = folder.isobox(&["executions", "list", "--store", "sqlite:kept/a.db"]);
    assert!(listed.stdout.contains("completed") && listed.stdout.contains("program.ts"), "{listed:?}");
}

#[test]
fn a_flag_says_otherwise_than_the_configuration() {
    let folder = Folder::new("flag");
    folder.file("program.ts", ONE);
    let nobody = folder.isobox(&["run", "--demo", "--store", "none", "program.ts"]);
    assert_eq!(nobody.status, 1);
    assert!(nobody.stderr.contains("APPROVAL_REQUIRED") && !folder.0.join(".isobox").exists(), "{nobody:?}");
    let paused = folder.isobox(&["run", "--demo", "--store", "sqlite:it's.db", "program.ts"]);
    assert_eq!(paused.status, 3);
    assert!(paused.stderr.contains(r"--store 'sqlite:it'\''s.db' --demo"), "{paused:?}");
    assert!(!folder.0.join(".isobox").exists());
}

#[test]
fn a_store_that_cannot_be_used_says_why_and_what_to_do() {
    let folder = Folder::with("unusable", "{}");
    folder.file("program.ts", "return 1");
    folder.file("text.db", "this is no database, but it is long enough to be taken for one if nobody looks at it");
    fs::set_permissions(folder.0.join("text.db"), fs::Permissions::from_mode(0o600)).expect("it is ours");
    fs::write(folder.0.join("text.db.key"), [7; 32]).expect("written");
    fs::set_permissions(folder.0.join("text.db.key"), fs::Permissions::from_mode(0o600)).expect("it is ours");
    folder.file("open.db", "");
    fs::set_permissions(folder.0.join("open.db"), fs::Permissions::from_mode(0o600)).expect("it is ours");
    fs::create_dir(folder.0.join("folder.db")).expect("a folder");
    folder.file("file", "");
    for (store, message) in [
        ("sqlite:text.db", "it is not an SQLite database"),
        ("sqlite:open.db", "the key of open.db is missing"),
        ("sqlite:folder.db", "cannot use the database folder.db: it is a folder"),
        ("sqlite:file/a.db", "cannot make the folder file"),
        ("sqlite:/proc/a.db", "/proc/a.db"),
        ("postgres://ada:hunter2@127.0.0.1:1/isobox", "the PostgreSQL database isobox at 127.0.0.1:1"),
        ("postgres://ada:hunter2@b@127.0.0.1:1/isobox", "the address of the PostgreSQL server cannot be read"),
    ] {
        assert_unusable(&folder.isobox(&["run", "--store", store, "program.ts"]), 5, message);
        assert_unusable(&folder.isobox(&["mcp", "--store", store]), 5, message);
        assert_unusable(&folder.isobox(&["executions", "prune", "--store", store]), 5, message);
        let told = folder.isobox(&["executions", "prune", "--store", store, "--json"]);
        assert_eq!((told.status, told.json()["error"]["code"].as_str()), (5, Some("STORE")), "{told:?}");
        // Where there is no database there is nothing to look at, and nothing is made.
        let looked = folder.isobox(&["executions", "list", "--store", store]);
        match store {
            "sqlite:/proc/a.db" => assert_eq!(looked.stderr, "no executions found\n"),
            "sqlite:file/a.db" => assert_unusable(&looked, 5, "cannot use the database file/a.db: Not a directory"),
            _ => assert_unusable(&looked, 5, message),
        }
    }
    for store in ["mysql://ada:hunter2@db", "sqlite:", "", "a.db"] {
        let told = folder.isobox(&["run", "--store", store, "program.ts"]);
        assert_eq!(told.status, 2, "{store}: {told:?}");
        assert!(told.stderr.contains("--store: ") && !told.stderr.contains("hunter2"), "{store}: {told:?}");
    }
    let mut keyed = folder.command(&["run", "--store", "postgres://127.0.0.1:1/isobox", "program.ts"]);
    let told = Done::of(&keyed.env("ISOBOX_STORE_KEY", "hunter2").output().expect("the binary starts"));
    assert_eq!(told.status, 2);
    assert!(told.stderr.contains("64 hexadecimal digits") && !told.stderr.contains("hunter2"), "{told:?}");
}

#[test]
fn files_that_others_may_read_and_lost_keys_are_refused() {
    let folder = Folder::new("mode");
    let id = folder.pause(ONE);
    let key = folder.0.join(".isobox/isobox.db.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("it is ours");
    assert_unusable(&folder.isobox(&["executions", "show", &id]), 5, "other users may read or change it");
    fs::remove_file(&key).expect("removed");
    assert_unusable(&folder.isobox(&["executions", "show", &id]), 5, "is missing");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn an_inbox_that_was_flooded_holds_nothing_up() {
    let folder = Folder::new("flooded");
    let id = folder.pause(ONE);
    let script = "import sqlite3, sys\n\
                  c = sqlite3.connect('.isobox/isobox.db')\n\
                  rows = ((sys.argv[1], b'junk %d' % n, b'x' * 100) for n in range(100000))\n\
                  c.executemany('INSERT INTO isobox_inbox (execution, key, bytes) VALUES (?, ?, ?)', rows)\n\
                  c.commit()";
    let flooded = std::process::Command::new("python3").args(["-c", script, &id]).current_dir(&folder.0).status();
    assert!(flooded.expect("python starts").success());
    let begun = std::time::Instant::now();
    assert_eq!(folder.isobox(&["executions", "list"]).status, 0);
    let refused = folder.isobox(&["executions", "approve", &id, "--revision", "1", "--demo"]);
    assert!(refused.stderr.contains("the inbox of execution") && refused.stderr.contains("resume"), "{refused:?}");
    let resumed = folder.isobox(&["executions", "resume", &id, "--demo"]);
    assert_eq!(resumed.status, 3, "{resumed:?}");
    let approved = folder.isobox(&["executions", "approve", &id, "--revision", "1", "--demo"]);
    assert_eq!((approved.status, approved.stdout.as_str()), (0, "\"ada\"\n"), "{approved:?}");
    let took = begun.elapsed();
    println!("with 100,000 messages it took {took:?}");
    assert!(took < std::time::Duration::from_secs(60), "it took {took:?}");
}

#[test]
fn a_reason_that_nobody_would_read_is_refused() {
    let folder = Folder::new("reasons");
    let id = folder.pause(ONE);
    let long = "x".repeat(20_000);
    for arguments in [
        &["executions", "deny", &id, "0", "--reason", &long][..],
        &["executions", "approve", &id, "0", "--revision", "1", "--reason", &long],
        &["executions", "reject", &id, "--reason", &long],
    ] {
        let done = folder.isobox(&[arguments, &["--demo"]].concat());
        assert_eq!(done.status, 2, "{done:?}");
        assert!(done.stderr.contains("is 20000 bytes long, and the limit is "), "{done:?}");
    }
    assert_eq!(folder.listed()[0]["status"], "paused");
}

/// The database for these tests, in the server that `scripts/with_postgres.py` started.
#[expect(clippy::disallowed_methods, reason = "the script says through the environment where its server is")]
fn postgres_server() -> String {
    let url = std::env::var("ISOBOX_TEST_POSTGRES").unwrap_or_else(|_| {
        panic!("this test needs a PostgreSQL server: run `scripts/with_postgres.py cargo test --release -p isobox-cli`")
    });
    url.replacen("/postgres?", "/command_line?", 1)
}

#[test]
fn a_server_keeps_executions_and_its_password_is_shown_nowhere() {
    let folder = Folder::new("postgres");
    folder.file("program.ts", ONE);
    let url = postgres_server();
    let password = url.split_once('@').and_then(|(before, _)| before.rsplit_once(':')).expect("it has a password").1;
    let paused = folder.isobox(&["run", "--demo", "--store", &url, "program.ts"]);
    assert_eq!(paused.status, 3, "{paused:?}");
    assert!(paused.stderr.contains("--store 'postgres://…' --demo") && !paused.stderr.contains(password), "{paused:?}");
    let (_, rest) = paused.stderr.split_once("paused: ").expect("it says so");
    let id = rest.split(' ').next().expect("its name comes next");
    // As a configuration names it.
    folder.file("isobox.json", &ASKING.replacen('{', r#"{ "store": { "url": "${DATABASE_URL}" }, "#, 1));
    let configured = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        Done::of(&command.arg("--trust").env("DATABASE_URL", &url).output().expect("the binary starts"))
    };
    let done = configured(&["executions", "approve", id, "--revision", "1", "--demo"]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "\"ada\"\n"), "{done:?}");
    assert_eq!(configured(&["executions", "delete", id]).status, 0);
    let gone = configured(&["executions", "show", id]);
    assert!(gone.status == 4 && !gone.stderr.contains(password), "{gone:?}");
    assert!(!folder.0.join(".isobox").exists());
    let doctor = configured(&["doctor"]);
    assert!(doctor.stdout.contains("ok      store: the PostgreSQL database can be read ("), "{doctor:?}");
    let wrong = url.replacen(password, "hunter2", 1);
    let mut command = folder.command(&["doctor", "--trust"]);
    let doctor = Done::of(&command.env("DATABASE_URL", &wrong).output().expect("the binary starts"));
    assert_eq!(doctor.status, 1, "{doctor:?}");
    assert!(doctor.stdout.contains("failed  store: ") && !doctor.stdout.contains("hunter2"), "{doctor:?}");
    assert_unusable(&configured(&["run", "--store", &wrong, "program.ts"]), 5, "the PostgreSQL database");
}
