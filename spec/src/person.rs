//! The approver of a case.

use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox::policy::{Approval, ApprovalRequest, Approver};
use serde::Deserialize;

/// An approver that gives the same answer to every request after a delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person {
    /// The answer.
    pub says: Says,
    /// The delay.
    pub takes: Duration,
}

/// The answer of an approver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Says {
    Yes,
    No,
}

impl Approver for Person {
    fn decide(&self, _request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        let Self { says, takes } = *self;
        Box::pin(async move {
            tokio::time::sleep(takes).await;
            match says {
                Says::Yes => Approval::Approved,
                Says::No => Approval::Denied(Some("not today".to_owned())),
            }
        })
    }
}
