//! All problems of a configuration, with their exact messages.

use isobox::config::Problem;

use super::error;

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
        (&"[".repeat(2000), &["1:513: this is nested too deeply"]),
    ]);
}

#[test]
fn unknown_keys_name_the_nearest_and_later_ones_say_so() {
    says(&[
        (r#"{ "mcpserver": {} }"#, &["1:3: unknown key `mcpserver`; did you mean `mcpServers`?"]),
        (
            r#"{ "zzz": {} }"#,
            &[
                "1:3: unknown key `zzz`; known are `mcpServers`, `openapi`, `graphql`, `fetch`, `policy`, `ownDecisions`, `tools`, `limits`, `locale`, `timeZone`, `answer`, `validation`, `checks`, `rules`, `modules`, `experience`, `snippets`, `strict`, `store`, `sessions`, `continuations` and `retention`",
            ],
        ),
        (r#"{ "answer": { "call": 5 } }"#, &["1:15: `answer`: unknown key `call`; did you mean `calls`?"]),
        (
            r#"{ "answer": { "inputs": true } }"#,
            &["1:25: `answer`: `inputs` needs `calls`, the number of calls that are listed; add `calls`"],
        ),
        (
            r#"{ "timeZone": "Mars/Base", "locale": "x-not a tag" }"#,
            &[
                "1:15: `timeZone`: Invalid time zone specified: \"Mars/Base\"",
                "1:38: `locale`: Incorrect locale information provided: \"x-not a tag\" is no language tag",
            ],
        ),
        (
            r#"{ "openapi": 1, "fetch": 2, "server": 4 }"#,
            &[
                "1:14: `openapi` has to be an object, and is a number",
                "1:26: `fetch`: this has to be an object, and is a number",
                "1:29: `server` is not in this version yet; remove it",
            ],
        ),
        (
            r#"{ "openapi": { "": {}, "a": {}, "b": { "spec": "x", "baseURL": "y" },
                "c": { "spec": "x", "auth": { "bearer": 1 } }, "d": { "spec": "x", "auth": { "basic": { "username": "u" } } } } }"#,
            &[
                "1:16: `openapi`: a service needs a name; its tools are found under it",
                "1:29: the service `a`: there is no `spec`; name the file or the address of its OpenAPI document",
                "1:53: the service `b`: unknown key `baseURL`; did you mean `baseUrl`?",
                "2:45: the service `c`: `auth` has no credentials; it has `bearer`, `basic`, `apiKey` or `oauth`",
                "2:57: the service `c`, `auth`: `bearer` has to be a text, and is a number",
                "2:92: the service `d`: `auth` has no credentials; it has `bearer`, `basic`, `apiKey` or `oauth`",
                "2:103: the service `d`, `auth`: there is no `password`",
            ],
        ),
        (
            r#"{ "graphql": { "": {}, "a": {}, "b": { "url": "x", "shema": "y" }, "c": { "url": "x", "auth": { "apiKey": "k" } } } }"#,
            &[
                "1:16: `graphql`: a service needs a name; its tools are found under it",
                "1:29: the service `a`: there is no `url`; it is the address that takes GraphQL documents",
                "1:52: the service `b`: unknown key `shema`; did you mean `schema`?",
                "1:95: the service `c`: `auth.apiKey` is only for services with an OpenAPI document; set the key as one of `headers`",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "command": "b", "arg": [] } } }"#,
            &["1:42: the server `a`: unknown key `arg`; did you mean `args`?"],
        ),
        (
            r#"{ "tools": { "a.b": { "revert": {}, "discription": "" } } }"#,
            &[
                "1:33: the revert of the tool `a.b`: `call` is missing; name the tool that reverts the calls of this one",
                "1:37: the tool `a.b`: unknown key `discription`; did you mean `description`?",
            ],
        ),
        (r#"{ "limits": { "time": "1s" } }"#, &["1:15: `limits`: unknown key `time`; did you mean `timeout`?"]),
        (
            r#"{ "policy": [{ "tool": "*", "allow": true }] }"#,
            &[
                "1:14: rule 1 of the policy: there is no `tools`; name the tools of the rule, `\"*\"` for all",
                "1:16: rule 1 of the policy: unknown key `tool`; did you mean `tools`?",
            ],
        ),
        (
            "{ \"a\\n\\u001b[31m\": 1 }",
            &[
                "1:3: unknown key `a\\n\\u{1b}[31m`; known are `mcpServers`, `openapi`, `graphql`, `fetch`, `policy`, `ownDecisions`, `tools`, `limits`, `locale`, `timeZone`, `answer`, `validation`, `checks`, `rules`, `modules`, `experience`, `snippets`, `strict`, `store`, `sessions`, `continuations` and `retention`",
            ],
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
            r#"{ "mcpServers": { "docs": { "url": "https://docs.example.com/mcp", "command": "x", "x": 1 } } }"#,
            &[
                "1:79: the server `docs`: it has a `url` and `command`; a server is either an address or a command",
                "1:84: the server `docs`: unknown key `x`; known are `command`, `args`, `env`, `cwd`, `url`, `type`, \
                 `headers`, `oauth`, `trusted`, `hint`, `timeout`, `resetTimeoutOnProgress`, `roots` and `disabled`",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "type": "sse", "command": "b", "headers": {} } } }"#,
            &[
                "1:34: the server `a`: a server whose `type` is not `stdio` needs a `url`",
                "1:68: the server `a`: `headers` needs a `url`",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "url": "docs.example.com", "type": "websocket", "resetTimeoutOnProgress": true,
  "oauth": { "clientSecret": "x", "redirectPort": 0, "scope": [] } } } }"#,
            &[
                "1:24: the server `a`: `resetTimeoutOnProgress` needs a `timeout`",
                "1:33: the server `a`: `url` has to begin with `https://` or `http://`",
                "1:61: the server `a`: the `type` of a server with a `url` is `http` or `sse`; leave it out to try both",
                "2:12: the server `a`, `oauth`: `redirectPort` is a number from 1 to 65535",
                "2:12: the server `a`, `oauth`: `clientSecret` needs a `clientId`",
                "2:54: the server `a`, `oauth`: unknown key `scope`; did you mean `scopes`?",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "url": "https://a.example", "oauth": { "grant": "client_credentials", "clientId": "x" } },
  "b": { "url": "https://b.example", "oauth": { "grant": "implicit" } } } }"#,
            &[
                "1:63: the server `a`, `oauth`: `client_credentials` needs a `clientId` and a `clientSecret`",
                "2:58: the server `b`, `oauth`: `grant` is `authorization_code` (a person logs in) or `client_credentials`",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": {}, "b": { "command": " " }, "c": { "command": 5 } } }"#,
            &[
                "1:24: the server `a`: there is no `command` and no `url`; name the program that is to be started, or the \
                 address of the server",
                "1:46: the server `b`: `command` is empty; name the program that is to be started",
                "1:71: the server `c`: `command` has to be a text, and is a number",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "command": "b", "args": ["c", 1], "env": { "A=": "", "B": null }, "cwd": {},
  "trusted": "yes", "disabled": 0, "hint": [], "timeout": 30 } } }"#,
            &[
                "1:56: the server `a`: `args` has to be a list of texts, and is a number",
                "1:69: the server `a`: `A=` cannot be the name of an environment variable",
                "1:84: the server `a`: `env.B` has to be a text, and is `null`",
                "1:99: the server `a`: `cwd` has to be a text, and is an object",
                "2:14: the server `a`: `trusted` has to be `true` or `false`, and is a text",
                "2:33: the server `a`: `disabled` has to be `true` or `false`, and is a number",
                "2:44: the server `a`: `hint` has to be a text, and is a list",
                "2:59: the server `a`: `timeout` has to be a duration like \"30s\", and is a number",
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
    const NOTHING: &str = "the rule has no action; add `allow`, `deny`, `require`, `rate` or `redact`, or `roles` alone \
                           to reserve the tools for these roles";
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
            r#"{ "policy": [{ "tools": "a?b", "allow": false }, { "tools": [], "deny": false }, { "tools": [1], "deny": "x" }] }"#,
            &[
                "1:25: rule 1 of the policy: `a?b` is not a pattern for tool names: `*` is the only wildcard; \
                 write a list for several patterns",
                "1:41: rule 1 of the policy: `allow` has to be `true`, and is `false`",
                "1:61: rule 2 of the policy: `tools` is empty, so the rule matches no tool",
                "1:73: rule 2 of the policy: `deny` has to be `true` or the reason as a text, and is `false`",
                "1:94: rule 3 of the policy: `tools` has to be a pattern like \"github.*\", or a list of them, and is \
                 a number",
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "require": "consent", "except": "writes" },
  { "tools": "*", "allow": true, "except": "read-only" }, { "tools": "*", "roles": [], "allow": true }] }"#,
            &[
                "1:41: rule 1 of the policy: `require` can only be \"approval\"",
                "1:62: rule 1 of the policy: `except` can only be \"read-only\"",
                "2:44: rule 2 of the policy: `except` needs `\"require\": \"approval\"` in the same rule",
                "2:84: rule 3 of the policy: `roles` is empty; name a role, or leave it out for all callers",
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "rate": 0 }, { "tools": "*", "rate": 1.5 },
  { "tools": "*", "redact": [] }, { "tools": "*", "redact": ["a", "/~2"], "roles": ["x"] }] }"#,
            &[
                "1:38: rule 1 of the policy: a `rate` of 0 lets no call through; write `\"deny\": true`",
                "1:67: rule 2 of the policy: `rate` has to be a whole number from 0 to 4294967295, and is 1.5",
                "2:29: rule 3 of the policy: `redact` names nothing; give it pointers like \"/password\"",
                "2:62: rule 4 of the policy: `redact` takes JSON pointers like \"/password\" or \"/users/0/name\"",
                "2:67: rule 4 of the policy: `redact` takes JSON pointers like \"/password\" or \"/users/0/name\"",
                "2:84: rule 4 of the policy: `redact` holds for all callers and all inputs; leave out `roles`",
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "allow": true, "when": 7 }] }"#,
            &[
                "1:53: rule 1 of the policy: `when` is not a JSON Schema at this place: a schema is an object or a boolean",
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "deny": true, "when": { "properties": { "a": { "pattern": "^(?!b)" } } } }] }"#,
            &[
                "1:77: rule 1 of the policy: `when` has the pattern `^(?!b)`, which looks around or back: such a pattern may \
               fail on a long text; rewrite it without",
            ],
        ),
        (
            r#"{ "policy": [{ "tools": "*", "allow": true, "when": { "anyOf": [{ "maximun": 1 }] } }] }"#,
            &[
                "1:67: rule 1 of the policy: `when` has the keyword `maximun`, which is not checked; did you mean `maximum`?",
            ],
        ),
        (
            r#"{ "tools": { "a.*": {}, "a?b.c": {} }, "strict": 1 }"#,
            &[
                "1:14: `tools`: `a.*` matches several tools; name one at a time",
                "1:25: `tools`: `a?b.c` is not a pattern for tool names: `*` is the only wildcard; write a list for \
                 several patterns",
                "1:50: `strict` has to be `true` or `false`, and is a number",
            ],
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
                "1:39: `limits`: `cpu` has to be a duration like \"30s\", and is a number",
                "1:52: `limits`: the memory limit is 1 MiB, but it has to be from 4 MiB to 4 GiB",
                "1:69: `limits`: the stack limit is 5000000 bytes, but it has to be from 32 KiB to 1 MiB",
                "1:88: `limits`: `source` has to be a size like \"64MiB\", or a whole number of bytes, and is a number",
                "1:102: `limits`: `result`: `big` is not a size like 64MiB, 512KiB or 1000",
                "2:12: `limits`: `calls` has to be a whole number from 0 to 4294967295, and is -1",
                "2:28: `limits`: the limit of calls in flight is 0, so that no call could ever start",
                "2:49: `limits`: `inFlightExcess` can only be \"wait\" or \"fail\"",
            ],
        ),
        (
            r#"{ "validation": { "outputs": "loose", "output": "off" } }"#,
            &[
                "1:30: `validation`: `outputs` can only be \"off\", \"warn\" or \"enforce\"",
                "1:39: `validation`: unknown key `output`; did you mean `outputs`?",
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
               write `$${NOWHERE}` for the text itself",
            ],
        ),
        (
            r#"{ "mcpServers": { "a": { "command": "b", "args": ["x${A:-y}"] } } }"#,
            &["1:53: the server `a`: `args` has a `${` without the name of a variable; write `${NAME}`, or `$${` for \
               the text itself"],
        ),
    ]);
}

#[test]
fn many_missing_variables_of_one_text_are_found_in_one_pass() {
    let names: String = (0..40_000).map(|number| format!("${{A{number}}}")).collect();
    let error = error(&format!(r#"{{ "mcpServers": {{ "a": {{ "command": "b", "args": ["{names}"] }} }} }}"#));
    assert_eq!((error.problems().len(), error.left_out()), (10, 39_990));
    let columns: Vec<u32> = error.problems().iter().filter_map(|one| Some(one.place.as_ref()?.column)).collect();
    assert_eq!(columns, [52, 57, 62, 67, 72, 77, 82, 87, 92, 97]);
}

/// Returns each problem in one line.
fn messages(text: &str) -> Vec<String> {
    let line = |problem: &Problem| match &problem.place {
        Some(place) => format!("{}:{}: {}", place.line, place.column, problem.message),
        None => problem.message.clone(),
    };
    error(text).problems().iter().map(line).collect()
}

pub(crate) fn says(table: &[(&str, &[&str])]) {
    for (text, expected) in table {
        assert_eq!(messages(text), *expected, "{text}");
    }
}
