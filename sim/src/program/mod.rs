//! Random programs: a small language that is printed as JavaScript and also understood by the model.
//!
//! Every value is a number. An async function has one variable, `a`, into which it mixes everything it learns, so that
//! the result of a program depends on all that happened to it. Everything visible from outside has a *label* that is
//! unique in a run: the numbers of the node and of the iterations of the loops around it.

mod generate;
mod print;

use isobox_core::Code;

pub use generate::{Repetition, generate, generate_running, generate_snippets};
pub use print::{Leaves, print, print_for_session, print_snippet};

/// The body of an async function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The initial value of `a`.
    pub start: u64,
    /// The statements.
    pub statements: Vec<Statement>,
}

/// A statement of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Calls a tool with its label and `a`, and mixes in the result.
    Call(u32, ToolKind),
    /// Calls a tool with the same input as other calls, and mixes in the result.
    Same(u32, ToolKind, u64),
    /// Waits for a number of milliseconds.
    Sleep(u32, u64),
    /// Sets a timer and clears it.
    Clear,
    /// Logs `a`.
    Log(u32),
    /// Throws an error of the program.
    Throw,
    /// Branches on whether `a` is even.
    If(Vec<Statement>, Vec<Statement>),
    /// Repeats statements a number of times.
    Loop(u32, u64, Vec<Statement>),
    /// Runs the first statements. If they throw, mixes in the error and runs the second.
    Try(Vec<Statement>, Vec<Statement>),
    /// Awaits another function.
    Nested(Body),
    /// Awaits another function as a named step: `codemode.step`.
    Step(u32, Body),
    /// Runs the snippet with this number, with a label and `a`, and mixes in the result: `codemode.run`.
    Run(u32, usize),
    /// Runs functions concurrently.
    Together(Together),
}

/// Functions that run concurrently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together {
    /// The number of the node.
    pub number: u32,
    /// The combinator that is awaited.
    pub how: Combinator,
    /// Whether it also waits for functions whose results no longer matter.
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

/// The existing tools, and one that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolKind {
    /// May be repeated.
    Get,
    /// Must not be repeated.
    Put,
    /// Needs approval, and must not be repeated.
    Pay,
    /// Needs approval, and may be repeated.
    Ask,
    /// Needs an answer from a person, and must not be repeated.
    Login,
    /// Its results must not be stored.
    Peek,
    /// Takes longer than the time limit of a program.
    Slow,
    /// Starts work elsewhere, leaves a note and waits for the work. Must not be repeated.
    Task,
    /// Does not exist.
    Nowhere,
    /// Reverts a payment in a rollback. Needs approval, and must not be repeated.
    Unpay,
    /// Reverts a call of `world.put` in a rollback, and must not be repeated. It is the function of that tool.
    Unput,
}

impl ToolKind {
    /// All existing tools.
    pub const THERE: [Self; 9] =
        [Self::Get, Self::Put, Self::Pay, Self::Ask, Self::Login, Self::Peek, Self::Slow, Self::Task, Self::Unpay];

    /// Returns the path of the tool below `tools`.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Get => "world.get",
            Self::Put => "world.put",
            Self::Pay => "world.pay",
            Self::Ask => "world.ask",
            Self::Login => "world.login",
            Self::Peek => "world.peek",
            Self::Slow => "world.slow",
            Self::Task => "world.task",
            Self::Nowhere => "world.nowhere",
            Self::Unpay => "world.unpay",
            Self::Unput => "world.put.revert",
        }
    }

    /// Returns the tool at a path.
    pub fn at(path: &str) -> Option<Self> {
        Self::THERE.into_iter().chain([Self::Nowhere, Self::Unput]).find(|kind| kind.path() == path)
    }

    /// Tells whether its calls need approval.
    pub const fn wants_approval(self) -> bool {
        matches!(self, Self::Pay | Self::Ask | Self::Unpay)
    }

    /// Returns the tool that reverts its calls.
    pub const fn reverted_by(self) -> Option<Self> {
        match self {
            Self::Put => Some(Self::Unput),
            Self::Pay => Some(Self::Unpay),
            Self::Get
            | Self::Ask
            | Self::Login
            | Self::Peek
            | Self::Slow
            | Self::Task
            | Self::Nowhere
            | Self::Unpay
            | Self::Unput => None,
        }
    }

    /// Tells whether it reverts calls of another tool.
    pub const fn reverts(self) -> bool {
        matches!(self, Self::Unpay | Self::Unput)
    }

    /// Tells whether its calls may be repeated.
    pub const fn is_idempotent(self) -> bool {
        matches!(self, Self::Get | Self::Ask)
    }

    /// Tells whether its results are not stored.
    pub const fn is_ephemeral(self) -> bool {
        matches!(self, Self::Peek)
    }
}

/// The path of the call of a step.
pub const STEP: &str = "codemode.step";

/// The path of the call that runs a snippet.
pub const RUN: &str = "codemode.run";

/// The character that separates the labels of a snippet from the label of the call that runs it.
pub const CHILD: char = '~';

/// Returns the name of a snippet.
pub fn snippet_name(number: usize) -> String {
    format!("snippet{number}")
}

/// The label in calls with the same input as others.
pub const SAME: &str = "same";

/// An error that a program can catch. The number is mixed into `a`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thrown {
    /// The tool failed.
    Tool = 1,
    /// A person denied the call.
    Denied = 2,
    /// There is no such tool.
    Unknown = 3,
    /// The error of the program itself.
    Boom = 4,
    /// All promises of a `Promise.any` were rejected.
    Aggregate = 5,
    /// A snippet threw an error of its own.
    Child = 6,
    /// The time was over, or the program had returned, before the snippet could start.
    Late = 8,
}

impl Thrown {
    /// Returns the code with which a program ends that does not catch it.
    pub fn code(self) -> Code {
        match self {
            Self::Tool => Code::Tool,
            Self::Denied => Code::ApprovalDenied,
            Self::Unknown => Code::UnknownTool,
            Self::Boom | Self::Aggregate | Self::Child => Code::Thrown,
            Self::Late => Code::Timeout,
        }
    }
}

/// The exclusive upper bound of all numbers.
pub const MODULUS: u64 = 1_000_003;

/// Returns `a` with a value mixed in.
pub const fn mix(a: u64, value: u64) -> u64 {
    (a * 31 + value + 1) % MODULUS
}
