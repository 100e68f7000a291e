//! `isobox doctor`: what it says about variables that are not set, about logins, and at a terminal.

use serde_json::json;

use crate::contact::{FAKE_SERVER, check, empty, serve};
use crate::executions::{Done, terminal};

#[test]
fn a_variable_that_is_not_set_hides_no_other_server() {
    let folder = empty("variables");
    let config = json!({
        "mcpServers": {
            "good": { "command": "python3", "args": [FAKE_SERVER] },
            "needy": { "command": "touch", "args": ["trace"], "env": { "A": "${NOT_SET_A}", "B": "x-${NOT_SET_B}" } },
            "remote": { "url": "https://${NOT_SET_B}/mcp" },
        },
        "openapi": { "shop": { "spec": "./gone.yaml", "auth": { "bearer": "${NOT_SET_A}" } }, "other": { "spec": "./gone.yaml" } },
        "fetch": { "allow": ["https://api.example.com/"], "secrets": { "a": { "origin": "https://api.example.com", "value": "${NOT_SET_A}" } } },
        "store": "sqlite:${NOT_SET_A}/isobox.db",
    });
    folder.file("isobox.json", &config.to_string());
    let done = folder.isobox(&["doctor", "--trust", "--json"]);
    assert_eq!(done.status, 1, "{done:?}");
    let report = done.json();
    assert_eq!(check(&report, "server", "good")["status"], "ok", "{report:#}");
    for (kind, name, message) in [
        ("server", "needy", "it was not checked: it needs NOT_SET_A, NOT_SET_B"),
        ("server", "remote", "it was not checked: it needs NOT_SET_B"),
        ("service", "shop", "it was not checked: it needs NOT_SET_A"),
        ("fetch", "", "it was not checked: it needs NOT_SET_A"),
        ("store", "", "it was not checked: it needs NOT_SET_A"),
    ] {
        let found = check(&report, kind, name);
        assert_eq!((&found["status"], &found["message"]), (&json!("failed"), &json!(message)), "{kind} {name}");
    }
    let other = check(&report, "service", "other");
    assert!(other["message"].as_str().expect("a text").contains("there is no such file"), "{other}");
    assert_eq!(check(&report, "environment", "")["status"], "failed");
    assert!(!folder.0.join("trace").exists(), "nothing is started without its variables");
}

#[test]
fn a_server_that_needs_a_login_is_told_with_the_command() {
    let folder = empty("login");
    let locked = serve("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    folder.file("isobox.json", &json!({ "mcpServers": { "locked": { "url": locked, "timeout": "2s" } } }).to_string());
    let done = folder.isobox(&["doctor", "--trust"]);
    assert_eq!(done.status, 1, "{done:?}");
    let told = done.stdout.lines().skip_while(|line| !line.starts_with("failed  server locked: ")).take(2);
    let told: Vec<&str> = told.collect();
    assert!(told[0].contains("needs a login"), "{done:?}");
    assert_eq!(told[1], "  hint: run `isobox login locked`", "{done:?}");
}

#[test]
fn at_a_terminal_each_check_has_a_mark() {
    let folder = empty("marks");
    folder.file("bad.yaml", "openapi: 3.0.0\npaths: 7\n");
    folder.file("isobox.json", &json!({ "openapi": { "bad": { "spec": "./bad.yaml" } } }).to_string());
    let mut command = terminal(&folder, &["doctor", "--trust"], &[]);
    command.env_remove("NO_COLOR").env("XDG_STATE_HOME", folder.0.join("state"));
    let done = Done::of(&command.output().expect("it starts"));
    let shown = &done.stdout;
    for part in [
        "✓",
        " configuration: isobox.json has 1 service",
        " sandbox: a program has run",
        "✗",
        " service bad: ",
        "hint: correct `openapi.bad`",
        "1 problem",
    ] {
        assert!(shown.contains(part), "{part}: {done:?}");
    }
    assert!(!shown.contains("ok      ") && !shown.contains("failed  "), "{done:?}");
}
