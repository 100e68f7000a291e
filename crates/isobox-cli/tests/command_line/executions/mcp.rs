//! A model whose program pauses: it learns that a person decides, cannot decide itself, and collects the outcome.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use isobox::journal::Verdict;
use isobox::{CallSeq, Decisions};
use serde_json::{Value, json};

use super::crash::{WAITS, assert_can_be_resumed, signalled, started_call};
use super::{Folder, ONE, user};

/// A client that started `isobox mcp`.
pub(super) struct Client {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    pub(super) fn start(folder: &Folder, arguments: &[&str]) -> Self {
        Self::with(folder, arguments, &json!({}))
    }

    fn with(folder: &Folder, arguments: &[&str], capabilities: &Value) -> Self {
        Self::of(&mut folder.command(&[&["mcp", "--demo"], arguments].concat()), capabilities)
    }

    fn of(command: &mut Command, capabilities: &Value) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let mut client = Self { process, input, output, asked: 0 };
        let info = json!({ "name": "test", "version": "1" });
        let about = json!({ "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": info });
        client.ask("initialize", about);
        writeln!(client.input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .expect("it reads");
        client
    }

    fn send(&mut self, method: &str, params: Value) {
        self.asked += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        writeln!(self.input, "{request}").expect("it reads");
    }

    /// Gives up what was asked for last.
    fn cancel(&mut self) {
        let params = json!({ "requestId": self.asked, "reason": "enough" });
        let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        writeln!(self.input, "{cancelled}").expect("it reads");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(method, params);
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        serde_json::from_str(&line).expect("JSON")
    }

    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))["result"].take()
    }

    fn tools(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().expect("a list").iter();
        tools.map(|tool| tool["name"].as_str().unwrap_or_default().to_owned()).collect()
    }

    pub(super) fn close(mut self) {
        drop(self.input);
        assert!(self.process.wait().expect("it ends").success());
    }
}

#[test]
fn a_model_is_told_that_a_person_decides_and_not_how_and_collects_the_outcome() {
    let folder = Folder::new("mcp");
    let mut client = Client::start(&folder, &[]);
    assert_eq!(client.tools(), ["execute", "search", "resume"]);
    let paused = client.call("execute", json!({ "code": ONE }));
    let outcome = &paused["structuredContent"];
    assert_eq!((&paused["isError"], &outcome["status"]), (&json!(false), &json!("paused")));
    let id = outcome["executionId"].as_str().expect("a name").to_owned();
    let text = paused["content"][0]["text"].as_str().expect("a text");
    insta::assert_snapshot!(text.replace(&id, "exec_1"), @r#"
    The program is paused: execution exec_1 is waiting for the decision of a person.
    call 0 of `mail.send` needs approval (rule 1 (`mail.*`) asks for approval): {"to":"ada","subject":"hi"}

    log:
    | before

    You cannot decide this; a person decides at their own terminal. Tell them that execution exec_1 is waiting for a decision, and call `resume` with { "executionId": "exec_1" } after they have decided.
    "#);

    let shown = folder.isobox(&["executions", "show", &id]).stdout;
    assert!(shown.contains(&format!("UTC by {} as mcp\n", user())), "{shown}");
    assert_eq!(folder.listed()[0]["function"], "mcp");
    let again = client.call("resume", json!({ "executionId": id }));
    assert_eq!(again, paused, "nobody has decided");
    let entries = |folder: &Folder| folder.isobox(&["executions", "show", &id, "--json"]).json()["entries"].clone();
    let before = entries(&folder);
    client.call("resume", json!({ "executionId": id }));
    assert_eq!(entries(&folder), before, "asking leaves no trace");

    // Nothing that the model reads says how to decide.
    let told = paused.to_string();
    assert!(!told.contains("isobox executions") && !told.contains("approve "), "{told}");
    let decided = folder.isobox(&["executions", "approve", &id, "--revision", "1", "--demo"]);
    assert_eq!(decided.status, 0, "{decided:?}");
    let done = client.call("resume", json!({ "executionId": id }));
    assert_eq!((&done["structuredContent"]["result"], &done["isError"]), (&json!("ada"), &json!(false)), "{done}");
    client.close();
}

#[test]
fn what_was_decided_and_not_resumed_is_resumed() {
    let folder = Folder::new("mcp-decided");
    let mut client = Client::start(&folder, &[]);
    let paused = client.call("execute", json!({ "code": ONE }));
    let id = paused["structuredContent"]["executionId"].as_str().expect("a name").to_owned();
    folder.decide_only(&id, Decisions::new(folder.ada(), [(CallSeq::new(0), Verdict::Deny(None))]));
    let done = client.call("resume", json!({ "executionId": id }));
    assert_eq!(
        (&done["structuredContent"]["error"]["code"], &done["isError"]),
        (&json!("APPROVAL_DENIED"), &json!(true))
    );
    assert_eq!(client.call("resume", json!({ "executionId": id })), done, "it is over");
    client.close();
}

#[test]
fn what_cannot_be_resumed_now_is_told_as_not_over() {
    let folder = Folder::new("mcp-later");
    let id = folder.pause(ONE);
    folder.decide_only(&id, Decisions::new(folder.ada(), [(CallSeq::new(0), Verdict::Approve)]));
    // This process does not have the tool.
    let mut client = Client::of(&mut folder.command(&["mcp"]), &json!({}));
    for _ in 0..2 {
        let told = client.call("resume", json!({ "executionId": id }));
        let outcome = &told["structuredContent"];
        assert_eq!((&outcome["status"], &outcome["executionId"]), (&json!("interrupted"), &json!(id)), "{told}");
        assert_eq!((&outcome["error"]["code"], &told["isError"]), (&json!("UNKNOWN_TOOL"), &json!(false)), "{told}");
        let text = told["content"][0]["text"].as_str().expect("a text");
        assert!(text.contains(&id) && text.contains("Do not run it again: call `resume`"), "{text}");
    }
    client.close();
    let mut client = Client::start(&folder, &[]);
    assert_eq!(client.call("resume", json!({ "executionId": id }))["structuredContent"]["result"], "ada");
    client.close();
}

/// The source files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_message_that_a_model_may_read_names_a_command_that_decides() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for name in ["core", "store", "connect", "server", "sandbox", "program"] {
        sources(&own.join(format!("../isobox-{name}/src")), &mut files);
    }
    sources(&own.join("../isobox/src"), &mut files);
    files.extend(["mcp", "questions", "retention", "setting"].map(|name| own.join(format!("src/{name}.rs"))));
    assert!(files.len() > 100, "{} files", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file");
        let said = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in said.filter(|line| line.contains("isobox executions ")) {
            for verb in ["approve", "deny", "resolve", "decide", "reject", "cancel", "resume", "rollback"] {
                assert!(!line.contains(&format!("isobox executions {verb}")), "{}: {line}", file.display());
            }
        }
    }
}

#[test]
fn what_a_client_ran_that_leaves_or_is_stopped_can_be_resumed_at_once() {
    let folder = Folder::with("mcp-leaves", r#"{ "limits": { "timeout": "600s" } }"#);
    for stop in [None, Some("-TERM"), Some("-INT")] {
        let mut client = Client::start(&folder, &[]);
        client.send("tools/call", json!({ "name": "execute", "arguments": { "code": WAITS } }));
        let id = started_call(&folder);
        match stop {
            None => client.close(),
            Some(signal) => {
                let Client { process, input, .. } = client;
                assert_eq!(signalled(process, signal).status, 0, "{signal}");
                drop(input);
            }
        }
        assert_can_be_resumed(&folder, &id);
    }
}

#[test]
fn a_client_that_cancels_ends_its_program_and_not_one_that_it_only_collects() {
    let folder = Folder::with(
        "mcp-cancels",
        r#"{ "limits": { "timeout": "600s" }, "policy": [{ "tools": "demo.wait", "require": "approval" }] }"#,
    );
    let mut client = Client::start(&folder, &[]);
    let paused = client.call("execute", json!({ "code": WAITS }));
    let id = paused["structuredContent"]["executionId"].as_str().expect("a name").to_owned();
    folder.decide_only(&id, Decisions::new(folder.ada(), [(CallSeq::new(0), Verdict::Approve)]));
    client.send("tools/call", json!({ "name": "resume", "arguments": { "executionId": id } }));
    assert_eq!(started_call(&folder), id);
    client.cancel();
    assert_eq!(client.tools().len(), 3, "it is served on");
    while folder.isobox(&["executions", "show", &id, "--json"]).json()["isHeld"] == true {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_can_be_resumed(&folder, &id);

    let run = "await tools.demo.echo(1); for (;;) {}";
    client.send("tools/call", json!({ "name": "execute", "arguments": { "code": run } }));
    while folder.listed()[0]["id"] == *id {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    client.cancel();
    assert_eq!(client.tools().len(), 3);
    while folder.listed()[0]["status"] == "running" {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!((&folder.listed()[0]["status"], &folder.listed()[0]["code"]), (&json!("failed"), &json!("ABORTED")));
    client.close();
}

#[test]
fn a_model_cannot_decide_nor_ask_for_what_it_was_not_given() {
    let folder = Folder::new("mcp-wrong");
    let mut client = Client::start(&folder, &[]);
    let id = folder.pause(ONE);
    for unknown in [&id[..20], "exec_", "", "\u{1b}[2J", &format!("exec_{}", "0".repeat(44))] {
        let told = client.call("resume", json!({ "executionId": unknown }));
        assert_eq!(
            (&told["structuredContent"]["error"]["code"], &told["isError"]),
            (&json!("NOT_FOUND"), &json!(true)),
            "{told}"
        );
        assert!(!told["content"][0]["text"].as_str().expect("a text").contains('\u{1b}'));
    }
    let told =
        client.ask("tools/call", json!({ "name": "resume", "arguments": { "executionId": id, "approve": true } }));
    assert_eq!(told["result"]["isError"], true, "{told}");
    client.close();
    assert_eq!(folder.listed()[0]["status"], "paused");
}

#[test]
fn without_a_store_nothing_pauses_and_nothing_is_resumed() {
    let folder = Folder::new("mcp-none");
    let mut client = Client::start(&folder, &["--store", "none"]);
    assert_eq!(client.tools(), ["execute", "search"]);
    let failed = client.call("execute", json!({ "code": ONE }));
    assert_eq!(failed["structuredContent"]["error"]["code"], "APPROVAL_REQUIRED");
    let told = client.ask("tools/call", json!({ "name": "resume", "arguments": { "executionId": "exec_1" } }));
    assert!(told["error"]["message"].as_str().expect("a message").starts_with("Unknown tool: `resume`"), "{told}");
    client.close();
    assert!(!folder.0.join(".isobox").exists());
}

/// A folder with a server that asks for a city, and a rule that asks for approval of another tool.
fn asking(name: &str) -> Folder {
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/../isobox-connect/tests/mcp/fake_server.py");
    let folder = Folder::with(name, "{}");
    let tools = folder.0.join("tools").display().to_string();
    let config = json!({
        "mcpServers": { "maps": { "command": "python3", "args": [server, "--tools", tools] } },
        "policy": [{ "tools": "mail.*", "require": "approval" }],
    });
    folder.file("tools", &json!([{ "name": "elicit", "inputSchema": { "type": "object" } }]).to_string());
    folder.file("isobox.json", &config.to_string());
    folder
}

const ELICITS: &str = "const { answer } = await tools.maps.elicit({});
const sent = await tools.mail.send({ to: 'ada', subject: answer.content.city });
return sent.to;";

#[test]
fn a_question_of_a_server_is_passed_on_to_the_person_at_the_client_and_an_approval_is_not() {
    let folder = asking("mcp-elicits");
    // The store belongs to the credential of another person, which an agent does not have.
    folder.file("program.ts", ONE);
    let done = folder.isobox(&["run", "--demo", "--trust", "--json", "program.ts"]);
    let id = done.json()["executionId"].clone();
    folder.decide_only(
        id.as_str().expect("a name"),
        Decisions::new(folder.ada(), [(CallSeq::new(0), Verdict::Deny(None))]),
    );
    let mut client = Client::with(&folder, &["--trust"], &json!({ "elicitation": {} }));
    let question = client.ask("tools/call", json!({ "name": "execute", "arguments": { "code": ELICITS } }));
    assert_eq!(question["method"], "elicitation/create", "{question}");
    assert_eq!(question["params"]["message"], "maps asks: Which city?");
    let answer = json!({ "action": "accept", "content": { "city": "Rome" } });
    writeln!(client.input, "{}", json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer }))
        .expect("it reads");
    let mut line = String::new();
    client.output.read_line(&mut line).expect("it answers");
    let paused: Value = serde_json::from_str(&line).expect("JSON");
    let outcome = &paused["result"]["structuredContent"];
    assert_eq!(
        (&outcome["status"], &outcome["pending"][0]["kind"]),
        (&json!("paused"), &json!("approval")),
        "{paused}"
    );
    assert_eq!(outcome["pending"][0]["input"]["subject"], "Rome");
    client.close();

    // A client that cannot ask gets the pause, and a person answers elsewhere.
    let mut client = Client::start(&folder, &["--trust"]);
    let paused = client.call("execute", json!({ "code": ELICITS }));
    assert_eq!(paused["structuredContent"]["pending"][0]["kind"], "interrupt", "{paused}");
    client.close();
}

#[test]
fn a_model_plans_a_program_with_a_snippet_and_nothing_happens() {
    let folder = Folder::with("mcp-plan", r#"{ "policy": [{ "tools": "mail.*", "require": "approval" }] }"#);
    let sends = "if (typeof input === 'undefined') return 0;
        return (await tools.mail.send({ to: input.to, subject: 'hi' })).to;";
    folder.file("sends.ts", sends);
    let done = folder.isobox(&["run", "--demo", "--json", "sends.ts"]);
    let id = done.json()["executionId"].as_str().expect("it has a name").to_owned();
    let saved = folder.isobox(&["snippets", "save", "sends", "--from", &id, "--demo"]);
    assert_eq!(saved.status, 0, "{saved:?}");
    let listed = folder.listed();

    let mut client = Client::start(&folder, &[]);
    let code = "const to = await codemode.run('sends', { to: 'ada' }); return `sent to ${to}`;";
    let planned = client.call("execute", json!({ "code": code, "plan": true }));
    let plan = &planned["structuredContent"];
    assert_eq!((&planned["isError"], &plan["status"]), (&json!(false), &json!("planned")), "{planned}");
    let text = planned["content"][0]["text"].as_str().expect("a text");
    insta::assert_snapshot!(text, @r#"
    The program would make 2 calls:
      0    codemode.run ["sends",{"to":"ada"}]  [run with its effects held back]
      0.0  mail.send {"to":"ada","subject":"hi"}  [held back; needs approval: rule 1 (`mail.*`) asks for approval]
    It would return "sent to null"
    Not certain:
      - the result of `mail.send` (call 0.0) has no declared type: the program got `{}` in its place
      - the plan takes for granted that every call is approved
      - the result is made with stand-ins
    "#);
    assert_eq!(plan["calls"][1]["seq"], "0.0");
    assert_eq!(plan["calls"][1]["input"], json!({ "to": "ada", "subject": "hi" }));
    client.close();
    assert_eq!(folder.listed(), listed, "no execution was added");
}
