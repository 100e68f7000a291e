//! Whoever is asked about calls that need approval.

use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox::policy::{Approval, ApprovalRequest, Approver};
use serde::Deserialize;

/// Says the same to everything, after a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person {
    /// What.
    pub says: Says,
    /// After how long.
    pub takes: Duration,
}

/// What a person says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they say it themselves")]
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
