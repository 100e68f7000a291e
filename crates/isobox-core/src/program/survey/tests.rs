//! Compares what is accounted for with what the parser does.

use oxc::{allocator::Allocator, parser::Parser, span::SourceType};
use proptest::prelude::*;

use super::*;

/// What opens something that the parser may try several ways, and what closes it.
const AROUND: &[(&str, &str)] = &[
    ("a<", ">"),
    ("a<", ""),
    ("a<b,", ">()"),
    ("a<{[", "]:1}>"),
    ("a<{[", "]:1}"),
    ("a<([b=", "])=>c>()"),
    ("new a<{[", "]:1}>"),
    ("new a<{[", "]:1}"),
    ("a?.<{[", "]:1}>()"),
    ("a<<{[", "]:1}"),
    ("0 as typeof a<{[", "]:1}>"),
    ("0 as([b=", "])=>c"),
    ("0 as({b=", "})=>c"),
    ("0 as({[", "]:b})=>c"),
    ("0 as(readonly[b=", "])=>c"),
    ("0 as new([b=", "])=>c"),
    ("0 as{a:([b=", "])=>c}"),
    ("0 as{[", "]:1}"),
    ("0 as infer A extends[", "]?b:c"),
    ("infer A extends(", ")?b:c"),
    ("infer A extends X<", ">?b:c"),
    ("0 as a extends(infer A extends(", ")?b:c)?b:c"),
    ("(a=", ")"),
    ("(a=", ")=>b"),
    ("(a=", "):b=>c"),
    ("async(a=", ")"),
    ("([a=", "])"),
    ("({a=", "})=>b"),
    ("(...[a=", "])"),
    ("(a,b=", ")"),
    ("a?(b):c=>", ""),
    ("a?(b):c=>", ":d"),
    ("a?(b=", "):c=>d:e"),
    ("a?(b):(c:{[", "]:1})=>d"),
    ("():{[", "]:1}"),
    ("<a>(b=", ")"),
    ("<a>", ""),
    ("<a extends{[", "]:1}>(b)"),
    ("<a,>(b=", "):c=>d"),
    ("function(){interface A extends B<{[", "]:1}>x{}}"),
    ("function(){interface A extends B<{[", "]:1}>{}}"),
    ("function(){case(a):", "}"),
    ("class extends A<{[", "]:1}>{}"),
    ("class extends new A<{[", "]:1}>{}"),
    ("class{a:([b=", "])=>c}"),
    ("class{[", "](){}}"),
    ("{a:", "}"),
    ("[", "]"),
    ("(", ")"),
    ("f(", ")"),
    ("f<a>({a:", "})"),
    ("`${", "}`"),
    ("{}/", "/a"),
    ("await/", "/a"),
];

const TOKENS: &[&str] = &[
    "/",
    "/",
    "/",
    "/a/",
    "/`/",
    "/[/`]/",
    "/=",
    "`",
    "`a`",
    "`/`",
    "`${",
    "'",
    "\"",
    "'/'",
    "{",
    "}",
    "{}",
    "(",
    ")",
    "()",
    "[",
    "]",
    " ",
    "\n",
    "\n",
    "\r",
    "\u{2028}",
    "a",
    "b",
    "é",
    "1",
    "1.",
    "1..",
    ".5",
    ".",
    "...",
    "?.",
    "01",
    "0x1",
    "1e",
    "1n",
    "in",
    "of",
    "keyof ",
    "as ",
    "is ",
    "await",
    "yield",
    "return",
    "typeof",
    "case ",
    "default",
    "else",
    "do",
    "if",
    "while",
    "for",
    "with",
    "(a)",
    "++",
    "--",
    "!",
    "<",
    ">",
    ">>",
    "=>",
    "=",
    "==",
    ";",
    ",",
    ":",
    "?",
    "*",
    "//",
    "/*",
    "*/",
    "\\",
    "\\u0061",
    "retur\\u006e",
    "<!--",
    "-->",
    "#",
    "#a",
    "@",
    "class ",
    "let ",
    "function ",
    "async ",
    "static ",
    "new ",
    "this",
    "extends ",
    "super",
    "import",
    "export ",
    "type ",
    "enum ",
    "infer ",
    "readonly ",
    "unique ",
    "asserts ",
    "satisfies ",
    "get ",
    "a.in",
    "a.if(b)",
    "x={}",
    "x=",
    "x=a",
    "x=a\n",
    "if(a)",
    "=>{}",
    "a<b>",
    "a!",
    "a++",
    "}\n",
    "#!",
    "\u{feff}",
];

/// What the parser reads for a text, as the memory that it takes for what it reads, right or wrong.
fn memory_of(text: &str) -> usize {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, SourceType::ts().with_module(true)).parse();
    drop(parsed);
    allocator.used_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Of all readings one is the parser's, so that the largest account is the one that must cover it.
    #[test]
    fn the_parser_reads_no_more_than_was_accounted_for(
        start in prop::sample::select(vec!["x=", "type x="]),
        kinds in prop::array::uniform3(0..AROUND.len()),
        around in prop::collection::vec((0..3_usize, prop::bool::weighted(0.95)), 1..24),
        inside in prop::sample::select(vec!["1", "a", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", ""]),
    ) {
        let mut text = start.to_owned();
        text.extend(around.iter().map(|(kind, _)| AROUND[kinds[*kind]].0));
        text.push_str(inside);
        text.extend(around.iter().rev().filter(|(_, closes)| *closes).map(|(kind, _)| AROUND[kinds[*kind]].1));
        check(&text)?;
    }

    /// The same behind tokens that may make the scanner see strings, templates or regular expressions where there are
    /// none: what they hide would not be accounted for.
    #[test]
    fn nothing_hides_from_the_account(
        tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..4),
        before in prop::sample::select(TOKENS),
        gap in prop::sample::select(vec!["", " ", "\n"]),
        behind in prop::sample::select(vec!["/`/`", "/`/", "/`", "/'/'", "/a/`", "/a/g/`a/`", "`", "//`", "/*`", "\\'", "\\`"]),
        end in prop::sample::select(vec![";", "\n;", "\n", " "]),
    ) {
        let hidden = format!("{}1{}", "0 as([b=".repeat(11), "])=>c".repeat(11));
        check(&format!("{}{before}{gap}{behind}{end}x={hidden}", tokens.concat()))?;
    }
}

fn check(text: &str) -> Result<(), TestCaseError> {
    if let Demand::Refused(_) = survey(text).demand {
        return Ok(());
    }
    let mut work = 0;
    let mut readings = vec![Vec::new()];
    while let Some(decisions) = readings.pop() {
        let given = decisions.len();
        let mut scanner = Scanner::new(text, decisions);
        scanner.run();
        work = work.max(Nesting::new(text.len()).work_left - scanner.nesting.work_left);
        readings.extend(other_readings(&scanner, given));
    }
    let memory = u64::try_from(memory_of(text)).unwrap_or(u64::MAX);
    prop_assert!(memory < 4_096 + 256 * work, "{} bytes for {} of work:\n{}", memory, work, text);
    Ok(())
}
