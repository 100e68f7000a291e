//! Properties of preparing any text.

use isobox_core::{Code, program::Program};
use proptest::prelude::*;

use crate::preparing::prepare;

const TOKENS: &[&str] = &[
    "a",
    "b",
    "é",
    "😀",
    "0",
    "1n",
    "'s'",
    "\"t\"",
    "`",
    "${",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ">>",
    ";",
    ",",
    ".",
    "?.",
    "?",
    ":",
    "!",
    "=",
    "=>",
    "+",
    "-",
    "*",
    "/",
    "/x/",
    "++",
    "&&",
    "??",
    "...",
    "@",
    "#",
    "#p",
    "\n",
    "\r",
    "\r\n",
    "\u{2028}",
    " ",
    "\t",
    "// c\n",
    "/* c */",
    "/*\n*/",
    "async ",
    "await ",
    "function ",
    "class ",
    "enum ",
    "namespace ",
    "interface ",
    "type ",
    "declare ",
    "abstract ",
    "public ",
    "private ",
    "readonly ",
    "static ",
    "get ",
    "set ",
    "constructor",
    "import ",
    "export ",
    "default ",
    "from ",
    "as ",
    "satisfies ",
    "is ",
    "asserts ",
    "keyof ",
    "infer ",
    "extends ",
    "implements ",
    "in ",
    "of ",
    "let ",
    "const ",
    "var ",
    "new ",
    "return ",
    "throw ",
    "if(a)",
    "else ",
    "for(;;)",
    "while(a)",
    "do ",
    "try{",
    "catch(e){",
    "switch(a){",
    "case ",
    "yield ",
    "this",
    "super",
    "null",
    ": string",
    "<T>",
    "<T,>(a: T): T => a",
    "as const",
    "!.",
    "?:",
    "```",
    "```js\n",
    "\n```\n",
    "~~~",
    "'./a'",
    "\\",
    "\u{feff}",
    "#!x\n",
    "<!--",
    "-->",
    "\"use strict\"",
    "x as any\n(y)",
    "() => {}",
    "{ a: 1 }",
    "type A = 1;",
    "interface B {}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_preparation_panic(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..25)) {
        check(&tokens.concat())?;
    }

    #[test]
    fn no_string_makes_preparation_panic(text in "\\PC{0,60}") {
        check(&text)?;
    }

    #[test]
    fn statements_in_any_order_keep_their_places(
        statements in prop::collection::vec(prop::sample::select(STATEMENTS), 1..12),
        separators in prop::collection::vec(prop::sample::select(&["\n", "; ", "\r\n", ";\n\n"][..]), 12),
    ) {
        let text: String = statements.iter().zip(&separators).flat_map(|(statement, separator)| [*statement, *separator]).collect();
        prop_assert!(prepare(&Program::single(&text)).is_ok(), "{}", text);
        check(&text)?;
    }
}

const STATEMENTS: &[&str] = &[
    "let a: number = 1",
    "const é: { ß: '😀' } = { ß: '😀' }",
    "type A = string",
    "interface B {\n  a: string\n}",
    "f(a as any)",
    "declare const q: number",
    "function g<T>(x?: T): T { return x! }",
    "class C<T> implements D { private x: T; readonly y = 1 }",
    "var h = async (a: string): Promise<\n  void\n> => {}",
    "var i = <any>x",
    "if (a) b()",
    "export const j = 1",
    "for (const k of l as any) {}",
    "/* é */ m(`${n}`)",
    "'string'",
];

/// Checks that every remaining character is at its old place, or where the segments say.
fn check(text: &str) -> Result<(), TestCaseError> {
    let prepared = match prepare(&Program::single(text)) {
        Ok(prepared) => prepared,
        Err(failure) => {
            prop_assert_eq!(failure.code, Code::Syntax, "{:?}", failure);
            prop_assert!(
                failure.line.is_some_and(|line| line >= 1) && failure.column.is_some_and(|column| column >= 1)
            );
            return Ok(());
        }
    };
    if text.contains("enum") || text.contains("namespace") || text.contains("import") || text.contains("constructor") {
        return Ok(());
    }
    let file = &prepared.files[0];
    let source = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let original: Vec<Vec<char>> = source.split('\n').map(|line| line.chars().collect()).collect();
    let lines: Vec<&str> = file.code.split('\n').collect();
    // The wrapper of a body has lines of its own, even if the body starts in a fence.
    let is_wrapped = file.code.starts_with("async()=>{") || file.code.starts_with('(');
    let last = if file.first_line == 0 || is_wrapped { lines.len() - 1 } else { lines.len() };
    let header = usize::from(file.code.starts_with("async()=>{"));
    for (index, line) in lines.iter().enumerate().take(last).skip(header) {
        let number = (index as i32 + file.first_line).unsigned_abs();
        for (offset, character) in line.chars().enumerate() {
            let column = offset as u32 + 1;
            let segment = file.segments.iter().rev().find(|segment| segment.line == number && segment.column <= column);
            let (line, column) = match segment {
                Some(segment) => (segment.original_line, segment.original_column + column - segment.column),
                None => (number, column),
            };
            // Characters that may be added: `;return(`, `)`, and the call of the author's function, on line 0.
            if line == 0 || character.is_whitespace() || "();/return".contains(character) {
                continue;
            }
            let expected = original.get(line as usize - 1).and_then(|line| line.get(column as usize - 1));
            prop_assert_eq!(Some(&character), expected, "{:?}\n{}", text, file.code);
        }
    }
    Ok(())
}

#[test]
fn an_empty_fence_keeps_its_places() {
    for text in ["```js\n```", "```\n\n```", "```ts\nawait 1\n```"] {
        check(text).unwrap_or_else(|failure| panic!("{text:?}: {failure}"));
    }
}
