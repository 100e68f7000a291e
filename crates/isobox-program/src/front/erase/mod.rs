//! Erases types by overwriting them in the text, so that everything else keeps its position.

mod classes;
mod imports;
mod visit;

use oxc::{
    ast::ast::{Decorator, Expression, PropertyKey, Statement},
    span::{GetSpan, Span},
};

use super::{
    compose::Edit,
    declarations::is_erased,
    lower::state::{ClassExport, Lowering},
    modules, trivia,
};

/// Whether a file keeps its exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exports {
    /// The file stays a module.
    Keep,
    /// The file stays a module, and the program starts with it. A class is not exported as its default: the engine would
    /// call the class, because it calls exported functions.
    KeepForEntry,
    /// The file becomes the body of a function.
    Drop,
}

/// A use of syntax that parses but is not supported.
#[derive(Debug)]
pub(super) struct Objection {
    pub(super) offset: usize,
    pub(super) message: String,
    pub(super) hint: Option<&'static str>,
}

/// Walks a syntax tree and collects the edits of its text.
#[derive(Debug)]
pub(super) struct Eraser<'a> {
    pub(super) text: &'a str,
    exports: Exports,
    pub(super) edits: Vec<Edit>,
    /// The first use of unsupported syntax.
    pub(super) objection: Option<Objection>,
    /// The state for syntax that takes more than erasing.
    pub(super) lowering: Lowering<'a>,
    /// Whether the next statement is in a list of statements, and not the body of an `if` or a loop.
    pub(super) is_listed: bool,
    /// The offset of the first `return` outside of any function.
    pub(super) top_level_return: Option<usize>,
    /// The imports and exports of the file.
    pub(super) modules: modules::Records,
    /// The calls of `require` with a literal.
    pub(super) required: Vec<modules::RequireCall>,
    /// Whether the text declares a `require` of its own.
    pub(super) declares_require: bool,
    /// Whether the text refers to `module` or `exports`, the variables of CommonJS.
    pub(super) mentions_exports: bool,
    /// The literals of the text, in which line separators are content.
    pub(super) literals: Vec<Span>,
    /// Whether `literals` is needed.
    pub(super) watches_literals: bool,
    /// The offsets of operators whose left operand is a type assertion that needs parentheses.
    pub(super) loosened: Vec<usize>,
    /// Those of `loosened` whose operand has not got its parentheses.
    pub(super) unwrapped: Vec<usize>,
    function_depth: usize,
}

impl<'a> Eraser<'a> {
    pub(super) fn new(text: &'a str, exports: Exports, loosened: Vec<usize>) -> Self {
        Self {
            text,
            exports,
            edits: Vec::new(),
            objection: None,
            lowering: Lowering::default(),
            is_listed: false,
            top_level_return: None,
            modules: modules::Records::default(),
            required: Vec::new(),
            declares_require: false,
            mentions_exports: false,
            literals: Vec::new(),
            watches_literals: trivia::has_separator(text) || trivia::has(text, "<!--"),
            unwrapped: loosened.clone(),
            loosened,
            function_depth: 0,
        }
    }

    pub(super) fn blank(&mut self, span: Span) {
        self.edits.push(Edit::blank(span.start as usize, span.end as usize));
    }

    pub(super) fn blank_statement(&mut self, span: Span) {
        self.edits.push(Edit::statement(span.start as usize, span.end as usize));
    }

    pub(super) fn object(&mut self, span: Span, message: impl Into<String>, hint: Option<&'static str>) {
        let offset = span.start as usize;
        if self.objection.as_ref().is_none_or(|objection| offset < objection.offset) {
            self.objection = Some(Objection { offset, message: message.into(), hint });
        }
    }

    fn slice(&self, start: u32, end: u32) -> &'a str {
        &self.text[start as usize..end as usize]
    }

    pub(super) fn source_of(&self, span: Span) -> &'a str {
        self.slice(span.start, span.end)
    }

    pub(super) fn next_token(&self, offset: u32) -> usize {
        trivia::skip(self.text, offset as usize)
    }

    /// Blanks a sign such as `?` if it is the next token.
    fn blank_sign(&mut self, offset: u32, sign: u8) {
        let start = self.next_token(offset);
        if self.text.as_bytes().get(start) == Some(&sign) {
            self.edits.push(Edit::blank(start, start + 1));
        }
    }

    /// Blanks the TypeScript modifiers of a class member. A modifier at the start of the member becomes a semicolon, because
    /// the rest might otherwise continue the previous member.
    fn blank_modifiers(&mut self, start: u32, decorators: &[Decorator<'a>], key: &PropertyKey<'a>) {
        let member_start = match decorators.last() {
            Some(last) => self.next_token(last.span.end),
            None => start as usize,
        };
        let end = key.span().start as usize;
        let mut offset = member_start;
        while offset < end {
            let word = trivia::word(self.text, offset);
            if word.is_empty() {
                break;
            }
            if matches!(word, "public" | "private" | "protected" | "readonly" | "override" | "abstract" | "declare") {
                let edit = if offset == member_start { Edit::statement } else { Edit::blank };
                self.edits.push(edit(offset, offset + word.len()));
            }
            offset = trivia::skip(self.text, offset + word.len());
        }
    }

    /// Blanks ` as T` or ` satisfies T` behind an expression. Adds a semicolon if the next line would otherwise become an
    /// argument, an index or a template.
    fn blank_assertion(&mut self, expression_end: u32, span: Span) {
        let start = self.next_token(expression_end);
        let end = span.end as usize;
        let next = self.next_token(span.end);
        let continues = matches!(self.text.as_bytes().get(next), Some(b'(' | b'[' | b'`'))
            && trivia::has_line_break(&self.text[end..next]);
        let edit = if continues { Edit::statement } else { Edit::blank };
        self.edits.push(edit(start, end));
        if self.loosened.contains(&next) {
            self.unwrapped.retain(|offset| *offset != next);
            self.edits.push(Edit::insert(span.start as usize, "("));
            self.edits.push(Edit::insert(end, ")"));
        }
    }

    /// Records a literal in which line separators are content.
    pub(super) fn note_literal(&mut self, span: Span) {
        if self.watches_literals {
            self.literals.push(span);
        }
    }

    fn wrap(&mut self, opening: Span, end: u32) {
        let start = opening.start as usize;
        self.edits.push(Edit::replace(start, start + 1, "("));
        self.edits.push(Edit::blank(start + 1, opening.end as usize));
        self.edits.push(Edit::insert(end as usize, ")"));
    }

    /// Checks whether a class that the file exports in this way stays exported.
    pub(super) fn exports_class(&self, export: ClassExport) -> bool {
        match self.exports {
            Exports::Keep => true,
            Exports::KeepForEntry => export != ClassExport::Default,
            Exports::Drop => false,
        }
    }

    /// Checks whether a statement is erased as a whole.
    pub(super) fn erases(&self, statement: &Statement<'a>) -> bool {
        if let Some(declaration) = statement.as_declaration() {
            return is_erased(declaration);
        }
        match statement {
            Statement::EmptyStatement(_) | Statement::ImportDeclaration(_) => true,
            Statement::ExportDeclaration(export) => is_erased(&export.declaration),
            Statement::ExportNamedDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::ExportAllDeclaration(_) => self.exports == Exports::Drop,
            _ => false,
        }
    }
}

/// Checks whether an expression is a function, ignoring parentheses and type assertions.
pub(super) fn is_function(expression: &Expression<'_>) -> bool {
    matches!(
        expression.get_inner_expression(),
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)
    )
}

#[cfg(test)]
mod tests {
    use crate::{Program, prepare};

    #[test]
    fn a_sign_in_a_comment_does_not_end_a_type_assertion() {
        let prepared = prepare(&Program::single("return < any /* > */ >b")).unwrap();
        assert_eq!(prepared.files[0].code, format!("async()=>{{\nreturn {}b\n}}", " ".repeat(15)));
    }
}
