//! Runs an execution: the loop that steps a program and answers its calls. `ARCHITECTURE.md` has a table of the
//! folders.

mod calls;
pub(crate) mod capacity;
pub(crate) mod ending;
pub(crate) mod execution;
mod explain;
pub(crate) mod host;
pub(crate) mod planning;
pub(crate) mod replay;
pub(crate) mod rollback;
mod run_loop;
mod session_use;
mod snippet_runs;
pub(crate) mod starting;
pub(crate) mod waiting;
