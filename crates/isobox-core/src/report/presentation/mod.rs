//! The text of an outcome for a model: the result or the error, the log and, if requested, a summary of the calls. Each
//! part is bounded.

mod answer;
mod calls;
mod error_parts;
mod value;

pub use answer::{AnswerOptions, answer_json, answer_text};
pub use calls::{CallSummary, summarise_calls};
pub use error_parts::error_parts;
pub(crate) use value::write_within;
pub use value::{CHARACTERS_PER_TOKEN, Shown, show_value};
