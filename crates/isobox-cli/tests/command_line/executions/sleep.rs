//! Programs that sleep: `run` waits for them, Ctrl-C leaves them asleep, and `wake` and `mcp` wake what is due.

use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::json;

use super::crash::signalled;
use super::mcp::Client;
use super::{Done, Folder};

const CONFIG: &str = r#"{ "limits": { "lifetime": "1h" } }"#;

fn napping(milliseconds: u32) -> String {
    format!("console.log('before'); await new Promise((done) => setTimeout(done, {milliseconds})); return 'rested'")
}

fn start(folder: &Folder, program: &str, arguments: &[&str]) -> Child {
    folder.file("program.ts", program);
    let mut command = folder.command(&[&["run", "program.ts"], arguments].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Waits until an execution sleeps; its name.
fn asleep(folder: &Folder) -> String {
    for _ in 0..1000 {
        if let Some(one) = folder.listed().iter().find(|one| one["status"] == "sleeping") {
            assert!(one["due"].is_u64() && one["isHeld"] == false, "{one}");
            return one["id"].as_str().expect("a name").to_owned();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it does not sleep");
}

fn left_asleep(folder: &Folder, milliseconds: u32, arguments: &[&str]) -> (String, Done) {
    let child = start(folder, &napping(milliseconds), arguments);
    let id = asleep(folder);
    (id, signalled(child, "-INT"))
}

#[test]
fn a_run_waits_for_its_program_and_says_until_when() {
    let folder = Folder::with("sleep-run", CONFIG);
    folder.file("program.ts", &napping(2200));
    let done = folder.isobox(&["run", "program.ts"]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "\"rested\"\n"), "{done:?}");
    assert!(done.stderr.contains("log │ before\nsleeping until 20") && done.stderr.contains(" UTC (in "), "{done:?}");
    // The limit can be given on the command line, too.
    let bare = Folder::with("sleep-flag", "{}");
    bare.file("program.ts", &napping(1500));
    let done = bare.isobox(&["run", "program.ts", "--timeout", "1s", "--lifetime", "1h", "--json"]);
    assert_eq!((done.status, &done.json()["result"]), (0, &json!("rested")), "{done:?}");
    let late = bare.isobox(&["run", "program.ts", "--timeout", "1s", "--json"]);
    assert_eq!((late.status, &late.json()["error"]["details"]["limit"]), (1, &json!("timeout")), "{late:?}");
}

#[test]
fn an_interrupted_run_leaves_its_program_asleep_and_says_how_to_go_on() {
    let folder = Folder::with("sleep-interrupt", CONFIG);
    let (id, done) = left_asleep(&folder, 3_000_000, &[]);
    assert_eq!((done.status, done.stdout.as_str()), (3, ""), "{done:?}");
    for told in [
        format!("sleeping: {id} waits for a timer until 20"),
        format!("wait for it: isobox executions resume {id}"),
        "wake everything that is due: isobox executions wake".to_owned(),
        format!("end the execution: isobox executions cancel {id}"),
    ] {
        assert!(done.stderr.contains(&told), "{told}\n{done:?}");
    }
    let shown = folder.isobox(&["executions", "show", &id]);
    assert!(shown.stdout.contains("  sleeping\n") && shown.stdout.contains("left memory until 20"), "{shown:?}");
    let json = folder.isobox(&["executions", "show", &id, "--json"]).json();
    assert_eq!((&json["status"], &json["outcome"]["status"]), (&json!("sleeping"), &json!("sleeping")));
    assert_eq!(json["limits"]["lifetimeMs"], 3_600_000);
    let listed = folder.isobox(&["executions", "list", "--status", "sleeping"]);
    assert!(listed.stdout.contains("due in 49m") || listed.stdout.contains("due in 50m"), "{listed:?}");
    let none = folder.isobox(&["executions", "wake"]);
    assert_eq!((none.status, none.stderr.as_str()), (0, "nothing is due\n"));
    let rolled = folder.isobox(&["executions", "rollback", &id]);
    assert_eq!(rolled.status, 4, "{rolled:?}");
    let replayed = folder.isobox(&["executions", "replay", &id]);
    assert_eq!(replayed.status, 0, "{replayed:?}");
    let cancelled = folder.isobox(&["executions", "cancel", &id]);
    assert_eq!(cancelled.status, 0, "{cancelled:?}");
    assert_eq!(folder.listed()[0]["status"], "failed");
}

#[test]
fn everything_that_is_due_is_woken_by_one_command() {
    let folder = Folder::with("sleep-wake", CONFIG);
    let (id, done) = left_asleep(&folder, 2300, &["--json"]);
    let outcome = done.json();
    assert_eq!((done.status, &outcome["status"], &outcome["executionId"]), (3, &json!("sleeping"), &json!(id)));
    assert!(outcome["until"].is_u64() && outcome["logs"][0]["message"] == "before", "{outcome}");
    std::thread::sleep(Duration::from_millis(2400));
    let woken = folder.isobox(&["executions", "wake", "--json"]);
    assert_eq!((woken.status, &woken.json()["outcome"]["result"]), (0, &json!("rested")), "{woken:?}");
    assert_eq!(woken.json()["executionId"], id);
    let none = folder.isobox(&["executions", "wake", "--json"]);
    assert_eq!((none.status, none.stdout.as_str()), (0, ""));

    let (id, _) = left_asleep(&folder, 2300, &[]);
    std::thread::sleep(Duration::from_millis(2400));
    let woken = folder.isobox(&["executions", "wake"]);
    assert_eq!((woken.status, woken.stdout), (0, format!("{id} completed\n")));

    let child = start(&folder, &napping(2300).replace("return 'rested'", "throw new Error('late')"), &[]);
    asleep(&folder);
    signalled(child, "-INT");
    std::thread::sleep(Duration::from_millis(2400));
    let woken = folder.isobox(&["executions", "wake", "--json"]);
    assert_eq!(
        (woken.status, &woken.json()["outcome"]["error"]["details"]["file"]),
        (1, &json!("program.ts")),
        "{woken:?}"
    );
}

#[test]
fn a_sleeping_execution_is_resumed_when_it_is_due() {
    let folder = Folder::with("sleep-resume", CONFIG);
    let (id, _) = left_asleep(&folder, 2500, &[]);
    let done = folder.isobox(&["executions", "resume", &id]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "\"rested\"\n"), "{done:?}");
    assert!(done.stderr.contains("sleeping until 20"), "{done:?}");
}

#[test]
fn a_model_waits_for_a_nap_and_is_told_of_a_long_sleep() {
    let folder = Folder::with("sleep-mcp", CONFIG);
    let mut client = Client::start(&folder, &[]);
    let nap = client.call("execute", json!({ "code": napping(2200) }));
    assert_eq!((&nap["structuredContent"]["result"], &nap["isError"]), (&json!("rested"), &json!(false)), "{nap}");
    let long = client.call("execute", json!({ "code": napping(3_000_000) }));
    let outcome = &long["structuredContent"];
    assert_eq!((&outcome["status"], &long["isError"]), (&json!("sleeping"), &json!(false)), "{long}");
    let id = outcome["executionId"].as_str().expect("a name").to_owned();
    let text = long["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with(&format!("The program sleeps: execution {id} continues at 20")), "{text}");
    assert!(text.contains(&format!("Call `resume` with {{ \"executionId\": \"{id}\" }} then")), "{text}");
    assert_eq!(client.call("resume", json!({ "executionId": id })), long, "it still sleeps");
    client.close();
}

#[test]
fn a_server_wakes_what_another_process_left_asleep() {
    let folder = Folder::with("sleep-server", CONFIG);
    let (id, _) = left_asleep(&folder, 2500, &[]);
    let client = Client::start(&folder, &[]);
    for _ in 0..100 {
        if folder.listed()[0]["status"] == "completed" {
            client.close();
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{id} was not woken");
}
