//! Finds unclosed brackets, strings, templates and comments, for advice about texts that do not parse.

use super::trivia;

/// A bracket, template or comment that is still open at the end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    Bracket { sign: char, offset: usize },
    Template { offset: usize },
    Comment { offset: usize },
}

/// A closing bracket that does not match the open one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) offset: usize,
    /// The sign and the offset of the open bracket, if one is open.
    pub(super) opened: Option<(char, usize)>,
}

/// The mistakes in the brackets and quotes of a text.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// The innermost bracket, template or comment that is never closed.
    pub(super) open: Option<Open>,
    /// The first closing bracket that does not match.
    pub(super) mismatch: Option<Mismatch>,
    /// The offset of the first string that is not closed on its line.
    pub(super) string: Option<usize>,
}

/// Scans a text. Guesses whether a `/` divides or starts a regular expression; a wrong guess only affects the hint.
pub(super) fn brackets(text: &str) -> Brackets {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        offset: 0,
        levels: Vec::new(),
        before: Before::Operator,
        before_head: false,
        line_break: true,
        found: Brackets::default(),
    };
    scanner.run();
    scanner.found
}

/// The kind of the previous token, which decides what a `/` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Operator,
    Operand,
    Brace,
}

/// An open bracket.
struct Level {
    /// `(`, `[`, `{`, or a backtick for `${`.
    sign: char,
    offset: usize,
    /// Whether the bracket opens the head of `if`, `while`, `for` or `with`, so that a statement follows its end.
    is_head: bool,
}

struct Scanner<'text> {
    text: &'text str,
    bytes: &'text [u8],
    offset: usize,
    levels: Vec<Level>,
    before: Before,
    before_head: bool,
    line_break: bool,
    found: Brackets,
}

impl Scanner<'_> {
    fn run(&mut self) {
        if self.text.starts_with("#!") {
            self.skip_line();
        }
        while let Some(&byte) = self.bytes.get(self.offset) {
            self.token(byte);
        }
        if self.found.open.is_none() {
            self.found.open = self.levels.last().map(|level| match level.sign {
                '`' => Open::Template { offset: level.offset },
                sign => Open::Bracket { sign, offset: level.offset },
            });
        }
    }

    fn token(&mut self, byte: u8) {
        let next = self.bytes.get(self.offset + 1);
        match byte {
            b'\n' | b'\r' => {
                self.line_break = true;
                self.offset += 1;
            }
            b' ' | b'\t' => self.offset += 1,
            b'/' if next == Some(&b'/') => self.skip_line(),
            b'/' if next == Some(&b'*') => self.skip_comment(),
            b'/' => self.slash(),
            b'(' | b'[' | b'{' => self.open(char::from(byte), self.offset),
            b')' | b']' | b'}' => self.close(byte),
            b'`' => {
                self.offset += 1;
                self.template(self.offset - 1);
            }
            b'"' | b'\'' => self.quoted(byte),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'#' | 0x80.. => self.word(),
            _ => {
                self.offset += 1;
                self.follow(Before::Operator);
            }
        }
    }

    fn word(&mut self) {
        let word = trivia::word(self.text, self.offset);
        let width = self.text[self.offset..].chars().next().map_or(1, char::len_utf8);
        self.offset += word.len().max(width);
        let is_operator = matches!(
            word,
            "return"
                | "typeof"
                | "case"
                | "of"
                | "in"
                | "instanceof"
                | "new"
                | "void"
                | "delete"
                | "throw"
                | "else"
                | "do"
                | "await"
                | "yield"
        );
        self.follow(if is_operator { Before::Operator } else { Before::Operand });
        self.before_head = matches!(word, "if" | "while" | "for" | "with");
    }

    fn open(&mut self, sign: char, offset: usize) {
        self.levels.push(Level { sign, offset, is_head: self.before_head });
        self.offset += 1;
        self.follow(Before::Operator);
    }

    fn close(&mut self, byte: u8) {
        let fits = |level: &Level| match byte {
            b')' => level.sign == '(',
            b']' => level.sign == '[',
            _ => matches!(level.sign, '{' | '`'),
        };
        let closed = self.levels.pop_if(|level| fits(level));
        if closed.is_none() && self.found.mismatch.is_none() {
            let opened = self.levels.last().map(|level| (level.sign, level.offset));
            self.found.mismatch = Some(Mismatch { offset: self.offset, opened });
        }
        self.offset += 1;
        match closed {
            Some(Level { sign: '`', offset, .. }) => return self.template(offset),
            Some(Level { is_head: true, .. }) => self.follow(Before::Operator),
            Some(_) | None if byte == b'}' => self.follow(Before::Brace),
            Some(_) | None => self.follow(Before::Operand),
        }
    }

    /// Skips the text of a template, up to its end or its next `${`.
    fn template(&mut self, opened: usize) {
        while let Some(&byte) = self.bytes.get(self.offset) {
            match byte {
                b'\\' => self.offset += 2,
                b'`' => {
                    self.offset += 1;
                    return self.follow(Before::Operand);
                }
                b'$' if self.bytes.get(self.offset + 1) == Some(&b'{') => {
                    self.offset += 1;
                    return self.open('`', opened);
                }
                _ => self.offset += 1,
            }
        }
        self.offset = self.bytes.len();
        self.found.open = Some(Open::Template { offset: opened });
    }

    fn quoted(&mut self, quote: u8) {
        let start = self.offset;
        self.offset += 1;
        loop {
            match self.bytes.get(self.offset) {
                None | Some(b'\n' | b'\r') => {
                    self.found.string.get_or_insert(start);
                    break;
                }
                Some(b'\\') => {
                    let is_pair = self.bytes.get(self.offset + 1..self.offset + 3) == Some(b"\r\n");
                    self.offset += if is_pair { 3 } else { 2 };
                }
                Some(byte) => {
                    self.offset += 1;
                    if *byte == quote {
                        break;
                    }
                }
            }
        }
        self.to_boundary();
        self.follow(Before::Operand);
    }

    /// Skips a division sign or a regular expression.
    fn slash(&mut self) {
        let rest = &self.bytes[self.offset + 1..];
        let is_closed = rest.iter().find(|byte| matches!(byte, b'/' | b'\n' | b'\r')) == Some(&b'/');
        let may_start = match self.before {
            Before::Operator => true,
            Before::Brace => self.line_break,
            Before::Operand => false,
        };
        self.offset += 1;
        if !(is_closed && may_start) {
            return self.follow(Before::Operator);
        }
        let mut in_class = false;
        while let Some(&byte) = self.bytes.get(self.offset) {
            match byte {
                b'\n' | b'\r' => break,
                b'\\' => self.offset += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.offset += 1;
                    break;
                }
                _ => {}
            }
            self.offset += 1;
        }
        self.to_boundary();
        self.follow(Before::Operand);
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.offset..];
        self.offset += rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
    }

    fn skip_comment(&mut self) {
        let rest = &self.text[self.offset..];
        match rest[2..].find("*/") {
            Some(end) => self.offset += end + 4,
            None => {
                self.found.open = Some(Open::Comment { offset: self.offset });
                self.offset = self.text.len();
            }
        }
    }

    /// Advances to the next character boundary.
    fn to_boundary(&mut self) {
        self.offset = self.offset.min(self.text.len());
        while !self.text.is_char_boundary(self.offset) {
            self.offset += 1;
        }
    }

    fn follow(&mut self, before: Before) {
        self.before = before;
        self.before_head = false;
        self.line_break = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_never_closed_is_found_behind_strings_templates_comments_and_regular_expressions() {
        let open = |text: &str| brackets(text).open;
        assert_eq!(open("f(']', \"(\", `)${[1]})`, /[)(]/ /* ( */) // ("), None);
        assert_eq!(open("a / b; (c / d"), Some(Open::Bracket { sign: '(', offset: 7 }));
        assert_eq!(open("if (x) /\\(/.test(s)"), None);
        assert_eq!(open("return `a${b"), Some(Open::Template { offset: 7 }));
        assert_eq!(open("1 /* a"), Some(Open::Comment { offset: 2 }));
        assert_eq!(open("é`ö\\"), Some(Open::Template { offset: 2 }));
        assert_eq!(brackets("x = 'a\ny").string, Some(4));
        assert_eq!(brackets("f(]").mismatch, Some(Mismatch { offset: 2, opened: Some(('(', 1)) }));
        assert_eq!(brackets("}").mismatch, Some(Mismatch { offset: 0, opened: None }));
    }
}
