//! `isobox tools` and `isobox mcp`, as a person and as a client would use them.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

fn isobox(arguments: &[&str]) -> Output {
    let folder = std::env::temp_dir();
    Command::new(env!("CARGO_BIN_EXE_isobox")).args(arguments).current_dir(folder).output().expect("it starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("it is text")
}

#[test]
fn the_list_is_a_table_for_people_and_json_for_programs() {
    let table = isobox(&["tools", "list", "--demo"]);
    assert!(table.status.success());
    let lines: Vec<&str> = text(&table.stdout).lines().collect();
    assert!(lines.contains(&"mail.send        Sends a mail. (It does not really.)"), "{lines:?}");
    let json: Value = serde_json::from_slice(&isobox(&["tools", "list", "--demo", "--json"]).stdout).expect("JSON");
    let mail =
        json["tools"].as_array().expect("a list").iter().find(|tool| tool["path"] == "mail.send").expect("it is there");
    assert_eq!((&mail["requiresApproval"], &mail["inputSchema"]["type"]), (&json!(false), &json!("object")));
}

#[test]
fn tools_are_found_described_and_called() {
    let found: Value =
        serde_json::from_slice(&isobox(&["tools", "search", "--demo", "--json", "send", "mail"]).stdout).expect("JSON");
    assert_eq!(found["results"][0]["path"], "mail.send");
    let types = isobox(&["tools", "types", "weather", "--demo"]);
    assert!(text(&types.stdout).starts_with("declare const tools: { weather: {\n"), "{}", text(&types.stdout));
    let all = isobox(&["tools", "types", "--demo"]);
    assert!(text(&all.stdout).contains("mail:"), "{}", text(&all.stdout));
    let called = isobox(&["tools", "call", "weather.current", "{\"city\":\"Oslo\"}", "--demo"]);
    assert_eq!(text(&called.stdout), "{\"city\":\"Oslo\",\"celsius\":4,\"sky\":\"snow\"}\n");
}

/// A configuration, as long as it is needed.
struct Configured(std::path::PathBuf);

impl Configured {
    fn with(name: &str, text: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("isobox-tools-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("isobox.json"), text).expect("written");
        Self(folder)
    }

    fn flag(&self) -> String {
        format!("--config={}", self.0.join("isobox.json").display())
    }
}

impl Drop for Configured {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[test]
fn everything_that_the_commands_print() {
    let configured = Configured::with(
        "prints",
        r#"{ "policy": [{ "tools": "mail.*", "require": "approval" }, { "tools": "demo.broken", "deny": true }] }"#,
    );
    let mut printed = String::new();
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["search", "send", "mail"],
        &["search", "--explain", "send", "mail"],
        &["search", "--limit", "1", "demo"],
        &["search", "--json", "send", "mail"],
        &["search", "nothing like this at all"],
        &["describe", "mail.send"],
        &["describe", "weather", "--json"],
        &["describe", "mial"],
        &["types"],
        &["types", "demo"],
        &["call", "demo.echo", r#"{"a":[1,{"b":null}]}"#],
        &["call", "demo.fail", r#"{"message":"no"}"#],
        &["call", "mail.send", r#"{"to":"a","subject":"b"}"#],
        &["call", "mail.snd"],
        &["call", "weather.current", r#"{"citty":"Oslo"}"#],
        &["call", "demo.echo", "{"],
    ] {
        let config = configured.flag();
        let output = isobox(&[&["tools", "--demo", &config], arguments].concat());
        let status = output.status.code().expect("it ends by itself");
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        printed.push_str(&format!("$ isobox tools {}\n{stdout}-- {status}\n{stderr}\n", arguments.join(" ")));
    }
    let unused = Configured::with("unused", r#"{ "tools": { "github.create_issue": { "approval": true } } }"#);
    let output = isobox(&["tools", "types", "mail", "--demo", &unused.flag()]);
    printed.push_str(&format!("with something configured to no effect\n{}", text(&output.stderr)));
    insta::assert_snapshot!(printed);
}

#[test]
fn what_names_no_tool_is_said_and_is_an_error_where_the_configuration_is_strict() {
    let policy = r#""policy": [{ "tools": "mial.*", "deny": true }]"#;
    let lenient = Configured::with("lenient", &format!("{{ {policy} }}"));
    let program = lenient.0.join("a.ts").display().to_string();
    std::fs::write(&program, "return 1").expect("written");
    let run = |config: &str, more: &[&str]| {
        let output = isobox(&[&["run", &program, "--demo", "--store", "none", config], more].concat());
        (output.status.code(), text(&output.stderr).to_owned())
    };
    let (status, said) = run(&lenient.flag(), &["--approve", "mail.sned", "--approve", "mail.*"]);
    assert_eq!(status, Some(0), "{said}");
    let expected = "warn: rule 1 of the policy: `mial.*` matches no tool; did you mean `mail.*`?\n\
                    warn: --approve: `mail.sned` matches no tool; did you mean `mail.send`?\n";
    assert_eq!(said, expected);
    let strict = Configured::with("strict", &format!("{{ {policy}, \"strict\": true }}"));
    let (status, said) = run(&strict.flag(), &[]);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("`mial.*` matches no tool; did you mean `mail.*`?"), "{said}");
    let approving = Configured::with("approving", r#"{ "strict": true }"#);
    let (status, said) = run(&approving.flag(), &["--approve", "mail.sned"]);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("--approve: `mail.sned` matches no tool"), "{said}");
}

#[test]
fn an_outcome_has_inputs_where_they_are_asked_for_without_what_is_redacted() {
    let configured = Configured::with("inputs", r#"{ "policy": [{ "tools": "*", "redact": ["/password"] }] }"#);
    let folder = &configured.0;
    std::fs::write(folder.join("a.ts"), "await tools.demo.echo({ a: 1, password: 'hunter2' })").expect("written");
    let program = folder.join("a.ts").display().to_string();
    let config = configured.flag();
    let output = isobox(&["run", "--demo", "--json", "--inputs", &config, &program]);
    let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(outcome["calls"][0]["input"], json!({ "a": 1, "password": "[redacted]" }));
    let usage = isobox(&["run", "--demo", "--inputs", &program]);
    assert_eq!(usage.status.code(), Some(2), "{}", text(&usage.stderr));
}

#[test]
fn what_cannot_be_done_is_said_with_its_status() {
    for (arguments, status, message) in [
        (&["tools", "describe", "nothing", "--demo"][..], 4, "there is no tool or namespace `nothing`"),
        (&["tools", "call", "mail.send", "{", "--demo"], 2, "the input is not JSON"),
        (&["tools", "call", "mail.send", "{}", "--demo"], 1, "INVALID_INPUT"),
        (&["tools", "call", "mail send", "{}", "--demo"], 2, "cannot be the path of a tool"),
        (&["tools", "list", "--config", "no-such-file.json"], 2, "no-such-file.json"),
        (&["tools", "list"], 1, "there are no tools"),
        (&["tools", "list", "--json"], 1, ""),
        (&["tools", "search", "xyzzy", "--demo"], 1, ""),
    ] {
        let output = isobox(arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(message), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_server_that_does_not_start_is_named_and_the_others_stay() {
    let folder = std::env::temp_dir().join(format!("isobox-tools-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("isobox.json");
    std::fs::write(&file, r#"{ "mcpServers": { "broken": { "command": "/no/such/program" } } }"#).expect("written");
    let config = file.to_str().expect("a path");
    let output = isobox(&["tools", "list", "--demo", "--config", config]);
    let alone = isobox(&["tools", "list", "--config", config]);
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(alone.status.code(), Some(1));
    assert!(!text(&alone.stderr).contains("there are no tools"), "{}", text(&alone.stderr));
    assert!(text(&alone.stderr).contains("servers have not started"), "{}", text(&alone.stderr));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("mail.send"));
    assert!(text(&output.stderr).contains("broken"), "{}", text(&output.stderr));
}

const FAKE_SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isobox-connect/tests/mcp/fake_server.py");

/// A folder with a configuration of servers, each the fake one with these arguments.
struct Folder(PathBuf);

impl Folder {
    fn with_servers(name: &str, servers: &[(&str, &[&str])]) -> Self {
        let folder = std::env::temp_dir().join(format!("isobox-tools-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let servers: serde_json::Map<String, Value> = servers
            .iter()
            .map(|(name, args)| {
                let args: Vec<&str> = [FAKE_SERVER].iter().chain(*args).copied().collect();
                ((*name).to_owned(), json!({ "command": "python3", "args": args, "cwd": folder }))
            })
            .collect();
        let config = json!({ "mcpServers": servers });
        std::fs::write(folder.join("isobox.json"), config.to_string()).expect("written");
        Self(folder)
    }

    fn isobox(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobox"));
        command.args(arguments).arg("--trust").current_dir(&self.0).stdin(Stdio::null());
        // The lists of tools are kept there.
        command.env("XDG_STATE_HOME", self.0.join("state"));
        command
    }

    /// The processes that run in it.
    fn processes(&self) -> Vec<PathBuf> {
        let all = std::fs::read_dir("/proc").expect("there is a list of processes").flatten();
        let runs_here = |path: &PathBuf| std::fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == self.0);
        all.map(|process| process.path()).filter(runs_here).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("removed");
    }
}

#[test]
fn a_server_starts_for_a_call_and_is_named_if_it_does_not() {
    let folder = Folder::with_servers("later", &[("fake", &["--exit-at-start-while", "broken"])]);
    let told = |arguments: &[&str]| {
        let output = folder.isobox(arguments).output().expect("it starts");
        (output.status.code(), text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
    };
    let (status, listed, warnings) = told(&["tools", "list"]);
    assert_eq!((status, listed.lines().count()), (Some(0), 2), "{listed}");
    assert!(warnings.contains("warn: `fake`: a second tool with the name `echo` is left out"), "{warnings}");
    assert_eq!(told(&["--quiet", "tools", "list"]), (Some(0), listed.clone(), String::new()));
    std::fs::write(folder.0.join("broken"), "").expect("written");
    let down = "warn: the MCP server `fake` (`python3`) ended (exit status: 9) before it was ready";
    // The list is known, so that nothing is started for it.
    let (status, again, warnings) = told(&["tools", "list"]);
    assert!(status == Some(0) && again == listed && !warnings.contains(down), "{warnings}");
    let (status, _, warnings) = told(&["tools", "call", "fake.echo", "{}"]);
    assert!(status == Some(1) && warnings.contains(down), "{warnings}");
    let (status, _, warnings) = told(&["tools", "list", "--refresh"]);
    assert!(status == Some(1) && warnings.contains(down), "{warnings}");
}

#[test]
fn what_is_left_out_and_renamed_is_told() {
    let folder =
        Folder::with_servers("told", &[("the fake", &[]), ("the-fake", &[]), ("gone", &["--exit-at-start", "3"])]);
    let output = folder.isobox(&["tools", "list"]).output().expect("it starts");
    let warnings = text(&output.stderr);
    let left_out = "warn: `the_fake`: a second tool with the name `echo` is left out: it could not be called";
    let taken = "warn: the tools of `the-fake` are found under `the_fake_2`, because `the_fake` is taken";
    for line in [left_out, taken, "warn: the MCP server `gone` (`python3`) ended (exit status: 3) before it was ready"]
    {
        assert!(warnings.contains(line), "{line}\n{warnings}");
    }
    let output = folder.isobox(&["tools", "list", "--json"]).output().expect("it starts");
    let all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(all["warnings"].as_array().map(Vec::len), Some(3), "{all}");
    assert_eq!(format!("warn: {}", all["warnings"][0].as_str().unwrap_or_default()), left_out);
    assert_eq!((&all["problems"][0]["code"], all["problems"].as_array().map(Vec::len)), (&json!("CONFIG"), Some(1)));
    assert_eq!(all["renamed"][0], json!({ "connector": "the fake", "name": "echo", "path": "the_fake.echo" }));
    assert_eq!(all["tools"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_signal_ends_the_servers_too() {
    let program = "await tools.fake.echo({ a: 1 }); for (;;) {}";
    let waiting: &[&str] = &["tools", "list"];
    for (signal, ended, arguments, servers) in [
        ("-TERM", &[143][..], &["run", "program.ts"][..], &[("fake", &["--stubborn"][..])][..]),
        ("-INT", &[1, 130], &["run", "program.ts"], &[("fake", &["--stubborn"])]),
        ("-TERM", &[143], &["run", "program.ts"], &[("fake", &["--stubborn", "--silent"])]),
        ("-INT", &[130], waiting, &[("fake", &["--stubborn", "--silent"])]),
    ] {
        let folder = Folder::with_servers("signal", servers);
        std::fs::write(folder.0.join("program.ts"), program).expect("written");
        let mut child =
            folder.isobox(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        // Ourselves and the server.
        while folder.processes().len() < 2 {
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(500));
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
        let status = child.wait().expect("it ends");
        assert!(status.code().is_some_and(|status| ended.contains(&status)), "{signal} {arguments:?}: {status}");
        // One that was killed while it started may take its time to be gone.
        let mut patience = 500;
        while !folder.processes().is_empty() {
            patience -= 1;
            assert!(patience > 0, "{signal} {arguments:?} {servers:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn an_mcp_client_lists_searches_and_executes() {
    let configured = Configured::with("mcp", r#"{ "answer": { "calls": 5, "inputs": true } }"#);
    let mut child = Command::new(env!("CARGO_BIN_EXE_isobox"))
        .args(["mcp", "--demo", &configured.flag()])
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut ask = |message: Value| -> Value {
        writeln!(input, "{message}").expect("it listens");
        if message.get("id").is_none() {
            return Value::Null;
        }
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        serde_json::from_str::<Value>(&line).expect("JSON")["result"].take()
    };
    let capabilities = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": capabilities }));
    ask(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let listed = ask(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }));
    insta::assert_snapshot!("tools_of_the_mcp_server", serde_json::to_string_pretty(&listed).expect("it is JSON"));
    let call = |id: u32, name: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    let found = ask(call(3, "search", json!({ "query": "send mail" })));
    assert_eq!(found["structuredContent"]["results"][0]["path"], "mail.send");
    let done =
        ask(call(4, "execute", json!({ "code": "console.warn('careful'); return await tools.demo.echo({ a: [1] })" })));
    assert_eq!(done["structuredContent"]["result"], json!({ "a": [1] }));
    assert_eq!(
        done["content"][0]["text"],
        "{\"a\":[1]}\n\ncalls:\ndemo.echo: applied\n  input: {\"a\":[1]}\n\nlog:\n| warn: careful"
    );
    assert_eq!(done["structuredContent"]["calls"][0]["input"], json!({ "a": [1] }));
    let failed = ask(call(5, "execute", json!({ "code": "return tools.demo.fail({ message: 'no' })" })));
    assert_eq!(
        (&failed["isError"], &failed["content"][0]["text"]),
        (
            &json!(true),
            &json!(
                "TOOL: ToolError: no (line 1, column 19)\n\ncalls:\ndemo.fail: failed\n  input: {\"message\":\"no\"}"
            )
        )
    );
    let large = "return Array.from({ length: 5000 }, (_, id) => ({ id, name: 'a row' }))";
    let large = ask(call(6, "execute", json!({ "code": large })));
    assert_eq!(large["structuredContent"]["truncated"], true);
    assert!(large["structuredContent"].to_string().len() < 30_000, "{large}");
    let image = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
    let shown = ask(call(7, "execute", json!({ "code": format!("return ['a chart', {image}]") })));
    assert_eq!(shown["content"][0]["text"], r#"["a chart","[image: image/png, 2 bytes]"]"#);
    assert_eq!(shown["content"][1], image);
    let left = "return await Promise.race([tools.demo.wait({ ms: 60000 }), 1])";
    let left = ask(call(8, "execute", json!({ "code": left })));
    let warning = "the program returned while its call of `demo.wait` was still pending: the call was cancelled, and may \
                   have taken effect";
    assert!(
        left["content"][0]["text"].as_str().expect("a text").starts_with(&format!("1\n\nwarning: {warning}")),
        "{left}"
    );
    assert_eq!(left["structuredContent"]["warnings"], json!([{ "message": warning, "seq": "0" }]));
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn an_mcp_client_that_asks_for_it_is_told_how_far_a_program_is() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_isobox"))
        .args(["mcp", "--demo"])
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("piped");
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let client = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    let call = json!({ "name": "execute", "arguments": { "code": "return tools.demo.count({ to: 10 })" }, "_meta": { "progressToken": 7 } });
    for message in [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call }),
    ] {
        writeln!(input, "{message}").expect("it listens");
    }
    let mut told = Vec::new();
    for line in output.lines() {
        let message: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        if message["id"] == 2 {
            assert_eq!(message["result"]["structuredContent"]["result"], json!({ "progress": 10, "total": 10 }));
            break;
        }
        if message["method"] == "notifications/progress" {
            assert_eq!(message["params"]["progressToken"], 7);
            told.push(message["params"]["message"].as_str().expect("a text").to_owned());
        }
    }
    assert_eq!(told[0], "demo.count");
    assert!(told.len() > 2 && told[1..].iter().all(|text| text.ends_with("/10")), "{told:?}");
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn progress_is_shown_to_a_person_and_to_nobody_else() {
    const TERMINAL: &str = "import os, pty, sys; os.environ['NO_COLOR'] = '1'; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    let folder = std::env::temp_dir().join(format!("isobox-progress-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("count.ts"), "return tools.demo.count({ to: 5 })").expect("written");
    for arguments in [&["tools", "call", "demo.count", "{\"to\":5}", "--demo"][..], &["run", "count.ts", "--demo"]] {
        let isobox = env!("CARGO_BIN_EXE_isobox");
        let mut watched = Command::new("python3");
        watched.args(["-c", TERMINAL, isobox]).args(arguments).current_dir(&folder).stdin(Stdio::null());
        let watched = watched.output().expect("python starts");
        assert!(watched.status.success(), "{}", text(&watched.stderr));
        assert!(text(&watched.stdout).contains("demo.count: 1/5"), "{}", text(&watched.stdout));
        let piped = Command::new(isobox).args(arguments).current_dir(&folder).output().expect("it starts");
        assert_eq!((text(&piped.stdout), text(&piped.stderr)), ("{\"progress\":5,\"total\":5}\n", ""));
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn completions_of_every_shell_name_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = Command::new(env!("CARGO_BIN_EXE_isobox")).args(["completions", shell]).output().expect("it runs");
        let script = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && script.contains("executions"), "{shell}: {script}");
    }
    let unknown = Command::new(env!("CARGO_BIN_EXE_isobox")).args(["completions", "cmd"]).output().expect("it runs");
    assert_eq!(unknown.status.code(), Some(2));
}
