//! Preparing programs: every accepted form, its positions, and the errors for all others.

use std::collections::BTreeMap;

use isobox_core::{
    Code, Failure,
    program::{FaultKind, Import, Kind, Prepared, Program, Segment},
};

use crate::preparing::prepare;

fn single(source: &str) -> Prepared {
    prepare(&Program::single(source)).unwrap_or_else(|failure| panic!("{failure:?}\n{source}"))
}

fn failure(source: &str) -> Failure {
    match prepare(&Program::single(source)) {
        Err(failure) => failure,
        Ok(prepared) => panic!("{source}\nbecame\n{}", prepared.files[0].code),
    }
}

fn several(files: &[(&str, &str)]) -> Result<Prepared, Failure> {
    let entry = files[0].0;
    let files: BTreeMap<String, String> =
        files.iter().map(|(path, source)| ((*path).to_owned(), (*source).to_owned())).collect();
    prepare(&Program::new(files, entry)?)
}

/// Returns the place in the author's text for a place in the code.
fn original(segments: &[Segment], line: u32, column: u32) -> (u32, u32) {
    match segments.iter().rev().find(|segment| segment.line == line && segment.column <= column) {
        Some(segment) => (segment.original_line, segment.original_column + column - segment.column),
        None => (line, column),
    }
}

/// Returns the place in the author's text of the only occurrence of a needle in the prepared code.
fn origin_of(prepared: &Prepared, needle: &str) -> (u32, u32) {
    let file = &prepared.files[0];
    let offset = file.code.find(needle).unwrap_or_else(|| panic!("{needle} is not in\n{}", file.code));
    let before = &file.code[..offset];
    let line = before.matches('\n').count() as i32 + file.first_line;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) as u32 + 1;
    original(&file.segments, line.unsigned_abs(), column)
}

#[test]
fn every_form_becomes_a_function() {
    let cases = [
        ("return 1", "async()=>{\nreturn 1\n}"),
        ("const a = await f();\nreturn a;", "async()=>{\nconst a = await f();\nreturn a;\n}"),
        ("async () => 1", "async(...$isobox)=>{;return await((f)=>f(...$isobox))(\nasync () => 1)\n}"),
        ("() => { return 1 };\n", "async(...$isobox)=>{;return await((f)=>f(...$isobox))(\n() => { return 1 });\n\n}"),
        (
            "(async function () { return 1 })",
            "async(...$isobox)=>{;return await((f)=>f(...$isobox))(\n(async function () { return 1 }))\n}",
        ),
        ("(async () => 1)()", "async()=>{return(\n(async () => 1)())\n}"),
        (
            "async function main() {}",
            "async(...$isobox)=>{;return await main(...$isobox);\nasync function main() {}\n}",
        ),
        (
            "export function main() {}",
            "async(...$isobox)=>{;return await main(...$isobox);\n       function main() {}\n}",
        ),
        ("export const a = 1;\na", "async()=>{\n       const a = 1;;return(\na)\n}"),
        ("const a = 1;\nexport { a };\nreturn a", "async()=>{\nconst a = 1;\n;            \nreturn a\n}"),
        ("1 + 1", "async()=>{return(\n1 + 1)\n}"),
        ("'use strict'\n1", "async()=>{\n'use strict';return(\n1)\n}"),
        ("'done'", "async()=>{return(\n'done')\n}"),
        ("'use strict'", "async()=>{\n'use strict'\n}"),
        ("f() // a\n// b\ng(); // c", "async()=>{\nf();return( // a\n// b\ng()); // c\n}"),
        ("if (a) f()\ng()", "async()=>{\nif (a) f();return(\ng())\n}"),
        ("if (a) { f(); b } else { g() }", "async()=>{\nif (a) { f();  return(b) } else {  return(g()) }\n}"),
        (
            "if (a) b\nelse if (c)({ d })\nelse console.log(1)",
            "async()=>{\nif (a)  return(b)\nelse if (c) return(({ d }))\nelse console.log(1)\n}",
        ),
        ("if (a) f(); else console.log(1)", "async()=>{\nif (a) f(); else console.log(1)\n}"),
        ("if (a) { b = 1 } else { undefined }", "async()=>{\nif (a) { b = 1 } else { undefined }\n}"),
        ("if (a) return 1\nif (b) { c }", "async()=>{\nif (a) return 1\nif (b) { c }\n}"),
        (
            "switch (a) { case 1: 'x'; break; case 2: f(); default: [b] }",
            "async()=>{\nswitch (a) { case 1:  return('x'); break; case 2: f(); default:  return([b]) }\n}",
        ),
        ("const { a, b: c = 1 } = await f()", "async()=>{\nconst { a, b: c = 1 } = await f();return {a,c};\n}"),
        ("const [a, b] = await f()", "async()=>{\nconst [a, b] = await f();return [a,b];\n}"),
        ("const { a, ...b } = await f()", "async()=>{\nconst { a, ...b } = await f()\n}"),
        ("const { a } = f()", "async()=>{\nconst { a } = f()\n}"),
        (
            "type A = 1\nasync () => 1 as A",
            "async(...$isobox)=>{;\n;         ;return await((f)=>f(...$isobox))(\nasync () => 1     )\n}",
        ),
        (
            "interface A {}\nfunction f(): A {}",
            "async(...$isobox)=>{;return await f(...$isobox);\n;             \nfunction f()    {}\n}",
        ),
        (
            "const a = 1; function f() {}",
            "async(...$isobox)=>{;\nconst a = 1; function f() {};return await f(...$isobox);\n}",
        ),
        ("", "async()=>{\n\n}"),
        ("// nothing", "async()=>{\n// nothing\n}"),
        ("#!/usr/bin/env node\nreturn 1", "async()=>{\n///usr/bin/env node\nreturn 1\n}"),
        ("\u{feff}return 1", "async()=>{\nreturn 1\n}"),
        ("type A = string", "async()=>{\n;              \n}"),
        ("export {}", "async()=>{\n;        \n}"),
        ("a as string\n", "async()=>{return(\na          )\n\n}"),
        ("x <!--y", "async()=>{return(\nx < !--y)\n}"),
        ("'<!--' + `<!--`", "async()=>{return(\n'<!--' + `<!--`)\n}"),
    ];
    for (source, code) in cases {
        let prepared = single(source);
        assert_eq!(prepared.kind, Kind::Script, "{source}");
        assert_eq!(prepared.files[0].code, code, "{source}");
        assert_eq!(prepared.files[0].first_line, 0, "{source}");
        assert_eq!(prepare(&Program::single(source)).unwrap().to_javascript(), format!("({code})"));
    }
}

#[test]
fn a_default_export_stays_a_module() {
    let cases = [
        ("export default async () => 1", "export default async () => 1"),
        ("export default function (): number { return 1 }", "export default function ()         { return 1 }"),
        ("export default 1 as number", "export default 1          "),
        ("const a: 1 = 1; export { a as default }", "const a    = 1; export { a as default }"),
        ("export const a = 1; export default a", "export const a = 1; export default a"),
        ("export type A = 1; export default 1", ";                  export default 1"),
    ];
    for (source, code) in cases {
        let prepared = single(source);
        assert_eq!(prepared.kind, Kind::Module, "{source}");
        assert_eq!(prepared.files[0].code, code);
        assert_eq!(prepared.files[0].first_line, 1);
        assert_eq!(prepared.files[0].segments, []);
    }
}

#[test]
fn a_fence_is_taken_off_and_lines_keep_their_numbers() {
    for (source, code, first_line) in [
        ("```js\nreturn 1\n```", "async()=>{\nreturn 1\n\n}", 1),
        ("\n\n  ```typescript\nreturn 1\n  ```  \n\n", "async()=>{\nreturn 1\n\n}", 3),
        ("~~~\nreturn 1\n~~~", "async()=>{\nreturn 1\n\n}", 1),
        ("````ts title=\"x\"\nreturn 1\n````", "async()=>{\nreturn 1\n\n}", 1),
        ("```TS\r\nreturn 1\r\n```\r\n", "async()=>{\nreturn 1\r\n\n}", 1),
        ("```\n```", "async()=>{\n\n}", 1),
        ("```js\nexport default 1\n```", "export default 1\n", 2),
    ] {
        let prepared = single(source);
        assert_eq!(prepared.files[0].code, code, "{source}");
        assert_eq!(prepared.files[0].first_line, first_line, "{source}");
    }
    let failure = failure("```js\nconst a = 1;\nconst b = ;\n```");
    assert_eq!((failure.line, failure.column), (Some(3), Some(11)));
    assert_eq!(failure.details["source"], "const b = ;");
}

#[test]
fn what_is_put_in_does_not_move_what_the_author_wrote() {
    let prepared = single("f(); g(here)");
    assert_eq!(prepared.files[0].code, "async()=>{\nf();;return( g(here))\n}");
    assert_eq!(origin_of(&prepared, "g(here"), (1, 6));
    assert_eq!(origin_of(&prepared, "here"), (1, 8));
    let prepared = single("const x = () => <A>{ a: here }, y = there;");
    assert_eq!(origin_of(&prepared, "here"), (1, 25));
    assert_eq!(origin_of(&prepared, "there"), (1, 37));
    let prepared = single("é(); type É = 'ü'; ö(here)");
    assert_eq!(origin_of(&prepared, "here"), (1, 22));
}

#[test]
fn every_kind_of_line_end_is_counted_as_the_engine_counts_it() {
    let prepared = single("a\rb\r\nc /* x\ry */ + d\rreturn here");
    let file = &prepared.files[0];
    assert_eq!(file.code, "async()=>{\na\nb\r\nc /* x\ny */ + d\nreturn here\n}");
    assert_eq!(origin_of(&prepared, "here"), (5, 8));
    let prepared = single("const a = '\u{2028}', b = `\u{2029}`;\nreturn here");
    assert_eq!(prepared.files[0].segments, []);
    assert_eq!(origin_of(&prepared, "here"), (2, 8));
    let prepared = single("f() // one\u{2028}g(second)\nreturn here");
    assert_eq!(prepared.files[0].code, "async()=>{\nf() // one\ng(second)\nreturn here\n}");
    assert_eq!(origin_of(&prepared, "second"), (1, 14));
    assert_eq!(origin_of(&prepared, "here"), (2, 8));
}

#[test]
fn what_takes_more_than_erasing_is_lowered_in_place() {
    let source = "// a comment\nenum Color { Red, Green = 'g' }\nclass P { constructor(private x: number) {} }\n\
                  namespace N { export const y = 1 }\nconst z: number = here(Color.Red);\nthere(z)";
    let prepared = single(source);
    let file = &prepared.files[0];
    assert_eq!(prepared.kind, Kind::Script);
    assert!(file.code.contains("this.x=x"), "{}", file.code);
    assert!(file.code.contains(";return(\nthere(z))"), "{}", file.code);
    assert_eq!(origin_of(&prepared, "here("), (5, 19));
    assert_eq!(origin_of(&prepared, "there("), (6, 1));
    let fenced = single(&format!("```ts\n{source}\n```"));
    assert_eq!(origin_of(&fenced, "here("), (6, 19));
    let arrow = single("enum A { B }\nasync () => here(A.B)");
    assert_eq!(origin_of(&arrow, "here("), (2, 13));
    assert!(arrow.files[0].code.contains("return await("), "a function that ends the program is called");
    let module = single("const enum A { B }\nexport default () => here('é😀', A.B)");
    assert_eq!(module.kind, Kind::Module);
    assert_eq!(origin_of(&module, "A.B)"), (2, 33));
}

#[test]
fn files_import_each_other() {
    let prepared = several(&[
        ("main.ts", "import { twice, type Options } from './lib/math';\nimport log from \"./log.js\"\nconst o: Options = {};\ntwice(2)"),
        ("lib/math.ts", "import { base } from '../base';\nexport interface Options {}\nexport const twice = (n: number) => n * base;"),
        ("base/index.ts", "import '../lib/math.js';\nexport const base: number = 2;"),
        ("log.ts", "export default console.log;"),
        ("broken.ts", "((("),
    ])
    .unwrap();
    assert_eq!(prepared.kind, Kind::Module);
    let paths: Vec<&str> = prepared.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["main.ts", "lib/math.ts", "log.ts", "base/index.ts"]);
    let main = &prepared.files[0];
    assert_eq!(
        main.code,
        "import {twice} from \"./lib/math\";import {default as log} from \"./log.js\";export default(0,async()=>{\n\
         ;                                                \n;                         \nconst o          = {};;return(\n\
         twice(2))\n})"
    );
    assert_eq!(main.first_line, 0);
    let import = |specifier: &str, path: &str| Import { specifier: specifier.to_owned(), path: path.to_owned() };
    assert_eq!(main.imports, [import("./lib/math", "lib/math.ts"), import("./log.js", "log.ts")]);
    let math = &prepared.files[1];
    assert_eq!(math.imports, [import("../base", "base/index.ts")]);
    assert_eq!(math.first_line, 1);
    assert!(math.code.starts_with("import { base } from '../base';\n;  "), "{}", math.code);
}

#[test]
fn types_that_are_imported_vanish() {
    let prepared = several(&[
        ("main.ts", "import { A, b, C } from './x'; import { A as D } from './x'; export default b as A"),
        ("x.ts", "export interface A {}\nexport const b = 1;\ntype C = 1;\nexport { C }"),
    ])
    .unwrap();
    assert_eq!(
        prepared.files[0].code,
        "import {    b,   } from './x'; ;                             export default b     "
    );
    assert!(prepared.files[1].code.ends_with("export {   }"), "{}", prepared.files[1].code);
}

#[test]
fn re_exports_are_followed() {
    let files = |import: &'static str| {
        several(&[
            ("main.ts", import),
            ("index.ts", "export * from './a'; export { b as c } from './b'; export * as all from './b';"),
            ("a.ts", "export * from './index'; export const a = 1; export type T = 1"),
            ("b.ts", "export const b = 2"),
        ])
    };
    let prepared = files("import { a, c, all, T } from '.'; return [a, c, all]").unwrap();
    assert!(prepared.files[0].code.starts_with("import {a,c,all} from \".\";"), "{}", prepared.files[0].code);
    let failure = files("import { b } from './index'; return b").unwrap_err();
    assert_eq!(failure.message, "`./index` does not export `b`");
    assert_eq!((failure.line, failure.column), (Some(1), Some(10)));
}

#[test]
fn dynamic_imports_of_own_files_are_resolved() {
    let prepared =
        several(&[("main.ts", "const x = await import('./x');\nreturn x.y"), ("x.mjs", "export const y = 1")]).unwrap();
    assert_eq!(prepared.kind, Kind::Module);
    assert_eq!(prepared.files[0].imports[0].path, "x.mjs");
    assert!(prepared.files[0].code.starts_with("export default(0,async()=>{\n"));
}

#[test]
fn an_entry_that_is_imported_keeps_its_exports() {
    let prepared = several(&[
        ("main.ts", "import { b } from './b';\nexport const a = 1;\nexport default () => b()"),
        ("b.ts", "import { a } from './main';\nexport const b = () => a"),
    ])
    .unwrap();
    assert_eq!(prepared.kind, Kind::Module);
    assert_eq!(prepared.files.len(), 2);
    let prepared =
        several(&[("main.ts", "import './b';\nexport const a = 1;"), ("b.ts", "import { a } from './main';\na")])
            .unwrap();
    assert_eq!(prepared.files[0].code, "import './b';\nexport const a = 1;");
    for (entry, code) in [
        ("import './b';\nexport const a = 1;\nf(a)", "import './b';\nexport const a = 1;;export default(\nf(a))"),
        ("f()", ";export default(f())"),
        ("function f() {}", "function f() {}\nexport default f"),
        ("async () => 1", ";export default(async () => 1)"),
    ] {
        let prepared = several(&[("main.ts", entry), ("b.ts", "import './main'")]);
        let direct = several(&[("main.ts", &format!("{entry}\n;import './b'")), ("b.ts", "import './main'")]).unwrap();
        assert_eq!(prepared.unwrap().files.len(), if entry.contains("import") { 2 } else { 1 });
        assert!(
            direct.files[0].code.starts_with(code) || code.contains("\nexport default f"),
            "{}",
            direct.files[0].code
        );
    }
}

#[test]
fn imports_that_cannot_be_are_refused_where_they_stand() {
    let cases = [
        ("import fs from \"fsx\";\nreturn fs", "`fsx` cannot be imported", 1, 16),
        ("return z;\nimport { z } from 'zodx'", "`zodx` cannot be imported", 2, 19),
        ("import './x'", "`./x` cannot be imported", 1, 8),
        ("export * from 'x'", "`x` cannot be imported", 1, 15),
        ("import a = require('a');\nreturn a", "`a` cannot be imported", 1, 20),
    ];
    for (source, message, line, column) in cases {
        let failure = failure(source);
        assert_eq!(failure.code, Code::Syntax);
        assert_eq!(failure.message, message);
        assert_eq!((failure.line, failure.column), (Some(line), Some(column)), "{source}");
        let hint = failure.hint.unwrap();
        assert_eq!(hint, "only the program's own files can be imported; the tools are in `tools.…`");
    }
    let failure =
        several(&[("main.ts", "import { twise } from './m'; twise"), ("m.ts", "export const twice = 1")]).unwrap_err();
    assert_eq!(failure.message, "`./m` does not export `twise`");
    assert_eq!(failure.hint.as_deref(), Some("did you mean `twice`?"));
    let failure = several(&[("main.ts", "import m from './m'; m"), ("m.ts", "export const twice = 1")]).unwrap_err();
    assert_eq!(failure.message, "`./m` has no default export");
    let failure = several(&[("main.ts", "import './n'"), ("m.ts", "")]).unwrap_err();
    assert_eq!(failure.message, "there is no file `./n` in the program");
    let failure = several(&[("main.ts", "import './m'"), ("m.ts", "let a = 1;\nlet b = (;")]).unwrap_err();
    assert_eq!((failure.details["file"].as_str(), failure.line, failure.column), (Some("m.ts"), Some(2), Some(10)));
}

#[test]
fn what_the_engine_cannot_run_is_refused() {
    for (source, message, line, column) in [
        ("class C { d(@b e) {} }", "decorators of parameters are not available", 1, 13),
        ("export = 1", "`export =` is not available", 1, 1),
        ("return import.meta.url", "`import.meta` is not available", 1, 8),
        ("export default 1;\nif (a) return 2", "`return` stands outside of any function", 2, 8),
    ] {
        let failure = failure(source);
        assert_eq!(failure.message, message);
        assert_eq!((failure.line, failure.column), (Some(line), Some(column)), "{source}");
    }
}

#[test]
fn common_mistakes_are_recognised() {
    for (source, hint) in [
        ("def main():\n    return 1", "this looks like Python"),
        ("for x in y:\n    f(x)", "this looks like Python"),
        ("if a:\n  pass\nelif b:\n  pass", "this looks like Python"),
        ("x = None if y else True", "this looks like Python"),
        ("print \"x\"", "this looks like Python"),
        ("const x = 5 and 6;", "this looks like Python: JavaScript has `&&`"),
        ("return a or b", "this looks like Python: JavaScript has `&&`"),
        ("const x = not true;", "this looks like Python: JavaScript has `&&`"),
        ("x := 5", "this looks like Python: JavaScript has `&&`"),
        ("const x = y if z else w;", "this looks like Python: JavaScript has `&&`"),
        ("const a = 1\n# a comment\nreturn a", "this looks like Python"),
        ("x = f\"{a}\"", "this looks like Python"),
        ("Here is the program:\nreturn 1", "this looks like prose"),
        ("Sure!\n\n```js\nreturn 1\n```", "answer with the program alone"),
        ("Here:\n```js\nreturn 1\n```\nor\n```js\nreturn 2\n```", "one program in one fence"),
        ("```js\nreturn 1", "end the program with a line that holds ``` alone"),
        ("```js\nreturn 1\n```\nHope it helps", "answer with the program alone"),
        ("```js\nreturn 1\n```\n```js\nreturn 2\n```", "answer with one program in one fence"),
        ("```python\nx\n```", "write the program in JavaScript or TypeScript"),
        ("const a = “x”;", "use straight quotes"),
        ("if (a &lt; b) {}", "the text is escaped for HTML"),
        ("{\"code\": \"return 1\"}", "this is JSON, not a program"),
        ("{\"code\": \"return 1\"} done", "this looks like JSON"),
        ("const x = { a: [1, 2 };", "the `[` at line 1, column 16 is not closed before the `}` at line 1, column 22"),
        ("function f() {\n  return 1;\n", "the `{` at line 1, column 14 is never closed"),
        ("const s = 'abc;\nreturn s", "the string that starts at line 1, column 11 is not closed on its line"),
        ("const s = `abc ${x} ;\nreturn 1", "the template that starts at line 1, column 11 is never closed"),
        ("return 1 /* x", "the comment that starts at line 1, column 10 is never closed"),
        ("f());", "the `)` at line 1, column 4 closes nothing"),
        ("1: const a = 1;\n2: return a;", "the lines carry numbers"),
        ("+const a = 1;\n-return a;", "this looks like a diff"),
        ("return <div>x</div>;", "JSX is not available"),
        ("[1].forEach(x => { await f(x) })", "mark the function that holds it `async`"),
    ] {
        let failure = failure(source);
        assert_eq!(failure.code, Code::Syntax);
        let given = failure.hint.clone().unwrap_or_default();
        assert!(given.contains(hint), "{source}\n{failure:?}");
    }
}

#[test]
fn a_comment_may_hold_a_fence() {
    let prepared = single("/*\n```js\nx\n```\n*/\nreturn 1");
    assert_eq!(prepared.kind, Kind::Script);
}

#[test]
fn messages_say_what_was_found() {
    for (source, message) in [
        ("return 1 +", "the program ends too early"),
        ("const a = ;", "unexpected `;`"),
        ("if a", "expected `(` but found `a`"),
        ("function f() {", "expected `}` but found the end of the program"),
    ] {
        assert_eq!(failure(source).message, message);
    }
}

#[test]
fn paths_are_checked() {
    let files = |path: &str| BTreeMap::from([(path.to_owned(), String::new())]);
    for path in ["", "/a", "a/../b", "..", "a\\b", "a\nb", "a//b", "./a", &"a".repeat(201)] {
        let failure = Program::new(files(path), path).unwrap_err();
        assert_eq!(failure.kind, FaultKind::Config, "{path}");
    }
    assert_eq!(Program::new(files("a.ts"), "b.ts").unwrap_err().kind, FaultKind::Config);
    let many = (0..257).map(|number| (format!("{number}.ts"), String::new())).collect();
    assert_eq!(Program::new(many, "0.ts").unwrap_err().kind, FaultKind::Config);
    let program = Program::new(files("a/b.ts"), "a/b.ts").unwrap();
    assert_eq!((program.entry(), program.source_size(), program.files().len()), ("a/b.ts", 0, 1));
}
