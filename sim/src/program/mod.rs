//! Random programs: a small language that is printed as JavaScript and that the model understands as well.
//!
//! Every value is a number. An async function has one, `a`, into which everything that it learns is mixed, so that what a
//! program returns depends on all that happened to it. Whatever can be seen from outside has a *label*, which is unique
//! in a run: the numbers of the nodes and of the rounds of loops around them.

mod generate;
mod print;

pub use generate::{Repetition, generate};
pub use print::print;

/// The body of an async function: what `a` is at first, and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// What `a` begins as.
    pub start: u64,
    /// What it does.
    pub statements: Vec<Statement>,
}

/// One thing that a function does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Calls a tool with its label and `a`, and mixes in what it gives.
    Call(u32, ToolKind),
    /// Calls a tool with what others of its calls pass as well, and mixes in what it gives.
    Same(u32, ToolKind, u64),
    /// Waits for so many milliseconds.
    Sleep(u32, u64),
    /// Makes a timer, and clears it.
    Clear,
    /// Logs `a`.
    Log(u32),
    /// Throws an error of its own.
    Throw,
    /// Decides by whether `a` is even.
    If(Vec<Statement>, Vec<Statement>),
    /// Does it so many times.
    Loop(u32, u64, Vec<Statement>),
    /// Mixes in what was thrown, and goes on with the second.
    Try(Vec<Statement>, Vec<Statement>),
    /// Awaits another function.
    Nested(Body),
    /// Awaits another function, and names what it gives: `codemode.step`.
    Step(u32, Body),
    /// Runs functions side by side.
    Together(Together),
}

/// Functions that run side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together {
    /// Its number.
    pub number: u32,
    /// What is awaited of them.
    pub how: Combinator,
    /// Whether it waits for those as well whose results do not matter any more.
    pub waits_for_all: bool,
    /// The functions.
    pub branches: Vec<Body>,
}

/// How promises are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combinator {
    /// `Promise.all`
    All,
    /// `Promise.allSettled`
    AllSettled,
    /// `Promise.any`
    Any,
    /// `Promise.race`
    Race,
}

/// The tools that there are, and one that there is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolKind {
    /// May be done twice.
    Get,
    /// Must not be done twice.
    Put,
    /// Needs approval, and must not be done twice.
    Pay,
    /// Needs approval, and may be done twice.
    Ask,
    /// Needs something from outside, and must not be done twice.
    Login,
    /// Its results must not be stored.
    Peek,
    /// Takes longer than a program may.
    Slow,
    /// Does not exist.
    Nowhere,
}

impl ToolKind {
    /// All that exist.
    pub const THERE: [Self; 7] = [Self::Get, Self::Put, Self::Pay, Self::Ask, Self::Login, Self::Peek, Self::Slow];

    /// Where a program finds it, below `tools`.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Get => "world.get",
            Self::Put => "world.put",
            Self::Pay => "world.pay",
            Self::Ask => "world.ask",
            Self::Login => "world.login",
            Self::Peek => "world.peek",
            Self::Slow => "world.slow",
            Self::Nowhere => "world.nowhere",
        }
    }

    /// The tool at a path.
    pub fn at(path: &str) -> Option<Self> {
        Self::THERE.into_iter().chain([Self::Nowhere]).find(|kind| kind.path() == path)
    }

    /// Whether a person has to approve its calls.
    pub const fn wants_approval(self) -> bool {
        matches!(self, Self::Pay | Self::Ask)
    }

    /// Whether doing it twice is doing it once.
    pub const fn is_idempotent(self) -> bool {
        matches!(self, Self::Get | Self::Ask)
    }

    /// Whether its results are not stored.
    pub const fn is_ephemeral(self) -> bool {
        matches!(self, Self::Peek)
    }
}

/// Where the call of a step goes.
pub const STEP: &str = "codemode.step";

/// What calls have in the place of their label that pass the same as others.
pub const SAME: &str = "same";

/// What a program can catch. The number is what is mixed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thrown {
    /// The tool failed.
    Tool = 1,
    /// A person denied the call.
    Denied = 2,
    /// There is no such tool.
    Unknown = 3,
    /// Its own error.
    Boom = 4,
    /// All promises of a `Promise.any` were rejected.
    Aggregate = 5,
}

/// Numbers are below this.
pub const MODULUS: u64 = 1_000_003;

/// What `a` becomes when something is mixed in.
pub const fn mix(a: u64, value: u64) -> u64 {
    (a * 31 + value + 1) % MODULUS
}
