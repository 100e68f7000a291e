//! Prints programs as JavaScript.

use std::fmt::Write as _;

use super::{Body, CHILD, Combinator, MODULUS, SAME, Statement, Together, ToolKind, snippet_name};

/// The beginning of all programs. A branch logs its label when it ends, which shows the order in which promises were
/// settled. A timer logs its label when it fires, and a call with the same input as others logs its label before it is
/// made. A branch gets the prefix of its labels as a parameter. A program that has returned does not wait for its timers:
/// the model ends with the program.
const PRELUDE: &str = "\
class Boom extends Error {}
const mix = (a, value) => (a * 31 + value + 1) % MODULUS;
const THROWN = { TOOL: 1, APPROVAL_DENIED: 2, UNKNOWN_TOOL: 3, THROWN: 6, TIMEOUT: 8, ABORTED: 8 };
const number = (error) => error instanceof Boom ? 4 : error instanceof AggregateError ? 5 : (THROWN[error.code] ?? 99);
const branch = async (label, p, body) => {
  try { const value = await body(p); console.log(label + '+'); return value; }
  catch (error) { console.warn(label + '-'); throw error; }
};
const sleep = (label, time) => new Promise((done) => setTimeout(() => { console.debug(label + '!'); done(time % 7); }, time).unref());
const settled = (one) => one.status === 'fulfilled' ? mix(1, one.value) : mix(2, number(one.reason));
";

/// Prints a program as JavaScript.
pub fn print(body: &Body) -> String {
    let mut printer = Printer::new();
    printer.line("const p0 = '';");
    printer.body(body, 0);
    printer.text
}

/// Whether a program of a session leaves its result in the globals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// It adds its result to those that it found.
    Result,
    /// It leaves what it found, so that its result is lost.
    Nothing,
}

/// Prints a program of a session as JavaScript. It begins with the last result in the globals, and adds its own. Until then
/// the globals have something that is never to be found.
pub fn print_for_session(body: &Body, leaves: Leaves) -> String {
    let mut printer = Printer::new();
    printer.line("const p0 = '';");
    printer.line("const results = globalThis.results ?? [];");
    printer.line("const found = results.at(-1) ?? 0;");
    printer.line("console.info('found=' + found);");
    printer.line("globalThis.results = [-1];");
    printer.line(format_args!("let a = mix({}, found);", body.start));
    printer.statements(&body.statements, 0);
    printer.line(match leaves {
        Leaves::Result => "globalThis.results = [...results, a];",
        Leaves::Nothing => "globalThis.results = results;",
    });
    printer.line("return a;");
    printer.text
}

/// Prints a snippet as JavaScript. Its labels begin with that of the call that runs it, and `a` is that of the caller.
pub fn print_snippet(body: &Body) -> String {
    let mut printer = Printer::new();
    printer.line(format_args!("const p0 = input.id + '{CHILD}';"));
    printer.line("let a = input.a;");
    printer.statements(&body.statements, 0);
    printer.line("return a;");
    printer.text
}

struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn new() -> Self {
        Self { text: PRELUDE.replace("MODULUS", &MODULUS.to_string()), indent: 0 }
    }

    fn line(&mut self, line: impl std::fmt::Display) {
        writeln!(self.text, "{:1$}{line}", "", self.indent * 2).expect("a string takes everything");
    }

    /// Prints the body of a function. Its labels begin with the variable `p` of this loop.
    fn body(&mut self, body: &Body, p: usize) {
        self.line(format_args!("let a = {};", body.start));
        self.statements(&body.statements, p);
        self.line("return a;");
    }

    fn block(&mut self, opening: impl std::fmt::Display, closing: &str, inside: impl FnOnce(&mut Self)) {
        self.line(opening);
        self.indent += 1;
        inside(self);
        self.indent -= 1;
        self.line(closing);
    }

    fn statements(&mut self, statements: &[Statement], p: usize) {
        for statement in statements {
            self.statement(statement, p);
        }
    }

    fn statement(&mut self, statement: &Statement, p: usize) {
        match statement {
            Statement::Call(number, kind) => {
                let path = ToolKind::path(*kind);
                self.line(format_args!("a = mix(a, await tools.{path}({{ id: p{p} + 'n{number}', a }}));"));
            }
            Statement::Same(number, kind, a) => {
                let path = ToolKind::path(*kind);
                self.line(format_args!("console.log(p{p} + 'n{number}?');"));
                self.line(format_args!("a = mix(a, await tools.{path}({{ id: '{SAME}', a: {a} }}));"));
            }
            Statement::Sleep(number, time) => {
                self.line(format_args!("a = mix(a, await sleep(p{p} + 'n{number}', {time}));"));
            }
            Statement::Clear => self.line("clearTimeout(setTimeout(() => { throw 1 }, 1e6));"),
            Statement::Log(number) => self.line(format_args!("console.info(p{p} + 'n{number}=' + a);")),
            Statement::Throw => self.line("throw new Boom('boom');"),
            Statement::If(then, otherwise) => {
                self.block("if (a % 2 === 0) {", "}", |this| this.statements(then, p));
                self.block("else {", "}", |this| this.statements(otherwise, p));
            }
            Statement::Loop(number, times, body) => {
                self.block(format_args!("for (let i = 0; i < {times}; i++) {{"), "}", |this| {
                    this.line(format_args!("const p{} = p{p} + 'n{number}.' + i + '/';", p + 1));
                    this.statements(body, p + 1);
                });
            }
            Statement::Try(body, handler) => {
                self.block("try {", "}", |this| this.statements(body, p));
                self.block("catch (error) {", "}", |this| {
                    this.line("a = mix(a, number(error));");
                    this.statements(handler, p);
                });
            }
            Statement::Nested(body) => {
                self.block("a = mix(a, await (async () => {", "})());", |this| this.body(body, p));
            }
            Statement::Step(number, body) => {
                let opening = format!("a = mix(a, await codemode.step(p{p} + 'n{number}', async () => {{");
                self.block(opening, "}));", |this| this.body(body, p));
            }
            Statement::Run(number, which) => {
                let name = snippet_name(*which);
                self.line(format_args!("a = mix(a, await codemode.run('{name}', {{ id: p{p} + 'n{number}', a }}));"));
            }
            Statement::Together(together) => self.block("{", "}", |this| this.together(together, p)),
        }
    }

    fn together(&mut self, together: &Together, p: usize) {
        let Together { number, how, waits_for_all, branches } = together;
        self.block("const all = [", "];", |this| {
            for (place, body) in branches.iter().enumerate() {
                let opening = format!("branch(p{p} + 'n{number}#{place}', p{p}, async (p{p}) => {{");
                this.block(opening, "}),", |this| this.body(body, p));
            }
        });
        let value = match how {
            Combinator::All => "(await Promise.all(all)).reduce(mix, 0)",
            Combinator::AllSettled => "(await Promise.allSettled(all)).map(settled).reduce(mix, 0)",
            Combinator::Any => "await Promise.any(all)",
            Combinator::Race => "await Promise.race(all)",
        };
        if *waits_for_all {
            self.line(format_args!("try {{ a = mix(a, {value}); }} finally {{ await Promise.allSettled(all); }}"));
        } else {
            self.line(format_args!("a = mix(a, {value});"));
        }
    }
}
