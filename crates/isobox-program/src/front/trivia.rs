//! What stands between tokens: white space and comments.

/// The offset of the first character at or after `offset` that is neither white space nor part of a comment.
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

/// Whether a character is white space or a line break to the language.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// Whether a text holds a separator that is a line break to the language and to few others.
pub(super) fn has_separator(text: &str) -> bool {
    !text.is_ascii() && (text.contains('\u{2028}') || text.contains('\u{2029}'))
}

/// Whether a run of text holds a line break.
pub(super) fn has_line_break(text: &str) -> bool {
    text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
}

/// The identifier or keyword that starts at `offset`, or nothing.
pub(super) fn word(text: &str, offset: usize) -> &str {
    let rest = &text[offset..];
    let end = rest
        .find(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '$' | '\\' | '#')))
        .unwrap_or(rest.len());
    &rest[..end]
}
