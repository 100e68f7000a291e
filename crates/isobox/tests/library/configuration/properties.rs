//! No text causes a panic.

use isobox::Failure;
use isobox::config::Config;
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

use super::environment;

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
