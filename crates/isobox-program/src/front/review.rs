//! Says what is wrong with a program that only the engine refused, and where.
//!
//! What takes knowledge of scopes (a name declared twice, `break` outside of a loop) is left to the engine, which checks
//! it anyway; but the engine points behind the mistake, or nowhere. So a program that it refused is analysed once more,
//! as the engine got it. That costs as much as preparing it did, and those that run never pay.

use oxc::{
    allocator::Allocator, diagnostics::OxcDiagnostic, parser::Parser, semantic::SemanticBuilder, span::SourceType,
};

use super::{
    Fault, Place, PreparedFile, Program, Refused, diagnose,
    text::{self, Position, count},
    trivia,
};

/// The fault of a program that the engine refused, with what the engine said where nothing better is known.
pub(super) fn refused(refused: &Refused) -> Fault {
    let Refused { program, prepared, place, message } = refused;
    let suspects = prepared.files.iter().filter(|file| place.as_ref().is_none_or(|place| place.file == file.path));
    if let Some(fault) = suspects.filter_map(|file| review(program, file)).next() {
        return fault;
    }
    place
        .as_ref()
        .and_then(|place| stranded(program, place, message).or_else(|| said(program, place, message)))
        .unwrap_or_else(|| Fault::syntax(message))
}

/// What the engine said, where it said so.
fn said(program: &Program, place: &Place, message: &str) -> Option<Fault> {
    let Place { file, line, column } = place;
    failure_at(program, file, Position { line: *line, column: *column }, message.to_owned())
}

/// The failure for a `break` or `continue` in an arrow function in a loop, which only the engine minds. It points at the
/// token behind.
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

/// The first mistake in a file that can be named.
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

/// The place in the author's text of an offset in the code; nothing if it is none of the author's.
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
    /// Where the name stands first that may stand but once.
    first: Option<usize>,
}

fn first_mistake(code: &str) -> Option<Mistake> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, code, SourceType::mjs()).parse();
    let analysed = SemanticBuilder::new().with_check_syntax_error(true).build(&parsed.program);
    let found = parsed.diagnostics.errors().chain(analysed.diagnostics.errors());
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
    /// Whether the mistake is that something stands there a second time.
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
        _ if said.starts_with("Export '") => once(format!("`{name}` is exported and not declared"), None),
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

/// What stands between the first two quotes of a message.
fn quoted(message: &str) -> &str {
    message.split(['`', '\'']).nth(1).unwrap_or_default()
}
