//! Configurations from other people: nothing is started before the user has agreed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::executions::{ASKING, Done, Folder, ONE, terminal};

/// A checkout with a configuration whose command leaves a trace, and a home of its own.
struct Checkout {
    folder: Folder,
    home: Folder,
}

impl Checkout {
    fn new(name: &str) -> Self {
        let folder = Folder::with(&format!("trust-{name}"), "");
        let checkout = Self { home: Folder::with(&format!("trust-home-{name}"), "{}"), folder };
        checkout.configure(&[]);
        checkout.folder.file("program.ts", "return 1");
        checkout
    }

    fn configure(&self, args: &[&str]) {
        let script = format!("touch {}", self.trace().display());
        let args: Vec<&str> = ["-c", &script].into_iter().chain(args.iter().copied()).collect();
        let config = serde_json::json!({ "mcpServers": { "evil": { "command": "sh", "args": args } } });
        self.folder.file("isobox.json", &config.to_string());
    }

    fn trace(&self) -> PathBuf {
        self.folder.0.join("trace")
    }

    /// Whether the command ran since this was last asked.
    fn was_started(&self) -> bool {
        fs::remove_file(self.trace()).is_ok()
    }

    fn at_home(&self, command: &mut Command) -> Done {
        command.env("HOME", &self.home.0).env_remove("XDG_STATE_HOME");
        Done::of(&command.output().expect("the binary starts"))
    }

    fn isobox(&self, arguments: &[&str]) -> Done {
        self.at_home(&mut self.folder.command(arguments))
    }

    fn at_a_terminal(&self, arguments: &[&str], script: &[(&str, &str)]) -> Done {
        let mut done = self.at_home(&mut terminal(&self.folder, arguments, script));
        done.stdout = done.stdout.replace("\r\n", "\n");
        done
    }

    fn list(&self) -> PathBuf {
        self.home.0.join(".local/state/isobox/trusted.json")
    }
}

const QUESTION: &str = "Trust this file until it changes? [y]es, [n]o: ";

#[test]
fn without_a_person_an_unknown_configuration_starts_nothing() {
    let checkout = Checkout::new("alone");
    for arguments in [
        &["run", "program.ts"][..],
        &["run", "--json", "program.ts"],
        &["tools", "list"],
        &["mcp"],
        &["executions", "resume", "exec_1"],
        &["executions", "approve", "exec_1", "--revision", "1"],
    ] {
        let done = checkout.isobox(arguments);
        assert_eq!(done.status, 2, "{arguments:?}: {done:?}");
        let expected = format!("starts evil: sh -c \"touch {}\"", checkout.trace().display());
        let told = match arguments.contains(&"--json") {
            true => done.json()["error"]["message"].as_str().expect("a message").to_owned(),
            false => done.stderr.clone(),
        };
        assert!(told.contains(&expected) && told.contains("--trust"), "{done:?}");
        assert!(!checkout.was_started(), "{arguments:?} starts it");
    }
    // These start nothing.
    for (arguments, status) in [(&["executions", "list"][..], 1), (&["executions", "prune"], 0)] {
        assert_eq!(checkout.isobox(arguments).status, status, "{arguments:?}");
        assert!(!checkout.was_started(), "{arguments:?} starts it");
    }
}

#[test]
fn one_that_is_named_or_trusted_by_a_flag_is_started() {
    let checkout = Checkout::new("named");
    for flags in [&["--trust"][..], &["--config", "isobox.json"]] {
        let done = checkout.isobox(&[&["tools", "list"], flags].concat());
        assert_eq!(done.status, 1, "its only server ends at once: {done:?}");
        assert!(checkout.was_started(), "{flags:?} does not start it");
    }
    assert!(!checkout.list().exists(), "what a flag says holds for one command");
}

#[test]
fn a_person_is_asked_once_for_every_content() {
    let checkout = Checkout::new("asked");
    let run = ["run", "program.ts"];
    // What was typed before a question is asked again does not answer it.
    let refused = checkout.at_a_terminal(&run, &[(QUESTION, "what?\ny\n"), (QUESTION, "n\n")]);
    assert_eq!((refused.status, checkout.was_started()), (2, false), "{refused:?}");
    assert!(refused.stdout.contains("is not trusted; nothing was started"), "{refused:?}");

    let agreed = checkout.at_a_terminal(&run, &[(QUESTION, "y\n")]);
    assert_eq!((agreed.status, checkout.was_started()), (0, true), "{agreed:?}");
    let mode = fs::metadata(checkout.list()).expect("it is remembered").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    assert_eq!((checkout.isobox(&run).status, checkout.was_started()), (0, true), "it is remembered");

    checkout.configure(&["more"]);
    assert_eq!((checkout.isobox(&run).status, checkout.was_started()), (2, false), "another content is asked about");
    checkout.configure(&[]);
    assert_eq!((checkout.isobox(&run).status, checkout.was_started()), (0, true));

    // The same file elsewhere is another one.
    let elsewhere = Checkout::new("asked-elsewhere");
    fs::copy(checkout.folder.0.join("isobox.json"), elsewhere.folder.0.join("isobox.json")).expect("copied");
    let done = checkout.at_home(&mut elsewhere.folder.command(&run));
    assert_eq!((done.status, checkout.was_started()), (2, false), "{done:?}");
    // And so is a link to it.
    fs::remove_file(elsewhere.folder.0.join("isobox.json")).expect("removed");
    std::os::unix::fs::symlink(checkout.folder.0.join("isobox.json"), elsewhere.folder.0.join("isobox.json"))
        .expect("a link");
    let done = checkout.at_home(&mut elsewhere.folder.command(&run));
    assert_eq!((done.status, checkout.was_started()), (2, false), "{done:?}");
}

#[test]
fn a_person_agrees_only_after_all_effects_were_shown() {
    let checkout = Checkout::new("long");
    let trace = checkout.trace().display().to_string();
    let server =
        |number: usize| (format!("s{number:03}"), serde_json::json!({ "command": "sh", "args": ["-c", "true"] }));
    let mut servers: serde_json::Map<String, serde_json::Value> = (0..120).map(server).collect();
    let hidden = format!("true{}; touch {trace}", " ".repeat(3000));
    servers.insert("t".to_owned(), serde_json::json!({ "command": "sh", "args": ["-c", hidden] }));
    checkout.folder.file("isobox.json", &serde_json::json!({ "mcpServers": servers }).to_string());
    let more = "rows come before you can agree. Type m ";
    let script = [(more, "y\n"), (more, "m\n"), (more, "all\n"), (QUESTION, "n\n")];
    let refused = checkout.at_a_terminal(&["tools", "list"], &script);
    assert_eq!((refused.status, checkout.was_started()), (2, false), "{refused:?}");
    let (shown, _) = refused.stdout.split_once(QUESTION).expect("it is asked");
    assert!(
        shown.contains("starts s119: ") && shown.contains(&format!("true [3000 blanks] ; touch {trace}")),
        "{shown}"
    );
    let at_once = checkout.at_a_terminal(&["tools", "list"], &[(more, "n\n")]);
    assert!(at_once.status == 2 && !at_once.stdout.contains(QUESTION), "{at_once:?}");
}

#[test]
fn what_a_command_is_started_with_is_shown_to_a_person_and_left_out_of_errors() {
    let checkout = Checkout::new("environment");
    checkout.folder.file(
        "isobox.json",
        r#"{ "mcpServers": { "evil": { "command": "node", "args": ["server.js"], "cwd": "../elsewhere", "env": {
            "NODE_OPTIONS": "--require ./evil.js", "LD_PRELOAD": "./evil.so", "TOKEN": "${GITHUB_TOKEN}" } } } }"#,
    );
    let starts =
        "  starts evil: node server.js (in ../elsewhere, with LD_PRELOAD, NODE_OPTIONS, TOKEN in its environment)\n";
    let sets = "  sets for evil: \"NODE_OPTIONS=--require ./evil.js\" LD_PRELOAD=./evil.so TOKEN=${GITHUB_TOKEN}\n";
    let mut asked = terminal(&checkout.folder, &["tools", "list"], &[(QUESTION, "n\n")]);
    let asked = checkout.at_home(asked.env("GITHUB_TOKEN", "hunter2")).stdout.replace("\r\n", "\n");
    assert!(asked.contains(&format!("{starts}{sets}")) && !asked.contains("hunter2"), "{asked}");
    let mut refused = checkout.folder.command(&["tools", "list"]);
    let refused = checkout.at_home(refused.env("GITHUB_TOKEN", "hunter2"));
    assert_eq!(refused.status, 2, "{refused:?}");
    assert!(refused.stderr.contains(starts), "{refused:?}");
    assert!(!refused.stderr.contains("evil.so") && !refused.stderr.contains("hunter2"), "{refused:?}");
}

#[test]
fn commands_that_run_no_program_read_no_module() {
    let checkout = Checkout::new("modules");
    checkout.folder.file("isobox.json", r#"{ "modules": { "a": "/missing.js" } }"#);
    for (arguments, status) in [
        (&["executions", "list"][..], 1),
        (&["executions", "prune"], 0),
        (&["sessions", "list"], 1),
        (&["snippets", "list"], 1),
    ] {
        for flags in [&[][..], &["--config", "isobox.json"]] {
            let done = checkout.isobox(&[arguments, flags].concat());
            assert_eq!(done.status, status, "{arguments:?} {flags:?}: {done:?}");
        }
    }
}

#[test]
fn a_store_that_cannot_be_remembered_is_told_when_it_is_created() {
    let checkout = Checkout::new("forgotten");
    checkout.folder.file("isobox.json", "{}");
    // The state cannot be kept in what is a file.
    let run = |store: &str| {
        let mut command = checkout.folder.command(&["run", "--store", store, "program.ts"]);
        Done::of(&command.env("XDG_STATE_HOME", checkout.trace()).output().expect("the binary starts"))
    };
    fs::write(checkout.trace(), "").expect("written");
    let told = "the new store cannot be remembered";
    let first = run("sqlite:a.db");
    assert!(first.status == 0 && first.stderr.contains(told), "{first:?}");
    let second = run("sqlite:a.db");
    assert!(second.status == 0 && !second.stderr.contains(told), "it is not new: {second:?}");
    let remembered = checkout.isobox(&["run", "--store", "sqlite:b.db", "program.ts"]);
    assert!(remembered.status == 0 && !remembered.stderr.contains(told), "{remembered:?}");
}

#[test]
fn the_page_about_it_shows_the_question() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let example = page.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next()).expect("an example");
    let checkout = Checkout::new("page");
    checkout.folder.file(
        "isobox.json",
        r#"{ "mcpServers": { "github": { "command": "github-mcp", "args": ["stdio"], "env": { "TOKEN": "${GITHUB_TOKEN}" } } } }"#,
    );
    let mut asked = terminal(&checkout.folder, &["tools", "list"], &[(QUESTION, "n\n")]);
    let asked = checkout.at_home(asked.env("GITHUB_TOKEN", "hunter2")).stdout.replace("\r\n", "\n");
    let folder = checkout.folder.0.canonicalize().expect("it is there").display().to_string();
    let shown = asked.replace(&folder, "/home/ada/project");
    assert!(shown.starts_with(example), "{shown}");
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[test]
fn what_others_may_write_to_is_no_list_of_trusted_files() {
    let checkout = Checkout::new("list");
    assert_eq!(checkout.at_a_terminal(&["run", "program.ts"], &[(QUESTION, "y\n")]).status, 0);
    checkout.was_started();
    fs::set_permissions(checkout.list(), fs::Permissions::from_mode(0o666)).expect("it is ours");
    let done = checkout.isobox(&["run", "program.ts"]);
    assert_eq!((done.status, checkout.was_started()), (2, false), "{done:?}");
    assert!(done.stderr.contains("chmod 600"), "{done:?}");
}

#[test]
fn what_a_configuration_reads_and_where_it_keeps_executions_is_asked_about_too() {
    let checkout = Checkout::new("reach");
    for (config, expected) in [
        (r#"{ "store": "sqlite:../elsewhere/a.db" }"#, "stores executions in sqlite:../elsewhere/a.db"),
        (r#"{ "store": "postgres://db/x" }"#, "stores executions in a PostgreSQL server"),
        (r#"{ "policy": [{ "tools": "*", "deny": "${HOME}" }] }"#, "reads environment variables: HOME"),
        (r#"{ "modules": { "a": "../a.js", "b": { "path": "/b.json" } } }"#, "reads files: ../a.js, /b.json"),
        (r#"{ "openapi": { "a": { "spec": "/a.json", "baseUrl": "https://a.example" } } }"#, "reads files: /a.json"),
    ] {
        checkout.folder.file("isobox.json", config);
        let done = checkout.isobox(&["run", "program.ts"]);
        assert_eq!(done.status, 2, "{done:?}");
        assert!(done.stderr.contains(expected), "{expected}: {done:?}");
    }
    checkout.folder.file("isobox.json", r#"{ "store": "sqlite:../elsewhere/a.db" }"#);
    assert_eq!(checkout.isobox(&["executions", "list"]).status, 2);
    checkout.folder.file("isobox.json", r#"{ "limits": { "timeout": "5s" } }"#);
    assert_eq!(checkout.isobox(&["run", "program.ts"]).status, 0, "this reaches nothing");
}

#[test]
fn a_store_folder_that_is_a_link_is_refused() {
    let checkout = Checkout::new("link");
    checkout.folder.file("isobox.json", r#"{ "retention": { "keep": 0, "expireAfter": "1ms" } }"#);
    let own = checkout.home.0.join(".isobox");
    checkout.home.file("program.ts", "return 1");
    assert_eq!(checkout.home.isobox(&["run", "program.ts"]).status, 0);
    std::os::unix::fs::symlink(&own, checkout.folder.0.join(".isobox")).expect("a link");
    for arguments in [&["run", "program.ts"][..], &["executions", "list"], &["executions", "prune"]] {
        let done = checkout.isobox(arguments);
        assert_ne!(done.status, 0, "{arguments:?}: {done:?}");
        assert!(done.stderr.contains("it is a link"), "{done:?}");
    }
    assert_eq!(checkout.home.listed().len(), 1, "nothing was removed there");
}

#[test]
fn the_retention_of_an_unknown_configuration_is_not_applied_to_a_store_that_is_named() {
    let checkout = Checkout::new("retention");
    checkout.home.file("program.ts", "return 1");
    assert_eq!(checkout.home.isobox(&["run", "program.ts"]).status, 0);
    let store = format!("sqlite:{}", checkout.home.0.join(".isobox/isobox.db").display());
    checkout.folder.file("isobox.json", r#"{ "retention": { "keep": 0, "expireAfter": "1ms" } }"#);
    let done = checkout.isobox(&["run", "--store", &store, "program.ts"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stderr.contains("is not trusted, so its `retention` is not used"), "{done:?}");
    assert_eq!(checkout.home.listed().len(), 2, "nothing was removed there");
    let done = checkout.isobox(&["run", "--store", &store, "--trust", "program.ts"]);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    assert!(checkout.home.listed().is_empty(), "a person has agreed");
}

#[test]
fn a_configuration_of_another_user_needs_trust_even_where_it_is_named() {
    let checkout = Checkout::new("owner");
    let file = checkout.folder.0.join("isobox.json");
    if std::os::unix::fs::chown(&file, Some(12_345), None).is_err() {
        println!("SKIPPED: only root can give a file to another user");
        return;
    }
    let done = checkout.isobox(&["tools", "list", "--config", "isobox.json"]);
    assert_eq!((done.status, checkout.was_started()), (2, false), "{done:?}");
    assert!(done.stderr.contains("belongs to another user (12345)"), "{done:?}");
    let done = checkout.isobox(&["tools", "list", "--config", "isobox.json", "--trust"]);
    assert_eq!((done.status, checkout.was_started()), (1, true), "its only server ends at once: {done:?}");
}

#[test]
fn a_configuration_that_others_may_change_is_refused_however_it_is_named() {
    let checkout = Checkout::new("writable");
    fs::set_permissions(checkout.folder.0.join("isobox.json"), fs::Permissions::from_mode(0o666)).expect("it is ours");
    for flags in [&[][..], &["--trust"], &["--config", "isobox.json"]] {
        let done = checkout.isobox(&[&["tools", "list"], flags].concat());
        assert_eq!((done.status, checkout.was_started()), (2, false), "{flags:?}: {done:?}");
        assert!(done.stderr.contains("run `chmod go-w isobox.json`"), "{done:?}");
    }
}

#[test]
fn a_store_that_came_with_the_work_of_another_person_is_asked_about() {
    const QUESTION: &str = "Use this store? [y]es, [n]o: ";
    let (checkout, stranger) = (Checkout::new("store"), Folder::new("trust-stranger"));
    checkout.folder.file("isobox.json", ASKING);
    let id = stranger.pause(ONE);
    let copied = Command::new("cp").arg("-a").arg(stranger.0.join(".isobox")).arg(&checkout.folder.0).status();
    assert!(copied.expect("it starts").success());
    for arguments in [
        &["run", "program.ts"][..],
        &["tools", "list"],
        &["mcp"],
        &["executions", "resume", &id, "--demo"],
        &["executions", "approve", &id, "--demo"],
        &["executions", "wake", "--demo"],
    ] {
        let done = checkout.isobox(arguments);
        assert_eq!(done.status, 2, "{arguments:?}: {done:?}");
        assert!(done.stderr.contains("you have not used the store") && done.stderr.contains("--trust"), "{done:?}");
    }
    // Looking makes no call.
    let listed = checkout.isobox(&["executions", "list"]);
    assert!(listed.status == 0 && listed.stdout.contains("paused"), "{listed:?}");
    let trusted = checkout.isobox(&["executions", "resume", &id, "--demo", "--trust"]);
    assert_eq!(trusted.status, 3, "what a flag says holds for one command: {trusted:?}");
    let named = checkout.isobox(&["run", "--store", "sqlite:.isobox/isobox.db", "program.ts"]);
    assert_eq!(named.status, 0, "{named:?}");

    let run = ["run", "program.ts"];
    let refused = checkout.at_a_terminal(&run, &[(QUESTION, "n\n")]);
    assert!(refused.status == 2 && refused.stdout.contains("is not trusted; nothing was started"), "{refused:?}");
    assert_eq!(checkout.at_a_terminal(&run, &[(QUESTION, "y\n")]).status, 0);
    assert_eq!(checkout.isobox(&run).status, 0, "it is remembered");
    let moved = checkout.folder.0.join("elsewhere");
    fs::rename(checkout.folder.0.join(".isobox"), &moved).expect("it is moved");
    assert_eq!(checkout.isobox(&run).status, 0, "a store of one's own needs no question");
    assert_eq!(checkout.isobox(&run).status, 0);
}
