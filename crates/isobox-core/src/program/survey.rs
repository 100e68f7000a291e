//! Looks over a text before it is parsed: how deeply the parser, and everything after it, would have to recurse.
//!
//! The parser recurses without a limit of its own, so a hostile text could overflow the host's stack. Counting is done on
//! tokens, and errs on the side of more: it may call an ordinary text deep, which only costs a thread with a larger
//! stack, but it must never call a deep one ordinary.

use super::trivia;

/// Brackets within brackets; each takes up to 5 KiB of stack.
const MAXIMUM_BRACKETS: usize = 250;
/// Operators, member accesses, `else if` and the like that follow each other; each takes up to 1.7 KiB.
const MAXIMUM_CHAIN: usize = 2_000;
/// `<` that may open type arguments and are not closed. The parser tries both meanings, which takes time.
const MAXIMUM_ANGLES: usize = 500;
/// `<` that are open around a bracket. The parser tries each as the start of type arguments and then again as an operator,
/// with all that is inside, so that its time doubles with every one.
const MAXIMUM_ANGLES_AROUND: usize = 16;
/// Up to here the stack of whoever calls is enough: 300 KiB.
const ORDINARY_BRACKETS: usize = 32;
const ORDINARY_CHAIN: usize = 100;
/// The most of either in a text that cannot be told apart with certainty.
const MAXIMUM_UNCERTAIN: usize = 50_000;

/// What a text needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demand {
    /// The stack of the caller.
    Ordinary,
    /// A stack of this many bytes.
    Stack(usize),
    /// More than there is; it gets too deep here.
    TooDeep(usize),
}

/// What is open at the end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    Bracket { sign: char, offset: usize },
    Template { offset: usize },
    Comment { offset: usize },
}

/// A closing bracket that does not fit the one that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) offset: usize,
    /// Nothing if no bracket is open.
    pub(super) opened: Option<(char, usize)>,
}

/// What was found out about a text.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) demand: Demand,
    /// The innermost thing that was never closed.
    pub(super) open: Option<Open>,
    /// The first closing bracket that does not fit.
    pub(super) mismatch: Option<Mismatch>,
    /// A string that its line does not close.
    pub(super) string: Option<usize>,
}

/// Looks over a text.
pub(super) fn survey(text: &str) -> Survey {
    let mut scanner = Scanner::new(text);
    scanner.run();
    let demand = match scanner.too_deep {
        Some(offset) => Demand::TooDeep(offset),
        None if scanner.uncertain => {
            let signs = text.bytes().filter(u8::is_ascii_punctuation).count();
            if signs > MAXIMUM_UNCERTAIN { Demand::TooDeep(0) } else { Demand::Stack((signs * 5 * 1024).max(1 << 24)) }
        }
        None if scanner.deepest_brackets > ORDINARY_BRACKETS || scanner.longest_chain > ORDINARY_CHAIN => {
            Demand::Stack(1 << 24)
        }
        None => Demand::Ordinary,
    };
    let open = scanner.open.or_else(|| {
        let Level { sign, offset, .. } = scanner.top;
        match sign {
            0 => None,
            b'`' => Some(Open::Template { offset }),
            sign => Some(Open::Bracket { sign: char::from(sign), offset }),
        }
    });
    Survey { demand, open, mismatch: scanner.mismatch, string: scanner.string }
}

/// What is counted between one bracket and its end.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// `(`, `[`, `{`, a backtick for `${`, or 0 for the whole text.
    sign: u8,
    offset: usize,
    /// Whether a regular expression may follow the closing bracket: the head of `if`, `while`, `for`, `with`.
    is_head: bool,
    chain: usize,
    statements: usize,
    angles: usize,
}

impl Level {
    fn count(&self) -> usize {
        self.chain + self.statements + self.angles
    }
}

/// What the token before was, as far as it decides what the next one means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Something after which an operand may start.
    Operator,
    /// The end of an operand.
    Operand,
    /// `}`: the end of a block or of an operand.
    Brace,
    /// `>` or `of`: an operator or the end of an operand.
    Unclear,
}

struct Scanner<'text> {
    text: &'text str,
    bytes: &'text [u8],
    offset: usize,
    /// The innermost level.
    top: Level,
    /// The levels around it.
    levels: Vec<Level>,
    /// The counts of those.
    outer: usize,
    /// The open `<` of those.
    outer_angles: usize,
    before: Before,
    /// Whether the word before is `if`, `while`, `for` or `with`.
    before_head: bool,
    before_dot: bool,
    line_break: bool,
    statement_ended: bool,
    deepest_brackets: usize,
    longest_chain: usize,
    too_deep: Option<usize>,
    uncertain: bool,
    open: Option<Open>,
    mismatch: Option<Mismatch>,
    string: Option<usize>,
}

impl<'text> Scanner<'text> {
    fn new(text: &'text str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            offset: 0,
            top: Level::default(),
            levels: Vec::new(),
            outer: 0,
            outer_angles: 0,
            before: Before::Operator,
            before_head: false,
            before_dot: false,
            line_break: false,
            statement_ended: false,
            deepest_brackets: 0,
            longest_chain: 0,
            too_deep: None,
            uncertain: false,
            open: None,
            mismatch: None,
            string: None,
        }
    }

    fn run(&mut self) {
        if self.text.starts_with("#!") {
            self.skip_line();
        }
        while self.too_deep.is_none()
            && let Some(&byte) = self.bytes.get(self.offset)
        {
            self.token(byte);
        }
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

    fn skip_line(&mut self) {
        let rest = &self.text[self.offset..];
        self.offset += rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
    }

    fn skip_comment(&mut self) {
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
        loop {
            let rest = &self.bytes[self.offset..];
            self.offset += rest.iter().position(|byte| !trivia::IS_NAME[usize::from(*byte)]).unwrap_or(rest.len());
            match self.text[self.offset..].chars().next() {
                Some(character) if !character.is_ascii() && !trivia::is_space(character) => {
                    self.offset += character.len_utf8();
                }
                _ => break,
            }
        }
        let word = if self.before_dot { "" } else { &self.text[start..self.offset] };
        let juxtaposed = (self.line_break && self.before == Before::Operand) || self.before == Before::Brace;
        if self.statement_ended {
            self.statement_ended = false;
            if word != "else" {
                self.end_statement();
            }
        }
        let mut before = Before::Operand;
        let mut is_head = false;
        match word {
            "in" | "instanceof" | "new" | "typeof" | "void" | "delete" | "await" | "yield" | "extends" | "keyof"
            | "infer" | "readonly" | "unique" | "asserts" => {
                self.link();
                before = Before::Operator;
            }
            "as" | "satisfies" | "is" => self.link(),
            "of" => before = Before::Unclear,
            "return" | "throw" | "case" | "default" => before = Before::Operator,
            "else" | "do" => {
                self.nest();
                before = Before::Operator;
            }
            "if" | "while" | "for" | "with" => {
                if self.before == Before::Brace {
                    self.end_statement();
                }
                self.nest();
                is_head = true;
            }
            _ if juxtaposed => self.end_expression(),
            _ => {}
        }
        if word == "await" && self.before_head {
            is_head = true;
        }
        self.follow(before);
        self.before_head = is_head;
    }

    fn sign(&mut self, byte: u8) {
        if self.statement_ended {
            self.end_statement();
        }
        match byte {
            b'(' | b'[' | b'{' => self.open(byte, self.offset),
            b')' | b']' => self.close(byte),
            b'}' => {
                let top = self.top;
                self.close(byte);
                if top.sign == b'`' {
                    self.template(top.offset);
                }
            }
            b'`' => {
                if self.before == Before::Operand {
                    self.link();
                }
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
                self.offset += 1;
                self.top.chain = 0;
                self.follow(Before::Operator);
            }
            b'/' => self.slash(),
            _ => self.operator(byte),
        }
    }

    fn operator(&mut self, byte: u8) {
        let start = self.offset;
        self.offset += 1;
        let repeats = matches!(byte, b'=' | b'&' | b'|' | b'*' | b'+' | b'-' | b'?' | b'.');
        while repeats && self.bytes.get(self.offset) == Some(&byte) {
            self.offset += 1;
        }
        let doubled = self.offset - start == 2 && matches!(byte, b'+' | b'-');
        let is_postfix = (byte == b'!' || doubled) && self.before == Before::Operand && !self.line_break;
        match byte {
            b'<' => {
                self.top.angles += 1;
                self.link();
            }
            b'>' => {
                let is_arrow = start.checked_sub(1).and_then(|index| self.bytes.get(index)) == Some(&b'=');
                if !is_arrow {
                    self.top.angles = self.top.angles.saturating_sub(1);
                }
                self.follow(if is_arrow { Before::Operator } else { Before::Unclear });
                return;
            }
            _ => self.link(),
        }
        self.follow(if is_postfix { Before::Operand } else { Before::Operator });
        self.before_dot = byte == b'.' && self.offset - start == 1;
    }

    /// Division or a regular expression.
    fn slash(&mut self) {
        let is_expression = match self.before {
            Before::Operator => true,
            Before::Operand => false,
            Before::Brace | Before::Unclear if self.has_slash_ahead() => {
                self.uncertain = true;
                self.line_break
            }
            Before::Brace | Before::Unclear => false,
        };
        if !is_expression {
            self.offset += 1;
            self.link();
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

    /// Whether another slash stands on the line, so that this one might start a regular expression.
    fn has_slash_ahead(&self) -> bool {
        let rest = &self.bytes[self.offset + 1..];
        let stop = rest.iter().find(|byte| matches!(byte, b'/' | b'\n' | b'\r'));
        stop == Some(&b'/')
    }

    fn quoted(&mut self, quote: u8) {
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
            self.end_expression();
        }
        self.follow(Before::Operand);
    }

    /// The text of a template, up to its end or its next `${`.
    fn template(&mut self, opened: usize) {
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

    fn open(&mut self, sign: u8, offset: usize) {
        if self.before != Before::Operator {
            self.link();
        }
        self.outer += self.top.count();
        self.outer_angles += self.top.angles;
        self.levels.push(self.top);
        self.top = Level { sign, offset, is_head: self.before_head, ..Level::default() };
        let depth = self.levels.len();
        self.deepest_brackets = self.deepest_brackets.max(depth);
        if depth > MAXIMUM_BRACKETS || self.outer_angles > MAXIMUM_ANGLES_AROUND {
            self.too_deep = Some(self.offset);
        }
        self.offset += 1;
        self.follow(Before::Operator);
    }

    fn close(&mut self, sign: u8) {
        let opening = match sign {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        let top = self.top;
        let fits = top.sign == opening || (top.sign == b'`' && opening == b'{');
        if fits && let Some(around) = self.levels.pop() {
            self.outer -= around.count();
            self.outer_angles -= around.angles;
            self.top = around;
        } else if self.mismatch.is_none() {
            let opened = (top.sign != 0).then(|| (char::from(top.sign), top.offset));
            self.mismatch = Some(Mismatch { offset: self.offset, opened });
        }
        self.offset += 1;
        self.follow(match sign {
            b')' if fits && top.is_head => Before::Operator,
            b'}' => Before::Brace,
            _ => Before::Operand,
        });
    }

    fn follow(&mut self, before: Before) {
        self.before = before;
        self.before_head = false;
        self.before_dot = false;
        self.line_break = false;
    }

    /// One more operator or access that nests without a bracket.
    fn link(&mut self) {
        self.top.chain += 1;
        self.measure();
    }

    /// One more statement that nests without a bracket.
    fn nest(&mut self) {
        self.top.statements += 1;
        self.measure();
    }

    fn measure(&mut self) {
        let top = self.top;
        let length = self.outer + top.count();
        self.longest_chain = self.longest_chain.max(length);
        if length > MAXIMUM_CHAIN || top.angles > MAXIMUM_ANGLES {
            self.too_deep = Some(self.offset);
        }
    }

    fn end_statement(&mut self) {
        self.statement_ended = false;
        self.end_expression();
        self.top.statements = 0;
    }

    fn end_expression(&mut self) {
        self.top.chain = 0;
        self.top.angles = 0;
    }
}

fn ceil_boundary(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset += 1;
    }
    offset
}
