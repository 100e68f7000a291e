//! The library, where executions are kept.

use std::sync::Arc;

use isobox::journal::ResumedFrom;
use isobox::store::Store;
use isobox_spec::{Case, Moves, StoreKind, check_restored, run_durably};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;

use crate::Subject;

/// Every execution in one store, brought back from its memory and then, once more, from its journal. In memory, where it takes
/// no time, programs are moved to another instance at every await as well.
pub(crate) struct Durable {
    name: String,
    kind: StoreKind,
    runtime: Runtime,
    folder: TempDir,
    store: OnceCell<Arc<dyn Store>>,
}

impl Durable {
    pub(crate) fn new(kind: StoreKind) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
        Self {
            name: format!("durable-{}", kind.as_str()),
            kind,
            runtime: runtime.expect("tokio starts"),
            folder: tempfile::tempdir().expect("there is room for a database"),
            store: OnceCell::new(),
        }
    }
}

impl Subject for Durable {
    fn name(&self) -> &str {
        &self.name
    }

    fn cannot(&self, case: &Case) -> Option<&'static str> {
        case.header.differs_kept.is_some().then_some("needs not to be kept")
    }

    fn run(&self, case: &Case) -> Result<(), String> {
        self.runtime.block_on(async {
            let opened = || async {
                let store = self.kind.open(self.folder.path()).await?;
                check_restored(&store).await.map_err(|problem| format!("a restored store: {problem}"))?;
                Ok::<_, String>(store)
            };
            let store = self.store.get_or_try_init(opened).await?;
            let moves = if self.kind == StoreKind::Memory { Moves::AtEveryAwait } else { Moves::AsItRests };
            run_durably(case, store, ResumedFrom::Snapshot, moves).await?;
            if case.header.passes.is_empty() {
                return Ok(());
            }
            let again = run_durably(case, store, ResumedFrom::Journal, Moves::AsItRests).await;
            again.map_err(|problem| format!("brought back from its journal: {problem}"))
        })
    }
}
