//! Learns the types of results from results, for tools that have no output schema.
//!
//! What is learned are types, optional fields and, where the host allows it, small sets of short texts: never other
//! values. Keys that look like data are not taken for names of fields. What is learned is only shown; results are never
//! checked against it.
//!
//! Everything here is pure. A [`Learner`] of the host takes results from executions and keeps what was learned in the
//! store.

mod learned;
mod observe;
mod options;
mod redact;
mod schema;
mod shape;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;

use serde_json::Value;

pub use learned::Learned;
pub use options::ExperienceOptions;
pub use shape::Shape;

use crate::Tool;

/// Takes the results of tools from executions, and knows what was learned from them.
pub trait Learner: Send + Sync {
    /// Takes the result of a tool that [can be learned from](Tool::can_be_learned_from). `size` is its size as JSON in
    /// bytes. Called while the program waits for the result, so it must neither block nor work.
    fn saw(&self, tool: &Tool, result: Value, size: usize);

    /// Returns the JSON Schema of the results of a tool that were seen so far.
    fn observed(&self, tool: &Tool) -> Option<Arc<Value>>;
}
