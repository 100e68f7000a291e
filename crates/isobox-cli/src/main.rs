//! The command line of Isobox: the only home of arguments and of printing.

mod approver;
mod arguments;
mod ask;
mod commands;
mod deciding;
mod diagram;
mod executions;
mod mcp;
mod outcome;
mod pending;
mod progress;
mod retention;
mod run;
mod setting;
mod signals;
mod source;
mod style;
mod terminal;
mod tools;
mod trust;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};

/// How the process ends. The numbers are promised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Completed = 0,
    Failed = 1,
    Usage = 2,
    /// It is not over: it waits for somebody outside, or another process runs it.
    NotOver = 3,
    /// A signal ended it before there was an outcome; as shells put it.
    HungUp = 129,
    Interrupted = 130,
    Terminated = 143,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let ended = match arguments.command {
        Command::Run(options) => run::run(&options),
        Command::Tools(options) => tools::tools(&options),
        Command::Executions(options) => executions::executions(&options),
        Command::Mcp(options) => mcp::mcp(&options),
    };
    match ended {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) => {
            style::complain_of_error(&error);
            ExitCode::from(Exit::Usage as u8)
        }
    }
}
