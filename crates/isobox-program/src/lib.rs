//! What an Isobox program is, and how a text that a model wrote becomes one.
//!
//! The crate has two halves. The model ([`Program`], [`Prepared`], [`Fault`]) and the messages of a preparer ([`Task`],
//! [`Answer`]) are for everybody. The front end, behind the feature `parser`, is the only place where a parser is: it takes
//! text from strangers, and neither its time nor its memory can be bounded from inside. So hosts do not link it. It is
//! compiled to WebAssembly (`guest/preparer`) and runs behind the same wall as the programs themselves.

mod fault;
#[cfg(feature = "parser")]
mod front;
mod model;
mod task;

pub use fault::{Fault, FaultKind, FaultPlace};
#[cfg(feature = "parser")]
pub use front::{answer, explain, prepare};
pub use model::{Import, Kind, Prepared, PreparedFile, Program, Segment};
pub use task::{Answer, Place, Refused, Task};
