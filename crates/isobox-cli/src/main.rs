//! The command line of Isobox. Argument parsing and printing are confined to this crate.

mod add;
mod approver;
mod arguments;
mod ask;
mod commands;
mod completions;
mod deciding;
mod diagram;
mod doctor;
mod executions;
mod exit;
mod import;
mod init;
mod learning;
mod login;
mod mcp;
mod notices;
mod outcome;
mod pages;
mod pending;
mod plan;
mod progress;
mod questions;
mod retention;
mod rows;
mod run;
mod secrets;
mod sessions;
mod setting;
mod signals;
mod snippets;
mod source;
mod state;
mod stateless;
mod style;
mod table;
mod terminal;
mod tool_call;
mod tools;
mod trust;
mod usage;
mod values;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
pub(crate) use crate::exit::Exit;
use crate::outcome::Form;

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| usage::end(&error));
    if arguments.quiet {
        style::be_quiet();
    }
    let (ended, form) = match arguments.command {
        Command::Init(options) => (init::init(&options), Form::json_if(options.json)),
        Command::Add(options) => (add::add(&options), Form::json_if(options.json)),
        Command::Doctor(options) => (doctor::doctor(&options), Form::json_if(options.json)),
        Command::Run(options) if options.plan => (plan::plan(&options), Form::json_if(options.json)),
        Command::Run(options) if options.stateless => (stateless::run_stateless(&options), Form::json_if(options.json)),
        Command::Run(options) => (run::run(&options), Form::json_if(options.json)),
        Command::Tools(options) => (tools::tools(&options), Form::json_if(options.json)),
        Command::Executions(options) => (executions::executions(&options), Form::json_if(options.json)),
        Command::Sessions(options) => (sessions::sessions(&options), Form::json_if(options.json)),
        Command::Snippets(options) => (snippets::snippets(&options), Form::json_if(options.json)),
        Command::Mcp(options) => (mcp::mcp(&options), Form::Text),
        Command::Login(options) => (login::change_login(&options, login::Change::Begin), Form::json_if(options.json)),
        Command::Logout(options) => (login::change_login(&options, login::Change::End), Form::json_if(options.json)),
        Command::Completions(options) => (completions::completions(&options), Form::Text),
    };
    ExitCode::from(ended.unwrap_or_else(|error| outcome::tell_error(error, form)) as u8)
}
