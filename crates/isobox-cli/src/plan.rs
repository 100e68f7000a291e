//! `isobox run --plan`: tells which calls a program would make.

use std::num::NonZeroU32;

use anyhow::{Context, Result};
use isobox::workspace::Workspace;
use isobox::{CancellationToken, Isobox, demo};

use crate::Exit;
use crate::arguments::RunOptions;
use crate::commands::Commands;
use crate::outcome::{Form, name_files};
use crate::run::run_of;
use crate::setting::{Needs, Wanted, freshness, read_config_and_store, start, tell_failed_servers, workspace_options};
use crate::signals::{EndSignals, Leaves, tell_stopped, until_stopped};
use crate::source::Source;
use crate::style::{print_json, print_lines, warn};
use crate::trust::Asks;

/// The maximum length of the list of calls, in characters. `--json` has all of it.
const MAX_TEXT: usize = 64 << 10;

pub(crate) fn plan(options: &RunOptions) -> Result<Exit> {
    let wanted = Wanted {
        file: options.config.as_deref(),
        is_trusted: options.trust,
        needs: Needs::Servers,
        asks: Asks::Person,
    };
    let mut config = read_config_and_store(wanted, options.store.as_deref())?;
    config.limits = options.limits.limits(config.limits);
    let source = Source::read(&options.files, config.limits.source.get())?;
    let is_demo = options.demo;
    let tools = move || if is_demo { demo::tools() } else { Ok(Vec::new()) };
    let own = workspace_options(freshness(options.refresh)).max_live(NonZeroU32::MIN);
    let workspace = Workspace::with_tools(config, own, tools)?;
    let commands = Commands::new(options.config.as_deref(), None, options.demo);
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let form = Form::json_if(options.json);
    executor.block_on(async {
        let token = CancellationToken::new();
        let mut signals = EndSignals::listen()?;
        let work = async {
            let ready = start(&workspace).await?;
            let isobox = with_snippets(&workspace, &ready.isobox).await;
            let run = run_of(&isobox, &source, options).cancelled_by(token.clone());
            let plan = isobox.plan(run).await;
            tell_failed_servers(&workspace, &ready);
            anyhow::Ok(plan)
        };
        let exit = match until_stopped(work, &mut signals, &token, Leaves::Nothing).await {
            Ok(Ok(plan)) => {
                match form {
                    Form::Json => {
                        let mut shown = serde_json::to_value(&plan)?;
                        name_files(&mut shown, &source);
                        print_json(&shown.to_string())
                    }
                    Form::Text => print_lines(&plan.in_words(MAX_TEXT)),
                }
                .context("cannot write the plan")?;
                Ok(if plan.is_failed() { Exit::Failed } else { Exit::Completed })
            }
            Ok(Err(error)) => Err(error),
            Err(signal) => tell_stopped(signal, None, &workspace, &commands, form).await,
        };
        workspace.close().await;
        exit
    })
}

/// Returns the runtime with the snippets of the store. Planning creates no store and writes nothing to one.
async fn with_snippets(workspace: &Workspace, isobox: &Isobox) -> Isobox {
    match workspace.look_with(isobox).await {
        Ok(with_store) => with_store,
        Err(failure) => {
            warn(&format!("the snippets cannot be read, and cannot be planned: {}", failure.message));
            isobox.clone()
        }
    }
}
