//! White space and comments between tokens.

/// Returns the offset of the first character at or after `offset` that is neither white space nor part of a comment.
pub(super) fn skip(text: &str, mut offset: usize) -> usize {
    loop {
        let rest = &text[offset..];
        let mut characters = rest.chars();
        match characters.next() {
            Some(character) if is_space(character) => offset += character.len_utf8(),
            Some('/') => match characters.next() {
                Some('/') => offset += rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len()),
                Some('*') => offset += rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
                _ => return offset,
            },
            _ => return offset,
        }
    }
}

/// Checks whether a character is white space or a line break in JavaScript.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// Checks whether a text contains U+2028 or U+2029, which are line breaks in JavaScript but not in most tools.
pub(super) fn has_separator(text: &str) -> bool {
    !text.is_ascii() && (text.contains('\u{2028}') || text.contains('\u{2029}'))
}

/// Checks whether a text contains a run of characters. Takes less time than [`str::contains`] in WebAssembly: it looks for the first
/// character in several bytes at once.
pub(super) fn has(text: &str, run: &str) -> bool {
    let Some(first) = run.chars().next() else { return true };
    text.match_indices(first).any(|(at, _)| text[at..].starts_with(run))
}

/// Checks whether a text contains a line break.
pub(super) fn has_line_break(text: &str) -> bool {
    text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
}

/// Returns the identifier or keyword that starts at `offset`; empty if there is none.
pub(super) fn word(text: &str, offset: usize) -> &str {
    let rest = &text[offset..];
    let end = rest
        .find(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '$' | '\\' | '#')))
        .unwrap_or(rest.len());
    &rest[..end]
}
