//! Processes that are killed, and what is left of their programs.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::{Done, Folder, ONE};

pub(crate) const WAITS: &str = "console.log('before');
return await tools.demo.echo(await tools.demo.wait({ ms: 600000 }));";

/// Waits again whenever a call fails.
const WAITS_AGAIN: &str = "for (;;) try { await tools.demo.wait({ ms: 600000 }) } catch {}";

/// A process that is in the middle of a call, and the name of its execution.
fn in_the_middle_of_a_call(folder: &Folder) -> (Child, String) {
    start(folder, &["run", "--demo", "--timeout", "600s", "program.ts"])
}

/// Starts a process, and waits until it is in the middle of a call.
fn start(folder: &Folder, arguments: &[&str]) -> (Child, String) {
    start_program(folder, WAITS, arguments)
}

fn start_program(folder: &Folder, program: &str, arguments: &[&str]) -> (Child, String) {
    folder.file("program.ts", program);
    let mut command = folder.command(arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    (child, started_call(folder))
}

/// An execution whose process was killed in the middle of a call.
pub(crate) fn in_doubt(folder: &Folder) -> String {
    let (child, id) = in_the_middle_of_a_call(folder);
    kill(folder, child);
    id
}

/// Waits until an execution is in the middle of a call; its name.
pub(crate) fn started_call(folder: &Folder) -> String {
    for _ in 0..1000 {
        if let Some(one) = folder.listed().iter().find(|one| one["status"] == "running") {
            let id = one["id"].as_str().expect("a name");
            let shown = folder.isobox(&["executions", "show", id, "--json"]).json();
            let entries = shown["entries"].as_array().cloned().unwrap_or_default();
            if shown["isHeld"] == true && entries.last().is_some_and(|entry| entry.get("started").is_some()) {
                return id.to_owned();
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the call does not start");
}

/// Kills a process at once, and lets the time pass after which everybody knows it.
fn kill(folder: &Folder, mut child: Child) {
    child.kill().expect("it can be killed");
    child.wait().expect("it is gone");
    folder.let_leases_run_out();
}

#[test]
fn a_call_in_whose_middle_the_process_was_killed_is_in_doubt_until_a_person_says_what_happened() {
    let folder = Folder::new("doubt");
    let (child, id) = in_the_middle_of_a_call(&folder);
    // Another process holds it.
    let elsewhere = folder.isobox(&["executions", "resume", &id, "--demo", "--json"]);
    assert_eq!((elsewhere.status, elsewhere.json()), (3, json!({ "executionId": id, "status": "running" })));
    let elsewhere = folder.isobox(&["executions", "resume", &id, "--demo"]);
    let told = format!(
        "Another process runs this execution, or was killed less than 30 s ago.\n\
         collect the outcome or resume: isobox executions resume {id} --demo\n"
    );
    assert_eq!((elsewhere.status, elsewhere.stderr), (3, told));

    kill(&folder, child);
    let listed = folder.isobox(&["executions", "list"]).stdout;
    assert!(listed.contains("orphaned"), "{listed}");
    assert!(folder.isobox(&["executions", "show", &id]).stdout.contains("The process of this execution has ended."));
    let doubt = folder.isobox(&["executions", "resume", &id, "--demo", "--json"]);
    assert_eq!((doubt.status, &doubt.json()["pending"][0]["kind"]), (3, &json!("in-doubt")), "{doubt:?}");
    let doubt = folder.isobox(&["executions", "resume", &id, "--demo"]);
    assert_eq!(doubt.status, 3);
    assert!(doubt.stderr.contains("--happened 'JSON'") && doubt.stderr.contains("--did-not-happen"), "{doubt:?}");
    let revision = folder.revision(&id);
    let approve = ["executions", "approve", &id, "0", "--revision", &revision, "--demo"];
    assert_eq!(folder.isobox(&approve).status, 4, "this is no approval");
    let resolve = ["executions", "resolve", &id, "0", "--happened", "{\"waited\":7}", "--revision", &revision];
    let done = folder.isobox(&[&resolve[..], &["--demo", "--json"]].concat());
    assert_eq!((done.status, &done.json()["result"]), (0, &json!({ "waited": 7 })), "{done:?}");
    assert_eq!(done.json()["logs"].as_array().map(Vec::len), Some(1), "what was logged is logged once");
}

#[test]
fn what_another_process_runs_is_cancelled_before_it_is_deleted() {
    let folder = Folder::new("deleted");
    let (child, id) = in_the_middle_of_a_call(&folder);
    let deleted = folder.isobox(&["executions", "delete", &id]);
    assert_eq!((deleted.status, deleted.stdout), (0, format!("deleted {id}\n")));
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let shown = folder.isobox(&["executions", "show", &id, "--json"]);
    assert_eq!((shown.status, &shown.json()["error"]["code"]), (4, &json!("NOT_FOUND")));
}

#[test]
fn a_call_in_doubt_may_fail_and_an_execution_whose_process_died_may_be_rejected() {
    let folder = Folder::new("fail");
    let (child, id) = in_the_middle_of_a_call(&folder);
    kill(&folder, child);
    folder.isobox(&["executions", "resume", &id, "--demo"]);
    let fail = ["executions", "resolve", &id, "0", "--demo", "--fail", "--reason", "nobody knows"];
    let failed = folder.isobox(&[&fail[..], &["--revision", &folder.revision(&id)]].concat());
    assert_eq!((failed.status, failed.stdout.as_str()), (1, ""));
    assert!(failed.stderr.contains("error[TOOL]") && failed.stderr.contains("nobody knows"), "{failed:?}");

    let (child, id) = in_the_middle_of_a_call(&folder);
    // It hears nothing, and the person does not wait.
    send(&child, "-STOP");
    let told = interrupted_reject(&folder, &id);
    let expected = format!(
        "interrupted: the rejection of {id} is recorded and takes effect when the execution resumes\n\
         end it now: isobox executions reject {id}\n"
    );
    assert_eq!((told.status, told.stderr), (130, expected));
    kill(&folder, child);
    let rejected = folder.isobox(&["executions", "resume", &id, "--demo"]);
    assert_eq!(rejected.status, 1);
    assert!(rejected.stderr.contains("error[REJECTED]: ada rejected the execution"), "{rejected:?}");
    assert_eq!(folder.listed()[0]["status"], "rejected");

    let (child, id) = in_the_middle_of_a_call(&folder);
    let told = folder.isobox(&["executions", "reject", &id]);
    assert_eq!((told.status, told.stderr.as_str()), (0, "ada rejected the execution\n"));
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(1));

    let id = in_doubt(&folder);
    let rejected = folder.isobox(&["executions", "reject", &id]);
    assert_eq!((rejected.status, rejected.stderr.as_str()), (0, "ada rejected the execution\n"));
    assert_eq!(folder.listed()[0]["status"], "rejected");
}

/// Rejects an execution that a process holds which hears nothing, and presses Ctrl-C.
fn interrupted_reject(folder: &Folder, id: &str) -> Done {
    let mut command = folder.command(&["executions", "reject", id]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    std::thread::sleep(Duration::from_millis(1500));
    signalled(child, "-INT")
}

#[test]
fn a_rejection_waits_until_the_lease_of_a_process_that_was_killed_has_run_out() {
    let folder = Folder::new("lease");
    let (mut child, id) = in_the_middle_of_a_call(&folder);
    child.kill().expect("it can be killed");
    child.wait().expect("it is gone");
    let mut command = folder.command(&["executions", "reject", &id]);
    let rejecting = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(folder.listed()[0]["status"], "running", "its lease has not run out");
    folder.let_leases_run_out();
    let rejected = Done::of(&rejecting.wait_with_output().expect("it ends"));
    assert_eq!((rejected.status, rejected.stderr.as_str()), (0, "ada rejected the execution\n"));
    assert_eq!(folder.listed()[0]["status"], "rejected");
}

#[test]
fn a_rejection_that_nobody_waited_for_is_carried_out_by_whatever_comes_next() {
    let folder = Folder::new("next-door");
    folder.file("one.ts", "return 1");
    let run = |folder: &Folder| assert_eq!(folder.isobox(&["run", "one.ts"]).status, 0);
    let again = |folder: &Folder, id: &str| {
        let done = folder.isobox(&["executions", "reject", id]);
        assert_eq!(done.status, 0, "{done:?}");
        assert!(done.stderr.starts_with("ada has already rejected it"), "{done:?}");
        assert!(done.stderr.ends_with("ada rejected the execution\n"), "{done:?}");
    };
    let serve = |folder: &Folder| assert_eq!(folder.isobox(&["mcp"]).status, 0);
    for next in 0..3 {
        let (child, id) = in_the_middle_of_a_call(&folder);
        send(&child, "-STOP");
        assert_eq!(interrupted_reject(&folder, &id).status, 130);
        kill(&folder, child);
        let state = || folder.isobox(&["executions", "show", &id, "--json"]).json()["status"].clone();
        assert_eq!(state(), "orphaned");
        match next {
            0 => run(&folder),
            1 => again(&folder, &id),
            _ => serve(&folder),
        }
        for _ in 0..100 {
            if state() == "rejected" {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(state(), "rejected", "{next}");
    }
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// Sends a signal to a process, and waits until it has ended.
pub(crate) fn signalled(child: Child, signal: &str) -> Done {
    send(&child, signal);
    Done::of(&child.wait_with_output().expect("it ends"))
}

/// Another process resumes the execution at once, and finds the interrupted call in doubt.
pub(crate) fn assert_can_be_resumed(folder: &Folder, id: &str) {
    let resumed = folder.isobox(&["executions", "resume", id, "--demo", "--json"]);
    assert_eq!((resumed.status, &resumed.json()["pending"][0]["kind"]), (3, &json!("in-doubt")), "{resumed:?}");
}

#[test]
fn a_run_that_is_asked_to_end_can_be_resumed_at_once() {
    let folder = Folder::new("polite");
    for (signal, status, why) in [("-TERM", 143, "stopped by SIGTERM"), ("-HUP", 129, "stopped by SIGHUP")] {
        let (child, id) = start(&folder, &["run", "--demo", "--timeout", "600s", "program.ts"]);
        let stopped = signalled(child, signal);
        let told = format!(
            "log │ before\n{why}: the progress of {id} is stored\n\
             resume: isobox executions resume {id} --demo\n"
        );
        assert_eq!((stopped.status, stopped.stdout.as_str(), stopped.stderr.as_str()), (status, "", told.as_str()));
        assert_can_be_resumed(&folder, &id);
    }
    let (child, id) = start(&folder, &["run", "--demo", "--json", "--timeout", "600s", "program.ts"]);
    let stopped = signalled(child, "-TERM");
    assert_eq!((stopped.status, stopped.json()), (143, json!({ "executionId": id, "status": "running" })));
    assert_can_be_resumed(&folder, &id);
}

#[test]
fn an_interrupt_ends_a_run_for_good() {
    let folder = Folder::new("impolite");
    let (child, id) = start(&folder, &["run", "--demo", "--timeout", "600s", "program.ts"]);
    let ended = signalled(child, "-INT");
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stderr.contains("error[ABORTED]"), "{ended:?}");
    assert_eq!((&folder.listed()[0]["id"], &folder.listed()[0]["status"]), (&json!(id), &json!("failed")));
}

#[test]
fn a_run_that_is_kept_nowhere_ends_when_it_is_asked_to() {
    let folder = Folder::new("unkept-signal");
    folder.file("program.ts", WAITS);
    let mut command = folder.command(&["run", "--demo", "--json", "--store", "none", "program.ts"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    std::thread::sleep(Duration::from_secs(1));
    let ended = signalled(child, "-TERM");
    assert_eq!((ended.status, &ended.json()["error"]["code"]), (1, &json!("ABORTED")), "{ended:?}");
}

#[test]
fn stopping_to_watch_after_a_decision_loses_nothing() {
    let folder = Folder::new("signal");
    let (child, id) = start_program(&folder, WAITS_AGAIN, &["run", "--demo", "--timeout", "600s", "program.ts"]);
    kill(&folder, child);
    for (call, (signal, status, why)) in
        [("-INT", 130, "interrupted"), ("-TERM", 143, "stopped by SIGTERM"), ("-HUP", 129, "stopped by SIGHUP")]
            .into_iter()
            .enumerate()
    {
        assert_can_be_resumed(&folder, &id);
        let (seq, revision) = (call.to_string(), folder.revision(&id));
        let resolve = ["executions", "resolve", &id, &seq, "--fail", "--revision", &revision, "--demo"];
        let (child, going_on) = start_program(&folder, WAITS_AGAIN, &resolve);
        assert_eq!(going_on, id);
        let stopped = signalled(child, signal);
        let told = format!(
            "{why}: the progress of {id} is stored\n\
             resume: isobox executions resume {id} --demo\n"
        );
        assert_eq!((stopped.status, stopped.stdout.as_str(), stopped.stderr.as_str()), (status, "", told.as_str()));
    }
    assert_can_be_resumed(&folder, &id);
}

#[test]
fn that_a_call_did_not_happen_cannot_be_said_while_its_process_may_still_make_it() {
    let folder = Folder::new("too-early");
    let id = in_doubt(&folder);
    let doubt = folder.isobox(&["executions", "resume", &id, "--demo"]);
    assert!(doubt.stderr.contains("the call may still happen: saying that it did not is possible in "), "{doubt:?}");
    let revision = folder.revision(&id);
    let resolve = ["executions", "resolve", &id, "0", "--revision", &revision, "--demo", "--json"];
    let early = folder.isobox(&[&resolve[..], &["--did-not-happen"]].concat());
    assert_eq!((early.status, &early.json()["error"]["code"]), (4, &json!("CONFLICT")), "{early:?}");
    assert!(early.json()["error"]["message"].as_str().is_some_and(|text| text.contains("may still take effect")));
    let shown = folder.isobox(&["executions", "show", &id, "--json"]).json();
    assert!(shown["outcome"]["pending"][0]["notBefore"].is_u64(), "{shown}");
    let done = folder.isobox(&[&resolve[..], &["--happened", "7"]].concat());
    assert_eq!((done.status, &done.json()["result"]), (0, &json!(7)), "{done:?}");
}

#[test]
fn what_was_altered_in_the_database_is_not_run() {
    let folder = Folder::new("altered");
    let id = folder.pause(ONE);
    let script = "import sqlite3; c = sqlite3.connect('.isobox/isobox.db'); \
                  c.execute(\"UPDATE isobox_batches SET bytes = CAST(replace(CAST(bytes AS TEXT), 'ada', 'eve') AS BLOB)\"); c.commit()";
    let altered = Command::new("python3").args(["-c", script]).current_dir(&folder.0).status();
    assert!(altered.expect("python starts").success());
    for command in [&["approve", &id, "--revision", "1"][..], &["show", &id], &["resume", &id]] {
        let told = folder.isobox(&[&["executions"], command, &["--demo", "--json"]].concat());
        assert_eq!((told.status, &told.json()["error"]["code"]), (5, &json!("STORE")), "{command:?}: {told:?}");
    }
}
