//! The front end as its users see it: what becomes of a program of one or several files.

#![cfg(feature = "parser")]

use std::collections::BTreeMap;

use isobox_program::{Fault, Kind, Prepared, Program, prepare};

fn single(source: &str) -> String {
    let prepared = prepare(&Program::single(source)).unwrap_or_else(|fault| panic!("{source}\n-> {fault:?}"));
    prepared.files[0].code.clone()
}

fn refused(source: &str) -> Fault {
    prepare(&Program::single(source)).expect_err(source)
}

fn several(files: &[(&str, &str)]) -> Result<Prepared, Fault> {
    let map: BTreeMap<String, String> = files.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
    prepare(&Program::new(map, files[0].0).unwrap())
}

fn imports_of(prepared: &Prepared, path: &str) -> Vec<(String, String)> {
    let file = prepared.files.iter().find(|file| file.path == path).unwrap();
    file.imports.iter().map(|import| (import.specifier.clone(), import.path.clone())).collect()
}

#[test]
fn a_field_with_the_name_of_a_modifier_does_not_change_the_next_member() {
    for name in ["get", "set", "static", "static get", "readonly get"] {
        for kind in [": any", "?", "?: any"] {
            let code = single(&format!("class A {{ {name}{kind}\nx() {{}} }} return 1"));
            let word = name.split(' ').next_back().unwrap();
            assert!(code.contains(&format!("{word};")), "{code}");
        }
    }
    assert!(!single("class A { get\nx() {} } return 1").contains("get;"), "it is a getter in JavaScript");
}

#[test]
fn an_operator_that_binds_tighter_than_the_assertion_before_it_takes_the_whole_operand() {
    let code = single("return 1 + x as number * 2");
    assert!(code.contains("return (1 + x          ) * 2"), "{code}");
    let code = single("return x ** y as any ** 2");
    assert!(code.contains("return (x ** y       ) ** 2"), "{code}");
    let code = single("return [x < y as any as T + 5, a * b]");
    assert!(code.contains("[(x < y            ) + 5, a * b]"), "{code}");
    let fault = refused("return 1 < x as any + 2 as any * 3");
    assert_eq!(fault.message, "several type assertions in one expression need parentheses");
    assert_eq!(refused("return (1 as any) 2 * 3").place.unwrap().column, 18);
}

#[test]
fn programs_that_declare_a_function_and_do_not_call_it_run_it() {
    for (source, call) in [
        ("const n = 1\nasync function main() {}", ";return await main(...$isobox);"),
        ("const run = async () => 1 // last", ";return await run(...$isobox);"),
        ("export const run = async () => 1", ";return await run(...$isobox);"),
        ("const a = () => 1\nfunction b() { a() }", ";return await b(...$isobox);"),
        ("const x = 1\nasync () => x", ";return await((f)=>f(...$isobox))("),
        ("const main = () => 1\nmain", ";return await((f)=>f(...$isobox))("),
        ("module.exports = async () => 1", "return await((f)=>f(...$isobox))("),
        ("const z = 1; module.exports = { z, run() {} }", ";return await((o)=>o.run(...$isobox))("),
        ("main()\nfunction main() {}", "return(\nmain())"),
        ("const m = 1\nvoid main()\nfunction main() {}", ";return(\n     main())"),
    ] {
        let code = single(source);
        assert!(code.contains(call), "{source}\n-> {code}");
    }
    for source in [
        "function a() {}\nfunction b() {}",
        "function help(x) {}\nconst y = 1",
        "function clean() {}\nfor (const x of []) y()",
        "async function main() {}\nreturn 1",
        "async function main() {}\nfor (;;) main()",
    ] {
        assert!(!single(source).contains("return await"), "{source}");
    }
}

#[test]
fn programs_that_end_by_declaring_their_result_return_it() {
    for (source, end) in [
        ("const found = await f()", "const found = await f();return found;\n}"),
        ("export const result = f() as any // last", "       const result = f()       ;return result; // last\n}"),
        ("let output = f();\nfunction f() {}", "let output = f();;return output;\nfunction f() {}\n}"),
    ] {
        let code = single(source);
        assert!(code.ends_with(end), "{source}\n-> {code}");
    }
    for source in [
        "const x = 1",
        "const { a } = await f()",
        "const a = 1, result = 2",
        "const result = class {}",
        "await using result = await f()",
        "if (x) return 1\nconst result = await f()",
        "const result = await f()\nfor (;;) {}",
        "export const result = await f()\nexport default 1",
    ] {
        assert!(!single(source).contains("return result") && !single(source).contains("return x"), "{source}");
    }
}

#[test]
fn a_program_that_asks_whether_it_was_started_itself_was() {
    let code = single("function main() {}\nif (require.main === module) { main() }");
    assert!(code.contains("if (module       === module) { ;return(main()) }"), "{code}");
    assert!(code.starts_with("async(module={exports:{}},exports=module.exports)=>{"), "{code}");
    assert!(
        single("if (import.meta.main) main()\nfunction main() {}").contains("if (true            ) ;return(main())")
    );
    assert!(single("const module = 1\nreturn module").starts_with("async()=>{"));
}

#[test]
fn modules_of_node_are_imported_by_their_full_name() {
    let prepared = prepare(&Program::single("import path, { join } from 'path'; return path.sep + join('a')")).unwrap();
    assert_eq!(prepared.kind, Kind::Module);
    assert!(prepared.files[0].code.starts_with("import {default as path,join} from \"node:path\";export default(0,"));
    let code = single("import { inspect } from \"util\";\nexport default inspect(1)");
    assert_eq!(code, "import { inspect } from \"node:util\";\nexport default inspect(1)");
    assert!(single("return await import('timers/promises')").contains("import(\"node:timers/promises\")"));
    assert!(single("import util = require('util'); return util").contains("const  util = require('util')"));
}

#[test]
fn imports_that_no_code_uses_are_erased_as_types() {
    let code =
        single("import { z } from 'zod'; import fs from 'fs'; let x: z.Type; class A implements fs.B {} return 1");
    assert!(!code.contains("zod") && !code.contains("import"), "{code}");
    let code = single("import fs = require('fs'); let x: fs.Stats; return 1");
    assert!(!code.contains("require") && !code.contains("import"), "{code}");
    assert_eq!(refused("import fs = require('fs'); return fs").place.unwrap().column, 21);
    assert_eq!(refused("import { z } from 'zod'; return z").place.unwrap().column, 19);
    assert!(refused("import axios from 'axios'; return axios").hint.unwrap().contains("call a tool"));
    assert!(refused("import 'left-pad'").hint.unwrap().starts_with("only the program's own files"));
}

#[test]
fn json_files_are_modules_with_a_default_export() {
    let main = "import data from './data.json' with { type: 'json' };\nexport default data";
    let prepared = several(&[("main.ts", main), ("data.json", "{ \"__proto__\": 1 }")]).unwrap();
    assert_eq!(
        prepared.files[0].code,
        format!("import data from './data.json'{};\nexport default data", " ".repeat(22))
    );
    assert_eq!(prepared.files[1].code, "export default JSON.parse(\"{ \\\"__proto__\\\": 1 }\")");
    let fault = several(&[("main.ts", main), ("data.json", "{\n  a: 1 }")]).unwrap_err();
    assert_eq!(fault.message, "the file is not JSON: key must be a string");
    assert_eq!(fault.place.map(|place| (place.file, place.line, place.column)), Some(("data.json".into(), 2, 3)));
    let fault =
        several(&[("main.ts", "import a from './a' with { type: 'json' }; return a"), ("a.ts", "export default 1")]);
    assert_eq!(fault.unwrap_err().message, "`./a` is no JSON file");
    assert_eq!(refused("import './a' with { type: 'css' }").message, "the only import attribute is `type: \"json\"`");
}

#[test]
fn computed_imports_reach_every_file_by_its_usual_names() {
    let files = [("lib/main.ts", "return import(name)"), ("lib/a.ts", ""), ("b/index.js", ""), ("lib/d.json", "1")];
    let imports = imports_of(&several(&files).unwrap(), "lib/main.ts");
    for (specifier, path) in [
        ("./a", "lib/a.ts"),
        ("./a.ts", "lib/a.ts"),
        ("./a.js", "lib/a.ts"),
        ("../b", "b/index.js"),
        ("../b/index.js", "b/index.js"),
        ("./d.json", "lib/d.json"),
    ] {
        assert!(imports.contains(&(specifier.to_owned(), path.to_owned())), "{specifier} in {imports:?}");
    }
    assert!(several(&[("main.ts", "return import(`./a`)"), ("a.ts", "")]).unwrap().files.len() == 2);
    let many: Vec<(String, String)> = (0..100).map(|index| (format!("f{index}.ts"), "import(x)".to_owned())).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert!(several(&many).unwrap_err().message.contains("too many"));
}

#[test]
fn mistakes_in_files_that_are_only_imported_at_run_time_are_thrown_there() {
    let prepared = several(&[("main.ts", "return import('./a')"), ("a.ts", "let x = ;")]).unwrap();
    assert!(prepared.files[1].code.starts_with("throw new SyntaxError(\"a.ts:1:"), "{}", prepared.files[1].code);
    let files =
        [("main.ts", "return import('./a')"), ("a.ts", "import { x } from './b'; export { x }"), ("b.ts", "export {}")];
    let prepared = several(&files).unwrap();
    assert!(prepared.files[1].code.contains("`./b` does not export `x`"), "{}", prepared.files[1].code);
    assert!(several(&[("main.ts", "import './a'; return import('./a')"), ("a.ts", "let x = ;")]).is_err());
    assert!(several(&[("main.ts", "return import('./missing').catch(() => 1)"), ("a.ts", "")]).is_ok());
}

#[test]
fn names_behind_export_all_are_listed() {
    let main = "import { y } from './a'; return y";
    let files = [
        ("main.ts", main),
        ("a.ts", "export * from './b'; export * from './a'"),
        ("b.ts", "export const first = 1, last = 2"),
    ];
    assert_eq!(several(&files).unwrap_err().hint.as_deref(), Some("it exports `first`, `last`"));
}

#[test]
fn exports_of_types_only_are_erased() {
    assert!(single("namespace N { export type T = 1 }\nexport { N };\nexport default 1").contains("export {   };"));
    assert!(single("type A = 1; export type { A as default }\nreturn 1").starts_with("async()=>{"));
    assert!(single("interface A {} export { A as default }\nreturn 1").starts_with("async()=>{"));
}

#[test]
fn line_separators_in_the_names_of_files_stay() {
    let files = [("main.ts", "import './a\u{2028}b.ts';\nexport default 1"), ("a\u{2028}b.ts", "")];
    assert!(several(&files).unwrap().files[0].code.contains("'./a\u{2028}b.ts'"));
}

#[test]
fn a_class_that_is_exported_by_default_is_not_called() {
    assert_eq!(single("export default class A {}"), ";              class A {}");
    assert_eq!(single("export default class {}"), ";(class {})");
}

#[test]
fn setters_may_have_default_values() {
    single("class A { set x(v = 1) {} } return { set y(v = 2) {} }");
}

#[test]
fn decorated_class_expressions_that_cannot_be_moved_into_a_function_are_refused() {
    let suspended = "`await` and `yield` are not available in a class expression that has decorators";
    for source in [
        "const C = @d class extends (await base()) {}",
        "const C = class { @d [await name()]() {} }",
        "const C = class { @(await d()) m() {} }",
        "function* f() { return @d class { static [yield] = 1 } }",
    ] {
        assert_eq!(refused(source).message, suspended, "{source}");
    }
    single("const C = @(await d()) class { async m() { await 1 } static f = async () => await 2 }");
    let fault = refused("const o = { [key()]: @d class {} }");
    assert_eq!(fault.message, "a class with decorators needs a name if the name of its property is computed");
    single("const o = { [key()]: @d class C {} }");
}

#[test]
fn only_programs_with_decorators_or_computed_accessors_get_their_functions() {
    let header = |source: &str| single(source).lines().next().unwrap_or_default().to_owned();
    assert_eq!(header("class C { accessor x = 1; static y = 2 } return '@'"), "async()=>{");
    assert!(header("class C { accessor [x] = 1 } return 1").starts_with("async()=>{let $k;const $n="));
    let decorated = header("@d class C {} return 1");
    assert!(decorated.starts_with("async()=>{const $d = (decorators, define) => {"), "{decorated}");
    assert!(!decorated.contains("//") && !decorated.contains("$decorate"), "{decorated}");
}

#[test]
fn a_decorated_class_is_exported_by_imported_files_and_not_by_the_entry() {
    let code = |source: &str| {
        let prepared = several(&[("main.ts", "import C from './c'; return C"), ("c.ts", source)]).unwrap();
        prepared.files.iter().find(|file| file.path == "c.ts").unwrap().code.clone()
    };
    for source in ["export default @d class {}", "@d export default class {}", "export default class { @d m() {} }"] {
        let code = code(source);
        assert_eq!(code.matches("export").count(), 1, "{code}");
        assert!(code.contains("export default $d("), "{code}");
        assert!(!single(source).contains("export"), "{source}");
    }
    assert!(code("@d export default class C {}").contains("export{C as default};"));
    assert!(!single("@d export default class C {}").contains("export"));
}
