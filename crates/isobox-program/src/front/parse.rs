//! Parses the text of a file.
//!
//! The parser refuses two things that have a meaning. It applies a rule of TypeScript to setters of plain JavaScript. And
//! it refuses `a + b as T * c`, which TypeScript reads as `((a + b) as T) * c`: erasing the type would change the meaning.
//! There the operator is replaced, for the parser alone, by one that binds less, and the operand gets parentheses.

use oxc::{
    allocator::Allocator,
    ast::ast::{BinaryExpression, Expression, Program},
    diagnostics::{Diagnostics, OxcDiagnostic},
    parser::{ParseOptions, Parser, ParserReturn},
    span::{GetSpan, SourceType},
};

use super::{erase::Eraser, trivia};

/// A text after parsing.
pub(super) struct Parsed<'a> {
    pub(super) program: Program<'a>,
    pub(super) diagnostics: Diagnostics,
    pub(super) panicked: bool,
    /// The offsets of the operators whose left operand is a type assertion that needs parentheses.
    pub(super) loosened: Vec<usize>,
}

impl Parsed<'_> {
    /// Checks whether the text is a program.
    pub(super) fn is_whole(&self) -> bool {
        !self.panicked && errors(&self.diagnostics).next().is_none()
    }
}

/// The maximum number of operators that are replaced in one text. Each takes another run of the parser.
const MAXIMUM_LOOSENED: usize = 64;

/// Parses a text as a TypeScript module in which `return` is allowed at the top level.
pub(super) fn parse<'a>(allocator: &'a Allocator, code: &'a str) -> Parsed<'a> {
    let mut result = parse_once(allocator, code);
    let mut loosened = Vec::new();
    let mut changed = String::new();
    while loosened.len() < MAXIMUM_LOOSENED
        && let Some((start, end)) = operator_behind_assertion(code, &result)
        && loosened.last().is_none_or(|last| *last < start)
    {
        if changed.is_empty() {
            code.clone_into(&mut changed);
        }
        changed.replace_range(start..end, &format!("^{}", " ".repeat(end - start - 1)));
        loosened.push(start);
        result = parse_once(allocator, allocator.alloc_str(&changed));
    }
    let ParserReturn { program, diagnostics, panicked, .. } = result;
    Parsed { program, diagnostics, panicked, loosened }
}

/// Returns the errors that are mistakes in TypeScript or in JavaScript.
pub(super) fn errors(diagnostics: &Diagnostics) -> impl Iterator<Item = &OxcDiagnostic> {
    // A default value is allowed in JavaScript. TypeScript refuses it, but compiles it.
    diagnostics.errors().filter(|error| error.message != "A 'set' accessor cannot have an initializer.")
}

fn parse_once<'a>(allocator: &'a Allocator, code: &'a str) -> ParserReturn<'a> {
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    Parser::new(allocator, code, SourceType::ts().with_module(true)).with_options(options).parse()
}

/// Returns the range of the operator at which the parser stopped, if it may be one behind a type assertion.
fn operator_behind_assertion(code: &str, result: &ParserReturn<'_>) -> Option<(usize, usize)> {
    if !(code.contains(" as ") || code.contains("satisfies")) {
        return None;
    }
    let first = errors(&result.diagnostics).min_by_key(|error| offset_of(error))?;
    if !first.message.starts_with("Expected ") {
        return None;
    }
    let start = trivia::skip(code, offset_of(first).min(code.len()));
    let signs = code[start..].bytes().take_while(|sign| b"+-*/%<>=".contains(sign)).count();
    let operator = &code[start..start + signs];
    matches!(operator, "+" | "-" | "*" | "**" | "/" | "%" | "<<" | ">>" | ">>>").then_some((start, start + signs))
}

fn offset_of(error: &OxcDiagnostic) -> usize {
    error.labels.first().map_or(0, |label| label.offset() as usize)
}

impl<'a> Eraser<'a> {
    /// Refuses a second assertion behind a replaced operator: its operand would be another one than in the author's text.
    pub(super) fn check_loosened(&mut self, it: &BinaryExpression<'a>) {
        let operator = self.next_token(it.left.span().end);
        if self.loosened.contains(&operator) && has_assertion(&it.right) {
            let message = "several type assertions in one expression need parentheses";
            self.object(it.span, message, Some("put each of them in parentheses: `(value as Type)`"));
        }
    }
}

fn has_assertion(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::TSAsExpression(_) | Expression::TSSatisfiesExpression(_) => true,
        Expression::BinaryExpression(it) => has_assertion(&it.left) || has_assertion(&it.right),
        Expression::LogicalExpression(it) => has_assertion(&it.left) || has_assertion(&it.right),
        _ => false,
    }
}
