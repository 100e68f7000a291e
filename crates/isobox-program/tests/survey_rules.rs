//! Which rules of the host a program violates.

#![cfg(feature = "parser")]

use std::borrow::Cow;

use isobox_program::{About, Preparation, Program, Rules, Stance, SyntaxRule, Violation, survey};

fn violations(source: &str, rules: Rules) -> Vec<Violation> {
    let program = Program::single(source);
    let preparation = Preparation { rules: Cow::Owned(rules), ..Preparation::new(&program) };
    let surveyed = survey(&preparation).unwrap_or_else(|fault| panic!("{source}: {fault:?}"));
    surveyed.survey.violations.clone()
}

fn found(source: &str, stance: Stance, about: About, names: &[&str]) -> Vec<(String, u32)> {
    let rules = Rules::new(vec![SyntaxRule::new(stance, about, names.iter().copied())]);
    violations(source, rules).into_iter().map(|violation| (violation.found, violation.place.column)).collect()
}

fn expected(all: &[(&str, u32)]) -> Vec<(String, u32)> {
    all.iter().map(|(found, column)| ((*found).to_owned(), *column)).collect()
}

/// Returns the column of a part of a line.
fn column_of(line: &str, part: &str) -> u32 {
    1 + u32::try_from(line.find(part).unwrap_or_default()).unwrap_or_default()
}

#[test]
fn globals_are_names_that_the_program_does_not_declare() {
    let deny = |source: &str| found(source, Stance::Deny, About::Globals, &["fetch", "set*"]);
    assert_eq!(
        deny("fetch('x'); setTimeout(f)"),
        expected(&[("the global `fetch`", 1), ("the global `setTimeout`", 13)])
    );
    assert_eq!(deny("globalThis.fetch('x')"), expected(&[("the global `fetch`", 12)]));
    assert_eq!(deny("globalThis[`fetch`]('x')"), expected(&[("the global `fetch`", 12)]));
    assert_eq!(deny("const { setTimeout: t } = globalThis; t(f)"), expected(&[("the global `setTimeout`", 9)]));
    assert_eq!(deny("let t; ({ fetch: t } = self); t(f)"), expected(&[("the global `fetch`", 11)]));
    assert_eq!(deny("const f = (globalThis) => { const { fetch } = globalThis; return fetch }"), expected(&[]));
    assert_eq!(deny("const f = (fetch) => fetch(); fetch(f)"), expected(&[("the global `fetch`", 31)]));
    assert_eq!(deny("const fetch = 1; const o = { fetch: 2 }; return o.fetch + fetch"), expected(&[]));
    assert_eq!(deny("type A = typeof fetch; let x: fetch.B; return 1"), expected(&[]));
    let allow = |source: &str| found(source, Stance::Allow, About::Globals, &["tools", "Math"]);
    assert_eq!(allow("await tools.a(Math.max(1)); return undefined ?? NaN"), expected(&[]));
    assert_eq!(allow("return JSON.stringify(1)"), expected(&[("the global `JSON`", 8)]));
}

#[test]
fn members_are_matched_alone_and_with_their_object() {
    let deny = |source: &str| found(source, Stance::Deny, About::Members, &["constructor", "Math.random"]);
    assert_eq!(deny("x.constructor"), expected(&[("the member `x.constructor`", 3)]));
    assert_eq!(deny("f()['constructor']"), expected(&[("the member `constructor`", 5)]));
    assert_eq!(deny("const { constructor: c } = x"), expected(&[("the member `x.constructor`", 9)]));
    assert_eq!(deny("const { constructor: c } = f()"), expected(&[("the member `constructor`", 9)]));
    assert_eq!(deny("x[`constructor`]"), expected(&[("the member `x.constructor`", 3)]));
    assert_eq!(deny("x['constructor' as string]"), expected(&[("the member `x.constructor`", 3)]));
    assert_eq!(deny("const { random: r } = Math"), expected(&[("the member `Math.random`", 9)]));
    assert_eq!(deny("let r; ({ random: r } = Math)"), expected(&[("the member `Math.random`", 11)]));
    assert_eq!(deny("globalThis.Math.random()"), expected(&[("the member `globalThis.Math.random`", 17)]));
    assert_eq!(deny("const self = f(); self.Math.random()"), expected(&[]));
    assert_eq!(deny("Math.random(); other.random(); Math.max()"), expected(&[("the member `Math.random`", 6)]));
    let allow = |source: &str| found(source, Stance::Allow, About::Members, &["length", "tools.*"]);
    assert_eq!(allow("await tools.a.b(); return x.length"), expected(&[]));
    assert_eq!(allow("return x.size"), expected(&[("the member `x.size`", 10)]));
}

#[test]
fn globals_are_found_in_whatever_way_they_are_taken_out_of_the_global_object() {
    let deny = |source: &str| found(source, Stance::Deny, About::Globals, &["fetch"]);
    for source in [
        "const f = ({ fetch } = globalThis) => fetch()",
        "function f({ fetch: g } = self) { return g() }",
        "class A { m({ fetch } = global) { return fetch() } }",
        "const { a: { fetch } = globalThis } = f()",
        "const [{ fetch } = globalThis] = []",
        "const { self: { fetch } } = globalThis",
        "let g; [{ fetch: g } = globalThis] = []",
        "let g; ({ self: { fetch: g } } = globalThis)",
        "globalThis.globalThis.fetch('x')",
        "(globalThis?.['self']).fetch('x')",
        "(<any>globalThis).fetch('x')",
        "(self satisfies object).fetch('x')",
        "globalThis.fetch = f",
        "[globalThis.fetch] = [f]",
        "delete globalThis.fetch",
        "class A { g = globalThis.fetch }",
        "const o = { [globalThis.fetch]: 1 }",
        "globalThis.fetch`x`",
    ] {
        assert_eq!(deny(source), expected(&[("the global `fetch`", column_of(source, "fetch"))]), "{source}");
    }
    assert_eq!(deny("globalThis?.['fetch']('x')"), expected(&[("the global `fetch`", 14)]));
    for source in [
        "const f = ({ fetch: g }) => g()",
        "const f = (self) => self.self.fetch()",
        "const { a: { fetch: g } } = globalThis",
        "globalThis.a.fetch()",
        "const f = (globalThis, { fetch: g } = globalThis) => g()",
    ] {
        assert_eq!(deny(source), expected(&[]), "{source}");
    }
}

#[test]
fn members_are_found_in_whatever_way_they_are_taken_out_of_their_object() {
    let deny = |source: &str| found(source, Stance::Deny, About::Members, &["Math.random"]);
    for (path, source) in [
        ("Math.random", "function f(r = Math.random) { return r() }"),
        ("Math.random", "const f = ({ random: r } = Math) => r()"),
        ("Math.random", "const { a: { random } = Math } = f()"),
        ("Math.random", "let r; [{ random: r } = Math] = []"),
        ("globalThis.Math.random", "const { Math: { random } } = globalThis"),
        ("globalThis.Math.random", "let r; ({ Math: { random: r } } = globalThis)"),
        ("globalThis.Math.random", "(globalThis?.['Math']).random()"),
        ("globalThis.self.Math.random", "globalThis.self.Math.random()"),
        ("Math.random", "(<any>Math).random()"),
        ("Math.random", "(Math satisfies object).random()"),
        ("Math.random", "class A { r = Math.random }"),
        ("Math.random", "const o = { [Math.random()]: 1 }"),
        ("Math.random", "Math.random`x`"),
        ("self.Math.random", "const f = (self) => self; self.Math.random()"),
        ("self.Math.random", "{ const self = f() } self.Math.random()"),
    ] {
        let (member, column) = (format!("the member `{path}`"), column_of(source, "random"));
        assert_eq!(deny(source), expected(&[(member.as_str(), column)]), "{source}");
    }
    assert_eq!(deny("self.Math.random(); var self = f()"), expected(&[]));
    assert_eq!(deny("const f = ({ random: r } = other) => r()"), expected(&[]));
    let allow = |source: &str| found(source, Stance::Allow, About::Members, &["Math.*"]);
    assert_eq!(allow("const { max } = Math"), expected(&[]));
    assert_eq!(allow("const f = ({ max } = Math) => max"), expected(&[("the member `max`", 14)]));
}

#[test]
fn forms_of_the_language_are_found_wherever_they_are() {
    for (form, source) in [
        ("while", "while (x) {}"),
        ("class", "new (class {})"),
        ("async", "const f = async () => 1"),
        ("generator", "function* f() {}"),
        ("regexp", "/x/.test(y)"),
        ("optional-chaining", "x?.y"),
        ("destructuring", "const { a } = x"),
        ("for-await", "for await (const a of b) {}"),
        ("dynamic-import", "await import('./x')"),
        ("enum", "enum A { B }"),
        ("getter", "({ get x() { return 1 } })"),
        ("spread", "f(...x)"),
        ("var", "var x = 1"),
        ("throw", "throw x"),
    ] {
        assert_eq!(found(source, Stance::Deny, About::Syntax, &[form]).len(), 1, "{form}");
        assert_eq!(found("return 1 + tools.x", Stance::Deny, About::Syntax, &[form]).len(), 0, "{form}");
    }
    assert_eq!(found("if (x) y()", Stance::Allow, About::Syntax, &["if"]), expected(&[]));
    assert_eq!(found("if (x) throw y", Stance::Allow, About::Syntax, &["if"]), expected(&[("`throw`", 8)]));
}

#[test]
fn imports_are_matched_by_their_specifier() {
    let deny = |source: &str| found(source, Stance::Deny, About::Imports, &["node:*", "util"]);
    assert_eq!(deny("import path from 'node:path'\nreturn path.sep").len(), 1);
    assert_eq!(deny("const u = require('util'); return u").len(), 1);
    for source in [
        "import u = require('util')\nreturn u",
        "return require(`util`)",
        "return (require)('util')",
        "return require('util', 1)",
        "return require('util' as string)",
        "return globalThis.require('util')",
        "return globalThis['require']('util')",
        "return global.self.require('util')",
        "return globalThis?.require('util')",
        "return await import(`util`)",
    ] {
        assert_eq!(deny(source), expected(&[("the import of `util`", column_of(source, "util") - 1)]), "{source}");
    }
    assert_eq!(found("import u = require('util')\nreturn u", Stance::Deny, About::Syntax, &["import"]).len(), 1);
    assert_eq!(deny("import path from 'path'\nreturn path.sep").len(), 0);
    assert_eq!(deny("return await import('node:path')").len(), 1);
}

#[test]
fn violations_are_bounded_and_all_rules_are_named() {
    let rules = Rules::new(vec![
        SyntaxRule::new(Stance::Deny, About::Syntax, ["while"]),
        SyntaxRule::new(Stance::Deny, About::Globals, ["x"]),
    ]);
    let violations = violations(&"while (x) {}\n".repeat(1_000), rules);
    assert_eq!(violations.len(), 100);
    assert_eq!((violations[0].rule, violations[1].rule), (0, 1));
}
