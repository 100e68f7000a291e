//! Runs an execution: the loop that steps a program and answers its calls.

pub(crate) mod beginning;
pub(crate) mod capacity;
pub(crate) mod eviction;
pub(crate) mod execution;
pub(crate) mod explain;
pub(crate) mod ledger;
pub(crate) mod lifecycle;
pub(crate) mod log_book;
pub(crate) mod progress;
pub(crate) mod reply;
pub(crate) mod run_loop;
pub(crate) mod running_call;
pub(crate) mod waiting;
