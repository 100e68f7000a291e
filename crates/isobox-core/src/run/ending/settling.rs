//! Waits for the calls that are pending when a program returns.

use crate::driver::Returned;
use crate::run::host::setting::Setting;
use crate::run::run_loop::{RunLoop, Stop, known_place};
use crate::text::brief;
use crate::{CallSeq, Code, Failure, Unsettled};

/// The way in which a call was left behind, as a phrase that follows "was".
const NEVER_AWAITED: &str = "never awaited";
const STILL_PENDING: &str = "still pending";

impl RunLoop<'_> {
    /// Fails if the program has returned without looking at the promise of a call.
    pub(in crate::run) async fn refuse_unawaited(&mut self, unawaited: &[CallSeq]) -> Result<(), Failure> {
        match unawaited.iter().min() {
            None => Ok(()),
            Some(&first) => Err(Box::pin(self.left_behind(first, unawaited.len(), NEVER_AWAITED)).await?),
        }
    }

    /// Waits until the pending calls of a program that has returned have settled, at most for the time `settle`. Calls
    /// that are waiting for their turn still start. Calls that need approval are not made.
    pub(in crate::run) async fn settle_rest(&mut self) -> Result<(), Stop> {
        let Setting { host, execution, .. } = self.setting;
        self.has_returned = true;
        self.location.leave();
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
                let left = self.time_left();
                self.effects.start(self.setting, left, || self.journal.permission());
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
        self.leave_rest().await
    }

    /// Completes a program that has returned, although calls have not settled.
    async fn leave_rest(&mut self) -> Result<(), Stop> {
        if let Unsettled::Cancel = self.setting.execution.limits.unsettled {
            return Ok(());
        }
        let mut unsettled = self.ledger.unsettled();
        let (first, more) = (unsettled.next(), unsettled.count());
        match first {
            None => Ok(()),
            Some(first) => Err(Box::pin(self.left_behind(first, 1 + more, STILL_PENDING)).await?.into()),
        }
    }

    /// Completes a resumed execution whose program had returned before its process ended. No call is made again, and
    /// no call in doubt is asked about: the program does not need it.
    pub(in crate::run) async fn complete_returned(&mut self, mut returned: Returned) -> Result<Returned, Stop> {
        self.location.leave();
        self.add_warnings(&mut returned);
        self.refuse_unawaited(&returned.unawaited).await?;
        self.ledger.forgo_values(self.journal.state());
        self.leave_rest().await?;
        Ok(returned)
    }

    /// Describes the calls that were left behind, by the first of them.
    async fn left_behind(&mut self, first: CallSeq, count: usize, what: &str) -> Result<Failure, Failure> {
        let path = brief(self.ledger.path_of(first).unwrap_or_default(), 80);
        let more = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        let message = format!("the program returned while its call of `{path}` was {what}{more}");
        let mut failure = Failure::new(Code::DetachedCall, message)
            .hint("await every tool call before returning, for instance with `await Promise.all([…])`")
            .detail("tool", path)
            .detail("seq", first.to_string());
        let place = match self.ledger.place_of(first) {
            // Its place is one of the snippet.
            _ if first.parent().is_some() => None,
            Some(place) => known_place(place, &self.program),
            // The program may have made the call before it was resumed.
            None => self.journal.place_of(&self.setting.execution.id, first).await?,
        };
        if let Some(place) = place {
            failure = failure.at(place.line, place.column);
            if let Some(file) = place.file {
                failure = failure.detail("file", file);
            }
        }
        Ok(failure)
    }
}
