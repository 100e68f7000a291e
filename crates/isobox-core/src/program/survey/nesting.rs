//! Keeps account of what is open at a place of a text, and of what that costs the parser.
//!
//! **Stack.** Brackets nest, and so do operators, accesses and statements that follow each other.
//!
//! **Work.** The parser tries some texts as one thing, and reads them again as another where that fails. What it tries may
//! hold more to try, so that texts of a few hundred bytes could take years. These are all places at which the parser
//! (oxc 0.146) reads without a bound before it decides; at all others it looks at a few tokens:
//!
//! - `<` behind an operand, where it is no `<=`: type arguments, up to two times, then an operator. Inside type arguments
//!   there are expressions only in brackets, so that the `<` of one level add up, and those of several levels multiply.
//! - `infer A extends B`: the constraint is read again if a `?` follows. It multiplies.
//! - `(` at the start of a type, before `[` or `{`: a pattern of a parameter, and then again. It multiplies.
//! - `(`, `async (` and `<` at the start of an expression: the head of an arrow function, with its return type and the body
//!   behind it, unless the first two tokens inside say no. Where one failed is remembered, so that each adds but one
//!   reading of what is inside.
//!
//! A byte is read at most as often as that says. The sum over all bytes is bounded.

use super::{Demand, Mismatch, Refusal};

/// Brackets within brackets; each takes up to 5 KiB of stack.
const MAXIMUM_BRACKETS: usize = 250;
/// Operators, member accesses, `else if` and the like that follow each other; each takes up to 1.7 KiB.
const MAXIMUM_CHAIN: usize = 2_000;
/// Up to here the stack of whoever calls is enough: 300 KiB.
const ORDINARY_BRACKETS: usize = 32;
const ORDINARY_CHAIN: usize = 100;
/// A stack for all that is allowed.
const LARGE_STACK: usize = 1 << 24;
/// How many bytes the parser may read, over and over: so many for each byte of the text, and so many for any text.
const WORK_PER_BYTE: u64 = 4;
const WORK: u64 = 512 << 10;

/// What is counted between one bracket and its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// `(`, `[`, `{`, a backtick for `${`, or 0 for the whole text.
    pub(super) sign: u8,
    pub(super) offset: usize,
    /// Whether a regular expression may follow the closing bracket: the head of `if`, `while`, `for`, `with`.
    pub(super) is_head: bool,
    /// Whether it may be the head of an arrow function or of a function type.
    pub(super) may_be_parameters: bool,
    /// Whether nothing but words stands in it so far.
    pub(super) is_fresh: bool,
    chain: usize,
    statements: usize,
    /// How often the parser reads what is in it, without the following.
    readings: u64,
    /// Open `<`.
    angles: usize,
    /// `infer A extends`.
    constraints: u32,
    /// Parentheses that may have been the head of an arrow function whose return type follows.
    heads: u64,
}

impl Level {
    const WHOLE: Self = Self {
        sign: 0,
        offset: 0,
        is_head: false,
        may_be_parameters: false,
        is_fresh: false,
        chain: 0,
        statements: 0,
        readings: 1,
        angles: 0,
        constraints: 0,
        heads: 0,
    };

    fn count(&self) -> usize {
        self.chain + self.statements + self.angles
    }

    fn readings(&self) -> u64 {
        if self.angles == 0 && self.constraints == 0 {
            return self.readings.saturating_add(self.heads);
        }
        let angles = 1 + 2 * u64::try_from(self.angles).unwrap_or(u64::MAX / 4);
        let constraints = 1_u64.checked_shl(self.constraints).unwrap_or(u64::MAX);
        self.readings.saturating_mul(angles).saturating_mul(constraints).saturating_add(self.heads)
    }
}

/// What opens a bracket, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) sign: u8,
    pub(super) offset: usize,
    pub(super) is_head: bool,
    /// Whether an operand stands before it, so that it is a call or an access.
    pub(super) follows_operand: bool,
    /// Whether it may be the head of an arrow function or of a function type.
    pub(super) may_be_parameters: bool,
    /// Whether what is inside may be read once as parameters, and once more.
    pub(super) is_tried: bool,
}

/// The brackets that are open, and the costs so far.
#[derive(Debug)]
pub(super) struct Nesting {
    /// The innermost level.
    pub(super) top: Level,
    /// The levels around it.
    levels: Vec<Level>,
    /// The counts of those.
    outer: usize,
    deepest_brackets: usize,
    longest_chain: usize,
    /// What the parser may still read, and up to where it is accounted for.
    pub(super) work_left: u64,
    accounted: usize,
    pub(super) refusal: Option<Refusal>,
}

impl Nesting {
    pub(super) fn new(size: usize) -> Self {
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        Self {
            top: Level::WHOLE,
            levels: Vec::new(),
            outer: 0,
            deepest_brackets: 0,
            longest_chain: 0,
            work_left: size.saturating_mul(WORK_PER_BYTE).saturating_add(WORK),
            accounted: 0,
            refusal: None,
        }
    }

    /// What the text needs, once all of it is accounted for.
    pub(super) fn demand(&self) -> Demand {
        match self.refusal {
            Some(refusal) => Demand::Refused(refusal),
            None if self.deepest_brackets > ORDINARY_BRACKETS || self.longest_chain > ORDINARY_CHAIN => {
                Demand::Stack(LARGE_STACK)
            }
            None => Demand::Ordinary,
        }
    }

    pub(super) fn refuse(&mut self, offset: usize, message: &'static str, hint: &'static str) {
        self.refusal.get_or_insert(Refusal { offset, message, hint });
    }

    fn too_deep(&mut self, offset: usize) {
        let hint = "split the expression or statement, or keep the data elsewhere";
        self.refuse(offset, "the program is nested too deeply", hint);
    }

    /// Accounts for the text up to an offset, before what is open changes.
    pub(super) fn account(&mut self, offset: usize) {
        let size = u64::try_from(offset.saturating_sub(self.accounted)).unwrap_or(u64::MAX);
        self.accounted = self.accounted.max(offset);
        match self.work_left.checked_sub(size.saturating_mul(self.top.readings())) {
            Some(left) => self.work_left = left,
            None => self.too_deep(offset),
        }
    }

    pub(super) fn open(&mut self, opening: Opening) {
        let Opening { sign, offset, is_head, follows_operand, may_be_parameters, is_tried } = opening;
        if follows_operand {
            self.link(offset);
        }
        self.account(offset);
        let is_pattern = matches!(sign, b'[' | b'{') && self.top.may_be_parameters && self.top.is_fresh;
        self.top.is_fresh = false;
        let factor = if is_pattern { 2 } else { 1 };
        let readings = self.top.readings().saturating_mul(factor).saturating_add(u64::from(is_tried));
        self.outer += self.top.count();
        self.levels.push(self.top);
        self.top = Level { sign, offset, is_head, may_be_parameters, is_fresh: true, readings, ..Level::WHOLE };
        let depth = self.levels.len();
        self.deepest_brackets = self.deepest_brackets.max(depth);
        if depth > MAXIMUM_BRACKETS {
            self.too_deep(offset);
        }
    }

    /// Closes the innermost level, unless it was opened by another bracket.
    pub(super) fn close(&mut self, sign: u8, offset: usize) -> Result<Level, Mismatch> {
        let opening = match sign {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        self.account(offset);
        let top = self.top;
        let fits = top.sign == opening || (top.sign == b'`' && opening == b'{');
        match self.levels.pop() {
            Some(around) if fits => {
                self.outer -= around.count();
                self.top = around;
                Ok(top)
            }
            around => {
                self.levels.extend(around);
                let opened = (top.sign != 0).then(|| (char::from(top.sign), top.offset));
                Err(Mismatch { offset, opened })
            }
        }
    }

    pub(super) fn open_angle(&mut self, offset: usize) {
        self.account(offset);
        self.top.angles += 1;
    }

    pub(super) fn close_angle(&mut self, offset: usize) {
        self.account(offset);
        self.top.angles = self.top.angles.saturating_sub(1);
    }

    /// `infer A extends`.
    pub(super) fn constrain(&mut self, offset: usize) {
        self.account(offset);
        self.top.constraints += 1;
    }

    /// A `:` behind parentheses that may be the head of an arrow function.
    pub(super) fn return_type(&mut self, offset: usize) {
        self.account(offset);
        self.top.heads += 1;
    }

    /// One more operator or access that nests without a bracket.
    pub(super) fn link(&mut self, offset: usize) {
        self.top.chain += 1;
        self.measure(offset);
    }

    /// One more statement that nests without a bracket.
    pub(super) fn nest(&mut self, offset: usize) {
        self.top.statements += 1;
        self.measure(offset);
    }

    fn measure(&mut self, offset: usize) {
        let length = self.outer + self.top.count();
        self.longest_chain = self.longest_chain.max(length);
        if length > MAXIMUM_CHAIN {
            self.too_deep(offset);
        }
    }

    /// A comma: what follows is an expression of its own, unless it is in type arguments.
    pub(super) fn separate(&mut self, offset: usize) {
        self.top.chain = 0;
        if self.top.angles == 0 && (self.top.heads > 0 || self.top.constraints > 0) {
            self.account(offset);
            self.top.heads = 0;
            self.top.constraints = 0;
        }
    }

    pub(super) fn end_statement(&mut self, offset: usize) {
        self.end_expression(offset);
        self.top.statements = 0;
    }

    pub(super) fn end_expression(&mut self, offset: usize) {
        self.top.chain = 0;
        if self.top.angles == 0 && self.top.constraints == 0 && self.top.heads == 0 {
            return;
        }
        self.account(offset);
        self.top.angles = 0;
        self.top.constraints = 0;
        self.top.heads = 0;
    }
}
