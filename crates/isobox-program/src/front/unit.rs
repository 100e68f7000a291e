//! Reads one file: parses the text, erases types, and records imports and exports.

use oxc::{
    allocator::Allocator,
    ast::ast::{ExportDefaultDeclarationKind, Program, Statement},
    ast_visit::Visit,
};

use super::Fault;
use super::{
    compose::Edit,
    diagnose,
    erase::{Eraser, Exports},
    fence, lower,
    modules::{Presence, Records, Required},
    parse::parse,
    shape::{self, CommonJs, Shape},
    survey::{self, Entry, FileSurvey, Wanted},
    text::{self, Position, Text, count},
    trivia,
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
    pub(super) common_js: CommonJs,
    pub(super) records: Records,
    pub(super) required: Required,
    /// What was looked for and found.
    pub(super) seen: FileSurvey,
    /// Functions that the code needs, in one line.
    pub(super) helper: Option<String>,
    /// Whether the file has a mistake, which is thrown when the file is imported.
    pub(super) is_broken: bool,
}

impl Unit<'_> {
    /// Creates a syntax fault at a byte offset of the file's code.
    pub(super) fn error(&self, offset: usize, message: impl Into<String>) -> Fault {
        self.text.error(offset, message)
    }
}

/// Reads one file.
pub(super) fn read<'source>(text: Text<'source>, role: Role, wanted: Wanted<'_>) -> Result<Unit<'source>, Fault> {
    if role == Role::Imported && is_json(text.path) {
        return read_json(text);
    }
    let allocator = Allocator::default();
    let parsed = parse(&allocator, text.code);
    if let Some(failure) = diagnose::failure(&text, &parsed) {
        return Err(failure);
    }
    let program = parsed.program;
    if let Some(failure) = stray_fence(&text, &program) {
        return Err(failure);
    }
    let mut eraser = Eraser::new(text.code, exports_of(&program, role), parsed.loosened);
    if text.code.contains('@') {
        eraser.lowering.class_names = lower::class_names(&program);
    }
    eraser.visit_program(&program);
    if eraser.has_aliases() {
        eraser.lower_aliases(&lower::value_references(&program));
    }
    if let Some(objection) = eraser.objection.take() {
        let failure = text.error(objection.offset, objection.message);
        return Err(match objection.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        });
    }
    if let Some(offset) = eraser.unwrapped.first() {
        let operator: String = text.code[*offset..].chars().take(1).collect();
        return Err(text.error(*offset, format!("unexpected `{operator}`")));
    }
    finish(text, &program, eraser, (role, wanted))
}

/// Replaces a file that has a mistake with a module that throws it.
pub(super) fn broken<'source>(text: Text<'source>, fault: &Fault) -> Unit<'source> {
    let place = fault.place.as_ref();
    let place = place.map_or_else(String::new, |it| format!("{}:{}:{}: ", it.file, it.line, it.column));
    let message = serde_json::Value::from(format!("{place}{}", fault.message));
    let edits = vec![Edit::replace(0, text.code.len(), format!("throw new SyntaxError({message})"))];
    Unit { is_broken: true, ..module(text, edits, Records::default()) }
}

/// Checks whether the file at a path is data, and not code.
pub(super) fn is_json(path: &str) -> bool {
    path.ends_with(".json")
}

/// Turns a JSON file into a module whose default export is the value. The value is parsed at run time, because `__proto__` is
/// an ordinary key of JSON.
fn read_json(text: Text<'_>) -> Result<Unit<'_>, Fault> {
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text.code) {
        let (line, column) = (count(error.line()).max(1), count(error.column()).max(1));
        let offset = text::offset(text.code, Position { line, column });
        let message = error.to_string();
        let reason = message.split(" at line ").next().unwrap_or_default();
        return Err(text.error(offset, format!("the file is not JSON: {reason}")));
    }
    let code = format!("export default JSON.parse({})", serde_json::Value::from(text.code));
    let mut records = Records::default();
    records.record_default(Presence::Value);
    let edits = vec![Edit::replace(0, text.code.len(), code)];
    Ok(module(text, edits, records))
}

/// Creates a module that was not written by the author.
fn module(text: Text<'_>, edits: Vec<Edit>, records: Records) -> Unit<'_> {
    Unit {
        text,
        edits,
        shape: Shape::Module,
        common_js: CommonJs::Unused,
        records,
        required: Required::default(),
        seen: FileSurvey::default(),
        helper: None,
        is_broken: false,
    }
}

/// Returns the fault for prose around a fence that happens to parse, because backticks read as templates.
fn stray_fence(text: &Text<'_>, program: &Program<'_>) -> Option<Fault> {
    if !trivia::has(text.code, "```") {
        return None;
    }
    let offset = fence::first(text.code)?;
    let is_comment = program.comments.iter().any(|it| (it.span.start as usize..it.span.end as usize).contains(&offset));
    if is_comment { None } else { fence::surroundings(text) }
}

fn exports_of(program: &Program<'_>, role: Role) -> Exports {
    match role {
        Role::Imported | Role::ImportedEntry => Exports::Keep,
        Role::Entry if shape::has_default(program) => Exports::KeepForEntry,
        Role::Entry => Exports::Drop,
    }
}

fn finish<'source>(
    text: Text<'source>,
    program: &Program<'_>,
    mut eraser: Eraser<'_>,
    (role, wanted): (Role, Wanted<'_>),
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
    if role == Role::Entry {
        keep_class(program, &mut edits);
    }
    separate_lines(text.code, program, &eraser, &mut edits);
    let mut records = std::mem::take(&mut eraser.modules);
    if program.body.iter().any(|statement| matches!(statement, Statement::ExportNamedDeclaration(_))) {
        records.record_types(&program.body);
    }
    let is_own = |specifier: &str| specifier.starts_with('.');
    if records.references.iter().any(|reference| !is_own(&reference.specifier)) {
        records.record_uses(&lower::value_references(program), is_own);
    }
    let common_js = common_js(program, &eraser);
    let required = required(&mut eraser);
    let seen = if wanted.is_nothing() {
        FileSurvey::default()
    } else {
        let is_start = match role {
            Role::Entry | Role::ImportedEntry => true,
            Role::Imported => false,
        };
        survey::survey(&text, program, wanted, Entry { is_start, ..shape.entry() })
    };
    let helper = eraser.decorator_helper();
    Ok(Unit { text, edits, shape, common_js, records, required, seen, helper, is_broken: false })
}

/// Removes `export default` before a class (see [`Exports::KeepForEntry`]).
fn keep_class(program: &Program<'_>, edits: &mut Vec<Edit>) {
    for statement in &program.body {
        let Statement::ExportDefaultDeclaration(export) = statement else { continue };
        let ExportDefaultDeclarationKind::ClassDeclaration(class) = &export.declaration else { continue };
        let (start, class_start) = (export.span.start as usize, class.span.start as usize);
        if !class.decorators.is_empty() || class.id.is_none() && lower::is_decorated(class) {
            // Its export is removed where its decorators are lowered.
        } else if class.id.is_some() {
            edits.push(Edit::statement(start, class_start));
        } else {
            edits.push(Edit::replace(start, class_start, ";("));
            edits.push(Edit::insert(class.span.end as usize, ")"));
        }
    }
}

fn required(eraser: &mut Eraser<'_>) -> Required {
    if eraser.required.is_empty() || eraser.declares_require {
        return Required::default();
    }
    Required { calls: std::mem::take(&mut eraser.required), prefix: eraser.fresh() }
}

/// Determines whether a program uses `module` or `exports` and does not declare them itself.
fn common_js(program: &Program<'_>, eraser: &Eraser<'_>) -> CommonJs {
    if !eraser.mentions_exports {
        return CommonJs::Unused;
    }
    let declared = lower::declared(&program.body);
    let is_own = ["module", "exports"].iter().any(|name| declared.contains(name));
    if is_own { CommonJs::Unused } else { CommonJs::Used }
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
