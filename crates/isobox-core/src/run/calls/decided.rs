//! Carries out decisions about pending calls.

use serde_json::Value;

use super::noted;
use crate::driver::Reply;
use crate::journal::{CallDecided, Decision, Entry, Question, Remember, Verdict};
use crate::policy::bridge::Route;
use crate::run::calls::ledger::ToolRequest;
use crate::run::host::setting::Setting;
use crate::run::run_loop::{RunLoop, Stop};
use crate::snippets::RUN;
use crate::{CallSeq, Code, Failure, PendingKind};

/// The reason for asking again.
const OTHER_TOOL: &str = "the tool has changed since it was approved";

/// The reason for a doubt about a call that has left a note.
const OTHER_TOOL_NOTED: &str =
    "the call was made with another tool than the one that is at its path now, which cannot continue it";

impl RunLoop<'_> {
    /// Handles a decision. Returns whether it is about a call that is still pending.
    pub(in crate::run) async fn take_decision(&mut self, decision: Decision) -> Result<bool, Stop> {
        let Setting { host, execution, .. } = self.setting;
        let at = host.clock.now();
        if self.journal.state().asked(decision.seq) != Some(decision.asked) {
            return Ok(false);
        }
        let (seq, verdict) = (decision.seq, decision.verdict.clone());
        let remembered = self.journal.state().remembered_by(&decision);
        if let (Remember::Session, Some(remembered)) = (decision.remember, remembered) {
            // A process that has lost its lease may have asked about another definition of the tool. The decision is
            // remembered only if the question is in the journal.
            self.journal.confirm().await?;
            // The session comes first: once the journal has the decision, it is not handled again.
            if let Some(session) = &execution.session {
                self.journal.remember(session, &remembered).await?;
            }
        }
        self.journal.note(|_| Ok(Entry::Decided(CallDecided { decision, at })))?;
        self.effects.withdraw_question(seq);
        self.carry_out(seq, verdict)?;
        Ok(true)
    }

    /// Carries out a decision about a call.
    pub(in crate::run) fn carry_out(&mut self, seq: CallSeq, verdict: Verdict) -> Result<(), Failure> {
        let Some((path, input)) = self.journal.state().given(seq) else { return Ok(()) };
        let path = path.to_owned();
        match verdict {
            Verdict::Approve | Verdict::DidNotHappen | Verdict::Answer(_) => self.begin_again(seq),
            Verdict::Deny(reason) => {
                let span = self.setting.reporter.call_span(seq, &path, &input);
                self.deny(seq, &path, reason.as_deref(), &span)
            }
            Verdict::Happened(value) => {
                // The value is treated as the output of the tool, and is checked like any other.
                let (reply, _) = self.answering().reply(seq, &path, Ok(value));
                self.settle(seq, &path, reply, None)
            }
            Verdict::Fail(reason) => {
                let reason = reason.unwrap_or_else(|| "its process ended while it was running".to_owned());
                let message = format!("it is unknown whether the call of `{path}` took effect: {reason}");
                self.settle(seq, &path, Reply::Failed(Failure::new(Code::Tool, message)), None)
            }
        }
    }

    /// Starts a deferred call with the input that was decided about. Checks the policy again, and asks for approval
    /// again if the tool's definition has changed or the policy now requires it.
    pub(in crate::run) fn begin_again(&mut self, seq: CallSeq) -> Result<(), Failure> {
        let host = self.setting.host;
        if let Some(request) = self.unresolved_run(seq) {
            self.ledger.queue_again(request);
            return Ok(());
        }
        let state = self.journal.state();
        let is_other = self.is_another_than_approved(seq);
        let wanted = if is_other { state.request(seq) } else { state.given(seq) };
        let Some((path, input)) = wanted.map(|(path, input)| (path.to_owned(), input)) else { return Ok(()) };
        let is_approved = state.open_call(seq).is_some_and(|call| call.approved.is_some());
        let input = if is_other { host.with_defaults(&path, input) } else { input };
        match self.bridge.recheck(&path, &input) {
            Err(failure) => return self.settle(seq, &path, Reply::Failed(failure), None),
            Ok(_) if is_other => return self.ask_again(seq, path, input, OTHER_TOOL.to_owned()),
            Ok(Route::Ask(why)) if !is_approved => return self.ask_again(seq, path, input, why),
            Ok(Route::Ask(_) | Route::Call | Route::Answered(_)) => {}
        }
        self.begin_with_memory(seq, path, input)
    }

    /// Returns a call of `codemode.run` that was never resolved: its turn had not come when the store was backed up. Its input
    /// is the one of the program, and not the one that rules and people decide about.
    fn unresolved_run(&self, seq: CallSeq) -> Option<ToolRequest> {
        let state = self.journal.state();
        let is_unresolved = state.open_call(seq)?.filled.is_none();
        let (path, input) = state.request(seq).filter(|(path, _)| is_unresolved && *path == RUN)?;
        Some(ToolRequest { seq, path: path.to_owned(), input })
    }

    /// Calls a tool again with the note that it has left. The call is under way, so neither the policy nor a person is
    /// asked again. If another tool is at its path now, the call is in doubt.
    pub(in crate::run) fn continue_noted(&mut self, seq: CallSeq) -> Result<(), Failure> {
        let Some((path, input)) = self.journal.state().given(seq) else { return Ok(()) };
        let path = path.to_owned();
        self.begin_with_memory(seq, path, input)
    }

    /// Starts a call with the note of its tool, and the last interrupt with its answer.
    fn begin_with_memory(&mut self, seq: CallSeq, path: String, input: Value) -> Result<(), Failure> {
        let span = self.setting.reporter.call_span(seq, &path, &input);
        let mut call = self.call(seq, input);
        let state = self.journal.state();
        (call.interrupt, call.resolution) =
            state.resolution(seq).map(|(interrupt, answer)| (interrupt.clone(), answer.clone())).unzip();
        if let Some(kept) = state.open_call(seq).and_then(|open| open.note.as_ref()) {
            if noted::is_of_another(kept, self.setting.host.catalogue.get(&path)) {
                return self.doubt(seq, &path, Some(OTHER_TOOL_NOTED));
            }
            call.note = Some(noted::note(kept).clone());
        }
        self.begin_call(seq, path, call, span)
    }

    /// Tells whether the definition of the tool has changed since a call was approved.
    pub(in crate::run) fn is_another_than_approved(&self, seq: CallSeq) -> bool {
        let state = self.journal.state();
        let approved = state.open_call(seq).and_then(|open| open.approved.as_deref());
        let path = state.call(seq).map(|call| &*call.path);
        approved.zip(path).is_some_and(|(approved, path)| *approved != *self.setting.host.definition(path))
    }

    fn ask_again(&mut self, seq: CallSeq, path: String, input: Value, why: String) -> Result<(), Failure> {
        let definition = self.setting.host.definition(&path);
        self.note_question(seq, Question::Approval { why: why.clone(), definition }, Some(&input))?;
        self.tell_question(seq, &path, PendingKind::Approval);
        let span = self.setting.reporter.call_span(seq, &path, &input);
        self.ask_approver(seq, path, input, why, span);
        Ok(())
    }
}
