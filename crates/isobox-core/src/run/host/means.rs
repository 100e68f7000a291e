//! The means that a process brings to resume an execution.

use futures_util::future::BoxFuture;

use crate::{Failure, Principal, Tool};

/// Runs once a program is restored, right before it continues.
pub type BeforeContinuing<'a> = &'a (dyn Fn() -> BoxFuture<'a, Result<(), Failure>> + Send + Sync);

/// The means that a process brings to resume an execution. The default fits an execution without tools of its own.
#[derive(Clone, Copy, Default)]
pub struct Means<'a> {
    /// The functions of the tools that the execution began with. Other tools are ignored.
    pub tools: &'a [Tool],
    /// The principal that resumes the execution although its store was restored from a backup
    /// ([`mark_restored`](crate::mark_restored)). It needs [`Right::Admin`](crate::Right::Admin).
    pub released_by: Option<&'a Principal>,
    /// Runs once the program is restored, right before it continues. If this fails, the resume fails with the same error:
    /// no call was made, and the execution is unchanged. It does not run if the execution ends without being restored.
    pub before: Option<BeforeContinuing<'a>>,
}
