//! Conformance cases as data, and the code that runs them.
//!
//! A case is a file in `spec/<topic>/`. A `.ts` file is the program itself, with a TOML header in the comment lines
//! that start with `//#`. A `.toml` file is all header, with the program in `source` or `files`. Unknown keys are
//! errors, and comparison is exact: what a header does not mention must not be there.

mod case;
mod compare;
mod durably;
mod expected_failures;
mod header;
mod limits;
mod mortal;
mod passes;
mod person;
mod process;
pub mod programs;
mod restless;
mod restored;
mod runtime;
mod saved;
pub mod search;
mod session;
mod stateless;
mod stores;
pub mod sweep;
pub mod test262;
mod tools;
mod transcripts;
mod web;
mod world;

pub use case::{Case, CaseProgram, load_case, load_cases};
pub use compare::{Diary, compare, compare_rollback};
pub use durably::run_durably;
pub use expected_failures::expected_failures;
pub use header::{
    Correction, Expectation, ExpectedError, Header, SpecCapacity, SpecRollback, SpecSession, SpecSnippet, ToolSet,
    WholeSnippet,
};
pub use limits::SpecLimits;
pub use mortal::{Death, Fate, Mortal, NEVER, spoil_checkpoint};
pub use passes::{All, End, Pass, Which};
pub use person::{Person, Says};
pub use process::{Moves, Process, restless_sandbox};
pub use restored::check_restored;
pub use runtime::{all_tools, cancel_after_polls, compare_refusal, run_among_others, run_of};
pub use stateless::{cannot_be_carried, run_statelessly};
pub use stores::StoreKind;
pub use tools::{Caller, spec_tools, with_caller};
pub use web::CaseWeb;
pub use world::{Deed, World};
