//! Explains why the engine refused a program that the front end had accepted.
//!
//! The front end does not check mistakes that depend on scopes (a name declared twice, `break` outside of a loop), because
//! the engine checks them anyway. But the engine reports a place behind the mistake, or none. So a refused program is
//! analysed again, in its prepared form. That costs as much as preparing the program, but only refused programs pay for it.

use oxc::{
    allocator::Allocator, diagnostics::OxcDiagnostic, parser::Parser, semantic::SemanticBuilder, span::SourceType,
};

use super::{
    Fault, Place, PreparedFile, Program, Refused, diagnose,
    parse::errors,
    text::{self, Position, count},
    trivia,
};

/// Returns the fault of a program that the engine refused. Falls back to the engine's message if the analysis finds nothing.
pub(super) fn refused(refused: &Refused) -> Fault {
    let Refused { program, prepared, place, message } = refused;
    let suspects = prepared.files.iter().filter(|file| place.as_ref().is_none_or(|place| place.file == file.path));
    if let Some(fault) = suspects.filter_map(|file| review(program, file)).next() {
        return fault;
    }
    place
        .as_ref()
        .and_then(|place| stranded(program, place, message).or_else(|| engine_fault(program, place, message)))
        .unwrap_or_else(|| Fault::syntax(message))
}

/// Creates a fault with the message and the place that the engine reported.
fn engine_fault(program: &Program, place: &Place, message: &str) -> Option<Fault> {
    let Place { file, line, column } = place;
    failure_at(program, file, Position { line: *line, column: *column }, message.to_owned())
}

/// Creates the fault for a `break` or `continue` in an arrow function in a loop. Only the engine refuses these; its place is
/// that of the next token.
fn stranded(program: &Program, place: &Place, message: &str) -> Option<Fault> {
    let (keyword, outside) = match message {
        "break must be inside loop or switch" => ("break", "any loop or `switch`"),
        "continue must be inside loop" => ("continue", "any loop"),
        _ => return None,
    };
    let source = without_mark(program.files().get(&place.file)?);
    let behind = text::offset(source, Position { line: place.line, column: place.column });
    let before = source.get(..behind)?.trim_end().strip_suffix(keyword)?;
    let message = format!("`{keyword}` stands outside of {outside}");
    Some(text::syntax_error(&place.file, source, before.len(), message).hint(LEAVE))
}

const LEAVE: &str = "use `return` to leave a function";

fn without_mark(source: &str) -> &str {
    source.strip_prefix('\u{feff}').unwrap_or(source)
}

/// Returns the fault for the first mistake that the analysis finds in a file.
fn review(program: &Program, file: &PreparedFile) -> Option<Fault> {
    let mistake = first_mistake(&file.code)?;
    let place = author_position(file, mistake.offset)?;
    let failure = failure_at(program, &file.path, place, mistake.message)?;
    let first = mistake.first.and_then(|offset| author_position(file, offset));
    Some(match (first, mistake.hint) {
        (Some(Position { line, column }), _) => {
            failure.hint(format!("it stands first at line {line}, column {column}"))
        }
        (None, Some(hint)) => failure.hint(hint),
        (None, None) => failure,
    })
}

fn failure_at(program: &Program, path: &str, place: Position, message: String) -> Option<Fault> {
    let source = without_mark(program.files().get(path)?);
    Some(text::syntax_error(path, source, text::offset(source, place), message))
}

/// Maps an offset in the code to a position in the author's text, or `None` for code that the author did not write.
fn author_position(file: &PreparedFile, offset: usize) -> Option<Position> {
    let before = file.code.get(..offset)?;
    let line = i64::from(file.first_line) + i64::from(count(before.matches('\n').count()));
    let line = u32::try_from(line).ok()?;
    let column = 1 + count(before.rsplit('\n').next().unwrap_or_default().chars().count());
    let after = file.segments.partition_point(|segment| (segment.line, segment.column) <= (line, column));
    let segment = after.checked_sub(1).and_then(|index| file.segments.get(index));
    let place = match segment {
        Some(segment) if segment.line == line => {
            Position { line: segment.original_line, column: segment.original_column + (column - segment.column) }
        }
        _ => Position { line, column },
    };
    (place.line > 0).then_some(place)
}

struct Mistake {
    offset: usize,
    message: String,
    hint: Option<String>,
    /// The offset of the first occurrence, if the mistake is a repetition.
    first: Option<usize>,
}

fn first_mistake(code: &str) -> Option<Mistake> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, code, SourceType::mjs()).parse();
    let analysed = SemanticBuilder::new().with_check_syntax_error(true).build(&parsed.program);
    let found = errors(&parsed.diagnostics).chain(analysed.diagnostics.errors());
    found.map(|error| mistake(code, error)).min_by_key(|mistake| mistake.offset)
}

fn mistake(code: &str, error: &OxcDiagnostic) -> Mistake {
    let offsets = || error.labels.iter().map(|label| label.offset() as usize);
    let Wording { message, hint, is_repetition } = wording(code, offsets().next().unwrap_or_default(), error);
    let (first, last) = (offsets().min().unwrap_or_default(), offsets().max().unwrap_or_default());
    let hint = hint.map(str::to_owned).or_else(|| error.help.as_ref().map(|help| diagnose::tidy(help)));
    if is_repetition && first < last {
        Mistake { offset: last, message, hint, first: Some(first) }
    } else {
        Mistake { offset: offsets().next().unwrap_or_default(), message, hint, first: None }
    }
}

struct Wording {
    message: String,
    hint: Option<&'static str>,
    /// Whether the mistake is the second occurrence of something that may occur only once.
    is_repetition: bool,
}

fn wording(code: &str, offset: usize, error: &OxcDiagnostic) -> Wording {
    let said = error.message.as_ref();
    let name = quoted(said);
    let once = |message: String, hint: Option<&'static str>| Wording { message, hint, is_repetition: false };
    let twice = |message: String| Wording { message, hint: None, is_repetition: true };
    match said {
        _ if said.ends_with("has already been declared") && said.starts_with("Label") => {
            twice(format!("the label `{name}` stands inside of the same label"))
        }
        _ if said.ends_with("has already been declared") => twice(format!("the name `{name}` is declared twice")),
        _ if said.starts_with("Duplicated export") => twice(format!("`{name}` is exported twice")),
        _ if said.contains("multiple default exports") => twice("`default` is exported twice".to_owned()),
        _ if said.starts_with("Multiple constructor") => twice("the class has two constructors".to_owned()),
        _ if said.starts_with("Illegal break") => {
            once("`break` stands outside of any loop or `switch`".to_owned(), Some(LEAVE))
        }
        _ if said.starts_with("Illegal continue") => {
            once("`continue` stands outside of any loop".to_owned(), Some(LEAVE))
        }
        _ if said.starts_with("Use of undefined label") || said.starts_with("Jump target") => {
            let label = trivia::word(code, offset);
            once(format!("there is no label `{label}` around this statement"), None)
        }
        _ if said.starts_with("Delete of an unqualified") => {
            let variable = trivia::word(code, offset);
            let hint = "only properties can be deleted; set the variable to `undefined`";
            once(format!("the variable `{variable}` cannot be deleted"), Some(hint))
        }
        _ if said.starts_with("Private field") || said.starts_with("Private identifier") => {
            once(format!("the private name `{name}` is not declared in a class around it"), None)
        }
        _ if said.starts_with("'super' can only be referenced in members") => {
            once("`super` stands outside of any method".to_owned(), None)
        }
        _ if said.starts_with("'super' can only be referenced in a derived") => {
            once("`super()` stands in a class that extends nothing".to_owned(), None)
        }
        _ if said.starts_with("Super calls") => once("`super()` stands outside of any constructor".to_owned(), None),
        _ if said.starts_with("Export '") => once(format!("`{name}` is exported but not declared"), None),
        _ if said.starts_with("The keyword '") => once(format!("`{name}` is a reserved word"), None),
        _ if said.starts_with("Cannot assign to '") => once(format!("`{name}` cannot be assigned to"), None),
        _ if said.starts_with("'with' statements") => once("`with` is not available".to_owned(), None),
        _ if said.starts_with("'0'-prefixed octal") => {
            let hint = "write `0o17` for an octal number, and `\\x0f` for a character by its number";
            once("octal numbers and escapes of the old form are not available".to_owned(), Some(hint))
        }
        _ => once(diagnose::tidy(said), None),
    }
}

/// Returns the text between the first two quotes of a message.
fn quoted(message: &str) -> &str {
    message.split(['`', '\'']).nth(1).unwrap_or_default()
}
