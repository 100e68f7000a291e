//! Runs test262, the conformance tests of ECMAScript.
//!
//! The tests are not part of the repository. They are read from a folder, wrapped into programs, and run by the library or,
//! for comparison, by the engine without our changes. What a program cannot be asked to do is left out by class.

mod corpus;
mod ending;
mod expected;
mod library;
mod metadata;
mod scope;
mod unpatched;
mod wrapper;

pub use corpus::{Corpus, Test};
pub use ending::{Ending, judge};
pub use expected::ExpectedFailures;
pub use library::Library;
pub use metadata::{Expectation, Metadata};
pub use scope::LeftOut;
pub use unpatched::Unpatched;
pub use wrapper::{Form, Wrapped};
