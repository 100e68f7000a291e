//! Approvals given on the command line before the program runs.

use std::sync::Arc;

use isobox::config::Config;
use isobox::policy::PathPattern;
use isobox::policy::{Approval, ApprovalRequest, Approver};
use isobox::tools::Unmatched;
use isobox::{Code, Failure, Isobox};

use crate::arguments::RunOptions;
use crate::deciding::user;
use crate::style::warn;

/// Approves the calls named on the command line and postpones all others.
struct CommandLine {
    /// The user who gave the approvals.
    by: String,
    approved: Approved,
}

enum Approved {
    Everything,
    Named(Vec<PathPattern>),
}

/// Returns the approver for the approval options, if any are given.
pub(crate) fn approver(options: &RunOptions) -> Option<Arc<dyn Approver>> {
    let approved = match options {
        RunOptions { approve_all: true, .. } => Approved::Everything,
        RunOptions { approved, .. } if approved.is_empty() => return None,
        RunOptions { approved, .. } => Approved::Named(approved.clone()),
    };
    Some(Arc::new(CommandLine { by: user(), approved }))
}

/// Warns about approvals for tools that do not exist. In a strict workspace such an approval is an error.
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
