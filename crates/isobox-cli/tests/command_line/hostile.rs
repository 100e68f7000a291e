//! A server that puts line breaks and invisible characters into everything that it may choose.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Speaks just enough of the protocol. Every `~` in what it says is a line break, or something else that ends or hides a line.
const SERVER: &str = r##"
import json, os, sys
def evil(value):
    text = json.dumps(value).replace("~", sys.argv[1])
    return json.loads(text, strict=False)
sys.stderr.write("starting\nFORGED last words\n")
TOOLS = [
    { "name": "send~FORGED", "description": "Sends.~FORGED\n\nmore~FORGED",
      "inputSchema": { "type": "object", "properties": { "to": { "$ref": "http://x/~FORGED" }, "a~FORGED": { "description": "d~FORGED" } } } },
    { "name": "check", "title": "t~FORGED", "description": "Checks.~FORGED",
      "inputSchema": { "type": "object", "properties": { "to": { "pattern": "(?=~FORGED)" } }, "additionalProperties": False } },
    { "name": "check", "inputSchema": { "type": "object" } },
    { "name": "environment", "inputSchema": { "type": "object" } },
]
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method, params = message["method"], message.get("params") or {}
    def send(body):
        sys.stdout.write(json.dumps({ "jsonrpc": "2.0", **body }) + "\n")
        sys.stdout.flush()
    if method == "initialize":
        result = evil({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "instructions": "Use it.~FORGED",
                        "serverInfo": { "name": "n~FORGED", "version": "1~FORGED" } })
    elif method == "tools/list":
        result = { "tools": [evil(tool) for tool in TOOLS] }
    elif method == "tools/call" and params["name"] == "environment":
        result = { "structuredContent": sorted(os.environ), "content": [] }
    elif method == "tools/call":
        token = (params.get("_meta") or {}).get("progressToken")
        send({ "method": "notifications/progress", "params": evil({ "progressToken": token, "progress": 1, "message": "half~FORGED" }) })
        result = evil({ "isError": True, "content": [{ "type": "text", "text": "no~FORGED" }] })
    else:
        send({ "id": message["id"], "error": { "code": -32601, "message": evil("what?~FORGED") } })
        continue
    send({ "id": message["id"], "result": result })
"##;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, breaks: &str) -> Self {
        let path = std::env::temp_dir().join(format!("isobox-hostile-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        let server = json!({ "command": "python3", "args": ["-c", SERVER, breaks] });
        let config = json!({ "mcpServers": { "evil": server }, "store": "none" });
        std::fs::write(path.join("isobox.json"), config.to_string()).expect("written");
        Self(path)
    }

    /// All that is printed, and what is the result of it.
    fn isobox(&self, arguments: &[&str]) -> (String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobox"));
        command
            .args(arguments)
            .args(["--config", "isobox.json"])
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .env("NO_COLOR", "1");
        command.env("ISOBOX_DECIDE_KEY_FILE", self.0.join("decide.key")).env("XDG_STATE_HOME", &self.0);
        let output = command.output().expect("the binary starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
        (text(output.stderr), text(output.stdout))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[test]
fn nothing_that_a_server_says_begins_a_line_or_hides_in_one() {
    for (name, breaks) in
        [("lf", "\\n"), ("cr", "\\r"), ("ls", "\\u2028"), ("nel", "\\u0085"), ("zw", "\\u200b\\u202e")]
    {
        let folder = Folder::new(name, breaks);
        let program = "const said = []; for (const name of ['send_FORGED', 'check']) \
                       try { await tools.evil[name]({}) } catch (error) { console.log(error.message) }
                       await tools.evil.check({ x: 1 })";
        std::fs::write(folder.0.join("program.ts"), program).expect("written");
        for arguments in [
            &["tools", "list"][..],
            &["tools", "search", "sends"],
            &["tools", "describe", "evil"],
            &["tools", "describe", "evil.check"],
            &["tools", "types"],
            &["tools", "call", "evil.check"],
            &["tools", "call", "evil.check", r#"{"b\nFORGED":1}"#],
            &["tools", "call", "evil.no\nFORGED"],
            &["run", "program.ts"],
        ] {
            let (told, result) = folder.isobox(arguments);
            let printed = format!("{told}{result}");
            assert!(printed.contains("FORGED"), "{arguments:?}: {printed}");
            for line in printed.split(['\n', '\r', '\u{2028}', '\u{85}']) {
                assert!(!line.trim_start().starts_with("FORGED"), "{name}, {arguments:?}:\n{printed}");
            }
            assert!(!printed.contains(['\r', '\u{2028}', '\u{85}', '\u{200b}', '\u{202e}']), "{name}, {arguments:?}");
        }
    }
}

#[test]
fn a_server_learns_nothing_of_the_credential_for_deciding() {
    let folder = Folder::new("environment", "\\n");
    let (_, result) = folder.isobox(&["tools", "call", "evil.environment"]);
    let variables: Vec<String> = serde_json::from_str(&result).expect("a list");
    assert!(variables.iter().any(|name| name == "PATH"), "{variables:?}");
    let reveals = |name: &String| name.starts_with("ISOBOX") || name.starts_with("XDG");
    assert!(!variables.iter().any(reveals), "{variables:?}");
    assert!(!folder.0.join("decide.key").exists(), "it was not needed");
    let _: Value = serde_json::from_str(&folder.isobox(&["tools", "list", "--json"]).1).expect("JSON");
}
