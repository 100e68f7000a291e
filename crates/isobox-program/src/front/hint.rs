//! Recognises common mistakes of models, and gives advice on how to correct them.

use super::{
    brackets::{Brackets, Mismatch, Open, brackets},
    text::{Position, Text, line_around, position},
    trivia,
};

pub(super) const JSX: &str = "JSX is not available: build strings or plain objects";

/// Returns advice about the error at an offset of the code, if the mistake is a known one.
pub(super) fn of(text: &Text<'_>, offset: usize, message: &str) -> Option<String> {
    let line = line_around(text.code, offset);
    of_character(text.code, offset)
        .or_else(|| of_character(text.code, trivia::skip(text.code, offset)))
        .map(str::to_owned)
        .or_else(|| of_whole(text.code).map(str::to_owned))
        .or_else(|| of_line(line).map(str::to_owned))
        .or_else(|| of_message(message).map(str::to_owned))
        .or_else(|| of_brackets(text, &brackets(text.code)))
        .or_else(|| of_prose(line).map(str::to_owned))
        .or_else(|| of_operator(text.code, offset).map(str::to_owned))
}

fn of_character(code: &str, offset: usize) -> Option<&'static str> {
    match code.get(offset..)?.chars().next()? {
        '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2032}' | '\u{2033}' => {
            Some("use straight quotes: \" or '")
        }
        '\u{2013}' | '\u{2014}' | '\u{2212}' => Some("use the plain minus sign: -"),
        '\u{2026}' => Some("write three dots: ..."),
        _ => None,
    }
}

fn of_whole(code: &str) -> Option<&'static str> {
    let trimmed = code.trim();
    if trimmed.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(trimmed).is_ok() {
        return Some("this is JSON, not a program: write `return` before it, or give the code alone");
    }
    if trimmed.starts_with("{\"") {
        return Some("this looks like JSON, not a program: give the code alone");
    }
    let lines: Vec<&str> = trimmed.lines().filter(|line| !line.trim().is_empty()).take(20).collect();
    if lines.len() > 1 && lines.iter().all(|line| is_numbered(line)) {
        return Some("the lines carry numbers: give the code without them");
    }
    let is_change = |line: &&&str| line.starts_with(['+', '-']) || line.starts_with("@@");
    if lines.len() > 1 && lines.iter().filter(is_change).count() * 2 >= lines.len() {
        return Some("this looks like a diff: give the whole program without `+` and `-` before the lines");
    }
    None
}

/// Checks whether a line starts with a line number: `12: code` or `12 | code`.
fn is_numbered(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.trim_start_matches(|character: char| character.is_ascii_digit());
    rest.len() < line.len() && rest.trim_start().starts_with([':', '|', '→'])
}

fn of_line(line: &str) -> Option<&'static str> {
    let line = line.trim();
    if ["&lt;", "&gt;", "&quot;", "&#39;", "&amp;"].iter().any(|entity| line.contains(entity)) {
        return Some("the text is escaped for HTML: write <, >, & and quotes as they are");
    }
    if looks_like_python(line) {
        return Some("this looks like Python: write the program in JavaScript or TypeScript");
    }
    if line.contains("</") || line.contains("/>") {
        return Some(JSX);
    }
    None
}

fn looks_like_python(line: &str) -> bool {
    let first = line.split([' ', '(', ':']).next().unwrap_or_default();
    let ends_with_colon = line.ends_with(':');
    match first {
        "def" | "elif" | "except" | "lambda" | "pass" | "nonlocal" | "raise" => true,
        "from" => line.contains(" import "),
        "print" if ["print \"", "print '", "print f"].iter().any(|start| line.starts_with(start)) => true,
        "if" | "for" | "while" | "else" | "try" | "with" | "class" | "finally" | "async" => ends_with_colon,
        _ => {
            line.starts_with("# ")
                || [" # ", "(f\"", "(f'", "=f\"", "= f\"", "= f'", " not in ", " is not ", " lambda "]
                    .iter()
                    .any(|sign| line.contains(sign))
                || [" None", " True", " False"].iter().any(|word| line.ends_with(word))
                || (line.contains(" for ") && line.contains(" in ") && !line.contains("for ("))
        }
    }
}

/// Returns advice about an operator of Python around an offset. The parser stops before or behind it.
fn of_operator(code: &str, offset: usize) -> Option<&'static str> {
    let before = code.get(..offset)?.trim_end();
    let next = trivia::skip(code, offset);
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    let last = before.rsplit(|character: char| !is_part(character)).next().unwrap_or_default();
    let is_walrus = before.ends_with(':') && code[next..].starts_with('=');
    let is_conditional = || code[next..].lines().next().is_some_and(|rest| rest.contains(" else "));
    let is_operator = match trivia::word(code, next) {
        "and" | "or" => true,
        "if" => is_conditional(),
        _ => last == "not" || is_walrus,
    };
    is_operator.then_some("this looks like Python: JavaScript has `&&`, `||`, `!`, `=` and `condition ? one : other`")
}

fn of_message(message: &str) -> Option<&'static str> {
    if message.contains("await") && message.contains("async") {
        Some("mark the function that holds it `async`")
    } else {
        None
    }
}

fn of_brackets(text: &Text<'_>, brackets: &Brackets) -> Option<String> {
    let place = |offset: usize| {
        let Position { line, column } = position(text.whole, text.start + offset);
        format!("line {line}, column {column}")
    };
    if let Some(offset) = brackets.string {
        return Some(format!("the string that starts at {} is not closed on its line", place(offset)));
    }
    if let Some(Mismatch { offset, opened }) = brackets.mismatch {
        let sign: String = text.code[offset..].chars().take(1).collect();
        return Some(match opened {
            Some((opened, at)) => {
                let opened = if opened == '`' { "${".to_owned() } else { opened.to_string() };
                format!("the `{opened}` at {} is not closed before the `{sign}` at {}", place(at), place(offset))
            }
            None => format!("the `{sign}` at {} closes nothing", place(offset)),
        });
    }
    Some(match brackets.open? {
        Open::Bracket { sign, offset } => format!("the `{sign}` at {} is never closed", place(offset)),
        Open::Template { offset } => format!("the template that starts at {} is never closed", place(offset)),
        Open::Comment { offset } => format!("the comment that starts at {} is never closed", place(offset)),
    })
}

/// Returns advice if the line is a sentence in plain words.
fn of_prose(line: &str) -> Option<&'static str> {
    let line = line.trim();
    let words = line.split_whitespace().count();
    let plain = |character: char| character.is_alphabetic() || matches!(character, ' ' | ',' | '.' | ':' | '\'' | '!');
    let starts_sentence = line.starts_with(char::is_uppercase);
    let is_plain = line.chars().all(plain) || line.ends_with([':', '.']);
    (words >= 3 && starts_sentence && is_plain)
        .then_some("this looks like prose: answer with the program alone; comments may stand inside it")
}
