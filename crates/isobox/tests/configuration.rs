//! What `isobox.json` may say, and what is said where it says something else.

use std::path::{Path, PathBuf};
use std::time::Duration;

use isobox::config::{Config, ConfigError};
use isobox::policy::{Action, Rule};
use isobox::{ByteSize, Code, Failure, InFlightExcess, Limits, json};
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

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

/// Each problem in its one line.
fn messages(text: &str) -> Vec<String> {
    let line = |problem: &isobox::config::Problem| match &problem.place {
        Some(place) => format!("{}:{}: {}", place.line, place.column, problem.message),
        None => problem.message.clone(),
    };
    error(text).problems().iter().map(line).collect()
}

#[track_caller]
fn says(table: &[(&str, &[&str])]) {
    for (text, expected) in table {
        assert_eq!(messages(text), *expected, "{text}");
    }
}

#[test]
fn the_least_configuration_is_an_empty_object() {
    let config = parse("\u{feff}// nothing\n{}\r\n");
    assert!(config.mcp_servers.is_empty() && config.policy.rules().is_empty() && config.tools.is_empty());
    assert_eq!(config.limits, Limits::default());
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
    assert_eq!(github.command, "github-mcp");
    assert_eq!(github.args, ["--read-only", "${HOME}"]);
    assert_eq!(github.env["TOKEN"], format!("Bearer {SECRET}"));
    assert_eq!(github.env["NONE"], "");
    assert_eq!(github.cwd.as_deref(), Some(Path::new("work")));
    assert_eq!((github.trusted, github.hint.as_str()), (true, "Issues and code."));
    assert_eq!(github.timeout, Some(Duration::from_secs(90)));
    let plain = &config.mcp_servers["plain"];
    assert_eq!((plain.trusted, plain.timeout, plain.args.len()), (false, None, 0));
    assert_eq!(config.mcp_servers.len(), 2);
    assert_eq!(config.disabled_servers, ["off"]);
    assert_eq!(
        config.warnings,
        ["7:66: the server `github`: `autoApprove` has no effect here; what needs no approval stands in `policy`"]
    );
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
  { "tools": "${EMPTY}*", "allow": true, "when": true },
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
fn tools_and_limits_are_read() {
    let config = parse(
        r#"{
  "tools": {
    "github.create_issue": { "rename": "github.issues.create", "description": "Opens an issue.", "idempotent": false,
      "approval": true, "types": "(input: { title: string }) => Promise<void>" },
    "github.list": {},
  },
  "limits": { "timeout": "5s", "cpu": "500ms", "memory": "32MiB", "stack": "64KiB", "source": 1000, "result": "1KB",
    "input": "2KiB", "output": "3KiB", "logs": "4KiB", "calls": 7, "inFlight": 3, "inFlightExcess": "fail" },
}"#,
    );
    let tool = &config.tools["github.create_issue"];
    assert_eq!(tool.rename.as_ref().map(|path| path.as_str()), Some("github.issues.create"));
    assert_eq!(tool.description.as_deref(), Some("Opens an issue."));
    assert_eq!((tool.is_idempotent, tool.needs_approval), (Some(false), Some(true)));
    assert_eq!(tool.types.as_deref(), Some("(input: { title: string }) => Promise<void>"));
    assert_eq!(config.tools["github.list"], isobox::ToolSettings::default());
    let expected = Limits {
        timeout: Duration::from_secs(5),
        cpu: Duration::from_millis(500),
        memory: ByteSize::mib(32),
        stack: ByteSize::kib(64),
        source: ByteSize::bytes(1000),
        result: ByteSize::bytes(1000),
        input: ByteSize::kib(2),
        output: ByteSize::kib(3),
        logs: ByteSize::kib(4),
        calls: 7,
        in_flight: 3,
        in_flight_excess: InFlightExcess::Fail,
    };
    assert_eq!(config.limits, expected);
}

#[test]
fn what_is_not_json_is_shown_where_it_breaks() {
    says(&[
        ("", &["1:1: there is nothing here; the least that a configuration says is `{}`"]),
        ("// only this", &["1:13: there is nothing here; the least that a configuration says is `{}`"]),
        ("[]", &["1:1: this has to be an object, and is a list"]),
        ("{", &["1:1: the object that starts here has no end; close it with `}`"]),
        ("{ \"limits\": [1", &["1:13: the list that starts here has no end; close it with `]`"]),
        ("{} {}", &["1:4: the configuration ends before this; remove what is too much"]),
        ("{ \"limits\": {}\n \"tools\": {} }", &["1:15: a comma is missing here"]),
        ("{ \"limits\" {} }", &["1:12: a colon is missing between a key and its value"]),
        ("{ limits: {} }", &["1:3: a key has to be in double quotes"]),
        ("{ 'limits': {} }", &["1:3: use double quotes instead of single ones"]),
        ("{ \"limits\": yes }", &["1:13: a word without quotes can only be `true`, `false` or `null`"]),
        ("{ \"limits\": }", &["1:13: this `}` closes nothing"]),
        ("{ \"limits\": 0x10 }", &["1:13: this is not a number as JSON writes it"]),
        ("{ \"a\": \"C:\\dir\" }", &["1:11: JSON has no such escape; write `\\\\` for a backslash"]),
        ("{ \"a\": \"b }", &["1:8: the text that starts here has no end; close it with `\"`"]),
        (
            "{ \"a\": \"b,\n \"c\": 1 }",
            &["1:8: the text that starts here does not end on its line; close it with `\"`"],
        ),
        ("{ /* ", &["1:3: the comment that starts here has no end; close it with `*/`"]),
        (&"[".repeat(2000), &["1:514: this is nested too deeply"]),
    ]);
}

#[test]
fn unknown_keys_name_the_nearest_and_later_ones_say_so() {
    says(&[
        (r#"{ "mcpserver": {} }"#, &["1:3: unknown key `mcpserver`; did you mean `mcpServers`?"]),
        (r#"{ "zzz": {} }"#, &["1:3: unknown key `zzz`; known are `mcpServers`, `policy`, `tools` and `limits`"]),
        (
            r#"{ "openapi": 1, "fetch": 2, "store": 3, "server": 4 }"#,
            &[
                "1:3: `openapi` is not in this version yet; remove it",
                "1:17: `fetch` is not in this version yet; remove it",
                "1:29: `store` is not in this version yet; remove it",
                "1:41: `server` is not in this version yet; remove it",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "command": "b", "arg": [] } } }"#,
            &["1:42: the server `a`: unknown key `arg`; did you mean `args`?"],
        ),
        (
            r#"{ "tools": { "a.b": { "revert": {}, "discription": "" } } }"#,
            &[
                "1:23: the tool `a.b`: `revert` is not in this version yet; remove it",
                "1:37: the tool `a.b`: unknown key `discription`; did you mean `description`?",
            ],
        ),
        (r#"{ "limits": { "time": "1s" } }"#, &["1:15: `limits`: unknown key `time`; did you mean `timeout`?"]),
        (
            r#"{ "policy": [{ "tool": "*", "allow": true }] }"#,
            &[
                "1:14: rule 1 of the policy: there is no `tools`; say which it is about, `\"*\"` for all",
                "1:16: rule 1 of the policy: unknown key `tool`; did you mean `tools`?",
            ],
        ),
        (
            "{ \"a\\n\\u001b[31m\": 1 }",
            &["1:3: unknown key `a \\u{1b}[31m`; known are `mcpServers`, `policy`, `tools` and `limits`"],
        ),
    ]);
}

#[test]
fn keys_that_are_there_twice_are_refused_everywhere() {
    says(&[
        (
            "{ \"limits\": {},\n \"limits\": { \"calls\": 1, \"calls\": 2 } }",
            &[
                "2:2: `limits` is already there, in line 1; keep one of them",
                "2:26: `calls` is already there, in line 2; keep one of them",
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "allow": true, "when": { "type": "object", "type": "array" } }] }"#,
            &["1:73: `type` is already there, in line 1; keep one of them"],
        ),
    ]);
}

#[test]
fn servers_that_cannot_be_started_are_refused() {
    says(&[
        (r#"{ "mcpServers": [] }"#, &["1:17: `mcpServers` has to be an object, and is a list"]),
        (
            r#"{ "mcpServers": { "a": "b", "": {} } }"#,
            &[
                "1:24: the server `a`: this has to be an object, and is a text",
                "1:29: `mcpServers`: a server needs a name; its tools are found under it",
            ],
        ),
        (
            r#"{ "mcpServers": { "docs": { "url": "https://docs.example.com/mcp", "headers": {}, "x": 1 } } }"#,
            &[
                "1:36: the server `docs`: it has a `url`, and this version starts commands only; give it a `command`, or \
                 switch it off with `\"disabled\": true`",
                "1:83: the server `docs`: unknown key `x`; known are `command`, `args`, `env`, `cwd`, `trusted`, `hint`, \
                 `timeout` and `disabled`",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "type": "sse", "command": "b" } } }"#,
            &["1:34: the server `a`: its `type` is not `stdio`, and this version starts commands only; give it a \
               `command`, or switch it off with `\"disabled\": true`"],
        ),
        (
            r#"{ "mcpServers": { "a": {}, "b": { "command": " " }, "c": { "command": 5 } } }"#,
            &[
                "1:24: the server `a`: there is no `command`; name the program that is to be started",
                "1:46: the server `b`: `command` is empty; name the program that is to be started",
                "1:71: the server `c`: `command` has to be a text, and is the number 5",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "command": "b", "args": ["c", 1], "env": { "A=": "", "B": null }, "cwd": {},
  "trusted": "yes", "disabled": 0, "hint": [], "timeout": 30 } } }"#,
            &[
                "1:56: the server `a`: `args` has to be a list of texts, and is the number 1",
                "1:69: the server `a`: `A=` cannot be the name of an environment variable",
                "1:84: the server `a`: `env.B` has to be a text, and is `null`",
                "1:99: the server `a`: `cwd` has to be a text, and is an object",
                "2:14: the server `a`: `trusted` has to be `true` or `false`, and is a text",
                "2:33: the server `a`: `disabled` has to be `true` or `false`, and is the number 0",
                "2:44: the server `a`: `hint` has to be a text, and is a list",
                "2:59: the server `a`: `timeout` has to be a duration like \"30s\", and is the number 30",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "command": "b", "timeout": "soon" }, "c": { "command": "d", "timeout": "0s" } } }"#,
            &[
                "1:53: the server `a`: `timeout`: `soon` is not a duration like 5s, 500ms or 2m",
                "1:97: the server `c`: `timeout` is 0, which leaves no time for any answer; leave it out where there is \
                 none",
            ],
        ),
    ]);
}

#[test]
fn a_rule_has_to_say_which_tools_and_exactly_one_thing() {
    const NOTHING: &str = "it says nothing to do; add `allow`, `deny`, `require`, `rate` or `redact`, or `roles` alone \
                           to keep the tools for these roles";
    says(&[
        (r#"{ "policy": {} }"#, &["1:13: `policy` has to be a list of rules, and is an object"]),
        (
            r#"{ "policy": [true, { "tools": "*" }, { "tools": "*", "roles": ["a"], "when": {} }] }"#,
            &[
                "1:14: rule 1 of the policy: this has to be an object, and is `true`",
                &format!("1:20: rule 2 of the policy: {NOTHING}"),
                &format!("1:38: rule 3 of the policy: {NOTHING}"),
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "allow": true, "deny": true, "rate": 1 }] }"#,
            &["1:14: rule 1 of the policy: `allow`, `deny` and `rate` cannot be in one rule; make a rule of each"],
        ),
        (
            r#"{ "policy": [{ "tools": "a-b", "allow": false }, { "tools": [], "deny": false }, { "tools": [1], "deny": "x" }] }"#,
            &[
                "1:25: rule 1 of the policy: `a-b` is no pattern for the paths of tools: paths are identifiers joined by \
                 dots, and `*` is the only wildcard",
                "1:41: rule 1 of the policy: `allow` has to be `true`, and is `false`",
                "1:61: rule 2 of the policy: `tools` is empty, so that it is about none",
                "1:73: rule 2 of the policy: `deny` has to be `true` or the reason as a text, and is `false`",
                "1:94: rule 3 of the policy: `tools` has to be a pattern like \"github.*\", or a list of them, and is \
                 the number 1",
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "require": "consent", "except": "writes" },
  { "tools": "*", "allow": true, "except": "read-only" }, { "tools": "*", "roles": [], "allow": true }] }"#,
            &[
                "1:41: rule 1 of the policy: `require` can only be \"approval\"",
                "1:62: rule 1 of the policy: `except` can only be \"read-only\"",
                "2:44: rule 2 of the policy: `except` belongs to `\"require\": \"approval\"`, which is not there",
                "2:84: rule 3 of the policy: `roles` is empty; name a role, or leave it out for all callers",
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "rate": 0 }, { "tools": "*", "rate": 1.5 },
  { "tools": "*", "redact": [] }, { "tools": "*", "redact": ["a", "/~2"], "roles": ["x"] }] }"#,
            &[
                "1:38: rule 1 of the policy: a `rate` of 0 lets no call through; write `\"deny\": true`",
                "1:67: rule 2 of the policy: `rate` has to be a whole number from 0 to 4294967295, and is the number 1.5",
                "2:29: rule 3 of the policy: `redact` names nothing; give it pointers like \"/password\"",
                "2:62: rule 4 of the policy: `redact` takes JSON pointers like \"/password\" or \"/users/0/name\"",
                "2:67: rule 4 of the policy: `redact` takes JSON pointers like \"/password\" or \"/users/0/name\"",
                "2:84: rule 4 of the policy: `redact` holds for all callers and all inputs; leave out `roles`",
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "allow": true, "when": 7 }] }"#,
            &["1:53: rule 1 of the policy: `when` is not a JSON Schema: 7 is not of types \"boolean\", \"object\""],
        ),
    ]);
}

#[test]
fn tools_and_limits_have_to_be_possible() {
    says(&[
        (
            r#"{ "tools": { "a b": {}, "c": { "rename": "then" }, "d": { "rename": "x.y" }, "e": { "rename": "x.y" } } }"#,
            &[
                "1:14: `tools`: `a b` cannot be the path of a tool: it has to be identifiers joined by dots",
                "1:42: the tool `c`: `then` cannot be the path of a tool: `then`, `toJSON`, `toString` and `valueOf` \
                 cannot be part of it",
                "1:95: the tool `e`: another tool is already renamed to this; give each a path of its own",
            ],
        ),
        (
            r#"{ "limits": { "timeout": "0s", "cpu": 5, "memory": "1MiB", "stack": 5000000, "source": -1, "result": "big",
  "calls": -1, "inFlight": 0, "inFlightExcess": "drop" } }"#,
            &[
                "1:26: `limits`: a limit of 0 for wall-clock or processor time leaves no program any time to run",
                "1:39: `limits`: `cpu` has to be a duration like \"30s\", and is the number 5",
                "1:52: `limits`: the memory limit is 1 MiB, but it has to be from 4 MiB to 4 GiB",
                "1:69: `limits`: the stack limit is 5000000 bytes, but it has to be from 32 KiB to 1 MiB",
                "1:88: `limits`: `source` has to be a size like \"64MiB\", or a whole number of bytes, and is the number -1",
                "1:102: `limits`: `result`: `big` is not a size like 64MiB, 512KiB or 1000",
                "2:12: `limits`: `calls` has to be a whole number from 0 to 4294967295, and is the number -1",
                "2:28: `limits`: the limit of calls in flight is 0, so that no call could ever start",
                "2:49: `limits`: `inFlightExcess` can only be \"wait\" or \"fail\"",
            ],
        ),
    ]);
}

#[test]
fn variables_that_are_missing_are_named_with_their_place() {
    says(&[
        (
            r#"{ "mcpServers": { "a": { "command": "b", "env": { "KEY": "Bearer ${NOWHERE}" } } } }"#,
            &[
                "1:66: the server `a`: `env.KEY` needs the environment variable `NOWHERE`, which is not set; set it, or \
               write `$${NOWHERE}` where the text itself is meant",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "command": "b", "args": ["x${A:-y}"] } } }"#,
            &[
                "1:53: the server `a`: `args` has a `${` without the name of a variable; write `${NAME}`, or `$${` where \
               the text itself is meant",
            ],
        ),
    ]);
}

#[test]
fn values_of_variables_are_never_shown() {
    let wrong = [
        r#"{ "policy": [{ "tools": "${TOKEN}", "allow": true }] }"#,
        r#"{ "policy": [{ "tools": "*", "when": { "type": "${TOKEN}" }, "allow": true }] }"#,
        r#"{ "policy": [{ "tools": "*", "require": "${TOKEN}", "except": "${TOKEN}" }] }"#,
        r#"{ "policy": [{ "tools": "*", "redact": ["${TOKEN}"] }] }"#,
        r#"{ "tools": { "a": { "rename": "${TOKEN}" } } }"#,
        r#"{ "limits": { "timeout": "${TOKEN}", "memory": "${TOKEN}", "inFlightExcess": "${TOKEN}" } }"#,
        r#"{ "mcpServers": { "a": { "command": "b", "timeout": "${TOKEN}", "type": "${TOKEN}" } } }"#,
    ];
    for text in wrong {
        let error = error(text);
        let shown = format!("{error}\n{error:?}\n{:?}", Failure::from(error.clone()));
        assert!(!shown.contains(SECRET), "{text}\n{shown}");
    }
    let small = |name: &str| (name == "SIZE").then(|| "1077KiB".to_owned());
    let error = Config::parse(r#"{ "limits": { "memory": "${SIZE}" } }"#, &small).expect_err("it is too small");
    assert_eq!(error.problems()[0].message, "`limits`: with what the environment says, `memory` is out of its range");
    let config =
        parse(r#"{ "mcpServers": { "a": { "command": "b", "args": ["${TOKEN}"], "env": { "KEY": "${TOKEN}" } } } }"#);
    let shown = format!("{config:?}");
    assert!(!shown.contains(SECRET) && shown.contains("KEY"), "{shown}");
}

#[test]
fn lines_are_shown_without_texts_that_may_be_secrets() {
    let text = r#"{
	"mcpServers": { // password: hunter2
    "a": { "command": "run", "args": ["--token", "hunter2"], "env": { "KEY": "hunter2 ${NOWHERE}" }, "x": "hunter2" }
  },
  "limits": { "calls": "many" }
}"#;
    let expected = r#"3:87: the server `a`: `env.KEY` needs the environment variable `NOWHERE`, which is not set; set it, or write `$${NOWHERE}` where the text itself is meant
 3 | "a": { "command": "run", "args": ["…", "…"], "env": { "KEY": "…${NOWHERE}" }, "x": "…" }
   |                                                               ^
3:102: the server `a`: unknown key `x`; known are `command`, `args`, `env`, `cwd`, `trusted`, `hint`, `timeout` and `disabled`
 3 | …, "args": ["…", "…"], "env": { "KEY": "…${NOWHERE}" }, "x": "…" }
   |                                                         ^
5:24: `limits`: `calls` has to be a whole number from 0 to 4294967295, and is a text
 5 | "limits": { "calls": "many" }
   |                      ^"#;
    let _ = expected;
    println!("{}", error(text));
    let broken = [
        "{ \"mcpServers\": { \"a\": { \"env\": { \"KEY\": \"hunter2\" \"B\": 1 } } } }",
        "{ \"mcpServers\": { \"a\": { \"env\": { \"KEY\": \"hunter2 } } } }",
        "{ \"mcpServers\": { \"a\": { \"env\": { \"KEY\": 'hunter2' } } } }",
        "{ \"mcpServers\": { \"a\": { \"env\": { \"KEY\": \"hunter2,\n \"B\": \"\" } } } }",
        "{ \"mcp\": { \"a\": { \"env\": { \"KEY\": \"hunter2\" } } } }",
    ];
    for text in broken {
        let shown = error(text).to_string();
        println!("{shown}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
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
    assert_eq!(failure.to_string(), "CONFIG: 2:13: `limits`: this has to be an object, and is the number 5");
    assert_eq!((failure.line, failure.column), (Some(2), Some(13)));
    assert_eq!(failure.details["source"], "\"limits\": 5");
    assert_eq!(failure.details["problems"], json!(["2:13: `limits`: this has to be an object, and is the number 5"]));
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
            "wrong.json:1:13: `limits`: this has to be an object, and is the number 5\n 1 | { \"limits\": 5 }\n   \
             |             ^",
        ),
    ] {
        assert_eq!(read(name), expected, "{name}");
    }
    let large = Config::parse(&" ".repeat((1 << 20) + 1), &environment).expect_err("it is too large");
    assert_eq!(large.to_string(), "this is larger than 1 MiB; is it the right file?");
}

#[test]
fn working_folders_start_at_the_folder_of_the_file() {
    let folder = Folder::new("cwd");
    folder.write(
        "isobox.json",
        br#"{ "mcpServers": { "a": { "command": "b", "cwd": "c" }, "d": { "command": "e", "cwd": "/f" } } }"#,
    );
    let config = Config::read(&folder.0.join("isobox.json"), &environment).expect("it is read");
    assert_eq!(config.mcp_servers["a"].cwd, Some(folder.0.join("c")));
    assert_eq!(config.mcp_servers["d"].cwd, Some(PathBuf::from("/f")));
}

#[test]
fn every_example_of_the_page_about_it_is_right() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md"));
    let page = page.expect("the page is there");
    let blocks: Vec<&str> = page.split("```jsonc\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 5, "there are {} examples", blocks.len());
    for block in blocks {
        let set = |name: &str| Some(format!("value of {name}"));
        if let Err(error) = Config::parse(block, &set) {
            panic!("{block}\n{error}");
        }
    }
    for key in
        ["mcpServers", "command", "args", "env", "cwd", "trusted", "hint", "timeout", "disabled", "policy", "tools"]
    {
        assert!(page.contains(&format!("`{key}`")), "`{key}` is not explained");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        check_any(&text);
    }

    #[test]
    fn no_text_that_is_almost_a_configuration_makes_it_panic(text in almost()) {
        check_any(&text);
    }
}

fn check_any(text: &str) {
    if let Err(error) = Config::parse(text, &environment) {
        assert!(!error.problems().is_empty() && !error.to_string().is_empty());
        assert!(!Failure::from(error).message.is_empty());
    }
}

fn almost() -> impl Strategy<Value = String> {
    const PIECES: [&str; 44] = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\",
        "\n",
        "\t",
        "\r\n",
        " ",
        "// x",
        "/* x */",
        "null",
        "true",
        "false",
        "1e5",
        "-0",
        "\"mcpServers\":",
        "\"a\":",
        "\"command\":",
        "\"args\":",
        "\"env\":",
        "\"timeout\":",
        "\"policy\":",
        "\"tools\":",
        "\"roles\":",
        "\"when\":",
        "\"allow\":",
        "\"redact\":",
        "\"rate\":",
        "\"limits\":",
        "\"memory\":",
        "\"calls\":",
        "\"rename\":",
        "\"${TOKEN}\"",
        "\"${\"",
        "\"$${x}\"",
        "\"5s\"",
        "\"\\u0024{A}\"",
        "ä",
        "\"…\"",
        "\u{2028}",
    ];
    let piece = prop_oneof![9 => proptest::sample::select(PIECES.to_vec()).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    let free = proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat());
    let whole = Just(WHOLE.to_owned());
    let damaged = (0..WHOLE.len(), any::<char>(), 0..4_usize).prop_map(|(at, character, cut)| {
        let characters: Vec<char> = WHOLE.chars().collect();
        let at = at.min(characters.len());
        let end = (at + cut).min(characters.len());
        characters[..at].iter().chain([&character]).chain(&characters[end..]).collect()
    });
    prop_oneof![4 => free, 1 => whole, 5 => damaged]
}

const WHOLE: &str = r#"{
  "mcpServers": { "a": { "command": "ä", "args": ["${TOKEN}", "\u00e4\n"], "env": { "A": "$${" }, "timeout": "5s" } }, // ü
  "policy": [{ "tools": ["*"], "when": { "minimum": 1.5e3 }, "deny": "…" }, { "tools": "a.*", "redact": ["/a"] }],
  "tools": { "a.b": { "rename": "c.d", "approval": true } }, /* ß */
  "limits": { "memory": "64MiB", "calls": 5, },
}"#;

/// A folder of the test's own, gone with it.
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
        // What is left behind is left to the operating system.
        std::fs::remove_dir_all(&self.0).ok();
    }
}
