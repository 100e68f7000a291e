//! `isobox mcp`: code mode over the configured servers, for an MCP client that started this process.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use isobox::{
    BriefingOptions, CancellationToken, Code, Failure, Level, Outcome, Ready, Run, Value, Workspace, WorkspaceOptions,
    demo, json, show_value,
};
use isobox_server::{CodeMode, Executed, serve_stdio};

use crate::Exit;
use crate::arguments::McpOptions;
use crate::setting::{EndSignals, read_config, tell};

/// What a model is shown of one result, in tokens.
const RESULT: usize = 6000;
/// How many log lines a model is shown.
const LOG_LINES: usize = 50;

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

    async fn execute(&self, code: String, cancellation: CancellationToken) -> Executed {
        let ready = tokio::select! {
            ready = self.ready() => ready,
            () = cancellation.cancelled() => Err(Failure::new(Code::Aborted, "the client gave up the call")),
        };
        let outcome = match ready {
            Ok(ready) => {
                let run = Run::from(code).cancelled_by(cancellation).roles(self.roles.iter().cloned());
                ready.isobox.run(run).await
            }
            Err(failure) => {
                return Executed { outcome: json!({ "error": failure }), text: failure.to_string(), is_error: true };
            }
        };
        let is_error = !matches!(outcome, Outcome::Completed(_));
        let text = text_of(&outcome);
        let outcome = serde_json::to_value(&outcome).unwrap_or(Value::Null);
        Executed { outcome, text, is_error }
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

/// What a model reads of an outcome: the result or the error, then the log.
fn text_of(outcome: &Outcome) -> String {
    let mut text = match outcome {
        Outcome::Completed(completed) => show_value(&completed.result, RESULT).text,
        Outcome::Failed(failed) => {
            let error = &failed.error;
            let place = match (error.line, error.column) {
                (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
                _ => String::new(),
            };
            let source = error.details.get("source").and_then(Value::as_str);
            let source = source.map(|line| format!("\n  {line}")).unwrap_or_default();
            let hint = error.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
            format!("{}: {}: {}{place}{source}{hint}", error.code, error.name, error.message)
        }
        other => format!("{other:?}"),
    };
    let logs = outcome.logs();
    if !logs.is_empty() {
        text.push_str("\n\nlog:");
        for log in logs.iter().take(LOG_LINES) {
            let level = match log.level {
                Level::Log | Level::Info => "",
                Level::Debug => "debug: ",
                Level::Warn => "warn: ",
                Level::Error => "error: ",
            };
            let message: String = log.message.chars().take(1000).collect();
            text.push_str(&format!("\n{level}{message}"));
        }
        if logs.len() > LOG_LINES {
            text.push_str(&format!("\n… {} more lines", logs.len() - LOG_LINES));
        }
    }
    text
}
