//! `isobox executions wake`: resumes everything that is due.

use anyhow::{Context, Result};
use isobox::text::{brief, marked};
use isobox::{Code, Failure, Outcome, Woken, json};
use tokio::sync::mpsc::unbounded_channel;

use crate::Exit;
use crate::executions::decide::Deciding;
use crate::outcome::with_files;
use crate::retention::keep_house;
use crate::setting::{start_durably, tell_failed_servers};
use crate::style::{print_error, print_json, print_lines};

impl Deciding<'_> {
    /// Wakes all executions that are due. A failure of one does not stop the others.
    pub(super) async fn wake(&self) -> Result<Exit> {
        let token = &self.watch.token;
        let interrupted = || Failure::new(Code::Aborted, "interrupted");
        let ready = tokio::select! {
            started = start_durably(self.workspace) => started?,
            () = token.cancelled() => return Err(interrupted().into()),
        };
        let (sender, mut receiver) = unbounded_channel::<Woken>();
        // The receiver reads until all are woken.
        let waking = ready.isobox.wake_due(token, move |woken| drop(sender.send(woken)));
        let telling = async {
            let (mut exit, mut count, mut written) = (Exit::Completed, 0_usize, Ok(()));
            while let Some(woken) = receiver.recv().await {
                count += 1;
                exit = exit.worst(match &woken.outcome {
                    Ok(outcome) => Exit::of_outcome(outcome),
                    Err(failure) => Exit::of_failure(failure),
                });
                if written.is_ok() {
                    written = self.tell_woken(&woken).await;
                }
            }
            written.map(|()| (exit, count))
        };
        let (woken, told) = tokio::join!(waking, telling);
        woken?;
        let (exit, count) = told?;
        tell_failed_servers(self.workspace, &ready);
        if token.is_cancelled() {
            return Err(interrupted().hint("executions that were not woken are still due").into());
        }
        if count == 0 && !self.options.json {
            print_error("nothing is due");
        }
        keep_house(&ready.isobox, &self.workspace.config().retention).await;
        Ok(exit)
    }

    /// Prints what became of an execution, in one line.
    async fn tell_woken(&self, woken: &Woken) -> Result<()> {
        let Woken { id, due, outcome, .. } = woken;
        if self.options.json {
            let line = match outcome {
                Ok(outcome) => {
                    let outcome = with_files(outcome, &self.source_to_tell(id).await)?;
                    json!({ "executionId": id, "due": due, "outcome": outcome })
                }
                Err(failure) => json!({ "executionId": id, "due": due, "error": failure }),
            };
            return print_json(&line.to_string()).context("cannot write the outcome");
        }
        let became = match outcome {
            Ok(Outcome::Completed(_)) => "completed".to_owned(),
            Ok(Outcome::Paused(paused)) => format!("paused: {} calls need a decision", paused.pending.len()),
            Ok(Outcome::Sleeping(sleeping)) => format!("sleeping until {}", sleeping.until),
            Ok(Outcome::Failed(failed)) => format!("failed: {}", failed.error),
            Ok(Outcome::Interrupted(interrupted)) => format!("interrupted: {}", interrupted.error),
            Ok(_) => "ended".to_owned(),
            Err(failure) => format!("not woken: {failure}"),
        };
        print_lines(&marked(&format!("{id} {}", brief(&became, 300)))).context("cannot write the outcome")
    }
}
