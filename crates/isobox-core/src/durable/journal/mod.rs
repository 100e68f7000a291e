//! The journal of a durable execution: its events in order, and the state that follows from them.
//!
//! An entry is durable before its effect:
//!
//! - a [`Step`](Entry::Step) with the calls that the program made, and [`Started`](Entry::Started) for those that start,
//!   before any of them starts;
//! - [`Settled`](Entry::Settled) with the outcome of a call, before the program's reaction to it is visible
//!   from outside: the next call starts only afterwards. The entry is sent together with the following step, so that
//!   both take one flush. If that step takes longer than a tick of the sandbox, or does not come because the program
//!   waits for more, the entry is sent at once;
//! - [`Noted`](Entry::Noted) with the note of a tool, before the tool continues the call with it;
//! - [`Asked`](Entry::Asked) before the question is shown, [`Decided`](Entry::Decided) before the decision takes
//!   effect;
//! - [`Ended`](Entry::Ended) before the outcome is reported;
//! - [`Rollback`](Entry::Rollback), which follows the end, before any call is reverted.
//!
//! After a crash a call with `Settled` therefore never runs again, a call without `Started` has never run, and a call
//! between the two is in doubt, unless it is `Noted`: then its tool continues it.

mod call;
mod call_record;
pub(crate) mod checkpoint;
mod codec;
#[cfg(test)]
mod codec_tests;
mod decide;
mod entry;
mod globals;
mod packed;
mod place;
mod remember;
mod resting;
mod restored;
mod rollback;
mod rollback_plan;
mod running_snippets;
mod seal;
mod snippet;
mod state;
mod used;

pub use call::{CallProgress, JournalCall, OpenCall, Pending};
pub use codec::{Batch, decode_batch, decode_beginning, encode_beginning};
pub(crate) use codec::{BatchWriter, damaged, unwritable};
pub use decide::Instruction;
pub use entry::{
    Asked, Beginning, CallAsked, CallDecided, CallNoted, CallSettled, CallStarted, Decision, Ended, Ending, Entry,
    ExecutionResumed, ForkedFrom, Pause, Question, ResumedFrom, Settlement, StepTaken, Verdict, Wanted,
};
pub use globals::UsedGlobals;
pub use place::CallPlace;
pub use remember::Remember;
pub use restored::RestoredMark;
pub(crate) use restored::is_answered_by_host;
pub use rollback_plan::{LeftApplied, PlannedRevert, RollbackBegun};
pub use seal::{Seal, StoreKey};
pub(crate) use snippet::add_warning;
pub use snippet::{RunningSnippet, SharedCode, SnippetBudget, SnippetCode, SnippetEnded, SnippetStarted};
pub use state::{JournalState, LastRollback, OutOfPlace, Remembered};
pub use used::Used;
