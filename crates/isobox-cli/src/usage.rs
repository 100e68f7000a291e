//! Ends the process over arguments that cannot be understood.

use std::process::exit;

use clap::error::ErrorKind;
use isobox::{Code, Failure};

use crate::Exit;
use crate::outcome::{Form, tell_error};

/// Prints the error, as JSON if `--json` is among the arguments, and ends the process. Help and the version are no errors.
pub(crate) fn end(error: &clap::Error) -> ! {
    let is_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    let wants_json = std::env::args_os().take_while(|argument| argument != "--").any(|argument| argument == "--json");
    if is_help || !wants_json {
        error.exit();
    }
    tell_error(failure(&error.render().to_string()).into(), Form::Json);
    exit(Exit::Usage as i32)
}

/// Returns the failure that a text of clap describes: the error, a tip, and how the command is used.
fn failure(text: &str) -> Failure {
    let paragraph = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut parts = text.split("\n\n").map(paragraph);
    let first = parts.next().unwrap_or_default();
    let failure = Failure::new(Code::Config, first.strip_prefix("error: ").unwrap_or(&first));
    let tip = parts.find_map(|part| Some(part.strip_prefix("tip: ")?.to_owned()));
    failure.hint(tip.unwrap_or_else(|| "--help tells how the command is used".to_owned()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::Arguments;

    fn told(arguments: &[&str]) -> (String, Option<String>) {
        let error = Arguments::try_parse_from([&["isobox"], arguments].concat()).expect_err("it is wrong");
        let failure = failure(&error.render().to_string());
        (failure.message, failure.hint)
    }

    #[test]
    fn an_error_is_told_without_the_usage() {
        let (message, hint) = told(&["runn", "--json"]);
        assert_eq!(message, "unrecognized subcommand 'runn'");
        assert_eq!(hint.as_deref(), Some("a similar subcommand exists: 'run'"));
        let (message, hint) = told(&["tools", "search", "--json"]);
        assert_eq!(message, "the following required arguments were not provided: <QUERY>...");
        assert_eq!(hint.as_deref(), Some("--help tells how the command is used"));
    }
}
