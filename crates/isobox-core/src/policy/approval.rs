//! Asks a person whether a call may be made.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::text::panic_text;
use crate::{CallSeq, ExecutionId};

/// Decides about calls that need approval. The program waits meanwhile.
pub trait Approver: Send + Sync {
    /// Returns the name of the approver for the journal.
    fn name(&self) -> &str {
        "the host's approver"
    }

    /// Decides whether the call may be made. Dropping the future withdraws the question.
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval>;
}

/// A call to approve.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The execution.
    pub execution: ExecutionId,
    /// The number of the call.
    pub seq: CallSeq,
    /// The path of the tool.
    pub path: String,
    /// Other names of the tool that no other tool has: on its server, and before it was renamed.
    pub names: Vec<String>,
    /// The input, without the parts that the policy redacts.
    pub input: Value,
    /// The reason why approval is needed.
    pub why: String,
}

/// The decision of an approver.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// The call may be made.
    Approved,
    /// The call must not be made, for a reason that the program may read.
    Denied(Option<String>),
    /// The approver leaves the decision to others. A durable execution waits for it; otherwise the call fails with
    /// `APPROVAL_REQUIRED`.
    Postponed,
}

/// Asks an approver. A panic counts as postponed.
pub(crate) async fn ask(approver: &dyn Approver, request: ApprovalRequest) -> Approval {
    let asking = AssertUnwindSafe(async { approver.decide(request).await }).catch_unwind();
    asking.await.unwrap_or_else(|panic| {
        tracing::error!(panic = panic_text(&*panic), "an approver panicked: its decision counts as postponed");
        Approval::Postponed
    })
}
