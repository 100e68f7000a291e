//! Reads the tokens of a text, as far as brackets, operators and words that matter are concerned.

use super::super::trivia;
use super::{
    Mismatch, Nesting, Open, Survey,
    nesting::{Level, Opening},
};

/// Words that may stand before a declaration. The parser looks behind all that follow each other.
const MAXIMUM_MODIFIERS: usize = 16;

/// What the token before was, as far as it decides what the next one means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Something after which an operand may start.
    Operator,
    /// The end of an operand.
    Operand,
    /// `}`: the end of a block or of an operand.
    Brace,
    /// `>`, `?`, a keyword that may be a name or a type: an operator or the end of an operand.
    Unclear,
    /// `as`, `keyof` and the like: what follows is a type, or the word is a name.
    TypeOperator,
}

pub(super) struct Scanner<'text> {
    pub(super) text: &'text str,
    pub(super) bytes: &'text [u8],
    pub(super) offset: usize,
    pub(super) nesting: Nesting,
    /// Whether a `/` that is in doubt starts a regular expression, for each in turn; those that were given, and more.
    pub(super) decisions: Vec<bool>,
    pub(super) doubts: usize,
    /// Where the first of them is.
    pub(super) first_doubt: usize,
    pub(super) before: Before,
    /// Whether the word before is `if`, `while`, `for` or `with`.
    before_head: bool,
    before_dot: bool,
    /// Whether the word before is `async`.
    before_async: bool,
    /// Whether the word before declares something.
    before_name: bool,
    /// Whether the token before is a sign behind which a type may start.
    before_sign: bool,
    /// Whether parentheses were just closed that may be the head of an arrow function.
    before_parameters: bool,
    pub(super) line_break: bool,
    statement_ended: bool,
    /// How many of the words before are `infer` and a name.
    infer_words: usize,
    modifiers: usize,
    pub(super) mistakes: usize,
    /// Whether there is a backslash anywhere.
    has_escapes: bool,
    pub(super) open: Option<Open>,
    mismatch: Option<Mismatch>,
    pub(super) string: Option<usize>,
}

impl<'text> Scanner<'text> {
    pub(super) fn new(text: &'text str, decisions: Vec<bool>) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            offset: 0,
            nesting: Nesting::new(text.len()),
            decisions,
            doubts: 0,
            first_doubt: 0,
            before: Before::Operator,
            before_head: false,
            before_dot: false,
            before_async: false,
            before_name: false,
            before_sign: false,
            before_parameters: false,
            line_break: true,
            statement_ended: false,
            infer_words: 0,
            modifiers: 0,
            mistakes: 0,
            has_escapes: text.contains('\\'),
            open: None,
            mismatch: None,
            string: None,
        }
    }

    pub(super) fn run(&mut self) -> Survey {
        if self.text.starts_with("#!") {
            self.skip_line();
        }
        while self.nesting.refusal.is_none()
            && let Some(&byte) = self.bytes.get(self.offset)
        {
            self.token(byte);
        }
        self.nesting.account(self.offset);
        let Level { sign, offset, .. } = self.nesting.top;
        let bracket = match sign {
            0 => None,
            b'`' => Some(Open::Template { offset }),
            sign => Some(Open::Bracket { sign: char::from(sign), offset }),
        };
        let open = self.open.or(bracket);
        Survey { demand: self.nesting.demand(), open, mismatch: self.mismatch, string: self.string }
    }

    fn token(&mut self, byte: u8) {
        match byte {
            b'\n' | b'\r' => {
                self.line_break = true;
                self.offset += 1;
            }
            b' ' | b'\t' | 0x0b | 0x0c => {
                let rest = &self.bytes[self.offset..];
                self.offset += rest.iter().position(|byte| *byte != b' ').unwrap_or(rest.len()).max(1);
            }
            b'/' if self.bytes.get(self.offset + 1) == Some(&b'/') => self.skip_line(),
            b'/' if self.bytes.get(self.offset + 1) == Some(&b'*') => self.skip_comment(),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'#' | b'\\' => self.word(),
            0x80.. => self.wide(),
            _ => self.sign(byte),
        }
    }

    /// A character outside of ASCII: white space, or part of a name.
    fn wide(&mut self) {
        let character = self.text[self.offset..].chars().next().unwrap_or(' ');
        if trivia::is_space(character) {
            self.line_break |= matches!(character, '\u{2028}' | '\u{2029}');
            self.offset += character.len_utf8();
        } else {
            self.word();
        }
    }

    fn word(&mut self) {
        let start = self.offset;
        self.skip_name();
        if self.bytes[start].is_ascii_digit() && !self.before_dot {
            self.number(start);
        }
        let whole = &self.text[start..self.offset];
        let word = if self.before_dot { "" } else { whole };
        let juxtaposed = (self.line_break && self.before == Before::Operand) || self.before == Before::Brace;
        if self.statement_ended {
            self.statement_ended = false;
            if word != "else" {
                self.nesting.end_statement(start);
            }
        }
        let mut before = Before::Operand;
        let mut is_head = false;
        match word {
            "in" | "instanceof" | "new" | "typeof" | "void" | "delete" | "extends" | "await" | "yield" => {
                self.nesting.link(start);
                before = Before::Unclear;
            }
            "as" | "satisfies" | "is" | "keyof" | "infer" | "readonly" | "unique" | "asserts" => {
                self.nesting.link(start);
                before = Before::TypeOperator;
            }
            "return" if self.starts_statement() => before = Before::Operator,
            "of" | "return" | "throw" | "case" | "default" => before = Before::Unclear,
            "else" | "do" => {
                self.nesting.nest(start);
                before = Before::Unclear;
            }
            "if" | "while" | "for" | "with" => {
                if self.before == Before::Brace {
                    self.nesting.end_statement(start);
                }
                self.nesting.nest(start);
                is_head = true;
            }
            _ if juxtaposed => self.nesting.end_expression(start),
            _ => {}
        }
        if self.has_escapes && whole.contains('\\') {
            self.mistake(start);
            before = Before::Unclear;
        }
        if word == "await" && self.before_head {
            is_head = true;
        }
        self.count_words(word, start);
        self.follow(before);
        self.before_head = is_head;
        self.before_async = word == "async";
        self.before_name = expects_name(word);
    }

    /// Whether the next word starts a statement rather than being a name, in a type or of something that is declared:
    /// the parser minds reserved words there and reads on.
    fn starts_statement(&self) -> bool {
        match self.before {
            Before::Operator => !self.before_sign,
            Before::Operand => self.line_break && !self.before_name,
            Before::Brace | Before::Unclear => !self.before_sign,
            Before::TypeOperator => false,
        }
    }

    pub(super) fn skip_name(&mut self) {
        loop {
            let rest = &self.bytes[self.offset..];
            self.offset += rest.iter().position(|byte| !trivia::IS_NAME[usize::from(*byte)]).unwrap_or(rest.len());
            match self.text[self.offset..].chars().next() {
                Some(character) if !character.is_ascii() && !trivia::is_space(character) => {
                    self.offset += character.len_utf8();
                }
                Some('\\') => self.name_escape(),
                _ => break,
            }
        }
    }

    /// Keeps track of words that follow each other and that the parser looks beyond.
    fn count_words(&mut self, word: &str, start: usize) {
        self.modifiers = if is_modifier(word) { self.modifiers + 1 } else { 0 };
        if self.modifiers > MAXIMUM_MODIFIERS {
            self.nesting.refuse(start, "too many modifiers follow each other", "leave out those that are not needed");
        }
        self.infer_words = match (self.infer_words, word) {
            (2, "extends") => {
                self.nesting.constrain(start);
                0
            }
            (_, "infer") => 1,
            (1, _) => 2,
            _ => 0,
        };
    }

    fn sign(&mut self, byte: u8) {
        if self.statement_ended {
            self.statement_ended = false;
            self.nesting.end_statement(self.offset);
        }
        self.infer_words = 0;
        self.modifiers = 0;
        match byte {
            b'(' | b'[' | b'{' => self.open(byte, self.offset),
            b')' | b']' => self.close(byte),
            b'}' => {
                let top = self.nesting.top;
                self.close(byte);
                if top.sign == b'`' {
                    self.template(top.offset);
                }
            }
            b'`' => {
                if self.before == Before::Operand {
                    self.nesting.link(self.offset);
                }
                self.nesting.top.is_fresh = false;
                self.offset += 1;
                self.template(self.offset - 1);
            }
            b'"' | b'\'' => self.quoted(byte),
            b';' => {
                self.offset += 1;
                self.follow(Before::Operator);
                self.statement_ended = true;
            }
            b',' => {
                self.nesting.separate(self.offset);
                self.nesting.top.is_fresh = false;
                self.offset += 1;
                self.follow(Before::Operator);
                self.before_sign = true;
            }
            b'/' => self.slash(),
            _ => self.operator(byte),
        }
    }

    fn operator(&mut self, byte: u8) {
        let start = self.offset;
        self.nesting.top.is_fresh = false;
        if byte == b'<' && self.line_break && self.bytes[start..].starts_with(b"<!--") {
            self.nesting.refuse(start, "there are no HTML comments here", "write comments with `//`");
        }
        if byte == b':' && self.before_parameters {
            self.nesting.return_type(start);
        }
        self.offset += 1;
        let repeats = matches!(byte, b'=' | b'&' | b'|' | b'*' | b'+' | b'-' | b'?' | b'.');
        while repeats && self.bytes.get(self.offset) == Some(&byte) {
            self.offset += 1;
        }
        match byte {
            b'<' => {
                if self.bytes.get(self.offset) != Some(&b'=') {
                    self.nesting.open_angle(start);
                }
                self.nesting.link(start);
            }
            b'>' => {
                let is_arrow = start.checked_sub(1).and_then(|index| self.bytes.get(index)) == Some(&b'=');
                if !is_arrow {
                    self.nesting.close_angle(start);
                }
                self.follow(if is_arrow { Before::Operator } else { Before::Unclear });
                self.before_sign = true;
                return;
            }
            _ => self.nesting.link(start),
        }
        let doubled = self.offset - start == 2 && matches!(byte, b'+' | b'-');
        let may_be_postfix = (byte == b'!' || doubled) && !self.line_break;
        let before = match self.before {
            // They are types, or behind them, to the parser.
            _ if matches!(byte, b'?' | b'*') => Before::Unclear,
            _ if !may_be_postfix => Before::Operator,
            Before::Operator => Before::Operator,
            Before::Operand => Before::Operand,
            Before::Brace | Before::Unclear | Before::TypeOperator => Before::Unclear,
        };
        self.follow(before);
        self.before_dot = byte == b'.' && self.offset - start < 3;
        self.before_sign = true;
    }

    pub(super) fn open(&mut self, sign: u8, offset: usize) {
        let may_be_parameters = sign == b'(' && (self.before != Before::Operand || self.before_async);
        self.nesting.open(Opening {
            sign,
            offset,
            is_head: self.before_head,
            follows_operand: sign != b'`' && self.before != Before::Operator,
            may_be_parameters,
            is_tried: may_be_parameters && self.starts_parameters(self.offset + 1),
        });
        self.offset += 1;
        self.follow(Before::Operator);
        self.before_sign = sign != b'{';
    }

    /// Whether the first two tokens behind a parenthesis may be those of parameters.
    fn starts_parameters(&self, offset: usize) -> bool {
        let start = trivia::skip(self.text, offset);
        let word = trivia::word(self.text, start);
        if word.contains('\\') {
            return true;
        }
        let next = trivia::skip(self.text, start + word.len());
        let signs: &[u8] = if word.is_empty() { b"[{.)@" } else { b",=):?" };
        self.bytes.get(next).is_some_and(|byte| signs.contains(byte))
    }

    fn close(&mut self, sign: u8) {
        let closed = self.nesting.close(sign, self.offset);
        self.offset += 1;
        self.follow(match (sign, &closed) {
            (b')', Ok(level)) if level.is_head => Before::Unclear,
            (b'}', _) => Before::Brace,
            _ => Before::Operand,
        });
        match closed {
            Ok(level) => self.before_parameters = level.may_be_parameters,
            Err(mismatch) => {
                self.mismatch.get_or_insert(mismatch);
            }
        }
    }

    pub(super) fn follow(&mut self, before: Before) {
        self.before = before;
        self.before_head = false;
        self.before_dot = false;
        self.before_async = false;
        self.before_name = false;
        self.before_sign = false;
        self.before_parameters = false;
        self.line_break = false;
    }
}

fn expects_name(word: &str) -> bool {
    matches!(
        word,
        "let"
            | "var"
            | "const"
            | "using"
            | "class"
            | "function"
            | "interface"
            | "type"
            | "enum"
            | "namespace"
            | "module"
            | "import"
            | "export"
            | "break"
            | "continue"
    )
}

fn is_modifier(word: &str) -> bool {
    matches!(
        word,
        "static"
            | "abstract"
            | "accessor"
            | "async"
            | "declare"
            | "private"
            | "protected"
            | "public"
            | "readonly"
            | "export"
            | "type"
    )
}
