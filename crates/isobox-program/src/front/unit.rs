//! Reads one file: parses the text, erases types, and records imports and exports.

use oxc::{
    allocator::Allocator,
    ast::ast::{Program, Statement},
    ast_visit::Visit,
    parser::{ParseOptions, Parser, ParserReturn},
    span::SourceType,
};

use super::Fault;
use super::{
    compose::Edit,
    diagnose,
    erase::{Eraser, Exports},
    fence, lower,
    modules::Records,
    shape::{self, Shape},
    text::Text,
};

/// The role of a file in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The program starts with the file, and no other file is known to import it. It may become the body of a function.
    Entry,
    /// The program starts with the file, and other files import it. It is a module.
    ImportedEntry,
    /// Other files import the file. It is a module.
    Imported,
}

/// One file after reading.
#[derive(Debug)]
pub(super) struct Unit<'source> {
    pub(super) text: Text<'source>,
    pub(super) edits: Vec<Edit>,
    pub(super) shape: Shape,
    pub(super) records: Records,
}

impl Unit<'_> {
    /// Creates a syntax fault at a byte offset of the file's code.
    pub(super) fn error(&self, offset: usize, message: impl Into<String>) -> Fault {
        self.text.error(offset, message)
    }
}

/// Reads one file.
pub(super) fn read<'source>(text: Text<'source>, role: Role) -> Result<Unit<'source>, Fault> {
    let allocator = Allocator::default();
    let parsed = parse(&allocator, text.code);
    if let Some(failure) = diagnose::failure(&text, &parsed.diagnostics, parsed.panicked) {
        return Err(failure);
    }
    let program = parsed.program;
    if let Some(failure) = stray_fence(&text, &program) {
        return Err(failure);
    }
    let mut eraser = Eraser::new(text.code, exports_of(&program, role));
    eraser.visit_program(&program);
    if let Some(objection) = eraser.objection.take() {
        let failure = text.error(objection.offset, objection.message);
        return Err(match objection.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        });
    }
    if eraser.has_aliases() {
        eraser.lower_aliases(&lower::value_references(&program));
    }
    finish(text, &program, eraser, role)
}

/// Returns the fault for prose around a fence that happens to parse, because backticks read as templates.
fn stray_fence(text: &Text<'_>, program: &Program<'_>) -> Option<Fault> {
    if !text.code.contains("```") {
        return None;
    }
    let offset = fence::first(text.code)?;
    let is_comment = program.comments.iter().any(|it| (it.span.start as usize..it.span.end as usize).contains(&offset));
    if is_comment { None } else { fence::surroundings(text) }
}

/// Parses a text as a TypeScript module in which `return` is allowed at the top level.
pub(super) fn parse<'a>(allocator: &'a Allocator, code: &'a str) -> ParserReturn<'a> {
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    Parser::new(allocator, code, SourceType::ts().with_module(true)).with_options(options).parse()
}

fn exports_of(program: &Program<'_>, role: Role) -> Exports {
    match role {
        Role::Imported | Role::ImportedEntry => Exports::Keep,
        Role::Entry if shape::has_default(program) => Exports::Keep,
        Role::Entry => Exports::Drop,
    }
}

fn finish<'source>(
    text: Text<'source>,
    program: &Program<'_>,
    mut eraser: Eraser<'_>,
    role: Role,
) -> Result<Unit<'source>, Fault> {
    let has_default = shape::has_default(program);
    let shape = match role {
        Role::Entry if !has_default => shape::of_body(program, &eraser),
        Role::ImportedEntry if !has_default => shape::of_body(program, &eraser).into_module(),
        Role::Entry | Role::ImportedEntry | Role::Imported => Shape::Module,
    };
    let top_level_return = eraser.top_level_return.filter(|_| shape.is_module());
    if let Some(offset) = top_level_return {
        let failure = text.error(offset, "`return` stands outside of any function");
        return Err(match role {
            Role::Entry => failure.hint("a program with `export default` gives its result through that function"),
            Role::ImportedEntry | Role::Imported => {
                failure.hint("a file that is imported gives its results through `export`")
            }
        });
    }
    let mut edits = std::mem::take(&mut eraser.edits);
    if let Some(hashbang) = &program.hashbang {
        let start = hashbang.span.start as usize;
        edits.push(Edit::replace(start, start + 2, "//"));
    }
    separate_lines(text.code, program, &eraser, &mut edits);
    let mut records = std::mem::take(&mut eraser.modules);
    if program.body.iter().any(|statement| matches!(statement, Statement::ExportNamedDeclaration(_))) {
        records.record_types(&program.body);
    }
    Ok(Unit { text, edits, shape, records })
}

/// Replaces U+2028 and U+2029 outside of literals with line feeds, so that the code has the same line breaks for every
/// engine. Splits `<!--`, which opens a comment in a script but not in a module.
fn separate_lines(code: &str, program: &Program<'_>, eraser: &Eraser<'_>, edits: &mut Vec<Edit>) {
    if !eraser.watches_literals {
        return;
    }
    let ranges = |spans: &mut dyn Iterator<Item = (usize, usize)>| {
        let mut ranges: Vec<(usize, usize)> = spans.collect();
        ranges.sort_unstable();
        ranges
    };
    let literals = eraser.literals.iter().map(|span| (span.start as usize, span.end as usize));
    let kept = ranges(&mut literals.chain(edits.iter().map(|edit| (edit.start, edit.end))));
    let comments = ranges(&mut program.comments.iter().map(|it| (it.span.start as usize, it.span.end as usize)));
    let holds = |ranges: &[(usize, usize)], offset: usize| {
        let after = ranges.partition_point(|(start, _)| *start <= offset);
        after.checked_sub(1).and_then(|index| ranges.get(index)).is_some_and(|(_, end)| offset < *end)
    };
    let mut separators = Vec::new();
    for (offset, sign) in code.match_indices(['\u{2028}', '\u{2029}']) {
        if !holds(&kept, offset) {
            separators.push(Edit::replace(offset, offset + sign.len(), "\n"));
        }
    }
    for (offset, _) in code.match_indices("<!--") {
        if !holds(&kept, offset) && !holds(&comments, offset) {
            separators.push(Edit::insert(offset + 1, " "));
        }
    }
    edits.append(&mut separators);
}
