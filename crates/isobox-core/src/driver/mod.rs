//! The interface of sandboxes. An instance never calls the host: it returns its requests, and the host answers.
//!
//! A driver may run programs in this process, in another one, or on another machine. It passes the requests of its
//! guest to an [`Intake`], which does what every driver needs: numbering, limits, the budget of the log.

mod error;
pub(crate) mod fact_book;
pub mod intake;
pub(crate) mod log_book;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_program::{self as program, Prepared, Task};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use crate::clock::Timestamp;
use crate::log::{Fact, Log};
use crate::run::capacity::Meter;
use crate::{ByteSize, CallSeq, Code, Failure, Limits, Region};

pub use error::{Error, ErrorKind};
pub use intake::Intake;
pub use log_book::{BookUse, LogUse};

/// The maximum CPU time for preparing a program. The largest program within the default limits takes a tenth of it.
pub const MAX_PREPARING: Duration = Duration::from_secs(2);

/// Prepares programs and runs them.
pub trait Driver: Send + Sync {
    /// Prepares a program, or explains what is wrong with it. Time, memory and stack are bounded for any text.
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Error>>;

    /// Creates an instance for a program. The program does not run before the first step.
    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>>;

    /// Creates an instance that continues from a snapshot. It keeps the seed, the namespaces and the region that it was
    /// started with; those of `options` are ignored.
    ///
    /// Returns [`ErrorKind::Snapshot`] if the snapshot has another image, is damaged, or exceeds the limits of
    /// `options`. The journal can still be replayed then.
    fn restore<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>>;

    /// Returns what the results of a program depend on beside its journal: the hash of the guest image, and the versions of
    /// the data that the host answers from.
    fn image(&self) -> &str;

    /// Checks that programs can run in a region. Returns [`ErrorKind::Region`] if they cannot.
    fn check_region(&self, _region: &Region) -> Result<(), Error> {
        Ok(())
    }

    /// Tells whether the driver has an optional ability. Isobox works without it, and warns about limits that the
    /// driver does not enforce.
    fn can(&self, ability: Ability) -> bool;
}

/// An ability that not every driver has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ability {
    /// Takes snapshots. Without them, waiting programs are not evicted and are replayed on resume, and sessions have no
    /// globals.
    Snapshots,
    /// Counts and limits the CPU time of a program. Without it, only the time-out ends a program that computes.
    CpuTime,
    /// Limits the memory of a program.
    MemoryLimit,
}

/// The state of a waiting program. Only drivers of the same image can read it.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The image of the program, as returned by [`Driver::image`].
    pub image: String,
    /// The state. It is as secret as the data of the program, and as powerful as the program. It must be stored where
    /// others can neither read nor change it.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Snapshot({} bytes of image {})", self.bytes.len(), self.image)
    }
}

/// The options for starting an instance.
#[derive(Debug, Clone)]
pub struct StartOptions {
    /// The limits of the program.
    pub limits: Limits,
    /// The seed of its random numbers.
    pub seed: u64,
    /// The meter that counts its memory.
    pub meter: Meter,
    /// The tool namespaces that it also finds as globals.
    pub namespaces: Arc<[String]>,
    /// The locale and the time zone of the program.
    pub region: Region,
    /// The globals that an earlier program of its session left, as [`Instance::globals`] returned them. A restored
    /// program has its own.
    pub globals: Option<Arc<Snapshot>>,
}

/// A program that runs or waits.
pub trait Instance: Send {
    /// Delivers all answers, sets the clock of the program, and runs it until it waits or ends.
    ///
    /// The first step starts the program. A step that is dropped before it ends leaves the instance unusable.
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Error>>;

    /// Returns the place at which the program was stopped inside a step, by its CPU limit or because the step was dropped.
    /// Returns none if the driver does not know.
    fn stopped_at(&mut self) -> BoxFuture<'_, Option<CalledFrom>> {
        Box::pin(std::future::ready(None))
    }

    /// Returns the log lines of a step that was dropped before it ended.
    fn take_logs(&mut self) -> Vec<Log>;

    /// Returns the facts of a step that was dropped before it ended.
    fn take_facts(&mut self) -> Vec<Fact> {
        Vec::new()
    }

    /// Returns the whole state of a waiting instance. Returns none if it does not wait (before its first step, after
    /// its end, or stopped inside a step), if the snapshot would be larger than `limit`, or if the driver takes none.
    ///
    /// Takes time in proportion to the memory that the program has changed.
    fn snapshot(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>>;

    /// Ends a program that has returned, and returns its globals, with which another program may start
    /// ([`StartOptions::globals`]). Its calls and timers are dropped. Returns none if it has not returned, if the snapshot would
    /// be larger than `limit`, or if the driver takes none.
    fn globals(&mut self, _limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        Box::pin(std::future::ready(None))
    }

    /// Returns the CPU time used so far.
    fn cpu_used(&self) -> Duration;

    /// Sets the CPU time used so far. A replayed program continues with its earlier use.
    fn set_cpu_used(&mut self, used: Duration);

    /// Returns how much of its log and of its facts is used.
    fn written(&self) -> BookUse;

    /// Sets how much of its log and of its facts is used. Programs that share them continue with what the others have used.
    fn set_written(&mut self, written: BookUse);
}

/// The actions of a program until it waited or ended.
#[derive(Debug)]
pub struct Step {
    /// The calls it made, in order. They start after the step.
    pub calls: Vec<Call>,
    /// The timers it cleared.
    pub cleared: Vec<CallSeq>,
    /// Its log lines.
    pub logs: Vec<Log>,
    /// The facts that it recorded, in order.
    pub facts: Vec<Fact>,
    /// Its state.
    pub state: ProgramState,
}

/// The state of a program after a step.
#[derive(Debug)]
pub enum ProgramState {
    /// The program waits for answers.
    Waiting,
    /// The program returned.
    Done(Returned),
    /// The program ended with an error, its own or one from the bridge.
    Failed(GuestError),
    /// The program exceeded a limit inside the sandbox.
    Exhausted(Exhausted),
}

/// The end of a program that returned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Returned {
    /// The result.
    pub result: Value,
    /// The calls whose answers the program never looked at.
    pub unawaited: Vec<CallSeq>,
    /// Hints for the author about values in the result that JSON writes in an unexpected form.
    pub hints: Vec<String>,
}

impl Returned {
    /// Returns the end of a program with this result.
    pub fn with_result(result: Value) -> Self {
        Self { result, ..Self::default() }
    }

    /// Puts the warnings about the program before its own hints.
    pub(crate) fn after_warnings(mut self, mut warnings: Vec<String>) -> Self {
        warnings.append(&mut self.hints);
        self.hints = warnings;
        self
    }

    /// Sets the calls whose answers the program never looked at.
    #[must_use]
    pub fn unawaited(mut self, unawaited: Vec<CallSeq>) -> Self {
        self.unawaited = unawaited;
        self
    }
}

/// A limit that ended a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// CPU time.
    Cpu,
    /// Memory, if the program could not be given an error.
    Memory,
    /// Stack, if the program could not be given an error.
    Stack,
    /// The size of the result in bytes.
    Result(usize),
}

/// An error that ended a program, as the sandbox reports it. The program controls the texts, which are bounded.
#[derive(Debug, Clone)]
pub struct GuestError {
    /// The origin of the error.
    pub origin: Origin,
    /// Its `name`.
    pub name: String,
    /// Its `message`.
    pub message: String,
    /// The stack where it was created: `at name (file:line:column)` lines in the author's positions.
    pub stack: String,
    /// The stack where it was thrown, in the same form. Empty if the engine raised it.
    pub thrown_at: String,
    /// Its parts beside these: `cause` is an object with `name`, `message`, `stack` and parts of its own, `errors` is a list of
    /// such objects, and `properties` is an object. Everything is optional, and anything else is ignored.
    pub parts: Map<String, Value>,
}

/// The origin of an error. The program cannot choose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The program.
    Program,
    /// The bridge or the engine, with this code.
    Engine(Code),
    /// The answer to this call.
    Call(CallSeq),
}

/// A request of the program to the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Its number. Calls and timers are numbered together, in the order in which the program made them.
    pub seq: CallSeq,
    /// The request.
    pub request: Request,
    /// The place of the call, if it is known. It is not verified: the program can only mislead about itself.
    pub place: Option<CalledFrom>,
}

/// The place of a call in the author's text, as the program reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalledFrom {
    /// The index of the file in [`Prepared::files`]. It may be out of range.
    pub file: u32,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
}

/// The request of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Calls a tool.
    Tool {
        /// The path of the tool. It may not exist.
        path: String,
        /// The input.
        input: Value,
    },
    /// Sets a timer for this time.
    Timer(Duration),
}

/// The answer to one call.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The number of the call.
    pub seq: CallSeq,
    /// The reply.
    pub reply: Reply,
}

/// The reply to a call.
#[derive(Debug, Clone)]
pub enum Reply {
    /// The call succeeded with this JSON.
    Result(Box<RawValue>),
    /// The call failed. The program sees code, name and message, and the details of an error of a tool
    /// ([`Failure::guest_details`]).
    Failed(Failure),
    /// The timer has fired.
    Fired,
}

impl Reply {
    /// Creates a successful reply.
    pub fn result(value: &Value) -> Self {
        Self::Result(to_raw_value(value).expect("a JSON value is JSON"))
    }
}
