//! The command line, as people and programs use it.

mod executions;
mod run;
mod tools;
