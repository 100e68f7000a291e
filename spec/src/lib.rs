//! Conformance cases as data, and what it takes to run them.
//!
//! A case is a file in `spec/<topic>/`. A `.ts` file is the program itself, with a TOML header in the comment lines that
//! start with `//#`; a `.toml` file is all header, with the program in `source` or `files`. Unknown keys are errors, and
//! equality is exact: what a header does not mention must not be there.

mod case;
mod compare;
mod person;
pub mod search;
mod tools;

pub use case::{Case, CaseProgram, Expectation, ExpectedError, Header, SpecCapacity, SpecLimits, ToolSet, load_cases};
pub use compare::{Diary, compare};
pub use person::{Person, Says};
pub use tools::{spec_tools, with_caller};
