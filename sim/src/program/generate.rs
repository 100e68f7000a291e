//! Generates random programs.

use super::{Body, Combinator, Statement, Together, ToolKind};
use crate::random::Random;

/// Generates a program that ends and makes a few dozen calls at most.
pub fn generate(random: &mut Random, repetition: Repetition) -> Body {
    let left = 4 + random.below(18);
    Author { random, repetition, left, next: 0, snippets: None }.body(0)
}

/// Generates the snippets of a world. A snippet runs only snippets with higher numbers, and has ended all that it began when
/// it returns.
pub fn generate_snippets(random: &mut Random, repetition: Repetition) -> Vec<Body> {
    let count = 1 + usize::try_from(random.below(3)).unwrap_or_default();
    let mut snippet = |number: usize| {
        let left = 1 + random.below(5);
        let snippets = Some(Snippets { first: number + 1, count, is_inside: true });
        Author { random, repetition, left, next: 0, snippets }.body(1)
    };
    (0..count).map(&mut snippet).collect()
}

/// Generates a program that runs snippets, of which there are so many.
pub fn generate_running(random: &mut Random, repetition: Repetition, count: usize) -> Body {
    let left = 3 + random.below(12);
    let snippets = Some(Snippets { first: 0, count, is_inside: false });
    Author { random, repetition, left, next: 0, snippets }.body(0)
}

/// The snippets that a program may run.
#[derive(Debug, Clone, Copy)]
struct Snippets {
    first: usize,
    count: usize,
    /// Whether the program is a snippet itself.
    is_inside: bool,
}

/// Whether calls that need approval are repeated with the same input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// No two calls have the same input.
    Never,
    /// Many calls have the same input.
    Often,
}

struct Author<'r> {
    random: &'r mut Random,
    repetition: Repetition,
    /// The number of statements that may still be generated.
    left: u64,
    next: u32,
    /// The snippets, in worlds that have some.
    snippets: Option<Snippets>,
}

/// The maximum depth of nested statements.
const DEPTH: u32 = 4;

impl Author<'_> {
    fn body(&mut self, depth: u32) -> Body {
        Body { start: self.random.below(100), statements: self.statements(depth, 5) }
    }

    fn statements(&mut self, depth: u32, most: u64) -> Vec<Statement> {
        let wanted = if depth == 0 { self.left } else { 1 + self.random.below(most) };
        let mut statements = Vec::new();
        while self.left > 0 && (statements.len() as u64) < wanted {
            self.left -= 1;
            statements.push(self.statement(depth));
        }
        statements
    }

    fn statement(&mut self, depth: u32) -> Statement {
        let is_deep = depth >= DEPTH;
        if let Some(run) = self.run() {
            return run;
        }
        match self.random.below(100) {
            0..40 => self.call(),
            40..46 => Statement::Sleep(self.number(), *self.random.pick(&[0, 1, 5, 40, 300, 2600])),
            46..48 => Statement::Clear,
            48..54 => Statement::Log(self.number()),
            54 => Statement::Throw,
            _ if is_deep => self.call(),
            55..60 => Statement::If(self.statements(depth + 1, 2), self.statements(depth + 1, 2)),
            60..66 => Statement::Loop(self.number(), 1 + self.random.below(3), self.statements(depth + 1, 2)),
            66..78 => Statement::Try(self.statements(depth + 1, 3), self.statements(depth + 1, 2)),
            78..80 => Statement::Nested(self.body(depth + 1)),
            80..84 => Statement::Step(self.number(), self.body(depth + 1)),
            _ => Statement::Together(self.together(depth)),
        }
    }

    /// Returns a call of a snippet now and then.
    fn run(&mut self) -> Option<Statement> {
        let Snippets { first, count, .. } = self.snippets?;
        if first >= count || !self.random.percent(22) {
            return None;
        }
        let which = first + usize::try_from(self.random.below((count - first) as u64)).unwrap_or_default();
        Some(Statement::Run(self.number(), which))
    }

    fn call(&mut self) -> Statement {
        let number = self.number();
        if self.repetition == Repetition::Often && self.random.percent(50) {
            let kind = *self.random.pick(&[ToolKind::Pay, ToolKind::Pay, ToolKind::Ask]);
            return Statement::Same(number, kind, self.random.below(2));
        }
        Statement::Call(number, self.tool())
    }

    fn together(&mut self, depth: u32) -> Together {
        let number = self.number();
        let combinators = [Combinator::All, Combinator::All, Combinator::AllSettled, Combinator::Any, Combinator::Race];
        let how = *self.random.pick(&combinators);
        let waits_for_all = self.random.percent(75) || self.snippets.is_some_and(|snippets| snippets.is_inside);
        let branches = 1 + self.random.below(4);
        Together { number, how, waits_for_all, branches: (0..branches).map(|_| self.body(depth + 1)).collect() }
    }

    fn tool(&mut self) -> ToolKind {
        match self.random.below(100) {
            0..22 => ToolKind::Get,
            22..44 => ToolKind::Put,
            44..52 => ToolKind::Task,
            52..68 => ToolKind::Pay,
            68..76 => ToolKind::Ask,
            76..84 => ToolKind::Login,
            84..94 => ToolKind::Peek,
            94..96 => ToolKind::Slow,
            _ => ToolKind::Nowhere,
        }
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}
