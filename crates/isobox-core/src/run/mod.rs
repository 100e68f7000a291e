//! Runs an execution: the loop that steps a program and answers its calls.

mod advice;
mod calls;
pub(crate) mod capacity;
mod decided;
mod effects;
mod ending;
pub(crate) mod execution;
pub(crate) mod expiry;
mod explain;
pub(crate) mod for_model;
pub(crate) mod host;
mod ledger;
pub(crate) mod lifecycle;
mod listening;
mod location;
mod lookout;
mod own_tools;
mod reply;
mod reporter;
mod resuming;
mod revival;
mod run_loop;
mod running_call;
mod setting;
mod settling;
mod starting;
mod waiting;
