//! The seam to the sandbox. An instance never calls the host: it returns what it needs, and the host answers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_program::{self as program, Prepared, Task};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::clock::Timestamp;
use crate::log::Log;
use crate::run::capacity::Meter;
use crate::{ByteSize, Code, Failure, Limits};

/// Prepares programs and runs them.
pub trait Driver: Send + Sync {
    /// Prepares a program, or explains what is wrong with one, within bounds on time, memory and stack that hold for any
    /// text.
    ///
    /// `SYNTAX` for what takes more than that, `BUSY` where there is no capacity for it.
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Failure>>;

    /// Makes an instance for a program. Nothing of it runs before the first step.
    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> Result<Box<dyn Instance>, Failure>;

    /// Makes an instance that stands where the snapshot was taken. Seed and namespaces are those it was started with;
    /// those of `options` do not matter.
    ///
    /// `BUSY` where no instance is free, as for [`Driver::start`]. `INTERNAL` where the snapshot is of another image,
    /// damaged, or over the limits of `options`: then the journal can still be replayed.
    fn restore(&self, snapshot: &Snapshot, options: StartOptions) -> Result<Box<dyn Instance>, Failure>;

    /// What the state of a program belongs to: the hash of the guest image.
    fn image(&self) -> &str;
}

/// The state of a program that waits. Only the driver that took it, and others of the same image, can read it.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The image that it is of, as [`Driver::image`] says it.
    pub image: String,
    /// The state: as secret as what the program knows, and as powerful as the program. Whoever stores it has to see to it
    /// that nobody reads or changes it.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Snapshot({} bytes of image {})", self.bytes.len(), self.image)
    }
}

/// What an instance is made with, beside its program.
#[derive(Debug, Clone)]
pub struct StartOptions {
    /// What it may use.
    pub limits: Limits,
    /// Where its random numbers start.
    pub seed: u64,
    /// Where its memory is counted.
    pub meter: Meter,
    /// Namespaces of tools that it finds as globals as well.
    pub namespaces: Arc<[String]>,
    /// Whether it tells where its calls are made.
    pub wants_places: bool,
}

/// One program, running or waiting.
pub trait Instance: Send {
    /// Delivers answers, all of them before the program goes on, sets its clock, and runs it until it waits or ends.
    ///
    /// The first step starts the program. A step that is dropped before it ends leaves the instance unusable.
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Failure>>;

    /// What was logged in a step that was dropped before it ended.
    fn take_logs(&mut self) -> Vec<Log>;

    /// The whole state of an instance that waits. None where it does not wait (it has not made its first step, has ended, or
    /// was stopped inside a step), and where its snapshot would be larger than `limit`.
    ///
    /// Takes time in proportion to the memory that the program has changed, on the thread of the caller.
    fn snapshot(&mut self, limit: ByteSize) -> Option<Snapshot>;

    /// The processor time used so far.
    fn cpu_used(&self) -> Duration;

    /// Sets the processor time used so far: a program that is replayed goes on with what it had used.
    fn set_cpu_used(&mut self, used: Duration);
}

/// What a program did until it waited or ended.
#[derive(Debug)]
pub struct Step {
    /// The calls it made, in order. They start now, not when they were made.
    pub calls: Vec<Call>,
    /// Timers it made and no longer wants.
    pub cleared: Vec<u32>,
    /// What it logged.
    pub logs: Vec<Log>,
    /// Where it stands.
    pub state: State,
}

/// Where a program stands after a step.
#[derive(Debug)]
pub enum State {
    /// It waits for answers.
    Waiting,
    /// It returned.
    Done {
        /// What it returned.
        result: Value,
        /// Calls that were answered and whose answer nobody ever looked at.
        unawaited: Vec<u32>,
    },
    /// It ended with an error, its own or one that the bridge gave it.
    Failed(GuestError),
    /// It used up a limit inside the sandbox.
    Exhausted(Exhausted),
}

/// A limit that ended a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// Processor time.
    Cpu,
    /// Memory, where the program could not be told any more.
    Memory,
    /// Stack, where the program could not be told any more.
    Stack,
    /// The result is over its limit; so many bytes.
    Result(usize),
}

/// An error that ended a program, as the sandbox tells it. Texts are bounded, and the program chose them.
#[derive(Debug, Clone)]
pub struct GuestError {
    /// What made it.
    pub origin: Origin,
    /// Its `name`.
    pub name: String,
    /// Its `message`.
    pub message: String,
    /// Where it was made: `at name (file:line:column)` lines in the author's positions.
    pub stack: String,
    /// Where it was thrown, in the same form; empty where the engine raised it.
    pub thrown_at: String,
}

/// What made an error. The program cannot choose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The program.
    Program,
    /// The bridge or the engine, with this code.
    Engine(Code),
    /// The answer to this call.
    Call(u32),
}

/// One thing that the program wants from the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Its number; calls and timers are numbered in the order in which the program made them.
    pub seq: u32,
    /// What is wanted.
    pub request: Request,
    /// Where it was made, if that is wanted and known. The program is believed: it can only mislead about itself.
    pub place: Option<CalledFrom>,
}

/// Where in the author's text a call is made, as the program says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalledFrom {
    /// The number of the file, in the order of [`Prepared::files`]; there may be none of that number.
    pub file: u32,
    /// The line, from 1 on.
    pub line: u32,
    /// The column, from 1 on.
    pub column: u32,
}

/// What a call wants.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// That a tool is called.
    Tool {
        /// Which one; it may not exist.
        path: String,
        /// With what.
        input: Value,
    },
    /// To be woken after this time.
    Timer(Duration),
}

/// The answer to one call.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Which call.
    pub seq: u32,
    /// What came of it.
    pub reply: Reply,
}

/// What came of a call.
#[derive(Debug, Clone)]
pub enum Reply {
    /// It succeeded; the result as JSON.
    Result(Box<RawValue>),
    /// It failed; the program sees code, name and message.
    Failed(Failure),
    /// The timer's time has come.
    Fired,
}

impl Reply {
    /// Succeeds with a value.
    pub fn result(value: &Value) -> Self {
        Self::Result(to_raw_value(value).expect("a JSON value is JSON"))
    }
}
