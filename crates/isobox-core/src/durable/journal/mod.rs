//! The journal of a durable execution: what happened, in order, and what follows from it.
//!
//! What is on disk before what happens:
//!
//! - a [`Step`](Entry::Step) with the calls that the program made, and [`Started`](Entry::Started) for those that start,
//!   before any of them starts;
//! - [`Settled`](Entry::Settled) with what came of a call before anything that the program does with it can be seen from
//!   outside: the next call starts only when it is there. It is handed to the store together with the step that follows,
//!   so that both take one flush; where that step is not done within a tick of the sandbox, or where there is none because
//!   the program waits for more, it is handed over at once;
//! - [`Asked`](Entry::Asked) before anybody is shown the question, [`Decided`](Entry::Decided) before the decision takes
//!   effect;
//! - [`Ended`](Entry::Ended) before anybody is told the outcome.
//!
//! So after a crash a call with `Settled` never runs again, one without `Started` has never run, and one between the two is
//! in doubt.

pub(crate) mod checkpoint;
mod codec;
#[cfg(test)]
mod codec_tests;
mod decide;
mod entry;
mod packed;
mod state;

pub use codec::{Batch, Seal, StoreKey, decode_batch, decode_beginning, encode_beginning};
pub(crate) use codec::{BatchWriter, damaged, unwritable};
pub use decide::Instruction;
pub use entry::{
    Asked, Beginning, CallAsked, CallDecided, CallPlace, CallSettled, CallStarted, Decision, Ended, Ending, Entry,
    Pause, Question, Remember, Resumed, ResumedFrom, Settlement, StepTaken, Used, Verdict, Wanted,
};
pub use state::{CallProgress, JournalCall, JournalState, OpenCall, OutOfPlace, Pending, Remembered};
