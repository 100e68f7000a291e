//! The first contact: `isobox init`, `isobox add` and `isobox doctor`.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::time::Duration;

use isobox::config::Config;
use serde_json::{Value, json};

use crate::executions::{Done, Folder};

pub(crate) const FAKE_SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isobox-connect/tests/mcp/fake_server.py");

const DOCUMENT: &str = "openapi: 3.0.0
info: { title: Shop, version: '1' }
servers: [{ url: 'https://shop.example' }]
paths: { /pets: { get: { operationId: listPets, responses: { '200': { description: pets } } } } }
";

/// A folder without a configuration.
pub(crate) fn empty(name: &str) -> Folder {
    let folder = Folder::with(&format!("contact-{name}"), "{}");
    fs::remove_file(folder.0.join("isobox.json")).expect("removed");
    folder
}

pub(crate) fn written(folder: &Folder) -> String {
    fs::read_to_string(folder.0.join("isobox.json")).expect("it was written")
}

pub(crate) fn read(folder: &Folder) -> Config {
    Config::parse(&written(folder), &|name| Some(format!("https://value-of-{name}"))).expect("it can be read")
}

/// Answers every request on a port of its own with one answer. Returns the address.
pub(crate) fn serve(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            drop(stream.read(&mut [0; 4096]));
            drop(stream.write_all(answer.as_bytes()));
        }
    });
    address
}

/// The checks of `isobox doctor --json`, by kind and name.
pub(crate) fn check<'r>(report: &'r Value, kind: &str, name: &str) -> &'r Value {
    let checks = report["checks"].as_array().expect("a list");
    let is_it = |check: &&Value| check["kind"] == kind && (name.is_empty() || check["name"] == name);
    checks.iter().find(is_it).unwrap_or_else(|| panic!("no check of {kind} {name}: {report:#}"))
}

#[test]
fn a_new_configuration_can_be_used_and_is_never_overwritten() {
    let folder = empty("new");
    let done = folder.isobox(&["init"]);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    assert!(done.stdout.starts_with("wrote isobox.json\nnext: isobox add NAME"), "{done:?}");
    let first = written(&folder);
    assert!(first.contains("\"$schema\": \"./isobox.schema.json\"") && first.contains("// MCP servers"), "{first}");
    assert!(read(&folder).mcp_servers.is_empty());
    let schema = fs::read_to_string(folder.0.join("isobox.schema.json")).expect("the schema is beside it");
    serde_json::from_str::<Value>(&schema).expect("it is JSON");
    folder.file("program.ts", "return 1");
    assert_eq!(folder.isobox(&["run", "program.ts"]).stdout, "1\n");
    let again = folder.isobox(&["init"]);
    assert_eq!(again.status, 2, "{again:?}");
    assert!(again.stderr.contains("already there") && again.stderr.contains("isobox add"), "{again:?}");
    assert_eq!(written(&folder), first);
    fs::remove_file(folder.0.join("isobox.json")).expect("removed");
    symlink("nowhere", folder.0.join("isobox.json")).expect("a link");
    assert_eq!(folder.isobox(&["init"]).status, 2, "a link is there, too");
    assert_eq!(folder.isobox(&["init", "--config", "other.json"]).status, 0);
    assert!(folder.0.join("other.json").exists());
}

#[test]
fn servers_of_other_clients_are_imported_without_their_secrets() {
    let folder = empty("import");
    folder.file(
        "claude_desktop_config.json",
        r#"{ "globalShortcut": "x", "mcpServers": {
            "github": { "command": "github-mcp", "args": ["stdio", "--api-key", "hunter2-arg"],
                        "env": { "GITHUB_TOKEN": "hunter2-env", "LEVEL": "debug", "PORT": 80, "GONE": null },
                        "autoApprove": ["*"], "secretNote": "hunter2-note" },
            "off": { "command": "x", "disabled": true },
            "empty": {} } }"#,
    );
    folder.file(
        "mcp.json",
        r#"{ // of VS Code
            "inputs": [{ "id": "docs-token", "type": "promptString" }],
            "servers": {
                "docs": { "type": "http", "url": "https://docs.example.com/mcp?api_key=hunter2-query",
                          "headers": { "Authorization": "Bearer hunter2-header", "X-Input": "${input:docs-token}" } },
                "local": { "type": "stdio", "command": "${workspaceFolder}/x", "env": { "A": "${env:HOME}" }, "envFile": ".env" },
                "github": { "command": "other" } } }"#,
    );
    folder.file(
        "zed.json",
        r#"{ "context_servers": { "zed": { "source": "custom", "command": { "path": "z", "args": ["a"] }, "enabled": false } } }"#,
    );
    let import = ["--import", "claude_desktop_config.json", "--import", "mcp.json", "--import", "zed.json"];
    let done = folder.isobox(&[&["init"][..], &import].concat());
    assert_eq!(done.status, 0, "{done:?}");
    let text = written(&folder);
    for (place, text) in [("the file", &text), ("stdout", &done.stdout), ("stderr", &done.stderr)] {
        assert!(!text.contains("hunter2"), "{place}: {text}");
    }
    let config = read(&folder);
    assert_eq!(config.mcp_servers.keys().collect::<Vec<_>>(), ["github", "docs", "local"]);
    assert_eq!(config.disabled_servers, ["off", "zed"]);
    assert_eq!(
        config.mcp_servers["github"].written,
        "github-mcp stdio --api-key ${GITHUB_API_KEY} (with GITHUB_TOKEN, LEVEL, PORT in its environment)"
    );
    assert_eq!(config.mcp_servers["docs"].written, "https://docs.example.com/mcp?api_key=${DOCS_API_KEY}");
    assert_eq!(config.mcp_servers["local"].written, "./x (with A in its environment)");
    for part in [
        "\"${GITHUB_TOKEN}\"",
        "\"debug\"",
        "\"80\"",
        "\"Bearer ${DOCS_AUTHORIZATION}\"",
        "\"${DOCS_TOKEN}\"",
        "\"${HOME}\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for said in [
        "left out `env.GONE`, `autoApprove`, `secretNote`",
        "left out `envFile`",
        "`empty` was not imported",
        "`github` was not imported: an earlier file",
    ] {
        assert!(done.stderr.contains(said), "{said}: {done:?}");
    }
    for said in [
        "with 5 servers: github, off, docs, local, zed",
        "set GITHUB_TOKEN to the value of `GITHUB_TOKEN` of `github`",
        "set DOCS_AUTHORIZATION",
        "set DOCS_TOKEN: ",
        "next: isobox doctor",
    ] {
        assert!(done.stdout.contains(said), "{said}: {done:?}");
    }
}

#[test]
fn servers_of_codex_are_imported_from_toml() {
    let folder = empty("codex");
    folder.file(
        "config.toml",
        r#"model = "x" # The rest of the file is left alone.
[mcp_servers.files]
command = "npx"
args = ["-y", "files-mcp", "--api-key=hunter2-arg"]
env_vars = ["FILES_ROOT", { name = "FILES_USER", source = "remote" }, "not a name"]
cwd = "work"
tool_timeout_sec = 2.5
startup_timeout_sec = 10
enabled_tools = ["read"]
[mcp_servers.files.env]
GITHUB_TOKEN = "hunter2-env"
LEVEL = "debug"
[mcp_servers.docs]
url = "https://docs.example.com/mcp"
bearer_token_env_var = "DOCS_TOKEN"
http_headers = { "X-Region" = "eu", "X-Api-Key" = "hunter2-header" }
env_http_headers = { "X-Team" = "TEAM", "X-Odd" = "a b" }
enabled = false
"#,
    );
    let done = folder.isobox(&["init", "--import", "config.toml"]);
    assert_eq!(done.status, 0, "{done:?}");
    let text = written(&folder);
    for (place, text) in [("the file", &text), ("stdout", &done.stdout), ("stderr", &done.stderr)] {
        assert!(!text.contains("hunter2"), "{place}: {text}");
    }
    let config = read(&folder);
    assert_eq!(config.disabled_servers, ["docs"]);
    let files = &config.mcp_servers["files"];
    assert_eq!(files.timeout, Some(std::time::Duration::from_millis(2_500)));
    assert_eq!(
        files.written,
        "npx -y files-mcp --api-key=${FILES_API_KEY} (in work, with FILES_ROOT, FILES_USER, GITHUB_TOKEN, LEVEL in its environment)"
    );
    for part in [
        "\"FILES_ROOT\": \"${FILES_ROOT}\"",
        "\"GITHUB_TOKEN\": \"${GITHUB_TOKEN}\"",
        "\"cwd\": \"work\"",
        "\"Authorization\": \"Bearer ${DOCS_TOKEN}\"",
        "\"X-Region\": \"eu\"",
        "\"X-Api-Key\": \"${DOCS_X_API_KEY}\"",
        "\"X-Team\": \"${TEAM}\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for said in ["`env_vars`: `not a name`", "`startup_timeout_sec`", "`enabled_tools`", "`env_http_headers.X-Odd`"] {
        assert!(done.stderr.contains(said), "{said}: {done:?}");
    }
}

#[test]
fn files_that_cannot_be_imported_are_refused_with_the_place_and_nothing_is_written() {
    let folder = empty("refused");
    folder.file("config.toml", "[mcp_servers.x]\ncommand = \"hunter2\" \"y\"\n");
    folder.file("nothing.toml", "model = \"x\"\n");
    folder.file("large.toml", &"#\n".repeat(1 << 20));
    folder.file("broken.json", "{ \"mcpServers\": {\n  \"a\": { \"env\": { \"TOKEN\": \"hunter2\" } \"b\" } }");
    folder.file("nothing.json", r#"{ "editor": "dark" }"#);
    folder.file("large.json", &" ".repeat(2 << 20));
    for (file, expected) in [
        ("config.toml", "config.toml:2:21: this is not TOML: "),
        ("nothing.toml", "nor `mcp_servers` is an object in it"),
        ("large.toml", "large.toml is too large for a list of servers"),
        ("broken.json", "broken.json:2:"),
        ("nothing.json", "has no MCP servers"),
        ("large.json", "larger than"),
        ("gone.json", "cannot read gone.json"),
    ] {
        let done = folder.isobox(&["init", "--import", file]);
        assert_eq!(done.status, 2, "{done:?}");
        assert!(done.stderr.contains(expected) && !done.stderr.contains("hunter2"), "{file}: {done:?}");
        assert!(!folder.0.join("isobox.json").exists(), "{file}");
    }
}

#[test]
fn what_is_added_is_recognised() {
    let folder = empty("recognised");
    folder.file("shop.yaml", DOCUMENT);
    folder.file("server.sh", "#!/bin/sh\n");
    let document = serve(
        "HTTP/1.1 200 OK\r\ncontent-length: 48\r\nconnection: close\r\n\r\n{\"swagger\": \"2.0\", \"info\": {}, \"paths\": {}     }",
    );
    let mcp = serve("HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    let locked = serve("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    let stream = serve("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: endpoint\n");
    for (arguments, said) in [
        (
            &["files", "--", "npx", "-y", "server", "."][..],
            "added the MCP server (a command) `files` to isobox.json\nnext: isobox tools list\n",
        ),
        (&["script", "./server.sh"], "(a command)"),
        (&["shop", "./shop.yaml"], "added the web service (an OpenAPI document) `shop`"),
        (&["swagger", &document], "(an OpenAPI document)"),
        (&["docs", &mcp], "added the MCP server (an address) `docs`"),
        (&["locked", &locked], "next: isobox login locked\n"),
        (&["sse", &stream], "(an address)"),
        (&["said", "--type", "openapi", "https://shop.invalid/api"], "(an OpenAPI document)"),
        (&["told", "https://docs.invalid/mcp", "--type", "mcp", "--header", "X-A: b"], "(an address)"),
    ] {
        let done = folder.isobox(&[&["add"][..], arguments].concat());
        assert_eq!(done.status, 0, "{arguments:?}: {done:?}");
        assert!(done.stdout.contains(said), "{said}: {done:?}");
    }
    let config = read(&folder);
    assert_eq!(config.mcp_servers["files"].written, "npx -y server . (in .)");
    assert_eq!(config.openapi.keys().collect::<Vec<_>>(), ["shop", "swagger", "said"]);
    assert!(written(&folder).contains("// MCP servers"), "it is made as `init` makes it");
    let json: Value = isobox::config::parse_foreign("a".as_ref(), written(&folder).as_bytes()).expect("JSON");
    assert_eq!(json["mcpServers"]["files"], json!({ "command": "npx", "args": ["-y", "server", "."], "cwd": "." }));
    assert_eq!(json["mcpServers"]["told"]["headers"], json!({ "X-A": "b" }));
}

#[test]
fn an_edit_keeps_everything_else_and_secrets_are_not_written() {
    let folder = empty("edit");
    let before = "// mine\n{\n  \"mcpServers\": {\n    \"a\": {\"command\":\"x\"}, // about a\n  },\n  /* limits */ \"limits\": { \"timeout\": \"5s\" },\n}\n";
    folder.file("real.json", before);
    fs::set_permissions(folder.0.join("real.json"), fs::Permissions::from_mode(0o640)).expect("it is ours");
    symlink("real.json", folder.0.join("isobox.json")).expect("a link");
    let add =
        ["add", "b", "--env", "API_KEY=hunter2", "--env", "HOME", "--env", "LEVEL=debug", "--", "y", "--token=hunter2"];
    let done = folder.isobox(&add);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.contains("set API_KEY to the value of `API_KEY` of `b`"), "{done:?}");
    let after = written(&folder);
    assert!(
        !after.contains("hunter2") && after.contains("${API_KEY}") && after.contains("--token=${B_TOKEN}"),
        "{after}"
    );
    let start = after.find("\n    \"b\"").expect("it was added");
    let end = after[start..].find("\n    }").expect("it ends") + start + "\n    }".len();
    let rest = format!("{}{}", &after[..start], after[end..].strip_prefix(',').unwrap_or(&after[end..]));
    assert_eq!(rest, before);
    let file = fs::metadata(folder.0.join("real.json")).expect("it is there");
    assert_eq!(file.permissions().mode() & 0o777, 0o640);
    assert!(folder.0.join("isobox.json").is_symlink(), "the link stays");
    let refused = folder.isobox(&["add", "a", "--", "z"]);
    assert_eq!(refused.status, 2, "{refused:?}");
    assert!(refused.stderr.contains("has `a` already") && refused.stderr.contains("--replace"), "{refused:?}");
    assert_eq!(written(&folder), after);
    let replaced = folder.isobox(&["add", "a", "--replace", "--type", "openapi", "./x.yaml"]);
    assert_eq!(replaced.status, 0, "{replaced:?}");
    let config = read(&folder);
    assert!(config.openapi.contains_key("a") && !config.mcp_servers.contains_key("a"), "{}", written(&folder));
}

#[test]
fn what_cannot_be_added_is_refused_and_the_file_stays() {
    let folder = Folder::with("contact-not-added", "{ }");
    folder.file("broken.yaml", "openapi: 9.9.9\n");
    let page = serve(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 20\r\nconnection: close\r\n\r\n<!doctype html><p>hi",
    );
    for (arguments, expected) in [
        (&["x", "http://127.0.0.1:1/mcp"][..], "--type mcp, --type openapi or --type graphql"),
        (&["x", "https://a.example/${TOKEN}"], "--type mcp, --type openapi or --type graphql"),
        (&["x", &page], "is a page for people"),
        (&["x", &page], "give the address of the document"),
        (&["x", "./broken.yaml"], "version 9.9.9 of OpenAPI is not supported"),
        (&["x", "./gone.yaml"], "there is no such file"),
        (&["x", "npx -y server"], "isobox add x -- npx -y server"),
        (&["x", "--header", "A: b", "--", "y"], "--header is for addresses"),
        (&["x", "--type", "mcp", "--env", "A=b", "https://a.example"], "--env is for commands"),
        (&["x", "--env", "A B", "--", "y"], "`env.A B`"),
        (&["", "--", "y"], "needs a name"),
    ] {
        let done = folder.isobox(&[&["add"][..], arguments].concat());
        assert_eq!(done.status, 2, "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(expected), "{expected}: {done:?}");
        assert_eq!(written(&folder), "{ }", "{arguments:?}");
    }
    folder.file("isobox.json", "{ \"mcpServers\": { \"a\": ");
    let done = folder.isobox(&["add", "x", "--", "y"]);
    assert_eq!(done.status, 2, "{done:?}");
    assert!(done.stderr.contains("isobox.json:1:"), "{done:?}");
}

#[test]
fn a_healthy_setup_is_told_to_people_and_programs() {
    let folder = empty("healthy");
    assert_eq!(folder.isobox(&["add", "fake", "--", "python3", FAKE_SERVER]).status, 0);
    folder.file("shop.yaml", DOCUMENT);
    assert_eq!(folder.isobox(&["add", "shop", "./shop.yaml"]).status, 0);
    let done = folder.isobox(&["doctor", "--trust"]);
    assert_eq!(done.status, 0, "{done:?}");
    for line in [
        "ok      configuration: isobox.json has 1 server, 1 service",
        "ok      sandbox: a program has run (",
        "is created by the first program",
        "ok      service shop: ",
        "ok      server fake: ",
    ] {
        assert!(done.stdout.contains(line), "{line}: {done:?}");
    }
    assert!(done.stdout.contains("everything works"), "{done:?}");
    assert!(!folder.0.join(".isobox").exists(), "a check makes no store");
    let report = folder.isobox(&["doctor", "--trust", "--json"]).json();
    let server = check(&report, "server", "fake");
    assert!(
        server["tools"].as_u64() > Some(0) && server["durationMs"].is_u64() && server["status"] == "ok",
        "{server}"
    );
    assert!(check(&report, "sandbox", "")["durationMs"].is_u64());
    let service = check(&report, "service", "shop");
    assert!(service["durationMs"].is_u64() && service["status"] == "ok", "{service}");
    assert_ne!(report["status"], "failed");
}

#[test]
fn everything_that_fails_is_told_with_what_to_do_and_does_not_hold_up_the_rest() {
    let folder = empty("ill");
    folder.file("bad.yaml", "openapi: 3.0.0\npaths: 7\n");
    let locked = serve("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    let config = json!({
        "mcpServers": {
            "good": { "command": "python3", "args": [FAKE_SERVER] },
            "dead": { "command": "python3", "args": [FAKE_SERVER, "--exit-at-start", "3"] },
            "missing": { "command": "no-such-command-at-all" },
            "silent": { "command": "sleep", "args": ["60"], "timeout": "1s" },
            "unreachable": { "url": "http://127.0.0.1:1/mcp", "timeout": "2s" },
            "locked": { "url": locked, "timeout": "2s" },
        },
        "openapi": { "bad": { "spec": "./bad.yaml" }, "gone": { "spec": "./gone.yaml" } },
        "fetch": { "allow": ["https://api.example.com/v1/"] },
        "policy": [{ "tools": "nothing.*", "deny": true }],
    });
    folder.file("isobox.json", &config.to_string());
    fs::create_dir(folder.0.join(".isobox")).expect("a folder");
    folder.file(
        ".isobox/isobox.db",
        "this is not a database, and long enough to be looked at as one. ".repeat(50).as_str(),
    );
    let done = folder.isobox(&["doctor", "--trust", "--json"]);
    assert_eq!(done.status, 1, "{done:?}");
    let report = done.json();
    assert_eq!(report["status"], "failed");
    for (kind, name, message, hint) in [
        ("server", "dead", "ended (exit status: 3) before it was ready", "run the command in a terminal"),
        ("server", "missing", "the command was not found", "install it"),
        ("server", "silent", "was not ready within 1s", "raise its time-out"),
        ("server", "unreachable", "127.0.0.1:1", "check the `url`"),
        ("service", "bad", "`paths` has to be an object", "openapi.bad"),
        ("service", "gone", "there is no such file", "openapi.gone"),
        ("store", "", "isobox.db: other users may read or change it; run `chmod 600", ""),
    ] {
        let check = check(&report, kind, name);
        assert_eq!(check["status"], "failed", "{check}");
        assert!(check["message"].as_str().expect("a text").contains(message), "{message}: {check}");
        assert!(check["hint"].as_str().unwrap_or_default().contains(hint), "{hint}: {check}");
    }
    assert_eq!(check(&report, "server", "locked")["status"], "failed");
    assert_eq!(check(&report, "server", "good")["status"], "ok");
    assert_eq!(
        check(&report, "fetch", "")["message"],
        "programs may request https://api.example.com/v1/ with GET, HEAD"
    );
    let warning = check(&report, "tools", "");
    assert_eq!(warning["status"], "warning", "{warning}");
}

#[test]
fn a_configuration_that_cannot_be_used_is_a_failed_check() {
    let folder = Folder::with(
        "contact-unusable",
        r#"{ "mcpServers": { "a": { "command": "touch", "args": ["trace", "${NOT_SET_AT_ALL}"] } }, "limts": {} }"#,
    );
    let report = folder.isobox(&["doctor", "--json"]);
    assert_eq!(report.status, 1, "{report:?}");
    let report = report.json();
    assert!(
        check(&report, "environment", "")["message"].as_str().expect("a text").contains("NOT_SET_AT_ALL"),
        "{report}"
    );
    let problems = report["checks"].as_array().expect("a list").iter().filter(|one| one["kind"] == "configuration");
    assert_eq!(problems.count(), 2, "{report}");
    assert_eq!(check(&report, "sandbox", "")["status"], "ok", "what can be checked is checked");
    folder.file("isobox.json", r#"{ "mcpServers": { "a": { "command": "touch", "args": ["trace"] } } }"#);
    let untrusted = folder.isobox(&["doctor"]);
    assert_eq!(untrusted.status, 1, "{untrusted:?}");
    assert!(untrusted.stdout.contains("failed  trust: ") && untrusted.stdout.contains("--trust"), "{untrusted:?}");
    assert!(!folder.0.join("trace").exists(), "nothing was started");
    assert_eq!(folder.isobox(&["doctor", "--config", "gone.json"]).status, 1);
}

#[test]
fn warnings_alone_are_not_a_failure_and_files_that_others_may_change_are() {
    let folder = empty("warnings");
    let done = folder.isobox(&["doctor"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(
        done.stdout
            .contains("warning configuration: there is no isobox.json in this folder\n  hint: run `isobox init`"),
        "{done:?}"
    );
    assert!(done.stdout.contains("ok      store: none") && done.stdout.contains("with 1 warning"), "{done:?}");
    let state = folder.0.join("state/isobox");
    fs::create_dir_all(&state).expect("a folder");
    fs::set_permissions(&state, fs::Permissions::from_mode(0o777)).expect("it is ours");
    let done = folder.isobox(&["doctor"]);
    assert_eq!(done.status, 1, "{done:?}");
    assert!(done.stdout.contains("failed  state: ") && done.stdout.contains("chmod go-w"), "{done:?}");
}

#[test]
fn checks_can_be_interrupted() {
    let folder = Folder::with(
        "contact-interrupted",
        r#"{ "mcpServers": { "silent": { "command": "sleep", "args": ["60"] } } }"#,
    );
    let mut command = folder.command(&["doctor", "--trust"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(2));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    let done = Done::of(&child.wait_with_output().expect("it ends"));
    assert_eq!(done.status, 130, "{done:?}");
}
