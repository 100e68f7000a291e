//! Turns the diagnostics of the parser into faults.

use oxc::diagnostics::OxcDiagnostic;

use super::Fault;
use super::{
    fence, hint,
    parse::{Parsed, errors},
    text::Text,
    trivia,
};

/// Returns the fault for the first error of the parser, if there is one.
pub(super) fn failure(text: &Text<'_>, parsed: &Parsed<'_>) -> Option<Fault> {
    let Some(first) = errors(&parsed.diagnostics).min_by_key(|error| offset_of(error)) else {
        return parsed.panicked.then(|| text.error(0, "the program does not parse"));
    };
    if let Some(failure) = fence::surroundings(text) {
        return Some(failure);
    }
    let offset = offset_of(first);
    let advice = hint::of(text, offset, &first.message).or_else(|| first.help.as_ref().map(|help| tidy(help)));
    let place = place(text.code, offset, advice.as_deref());
    let failure = text.error(place, message(text.code, offset, first));
    Some(match advice {
        Some(advice) => failure.hint(advice),
        None => failure,
    })
}

fn offset_of(error: &OxcDiagnostic) -> usize {
    error.labels.first().map_or(0, |label| label.offset() as usize)
}

/// Returns the offset at which the mistake begins. It may be before the offset that the parser reports.
fn place(code: &str, offset: usize, advice: Option<&str>) -> usize {
    let before = code.get(..offset).unwrap_or_default();
    if before.ends_with('#') {
        return offset - 1;
    }
    if advice == Some(hint::JSX) {
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let starts_tag =
            |(at, _): &(usize, &str)| before[line + at + 1..].starts_with(|next: char| next.is_ascii_alphabetic());
        return before[line..].match_indices('<').find(starts_tag).map_or(offset, |(at, _)| line + at);
    }
    offset
}

fn message(code: &str, offset: usize, error: &OxcDiagnostic) -> String {
    if error.message == "Unterminated string" && code.get(offset..).is_some_and(|rest| rest.starts_with('`')) {
        return "unterminated template".to_owned();
    }
    if error.message != "Unexpected token" {
        let message = tidy(&error.message).replace("Character", "character").replace("`EOF`", "the end of the program");
        let word = trivia::word(code, offset);
        return if word.is_empty() { message } else { message.replace("`Identifier`", &format!("`{word}`")) };
    }
    if trivia::skip(code, offset.min(code.len())) >= code.len() {
        return "the program ends too early".to_owned();
    }
    let word = trivia::word(code, offset);
    let found = if word.is_empty() {
        code[offset..].chars().take(1).collect()
    } else {
        word.chars().take(40).collect::<String>()
    };
    format!("unexpected `{found}`")
}

/// Formats a message of the parser like our own messages: no initial capital, no full stop.
pub(super) fn tidy(message: &str) -> String {
    let message = message.trim().trim_end_matches('.');
    let mut characters = message.chars();
    match characters.next() {
        Some(first) if !message[first.len_utf8()..].starts_with(|next: char| next.is_uppercase()) => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => message.to_owned(),
    }
}
