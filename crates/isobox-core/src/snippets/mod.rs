//! Snippets: programs that are saved under a name, so that other programs run them with an input.
//!
//! Everything but [`Shelf`] is pure. The shelf keeps snippets in the store, as documents that are sealed with its key:
//! models read their descriptions, and programs run their code.

mod code;
mod example;
mod needs;
mod request;
mod shelf;
mod shown;
mod trust;
mod version;

pub use example::{Example, Expected};
pub use needs::Needs;
pub use shelf::Shelf;
pub use trust::{SnippetOptions, Trust};
pub use version::{NewSnippet, Snippet, SnippetVersion, Uses};

pub(crate) use code::with_input;
pub(crate) use request::{Asked, Resolved, add_masked, judged, show_masked};
pub(crate) use shelf::Use;
pub(crate) use shown::{described, name_of, run_signature};

/// The maximum number of snippets of an execution that run at the same time, with those that snippets run. Each is an
/// instance of the driver beside that of the program.
pub const MOST_AT_ONCE: u32 = 24;

/// The path of the call that runs a snippet.
pub const RUN: &str = "codemode.run";
