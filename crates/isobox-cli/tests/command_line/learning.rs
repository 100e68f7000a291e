//! `isobox tools learn` and `forget`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const FAKE_SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isobox-connect/tests/mcp/fake_server.py");

/// A folder with a configuration of a server whose tools do not say what they return.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, more: &Value) -> Self {
        let folder = std::env::temp_dir().join(format!("isobox-learn-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let read_only = json!({ "readOnlyHint": true });
        let tools = json!([
            { "name": "echo", "inputSchema": { "type": "object" }, "annotations": read_only },
            { "name": "raw", "inputSchema": { "type": "object" } },
        ]);
        std::fs::write(folder.join("tools.json"), tools.to_string()).expect("written");
        let args = [FAKE_SERVER, "--tools", "tools.json"];
        let server = json!({ "command": "python3", "args": args, "cwd": folder, "trusted": true });
        let mut config = json!({ "mcpServers": { "fake": server } });
        config.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        std::fs::write(folder.join("isobox.json"), config.to_string()).expect("written");
        Self(folder)
    }

    fn isobox(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobox"));
        command.args(arguments).arg("--trust").current_dir(&self.0).stdin(Stdio::null());
        command.env("XDG_STATE_HOME", self.0.join("state"));
        let output = command.output().expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("it is text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("removed");
    }
}

#[test]
fn read_only_tools_are_called_and_the_types_of_their_results_are_kept() {
    let folder = Folder::new("keeps", &json!({}));
    let types = || folder.isobox(&["tools", "types", "fake.echo"]).1;
    assert!(types().contains("Promise<unknown>"), "{}", types());
    let (status, printed, said) =
        folder.isobox(&["tools", "learn", "fake.echo", "--input", r#"{"a":1}"#, "--input", r#"{"a":"x","b":[true]}"#]);
    assert_eq!(status, Some(0), "{said}");
    let expected = "Promise</* observed */ { a: string | number; b?: boolean[] }>";
    assert!(printed.contains(expected) && printed.contains("Observed in at least 2 results"), "{printed}");
    assert_eq!(types(), printed);
    let found = folder.isobox(&["tools", "search", "--json", "fake", "echo"]).1;
    assert!(found.contains("/* observed */"), "{found}");

    std::fs::write(folder.0.join("inputs.json"), r#"{ "fake.echo": [{ "c": null }, { "a": 2 }] }"#).expect("written");
    let (status, printed, said) = folder.isobox(&["tools", "learn", "--json", "--inputs", "inputs.json"]);
    assert_eq!(status, Some(0), "{said}");
    let answer: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!((&answer["learned"][0]["path"], &answer["failed"]), (&json!("fake.echo"), &json!([])));
    assert!(answer["learned"][0]["types"].as_str().is_some_and(|types| types.contains("a?: string | number")));

    assert_eq!(folder.isobox(&["tools", "forget", "fake.echo"]), (Some(0), String::new(), String::new()));
    assert!(types().contains("Promise<unknown>"), "{}", types());
    let (status, _, said) = folder.isobox(&["tools", "forget", "fake.echo"]);
    assert_eq!((status, said.as_str()), (Some(1), "nothing was learned about `fake.echo`\n"));
}

#[test]
fn what_a_program_sees_is_kept_for_the_next_process() {
    let folder = Folder::new("runs", &json!({}));
    std::fs::write(folder.0.join("a.ts"), "return tools.fake.raw({ result: { structuredContent: { id: 1 } } })")
        .expect("written");
    let (status, _, said) = folder.isobox(&["run", "a.ts"]);
    assert_eq!(status, Some(0), "{said}");
    let types = folder.isobox(&["tools", "types", "fake.raw"]).1;
    assert!(types.contains("Promise</* observed */ { id: number }>"), "{types}");
}

#[test]
fn other_calls_are_refused_before_any_is_made() {
    let policy = json!([{ "tools": "fake.echo", "require": "approval" }]);
    for (name, more, arguments, expected) in [
        ("writes", json!({}), &["fake.echo", "fake.raw"][..], "`fake.raw` is not called to learn from it"),
        ("asks", json!({ "policy": policy }), &["fake.echo"], "because it needs approval"),
        ("off", json!({ "experience": { "enabled": false } }), &["fake.echo"], "`experience.enabled` is false"),
        ("nowhere", json!({ "store": "none" }), &["fake.echo"], "there is no store to keep what is learned"),
        ("unknown", json!({}), &["fake.ecko"], "did you mean `fake.echo`"),
        ("no-json", json!({}), &["fake.echo", "--input", "{"], "--input is not JSON"),
        ("no-file", json!({}), &["--inputs", "no-such-file"], "cannot read no-such-file"),
        ("no-path", json!({}), &[], "required"),
    ] {
        let folder = Folder::new(name, &more);
        let (status, _, said) = folder.isobox(&[&["tools", "learn"], arguments].concat());
        assert!(status != Some(0) && said.contains(expected), "{name}: {status:?} {said}");
        let (_, types, _) = folder.isobox(&["tools", "types", "fake"]);
        assert!(!types.contains("observed"), "{name}: {types}");
    }
    let allowed = Folder::new("allowed", &json!({ "experience": { "readOnly": ["fake.raw"] } }));
    let input = r#"{"result":{"structuredContent":{"id":1}}}"#;
    let (status, printed, said) = allowed.isobox(&["tools", "learn", "fake.raw", "--input", input]);
    assert!(status == Some(0) && printed.contains("{ id: number }"), "{said}");
    let (status, _, said) = allowed.isobox(&["tools", "learn", "fake.raw", "--input", "{}"]);
    assert_eq!(status, Some(1), "{said}");
}
