//! The exit statuses of all commands.

use isobox::calls::CallState;
use isobox::{Code, Failed, Failure, Outcome};

/// The exit status of the process. The numbers are part of the public contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The program completed, or the command succeeded.
    Completed = 0,
    /// The program failed, or was rejected or cancelled.
    Failed = 1,
    /// The usage or the configuration is wrong. Nothing was run.
    Usage = 2,
    /// The execution has not ended: it is paused or sleeps, was interrupted, or runs in another process.
    NotOver = 3,
    /// The command conflicts with the state of the execution, names something that does not exist, or is not allowed.
    Refused = 4,
    /// The store failed or cannot be reached.
    Store = 5,
    /// A signal ended the process before there was an outcome: 128 plus the signal number, as shells report it.
    HungUp = 129,
    Interrupted = 130,
    Terminated = 143,
}

/// The section of `--help` about exit statuses.
pub(crate) const HELP: &str = "Exit status:
  0  the program completed, or the command succeeded
  1  the program failed, or was rejected or cancelled; or nothing was found
  2  usage or configuration error: nothing was run
  3  not finished: paused, sleeping, interrupted, or running in another process
  4  refused: CONFLICT, NOT_FOUND or FORBIDDEN
  5  STORE: the store failed or cannot be reached; unless the message says otherwise, nothing was changed";

impl Exit {
    /// Maps the outcome of an execution.
    pub(crate) fn of_outcome(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Completed(_) => Self::Completed,
            Outcome::RolledBack(rolled_back) if rolled_back.failed.is_empty() && rolled_back.error.is_none() => {
                Self::Completed
            }
            // The errors of calls have these codes, too. Without a call the program was not run.
            Outcome::Failed(failed) if failed.calls.is_empty() && is_refusal(failed.error.code) => {
                Self::of_failure(&failed.error)
            }
            Outcome::Paused(_) | Outcome::Sleeping(_) | Outcome::Interrupted(_) => Self::NotOver,
            Outcome::Failed(failed) if failed.error.code == Code::Store && never_began(failed) => Self::Store,
            _ => Self::Failed,
        }
    }

    /// Maps the failure of a command.
    pub(crate) fn of_failure(failure: &Failure) -> Self {
        match failure.code {
            Code::Conflict | Code::NotFound | Code::Forbidden | Code::UnknownTool | Code::Continuation => Self::Refused,
            Code::Store => Self::Store,
            // The given value, reason or program is wrong.
            Code::Config
            | Code::Syntax
            | Code::Serialization
            | Code::SourceTooLarge
            | Code::InputTooLarge
            | Code::OutputTooLarge => Self::Usage,
            // The execution can be resumed when there is capacity.
            Code::Busy => Self::NotOver,
            Code::Aborted => Self::Interrupted,
            _ => Self::Failed,
        }
    }

    /// Maps any error. An error without a code is about usage or configuration.
    pub(crate) fn of_error(error: &anyhow::Error) -> Self {
        error.downcast_ref::<Failure>().map_or(Self::Usage, Self::of_failure)
    }

    /// Returns the worse of two statuses, for a command that does several things.
    pub(crate) fn worst(self, other: Self) -> Self {
        let rank = |exit: Self| match exit {
            Self::Completed => 0,
            Self::NotOver => 1,
            Self::Failed => 2,
            Self::Refused => 3,
            Self::Usage => 4,
            Self::Store => 5,
            Self::HungUp | Self::Interrupted | Self::Terminated => 6,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

/// Tells whether no call was made. An execution that the store has no record of makes none. An execution that is not durable
/// can also fail with `STORE` after calls: a snippet that it runs cannot be read.
fn never_began(failed: &Failed) -> bool {
    failed.calls.iter().all(|call| matches!(call.state, CallState::Issued | CallState::Pending))
}

/// Tells whether a request with this code was refused before a program ran: its session is in use or of another owner, for
/// example, or its ID is that of another execution.
fn is_refusal(code: Code) -> bool {
    matches!(code, Code::Conflict | Code::NotFound | Code::Forbidden | Code::Config)
}

#[cfg(test)]
mod tests {
    use isobox::{ExecutionId, json};

    use super::*;

    #[test]
    fn a_failed_store_has_a_status_of_its_own_only_if_no_call_was_made() {
        let outcome = |calls| {
            let error = json!({ "code": "STORE", "name": "StoreError", "message": "it cannot be reached" });
            let id = "exec_0000000000010000000000000000000000000000000a";
            let failed = json!({
                "status": "failed", "executionId": id, "error": error, "logs": [], "calls": calls, "durationMs": 1,
            });
            let outcome: Outcome = serde_json::from_value(failed).expect("an outcome");
            Exit::of_outcome(&outcome)
        };
        assert_eq!(outcome(json!([])), Exit::Store);
        let made = |state: &str| json!([{ "seq": "0", "path": "mail.send", "state": state }]);
        assert_eq!(outcome(made("issued")), Exit::Store);
        for state in ["started", "applied", "failed", "cancelled-unknown"] {
            assert_eq!(outcome(made(state)), Exit::Failed, "{state}");
        }
    }

    #[test]
    fn every_code_has_a_status() {
        let mut all: Vec<(u8, &str)> =
            Code::ALL.iter().map(|code| (Exit::of_failure(&Failure::new(*code, "")) as u8, code.as_str())).collect();
        all.sort_unstable();
        let with = |status: u8| all.iter().filter(|one| one.0 == status).map(|one| one.1).collect::<Vec<_>>().join(" ");
        assert_eq!(with(4), "CONFLICT CONTINUATION FORBIDDEN NOT_FOUND UNKNOWN_TOOL");
        assert_eq!((with(5).as_str(), with(3).as_str(), with(130).as_str()), ("STORE", "BUSY", "ABORTED"));
        assert_eq!(with(2), "CONFIG INPUT_TOO_LARGE OUTPUT_TOO_LARGE SERIALIZATION SOURCE_TOO_LARGE SYNTAX");
        assert_eq!(with(0), "");
    }

    #[test]
    fn a_program_that_was_not_run_has_the_status_of_the_refusal() {
        let status = |code: Code, calls: isobox::Value| {
            let mut outcome = json!(Outcome::refused(ExecutionId::new(0, 1), Failure::new(code, "no")));
            outcome["calls"] = calls;
            Exit::of_outcome(&serde_json::from_value(outcome).expect("an outcome"))
        };
        let denied = || json!([{ "seq": "0", "path": "pay", "state": "failed" }]);
        for (code, refused) in [
            (Code::Conflict, Exit::Refused),
            (Code::NotFound, Exit::Refused),
            (Code::Forbidden, Exit::Refused),
            (Code::Config, Exit::Usage),
        ] {
            assert_eq!((status(code, json!([])), status(code, denied())), (refused, Exit::Failed), "{code}");
        }
        assert_eq!(status(Code::Thrown, json!([])), Exit::Failed);
    }

    #[test]
    fn the_worst_of_several_is_told() {
        let worst = |all: &[Exit]| all.iter().copied().fold(Exit::Completed, Exit::worst);
        assert_eq!(worst(&[]), Exit::Completed);
        assert_eq!(worst(&[Exit::Completed, Exit::NotOver, Exit::Completed]), Exit::NotOver);
        assert_eq!(worst(&[Exit::Failed, Exit::Store, Exit::Refused, Exit::NotOver]), Exit::Store);
    }
}
