//! Asking a person whether a call may be made.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::text::panic_text;
use crate::{CallSeq, ExecutionId};

/// Decides about calls that need approval. The program waits meanwhile.
pub trait Approver: Send + Sync {
    /// Who that is, for the journal.
    fn name(&self) -> &str {
        "the host's approver"
    }

    /// Whether the call may be made. Dropping the future takes the question back.
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval>;
}

/// What is to be approved.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// Which execution asks.
    pub execution: ExecutionId,
    /// The number of the call.
    pub seq: CallSeq,
    /// Which tool.
    pub path: String,
    /// What else the tool is called, and no other tool is: at its server, and before it was renamed.
    pub names: Vec<String>,
    /// With what; parts that the policy redacts are not shown.
    pub input: Value,
    /// Why approval is needed, in words.
    pub why: String,
}

/// What was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// The call may be made.
    Approved,
    /// It must not be made; a reason that the program may read.
    Denied(Option<String>),
    /// Somebody else has to say. An execution that is kept waits for that; in another one the call fails with
    /// `APPROVAL_REQUIRED`.
    Postponed,
}

/// Puts a question to an approver. One that panics has approved nothing.
pub(crate) async fn ask(approver: &dyn Approver, request: ApprovalRequest) -> Approval {
    let asking = AssertUnwindSafe(async { approver.decide(request).await }).catch_unwind();
    asking.await.unwrap_or_else(|panic| {
        tracing::error!(panic = panic_text(&*panic), "an approver panicked; the call is left to others");
        Approval::Postponed
    })
}
