//! The seam to the sandbox. An instance never calls the host: it returns what it needs, and the host answers.
//!
//! A driver may run programs in this process, in another one, or on another machine. It hands over what its guest sends to an
//! [`Intake`], which does what every driver would have to do: numbering, limits, the budget of the log.

mod error;
pub mod intake;
pub(crate) mod log_book;

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
use crate::{ByteSize, CallSeq, Code, Failure, Limits};

pub use error::{Error, ErrorKind};
pub use intake::Intake;

/// Prepares programs and runs them.
pub trait Driver: Send + Sync {
    /// Prepares a program, or explains what is wrong with one, within bounds on time, memory and stack that hold for any
    /// text.
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Error>>;

    /// Makes an instance for a program. Nothing of the program runs before the first step.
    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>>;

    /// Makes an instance that goes on where the snapshot was taken. It has the seed and the namespaces that it was started with;
    /// those of `options` do not matter.
    ///
    /// [`ErrorKind::Snapshot`] where the snapshot is of another image, damaged, or over the limits of `options`: then the journal
    /// can still be replayed.
    fn restore<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>>;

    /// Names what snapshots belong to: the hash of the guest image.
    fn image(&self) -> &str;

    /// Tells whether the driver can do something that not every driver can. Isobox does without what it cannot do, and warns
    /// about limits that the driver does not enforce.
    fn can(&self, ability: Ability) -> bool;
}

/// Something that not every driver can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ability {
    /// Takes snapshots. Without them, programs that wait keep their places, and are replayed when they are resumed.
    Snapshots,
    /// Counts and bounds the processor time of a program. Without it, only the time-out ends a program that computes.
    CpuTime,
    /// Bounds the memory of a program.
    MemoryLimit,
    /// Tells where in the program a call is made.
    Places,
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
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Error>>;

    /// What was logged in a step that was dropped before it ended.
    fn take_logs(&mut self) -> Vec<Log>;

    /// Returns the whole state of an instance that waits. None where it does not wait (it has not made its first step, has
    /// ended, or was stopped inside a step), where its snapshot would be larger than `limit`, and where the driver takes none.
    ///
    /// Takes time in proportion to the memory that the program has changed.
    fn snapshot(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>>;

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
    pub cleared: Vec<CallSeq>,
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
        unawaited: Vec<CallSeq>,
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
    Call(CallSeq),
}

/// One thing that the program wants from the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Its number; calls and timers are numbered in the order in which the program made them.
    pub seq: CallSeq,
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
    pub seq: CallSeq,
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
