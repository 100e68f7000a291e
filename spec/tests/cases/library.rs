//! The library.

use std::num::NonZeroU32;
use std::sync::Arc;

use isobox::config::Config;
use isobox::connector::WebTransport;
use isobox::driver::Cleaning;
use isobox::events::Contents;
use isobox::policy::Approver;
use isobox::workspace::{Workspace, WorkspaceOptions};
use isobox::{Builder, CancellationToken, Failure, Isobox, Outcome};
use isobox_spec::{
    Caller, Case, CaseWeb, Diary, all_tools, cancel_after_polls, compare, compare_refusal, run_among_others, run_of,
    with_caller,
};
use tokio::runtime::Runtime;

use crate::Subject;

pub(crate) struct Library {
    name: &'static str,
    runtime: Runtime,
    cleaning: Cleaning,
    isobox: Isobox,
}

impl Library {
    pub(crate) fn new(name: &'static str, cleaning: Cleaning) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
        let live = NonZeroU32::new(64).expect("it is not zero");
        let isobox = library(cleaning).max_live(live).build().expect("the runtime starts");
        Self { name, runtime: runtime.expect("tokio starts"), cleaning, isobox }
    }

    /// The runtime of a case: the one of all, unless it needs more.
    async fn own_runtime(&self, case: &Case) -> Result<Isobox, String> {
        match own_workspace(case)? {
            None => Ok(self.isobox.clone()),
            Some(workspace) => {
                let workspace = workspace.map_err(|failure| failure.to_string())?;
                Ok(workspace.ready().await.map_err(|failure| failure.to_string())?.isobox)
            }
        }
    }
}

/// The workspace of a case that needs one.
fn own_workspace(case: &Case) -> Result<Option<Result<Workspace, Failure>>, String> {
    let (config, approver) = (case.config()?, case.approver()?);
    if config.is_none() && approver.is_none() {
        return Ok(None);
    }
    let config = Config::parse(config.as_deref().unwrap_or("{}"), &|_| None).map_err(|error| error.to_string())?;
    let approver = approver.map(|person| Arc::new(person) as Arc<dyn Approver>);
    let options = WorkspaceOptions::default().max_live(NonZeroU32::MIN).approver(approver).modules(case.modules()?);
    let options = options.fetch_transport(Arc::new(CaseWeb) as Arc<dyn WebTransport>);
    Ok(Some(Workspace::with_tools(config, options, all_tools)))
}

fn library(cleaning: Cleaning) -> Builder {
    Isobox::builder().tools(all_tools().expect("the tools are well defined")).cleaning(cleaning)
}

impl Subject for Library {
    fn name(&self) -> &str {
        self.name
    }

    fn cannot(&self, case: &Case) -> Option<&'static str> {
        (!case.header.passes.is_empty() || !case.header.snippets.is_empty()).then_some("needs to be kept")
    }

    fn run(&self, case: &Case) -> Result<(), String> {
        if let (true, Some(workspace)) = (case.has_no_runtime(), own_workspace(case)?) {
            return compare_refusal(case, workspace.map(drop));
        }
        let token = CancellationToken::new();
        let run = run_of(case, &token)?;
        let diary = Diary::default();
        let execution = async {
            let isobox = match &case.header.capacity {
                Some(capacity) => return run_among_others(library(self.cleaning), run, capacity).await,
                None => self.own_runtime(case).await?,
            };
            Ok(isobox.observed_by(diary.clone(), Contents::Progress).run(run).await)
        };
        let cancelled = cancel_after_polls(case.header.cancel_after_polls, &token, execution);
        let caller = Caller { gives_up: token.clone(), dies: None };
        let outcome: Result<Outcome, String> = self.runtime.block_on(with_caller(caller, cancelled));
        compare(case, &outcome?).and_then(|()| diary.compare(case))
    }
}
