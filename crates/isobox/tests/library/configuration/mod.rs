//! Valid configurations, and the errors for invalid ones.

mod documents;
mod messages;
mod properties;
mod secrets;
mod store;

use std::path::{Path, PathBuf};
use std::time::Duration;

use isobox::calls::CallDetails;
use isobox::config::{Config, ConfigError, McpServerConfig};
use isobox::connector::{ClientGrant, McpServer, McpTarget, McpTransport};
use isobox::limits::InFlightExcess;
use isobox::policy::OwnDecisions;
use isobox::policy::{Action, Rule};
use isobox::text::{AnswerOptions, CallSummary};
use isobox::tools::{Defaults, OutputChecks, Validation};
use isobox::{ByteSize, Code, Failure, Limits, json};

const SECRET: &str = "s3cr3t-value";

fn environment(name: &str) -> Option<String> {
    match name {
        "TOKEN" => Some(SECRET.to_owned()),
        "EMPTY" => Some(String::new()),
        _ => None,
    }
}

fn parse(text: &str) -> Config {
    Config::parse(text, &environment).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn error(text: &str) -> ConfigError {
    match Config::parse(text, &environment) {
        Ok(config) => panic!("{text}\n{config:?}"),
        Err(error) => error,
    }
}

#[test]
fn the_least_configuration_is_an_empty_object() {
    let config = parse("\u{feff}// nothing\n{}\r\n");
    assert!(config.mcp_servers.is_empty() && config.policy.rules().is_empty() && config.tools.is_empty());
    assert_eq!(config.limits, Limits::default());
}

#[test]
fn servers_keep_the_order_of_the_file() {
    let config =
        parse(r#"{ "mcpServers": { "z": { "command": "z" }, "a": { "command": "a" }, "m": { "command": "m" } } }"#);
    assert_eq!(config.mcp_servers.keys().collect::<Vec<_>>(), ["z", "a", "m"]);
}

#[test]
fn servers_are_read_as_other_clients_write_them() {
    let config = parse(
        r#"{
  // started first
  "mcpServers": {
    "github": {
      "type": "stdio", "command": "github-mcp", "args": ["--read-only", "$${HOME}"],
      "env": { "TOKEN": "Bearer ${TOKEN}", "NONE": "${EMPTY}" }, "cwd": "work", "trusted": true,
      "hint": "Issues and code.", "timeout": "90s", "autoApprove": ["list"],
    },
    "plain": { "command": "plain-mcp", "disabled": false },
    "off": { "url": "${NOWHERE}", "disabled": true, "whatever": 1 }, /* kept for later */
  },
}"#,
    );
    let github = &config.mcp_servers["github"];
    let command = command_of(github);
    assert_eq!(command.command, "github-mcp");
    assert_eq!(command.args, ["--read-only", "${HOME}"]);
    assert_eq!(command.env["TOKEN"], format!("Bearer {SECRET}"));
    assert_eq!(command.env["NONE"], "");
    assert_eq!(command.cwd.as_deref(), Some(Path::new("work")));
    assert_eq!((github.trusted, github.hint.as_str()), (true, "Issues and code."));
    assert_eq!(github.timeout, Some(Duration::from_secs(90)));
    assert_eq!(command.secrets, [SECRET, ""]);
    let plain = &config.mcp_servers["plain"];
    assert_eq!((plain.trusted, plain.timeout), (false, None));
    assert_eq!((command_of(plain).args.len(), command_of(plain).secrets.len()), (0, 0));
    assert_eq!(config.mcp_servers.len(), 2);
    assert_eq!(config.disabled_servers, ["off"]);
    assert_eq!(
        config.warnings,
        ["7:68: the server `github`: `autoApprove` has no effect here; say in `policy` what needs no approval"]
    );
}

fn command_of(server: &McpServerConfig) -> &McpServer {
    match &server.target {
        McpTarget::Child(command) => command,
        McpTarget::Remote(remote) => panic!("{remote:?} is not a command"),
    }
}

#[test]
fn remote_servers_are_read_with_their_credentials() {
    let config = parse(
        r#"{ "mcpServers": {
  "docs": { "url": "https://docs.example.com/mcp?key=${TOKEN}", "headers": { "Authorization": "Bearer ${TOKEN}" },
            "timeout": "5s", "resetTimeoutOnProgress": true },
  "old": { "type": "sse", "url": "http://localhost:1234/sse", "roots": ["src", "https://a.example/"],
           "oauth": { "grant": "client_credentials", "clientId": "id", "clientSecret": "s", "issuer": "https://as.example",
           "scopes": ["a"], "redirectPort": 7421 } },
} }"#,
    );
    let McpTarget::Remote(docs) = &config.mcp_servers["docs"].target else { panic!("{config:?}") };
    assert_eq!(docs.url, format!("https://docs.example.com/mcp?key={SECRET}"));
    assert_eq!(docs.headers["Authorization"], format!("Bearer {SECRET}"));
    assert_eq!(docs.secrets, [SECRET, SECRET]);
    assert!(config.mcp_servers["docs"].reset_timeout_on_progress);
    let McpTarget::Remote(old) = &config.mcp_servers["old"].target else { panic!("{config:?}") };
    assert_eq!(old.transport, McpTransport::Sse);
    assert_eq!((old.oauth.client_id.as_deref(), old.oauth.redirect_port), (Some("id"), Some(7421)));
    assert_eq!((old.oauth.issuer.as_deref(), docs.oauth.issuer.as_deref()), (Some("https://as.example"), None));
    let (by_client, by_person) = (ClientGrant::ClientCredentials, ClientGrant::AuthorizationCode);
    assert_eq!((old.oauth.grant, docs.oauth.grant), (by_client, by_person));
    assert_eq!(config.mcp_servers["old"].roots, ["src", "https://a.example/"]);
    assert!(!format!("{config:?}").contains(SECRET));
    let services = [("docs", "https://docs.example.com/mcp?key=${TOKEN}"), ("old", "http://localhost:1234/sse")];
    assert_eq!(config.reach.services, services.map(|(name, written)| (name.to_owned(), written.to_owned())));
    assert!(config.reach.commands.is_empty());
}

#[test]
fn rules_are_read_in_order_with_the_action_that_each_has() {
    let config = parse(
        r#"{ "policy": [
  { "tools": "github.admin.*", "roles": ["admin"] },
  { "tools": ["pay.*", "bank.*"], "when": { "properties": { "amount": { "minimum": 1e2 } } }, "deny": "too much" },
  { "tools": "pay.*", "deny": true },
  { "tools": "mail.*", "roles": ["intern"], "require": "approval" },
  { "tools": "*", "require": "approval", "except": "read-only" },
  { "tools": "mail.*", "rate": 5 },
  { "tools": "*", "redact": ["/password", "/a~1b/0", ""] },
  { "tools": "*", "allow": true, "when": true },
] }"#,
    );
    let actions: Vec<&Action> = config.policy.rules().iter().map(|rule| &rule.action).collect();
    let redacted = ["/password", "/a~1b/0", ""].map(str::to_owned).to_vec();
    assert_eq!(
        actions,
        [
            &Action::OnlyRoles,
            &Action::Deny(Some("too much".to_owned())),
            &Action::Deny(None),
            &Action::RequireApproval { except_read_only: false },
            &Action::RequireApproval { except_read_only: true },
            &Action::Rate(5),
            &Action::Redact(redacted),
            &Action::Allow,
        ]
    );
    let Rule { tools, roles, condition, .. } = &config.policy.rules()[1];
    assert_eq!(tools.iter().map(ToString::to_string).collect::<Vec<_>>(), ["pay.*", "bank.*"]);
    assert!(roles.is_empty() && condition.is_some());
    assert_eq!(config.policy.rules()[3].roles, ["intern"]);
}

#[test]
fn owners_decide_about_their_own_executions_unless_that_is_denied() {
    assert_eq!(parse("{}").policy.own_decisions(), OwnDecisions::Allow);
    assert_eq!(parse(r#"{ "ownDecisions": "allow" }"#).policy.own_decisions(), OwnDecisions::Allow);
    let denied = parse(r#"{ "ownDecisions": "deny", "policy": [{ "tools": "pay.*", "deny": true }] }"#).policy;
    assert_eq!((denied.own_decisions(), denied.rules().len()), (OwnDecisions::Deny, 1));
}

#[test]
fn the_calls_of_an_answer_are_read_and_are_none_where_nothing_is_said() {
    assert_eq!(parse("{}").answer, AnswerOptions::default());
    assert_eq!(parse(r#"{ "answer": { "calls": 0 } }"#).answer.calls, None);
    let details = CallDetails::default().inputs(true).outputs(false);
    let expected = CallSummary::default().entries(5).details(details);
    assert_eq!(parse(r#"{ "answer": { "calls": 5, "inputs": true } }"#).answer.calls, Some(expected));
}

#[test]
fn tools_and_limits_are_read() {
    let config = parse(
        r#"{
  "tools": {
    "github.create_issue": { "rename": "github.issues.create", "description": "Opens an issue.", "idempotent": false,
      "approval": true, "types": "(input: { title: string }) => Promise<void>", "defaults": "ignore" },
    "github.list": {},
  },
  "limits": { "timeout": "5s", "cpu": "500ms", "memory": "32MiB", "stack": "64KiB", "source": 1000, "result": "1KB",
    "input": "2KiB", "output": "3KiB", "logs": "4KiB", "calls": 7, "inFlight": 3, "inFlightExcess": "fail",
    "durableValue": "5KiB", "journal": "6KiB", "snapshot": "7KiB" },
}"#,
    );
    let tool = &config.tools["github.create_issue"];
    assert_eq!(tool.rename.as_ref().map(|path| path.as_str()), Some("github.issues.create"));
    assert_eq!(tool.description.as_deref(), Some("Opens an issue."));
    assert_eq!((tool.is_idempotent, tool.needs_approval), (Some(false), Some(true)));
    assert_eq!(tool.types.as_deref(), Some("(input: { title: string }) => Promise<void>"));
    assert_eq!(tool.defaults, Some(Defaults::Ignore));
    assert_eq!(config.tools["github.list"], isobox::tools::ToolSettings::default());
    let expected = Limits::default()
        .timeout(Duration::from_secs(5))
        .cpu(Duration::from_millis(500))
        .memory(ByteSize::mib(32))
        .stack(ByteSize::kib(64))
        .source(ByteSize::bytes(1000))
        .result(ByteSize::bytes(1000))
        .input(ByteSize::kib(2))
        .output(ByteSize::kib(3))
        .logs(ByteSize::kib(4))
        .calls(7)
        .in_flight(3)
        .in_flight_excess(InFlightExcess::Fail)
        .durable_value(ByteSize::kib(5))
        .journal(ByteSize::kib(6))
        .snapshot(ByteSize::kib(7));
    assert_eq!(config.limits, expected);
}

#[test]
fn the_bounds_of_sessions_are_read() {
    use isobox::sessions::{SessionOptions, WhenFull};
    assert_eq!(parse("{}").sessions, SessionOptions::default());
    let read = parse(r#"{ "sessions": { "most": 7, "versions": 2, "whenFull": "refuse" } }"#).sessions;
    assert_eq!(read, SessionOptions::default().most(7).versions(2).when_full(WhenFull::Refuse));
    let forgets = SessionOptions::default().when_full(WhenFull::ForgetOldest);
    assert_eq!(parse(r#"{ "sessions": { "whenFull": "forget" } }"#).sessions, forgets);
    assert_ne!(forgets, SessionOptions::default(), "nothing is forgotten unless the host says so");
}

#[test]
fn how_continuations_are_sealed_is_read() {
    use isobox::Timestamp;
    use isobox::config::ContinuationConfig;
    assert_eq!(parse("{}").continuations, ContinuationConfig::default());
    let key = "k".repeat(32);
    let text = format!(
        r#"{{ "continuations": {{ "key": "{key}", "earlierKeys": [
            "{key}", {{ "key": "{key}" }}, {{ "key": "{key}", "until": "1970-01-02" }}
        ], "expireAfter": "15m", "limit": "4KiB" }} }}"#
    );
    let read = parse(&text).continuations;
    let earlier: Vec<_> = read.earlier_keys.iter().map(|earlier| (earlier.key.as_str(), earlier.until)).collect();
    let expected = [(key.as_str(), None), (&key, None), (&key, Some(Timestamp(86_400_000)))];
    assert_eq!((read.key.as_deref(), earlier.as_slice()), (Some(key.as_str()), &expected[..]));
    assert!(!format!("{:?}", read.earlier_keys).contains(&key), "a key is not shown");
    assert_eq!((read.expire_after, read.limit), (Duration::from_mins(15), ByteSize::kib(4)));
    assert!(!format!("{read:?}").contains(&key), "a key is not shown");
    let problem = |text: &str| {
        let text = format!(r#"{{ "continuations": {text} }}"#);
        Config::parse(&text, &|_| Some("secret".to_owned())).expect_err("it is wrong").to_string()
    };
    let short = problem(r#"{ "key": "${KEY}" }"#);
    assert!(short.contains("less than 32 bytes") && !short.contains("secret"), "{short}");
    let earlier = |entry: &str| problem(&format!(r#"{{ "key": "{key}", "earlierKeys": [{entry}] }}"#));
    assert!(earlier(r#"{ "until": "2026-12-01" }"#).contains("`earlierKeys`: `key` is missing"));
    assert!(earlier(r#"{ "key": "${KEY}" }"#).contains("less than 32 bytes"));
    assert!(earlier("7").contains("a list of texts, or of objects"));
    let late = earlier(&format!(r#"{{ "key": "{key}", "until": "next week" }}"#));
    assert!(late.contains("`until`: `next week` is not a time like 2026-12-01T13:30:00Z"), "{late}");
    let hidden = earlier(&format!(r#"{{ "key": "{key}", "until": "${{WHEN}}" }}"#));
    assert!(hidden.contains("is not a time like") && !hidden.contains("secret"), "{hidden}");
    let without_key = parse(&format!(r#"{{ "continuations": {{ "earlierKeys": ["{key}"] }} }}"#));
    assert_eq!(without_key.warnings, Vec::<String>::new(), "the environment may say the key");
    assert!(problem(r#"{ "earlierKeys": "one" }"#).contains("`earlierKeys` has to be a list"));
    assert!(problem(r#"{ "expireAfter": "0s" }"#).contains("no time for decisions"));
    assert!(problem(r#"{ "limit": "much" }"#).contains("`limit`"));
    assert!(problem(r#"{ "expiry": "1h" }"#).contains("`expireAfter`"));
}

#[test]
fn what_becomes_of_outputs_and_defaults_is_read() {
    let outputs = |text: &str| parse(&format!(r#"{{ "validation": {text} }}"#)).validation.outputs;
    assert_eq!(parse("{}").validation, Validation::default());
    assert_eq!(outputs("{}"), OutputChecks::Enforce);
    assert_eq!(outputs(r#"{ "outputs": "enforce" }"#), OutputChecks::Enforce);
    assert_eq!(outputs(r#"{ "outputs": "warn" }"#), OutputChecks::Warn);
    assert_eq!(outputs(r#"{ "outputs": "off" }"#), OutputChecks::Off);
    let defaults = |text: &str| parse(&format!(r#"{{ "validation": {text} }}"#)).validation.defaults;
    assert_eq!(defaults("{}"), Defaults::Ignore);
    assert_eq!(defaults(r#"{ "defaults": "ignore" }"#), Defaults::Ignore);
    assert_eq!(defaults(r#"{ "defaults": "fill" }"#), Defaults::Fill);
}

#[test]
fn ten_problems_are_told_and_the_rest_is_counted() {
    let unknown: Vec<String> = (0..2000).map(|number| format!("\"zz{number}\": 1")).collect();
    let error = error(&format!("{{{}}}", unknown.join(", ")));
    assert_eq!((error.problems().len(), error.left_out()), (10, 1990));
    assert!(error.to_string().ends_with("\nand 1990 problems more"));
    let failure = Failure::from(error);
    assert_eq!(failure.code, Code::Config);
    assert!(failure.message.ends_with(" (and 1999 problems more)"), "{}", failure.message);
}

#[test]
fn a_configuration_error_becomes_a_failure_with_its_place() {
    let failure = Failure::from(error("{\n  \"limits\": 5\n}"));
    assert_eq!(failure.to_string(), "CONFIG: 2:13: `limits`: this has to be an object, and is a number");
    assert_eq!((failure.line, failure.column), (Some(2), Some(13)));
    assert_eq!(failure.details["source"], "\"limits\": 5");
    assert_eq!(failure.details["problems"], json!(["2:13: `limits`: this has to be an object, and is a number"]));
}

#[test]
fn files_that_cannot_be_read_are_refused_with_the_reason() {
    let folder = Folder::new("files");
    let read = |name: &str| match Config::read(&folder.0.join(name), &environment) {
        Ok(config) => panic!("{config:?}"),
        Err(error) => error.to_string().replace(&format!("{}/", folder.0.display()), ""),
    };
    folder.write("binary.json", b"{\n  \"a\": \"\xff\" }");
    folder.write("large.json", " ".repeat((1 << 20) + 1).as_bytes());
    folder.write("wrong.json", b"{ \"limits\": 5 }");
    std::fs::create_dir(folder.0.join("folder.json")).expect("the folder is made");
    for (name, expected) in [
        ("none.json", "none.json: there is no such file; write one that says at least `{}`"),
        ("folder.json", "folder.json: this is a folder; name the file in it"),
        ("large.json", "large.json: this is larger than 1 MiB; is it the right file?"),
        ("binary.json", "binary.json:2:9: this is not UTF-8; save the file with that encoding\n 2 | …\n   |  ^"),
        (
            "wrong.json",
            "wrong.json:1:13: `limits`: this has to be an object, and is a number\n 1 | { \"limits\": 5 }\n   \
             |             ^",
        ),
    ] {
        assert_eq!(read(name), expected, "{name}");
    }
    let large = Config::parse(&" ".repeat((1 << 20) + 1), &environment).expect_err("it is too large");
    assert_eq!(large.to_string(), "this is larger than 1 MiB; is it the right file?");
}

#[test]
fn only_a_regular_file_that_nobody_else_may_change_is_read() {
    let folder = Folder::new("rights");
    let read =
        |name: &str| Config::read(&folder.0.join(name), &environment).map(drop).map_err(|error| error.to_string());
    let pipe = folder.0.join("pipe.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("it starts").success());
    // Reading a pipe without a writer would block for ever.
    assert_eq!(read("pipe.json"), Err(format!("{}: it is a pipe; only a regular file will do", pipe.display())));
    std::os::unix::fs::symlink("/dev/zero", folder.0.join("zero.json")).expect("a link");
    assert!(read("zero.json").is_err_and(|error| error.ends_with("it is a device; only a regular file will do")));

    folder.write("isobox.json", b"{}");
    let file = folder.0.join("isobox.json");
    for (mode, is_fine) in [(0o666, false), (0o602, false), (0o644, true), (0o600, true), (0o444, true)] {
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(mode)).expect("it is ours");
        let shown = file.display();
        let expected = format!("{shown}: other users may change it; run `chmod go-w {shown}`");
        assert_eq!(read("isobox.json"), if is_fine { Ok(()) } else { Err(expected) }, "{mode:o}");
    }
}

#[test]
fn what_a_configuration_does_is_told_without_any_value_of_the_environment() {
    let config = parse(
        r#"{
  "mcpServers": {
    "a": { "command": "run-${TOKEN}", "args": ["two words", "${TOKEN}", "x"], "cwd": "../${TOKEN}",
           "env": { "KEY": "${TOKEN}", "B": "", "OPTIONS": "--require ./b.js" } },
    "b": { "command": "b", "env": {} },
    "off": { "command": "nothing", "disabled": true },
  },
  "fetch": { "allow": ["https://a.example/${TOKEN}/", "https://b.example/"] },
  "store": "sqlite:/var/${TOKEN}.db",
}"#,
    );
    let owned = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
    let command = r#"run-${TOKEN} "two words" ${TOKEN} x (in ../${TOKEN}, with B, KEY, OPTIONS in its environment)"#;
    assert_eq!(config.reach.commands, [("a", command), ("b", "b")].map(owned));
    assert_eq!(config.reach.environment, [("a", r#"KEY=${TOKEN} B= "OPTIONS=--require ./b.js""#)].map(owned));
    assert_eq!(config.reach.services, [("fetch", "https://a.example/${TOKEN}/, https://b.example/")].map(owned));
    assert_eq!(config.reach.variables.iter().collect::<Vec<_>>(), ["TOKEN"]);
    assert_eq!(config.reach.store.as_deref(), Some("sqlite:/var/${TOKEN}.db"));
    assert!(config.reach.clone().without_servers().commands.is_empty());
    let shown = format!("{:?}", config.reach);
    assert!(!shown.contains("two words") && !shown.contains("--require"), "{shown}");
    for text in [
        "{}",
        r#"{ "store": "none", "policy": [] }"#,
        r#"{ "store": "sqlite:.isobox/isobox.db" }"#,
        r#"{ "retention": { "keep": 0, "expireAfter": "1ms" } }"#,
    ] {
        assert!(parse(text).reach.is_nothing(), "{text}");
    }
    let retention = parse(r#"{ "store": "sqlite:a.db", "retention": { "keep": 0, "expireAfter": "1ms" } }"#).reach;
    let expected = "keeps 0 finished executions, and ends executions that wait for 1ms";
    assert_eq!(retention.without_servers().retention.as_deref(), Some(expected));
    for text in [r#"{ "store": "sqlite:a.db" }"#, r#"{ "store": "postgres://db/x" }"#] {
        assert!(!parse(text).reach.without_servers().is_nothing(), "{text}");
    }
}

#[test]
fn working_folders_start_at_the_folder_of_the_file() {
    let folder = Folder::new("cwd");
    folder.write(
        "isobox.json",
        br#"{ "mcpServers": { "a": { "command": "b", "cwd": "c" }, "d": { "command": "e", "cwd": "/f" } } }"#,
    );
    let config = Config::read(&folder.0.join("isobox.json"), &environment).expect("it is read");
    assert_eq!(command_of(&config.mcp_servers["a"]).cwd, Some(folder.0.join("c")));
    assert_eq!(command_of(&config.mcp_servers["d"]).cwd, Some(PathBuf::from("/f")));
}

#[test]
fn every_example_of_the_page_about_it_is_right() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md"));
    let page = page.expect("the page is there");
    let blocks: Vec<&str> = page.split("```jsonc\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 5, "there are {} examples", blocks.len());
    for block in blocks {
        let set = |name: &str| {
            Some(match name {
                "DATABASE_URL" => "postgres://isobox@localhost/isobox".to_owned(),
                "ISOBOX_STORE_KEY" => "7f".repeat(32),
                _ => format!("value of {name}"),
            })
        };
        if let Err(error) = Config::parse(block, &set) {
            panic!("{block}\n{error}");
        }
    }
    let example = page.split("```text\n").last().and_then(|rest| rest.split("\n```").next());
    let folder = Folder::new("page");
    folder.write(
        "isobox.json",
        b"{\n  \"mcpServers\": {\n    \"github\": { \"command\": \"github-mcp\", \"arg\": [] }\n  }\n}",
    );
    let error = Config::read(&folder.0.join("isobox.json"), &environment).expect_err("a key is misspelt");
    let shown = error.to_string().replace(&format!("{}/", folder.0.display()), "");
    assert_eq!(example, Some(shown.as_str()));
    for key in [
        "mcpServers",
        "command",
        "args",
        "env",
        "cwd",
        "trusted",
        "hint",
        "timeout",
        "disabled",
        "policy",
        "tools",
        "validation",
        "outputs",
        "defaults",
    ] {
        assert!(page.contains(&format!("`{key}`")), "`{key}` is not explained");
    }
}

/// A temporary folder of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("isobox-configuration-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the folder is made");
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).expect("the file is written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Files that cannot be removed are left to the operating system.
        std::fs::remove_dir_all(&self.0).ok();
    }
}
