//! Restores a program to the state at the end of its journal.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::Value;

use crate::driver::Returned;
use crate::driver::{ErrorKind, Reply, StartOptions};
use crate::durable::journaling::Journaling;
use crate::durable::permission::Permission;
use crate::journal::checkpoint::CheckpointContent;
use crate::journal::{Entry, JournalState, ResumedFrom};
use crate::policy::bridge::Bridge;
use crate::program::Prepared;
use crate::run::calls::reply::Answering;
use crate::run::calls::running_call::panicked;
use crate::run::host::setting::Setting;
use crate::run::replay::{CallAgain, diverged, replay};
use crate::run::snippet_runs::family::Family;
use crate::run::waiting::until;
use crate::store::Lease;
use crate::tools::call::CancelOnDrop;
use crate::{CallSeq, Code, Failure, Permit, RequestError, ToolCall};

/// A program in the state at the end of its journal.
pub(crate) struct Restored {
    pub(crate) instance: Family,
    pub(crate) from: ResumedFrom,
    /// The end of the program, if it had returned.
    pub(crate) returned: Option<Returned>,
}

/// The context in which a program is restored.
pub(crate) struct Revival<'r, 'a> {
    pub(crate) setting: Setting<'a>,
    pub(crate) program: &'r Arc<Prepared>,
    /// The namespaces that the program finds as globals.
    pub(crate) namespaces: &'r Arc<[String]>,
    pub(crate) bridge: &'r Bridge<'a>,
    pub(crate) journal: &'r mut Journaling,
}

impl Revival<'_, '_> {
    pub(crate) fn start_options(&self, permit: &Permit) -> StartOptions {
        self.setting.execution.start_options(self.namespaces, permit)
    }

    /// Restores a program whose state is in the store.
    pub(crate) async fn revive_from_store(&mut self, permit: &Permit) -> Result<Family, RequestError> {
        let loaded = self.journal.load(&self.setting.execution.id).await?;
        let Restored { instance, returned, .. } = self.revive(permit, loaded.kept.as_ref(), &loaded.entries).await?;
        // It was waiting when it was evicted.
        if returned.is_some() { Err(diverged("it returned instead of waiting").into()) } else { Ok(instance) }
    }

    /// Restores a program from its last checkpoint and the entries after it, or from its whole journal.
    pub(crate) async fn revive(
        &mut self,
        permit: &Permit,
        kept: Option<&CheckpointContent>,
        entries: &[Entry],
    ) -> Result<Restored, RequestError> {
        let Setting { host, execution, .. } = self.setting;
        if let Some(kept) = kept {
            match host.restore(&kept.snapshot, self.start_options(permit)).await {
                Ok(mut instance) => {
                    let returned =
                        replay(&mut instance, entries, &kept.state, &self.ephemeral(), host.quotes()).await?;
                    return Ok(Restored { instance, from: ResumedFrom::Snapshot, returned });
                }
                Err(error) if error.kind == ErrorKind::Busy => return Err(error.into()),
                Err(error) => {
                    tracing::warn!(execution = %execution.id, %error, "the snapshot cannot be restored: the journal is replayed");
                }
            }
        }
        let whole = self.journal.inspect(&execution.id).await?.entries;
        let mut instance = host.start(Arc::clone(self.program), self.start_options(permit)).await?;
        let entries = of_last_phase(&whole);
        let returned =
            replay(&mut instance, entries, &JournalState::default(), &self.ephemeral(), host.quotes()).await?;
        Ok(Restored { instance, from: ResumedFrom::Journal, returned })
    }

    fn ephemeral(&self) -> Ephemeral<'_, '_> {
        let answering = Answering::new(self.setting, self.bridge, self.journal);
        let (lease, permission) = (self.journal.lease().cloned(), self.journal.permission());
        Ephemeral { answering, setting: self.setting, lease, permission }
    }
}

/// Returns the entries of the last rollback, or else of the program.
pub(super) fn of_last_phase(entries: &[Entry]) -> &[Entry] {
    let begun = entries.iter().rposition(|entry| matches!(entry, Entry::Rollback(_)));
    &entries[begun.unwrap_or(0)..]
}

/// Repeats calls whose results are not stored.
struct Ephemeral<'r, 'a> {
    answering: Answering<'r, 'a>,
    setting: Setting<'a>,
    lease: Option<Arc<Lease>>,
    permission: Permission,
}

impl CallAgain for Ephemeral<'_, '_> {
    async fn call_again(&self, seq: CallSeq, path: &str, input: &Value) -> Result<Reply, RequestError> {
        let Setting { host, execution, .. } = self.setting;
        let Some(tool) = host.catalogue.get(path).filter(|tool| tool.is_ephemeral()) else {
            let message =
                format!("tool `{path}`, whose results are not stored, is missing, or its results are stored now");
            return Err(Failure::new(Code::Diverged, message).into());
        };
        let input = tool.with_defaults(input.clone(), host.validation.defaults);
        self.answering.bridge.recheck(path, &input)?;
        if !self.permission.holds() {
            self.permission.renew().await?;
        }
        let timeout = execution.limits.timeout;
        let mut context = execution.call_context(seq);
        context.time_left = timeout;
        // The program has had the result before.
        context.attempt = 2;
        context.fencing_token = self.lease.as_ref().map(|lease| lease.epoch);
        let cancel = CancelOnDrop::new();
        context.cancellation = cancel.cancellation();
        let made = AssertUnwindSafe(async { tool.invoke(ToolCall::new(input, context)).await }).catch_unwind();
        let limit = host.clock.elapsed().saturating_add(timeout);
        let Some(made) = until(&*host.clock, limit, made).await else {
            let message = format!("tool `{path}`, whose results are not stored, returned none within {timeout:?}");
            return Err(Failure::new(Code::Timeout, message)
                .hint("no other call was made; resume the execution again")
                .into());
        };
        let result = made.unwrap_or_else(|panic| Err(panicked(&*panic)));
        Ok(self.answering.reply(seq, path, result).0)
    }
}
