//! The command line of Isobox. Argument parsing and printing are confined to this crate.

mod approver;
mod arguments;
mod ask;
mod commands;
mod deciding;
mod diagram;
mod executions;
mod exit;
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
pub(crate) use crate::exit::Exit;

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
            ExitCode::from(Exit::of_error(&error) as u8)
        }
    }
}
