//! Selects the part of the text that may be shown with a problem.
//!
//! Secrets belong in the environment, but files may contain them anyway. Texts that may be secrets are not repeated in
//! messages.

use std::ops::Range;

use isobox_core::without_escapes;
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::Token;

use super::syntax::{Value, scanner};
use super::variables::{Part, parts};

/// Returns the line of a place or the part around it, and the number of characters before the place.
pub(super) fn excerpt(text: &str, at: usize, secrets: &[Range<usize>]) -> (String, usize) {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    let mut shown: Vec<char> = Vec::new();
    let mut indent = None;
    let mut is_hidden = false;
    let first = secrets.partition_point(|secret| secret.end <= start);
    let mut secrets = secrets[first..].iter().peekable();
    for (offset, character) in text[start..end].trim_end().char_indices() {
        let offset = start + offset;
        if offset >= at && indent.is_none() {
            indent = Some(shown.len());
        }
        while secrets.next_if(|secret| secret.end <= offset).is_some() {}
        if secrets.peek().is_some_and(|secret| secret.start <= offset) {
            if !is_hidden {
                shown.push('…');
            }
            is_hidden = true;
            continue;
        }
        is_hidden = false;
        if !shown.is_empty() || indent.is_some() || !character.is_whitespace() {
            shown.push(harmless(character));
        }
    }
    let indent = indent.unwrap_or(shown.len());
    around(&shown, indent)
}

/// Returns the ranges of comments, numbers and all texts that are not keys. Used for a text that could not be parsed.
pub(super) fn all_values(text: &str) -> Vec<Range<usize>> {
    let mut hidden = Vec::new();
    let mut scanner = scanner(text);
    let mut last = None;
    loop {
        let token = scanner.scan();
        if let Some(range) = last.take()
            && !matches!(token, Ok(Some(Token::Colon)))
        {
            hide(text, range, &mut hidden);
        }
        match token {
            Ok(Some(Token::String(_))) => last = Some(scanner.token_start()..scanner.token_end()),
            Ok(Some(Token::CommentLine(_) | Token::CommentBlock(_) | Token::Number(_))) => {
                hidden.push(scanner.token_start()..scanner.token_end());
            }
            Ok(Some(_)) => {}
            Ok(None) => return hidden,
            Err(_) => {
                // The next token can be anything, but a single character is not a secret.
                let next = text[scanner.token_start()..].chars().next().map_or(0, char::len_utf8);
                hidden.push(scanner.token_start() + next..text.len());
                return hidden;
            }
        }
    }
}

/// Returns the ranges that may be secrets: comments, and all texts and numbers except those of sections and keys that
/// contain none.
pub(super) fn secrets_of(text: &str, document: &Value<'_>) -> Vec<Range<usize>> {
    const OPEN_SECTIONS: [&str; 11] = [
        "policy",
        "ownDecisions",
        "tools",
        "limits",
        "locale",
        "timeZone",
        "answer",
        "validation",
        "checks",
        "rules",
        "modules",
    ];
    let mut hidden = Vec::new();
    match document {
        Value::Object(object) => {
            for property in &object.properties {
                if !OPEN_SECTIONS.contains(&property.name.as_str()) {
                    collect(text, &property.value, &mut hidden);
                }
            }
        }
        other => collect(text, other, &mut hidden),
    }
    let mut scanner = scanner(text);
    while let Ok(Some(token)) = scanner.scan() {
        if matches!(token, Token::CommentLine(_) | Token::CommentBlock(_)) {
            hidden.push(scanner.token_start()..scanner.token_end());
        }
    }
    hidden.sort_by_key(|range| range.start);
    hidden
}

fn collect(text: &str, value: &Value<'_>, hidden: &mut Vec<Range<usize>>) {
    const OPEN_KEYS: [&str; 5] = ["command", "type", "cwd", "hint", "timeout"];
    match value {
        Value::StringLit(literal) => hide(text, literal.start()..literal.end(), hidden),
        Value::Array(array) => array.elements.iter().for_each(|element| collect(text, element, hidden)),
        Value::Object(object) => {
            for property in &object.properties {
                let is_open =
                    OPEN_KEYS.contains(&property.name.as_str()) && matches!(property.value, Value::StringLit(_));
                if !is_open {
                    collect(text, &property.value, hidden);
                }
            }
        }
        Value::NumberLit(literal) => hidden.push(literal.start()..literal.end()),
        Value::BooleanLit(_) | Value::NullKeyword(_) => {}
    }
}

/// Hides the text between the quotes, except the names of variables.
fn hide(text: &str, literal: Range<usize>, hidden: &mut Vec<Range<usize>>) {
    let inside = literal.start + 1..literal.end.saturating_sub(1).max(literal.start + 1);
    for (start, part) in parts(&text[inside.clone()]) {
        match part {
            Part::Text(written) | Part::Malformed(written) => {
                hidden.push(inside.start + start..inside.start + start + written.len());
            }
            Part::Escaped | Part::Variable(_) => {}
        }
    }
}

fn harmless(character: char) -> char {
    if character == '\t' {
        return ' ';
    }
    let mut buffer = [0; 4];
    if &*without_escapes(character.encode_utf8(&mut buffer)) != character.encode_utf8(&mut [0; 4]) {
        return char::REPLACEMENT_CHARACTER;
    }
    character
}

/// Returns the part of a long line around a place.
fn around(line: &[char], indent: usize) -> (String, usize) {
    const BEFORE: usize = 60;
    const AFTER: usize = 40;
    let start = if line.len() > BEFORE + AFTER { indent.saturating_sub(BEFORE) } else { 0 };
    let end = if line.len() > BEFORE + AFTER { line.len().min(indent + AFTER) } else { line.len() };
    let (head, tail) = (if start > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
    let shown: String = line[start..end].iter().collect();
    (format!("{head}{shown}{tail}"), indent - start + usize::from(start > 0))
}
