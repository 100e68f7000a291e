//! Deciding in other processes than the one that ran the program.

use std::io::Write;
use std::process::Stdio;

use isobox::journal::Verdict;
use isobox::{CallSeq, Decisions};
use serde_json::{Value, json};

use super::crash::in_doubt;
use super::terminal::at_a_terminal;
use super::{Done, Folder, ONE, TWO, user};

#[test]
fn a_program_pauses_and_another_process_approves_and_goes_on() {
    let folder = Folder::new("approve");
    folder.file("program.ts", ONE);
    let paused = folder.isobox(&["run", "--demo", "program.ts"]);
    assert_eq!((paused.status, paused.stdout.as_str()), (3, ""));
    let listed = folder.listed();
    let id = listed[0]["id"].as_str().expect("a name");
    insta::assert_snapshot!(paused.stderr.replace(id, "exec_1"), @r#"
    log │ before
    paused: exec_1 is waiting for a decision (revision 1)

    call 0 (mail.send) needs approval: rule 1 (`mail.*`) asks for approval
      --> program.ts:2:31
       1 | console.log('before');
       2 | const sent = await tools.mail.send({ to: 'ada', subject: 'hi' });
         |                               ^
       3 | console.log('after');
       4 | return sent.to;
      input: {
        "to": "ada",
        "subject": "hi"
      }
      approve: isobox executions approve exec_1 0 --revision 1 --demo
      deny: isobox executions deny exec_1 0 --revision 1 --reason 'WHY' --demo

    decide about each call: isobox executions resume exec_1 --demo
    end the execution: isobox executions reject exec_1 --demo
    "#);
    assert_eq!((&listed[0]["status"], &listed[0]["pending"]), (&json!("paused"), &json!(1)));

    let done = folder.isobox(&["executions", "approve", id, "0", "--revision", "1", "--demo"]);
    assert_eq!((done.status, done.stdout.as_str(), done.stderr.as_str()), (0, "\"ada\"\n", "log │ after\n"));
    let shown = folder.isobox(&["executions", "show", id]).stdout;
    for line in
        ["completed", "call 0 needs approval", "ada approved call 0", "resumed from its snapshot", "result: \"ada\""]
    {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    // What became of it can be collected as often as one likes.
    let collected = folder.isobox(&["executions", "resume", &id[..24], "--json"]);
    assert_eq!((collected.status, &collected.json()["result"]), (0, &json!("ada")));
}

#[test]
fn one_of_several_is_decided_or_all_at_the_revision_that_was_shown() {
    let folder = Folder::new("several");
    let id = folder.pause(TWO);
    let which = folder.isobox(&["executions", "approve", &id, "--revision", "2", "--demo"]);
    assert_eq!(which.status, 2, "{which:?}");
    let told = format!(
        "error: several calls are pending; name the calls to approve:\n  | 0 mail.send needs approval\n  | 1 mail.send needs approval\n  \
         hint: isobox executions show {id} --demo\n"
    );
    assert_eq!(which.stderr, told);
    assert_eq!(folder.isobox(&["executions", "approve", &id, "--all", "--demo"]).status, 2, "which revision?");
    let stale = folder.isobox(&["executions", "approve", &id, "--all", "--revision", "1", "--demo", "--json"]);
    assert_eq!((stale.status, &stale.json()["error"]["code"]), (4, &json!("CONFLICT")));

    let denied = folder.isobox(&["executions", "deny", &id, "1", "--reason", "not today", "--demo", "--json"]);
    assert_eq!((denied.status, &denied.json()["status"]), (3, &json!("paused")), "the other one still waits");
    let twice = folder.isobox(&["executions", "deny", &id, "1", "--demo"]);
    assert_eq!(twice.status, 4, "{twice:?}");
    assert!(twice.stderr.contains("call 1 (`mail.send`) has already completed"), "{twice:?}");
    let done = folder.isobox(&["executions", "approve", &id, "--revision", "2", "--demo", "--json"]);
    assert_eq!((done.status, &done.json()["result"][0]), (0, &json!("ada")));
    assert_eq!(done.json()["result"][1], "a person denied the call of `mail.send`: not today");

    let id = folder.pause(TWO);
    let twice = folder.isobox(&["executions", "approve", &id, "1", "0", "1", "--revision", "2", "--demo"]);
    assert_eq!((twice.status, twice.stderr.as_str()), (4, "error: there are two decisions about call 1\n"));
    let all = ["executions", "approve", &id, "--all", "--revision", "2", "--reason", "they\nasked"];
    let done = folder.isobox(&[&all[..], &["--demo", "--json"]].concat());
    assert_eq!((done.status, &done.json()["result"]), (0, &json!(["ada", "bob"])));
    let shown = folder.isobox(&["executions", "show", &id]);
    assert!(shown.stdout.contains("ada approved call 1: they\\nasked\n"), "{shown:?}");
    let shown = folder.isobox(&["executions", "show", &id, "--json"]).json();
    let entries = shown["entries"].as_array().expect("entries");
    let reasons = entries.iter().filter_map(|entry| entry.pointer("/decided/decision/reason"));
    assert_eq!(reasons.collect::<Vec<_>>(), ["they\nasked", "they\nasked"]);
}

#[test]
fn what_was_decided_is_not_asked_for_again_though_nobody_has_gone_on() {
    let folder = Folder::new("unheard");
    let id = folder.pause(TWO);
    assert_eq!(folder.isobox(&["executions", "show", &id, "--json"]).json()["isDecided"], false);
    folder.decide_only(
        &id,
        Decisions::new(folder.ada(), [(CallSeq::new(1), Verdict::Deny(Some("not today".to_owned())))]),
    );
    let go_on = format!("This is recorded but not applied yet; resume: isobox executions resume {id}\n");
    let shown = folder.isobox(&["executions", "show", &id]).stdout;
    assert!(shown.contains(&format!("\nada denied call 1: not today\n{go_on}")), "{shown}");
    assert!(shown.contains(&format!("approve {id} 0")) && !shown.contains(&format!("approve {id} 1")), "{shown}");
    assert_eq!(folder.isobox(&["executions", "show", &id, "--json"]).json()["isDecided"], true);
    let listed = folder.isobox(&["executions", "list"]).stdout;
    assert!(listed.contains("decided") && !listed.contains("paused"), "{listed}");

    folder.decide_only(&id, Decisions::new(folder.ada(), [(CallSeq::new(0), Verdict::Approve)]));
    let shown = folder.isobox(&["executions", "show", &id]).stdout;
    assert!(shown.ends_with(&format!("ada approved call 0\n{go_on}")), "{shown}");
    assert!(!shown.contains("executions approve"), "{shown}");
    assert_eq!(folder.isobox(&["executions", "resume", &id, "--demo"]).status, 0);
    assert!(!folder.isobox(&["executions", "show", &id]).stdout.contains("not applied yet"));
}

#[test]
fn what_is_decided_is_not_asked_about_at_a_terminal() {
    let folder = Folder::new("unheard-asked");
    let id = folder.pause(TWO);
    let denial = Verdict::Deny(Some("not today".to_owned()));
    folder.decide_only(&id, Decisions::new(folder.ada(), [(CallSeq::new(1), denial)]));
    let denied = at_a_terminal(&folder, &["executions", "approve", &id, "1", "--demo"], &[]);
    assert!(denied.status == 4 && denied.stdout.contains("call 1 of execution"), "{denied:?}");
    let script = [("Approve call 0 (mail.send)? Type ", "WORD\n")];
    let rest = at_a_terminal(&folder, &["executions", "approve", &id, "--demo"], &script);
    assert!(rest.status == 0 && !rest.stdout.contains("Approve call 1"), "{rest:?}");

    let id = folder.pause("return (await tools.people.ask({ question: 'who?' })).answer");
    folder.decide_only(&id, Decisions::new(folder.ada(), [(CallSeq::new(0), Verdict::Answer(json!("ada")))]));
    let answered = at_a_terminal(&folder, &["executions", "resolve", &id, "0", "\"bob\"", "--demo"], &[]);
    assert!(answered.status == 4 && answered.stdout.contains("call 0 of execution"), "{answered:?}");
}

#[test]
fn a_quiet_run_prints_its_result_alone() {
    let folder = Folder::with("quiet", "{}");
    folder.file("program.ts", "console.log('x'); return 1");
    let done = folder.isobox(&["run", "--quiet", "program.ts"]);
    assert_eq!((done.status, done.stdout.as_str(), done.stderr.as_str()), (0, "1\n", ""));
}

#[test]
fn a_tool_that_asks_for_some_inputs_is_marked() {
    let when = r#"{ "properties": { "ms": { "type": "number", "minimum": 1000 } }, "required": ["ms"] }"#;
    let policy = format!(r#"{{ "policy": [{{ "tools": "demo.wait", "when": {when}, "require": "approval" }}] }}"#);
    let folder = Folder::with("may-ask", &policy);
    let listed = folder.isobox(&["tools", "list", "--demo"]).stdout;
    let line = listed.lines().find(|line| line.starts_with("demo.wait ")).expect("it is listed");
    assert!(line.contains(" may ask "), "{listed}");
}

#[test]
fn a_decision_is_recorded_without_resuming_where_that_is_wanted() {
    let folder = Folder::new("no-resume");
    let id = folder.pause(ONE);
    let recorded = folder.isobox(&["executions", "approve", &id, "0", "--revision", "1", "--no-resume"]);
    assert_eq!((recorded.status, recorded.stdout.as_str()), (0, ""), "{recorded:?}");
    let resume = format!("The decision is recorded.\nresume: isobox executions resume {id}\n");
    assert_eq!(recorded.stderr, resume);
    assert_eq!(folder.listed()[0]["status"], "decided");
    let done = folder.isobox(&["executions", "resume", &id, "--demo"]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "\"ada\"\n"), "{done:?}");
    let id = folder.pause(ONE);
    let recorded = folder.isobox(&["executions", "deny", &id, "0", "--no-resume", "--json"]);
    assert_eq!(recorded.json(), json!({ "executionId": id, "status": "decided" }));
}

#[test]
fn what_cannot_be_decided_is_said_with_its_status() {
    let folder = Folder::new("wrong");
    let id = folder.pause(ONE);
    let other = format!("exec_{}", "0".repeat(44));
    let unknown = format!("there is no execution {other}");
    for (arguments, status, code, message) in [
        (&["approve", &other, "0"][..], 4, "NOT_FOUND", unknown.as_str()),
        (&["show", "exec_ffff"], 4, "NOT_FOUND", "no execution id starts or ends with ffff"),
        (&["show", "../x"], 4, "NOT_FOUND", "`../x` is not an execution id or a part of one"),
        (&["approve", &id, "7", "--revision", "1"], 4, "NOT_FOUND", "the execution has no call 7"),
        (
            &["approve", &id, "0", "--revision", "9"],
            4,
            "CONFLICT",
            "the pending calls have changed: revision 9 was shown",
        ),
        (&["resolve", &id, "0", "1", "--revision", "1"], 4, "CONFLICT", "is waiting for approval: approve or deny it"),
        (
            &["resolve", &id, "0", "--did-not-happen", "--revision", "1"],
            4,
            "CONFLICT",
            "is waiting for approval: approve or deny it",
        ),
        (&["resolve", &id, "0", "{", "--revision", "1"], 2, "CONFIG", "the value is not JSON"),
        (&["approve", &id, "--revision", "1", "--remember", "session"], 2, "CONFIG", "the execution has no session"),
    ] {
        let arguments = [&["executions"], arguments, &["--demo"]].concat();
        let told = folder.isobox(&arguments);
        assert_eq!((told.status, told.stdout.as_str()), (status, ""), "{arguments:?}: {told:?}");
        assert!(told.stderr.starts_with("error: ") && told.stderr.contains(message), "{arguments:?}: {told:?}");
        let told = folder.isobox(&[arguments.as_slice(), &["--json"]].concat());
        assert_eq!((told.status, &told.json()["error"]["code"]), (status, &json!(code)), "{arguments:?}: {told:?}");
    }
    for arguments in [
        &["approve"][..],
        &["approve", &id, "x"],
        &["deny", &id],
        &["resolve", &id, "0"],
        &["resolve", &id, "0", "1", "--did-not-happen"],
        &["approve", &id, "0", "--all", "--revision", "1"],
        &["list", "--status", "asleep"],
        &["expire", "--older-than", "soon"],
    ] {
        let told = folder.isobox(&[&["executions"], arguments].concat());
        assert_eq!(told.status, 2, "{arguments:?}: {told:?}");
    }
    assert_eq!(folder.listed()[0]["status"], "paused", "nothing of this was a decision");
    folder.isobox(&["executions", "approve", &id, "--revision", "1", "--demo"]);
    let over = folder.isobox(&["executions", "approve", &id, "--revision", "1", "--demo"]);
    assert_eq!(over.status, 4);
    assert!(over.stderr.contains("is over"), "{over:?}");
    assert!(folder.isobox(&["executions", "reject", &id]).stderr.contains("is over: it is completed"));
}

#[test]
fn a_cancelled_execution_is_told_from_a_rejected_one() {
    let folder = Folder::new("cancelled");
    let id = folder.pause(ONE);
    let cancelled = folder.isobox(&["executions", "cancel", &id, "--reason", "withdrawn"]);
    assert_eq!((cancelled.status, cancelled.stderr.as_str()), (0, "ada cancelled the execution: withdrawn\n"));
    let listed = folder.isobox(&["executions", "list"]).stdout;
    assert!(listed.contains("failed ABORTED"), "{listed}");
    let shown = folder.isobox(&["executions", "show", &id]).stdout;
    assert!(
        shown.contains("  cancelled\n") && shown.contains("ABORTED: ada cancelled the execution: withdrawn"),
        "{shown}"
    );
    let record = folder.isobox(&["executions", "show", &id, "--json"]).json();
    assert_eq!(record["outcome"]["error"]["code"], "ABORTED");
    assert_eq!(record["outcome"]["error"]["details"], json!({ "by": "ada" }));
    let rejected = folder.isobox(&["executions", "reject", &id]);
    assert!(rejected.status == 4 && rejected.stderr.contains("is over: it is failed"), "{rejected:?}");

    let second = folder.pause(ONE);
    let json = folder.isobox(&["executions", "cancel", &second, "--json"]);
    assert_eq!((json.status, &json.json()["error"]["code"]), (0, &json!("ABORTED")), "{json:?}");
}

#[test]
fn an_execution_is_rejected_listed_deleted_pruned_and_expired() {
    let folder = Folder::new("retention");
    let id = folder.pause(ONE);
    let rejected = folder.isobox(&["executions", "reject", &id, "--reason", "enough"]);
    assert_eq!((rejected.status, rejected.stderr.as_str()), (0, "ada rejected the execution: enough\n"));
    let second = folder.pause(ONE);
    let names = |status: &str| {
        let listed = folder.isobox(&["executions", "list", "--json", "--status", status]).json();
        let ids = listed["executions"].as_array().expect("a list").iter();
        ids.map(|one| one["id"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (names("rejected"), names("paused"), names("completed").len()),
        (vec![id.clone()], vec![second.clone()], 0)
    );
    let both = folder.isobox(&["executions", "show", "exec_0"]);
    assert_eq!(both.status, 2, "{both:?}");
    assert!(both.stderr.contains("2 execution ids start or end with 0"), "{both:?}");

    let pruned = folder.isobox(&["executions", "prune", "--keep", "0", "--json"]);
    assert_eq!((pruned.status, &pruned.json()["deleted"]), (0, &json!([id])));
    assert_eq!(folder.isobox(&["executions", "show", &id]).status, 4);
    assert_eq!(folder.isobox(&["executions", "expire"]).stderr, "nothing was expired\n", "it is not old enough");
    let expired = folder.isobox(&["executions", "expire", "--older-than", "0s", "--json"]);
    assert_eq!((expired.status, &expired.json()["expired"]), (0, &json!([second])), "{expired:?}");
    assert_eq!(names("failed"), std::slice::from_ref(&second));
    let deleted = folder.isobox(&["executions", "delete", &second]);
    assert_eq!((deleted.status, deleted.stdout), (0, format!("deleted {second}\n")));
    assert!(folder.listed().is_empty());
    assert_eq!(folder.isobox(&["executions", "list"]).stderr, "no executions found\n");
}

#[test]
fn only_so_many_that_are_over_are_kept_after_a_run() {
    let folder = Folder::new("kept");
    let paused = folder.pause(ONE);
    folder.file("one.ts", "return 1");
    for _ in 0..52 {
        assert_eq!(folder.isobox(&["run", "one.ts"]).status, 0);
    }
    let listed = folder.isobox(&["executions", "list", "--json", "--limit", "100"]).json();
    let listed = listed["executions"].as_array().expect("a list");
    assert_eq!(listed.len(), 51);
    assert_eq!(listed[50]["id"], paused.as_str(), "one that waits is never removed");
    assert!(folder.isobox(&["executions", "list", "--limit", "3"]).stderr.contains("next page: "));

    folder.file("isobox.json", r#"{ "retention": { "keep": 2, "expireAfter": "1ms" } }"#);
    assert_eq!(folder.isobox(&["run", "one.ts"]).status, 0);
    let listed = folder.listed();
    let stood = |one: &Value| (one["id"] == paused.as_str(), one["status"].clone());
    let listed: Vec<_> = listed.iter().map(stood).collect();
    assert_eq!(listed, [(false, json!("completed")), (true, json!("failed"))], "what ended last can be looked at");
}

#[test]
fn approvals_that_were_given_before_are_not_asked_for_and_all_others_wait() {
    let folder =
        Folder::with("given", r#"{ "policy": [{ "tools": ["mail.*", "demo.echo"], "require": "approval" }] }"#);
    folder.file(
        "program.ts",
        "const sent = await tools.mail.send({ to: 'ada', subject: 'hi' }); return tools.demo.echo(sent.to)",
    );
    let all = folder.isobox(&["run", "--demo", "--approve-all", "program.ts"]);
    assert_eq!((all.status, all.stdout.as_str()), (0, "\"ada\"\n"), "{all:?}");
    let shown = folder.isobox(&["executions", "show", folder.listed()[0]["id"].as_str().expect("a name")]).stdout;
    let (owner, approver) = (format!("UTC by {} as program.ts", user()), format!("{} approved", user()));
    assert!(shown.contains(&owner) && shown.contains(&approver), "{shown}");
    let named = folder.isobox(&["run", "--demo", "--approve", "mail.*", "--approve", "demo.echo", "program.ts"]);
    assert_eq!(named.status, 0, "{named:?}");
    let some = folder.isobox(&["run", "--demo", "--json", "--approve", "mail.send", "program.ts"]);
    assert_eq!((some.status, &some.json()["pending"][0]["path"]), (3, &json!("demo.echo")), "{some:?}");
    let nobody = folder.isobox(&["run", "--demo", "--json", "--approve", "mail.send", "--store", "none", "program.ts"]);
    assert_eq!((nobody.status, &nobody.json()["error"]["code"]), (1, &json!("APPROVAL_REQUIRED")));
    assert_eq!(folder.isobox(&["run", "--approve", "a?b", "program.ts"]).status, 2);
}

#[test]
fn decisions_are_remembered_where_that_is_asked_for() {
    let folder = Folder::new("remembered");
    let twice =
        "const send = () => tools.mail.send({ to: 'ada', subject: 'hi' }); await send(); return (await send()).to";
    let id = folder.pause(twice);
    let done = folder.isobox(&["executions", "approve", &id, "--revision", "1", "--demo", "--remember", "execution"]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "\"ada\"\n"), "{done:?}");

    let run = ["run", "--demo", "--json", "--session", "s1", "program.ts"];
    let first = folder.isobox(&run).json();
    let id = first["executionId"].as_str().expect("a name");
    let done = folder.isobox(&["executions", "approve", id, "--revision", "1", "--demo", "--remember", "session"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(folder.isobox(&run).status, 0, "it holds for the session");
    assert_eq!(folder.isobox(&["run", "--demo", "--session", "s2", "program.ts"]).status, 3);
}

#[test]
fn what_is_redacted_is_in_nothing_that_is_shown() {
    let folder = Folder::with(
        "redacted",
        r#"{ "policy": [{ "tools": "*", "redact": ["/password"] }, { "tools": "mail.*", "require": "approval" }] }"#,
    );
    let id = folder.pause(
        "await tools.demo.echo({ password: 'hunter2' }); return tools.mail.send({ to: 'ada', subject: 'x', body: 'b' })",
    );
    let shown = folder.isobox(&["executions", "show", &id, "--json"]);
    let record = shown.json();
    assert_eq!(record["entries"][0]["step"]["calls"][0]["what"]["tool"]["input"]["password"], "[redacted]");
    assert_eq!(record["outcome"]["status"], "paused");
    let entries = record["entries"].to_string();
    assert!(!entries.contains("hunter2"), "{entries}");
}

#[test]
fn a_tool_gets_the_answer_that_it_asked_for_and_nobody_else_sees_it() {
    let folder = Folder::new("answer");
    let asks = "const { answer } = await tools.people.ask({ question: 'who?' }); return answer.length";
    let id = folder.pause(asks);
    let paused = folder.isobox(&["executions", "show", &id]).stdout;
    assert!(paused.contains("call 0 (people.ask) needs an answer"), "{paused}");
    assert!(paused.contains("\"question\": \"who?\"") && paused.contains("resolve"), "{paused}");
    let approve = ["executions", "approve", &id, "--revision", "1", "--demo"];
    assert_eq!(folder.isobox(&approve).status, 4, "this is no approval");
    let happened = ["executions", "resolve", &id, "0", "--happened", "1", "--revision", "1", "--demo"];
    assert_eq!(folder.isobox(&happened).status, 4);
    let done = folder.isobox(&["executions", "resolve", &id, "0", "\"hunter2\"", "--revision", "1", "--demo"]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "7\n"), "{done:?}");
    let record = folder.isobox(&["executions", "show", &id, "--json"]).json();
    let decided = record["entries"].as_array().expect("a list").iter().find_map(|entry| entry.get("decided"));
    assert_eq!(decided.expect("it was decided")["decision"]["verdict"], json!({ "answer": "[hidden]" }));

    let id = folder.pause("return (await tools.people.ask({ question: 'how cold?' })).answer");
    assert_eq!(folder.isobox(&["executions", "resolve", &id, "0", "-5", "--revision", "1", "--demo"]).stdout, "-5\n");

    let id = folder.pause(asks);
    let denied = folder.isobox(&["executions", "deny", &id, "0", "--demo", "--json"]);
    assert_eq!((denied.status, &denied.json()["error"]["code"]), (1, &json!("APPROVAL_DENIED")));
}

#[test]
fn a_value_that_nobody_else_may_see_is_read_from_standard_input() {
    let folder = Folder::new("input");
    let resolved = |id: &str, arguments: &[&str], input: &str| {
        let mut command =
            folder.command(&[&["executions", "resolve", id, "0", "--revision", "1", "--demo"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
        Done::of(&child.wait_with_output().expect("it ends"))
    };
    let id = folder.pause("return (await tools.people.ask({ question: 'who?' })).answer");
    let wrong = resolved(&id, &["-"], "ada");
    assert!(wrong.status == 2 && wrong.stderr.contains("the value is not JSON"), "{wrong:?}");
    let done = resolved(&id, &["-"], "\"ada\"\n");
    assert_eq!((done.status, done.stdout.as_str()), (0, "\"ada\"\n"), "{done:?}");

    let id = in_doubt(&folder);
    assert_eq!(folder.isobox(&["executions", "resume", &id, "--demo"]).status, 3);
    let done = resolved(&id, &["--happened", "-"], "{\"waited\":7}");
    assert_eq!((done.status, done.stdout.as_str()), (0, "{\"waited\":7}\n"), "{done:?}");
}

#[test]
fn of_several_who_decide_at_once_one_is_heard_and_the_call_is_made_once() {
    let folder = Folder::new("at-once");
    let id = folder.pause(ONE);
    let approve = ["executions", "approve", &id, "0", "--revision", "1", "--demo", "--json"];
    let spawn = |_| folder.command(&approve).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let children: Vec<_> = (0..6).map(spawn).collect();
    let done = children.into_iter().map(|child| Done::of(&child.wait_with_output().expect("it ends")));
    let (heard, others): (Vec<Done>, Vec<Done>) = done.partition(|done| done.status == 0);
    assert_eq!(heard.len(), 1, "{heard:?}\n{others:?}");
    assert_eq!(heard[0].json()["result"], "ada");
    for other in others {
        assert_eq!((other.status, &other.json()["error"]["code"]), (4, &json!("CONFLICT")), "{other:?}");
    }
    let record = folder.isobox(&["executions", "show", &id, "--json"]).json();
    let entries = record["entries"].as_array().expect("a list");
    assert_eq!(entries.iter().filter(|entry| entry.get("started").is_some()).count(), 1);
}

#[test]
fn the_last_execution_is_shown_and_never_decided_about_by_that_name() {
    let folder = Folder::new("last");
    assert_eq!(folder.isobox(&["executions", "show", "last"]).status, 4, "there is none");
    let id = folder.pause(ONE);
    let shown = folder.isobox(&["executions", "show", "last", "--json"]);
    assert_eq!(shown.json()["executionId"], id.as_str());
    for arguments in [&["approve", "last"][..], &["deny", "last", "0"], &["reject", "last"], &["delete", "last"]] {
        let told = folder.isobox(&[&["executions"], arguments, &["--demo"]].concat());
        assert_eq!(told.status, 2, "{arguments:?}: {told:?}");
        assert!(told.stderr.contains("may be another execution by now") && told.stderr.contains(&id), "{told:?}");
    }
    assert_eq!(folder.listed()[0]["status"], "paused");
}
