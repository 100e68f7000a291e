//! Modules of the host: how they are linked, and how programs import them.

#![cfg(feature = "parser")]

use std::borrow::Cow;
use std::collections::BTreeMap;

use isobox_program::{Fault, FaultKind, Interface, LinkedModule, Module, Preparation, Prepared, Program, link, survey};
use serde_json::json;

fn code(specifier: &str, source: &str) -> Module {
    Module::code(specifier, source).unwrap()
}

fn linked(modules: &[Module]) -> Vec<LinkedModule> {
    link(modules).unwrap_or_else(|fault| panic!("{fault:?}"))
}

fn prepare(source: &str, modules: &[Module]) -> Result<Prepared, Fault> {
    let interfaces: Vec<Interface> = linked(modules).into_iter().map(|module| module.interface).collect();
    let program = Program::single(source);
    let preparation = Preparation { modules: Cow::Owned(interfaces), ..Preparation::new(&program) };
    Ok(survey(&preparation)?.program)
}

fn csv() -> Module {
    code("csv", "export function parse(text: string): string[][] { return [[text]] }\nexport const version = '1'")
}

#[test]
fn a_module_is_imported_by_its_specifier() {
    let prepared = prepare("import { parse } from 'csv'\nreturn parse('a')", &[csv()]).unwrap();
    assert_eq!(prepared.files.len(), 1);
    assert!(prepared.files[0].code.starts_with("import {parse} from \"csv\";"), "{}", prepared.files[0].code);
    assert_eq!(
        (prepared.files[0].imports[0].specifier.as_str(), prepared.files[0].imports[0].path.as_str()),
        ("csv", "csv")
    );
    for source in [
        "import * as csv from 'csv'\nreturn csv.parse('a')",
        "import type { Row } from 'csv'\nimport { parse } from 'csv'\nreturn parse('a') as Row",
        "import { Row, parse } from 'csv'\nconst row: Row = parse('a'); return row",
        "const csv = await import('csv'); return csv.parse('a')",
        "import { parse } from 'csv'\nexport default () => parse('a')",
    ] {
        let prepared = prepare(source, &[csv()]).unwrap_or_else(|fault| panic!("{source}: {fault:?}"));
        assert_eq!(prepared.files[0].imports[0].path, "csv", "{source}");
    }
}

#[test]
fn a_module_is_required_too() {
    let prepared = prepare("const { parse } = require('csv')\nreturn parse('a')", &[csv()]).unwrap();
    assert!(prepared.files[0].code.contains("import * as $0 from \"csv\";"), "{}", prepared.files[0].code);
    assert!(prepared.files[0].code.contains("const { parse } = $0\n"), "{}", prepared.files[0].code);
    let only = code("only", "export default 7");
    let prepared = prepare("return require('only')", &[only]).unwrap();
    assert!(prepared.files[0].code.contains("return $0.default"), "{}", prepared.files[0].code);
    let own = prepare("const f = (require) => require('csv'); return f(() => 1)", &[csv()]).unwrap();
    assert!(own.files[0].code.contains("require('csv')"), "a program may have its own `require`");
}

#[test]
fn what_there_is_is_said_about_what_there_is_not() {
    let fault = prepare("import x from 'csv2'\nreturn x", &[csv()]).unwrap_err();
    assert_eq!(
        (fault.message.as_str(), fault.hint.as_deref()),
        ("`csv2` cannot be imported", Some("did you mean `csv`?"))
    );
    let fault = prepare("import x from 'left-pad'\nreturn x", &[csv()]).unwrap_err();
    assert_eq!(fault.hint.as_deref(), Some("the modules here are `csv`"));
    let fault = prepare("import { parze } from 'csv'\nreturn parze", &[csv()]).unwrap_err();
    assert_eq!(fault.message, "`csv` does not export `parze`");
    assert_eq!(fault.hint.as_deref(), Some("did you mean `parse`?"));
    let fault = prepare("import csv from 'csv'\nreturn csv", &[csv()]).unwrap_err();
    assert_eq!(fault.message, "`csv` has no default export");
    let files = BTreeMap::from([("main.ts".to_owned(), "return 1".to_owned()), ("csv".to_owned(), String::new())]);
    let program = Program::new(files, "main.ts").unwrap();
    let interface = linked(&[csv()]).remove(0).interface;
    let preparation = Preparation { modules: Cow::Owned(vec![interface]), ..Preparation::new(&program) };
    assert_eq!(survey(&preparation).unwrap_err().kind, FaultKind::Config);
}

fn csv_exports() -> [String; 2] {
    ["parse".to_owned(), "version".to_owned()]
}

#[test]
fn what_a_module_passes_on_is_known_before_it_runs() {
    let all = code("all", "export * from 'csv'\nexport * from 'more'\nexport const own = 1");
    let more = code("more", "export * from 'csv'\nexport default 1\nexport const parse = 2, other = 3");
    let modules = [all, csv(), more];
    assert_eq!(linked(&modules)[0].interface.exports, ["own", "parse", "version", "other"]);
    assert!(prepare("import { other, version } from 'all'\nreturn [other, version]", &modules).is_ok());
    let fault = prepare("const x = 1\nimport { nothere } from 'all'\nreturn nothere", &modules).unwrap_err();
    assert_eq!(fault.message, "`all` does not export `nothere`");
    assert_eq!(fault.hint.as_deref(), Some("did you mean `other`?"));
    assert_eq!(fault.place.map(|place| (place.line, place.column)), Some((2, 10)));
    let node = [code("node", "export * from 'path'")];
    assert!(linked(&node)[0].interface.is_open);
    assert!(prepare("import { join } from 'node'\nreturn join('a')", &node).is_ok());
}

#[test]
fn a_file_passes_on_what_a_module_exports() {
    let files = BTreeMap::from([
        ("main.ts".to_owned(), "import { parze } from './all'\nexport default () => parze".to_owned()),
        ("all.ts".to_owned(), "export * from 'csv'".to_owned()),
    ]);
    let program = Program::new(files, "main.ts").unwrap();
    let interface = linked(&[csv()]).remove(0).interface;
    let preparation = Preparation { modules: Cow::Owned(vec![interface]), ..Preparation::new(&program) };
    assert_eq!(survey(&preparation).unwrap_err().hint.as_deref(), Some("did you mean `parse`?"));
}

#[test]
fn a_name_with_swapped_letters_is_the_one_that_is_meant() {
    let fault = prepare("import x from 'cvs'\nreturn x", &[code("cjs", ""), csv()]).unwrap_err();
    assert_eq!(fault.hint.as_deref(), Some("did you mean `csv`?"));
}

#[test]
fn modules_import_each_other_and_the_modules_of_node() {
    let modules = linked(&[
        code(
            "rows",
            "import { parse } from 'csv'\nimport path from 'path'\nexport const rows = (t) => parse(t).map(path.basename)",
        ),
        csv(),
        code("all", "export * from 'csv'"),
    ]);
    assert_eq!(modules[0].file.imports[0].path, "csv");
    assert!(modules[0].file.code.contains("node:path"), "{}", modules[0].file.code);
    assert_eq!((modules[2].interface.exports.as_slice(), modules[2].interface.is_open), (&csv_exports()[..], false));
    let fault = link(&[code("a", "import './b'")]).unwrap_err();
    assert_eq!(fault.place.unwrap().file, "a");
}

#[test]
fn a_module_with_a_mistake_has_a_place() {
    let fault = link(&[csv(), code("bad", "export const x = 1\nexport const y = ;")]).unwrap_err();
    let place = fault.place.unwrap();
    assert_eq!((place.file.as_str(), place.line), ("bad", 2));
    let fault = link(&[code("bad", "import { nope } from 'csv'\nexport const x = nope"), csv()]).unwrap_err();
    assert_eq!((fault.message.as_str(), fault.place.unwrap().line), ("`csv` does not export `nope`", 1));
}

#[test]
fn modules_that_import_each_other_in_a_circle_are_refused() {
    let fault = link(&[
        code("a", "export const x = 1\nimport 'b'"),
        code("b", "import 'c'"),
        code("c", "\nimport { x } from 'a'\nexport const y = x"),
    ])
    .unwrap_err();
    assert_eq!(fault.message, "modules import each other in a circle: a → b → c → a");
    let place = fault.place.unwrap();
    assert_eq!((place.file.as_str(), place.line), ("c", 2));
    let fault = link(&[code("self", "import 'self'")]).unwrap_err();
    assert!(fault.message.contains("self → self"), "{}", fault.message);
}

#[test]
fn a_value_is_its_default_export_and_its_properties_are_exports() {
    let module = Module::json("config", json!({ "limit": 3, "a-b": 1, "class": 2, "__proto__": [1, 2] })).unwrap();
    let linked = linked(std::slice::from_ref(&module)).remove(0);
    assert_eq!(linked.interface.exports, ["default", "limit", "__proto__"]);
    let prepared = prepare("import config, { limit } from 'config'\nreturn [config, limit]", &[module]).unwrap();
    assert_eq!(prepared.files[0].imports[0].path, "config");
    let list = Module::json("list", json!([1])).unwrap();
    assert_eq!(self::linked(&[list]).remove(0).interface.exports, ["default"]);
}

#[test]
fn types_are_those_of_the_host_or_derived_from_the_exports() {
    let given = csv().types("export function parse(text: string): Row[];");
    assert_eq!(linked(&[given]).remove(0).types, "export function parse(text: string): Row[];");
    let module = code(
        "kit",
        "interface Row { id: number }\nexport function rows(text: string, max = 3, ...rest): Row[] { return [] }\n\
         export async function load(id) { return id }\nexport const LIMIT = 5, name: string = f();\n\
         export const pick = (row: Row) => row.id\nexport class Box {}\nexport default { a: 1 }",
    );
    assert_eq!(
        linked(&[module]).remove(0).types,
        "interface Row { id: number }\n\
         export function rows(text: string, max?: any, ...rest: any[]): Row[];\n\
         export function load(id: any): Promise<unknown>;\n\
         export const LIMIT: number;\nexport const name: string;\n\
         export function pick(row: Row): unknown;\n\
         export const Box: new (...args: any[]) => any;\n\
         const value: unknown;\nexport default value;\n"
    );
    let value = Module::json("config", json!({ "a": [1, 2], "b": { "c": "x" } })).unwrap();
    assert_eq!(
        linked(&[value]).remove(0).types,
        "export const a: number[];\nexport const b: { c: string };\n\
         const value: { a: number[]; b: { c: string } };\nexport default value;\n"
    );
}

#[test]
fn the_type_of_a_default_export_is_that_of_what_it_names() {
    let types = |source: &str| linked(&[code("kit", source)]).remove(0).types;
    assert_eq!(
        types("function parse(text: string): string[] { return [text] }\nexport default parse"),
        "const value: (text: string) => string[];\nexport default value;\n"
    );
    assert_eq!(
        types("const load = async (id: number) => id\nclass Box {}\nexport { load as default, Box, load as class }"),
        "export const Box: new (...args: any[]) => any;\n\
         const value: (id: number) => Promise<unknown>;\nexport default value;\n"
    );
    assert_eq!(
        types("export default class {}\nexport const value = 1"),
        "export const value: number;\nconst value_: new (...args: any[]) => any;\nexport default value_;\n"
    );
    assert_eq!(
        types("const a = b, b = a\nexport default a"),
        "const value: unknown;\nexport default value;\n",
        "a constant that is another name is not followed"
    );
    let value = Module::json("config", json!({ "value": 1 })).unwrap();
    assert_eq!(
        linked(&[value]).remove(0).types,
        "export const value: number;\nconst value_: { value: number };\nexport default value_;\n"
    );
}

#[test]
fn specifiers_that_mean_something_else_are_refused() {
    for specifier in ["", "./a", "../a", "/a", "node:x", "path", "a b", "a\"b", "https://x/y", "a*"] {
        assert_eq!(Module::code(specifier, "").unwrap_err().kind, FaultKind::Config, "{specifier}");
    }
    for specifier in ["csv", "@acme/csv", "a.b", "lib/v2"] {
        assert!(Module::code(specifier, "").is_ok(), "{specifier}");
    }
    assert!(Module::code("a", "x".repeat(Module::MAXIMUM_SOURCE + 1)).is_err());
}
