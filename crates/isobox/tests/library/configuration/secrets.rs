//! Secrets are never shown.

use isobox::Failure;
use isobox::config::Config;

use super::{SECRET, error, parse};

#[test]
fn values_of_variables_are_never_shown() {
    let wrong = [
        r#"{ "policy": [{ "tools": "${TOKEN}", "allow": true }] }"#,
        r#"{ "policy": [{ "tools": "*", "when": { "type": "${TOKEN}" }, "allow": true }] }"#,
        r#"{ "policy": [{ "tools": "*", "require": "${TOKEN}", "except": "${TOKEN}" }] }"#,
        r#"{ "policy": [{ "tools": "*", "redact": ["${TOKEN}"] }] }"#,
        r#"{ "tools": { "a": { "rename": "${TOKEN}" } } }"#,
        r#"{ "tools": { "a": { "revert": { "call": "b", "input": { "key": ["${TOKEN}"] } } } } }"#,
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
fn the_input_of_a_revert_has_no_secret_because_journals_keep_it() {
    let error = error(r#"{ "tools": { "a": { "revert": { "call": "b", "input": { "key": "my ${TOKEN}" } } } } }"#);
    let message = &error.problems()[0].message;
    assert!(message.contains("the revert of the tool `a`: `input` cannot come from the environment"), "{message}");
    assert!(message.contains("`env`, `headers` or `auth`"), "{message}");
    parse(r#"{ "tools": { "a": { "revert": { "call": "b", "input": { "key": "$${TOKEN}" } } } } }"#);
}

#[test]
fn lines_are_shown_without_texts_that_may_be_secrets() {
    let text = r#"{
	"mcpServers": { // password: hunter2
    "a": { "command": "run", "args": ["--token", "hunter2"], "env": { "KEY": "hunter2 ${NOWHERE}", "PIN": 4711 }, "x": "hunter2" }
  },
  "limits": { "calls": "many" }
}"#;
    let expected = r#"3:87: the server `a`: `env.KEY` needs the environment variable `NOWHERE`, which is not set; set it, or write `$${NOWHERE}` for the text itself
 3 | "a": { "command": "run", "args": ["…", "…"], "env": { "KEY": "…${NOWHERE}", "PIN": … }, "x": "…" }
   |                                                                ^
3:107: the server `a`: `env.PIN` has to be a text, and is a number
 3 | "a": { "command": "run", "args": ["…", "…"], "env": { "KEY": "…${NOWHERE}", "PIN": … }, "x": "…" }
   |                                                                                    ^
3:115: the server `a`: unknown key `x`; known are `command`, `args`, `env`, `cwd`, `url`, `type`, `headers`, `oauth`, `trusted`, `hint`, `timeout`, `resetTimeoutOnProgress`, `roots` and `disabled`
 3 | "a": { "command": "run", "args": ["…", "…"], "env": { "KEY": "…${NOWHERE}", "PIN": … }, "x": "…" }
   |                                                                                         ^
5:24: `limits`: `calls` has to be a whole number from 0 to 4294967295, and is a text
 5 | "limits": { "calls": "many" }
   |                      ^"#;
    assert_eq!(error(text).to_string(), expected);
    let broken = [
        "{ \"mcpServers\": { \"a\": { \"env\": { \"KEY\": \"hunter2\" \"B\": 1 } } } }",
        "{ \"mcpServers\": { \"a\": { \"env\": { \"KEY\": \"hunter2 } } } }",
        "{ \"mcpServers\": { \"a\": { \"env\": { \"KEY\": 'hunter2' } } } }",
        "{ \"mcpServers\": { \"a\": { \"env\": { \"KEY\": \"hunter2,\n \"B\": \"\" } } } }",
        "{ \"mcp\": { \"a\": { \"env\": { \"KEY\": \"hunter2\" } } } }",
    ];
    for text in broken {
        let shown = error(text).to_string();
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
