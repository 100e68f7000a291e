//! The library, where pauses are texts.

use isobox_spec::{Case, cannot_be_carried, run_statelessly};
use tokio::runtime::Runtime;

use crate::Subject;

/// Every execution that pauses, carried from one runtime to the next as a text.
pub(crate) struct Stateless {
    runtime: Runtime,
}

impl Stateless {
    pub(crate) fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
        Self { runtime: runtime.expect("tokio starts") }
    }
}

impl Subject for Stateless {
    fn name(&self) -> &str {
        "stateless"
    }

    fn cannot(&self, case: &Case) -> Option<&'static str> {
        cannot_be_carried(case)
    }

    fn run(&self, case: &Case) -> Result<(), String> {
        self.runtime.block_on(run_statelessly(case))
    }
}
