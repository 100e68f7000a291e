//! What the commands print for programs: JSON, whatever happens; and for people: conditions, and what is down.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::contact::{FAKE_SERVER, empty};
use crate::executions::{Done, Folder, ONE};

#[test]
fn arguments_that_are_wrong_are_an_error_in_json_too() {
    let folder = empty("usage");
    for (arguments, message) in [
        (&["run", "--json", "--no-such-flag"][..], "unexpected argument '--no-such-flag' found"),
        (&["runn", "--json"], "unrecognized subcommand 'runn'"),
        (&["tools", "list", "--json", "--limit"], "unexpected argument '--limit' found"),
        (&["run", "--seed", "x", "--json"], "invalid value 'x' for '--seed <NUMBER>': invalid digit found in string"),
    ] {
        let done = folder.isobox(arguments);
        assert_eq!((done.status, done.stderr.as_str()), (2, ""), "{done:?}");
        let error = &done.json()["error"];
        assert_eq!((&error["code"], &error["message"]), (&json!("CONFIG"), &json!(message)), "{done:?}");
    }
    let text = folder.isobox(&["runn", "--", "--json"]);
    assert!(text.status == 2 && text.stdout.is_empty() && text.stderr.contains("Usage:"), "{text:?}");
    assert!(folder.isobox(&["run", "--json", "--help"]).stdout.contains("Usage: isobox run"));
}

#[test]
fn the_commands_that_set_up_a_configuration_answer_in_json() {
    let folder = empty("set-up");
    let made = folder.isobox(&["init", "--json"]);
    assert_eq!(made.status, 0, "{made:?}");
    assert_eq!((&made.json()["file"], &made.json()["servers"]), (&json!("isobox.json"), &json!([])), "{made:?}");
    let again = folder.isobox(&["init", "--json"]);
    assert_eq!((again.status, &again.json()["error"]["code"]), (2, &json!("CONFIG")), "{again:?}");
    let added =
        folder.isobox(&["add", "files", "--json", "--env", "TOKEN=sk-0123456789abcdef0123456789", "--", "npx", "x"]);
    assert_eq!((added.status, &added.json()["name"]), (0, &json!("files")), "{added:?}");
    assert_eq!(added.json()["next"], "isobox tools list", "{added:?}");
    assert!(added.json()["toDo"][0].as_str().is_some_and(|to_do| to_do.starts_with("set ")), "{added:?}");
    let out = folder.isobox(&["logout", "nothing", "--json", "--trust"]);
    assert_eq!((out.status, &out.json()["error"]["code"]), (2, &json!("CONFIG")), "{out:?}");
}

#[test]
fn every_command_fails_in_json_where_its_configuration_is_missing() {
    let folder = empty("json-everywhere");
    folder.file("program.ts", "return 1");
    let commands = [
        "run program.ts",
        "run --plan program.ts",
        "run --stateless program.ts",
        "tools list",
        "tools search mail",
        "tools describe mail",
        "tools types",
        "tools learn mail.list",
        "tools forget mail.list",
        "tools call mail.list {}",
        "executions list",
        "executions pending",
        "executions decide",
        "executions show last",
        "executions approve 1 --all --revision 1",
        "executions deny 1 0",
        "executions resolve 1 0 null",
        "executions reject 1",
        "executions cancel 1",
        "executions wake",
        "executions resume 1",
        "executions rollback 1",
        "executions export 1",
        "executions replay 1",
        "executions fork 1 --before 0",
        "executions restored",
        "executions delete 1",
        "executions prune",
        "executions expire",
        "sessions list",
        "sessions show work",
        "sessions fork work other",
        "sessions rewind work 1",
        "sessions delete work",
        "snippets list",
        "snippets show sum",
        "snippets save sum --from 1",
        "snippets delete sum",
        "snippets run sum",
        "snippets test sum",
        "login docs",
        "logout docs",
    ];
    for command in commands {
        let all = format!("{command} --json --config no-such-file.json");
        let done = folder.isobox(&all.split(' ').collect::<Vec<_>>());
        let error = &done.json()["error"];
        assert_eq!((done.status, &error["code"], done.stderr.as_str()), (2, &json!("CONFIG"), ""), "{command}");
        assert!(error.to_string().contains("no-such-file.json"), "{command}: {error}");
    }
    let checked = folder.isobox(&["doctor", "--json", "--config", "no-such-file.json"]);
    assert_eq!((checked.status, &checked.json()["status"]), (1, &json!("failed")), "{checked:?}");
}

#[test]
fn no_tools_have_a_reason() {
    let folder = empty("no-tools");
    let listed = folder.isobox(&["tools", "list", "--json"]);
    let why = "there are no tools: add MCP servers under `mcpServers` in isobox.json, or try --demo";
    assert_eq!((listed.status, &listed.json()["warnings"]), (1, &json!([why])), "{listed:?}");
    let typed = folder.isobox(&["tools", "types"]);
    assert_eq!((typed.status, typed.stdout.as_str()), (1, ""), "{typed:?}");
    folder.file("isobox.json", r#"{ "mcpServers": { "down": { "command": "false" } } }"#);
    let typed = folder.isobox(&["tools", "types", "--trust"]);
    assert_eq!((typed.status, typed.stdout.as_str()), (1, ""), "{typed:?}");
    assert!(typed.stderr.contains("no tools are available, because servers have not started"), "{typed:?}");
    let typed = folder.isobox(&["tools", "types", "--json", "--trust"]);
    assert_eq!((typed.status, typed.json()["problems"].as_array().map(Vec::len)), (1, Some(1)), "{typed:?}");
    let described = folder.isobox(&["tools", "describe", "down", "--trust"]);
    assert!(described.status == 4 && described.stderr.contains("its server `down` has not started"), "{described:?}");
    let searched = folder.isobox(&["tools", "search", "anything", "--trust"]);
    assert!(searched.status == 1 && searched.stderr.contains("servers have not started"), "{searched:?}");
    assert!(!searched.stderr.contains("use other words"), "{searched:?}");
    let searched = folder.isobox(&["tools", "search", "anything", "--json", "--trust"]);
    let down = "the server `down` has not started: its tools are not available now";
    assert_eq!((searched.status, &searched.json()["problem"]), (1, &json!(down)), "{searched:?}");
    let demo = folder.isobox(&["tools", "types", "mail", "--demo", "--json", "--trust"]);
    assert!(demo.json()["types"].as_str().is_some_and(|types| types.contains("send(")), "{demo:?}");
}

#[test]
fn conditions_are_shown_wherever_tools_are() {
    let when = r#"{ "properties": { "city": { "const": "Oslo" } }, "required": ["city"] }"#;
    let config = format!(
        r#"{{ "policy": [{{ "tools": "weather.*", "when": {when}, "allow": true }}, {{ "tools": "weather.*", "deny": true }},
                         {{ "tools": "cities.*", "when": {when}, "require": "approval" }}] }}"#
    );
    let folder = Folder::with("conditions", &config);
    let [allowed, asked] = ["Allowed", "Needs approval by a person"].map(|what| {
        format!(r#"{what} if the input fits {{"properties":{{"city":{{"const":"Oslo"}}}},"required":["city"]}}."#)
    });
    let (weather, cities) = (format!("  {allowed} Denied otherwise."), format!("  {asked} Allowed otherwise."));
    let listed = folder.isobox(&["tools", "list", "--demo"]).stdout;
    let below = |start: &str| {
        let mut lines = listed.lines().skip_while(|line| !line.starts_with(start));
        lines.next().zip(lines.next()).unwrap_or_default()
    };
    let (row, note) = below("weather.current");
    assert!(row.contains("  may deny  ") && note == weather, "{listed}");
    let (row, note) = below("cities.list");
    assert!(row.contains("  may ask   ") && note == cities, "{listed}");
    assert!(!below("mail.send").0.contains("may"), "{listed}");
    let found = folder.isobox(&["tools", "search", "--demo", "weather", "of", "a", "city"]).stdout;
    assert!(found.contains("  may deny  ") && found.contains(&weather), "{found}");
    let types = folder.isobox(&["tools", "types", "--demo"]).stdout;
    assert!(types.contains(&allowed) && types.contains("Denied otherwise.") && types.contains(&asked), "{types}");
    let found = folder.isobox(&["tools", "search", "--demo", "--json", "--limit", "1", "weather", "now"]).json();
    assert_eq!(found["results"][0]["conditions"], json!([allowed, "Denied otherwise."]), "{found}");
}

#[test]
fn an_interrupt_while_servers_start_is_an_error_in_json() {
    let folder = empty("interrupted");
    let journal = folder.0.join("journal");
    let server = json!({ "command": "python3", "args": [FAKE_SERVER, "--silent", "--journal", journal] });
    folder.file("isobox.json", &json!({ "mcpServers": { "silent": server } }).to_string());
    folder.file("program.ts", "return 1");
    for arguments in [&["run", "--json", "--trust", "program.ts"][..], &["tools", "list", "--json", "--trust"]] {
        drop(std::fs::remove_file(&journal));
        let mut command = folder.command(arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        // The signal handler is there before a server starts.
        let is_started = || {
            std::thread::sleep(Duration::from_millis(50));
            journal.exists()
        };
        assert!((0..600).any(|_| is_started()), "the server starts");
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
        let done = Done::of(&child.wait_with_output().expect("it ends"));
        assert_eq!(done.status, 130, "{done:?}");
        assert_eq!(done.json()["error"]["code"], "ABORTED", "{done:?}");
    }
}

#[test]
fn what_is_stored_has_its_numbers_as_javascript_reads_them() {
    let config =
        r#"{ "store": "sqlite:.isobox/isobox.db", "limits": { "timeout": "7s", "cpu": "3s", "settle": "1s" } }"#;
    let folder = Folder::with("numbers", config);
    folder.file("program.ts", "return [await tools.demo.echo(1), Math.random()]");
    let seed = u64::MAX.to_string();
    let ran = folder.isobox(&["run", "--demo", "--json", "--seed", &seed, "program.ts"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let id = ran.json()["executionId"].as_str().expect("an id").to_owned();
    let shown = folder.isobox(&["executions", "show", &id, "--json"]).json();
    assert_eq!(shown["seed"], seed, "{shown}");
    let limits = ["timeoutMs", "cpuMs", "settleMs"].map(|key| &shown["limits"][key]);
    assert_eq!(limits, [&json!(7000), &json!(3000), &json!(1000)], "{shown}");
    let entries = shown["entries"].as_array().expect("a list");
    let of = |kind: &str| entries.iter().find_map(|entry| entry.get(kind)).unwrap_or_else(|| panic!("{kind}: {shown}"));
    assert!(of("step")["used"]["wallMs"].is_u64() && of("step")["used"]["cpuMs"].is_f64(), "{shown}");
    assert!(of("settled")["durationMs"].is_u64() && of("ended")["durationMs"].is_u64(), "{shown}");
    let listed = folder.listed();
    assert_eq!((&listed[0]["executionId"], &listed[0]["id"]), (&json!(id), &json!(id)));
    let exported = folder.isobox(&["executions", "export", &id, "--json"]);
    assert_eq!(exported.json()["beginning"]["seed"], seed, "{exported:?}");
    for transcript in [exported.json(), numbered(exported.json())] {
        folder.file("transcript.json", &transcript.to_string());
        let replayed = folder.isobox(&["executions", "replay", "transcript.json", "--json"]);
        assert_eq!(replayed.status, 0, "{replayed:?}");
    }
}

/// Returns a transcript as earlier versions wrote it.
fn numbered(mut transcript: Value) -> Value {
    transcript["beginning"]["seed"] = json!(u64::MAX);
    transcript
}

#[test]
fn positions_of_stored_and_planned_programs_name_the_file() {
    let folder = Folder::new("files");
    let id = folder.pause(ONE);
    let shown = folder.isobox(&["executions", "show", &id, "--json"]).json();
    assert_eq!(shown["outcome"]["pending"][0]["at"]["file"], "program.ts", "{shown}");
    let pending = folder.isobox(&["executions", "pending", "--json"]).json();
    assert_eq!(pending["pending"][0]["at"]["file"], "program.ts", "{pending}");
    let stopped = folder.isobox(&["executions", "replay", &id, "--until", "0", "--json"]).json();
    assert_eq!(stopped["open"][0]["at"]["file"], "program.ts", "{stopped}");
    folder.file("fails.ts", "await tools.demo.echo(1);\nthrow new Error('no')");
    let failed = folder.isobox(&["run", "--demo", "--json", "fails.ts"]).json();
    let id = failed["executionId"].as_str().expect("an id").to_owned();
    for outcome in [
        failed,
        folder.isobox(&["executions", "show", &id, "--json"]).json()["outcome"].clone(),
        folder.isobox(&["executions", "replay", &id, "--json"]).json()["outcome"].clone(),
        folder.isobox(&["run", "--demo", "--plan", "--json", "fails.ts"]).json(),
    ] {
        assert_eq!(
            (&outcome["error"]["line"], &outcome["error"]["details"]["file"]),
            (&json!(2), &json!("fails.ts")),
            "{outcome}"
        );
    }
}
