//! How a program ended, and whether the test wanted that.

use super::Expectation;

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It completed.
    Completed {
        /// The lines that it logged.
        lines: Vec<String>,
    },
    /// It was refused before it ran.
    Refused {
        /// Why.
        message: String,
    },
    /// It threw.
    Threw {
        /// The name of the error.
        name: String,
        /// The message of the error.
        message: String,
    },
    /// It was ended from outside, or never ended.
    Stopped {
        /// Why.
        message: String,
    },
}

/// Compares the end of a program with what its test expects.
///
/// # Errors
///
/// Says how it ended instead.
pub fn judge(expectation: &Expectation, ending: &Ending) -> Result<(), String> {
    let is_right = match (expectation, ending) {
        (Expectation::Completes, Ending::Completed { .. }) | (Expectation::IsRefused, Ending::Refused { .. }) => true,
        (Expectation::CallsDone, Ending::Completed { lines }) => {
            let mut ends = lines.iter().filter(|line| line.starts_with("Test262:"));
            ends.next().is_some_and(|line| line == "Test262:AsyncTestComplete") && ends.next().is_none()
        }
        (Expectation::Throws(expected), Ending::Threw { name, .. }) => name == expected,
        _ => false,
    };
    if is_right {
        return Ok(());
    }
    Err(match ending {
        Ending::Completed { lines } => match lines.iter().find(|line| line.starts_with("Test262:AsyncTestFailure")) {
            Some(line) => line.clone(),
            None if *expectation == Expectation::CallsDone => "completed, and did not call $DONE once".to_owned(),
            None => "completed".to_owned(),
        },
        Ending::Refused { message } => format!("refused: {message}"),
        Ending::Threw { name, message } => format!("threw {name}: {message}"),
        Ending::Stopped { message } => format!("stopped: {message}"),
    })
}
