//! Waits for the calls that are pending when a program returns.

use serde_json::Value;

use crate::durable::replay::Returned;
use crate::run::run_loop::{RunLoop, Stop, known_place};
use crate::run::setting::Setting;
use crate::text::brief;
use crate::{CallSeq, Code, Failure, Unsettled};

/// The way in which a call was left behind, as a phrase that follows "was".
const NEVER_AWAITED: &str = "never awaited";
const STILL_PENDING: &str = "still pending";

impl RunLoop<'_> {
    /// Fails if the program has returned without looking at the promise of a call.
    pub(super) fn refuse_unawaited(&self, unawaited: &[CallSeq]) -> Result<(), Failure> {
        self.left_behind(unawaited, NEVER_AWAITED).map_or(Ok(()), Err)
    }

    /// Waits until the pending calls of a program that has returned have settled, at most for the time `settle`. Calls
    /// that are waiting for their turn still start. Nobody is asked about them.
    pub(super) async fn settle_rest(&mut self) -> Result<(), Stop> {
        let Setting { host, execution, .. } = self.setting;
        self.has_returned = true;
        self.location.stay();
        self.ledger.forget_timers();
        self.ledger.leave_asked();
        self.deadline = self.deadline.min(host.clock.elapsed().saturating_add(execution.limits.settle));
        loop {
            self.excuse_store();
            self.heed_end().await?;
            while !self.is_late()
                && let Some(request) = self.ledger.start_next(host.clock.elapsed())
            {
                self.start_call(request).await?;
            }
            if self.effects.is_any_planned() {
                self.confirm_effects().await?;
                if self.is_late() {
                    break;
                }
                self.effects.start(self.setting, || self.journal.permission());
            }
            let answers = std::mem::take(&mut self.answers);
            self.ledger.deliver(&answers);
            if !answers.is_empty() {
                continue;
            }
            if self.effects.wait_for_people() {
                break;
            }
            self.journal.send();
            // Also when it is late: what has completed meanwhile counts.
            self.wait().await?;
            if self.answers.is_empty() && self.is_late() {
                break;
            }
        }
        self.leave_rest()
    }

    /// Completes a program that has returned, although calls have not settled.
    fn leave_rest(&self) -> Result<(), Stop> {
        match self.setting.execution.limits.unsettled {
            Unsettled::Cancel => Ok(()),
            Unsettled::Fail => {
                let unsettled: Vec<CallSeq> = self.ledger.unsettled().collect();
                self.left_behind(&unsettled, STILL_PENDING).map_or(Ok(()), |failure| Err(failure.into()))
            }
        }
    }

    /// Completes a resumed execution whose program had returned before its process ended. No call is made again, and
    /// nobody is asked about a call in doubt: the program does not need it.
    pub(super) fn complete_returned(&self, returned: Returned) -> Result<Value, Stop> {
        self.refuse_unawaited(&returned.unawaited)?;
        self.leave_rest()?;
        Ok(returned.result)
    }

    fn left_behind(&self, calls: &[CallSeq], what: &str) -> Option<Failure> {
        let first = *calls.iter().min()?;
        let path = brief(self.ledger.path_of(first).unwrap_or_default(), 80);
        let more = if calls.len() > 1 { format!(" (and {} more)", calls.len() - 1) } else { String::new() };
        let message = format!("the program returned while its call of `{path}` was {what}{more}");
        let mut failure = Failure::new(Code::DetachedCall, message)
            .hint("await every tool call before returning, for instance with `await Promise.all([…])`")
            .detail("tool", path)
            .detail("seq", first.to_string());
        let place = self.ledger.place_of(first).and_then(|place| known_place(place, &self.program));
        let place = place.or_else(|| self.journal.state().open_call(first)?.at.clone());
        if let Some(place) = place {
            failure = failure.at(place.line, place.column);
            if let Some(file) = place.file {
                failure = failure.detail("file", file);
            }
        }
        Some(failure)
    }
}
