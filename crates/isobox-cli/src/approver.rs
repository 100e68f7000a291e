//! Approvals that were given on the command line, before the program ran.

use std::sync::Arc;

use isobox::policy::PathPattern;
use isobox::{Approval, ApprovalRequest, Approver};

use crate::arguments::RunOptions;
use crate::deciding::user;

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

impl Approver for CommandLine {
    fn name(&self) -> &str {
        &self.by
    }

    fn decide(&self, request: ApprovalRequest) -> futures_util::future::BoxFuture<'static, Approval> {
        let is_approved = match &self.approved {
            Approved::Everything => true,
            Approved::Named(patterns) => patterns.iter().any(|pattern| pattern.matches(&request.path)),
        };
        Box::pin(std::future::ready(if is_approved { Approval::Approved } else { Approval::Postponed }))
    }
}
