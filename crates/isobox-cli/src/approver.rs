//! Approvals that were given on the command line, before the program ran.

use std::sync::Arc;

use isobox::config::Config;
use isobox::policy::PathPattern;
use isobox::policy::{Approval, ApprovalRequest, Approver};
use isobox::tools::Unmatched;
use isobox::{Code, Failure, Isobox};

use crate::arguments::RunOptions;
use crate::deciding::user;
use crate::style::warn;

/// Approves what it was told to, and leaves everything else to whoever decides later.
struct CommandLine {
    /// Whose.
    by: String,
    approved: Approved,
}

enum Approved {
    Everything,
    Named(Vec<PathPattern>),
}

/// The approver that the options ask for, if they do.
pub(crate) fn approver(options: &RunOptions) -> Option<Arc<dyn Approver>> {
    let approved = match options {
        RunOptions { approve_all: true, .. } => Approved::Everything,
        RunOptions { approved, .. } if approved.is_empty() => return None,
        RunOptions { approved, .. } => Approved::Named(approved.clone()),
    };
    Some(Arc::new(CommandLine { by: user(), approved }))
}

/// Says which of the approvals are for tools that are not there; in a strict workspace that is an error.
pub(crate) fn check_approved(options: &RunOptions, isobox: &Isobox, config: &Config) -> Result<(), Failure> {
    for pattern in &options.approved {
        match isobox.catalogue().unmatched_pattern("--approve", pattern) {
            Some(Unmatched { message, may_be_absent: false, .. }) if config.is_strict => {
                return Err(Failure::new(Code::Config, message));
            }
            Some(Unmatched { message, .. }) => warn(&message),
            None => {}
        }
    }
    Ok(())
}

impl Approver for CommandLine {
    fn name(&self) -> &str {
        &self.by
    }

    fn decide(&self, request: ApprovalRequest) -> futures_util::future::BoxFuture<'static, Approval> {
        let is_approved = match &self.approved {
            Approved::Everything => true,
            Approved::Named(patterns) => {
                let names = || std::iter::once(&request.path).chain(&request.names);
                patterns.iter().any(|pattern| names().any(|name| pattern.matches(name)))
            }
        };
        Box::pin(std::future::ready(if is_approved { Approval::Approved } else { Approval::Postponed }))
    }
}
