//! Masks the literals and comments of a program, for readers who must not see the values that a policy redacts.

use std::ops::Range;

use oxc::{
    allocator::Allocator,
    ast::ast::{BigIntLiteral, Directive, NumericLiteral, RegExpLiteral, StringLiteral, TemplateElement},
    ast_visit::Visit,
    span::Span,
};

use super::{Program, fence, parse::parse};

/// Replaces each character of a literal or comment.
const MASK: char = '*';

/// Returns the program with all its literals and comments masked.
pub(super) fn masked_program(program: &Program) -> Program {
    program.map_sources(without_literals)
}

/// Masks all comments and literals of one file: strings, numbers, templates, regular expressions. Every character keeps its
/// line and column. A text that does not parse is masked as a whole.
fn without_literals(source: &str) -> String {
    let mut whole = 0..source.len();
    let Ok(text) = fence::locate("", source) else { return masked(source, std::slice::from_mut(&mut whole)) };
    let Some(mut hidden) = literals(text.code) else {
        return masked(source, std::slice::from_mut(&mut whole));
    };
    let start = source.len() - text.whole.len() + text.start;
    for range in &mut hidden {
        *range = start + range.start..start + range.end;
    }
    hidden.push(start - after_language(&source[..start]).len()..start);
    masked(source, &mut hidden)
}

/// Returns what an opening fence says after its language.
fn after_language(opening: &str) -> &str {
    let is_before = |sign: char| sign.is_whitespace() || matches!(sign, '\u{feff}' | '`' | '~');
    let information = opening.trim_start_matches(is_before);
    information.trim_start_matches(|sign: char| sign.is_ascii_alphanumeric())
}

/// Returns the ranges of the literals and comments, or `None` if the code does not parse.
fn literals(code: &str) -> Option<Vec<Range<usize>>> {
    let allocator = Allocator::default();
    let parsed = parse(&allocator, code);
    if !parsed.is_whole() {
        return None;
    }
    let mut literals = Literals(parsed.program.comments.iter().map(|comment| range(comment.span)).collect());
    literals.0.extend(parsed.program.hashbang.iter().map(|hashbang| range(hashbang.span)));
    literals.visit_program(&parsed.program);
    Some(literals.0)
}

struct Literals(Vec<Range<usize>>);

impl<'a> Visit<'a> for Literals {
    fn visit_string_literal(&mut self, literal: &StringLiteral<'a>) {
        self.0.push(range(literal.span));
    }

    fn visit_template_element(&mut self, element: &TemplateElement<'a>) {
        self.0.push(range(element.span));
    }

    fn visit_numeric_literal(&mut self, literal: &NumericLiteral<'a>) {
        self.0.push(range(literal.span));
    }

    fn visit_big_int_literal(&mut self, literal: &BigIntLiteral<'a>) {
        self.0.push(range(literal.span));
    }

    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        self.0.push(range(literal.span));
    }

    fn visit_directive(&mut self, directive: &Directive<'a>) {
        self.0.push(range(directive.span));
    }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Masks the given ranges of a text. White space and quotes stay visible, so that strings remain recognisable.
fn masked(text: &str, hidden: &mut [Range<usize>]) -> String {
    hidden.sort_by_key(|range| range.start);
    let mut hidden = hidden.iter().peekable();
    let mut shown = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        while hidden.next_if(|range| range.end <= at).is_some() {}
        let is_hidden = hidden.peek().is_some_and(|range| range.start <= at);
        let is_plain = character.is_whitespace() || matches!(character, '"' | '\'' | '`');
        shown.push(if is_hidden && !is_plain { MASK } else { character });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_literal_and_no_comment_is_left() {
        for (source, expected) in [
            (
                "await tools.vault.put({ pin: 4711, key: 'hunter2' })",
                "await tools.vault.put({ pin: ****, key: '*******' })",
            ),
            ("const a = /\"/; f(\"hunter2\") // it's hunter2", "const a = *\"*; f(\"*******\") ** **'* *******"),
            ("f(`hunter${2}: ${g('hun' + \"ter2\")}`)", "f(`******${*}* ${g('***' + \"****\")}`)"),
            ("const n: 5n = 5n as 'hunter2'", "const n: ** = ** as '*******'"),
            ("f('a\\\n  hunter2')", "f('**\n  *******')"),
            ("#!hunter2\nf(x)", "*********\nf(x)"),
        ] {
            assert_eq!(without_literals(source), expected);
        }
    }

    #[test]
    fn columns_stay_and_what_does_not_parse_is_hidden_whole() {
        let fenced = "```ts\nreturn 'ä日hunter2' + x\n```";
        let shown = without_literals(fenced);
        assert_eq!(shown, "```ts\nreturn '*********' + x\n```");
        assert_eq!(shown.chars().count(), fenced.chars().count());
        assert_eq!(without_literals("~~~js {hunter2}\nf(x)\n~~~"), "~~~js *********\nf(x)\n~~~");
        assert_eq!(without_literals("const = hunter2"), "***** * *******");
        assert_eq!(without_literals("\u{feff}f(1)"), "\u{feff}f(*)");
    }
}
