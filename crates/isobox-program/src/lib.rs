//! Defines what an Isobox program is, and turns source text into one.
//!
//! The crate has two halves. The model ([`Program`], [`Prepared`], [`Fault`]) and the messages of a preparer ([`Task`],
//! [`Answer`]) are always available. The front end, behind the feature `parser`, is the only part of Isobox with a parser.
//! The parser reads untrusted text, and it cannot bound its own time and memory. So hosts do not link the front end. It is
//! compiled to WebAssembly (`guest/preparer`) and runs in the same sandbox as the programs themselves.

mod fault;
#[cfg(feature = "parser")]
mod front;
mod literal;
mod model;
mod module;
mod rules;
mod survey;
mod task;

pub use fault::{Fault, FaultKind, FaultPlace};
#[cfg(feature = "parser")]
pub use front::{answer, explain, link, prepare, survey};
pub use literal::{Extent, Literal};
pub use model::{Import, Kind, Place, Prepared, PreparedFile, Program, Segment};
pub use module::{Interface, LinkedModule, Module, ModuleSource};
pub use rules::{About, Rules, SYNTAX, Stance, SyntaxRule, WrongRule};
pub use survey::{Handling, Name, Promised, Reach, Read, SeenCall, Survey, Violation};
pub use task::{Answer, Preparation, Refused, Surveyed, Task};
