//! `isobox executions rollback`: undoes the calls of an execution that has ended.

use anyhow::{Context, Result};
use isobox::events::Contents;
use isobox::rollback::{RevertPreview, Rollback, RollbackPlan};
use isobox::text::{brief, marked};
use isobox::{Code, Failure};

use crate::Exit;
use crate::deciding::decider;
use crate::executions::decide::Deciding;
use crate::executions::find::find;
use crate::outcome::{Form, tell_outcome};
use crate::progress::Printer;
use crate::setting::{start_durably, tell_failed_servers};
use crate::source::Source;
use crate::style::{print_error, print_json, print_lines};

/// The effect of the command on calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Reverts calls.
    Revert,
    /// Only shows what would be reverted.
    DryRun,
}

impl Deciding<'_> {
    pub(crate) async fn rollback(&self, id: &str, to: Option<&str>, mode: Mode) -> Result<Exit> {
        let id = find(self.archive, id).await?;
        let inspected = self.archive.inspect(&id).await?;
        let options = match to {
            Some(step) => Rollback::default().to(step),
            None => Rollback::default(),
        };
        // The tools are needed in both modes: they know how their calls are reverted.
        let ready = tokio::select! {
            started = start_durably(self.workspace) => started?,
            () = self.watch.token.cancelled() => return Err(Failure::new(Code::Aborted, "interrupted").into()),
        };
        let isobox = ready.isobox.clone();
        tell_failed_servers(self.workspace, &ready);
        if mode == Mode::DryRun {
            let plan = isobox.rollback_plan(&id, &options).await?;
            self.tell_plan(&plan)?;
            return Ok(Exit::Completed);
        }
        let by = decider()?;
        let source = Source::kept(inspected.beginning);
        source.show_under(self.archive).await;
        self.watch.going_on.get_or_init(|| id.clone());
        let isobox = if self.options.json { isobox } else { isobox.observed_by(Printer::new(), Contents::Progress) };
        let outcome = isobox.rollback(&id, by, options.abandoned_by(self.watch.token.clone())).await?;
        tell_outcome(&outcome, &source, self.commands, Form::json_if(self.options.json))
    }

    fn tell_plan(&self, plan: &RollbackPlan) -> Result<()> {
        if self.options.json {
            return print_json(&serde_json::to_string(plan)?).context("cannot write the plan");
        }
        let mut lines = Vec::new();
        for RevertPreview { seq, path, by, input, .. } in &plan.reverts {
            let (path, by, input) = (brief(path, 80), brief(by, 80), brief(&input.to_string(), 200));
            lines.push(format!("would revert call {seq} ({path}) with {by} {input}"));
        }
        for left in &plan.left {
            lines.push(format!("would leave call {} ({}): {}", left.seq, brief(&left.path, 80), left.reason));
        }
        if lines.is_empty() {
            print_error("no call can have taken effect: there is nothing to revert");
            return Ok(());
        }
        let lines: Vec<String> = lines.iter().map(|line| marked(line)).collect();
        print_lines(&lines.join("\n")).context("cannot write the plan")
    }
}
