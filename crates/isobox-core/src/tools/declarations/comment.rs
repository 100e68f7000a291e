//! Untrusted text inside TypeScript: in comments, which it cannot close, and in string literals.

use crate::text;

/// Returns the text as one line of a comment: at most `limit` characters, without characters that could end the
/// comment, control a terminal or hide from a reader.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    write_line(&mut line, text, limit);
    line
}

/// Appends such a line after a character that is not an asterisk.
pub(super) fn write_line(out: &mut String, text: &str, limit: usize) {
    let plain = plain_length(text, limit);
    // A space at the end of the plain part may be the last, or the first of several.
    let plain = text[..plain].trim_ascii_end().len();
    out.push_str(&text[..plain]);
    let mut line = Line { is_empty: plain == 0, out, left: limit - plain, owes_space: false };
    for character in text[plain..].chars() {
        if !line.push(character) {
            break;
        }
    }
}

/// Returns the non-empty lines of the text in this form. The limit is for all together.
pub(super) fn lines(text: &str, limit: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut left = limit;
    for part in text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        let line = one_line(part, left);
        match lines.last_mut() {
            _ if line.is_empty() => {}
            Some(last) if left == 0 => {
                if !last.ends_with('…') {
                    last.push('…');
                }
                break;
            }
            _ => {
                left = left.saturating_sub(line.chars().count());
                lines.push(line);
            }
        }
    }
    lines
}

/// Appends the text as a string literal. Invisible characters become escapes.
pub(super) fn quote(quoted: &mut String, text: &str) {
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            ' ' => quoted.push(' '),
            _ if is_hidden(character) || character.is_whitespace() => quoted.extend(character.escape_unicode()),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
}

/// Returns the length of the beginning that needs no change: visible ASCII with single spaces. Most text is of this
/// kind.
fn plain_length(text: &str, limit: usize) -> usize {
    let mut before = b' ';
    let mut plain = 0;
    for byte in text.bytes().take(limit) {
        let is_plain = match byte {
            b' ' => before != b' ',
            b'/' => before != b'*',
            _ => byte.is_ascii_graphic(),
        };
        if !is_plain {
            break;
        }
        before = byte;
        plain += 1;
    }
    plain
}

/// A line of a comment that is being written.
struct Line<'out> {
    out: &'out mut String,
    is_empty: bool,
    left: usize,
    owes_space: bool,
}

impl Line<'_> {
    /// Adds a character. Returns false once there is no more room.
    fn push(&mut self, character: char) -> bool {
        if character.is_whitespace() {
            self.owes_space = !self.is_empty;
            return true;
        }
        if is_hidden(character) {
            return true;
        }
        let needed = 1 + usize::from(self.owes_space);
        if self.left < needed {
            self.out.push('…');
            return false;
        }
        self.left -= needed;
        self.is_empty = false;
        if std::mem::take(&mut self.owes_space) {
            self.out.push(' ');
        } else if character == '/' && self.out.ends_with('*') {
            self.out.push('\\');
        }
        self.out.push(character);
        true
    }
}

/// Tells whether a character is a control, reorders text, or is invisible to people but not to models. Joiners and
/// variation selectors are not hidden: some languages need them.
fn is_hidden(character: char) -> bool {
    !matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}') && text::is_hidden(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_closes_a_comment() {
        for (text, expected) in [
            ("a */ b", "a *\\/ b"),
            ("**//*/", "**\\//*\\/"),
            ("*\u{200b}/", "*\\/"),
            ("*\n/", "* /"),
            ("ends with *", "ends with *"),
            ("a\r\n\t b\u{2028}c", "a b c"),
            ("\u{202e}evil\u{1b}[31m\u{e0041}", "evil[31m"),
            ("  trimmed  ", "trimmed"),
        ] {
            assert_eq!(one_line(text, 100), expected);
        }
    }

    #[test]
    fn long_text_is_cut_and_marked() {
        assert_eq!(one_line("äöü", 3), "äöü");
        assert_eq!(one_line("äöüß", 3), "äöü…");
        assert_eq!(one_line(&"x".repeat(10_000_000), 5), "xxxxx…");
        assert_eq!(lines("one\n\n two\r\nthree", 100), ["one", "two", "three"]);
        assert_eq!(lines("one\ntwo\nthree", 5), ["one", "tw…"]);
        assert_eq!(lines("one\ntwo\nthree", 6), ["one", "two…"]);
        assert_eq!(lines("one\ntwo\n \n", 6), ["one", "two"]);
        assert_eq!(lines("\n \n", 5), Vec::<String>::new());
    }

    #[test]
    fn strings_show_what_is_in_them() {
        for (text, expected) in
            [("a\"b\\c\nd", r#""a\"b\\c\nd""#), ("\u{202e}\u{2028}\u{7f}é", "\"\\u{202e}\\u{2028}\\u{7f}é\"")]
        {
            let mut quoted = String::new();
            quote(&mut quoted, text);
            assert_eq!(quoted, expected);
        }
    }
}
