//! `isobox run --stateless`: a pause is a text.

use serde_json::json;

use crate::executions::{Done, Folder, ONE};

const KEY: &str = "a secret that is long enough for a key, and not a real one";

fn isobox(folder: &Folder, key: Option<&str>, arguments: &[&str]) -> Done {
    let mut command = folder.command(arguments);
    match key {
        Some(key) => command.env("ISOBOX_CONTINUATION_KEY", key),
        None => command.env_remove("ISOBOX_CONTINUATION_KEY"),
    };
    Done::of(&command.output().expect("the binary starts"))
}

fn paused(folder: &Folder, more: &[&str]) -> Done {
    folder.file("program.ts", ONE);
    let done = isobox(folder, Some(KEY), &[&["run", "--demo", "--stateless", "program.ts"], more].concat());
    assert_eq!(done.status, 3, "{done:?}");
    done
}

#[test]
fn a_program_is_continued_from_a_text_in_another_process() {
    let folder = Folder::new("stateless");
    let done = paused(&folder, &[]);
    assert!(done.stdout.starts_with("isobox1.") && done.stdout.lines().count() == 1, "{done:?}");
    assert!(done.stderr.contains("call 0 (mail.send) needs approval"), "{done:?}");
    assert!(!done.stderr.contains("executions approve"), "{done:?}");
    let code = " 2 | const sent = await tools.mail.send({ to: 'ada', subject: 'hi' });";
    assert!(done.stderr.contains(code) && done.stderr.contains("input: {"), "{done:?}");
    assert!(done.stderr.contains("(or --approve-all)"), "{done:?}");
    folder.file("long.ts", &ONE.replace("'hi'", "'hi'.repeat(200)"));
    let cut = isobox(&folder, Some(KEY), &["run", "--demo", "--stateless", "long.ts"]);
    assert!(cut.status == 3 && cut.stderr.contains('…') && !cut.stderr.contains("--approve-all"), "{cut:?}");
    assert!(!folder.0.join(".isobox").exists(), "nothing is stored");
    folder.file("pause.txt", &done.stdout);
    let continued = ["run", "--demo", "--stateless", "--continue", "pause.txt", "--approve-all"];
    let done = isobox(&folder, Some(KEY), &continued);
    assert_eq!((done.status, done.stdout.trim()), (0, "\"ada\""), "{done:?}");
    assert!(done.stderr.contains("after") && !done.stderr.contains("before"), "{done:?}");
}

#[test]
fn a_store_remembers_which_texts_were_used() {
    let folder = Folder::new("stateless-once");
    folder.file("pause.txt", &paused(&folder, &["--store", "sqlite:used.db"]).stdout);
    let continued = [
        "run",
        "--demo",
        "--stateless",
        "--store",
        "sqlite:used.db",
        "--continue",
        "pause.txt",
        "--approve-all",
        "--json",
    ];
    let first = isobox(&folder, Some(KEY), &continued);
    assert_eq!((first.status, &first.json()["result"]), (0, &json!("ada")), "{first:?}");
    let second = isobox(&folder, Some(KEY), &continued);
    assert_eq!((second.status, &second.json()["error"]["code"]), (4, &json!("CONTINUATION")), "{second:?}");
    assert!(!second.stderr.contains("after") && second.json()["calls"].is_null(), "nothing runs: {second:?}");
    let listed = isobox(&folder, Some(KEY), &["executions", "list", "--store", "sqlite:used.db", "--json"]);
    assert_eq!(listed.json()["executions"], json!([]), "no execution is kept: {listed:?}");
}

#[test]
fn decisions_are_those_of_the_other_commands() {
    let folder = Folder::new("stateless-decided");
    let json = paused(&folder, &["--json", "--audience", "ada"]).json();
    folder.file("pause.txt", json["continuation"].as_str().expect("it has a continuation"));
    let decision = json!({
        "executionId": json["executionId"], "seq": "0", "revision": json["revision"], "verdict": "deny", "reason": "no",
    });
    folder.file("decisions.json", &decision.to_string());
    let arguments =
        ["run", "--demo", "--stateless", "--continue", "pause.txt", "--decisions", "decisions.json", "--json"];
    let other = isobox(&folder, Some(KEY), &arguments);
    assert_eq!((other.status, &other.json()["error"]["code"]), (4, &json!("CONTINUATION")), "{other:?}");
    let done = isobox(&folder, Some(KEY), &[&arguments[..], &["--audience", "ada"]].concat());
    assert_eq!((done.status, &done.json()["error"]["code"]), (1, &json!("APPROVAL_DENIED")), "{done:?}");
}

#[test]
fn decisions_that_were_made_for_something_else_are_refused_and_the_text_is_still_good() {
    let folder = Folder::new("stateless-mixed-up");
    let another = paused(&folder, &["--json"]).json();
    let json = paused(&folder, &["--json"]).json();
    folder.file("pause.txt", json["continuation"].as_str().expect("it has a continuation"));
    let revision = json["revision"].as_u64().expect("a number");
    let continued = |id: &serde_json::Value, revision: u64| {
        let decision = json!({ "executionId": id, "seq": "0", "revision": revision, "verdict": "approve" });
        folder.file("decisions.json", &decision.to_string());
        let arguments =
            ["run", "--demo", "--stateless", "--continue", "pause.txt", "--decisions", "decisions.json", "--json"];
        isobox(&folder, Some(KEY), &arguments)
    };
    let wrong = [(&another["executionId"], revision), (&json["executionId"], revision - 1), (&json["executionId"], 9)];
    for (id, revision) in wrong {
        let done = continued(id, revision);
        assert_eq!((done.status, &done.json()["error"]["code"]), (4, &json!("CONFLICT")), "{done:?}");
        assert!(!done.stderr.contains("after"), "nothing runs: {done:?}");
    }
    let done = continued(&json["executionId"], revision);
    assert_eq!((done.status, &done.json()["result"]), (0, &json!("ada")), "{done:?}");
}

#[test]
fn the_configuration_says_how_a_pause_is_sealed() {
    let folder = Folder::new("stateless-configured");
    folder.file("program.ts", ONE);
    let policy = r#""policy": [{ "tools": "mail.*", "require": "approval" }]"#;
    let configure =
        |section: &str| folder.file("isobox.json", &format!(r#"{{ {policy}, "continuations": {section} }}"#));
    let (key, other) = ("k".repeat(32), "o".repeat(32));
    let run = ["run", "--demo", "--stateless", "program.ts"];
    configure(&format!(r#"{{ "key": "{key}" }}"#));
    let done = isobox(&folder, None, &run);
    assert_eq!(done.status, 3, "{done:?}");
    assert!(!done.stderr.contains("no key for continuations"), "{done:?}");
    folder.file("pause.txt", &done.stdout);
    let continued = ["run", "--demo", "--stateless", "--continue", "pause.txt", "--approve-all"];
    configure(&format!(r#"{{ "key": "{other}" }}"#));
    let done = isobox(&folder, None, &continued);
    assert!(done.status == 4 && done.stderr.contains("another key"), "{done:?}");
    configure(&format!(r#"{{ "key": "{other}", "earlierKeys": [{{ "key": "{key}", "until": "2020-01-31" }}] }}"#));
    let done = isobox(&folder, None, &continued);
    assert!(done.status == 4 && done.stderr.contains("no longer accepted since 2020-01-31 00:00:00 UTC"), "{done:?}");
    configure(&format!(r#"{{ "key": "{other}", "earlierKeys": [{{ "key": "{key}", "until": "9000-01-01" }}] }}"#));
    assert_eq!(isobox(&folder, None, &continued).status, 0);
    configure(&format!(r#"{{ "key": "{other}", "earlierKeys": ["{key}"] }}"#));
    assert_eq!(isobox(&folder, None, &continued).status, 0);
    configure(&format!(r#"{{ "key": "{key}", "limit": 1000 }}"#));
    let done = isobox(&folder, None, &run);
    assert!(done.status == 1 && done.stderr.contains("CONTINUATION_TOO_LARGE"), "{done:?}");
    configure(&format!(r#"{{ "key": "{key}", "expireAfter": "1ms" }}"#));
    assert_eq!(isobox(&folder, None, &run).status, 3);
}

#[test]
fn wrong_use_is_refused() {
    let folder = Folder::new("stateless-wrong");
    folder.file("program.ts", ONE);
    let done = isobox(&folder, None, &["run", "--demo", "--stateless", "program.ts"]);
    assert_eq!(done.status, 3, "{done:?}");
    assert!(
        done.stderr.contains("only in this process") && done.stderr.contains("ISOBOX_CONTINUATION_KEY"),
        "{done:?}"
    );
    folder.file("pause.txt", &done.stdout);
    let continued = ["run", "--stateless", "--continue", "pause.txt"];
    for key in [Some(KEY), None] {
        let done = isobox(&folder, key, &continued);
        assert_eq!(done.status, 4, "{done:?}");
        assert!(done.stderr.contains("continuation is refused"), "{done:?}");
    }
    assert_eq!(isobox(&folder, Some("short"), &continued).status, 2);
    assert_eq!(isobox(&folder, Some(KEY), &["run", "--continue", "pause.txt"]).status, 2);
    folder.file("empty.txt", "");
    assert_eq!(isobox(&folder, Some(KEY), &["run", "--stateless", "--continue", "empty.txt"]).status, 4);
    assert_eq!(isobox(&folder, Some(KEY), &["run", "--stateless", "--continue", "missing.txt"]).status, 2);
}
