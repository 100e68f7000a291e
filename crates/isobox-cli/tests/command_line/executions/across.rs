//! Lists, pages, and decisions about many executions at once.

use std::io::Write;
use std::process::{Command, Stdio};

use isobox::journal::Verdict;
use isobox::{CallSeq, Decisions};
use serde_json::{Value, json};

use super::crash::in_doubt;
use super::terminal::at_a_terminal;
use super::{Done, Folder, ONE, TWO};

fn names(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let listed = folder.isobox(&[&["executions", "list", "--json"], arguments].concat()).json();
    let rows = listed["executions"].as_array().expect("a list").iter();
    rows.map(|row| row["id"].as_str().expect("a name").to_owned()).collect()
}

fn alter(folder: &Folder, statement: &str) {
    let script = "import sqlite3, sys; c = sqlite3.connect('.isobox/isobox.db'); c.execute(sys.argv[1]); c.commit()";
    let done = Command::new("python3").args(["-c", script, statement]).current_dir(&folder.0).status();
    assert!(done.expect("python starts").success());
}

#[test]
fn every_word_of_the_list_is_one_to_filter_by_and_json_says_the_same() {
    let folder = Folder::new("words");
    folder.file("one.ts", "return 1");
    assert_eq!(folder.isobox(&["run", "one.ts"]).status, 0);
    let orphaned = in_doubt(&folder);
    let paused = folder.pause(TWO);
    let decided = folder.pause(ONE);
    folder.decide_only(&decided, Decisions::new(folder.ada(), [(CallSeq::new(0), Verdict::Approve)]));
    let altered = folder.pause(ONE);
    alter(&folder, &format!("UPDATE isobox_executions SET head = 'x' WHERE id = '{altered}'"));

    let shown = folder.isobox(&["executions", "list"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    let listed = folder.listed();
    assert_eq!(listed.len(), 5);
    for row in &listed {
        let (id, status) = (row["id"].as_str().expect("a name"), row["status"].as_str().expect("a word"));
        let short = format!("exec_{}", &id[id.len() - 8..]);
        let is_row = |line: &&str| line.starts_with(&short) || line.starts_with(&id[..21]);
        let line = shown.stdout.lines().find(is_row).expect("it is in the table");
        if status != "unreadable" {
            assert_eq!(folder.isobox(&["executions", "show", &short]).status, 0, "{short}");
        }
        assert_eq!(line.split_whitespace().nth(1), Some(status), "{line}");
        assert!(names(&folder, &["--status", status]).contains(&id.to_owned()), "{status}");
    }
    assert_eq!(names(&folder, &["--status", "orphaned"]), std::slice::from_ref(&orphaned));
    assert_eq!(names(&folder, &["--status", "decided"]), std::slice::from_ref(&decided));
    assert_eq!(names(&folder, &["--status", "unreadable"]), std::slice::from_ref(&altered));
    assert_eq!(names(&folder, &["--status", "running"]), [] as [String; 0]);
    assert!(shown.stdout.contains("mail.send (approval) +1"), "{shown:?}");
    assert!(
        shown.stderr.contains(&format!("decided, resume: isobox executions resume {decided} (and 1 more)\n")),
        "{shown:?}"
    );
    assert!(shown.stderr.contains(&format!("{altered} cannot be read: ")), "{shown:?}");
    let row = listed.iter().find(|row| row["id"] == paused.as_str()).expect("it is listed");
    let call = |seq: &str| json!({ "seq": seq, "path": "mail.send", "kind": "approval" });
    assert_eq!((&row["pendingCalls"], &row["messages"]), (&json!([call("0"), call("1")]), &json!(0)));
    let row = listed.iter().find(|row| row["id"] == altered.as_str()).expect("it is listed");
    assert!(row["reason"].as_str().is_some_and(|reason| reason.contains("was altered or damaged")), "{row}");

    // The others are found by the beginnings of their names, and go on.
    let done = folder.isobox(&["executions", "resume", &decided[..24], "--demo"]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "\"ada\"\n"), "{done:?}");
    assert_eq!(folder.isobox(&["executions", "prune", "--keep", "0"]).status, 0);
    let deleted = folder.isobox(&["executions", "delete", &altered]);
    assert_eq!((deleted.status, deleted.stdout), (0, format!("deleted {altered}\n")));
}

#[test]
fn a_list_goes_on_where_its_page_ended() {
    let folder = Folder::new("pages");
    let all: Vec<String> = (0..5).map(|_| folder.pause(ONE)).rev().collect();
    let first = folder.isobox(&["executions", "list", "--status", "paused", "--limit", "2"]);
    let command = format!("isobox executions list --status paused --limit 2 --after {}", all[3]);
    assert!(first.stderr.ends_with(&format!("next page: {command}\n")), "{first:?}\n{all:?}");
    let mut found = Vec::new();
    let mut after = Vec::new();
    loop {
        let arguments: Vec<&str> = after.iter().map(String::as_str).collect();
        let arguments = [&["executions", "list", "--json", "--limit", "2"], arguments.as_slice()].concat();
        let page = folder.isobox(&arguments).json();
        let rows = page["executions"].as_array().expect("a list").iter();
        found.extend(rows.map(|row| row["id"].as_str().expect("a name").to_owned()));
        assert_eq!(page["truncated"], page["next"].is_string());
        let Some(next) = page["next"].as_str() else { break };
        after = vec!["--after".to_owned(), next.to_owned()];
    }
    let mut sorted = all;
    sorted.sort();
    sorted.reverse();
    assert_eq!(found, sorted);
}

#[test]
fn a_decision_that_is_recorded_says_resume_wherever_it_is_met() {
    let folder = Folder::new("recorded");
    let id = folder.pause(ONE);
    folder.decide_only(&id, Decisions::new(folder.ada(), [(CallSeq::new(0), Verdict::Approve)]));
    let resume = format!("isobox executions resume {id}");
    let listed = folder.isobox(&["executions", "list"]);
    assert!(listed.stderr.contains(&resume), "{listed:?}");
    let shown = folder.isobox(&["executions", "show", &id]).stdout;
    assert!(shown.starts_with(&format!("{id}  decided\n")) && shown.contains(&resume), "{shown}");
    let shown = folder.isobox(&["executions", "show", &id, "--json"]).json();
    assert_eq!((&shown["status"], &shown["isDecided"]), (&json!("decided"), &json!(true)));
    for arguments in
        [&["approve", &id, "0", "--revision", "1"][..], &["approve", &id, "--revision", "1"], &["deny", &id, "0"]]
    {
        let twice = folder.isobox(&[&["executions"], arguments, &["--demo"]].concat());
        assert_eq!(twice.status, 4, "{twice:?}");
        assert!(
            twice.stderr.contains("ada has already approved call 0") && twice.stderr.contains(&resume),
            "{twice:?}"
        );
    }
    assert_eq!(folder.isobox(&["executions", "resume", &id, "--demo"]).status, 0);
}

fn decide(folder: &Folder, arguments: &[&str], input: &str) -> Done {
    let mut command = folder.command(&[&["executions", "decide", "--demo"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    Done::of(&child.wait_with_output().expect("it ends"))
}

fn lines(done: &Done) -> Vec<Value> {
    done.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn pending_calls_of_all_executions_are_shown_and_decided_at_once() {
    let folder = Folder::with(
        "across",
        r#"{ "policy": [{ "tools": "mail.*", "redact": ["/subject"] }, { "tools": "mail.*", "require": "approval" }] }"#,
    );
    let (first, second, third) = (folder.pause(TWO), folder.pause(ONE), folder.pause(ONE));
    let asks = folder.pause("return (await tools.people.ask({ question: 'who?' })).answer");
    let pending = folder.isobox(&["executions", "pending", "--json"]).json();
    let calls = pending["pending"].as_array().expect("a list");
    let told: Vec<_> = calls
        .iter()
        .map(|call| (call["executionId"].as_str().expect("a name"), call["seq"].as_str().expect("a number")))
        .collect();
    assert_eq!(told, [(asks.as_str(), "0"), (&third, "0"), (&second, "0"), (&first, "0"), (&first, "1")]);
    assert_eq!(calls[1]["input"], json!({ "to": "ada", "subject": "[redacted]" }));
    assert_eq!(
        (&calls[1]["path"], &calls[1]["kind"], &calls[1]["revision"]),
        (&json!("mail.send"), &json!("approval"), &json!(1))
    );
    assert!(calls[1]["since"].is_u64() && pending["next"].is_null(), "{pending}");
    let page = folder.isobox(&["executions", "pending", "--json", "--limit", "1"]).json();
    assert_eq!((page["pending"].as_array().map(Vec::len), &page["next"]), (Some(1), &json!(asks)));
    let page = folder.isobox(&["executions", "pending", "--json", "--limit", "1", "--after", &asks]).json();
    assert_eq!(page["pending"][0]["executionId"], third.as_str());
    let shown = folder.isobox(&["executions", "pending"]);
    assert!(
        shown.stdout.contains("pending for ") && shown.stdout.contains(&format!("approve {second} 0 --revision 1")),
        "{shown:?}"
    );
    assert!(!shown.stdout.contains("\"hi\""), "{shown:?}");

    // One is refused: its revision is not what was shown. The others are decided, each for itself.
    let decision = |id: &str, seq: &str, revision: u64, verdict: &str| json!({ "executionId": id, "seq": seq, "revision": revision, "verdict": verdict });
    let mut answer = decision(&asks, "0", 1, "answer");
    answer["value"] = json!(["Ada"]);
    let mut deny = decision(&first, "1", 2, "deny");
    deny["reason"] = json!("not today");
    let array = json!([decision(&first, "0", 2, "approve"), deny]);
    let input = format!(
        "{array}\n{}\n{}\n{answer}\n",
        decision(&second, "0", 9, "approve"),
        decision(&third, "0", 1, "approve")
    );
    let done = decide(&folder, &["--json"], &input);
    assert_eq!(done.status, 4, "{done:?}");
    let told = lines(&done);
    let of = |id: &str| told.iter().find(|line| line["executionId"] == id).expect("it is told").clone();
    assert_eq!(told.len(), 4, "{told:?}");
    assert_eq!((&of(&second)["error"]["code"], &of(&second)["decided"]), (&json!("CONFLICT"), &json!([])));
    assert_eq!(of(&first)["decided"], json!(["0", "1"]));
    assert_eq!(of(&first)["outcome"]["result"], json!(["ada", "a person denied the call of `mail.send`: not today"]));
    assert_eq!(of(&third)["outcome"]["result"], json!("ada"));
    assert_eq!(of(&asks)["outcome"]["result"], json!(["Ada"]));
    assert_eq!(names(&folder, &["--status", "paused"]), std::slice::from_ref(&second));

    // Without going on, and from a file.
    folder.file("decisions.jsonl", &decision(&second, "0", 1, "approve").to_string());
    let done = folder.isobox(&["executions", "decide", "--from", "decisions.jsonl", "--no-resume"]);
    assert_eq!((done.status, done.stdout.as_str(), done.stderr), (0, "", format!("{second}: decided about call 0\n")));
    assert_eq!(names(&folder, &["--status", "decided"]), [second]);
    assert_eq!(folder.isobox(&["executions", "pending"]).stderr, "no calls are pending\n");
}

#[test]
fn positions_name_the_file_of_the_author_whatever_resumes_the_program() {
    let folder = Folder::new("positions");
    let program = "await tools.mail.send({ to: 'ada', subject: 'hi' });\nthrow new Error('no');";
    let (first, second) = (folder.pause(program), folder.pause(program));
    let place = |outcome: &Value| (outcome["error"]["line"].clone(), outcome["error"]["details"]["file"].clone());
    let here = (json!(2), json!("program.ts"));
    let done = folder.isobox(&["executions", "approve", &first, "--all", "--revision", "1", "--demo", "--json"]);
    assert_eq!(place(&done.json()), here, "{done:?}");
    let decision = json!({ "executionId": second, "seq": "0", "revision": 1, "verdict": "approve" });
    let done = decide(&folder, &["--json"], &decision.to_string());
    assert_eq!(place(&lines(&done)[0]["outcome"]), here, "{done:?}");
}

#[test]
fn decisions_that_cannot_be_read_decide_nothing() {
    let folder = Folder::new("unread");
    let id = folder.pause(ONE);
    let good = json!({ "executionId": id, "seq": 0, "revision": 1, "verdict": "approve" });
    for bad in ["{", "7", r#"{ "executionId": "x" }"#, &good.to_string().replace("approve", "aprove")] {
        let done = decide(&folder, &[], &format!("{good}\n{bad}"));
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{bad}: {done:?}");
    }
    assert_eq!(folder.isobox(&["executions", "decide"]).status, 2, "standard input has none");
    assert_eq!(folder.listed()[0]["status"], "paused");
    folder.credential("eve.key", &"e".repeat(64), "eve");
    folder.isobox(&["executions", "deny", &id, "0", "--demo"]);
    let second = folder.pause(ONE);
    let mut command = folder.command(&["executions", "decide", "--from", "second.json"]);
    folder.file("second.json", &good.to_string().replace(&id, &second));
    let eve = Done::of(&command.env("ISOBOX_DECIDE_KEY_FILE", folder.0.join("eve.key")).output().expect("it starts"));
    assert_eq!(eve.status, 4, "{eve:?}");
    assert!(eve.stderr.contains("eve may not decide"), "{eve:?}");
}

#[test]
fn a_store_that_cannot_be_reached_says_how_to_go_on() {
    let folder = Folder::new("unreached");
    let id = folder.pause(ONE);
    let key = folder.0.join(".isobox/isobox.db.key");
    std::fs::rename(&key, folder.0.join("aside")).expect("it is ours");
    for command in ["resume", "approve", "reject"] {
        let told = folder.isobox(&["executions", command, &id, "--demo"]);
        assert_eq!((told.status, told.stdout.as_str()), (5, ""), "{told:?}");
        let go_on = format!(
            "nothing was changed, and the execution is not lost; when the store works again, resume: isobox executions resume {id} --demo\n"
        );
        assert!(told.stderr.ends_with(&go_on) && !told.stderr.contains("--store none"), "{told:?}");
    }
    std::fs::rename(folder.0.join("aside"), &key).expect("it is ours");
    assert_eq!(folder.isobox(&["executions", "approve", &id, "--revision", "1", "--demo"]).status, 0);
}

#[test]
fn every_command_explains_its_exit_status() {
    let folder = Folder::new("help");
    for command in ["run", "tools", "executions", "mcp"] {
        let help = folder.isobox(&[command, "--help"]).stdout;
        for line in ["Exit status:", "  4  refused: CONFLICT, NOT_FOUND or FORBIDDEN", "  5  STORE: "] {
            assert!(help.contains(line), "{command}: {help}");
        }
    }
    assert_eq!(folder.isobox(&["tools", "describe", "no.such", "--demo"]).status, 4);
}

#[test]
fn a_person_is_asked_about_one_execution_after_the_other() {
    let folder = Folder::new("asked-across");
    let (first, second, third) = (folder.pause(ONE), folder.pause(TWO), folder.pause(ONE));
    // The newest comes first.
    let script = [
        (third.as_str(), ""),
        ("eave it paused: ", "y\n"),
        ("eave it paused: ", "WORD\n"),
        (second.as_str(), ""),
        ("eave it paused: ", "WORD all\n"),
        ("Approve this call too? ", "WORD\n"),
        (first.as_str(), ""),
        ("eave it paused: ", "l\n"),
    ];
    let done = at_a_terminal(&folder, &["executions", "decide", "--demo"], &script);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.contains("\"ada\"") && done.stdout.contains("\"bob\""), "{done:?}");
    assert_eq!(names(&folder, &["--status", "completed"]), [third, second]);
    assert_eq!(names(&folder, &["--status", "paused"]), std::slice::from_ref(&first));

    // A person who leaves has decided nothing that they were not done with.
    let done = at_a_terminal(&folder, &["executions", "decide", "--demo"], &[("eave it paused: ", "\u{4}")]);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(names(&folder, &["--status", "paused"]), [first]);
}
