//! Comments, numbers, strings, templates and regular expressions: what no bracket inside of counts.

use super::super::trivia;
use super::{
    Open,
    scanner::{Before, Scanner},
};

/// Mistakes after which the parser reads on. Wherever there may be an arrow function it copies the list of them.
const MAXIMUM_MISTAKES: usize = 16;

impl Scanner<'_> {
    pub(super) fn skip_line(&mut self) {
        let rest = &self.text[self.offset..];
        self.offset += rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
    }

    pub(super) fn skip_comment(&mut self) {
        let rest = &self.text[self.offset..];
        match rest[2..].find("*/") {
            Some(end) => {
                self.line_break |= trivia::has_line_break(&rest[..end + 2]);
                self.offset += end + 4;
            }
            None => {
                self.open = Some(Open::Comment { offset: self.offset });
                self.offset = self.text.len();
            }
        }
    }

    /// The rest of a number of which the first word is passed. A `.` behind digits belongs to it.
    pub(super) fn number(&mut self, start: usize) {
        let word = &self.bytes[start..self.offset];
        let is_integer = word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'_'));
        if is_integer && self.bytes.get(self.offset) == Some(&b'.') {
            if word.len() > 1 && word[0] == b'0' {
                self.nesting.refuse(start, "a number cannot start with 0", "leave the 0 out, or write `0o` for octal");
            }
            self.offset += 1;
            self.skip_name();
        }
        if !is_number(&self.bytes[start..self.offset], &self.bytes[self.offset..]) {
            self.mistake(start);
        }
    }

    /// Something that is wrong and that the parser reads on behind.
    pub(super) fn mistake(&mut self, offset: usize) {
        self.mistakes += 1;
        if self.mistakes > MAXIMUM_MISTAKES {
            let hint = "look at the escapes in names and strings, and at the ends of numbers";
            self.nesting.refuse(offset, "there are too many mistakes in the text", hint);
        }
    }

    /// Division or a regular expression.
    pub(super) fn slash(&mut self) {
        self.nesting.top.is_fresh = false;
        let is_expression = match self.before {
            Before::Operator => true,
            // A declaration without a value ends with its line.
            Before::Operand | Before::TypeOperator if self.line_break => self.has_slash_ahead() && self.decide(),
            Before::Operand | Before::TypeOperator => false,
            Before::Brace | Before::Unclear => self.has_slash_ahead() && self.decide(),
        };
        if !is_expression {
            self.nesting.link(self.offset);
            self.offset += 1;
            self.follow(Before::Operator);
            return;
        }
        self.offset += 1;
        let mut escaped = false;
        let mut in_class = false;
        while let Some(&byte) = self.bytes.get(self.offset) {
            if matches!(byte, b'\n' | b'\r') {
                break;
            }
            self.offset += 1;
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => break,
                _ => {}
            }
        }
        self.follow(Before::Operand);
    }

    /// Whether a slash that is in doubt starts a regular expression: as was given, or as is likely.
    fn decide(&mut self) -> bool {
        if self.doubts == 0 {
            self.first_doubt = self.offset;
        }
        if self.doubts == self.decisions.len() {
            let is_likely = match self.before {
                Before::Unclear => true,
                Before::Brace => self.line_break,
                Before::Operator | Before::Operand | Before::TypeOperator => false,
            };
            self.decisions.push(is_likely);
        }
        self.doubts += 1;
        self.decisions[self.doubts - 1]
    }

    /// Whether another slash stands on the line, so that this one might start a regular expression.
    fn has_slash_ahead(&self) -> bool {
        let rest = &self.bytes[self.offset + 1..];
        let stop = rest.iter().find(|byte| matches!(byte, b'/' | b'\n' | b'\r'));
        stop == Some(&b'/')
    }

    pub(super) fn quoted(&mut self, quote: u8) {
        let start = self.offset;
        self.offset += 1;
        loop {
            match self.bytes.get(self.offset) {
                None | Some(b'\n' | b'\r') => {
                    if self.string.is_none() {
                        self.string = Some(start);
                    }
                    break;
                }
                Some(b'\\') => {
                    if !self.is_escape() {
                        self.mistake(self.offset);
                    }
                    let is_pair = self.bytes.get(self.offset + 1..self.offset + 3) == Some(b"\r\n");
                    self.offset = (self.offset + if is_pair { 3 } else { 2 }).min(self.bytes.len());
                }
                Some(byte) => {
                    self.offset += 1;
                    if *byte == quote {
                        break;
                    }
                }
            }
        }
        self.offset = ceil_boundary(self.text, self.offset);
        if self.line_break && self.before == Before::Operand {
            self.nesting.end_expression(start);
        }
        self.nesting.top.is_fresh = false;
        self.follow(Before::Operand);
    }

    /// An escape in a name. The parser reads on behind one that is none, at a place of its own choice.
    pub(super) fn name_escape(&mut self) {
        if self.bytes.get(self.offset + 1) != Some(&b'u') || !self.is_escape() {
            let hint = "write quotes without it, and line breaks as they are";
            self.nesting.refuse(self.offset, "there is a backslash outside of any string", hint);
        }
        self.offset += 2;
        if self.bytes.get(self.offset) == Some(&b'{') {
            let rest = &self.bytes[self.offset..];
            self.offset += rest.iter().position(|byte| *byte == b'}').map_or(rest.len(), |end| end + 1);
        }
        self.offset = ceil_boundary(self.text, self.offset.min(self.text.len()));
    }

    /// Whether a backslash in a string starts an escape that is one.
    fn is_escape(&self) -> bool {
        let rest = &self.bytes[self.offset + 1..];
        let is_hexadecimal = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
        match rest {
            [b'x', digits @ ..] => digits.get(..2).is_some_and(is_hexadecimal),
            [b'u', b'{', digits @ ..] => {
                let length = digits.iter().position(|byte| *byte == b'}').unwrap_or_default();
                let significant = self.text.get(self.offset + 3..self.offset + 3 + length).unwrap_or_default();
                is_hexadecimal(&digits[..length])
                    && u32::from_str_radix(significant, 16).is_ok_and(|it| it <= 0x10_ffff)
            }
            [b'u', digits @ ..] => digits.get(..4).is_some_and(is_hexadecimal),
            _ => true,
        }
    }

    /// The text of a template, up to its end or its next `${`.
    pub(super) fn template(&mut self, opened: usize) {
        loop {
            match self.bytes.get(self.offset) {
                None => {
                    self.open = Some(Open::Template { offset: opened });
                    return;
                }
                Some(b'\\') => self.offset = (self.offset + 2).min(self.bytes.len()),
                Some(b'`') => {
                    self.offset += 1;
                    self.follow(Before::Operand);
                    return;
                }
                Some(b'$') if self.bytes.get(self.offset + 1) == Some(&b'{') => {
                    self.offset += 1;
                    self.open(b'`', opened);
                    return;
                }
                Some(_) => self.offset += 1,
            }
        }
    }
}

/// Whether a number has digits where it needs them. An exponent with a sign is cut off before the sign.
fn is_number(word: &[u8], rest: &[u8]) -> bool {
    let is_hexadecimal = matches!(word, [b'0', b'x' | b'X', ..]);
    let is_digit = |byte: u8| byte.is_ascii_digit() || (is_hexadecimal && byte.is_ascii_hexdigit());
    let separates = word.windows(3).all(|it| it[1] != b'_' || (is_digit(it[0]) && is_digit(it[2])));
    let ends = match word {
        [.., b'_'] | [b'0', b'x' | b'X' | b'b' | b'B' | b'o' | b'O'] => false,
        [.., b'e' | b'E'] if !is_hexadecimal => matches!(rest, [b'+' | b'-', b'0'..=b'9', ..]),
        _ => true,
    };
    separates && ends
}

fn ceil_boundary(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset += 1;
    }
    offset
}
