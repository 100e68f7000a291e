//! Approvals that were given on the command line, before the program ran.

use std::sync::Arc;

use isobox::policy::PathPattern;
use isobox::{Approval, ApprovalRequest, Approver};

use crate::arguments::RunOptions;

/// Approves what it was told to, and leaves everything else to whoever decides later.
struct Named(Vec<PathPattern>);

/// Approves everything.
struct Everything;

/// The approver that the options ask for, if they do.
pub(crate) fn approver(options: &RunOptions) -> Option<Arc<dyn Approver>> {
    if options.approve_all {
        return Some(Arc::new(Everything));
    }
    (!options.approved.is_empty()).then(|| Arc::new(Named(options.approved.clone())) as Arc<dyn Approver>)
}

impl Approver for Everything {
    fn decide(&self, _request: ApprovalRequest) -> futures_util::future::BoxFuture<'static, Approval> {
        Box::pin(std::future::ready(Approval::Approved))
    }
}

impl Approver for Named {
    fn decide(&self, request: ApprovalRequest) -> futures_util::future::BoxFuture<'static, Approval> {
        let is_named = self.0.iter().any(|pattern| pattern.matches(&request.path));
        Box::pin(std::future::ready(if is_named { Approval::Approved } else { Approval::Postponed }))
    }
}
