//! What a model gets back: the result or the error, the log and, where it is wanted, a summary of the calls, each within its
//! bounds.

mod answer;
mod calls;
mod value;

pub use answer::{AnswerOptions, answer_text};
pub use calls::{CallSummary, summarise_calls};
pub(crate) use value::write_within;
pub use value::{CHARACTERS_PER_TOKEN, Shown, show_value};
