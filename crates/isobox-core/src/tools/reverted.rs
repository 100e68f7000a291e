//! The settings of a tool for undoing its calls.

use std::sync::Arc;

use serde_json::Value;

use crate::tools::revert::{Revert, RevertCall, Reverting};
use crate::{Tool, ToolError, ToolPath};

impl Tool {
    /// Sets the function that undoes a call of the tool. A rollback calls it with the input and the result of the call.
    ///
    /// The revert is a call of its own, with the path of the tool followed by `.revert`: rules of the policy for that
    /// path decide about it, and no other tool may have it. It may be interrupted. It is in doubt if its process dies, and
    /// if it takes longer than the time-out of the execution.
    #[must_use]
    pub fn revert<F, R>(mut self, revert: F) -> Self
    where
        F: Fn(Reverting) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        self.inner_mut().revert = Some(Revert::Own(Arc::new(move |reverting| Box::pin(revert(reverting)))));
        self
    }

    /// Sets the call of another tool that undoes a call of this tool. The policy for that tool applies.
    #[must_use]
    pub fn reverted_by(mut self, call: RevertCall) -> Self {
        self.inner_mut().revert = Some(Revert::Call(call));
        self
    }

    /// Returns how calls of the tool are reverted.
    pub(crate) fn reverting(&self) -> Option<&Revert> {
        self.0.revert.as_ref()
    }

    /// Tells whether calls of the tool can be reverted.
    pub fn can_be_reverted(&self) -> bool {
        self.0.revert.is_some()
    }

    /// Tells whether calls of the tool are reverted with a function of the host.
    pub(crate) fn has_own_revert(&self) -> bool {
        matches!(self.reverting(), Some(Revert::Own(_)))
    }

    /// Returns the path of the tool that reverts calls of this one with the function of the host. No catalogue has a tool
    /// of its own at that path.
    pub(crate) fn revert_path(&self) -> ToolPath {
        ToolPath::of_reverts(self.path())
    }

    /// Returns the tool that reverts calls of this one with the function of the host.
    pub(crate) fn revert_tool(&self) -> Option<Self> {
        let Some(Revert::Own(revert)) = self.reverting() else { return None };
        let revert = Arc::clone(revert);
        let tool = Self::at(self.revert_path(), move |call| revert(Reverting::of(call)));
        Some(tool.description(format!("Reverts a call of `{}`.", self.path())))
    }
}
