//! What the front end sees of the tool calls of a program.

#![cfg(feature = "parser")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use isobox_program::{
    Extent, Handling, Interface, Literal, Name, Preparation, Program, Promised, Reach, SeenCall, Survey, survey,
};
use serde_json::json;

fn seen(source: &str) -> Vec<SeenCall> {
    survey_of(&Program::single(source), &[]).calls
}

fn survey_of(program: &Program, namespaces: &[&str]) -> Survey {
    let namespaces: Vec<String> = namespaces.iter().map(|name| (*name).to_owned()).collect();
    let preparation = Preparation { namespaces: Some(Cow::Owned(namespaces)), ..Preparation::new(program) };
    let surveyed = survey(&preparation).unwrap_or_else(|fault| panic!("{fault:?}"));
    Arc::unwrap_or_clone(surveyed.survey)
}

fn only(source: &str) -> SeenCall {
    let mut calls = seen(source);
    assert_eq!(calls.len(), 1, "{source}: {calls:?}");
    calls.remove(0)
}

fn paths(source: &str) -> Vec<String> {
    seen(source).into_iter().map(|call| call.path).collect()
}

#[test]
fn paths_are_read_from_members_and_literals() {
    assert_eq!(paths("await tools.a.b({}); await tools['c-d'].e(); await tools()"), ["a.b", "c-d.e", ""]);
    let call = only("const x = 1;\n  await tools.mail.send({ to: 'a' })");
    assert_eq!((call.place.line, call.place.column), (2, 20));
    assert_eq!(call.arguments, Some(vec![Literal::Value(json!({ "to": "a" }))]));
}

#[test]
fn nothing_is_said_about_paths_that_are_not_certain() {
    for source in [
        "await tools[name]()",
        "await tools['\\ud800']()",
        "tools.a.then(f)",
        "return tools.a.toString() + tools.valueOf()",
        "return tools.a.toString.call(1)",
        "const { toString } = tools.a; return toString()",
        "namespace N { export const tools = { a: () => 1 } } namespace N { export const x = tools.a() } return N.x",
        "await tools?.a()",
        "await tools.a?.()",
        "const tools = { a() {} }; await tools.a()",
        "const run = (tools) => tools.a(); await run({ a() {} })",
        "function f({ tools }) { return tools.a() } f({})",
        "let t = tools; await t.a()",
        "for (const tools of []) { await tools.a() }",
        "try { x } catch (tools) { tools.a() }",
        "tools = { a() {} }; await tools.a()",
        "Object.defineProperty(globalThis, 'tools', {}); await tools.a()",
        "await codemode.search('x'); await tools.codemode.search('x')",
        "await other.a(); console.log(1); send({})",
        "type T = typeof tools.a; const x = 1 as unknown as T; return typeof tools.a",
    ] {
        assert_eq!(paths(source), Vec::<String>::new(), "{source}");
    }
}

#[test]
fn a_name_means_the_declaration_around_it() {
    assert_eq!(paths("const f = (tools) => tools.a(); f({}); await tools.b()"), ["b"]);
    assert_eq!(paths("{ let tools = {}; tools.a() } await tools.b()"), ["b"]);
    assert_eq!(paths("if (x) { var tools = {} } await tools.b()"), Vec::<String>::new());
    assert_eq!(paths("await run(); async function run() { await tools.b() }"), ["b"]);
}

#[test]
fn constants_that_are_tools_are_followed() {
    assert_eq!(paths("const gh = tools.github; await gh.issues.list()"), ["github.issues.list"]);
    assert_eq!(paths("const { github, slack: s } = tools; await github.a(); await s.b()"), ["github.a", "slack.b"]);
    assert_eq!(paths("const t = tools; const { a } = t; await a.b()"), ["a.b"]);
    assert_eq!(paths("const a = a; a.b()"), Vec::<String>::new());
    assert_eq!(paths("namespace N { export const gh = tools.a; export const x = gh.b() } return N.x"), ["a.b"]);
}

#[test]
fn namespaces_that_are_globals_are_tools() {
    let program = Program::single("await github.list(); await other.list(); { const github = {}; github.no() }");
    let calls = survey_of(&program, &["github"]).calls;
    assert_eq!(calls.iter().map(|call| call.path.as_str()).collect::<Vec<_>>(), ["github.list"]);
}

#[test]
fn arguments_are_known_as_far_as_they_are_literal() {
    let argument = |source: &str| only(&format!("await tools.a({source})")).arguments.unwrap().remove(0);
    assert_eq!(
        argument("{ a: 1, b: -2.5, c: [true, null], d: `x` }"),
        Literal::Value(json!({
            "a": 1, "b": -2.5, "c": [true, null], "d": "x"
        }))
    );
    assert_eq!(argument("{ a: undefined, b: 1 }"), Literal::Value(json!({ "b": 1 })));
    assert_eq!(argument("x"), Literal::Unknown);
    assert_eq!(argument("`${x}`"), Literal::Text);
    let object = |entries: &[(&str, Literal)], extent| {
        Literal::Object(entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(), extent)
    };
    let one = Literal::Value(json!(1));
    assert_eq!(argument("{ x }"), object(&[("x", Literal::Unknown)], Extent::Closed));
    assert_eq!(argument("{ a: 1, ...x }"), object(&[("a", Literal::Unknown)], Extent::Open));
    assert_eq!(argument("{ ...x, a: 1 }"), object(&[("a", one.clone())], Extent::Open));
    assert_eq!(argument("{ [k]: 2, a: 1 }"), object(&[("a", one.clone())], Extent::Open));
    assert_eq!(argument("[1, x]"), Literal::Array(vec![one.clone(), Literal::Unknown], Extent::Closed));
    assert_eq!(argument("[...x, 1]"), Literal::Array(vec![one], Extent::Open));
    for unknown in ["{ __proto__: x }", "{ toJSON() { return 1 } }", "new Date()", "{ ['__proto__']: 1 }.x"] {
        assert_eq!(argument(unknown), Literal::Unknown, "{unknown}");
    }
    assert_eq!(only("await tools.a(...x)").arguments, None);
    assert_eq!(only("await tools.a()").arguments, Some(vec![]));
}

#[test]
fn a_large_program_is_surveyed_within_bounds() {
    let many = "await tools.a({ x: [1, 2, 3] });\n".repeat(2_000);
    assert_eq!(seen(&many).len(), 256);
    let large = format!("await tools.a({{ {} }})", (0..20_000).map(|n| format!("k{n}: {n},")).collect::<String>());
    assert_eq!(only(&large).arguments, Some(vec![Literal::Unknown]));
    let text = format!("await tools.a('{}')", "x".repeat(1 << 20));
    assert_eq!(only(&text).arguments, Some(vec![Literal::Text]));
}

#[test]
fn a_failure_that_some_code_may_handle_is_handled() {
    for source in [
        "try { await tools.a() } catch {}",
        "await tools.a().catch(() => 1)",
        "await tools.a().then((x) => x).catch(() => 1)",
        "await tools.a().then((x) => x, () => 1)",
        "return await Promise.allSettled([tools.a()])",
        "return await Promise.race([tools.a(), 1])",
        "const f = async () => await tools.a(); try { await f() } catch {}",
        "async function main() { await tools.a() }\nmain().catch(console.error)",
        "const p = tools.a(); try { await p } catch {}",
        "const safe = (p) => p.catch(() => null); return await safe(tools.a())",
        "(async () => { await tools.a() })().catch(() => 1)",
        "try { await Promise.all([1].map((x) => tools.a(x))) } catch { return 1 }",
        // A `finally` that is left forgets the error.
        "try { await tools.a() } finally { return 5 }",
        "while (true) { try { await tools.a() } finally { break } }",
        "do { try { await tools.a() } finally { if (x) continue } } while (y)",
        "out: { try { await tools.a() } finally { break out } }",
        "try { x() } catch { await tools.a() } finally { return 5 }",
        "const f = async () => await tools.a(); try { await f() } finally { return 1 }",
        // The program goes on whatever becomes of the promise.
        "tools.a().then(f); return 1",
        "void tools.a().then(f).finally(g); return 1",
        "Promise.all([tools.a()]); return 1",
        // Other ways to write the same.
        "return await Promise['allSettled']([tools.a()])",
        "return await Promise[`allSettled`]([tools.a()])",
        "const { allSettled } = Promise; return await allSettled.call(Promise, [tools.a()])",
        "const P = Promise; return await P.any([tools.a()])",
        "return await Promise[how]([tools.a()])",
        "return await tools.a().then(...handlers)",
        "return await tools.a()['catch'](f)",
        "return await tools.a()[how](f)",
    ] {
        assert_eq!(only(source).handling, Handling::Handled, "{source}");
    }
    for source in [
        "await tools.a()",
        "try { x() } catch {} await tools.a()",
        "try { await tools.a() } finally { y() }",
        "try { await tools.a() } finally { y(() => { return 1 }) }",
        "try { x() } catch {} return tools.a()",
        "try { x() } catch {} await Promise.all([tools.a()])",
        "try { x() } catch {} await (async () => { await tools.a() })()",
        "async () => { try { x() } catch {} return await tools.a() }",
        "export default async function main() { try { x() } catch {} await tools.a() }",
        "const f = async () => await tools.a(); await f()",
        "await tools.a().then(f)",
        "tools.a().then(f)",
    ] {
        assert_eq!(only(source).handling, Handling::Unhandled, "{source}");
    }
}

#[test]
fn calls_in_branches_are_not_certain_and_dead_ones_are_not_seen() {
    for source in [
        "if (x) await tools.a()",
        "if (x) {} else { await tools.a() }",
        "return x ? 1 : await tools.a()",
        "x && await tools.a()",
        "x ?? await tools.a()",
        "switch (x) { case 1: await tools.a() }",
        "try { x() } catch { await tools.a() }",
        "const f = async (x = tools.a()) => x; await f()",
        "setTimeout(async () => { await tools.a() }, 10); return 1",
        "const found = await codemode.search('x'); if (!found.total) return 1; await tools.a()",
        "const found = await codemode.search('x'); if (!found.total) throw 1; await tools.a()",
        "if (typeof tools.a !== 'function') return 1; await tools.a()",
        // Something before may leave.
        "if (!x) return 1; await tools.a()",
        "for (const x of y) { if (x) return 1 } await tools.a()",
        "{ { if (x) return 1 } } await tools.a()",
        "do { if (x) break; await tools.a() } while (z)",
        "for (const x of [1, 2]) { if (x > 1) continue; await tools.a() }",
        "while (true) { switch (x) { case 1: continue } await tools.a(); break }",
        "out: { if (x) break out; await tools.a() }",
        "try { x(); await tools.a() } catch {}",
        // A loop may have no turns.
        "for (const x of y) await tools.a()",
        "for (const x of [...y]) await tools.a()",
        "for (const x in y) await tools.a()",
        "for (let i = 0; i < n; i++) await tools.a()",
        "for (let i = 0; ; i += (await tools.a()).n) break",
        "while (x()) { await tools.a() }",
        // Other code decides whether a function is called.
        "await Promise.all(y.map((x) => tools.a(x)))",
        "await x.then(() => tools.a())",
        "class A { async m() { await tools.a() } } await new A().m()",
        "class A { x = tools.a() } return new A().x",
        "const o = { m: () => tools.a() }; return await o.m()",
        "const o = { async m() { await tools.a() } }; return await o.m()",
        "const f = async () => { await tools.a() }; return await g(f)",
        "const f = async () => { await tools.a() }; if (x) await f()",
        "const f = async () => { await tools.a() }; y.forEach(() => f())",
        "let f = async () => { await tools.a() }; f = g; await f()",
        "async function f() { await tools.a() } f = g; await f()",
        "async function f() { await tools.a() } try { await f() } catch {} return 1",
        "async function f() { await tools.a() } await f().catch(g); return 1",
        // The program may end before.
        "async function f() { await x; await tools.a() } f(); return 1",
        "(async () => { await x; await tools.a() })(); return 1",
        "async () => { (async () => { await tools.a() })(); return 1 }",
        "function* f() { yield tools.a() } return [...f()]",
        "function* f() { yield tools.a() } f(); return 1",
        "async function f(n) { if (n) { await f(n - 1) } else { await tools.a() } } await f(1)",
        "export async function f() { await tools.a() }\nexport default () => 1",
    ] {
        assert_eq!(only(source).reach, Reach::Branch, "{source}");
    }
    for source in [
        "if (await tools.a()) x()",
        "if (!x) throw 1; await tools.a()",
        "if (x) { y.map((z) => { return z }) } await tools.a()",
        "for (const x of y) { if (x) break; if (z) continue } await tools.a()",
        "switch (x) { case 1: y(); break } await tools.a()",
        "try { x() } finally { await tools.a() }",
        "try { x() } catch { y() } await tools.a()",
        "await tools.a().catch(() => 1)",
        "for (const x of [1, 2]) await tools.a()",
        "for (const x of await tools.a()) y(x)",
        "for (let i = 0; ; i++) { await tools.a(); break }",
        "while (true) { await tools.a(); break }",
        "do { await tools.a() } while (x)",
        "async () => { await tools.a() }",
        "export default async () => { await tools.a() }",
        "const main = async () => { await tools.a() }\nexport default main",
        "const main = async () => { await tools.a() }\nmain",
        "async function main() { await tools.a() }",
        "const n = 1\nasync function main() { await tools.a() }",
        "async function main() { await tools.a() }\nmain()",
        "async function main() { await tools.a() }\nawait main(); return 1",
        "await main(); return 1; async function main() { await tools.a() }",
        "const f = async () => { await tools.a() }; const g = async () => { await f() }; await g(); return 1",
        "const f = () => { tools.a() }; f(); return 1",
        "await (async () => { await tools.a() })(); return 1",
        "(async () => { await tools.a() })()",
        "(() => { tools.a() })(); return 1",
        "await Promise.all([(async () => { await tools.a() })()]); return 1",
    ] {
        assert_eq!(only(source).reach, Reach::Certain, "{source}");
    }
    for source in [
        "if (false) await tools.a()",
        "return 1; await tools.a()",
        "for (const x of y) { continue; await tools.a() }",
        "const unused = () => tools.a(); return 1",
        "function unused() { return unused() + tools.a() } return 1",
    ] {
        assert_eq!(paths(source), Vec::<String>::new(), "{source}");
    }
    for source in [
        "return f(); async function f() { return await tools.a() }",
        "const n = 1\nasync function main() { await tools.a() }",
        "module.exports = async () => { await tools.a() }",
        "function f() { return tools.a() }",
        "export const f = () => tools.a(); export default f",
    ] {
        assert_eq!(paths(source), ["a"], "{source}");
    }
}

#[test]
fn promises_that_are_never_looked_at_are_dropped() {
    for source in [
        "tools.a(); return 1",
        "void tools.a(); return 1",
        "(tools.a()); return 1",
        "const x = tools.a(); return 1",
        "for (const x of y) { tools.a(x) } return 1",
        "try { tools.a() } catch {} return 1",
        "async () => { tools.a(); return 1 }",
    ] {
        assert_eq!(only(source).promise, Promised::Dropped, "{source}");
    }
    for source in [
        "await tools.a()",
        "tools.a()",
        "void tools.a()",
        "return tools.a()",
        "const x = tools.a(); await x",
        "const x = tools.a(); return { x }",
        "const x = tools.a(); x.then(f)",
        "let x = tools.a(); return 1",
        "all.push(tools.a()); return 1",
        "y.forEach((x) => tools.a(x)); return 1",
        "export const x = tools.a(); export default x",
        "for await (const page of tools.a.pages()) f(page); return 1",
    ] {
        assert_eq!(only(source).promise, Promised::Used, "{source}");
    }
}

#[test]
fn promises_that_are_used_as_results_are_noticed() {
    for (source, column) in [
        ("const x = tools.a(); return x.items", 31),
        ("const x = tools.a(); if (x.items) return x.items.length; return 1", 28),
        ("return tools.a().items", 18),
        ("const { items } = tools.a(); return items", 7),
        ("const [one] = tools.a(); return one", 7),
        ("for (const x of tools.a()) f(x); return 1", 17),
        ("return [...tools.a()]", 12),
    ] {
        let Promised::Unawaited(place) = only(source).promise else { panic!("{source}: {:?}", only(source)) };
        assert_eq!((place.line, place.column), (1, column), "{source}");
    }
    for source in [
        "const x = tools.a(); f(x.items); return await x",
        "const x = tools.a(); return x.then((y) => y.items)",
        "const x = tools.a(); return x.finally(f)",
        "const x = tools.a(); return x.toString()",
        "return tools.a().constructor.name",
        "const x = tools.a(); x.extra = 1; return 1",
        "return tools.a().then(f)",
        "const x = tools.a(); const f = (x) => x.items; return f(await x)",
        "const x = tools.a.pages(); return x.items",
    ] {
        assert_eq!(only(source).promise, Promised::Used, "{source}");
    }
}

fn reads(source: &str) -> Vec<Vec<String>> {
    let name = |name: &Name| match name {
        Name::Property(name) => name.clone(),
        Name::Item => "[]".to_owned(),
    };
    only(source).reads.iter().map(|read| read.names.iter().map(name).collect()).collect()
}

#[test]
fn properties_that_are_read_and_not_tested_are_recorded() {
    assert_eq!(reads("const r = await tools.a(); return r.items[0].name"), [["items", "[]", "name"]]);
    assert_eq!(reads("return (await tools.a()).total"), [["total"]]);
    assert_eq!(reads("const { total, items: i } = await tools.a(); return [total, i]"), [["total"], ["items"]]);
    assert_eq!(reads("const r = await tools.a(); console.log(r, JSON.stringify(r)); return r.x"), [["x"]]);
    assert_eq!(reads("const r = await tools.a(); return r.items.map((x) => x.id)"), [["items", "map"]]);
    for source in [
        "const r = await tools.a(); return r?.x",
        "const r = await tools.a(); return r.x ?? 1",
        "const r = await tools.a(); return r.x || 1",
        "const r = await tools.a(); if (r.x) return r.x; return 1",
        "const r = await tools.a(); return r.x?.y",
        "const r = await tools.a(); return r.x === undefined ? 1 : r.x",
        "const r = await tools.a(); return typeof r.x",
        "const r = await tools.a(); r.x = 1; return r.x",
        "const r = await tools.a(); change(r); return r.x",
        "const r = await tools.a(); return (r as any).x",
        "let r = await tools.a(); return r.x",
        "const { x = 1 } = await tools.a(); return x",
        "const { x } = await tools.a(); if (x) return x; return 1",
        "const r = await tools.a(); const f = (r) => r.x; return f",
        "return (await tools.a())?.x",
    ] {
        assert_eq!(reads(source), Vec::<Vec<String>>::new(), "{source}");
    }
}

#[test]
fn a_property_that_may_never_be_read_is_not_certain() {
    let reach = |source: &str| only(source).reads.first().map(|read| read.reach);
    assert_eq!(reach("const r = await tools.a(); return r.x"), Some(Reach::Certain));
    assert_eq!(reach("const r = await tools.a(); if (y) return r.x; return 1"), Some(Reach::Branch));
    assert_eq!(reach("const r = await tools.a(); return z.map((y) => r.x)"), Some(Reach::Branch));
    assert_eq!(reach("return (await tools.a()).x"), Some(Reach::Certain));
}

#[test]
fn a_file_that_may_never_be_imported_is_not_certain() {
    let reach = |import: &str| {
        let files = BTreeMap::from([
            ("main.ts".to_owned(), format!("{import}\nreturn 1")),
            ("f.ts".to_owned(), "export const x = await tools.a()".to_owned()),
        ]);
        survey_of(&Program::new(files, "main.ts").unwrap(), &[]).calls[0].reach
    };
    assert_eq!(reach("import './f'"), Reach::Certain);
    assert_eq!(reach("if (x) await import('./f')"), Reach::Branch);
}

#[test]
fn calls_in_every_file_are_seen_with_their_file() {
    let files = BTreeMap::from([
        ("main.ts".to_owned(), "import { f } from './f'\nexport default async () => await f()".to_owned()),
        ("f.ts".to_owned(), "export const f = async () => {\n  return await tools.a()\n}".to_owned()),
    ]);
    let calls = survey_of(&Program::new(files, "main.ts").unwrap(), &[]).calls;
    assert_eq!(calls.len(), 1);
    assert_eq!((calls[0].place.file.as_str(), calls[0].place.line), ("f.ts", 2));
    assert_eq!(calls[0].reach, Reach::Branch, "another file decides whether it is called");
}

#[test]
fn positions_are_those_of_the_whole_text_with_a_fence() {
    let call = only("```ts\nawait tools.a.b()\n```");
    assert_eq!((call.place.line, call.place.column), (2, 15));
}

#[test]
fn a_module_of_the_host_may_handle_failures() {
    let program = Program::single("import { safe } from 'kit'\nreturn await safe(() => tools.a())");
    let modules = [Interface { specifier: "kit".to_owned(), exports: vec!["safe".to_owned()], is_open: false }];
    let preparation = Preparation {
        modules: Cow::Borrowed(&modules),
        namespaces: Some(Cow::Owned(Vec::new())),
        ..Preparation::new(&program)
    };
    assert_eq!(survey(&preparation).unwrap().survey.calls[0].handling, Handling::Handled);
}
