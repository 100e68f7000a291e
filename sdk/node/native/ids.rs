//! The IDs of executions and the numbers of calls, which JavaScript gives as texts.

use isobox::{CallSeq, Code, ExecutionId, Failure, NotAnExecutionId, Value};

/// Parses the ID of an execution.
pub(crate) fn id_of(text: &str) -> Result<ExecutionId, Failure> {
    text.parse().map_err(|error: NotAnExecutionId| Failure::new(Code::NotFound, error.to_string()))
}

/// Parses the number of a call.
pub(crate) fn seq_of(text: &str) -> Result<CallSeq, Failure> {
    text.parse()
        .map_err(|_| Failure::new(Code::NotFound, format!("{:?} is not the number of a call", Value::from(text))))
}
