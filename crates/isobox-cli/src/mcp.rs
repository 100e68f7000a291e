//! `isobox mcp`: code mode over the configured servers, for an MCP client that started this process.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use isobox::{
    BriefingOptions, CancellationToken, Code, Contents, Event, EventKind, Failure, Label, Observer, Outcome, Ready,
    Run, Value, Workspace, WorkspaceOptions, answer_text, demo, json,
};
use isobox_server::{CodeMode, Executed, ProgressSender, serve_stdio};

use crate::Exit;
use crate::arguments::McpOptions;
use crate::progress::progress_line;
use crate::setting::{EndSignals, read_config, tell};

pub(crate) fn mcp(options: &McpOptions) -> Result<Exit> {
    let config = read_config(options.config.as_deref())?;
    let is_demo = options.demo;
    let tools = move || if is_demo { demo::tools() } else { Ok(Vec::new()) };
    let workspace = Arc::new(Workspace::with_tools(config, WorkspaceOptions::default(), tools)?);
    let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let door = Door { workspace: Arc::clone(&workspace), roles: options.roles.clone(), told: Mutex::default() };
    let served = executor.block_on(async {
        let mut signals = EndSignals::listen()?;
        let served = tokio::select! {
            served = serve_stdio(door) => served,
            () = signals.next() => Ok(()),
        };
        workspace.close().await;
        anyhow::Ok(served)
    });
    // What still waits for a program must not keep the process: its client is gone.
    executor.shutdown_background();
    served?.map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(Exit::Completed)
}

struct Door {
    workspace: Arc<Workspace>,
    roles: Vec<String>,
    /// What people were told last about what is missing.
    told: Mutex<Vec<String>>,
}

impl Door {
    async fn ready(&self) -> Result<Ready, Failure> {
        let ready = self.workspace.ready().await?;
        let problems = ready.problems.iter().map(|problem| problem.message.clone());
        let news: Vec<String> = problems.chain(ready.isobox.catalogue().warnings().iter().cloned()).collect();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if *told != news {
            tell(&ready);
            *told = news;
        }
        drop(told);
        Ok(ready)
    }
}

impl CodeMode for Door {
    async fn describe(&self) -> String {
        match self.ready().await {
            Ok(ready) => {
                let isobox = &ready.isobox;
                isobox.catalogue().briefing(&BriefingOptions::default(), isobox.policy(), &self.roles)
            }
            Err(failure) => format!("Runs a program, but its tools cannot be offered: {failure}"),
        }
    }

    async fn execute(
        &self,
        code: String,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> Executed {
        let ready = tokio::select! {
            ready = self.ready() => ready,
            () = cancellation.cancelled() => Err(Failure::new(Code::Aborted, "the client gave up the call")),
        };
        let isobox = match ready {
            Ok(ready) => match progress {
                Some(progress) => ready.isobox.observed_by(Forwarder(progress), Contents::Progress),
                None => ready.isobox,
            },
            Err(failure) => {
                return Executed { outcome: json!({ "error": failure }), text: failure.to_string(), is_error: true };
            }
        };
        let answer = &self.workspace.config().answer;
        let details = answer.calls.as_ref().map(|summary| summary.details).unwrap_or_default();
        let run = Run::from(code).cancelled_by(cancellation).roles(self.roles.iter().cloned()).details(details);
        let outcome = isobox.run(run).await;
        let shown = isobox.for_model(&outcome, &Label::default());
        Executed {
            is_error: !matches!(*shown, Outcome::Completed(_)),
            text: answer_text(&shown, answer),
            outcome: serde_json::to_value(&shown).unwrap_or(Value::Null),
        }
    }

    async fn search(&self, query: String, limit: Option<usize>) -> Value {
        match self.ready().await {
            Ok(ready) => {
                let isobox = &ready.isobox;
                let limit = limit.unwrap_or(isobox::Catalogue::DEFAULT_RESULTS);
                let found = isobox.catalogue().search(&query, limit, isobox.policy(), &self.roles);
                serde_json::to_value(found).unwrap_or(Value::Null)
            }
            Err(failure) => json!({ "results": [], "total": 0, "truncated": false, "problem": failure.message }),
        }
    }
}

/// Tells the client which call begins, and what calls tell of their way.
struct Forwarder(ProgressSender);

impl Observer for Forwarder {
    fn observe(&self, event: &Event<'_>) {
        match &event.kind {
            EventKind::CallStarted { path, .. } => self.0.tell(path),
            EventKind::CallProgressed { path, progress, .. } => self.0.tell(&progress_line(path, progress)),
            _ => {}
        }
    }
}
