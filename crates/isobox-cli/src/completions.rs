//! `isobox completions`: scripts for shells.

use anyhow::Result;
use clap::CommandFactory;

use crate::Exit;
use crate::arguments::{Arguments, CompletionsOptions};
use crate::style::print_drawn;

/// Prints the script of a shell.
pub(crate) fn completions(options: &CompletionsOptions) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "isobox", &mut script);
    print_drawn(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Completed)
}
