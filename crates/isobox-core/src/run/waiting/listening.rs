//! Handles decisions, rejections and cancellations, which arrive in the inbox of an execution.

use crate::durable::journaling::Journaling;
use crate::journal::Instruction;
use crate::run::host::setting::Setting;
use crate::run::run_loop::{Listened, RunLoop, Stop};
use crate::run::waiting::lookout::{Awaited, Sight};
use crate::store::{Holding, Message};
use crate::{Code, Failure, Timestamp};

impl RunLoop<'_> {
    /// Handles the messages in the inbox, and pauses if there is nothing else to wait for than timers of which the first
    /// is due at `until`.
    pub(in crate::run) async fn listen(&mut self, is_alone: bool, until: Option<Timestamp>) -> Result<Listened, Stop> {
        if !self.journal.is_asking() && until.is_none() {
            return Ok(Listened::NoQuestion);
        }
        let Setting { host, execution, .. } = self.setting;
        self.lookout.begin_look();
        let liveness = self.journal.liveness();
        let messages = self.journal.inbox_if_reachable(&execution.id).await?;
        let sight = if messages.is_some() { Sight::Clear(liveness) } else { Sight::Obstructed };
        self.lookout.has_looked(sight, Awaited::Decisions, host.clock.elapsed());
        if self.hear(messages.unwrap_or_default()).await? {
            return Ok(Listened::Decided);
        }
        if !is_alone {
            return Ok(Listened::NothingDecided);
        }
        match self.pause(until).await? {
            Holding::Free => Ok(Listened::Paused),
            // A message has arrived at this moment.
            Holding::HasMessages | Holding::Held => Ok(Listened::Decided),
        }
    }

    /// Checks whether a person has ended an execution without pending calls, or one whose program has returned. Runs when a
    /// change is reported, and at intervals. A store that does not answer does not stop the execution.
    pub(in crate::run) async fn heed_end(&mut self) -> Result<(), Stop> {
        let Setting { host, execution, .. } = self.setting;
        let is_listening = self.journal.is_asking() && !self.has_returned;
        if is_listening || !self.journal.has_inbox() || !self.lookout.is_due(host.clock.elapsed()) {
            return Ok(());
        }
        let liveness = self.journal.liveness();
        let messages = self.journal.inbox(&execution.id).await;
        let sight = if messages.is_ok() { Sight::Clear(liveness) } else { Sight::Obstructed };
        self.lookout.has_looked(sight, Awaited::Rejection, host.clock.elapsed());
        match messages {
            Ok(messages) => self.heed_ends(messages),
            Err(failure) => {
                tracing::warn!(execution = %execution.id, %failure, "the inbox cannot be read");
                Ok(())
            }
        }
    }

    /// Reads the inbox again if others could take this process for dead since it last did: an execution that a person has
    /// ended meanwhile makes no further call. Decisions stay in the inbox.
    pub(in crate::run) async fn heed_after_silence(&mut self) -> Result<(), Stop> {
        if !self.lookout.was_silent() || !self.journal.has_inbox() {
            return Ok(());
        }
        let Setting { host, execution, .. } = self.setting;
        self.lookout.begin_look();
        let liveness = self.journal.liveness();
        let messages = self.journal.inbox_first(&execution.id).await?;
        self.lookout.has_looked(Sight::Clear(liveness), Awaited::Rejection, host.clock.elapsed());
        self.heed_ends(messages)
    }

    /// Stops if one of these messages ends the execution.
    fn heed_ends(&mut self, messages: Vec<Message>) -> Result<(), Stop> {
        for message in messages {
            match heeded(self.setting, &self.journal, &message) {
                Some(instruction) => stop_of(&instruction).map_or(Ok(()), Err)?,
                // Removed from the inbox, so that it does not block a valid message with the same key.
                None => self.journal.has_heard(message.key),
            }
        }
        Ok(())
    }

    /// Handles messages. A decision that was made after a timer was due, and which has not fired yet, is left for later.
    /// Returns whether a message has an effect.
    pub(in crate::run) async fn hear(&mut self, messages: Vec<Message>) -> Result<bool, Stop> {
        let id = &self.setting.execution.id;
        let new = messages.into_iter().filter(|message| !self.journal.knows(&message.key));
        let heard = new.map(|message| (heeded(self.setting, &self.journal, &message), message.key));
        let heard: Vec<_> = heard.collect();
        // A message that ends the execution comes before all decisions.
        if let Some(stop) = heard.iter().find_map(|(instruction, _)| stop_of(instruction.as_ref()?)) {
            return Err(stop);
        }
        let due = self.due_timer();
        let mut changed = false;
        for (instruction, key) in heard {
            match instruction {
                // The timer comes first. The decision stays in the inbox: the program may no longer wait for the call then.
                Some(Instruction::Decision { at, .. }) if due.is_some_and(|due| due < at) => continue,
                Some(Instruction::Decision { decision, .. }) => changed |= self.take_decision(decision).await?,
                Some(Instruction::Reject { .. } | Instruction::Cancel { .. }) => {}
                None => tracing::warn!(execution = %id, "an invalid message was ignored"),
            }
            self.journal.has_heard(key);
        }
        Ok(changed)
    }

    /// Returns the time at which the first timer was due, if it is.
    fn due_timer(&self) -> Option<Timestamp> {
        let (due, seq) = self.ledger.first_timer()?;
        let is_due = due <= self.setting.host.clock.elapsed();
        self.journal.state().timers.get(&seq).copied().filter(|_| is_due)
    }

    /// Pauses the execution, or lets it sleep.
    async fn pause(&mut self, until: Option<Timestamp>) -> Result<Holding, Failure> {
        let Setting { host, execution, .. } = self.setting;
        let (at, used, counted) = (host.clock.now(), self.used(), self.bridge.counted());
        let snapshot = match self.journal.state().is_ephemeral {
            // The snapshot would contain a value that must not be stored.
            true => None,
            false => self.location.snapshot(execution.limits.snapshot).await,
        };
        self.journal.pause(&execution.id, (at, used, until), counted, snapshot.map(|(snapshot, _)| snapshot)).await
    }
}

/// Returns the instruction in a message, unless it is invalid: sealed with another key or for another execution, or a
/// decision about the principal's own execution that the policy denies.
pub(in crate::run) fn heeded(setting: Setting<'_>, journal: &Journaling, message: &Message) -> Option<Instruction> {
    let Setting { host, execution, .. } = setting;
    let instruction = journal.instruction(message)?;
    instruction.check_principal(host.policy.own_decisions(), execution.principal.name()).is_ok().then_some(instruction)
}

/// Returns how a message ends the execution, if it does.
pub(in crate::run) fn stop_of(instruction: &Instruction) -> Option<Stop> {
    match instruction {
        Instruction::Reject { by, reason, .. } => {
            Some(Stop::Rejected(ended(Code::Rejected, by, "rejected", reason.as_deref())))
        }
        Instruction::Cancel { by, reason, .. } => {
            Some(Stop::Failed(ended(Code::Aborted, by, "cancelled", reason.as_deref())))
        }
        Instruction::Decision { .. } => None,
    }
}

fn ended(code: Code, by: &str, what: &str, reason: Option<&str>) -> Failure {
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    Failure::new(code, format!("{by} {what} the execution{reason}")).detail("by", by)
}
