//! Text that comes from a program and is shown to a person.

/// The text, cut to so many characters with a mark where it was cut.
///
/// ```
/// assert_eq!(isobox_core::shorten("naïveté", 5), "naïve…");
/// ```
pub fn shorten(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Text of the engine, where half of a surrogate pair is three bytes that are not UTF-8: it becomes one U+FFFD.
pub fn lossy_text(bytes: &[u8]) -> String {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return text.to_owned(),
        Err(error) => error,
    };
    let mut mended = bytes.to_vec();
    let mut at = error.valid_up_to();
    while at + 3 <= mended.len() {
        if mended[at] == 0xed && mended[at + 1] >= 0xa0 {
            mended[at..at + 3].copy_from_slice("\u{fffd}".as_bytes());
            at += 3;
        } else {
            at += 1;
        }
    }
    String::from_utf8_lossy(&mended).into_owned()
}

/// The text with everything that could steer a terminal made visible instead: control characters but for line breaks and
/// tabs, and the invisible characters that reorder text.
///
/// ```
/// assert_eq!(isobox_core::without_escapes("\u{1b}[2Jgone"), "\\u{1b}[2Jgone");
/// ```
pub fn without_escapes(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.chars().any(is_hazard) {
        return text.into();
    }
    let mut clean = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hazard(character) {
            clean.extend(character.escape_unicode());
        } else {
            clean.push(character);
        }
    }
    clean.into()
}

fn is_hazard(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' => true,
        _ => character.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortening_counts_characters_and_not_bytes() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüß", 3), "äöü…");
    }

    #[test]
    fn half_a_surrogate_pair_is_one_replacement_character() {
        assert_eq!(lossy_text(b"a\xed\xa0\xbdb\xff"), "a\u{fffd}b\u{fffd}");
        assert_eq!(lossy_text("\u{d7ff}ä".as_bytes()), "\u{d7ff}ä");
    }

    #[test]
    fn escape_sequences_are_made_visible() {
        assert_eq!(without_escapes("a\u{1b}[31mb\r\n\tc"), "a\\u{1b}[31mb\\u{d}\n\tc");
        assert_eq!(without_escapes("\u{202e}txt.exe\u{9b}2J"), "\\u{202e}txt.exe\\u{9b}2J");
        assert!(matches!(without_escapes("plain ä"), std::borrow::Cow::Borrowed(_)));
    }
}
