//! The command line, as people and programs use it.

mod executions;
mod hostile;
mod run;
mod tools;
