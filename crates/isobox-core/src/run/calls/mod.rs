//! Starts calls, asks about them or refuses them, and records their outcomes.

mod decided;
pub(super) mod effects;
pub(super) mod ledger;
mod noted;
pub(super) mod reply;
pub(super) mod running_call;

use std::sync::Arc;

use serde_json::Value;
use tracing::Span;

use crate::driver::{Answer, Reply};
use crate::journal::{
    CallAsked, CallNoted, CallSettled, CallStarted, Decision, Entry, Instruction, Question, Remember, Settlement,
    Verdict,
};
use crate::json::is_nested_within;
use crate::policy::bridge::Route;
use crate::report::observer::{CallFailure, EventKind};
use crate::run::calls::effects::Effect;
use crate::run::calls::ledger::ToolRequest;
use crate::run::calls::running_call::{Happened, Happening};
use crate::run::host::setting::Setting;
use crate::run::run_loop::{RunLoop, Stop};
use crate::snippets::RUN;
use crate::text::shorten;
use crate::{Approval, CallSeq, Code, Failure, PendingKind, Tool, ToolCall, ToolError};

/// The maximum size of a note, in bytes of JSON, and its maximum depth.
const MAX_NOTE: usize = 16 << 10;
const MAX_NOTE_DEPTH: usize = 32;
/// The maximum length of the reason for a doubt, in characters.
const MAX_WHY: usize = 1_000;

/// The approval of a call by a decision that was remembered.
struct Remembered {
    /// The hash of the tool's definition, for which the decision was made.
    definition: String,
    /// The name of the principal that decided.
    by: String,
}

impl RunLoop<'_> {
    /// Decides about every call whose turn has come.
    pub(super) async fn start_calls(&mut self) -> Result<(), Stop> {
        while let Some(request) = self.next_call() {
            self.check_time()?;
            self.start_call(request).await?;
        }
        Ok(())
    }

    /// Returns the next call that may start. Those that waited until another snippet ended come first.
    fn next_call(&mut self) -> Option<ToolRequest> {
        self.unpark_next();
        self.ledger.start_next(self.setting.host.clock.elapsed())
    }

    pub(super) async fn start_call(&mut self, request: ToolRequest) -> Result<(), Failure> {
        let Setting { host, reporter, .. } = self.setting;
        if request.path == RUN {
            // Boxed, because it is rare and large.
            return Box::pin(self.run_snippet(request)).await;
        }
        let ToolRequest { seq, path, input } = request;
        reporter.report(|_| EventKind::CallStarted { seq, path: path.clone() });
        if let Some(why) = self.journal.state().doubt_about_revert(seq) {
            self.ledger.ask(seq);
            return self.doubt(seq, &path, Some(&why));
        }
        // Defaults come first: rules and people decide about the input that the tool gets.
        let input = host.with_defaults(&path, input);
        let span = reporter.call_span(seq, &path, &input);
        if let Err(failure) = self.check_calls(seq) {
            let reply = Reply::Failed(failure);
            reporter.record(&span, (seq, &path), &reply);
            return self.settle(seq, &path, reply, None);
        }
        if self.bridge.looks_up(&path) {
            self.show_snippets().await;
        }
        let reply = match self.bridge.route(&path, &input) {
            Err(failure) => Reply::Failed(failure),
            Ok(Route::Answered(value)) => {
                self.answering().check_size(&path, &value).map_or_else(Reply::Failed, Reply::Result)
            }
            Ok(Route::Call) => return self.begin_call(seq, path, self.call(seq, input), span),
            Ok(Route::Ask(_)) if self.has_returned => {
                // A decision would come too late.
                self.ledger.ask(seq);
                self.ledger.leave_asked();
                return Ok(());
            }
            Ok(Route::Ask(why)) => return self.ask(seq, path, input, why, span).await,
        };
        reporter.record(&span, (seq, &path), &reply);
        self.settle(seq, &path, reply, None)
    }

    pub(super) fn call(&self, seq: CallSeq, input: Value) -> ToolCall {
        let mut context = self.setting.execution.call_context(seq);
        if self.journal.is_on() {
            context.attempt = self.journal.state().next_attempt(seq);
            context.fencing_token = self.journal.lease().map(|lease| lease.epoch);
        }
        ToolCall::new(input, context)
    }

    pub(super) fn begin_call(&mut self, seq: CallSeq, path: String, call: ToolCall, span: Span) -> Result<(), Failure> {
        self.begin_approved(seq, path, call, span, None)
    }

    /// Starts a call. If a remembered decision approved it, that was with the current definition of its tool.
    fn begin_approved(
        &mut self,
        seq: CallSeq,
        path: String,
        call: ToolCall,
        span: Span,
        approval: Option<Remembered>,
    ) -> Result<(), Failure> {
        let host = self.setting.host;
        if path == RUN {
            self.snippets.approved_by.extend(approval.map(|approval| (seq, approval.by)));
            self.run_approved(seq, call.input);
            return Ok(());
        }
        let at = host.clock.now();
        let (approved, approved_by) = approval.map(|Remembered { definition, by }| (definition, by)).unzip();
        self.journal.note(|recorder| {
            let passed = if host.fills_defaults(&path) { recorder.state().given(seq) } else { None };
            let input = passed.filter(|(_, passed)| *passed != call.input).map(|_| call.input.clone());
            Ok(Entry::Started(CallStarted { seq, at, approved, approved_by, input }))
        })?;
        self.ledger.begin(seq, host.clock.elapsed());
        self.effects.plan(Effect::Call { seq, path, call, span });
        Ok(())
    }

    /// Asks a person to decide about a call.
    pub(super) async fn ask(
        &mut self,
        seq: CallSeq,
        path: String,
        input: Value,
        why: String,
        span: Span,
    ) -> Result<(), Failure> {
        let Setting { host, execution, .. } = self.setting;
        let definition = host.definition(&path);
        let (session, own, owner) =
            (execution.session.as_deref(), host.policy.own_decisions(), execution.principal.name());
        let is_accepted = |by: &str| own.check(by, owner).is_ok();
        match self.journal.recall(session, &path, &definition, &input, is_accepted).await? {
            Some((Verdict::Approve, by)) => {
                let call = self.call(seq, input);
                return self.begin_approved(seq, path, call, span, Some(Remembered { definition, by }));
            }
            Some((Verdict::Deny(reason), by)) => {
                // The decision is not in this journal.
                let denied = self.answering().denied(&path, reason.as_deref()).detail("by", by);
                return self.refuse(seq, &path, denied, &span);
            }
            Some(_) | None => {}
        }
        let is_kept = self.note_question(seq, Question::Approval { why: why.clone(), definition }, Some(&input))?;
        if host.approver_of(execution).is_none() && !is_kept {
            return self.refuse_unasked(seq, &path, &why, &span);
        }
        self.ledger.ask(seq);
        self.tell_question(seq, &path, PendingKind::Approval);
        self.ask_approver(seq, path, input, why, span);
        Ok(())
    }

    /// Asks the host's approver, if there is one that may decide.
    pub(super) fn ask_approver(&mut self, seq: CallSeq, path: String, input: Value, why: String, span: Span) {
        let Setting { host, execution, .. } = self.setting;
        if let Some(approver) = host.approver_of(execution) {
            let call = self.call(seq, input);
            self.effects.plan(Effect::Ask { seq, path, call, why, span, approver });
        }
    }

    /// Records a question with the input for the tool: this one, or else the one that was decided about before. Returns
    /// whether the question is durable, so that the execution can wait for an answer.
    pub(super) fn note_question(
        &mut self,
        seq: CallSeq,
        question: Question,
        input: Option<&Value>,
    ) -> Result<bool, Failure> {
        let at = self.setting.host.clock.now();
        self.journal.note(|recorder| {
            let shown = match input {
                Some(input) => Some(input.clone()),
                None => recorder.state().given(seq).map(|(_, given)| given),
            };
            let passed = recorder.state().request(seq).map(|(_, passed)| passed);
            let input = shown.filter(|shown| Some(shown) != passed.as_ref());
            Ok(Entry::Asked(CallAsked { seq, question, input, at, not_before: None, why: None }))
        })?;
        Ok(self.journal.is_on())
    }

    /// Records and reports that a call is in doubt, with the reason if the tool has given one.
    pub(super) fn doubt(&mut self, seq: CallSeq, path: &str, why: Option<&str>) -> Result<(), Failure> {
        let at = self.setting.host.clock.now();
        self.journal.note(|recorder| {
            let (state, not_before) = (recorder.state(), recorder.doubtful_until(seq, at));
            let passed = state.request(seq).map(|(_, passed)| passed);
            let input = state.given(seq).map(|(_, given)| given).filter(|given| Some(given) != passed.as_ref());
            let why = why.map(|why| shorten(why, MAX_WHY));
            Ok(Entry::Asked(CallAsked { seq, question: Question::InDoubt, input, at, not_before, why }))
        })?;
        self.tell_question(seq, path, PendingKind::InDoubt);
        Ok(())
    }

    pub(super) fn tell_question(&self, seq: CallSeq, path: &str, kind: PendingKind) {
        self.setting.reporter.report(|_| EventKind::CallAsked { seq, path: path.to_owned(), kind });
    }

    fn refuse_unasked(&mut self, seq: CallSeq, path: &str, why: &str, span: &Span) -> Result<(), Failure> {
        let message = format!("the call of `{path}` needs approval, and there is no approver: {why}");
        self.refuse(seq, path, Failure::new(Code::ApprovalRequired, message), span)
    }

    /// Handles an event of a call.
    pub(super) async fn take(&mut self, happened: Happened) -> Result<(), Failure> {
        let Happened { seq, path, span, what } = happened;
        match what {
            Happening::Prevented(call) => {
                self.effects.plan(Effect::Call { seq, path, call, span });
                Ok(())
            }
            // The program has returned: the result of the call is not needed, and no question is asked about it.
            Happening::Decided(..) if self.has_returned => Ok(()),
            Happening::Returned(Err(error)) if self.has_returned && self.needs_person(&error) => {
                self.ledger.abandon(seq);
                Ok(())
            }
            Happening::Decided(approval, call) => self.take_approval(approval, call, (seq, path, span)).await,
            Happening::Returned(Err(error)) if error.interrupt_payload().is_some() => {
                let payload = error.interrupt_payload().cloned().unwrap_or_default();
                if self.note_question(seq, Question::Interrupt { payload }, None)? {
                    self.tell_question(seq, &path, PendingKind::Interrupt);
                    return Ok(());
                }
                let message = format!("tool `{path}` needs an answer from outside, and the run cannot wait for one");
                let failure = Failure::new(Code::Tool, message).hint(
                    "give the run a store, so that it can wait: an isobox.json, --store, or `Run::durable` in Rust",
                );
                let reply = Reply::Failed(failure);
                self.setting.reporter.record(&span, (seq, &path), &reply);
                self.settle(seq, &path, reply, Some(error))
            }
            Happening::Returned(Err(error)) if self.is_in_doubt(&error) => {
                self.doubt(seq, &path, Some(error.message()))
            }
            Happening::Returned(Err(error)) if error.note().is_some() && self.journal.is_on() => {
                let note = error.note().cloned().unwrap_or_default();
                if !is_nested_within(&note, MAX_NOTE_DEPTH) || note.to_string().len() > MAX_NOTE {
                    let why = "the note that its tool left is too large to be kept";
                    return self.doubt(seq, &path, Some(why));
                }
                let note = noted::kept(note, self.setting.host.catalogue.get(&path));
                self.journal.note(|_| Ok(Entry::Noted(CallNoted { seq, note })))?;
                self.continue_noted(seq)
            }
            Happening::Returned(result) => {
                let (reply, cause) = self.answering().reply(seq, &path, result);
                self.setting.reporter.record(&span, (seq, &path), &reply);
                self.settle(seq, &path, reply, cause)
            }
        }
    }

    /// Tells whether only a person can say what becomes of a call that has failed in this way.
    fn needs_person(&self, error: &ToolError) -> bool {
        error.interrupt_payload().is_some() || self.is_in_doubt(error)
    }

    /// Tells whether a person decides what a failed call did. A program gets a failure of unknown effect as an error. A
    /// revert of unknown effect would be made again.
    fn is_in_doubt(&self, error: &ToolError) -> bool {
        let is_unknown = error.has_unknown_effect() && self.setting.execution.is_rollback();
        self.journal.is_on() && (error.is_in_doubt() || is_unknown)
    }

    /// Handles the decision of the host's approver. In a durable execution it is posted like any other decision: the
    /// first decision counts, and later ones are refused.
    async fn take_approval(
        &mut self,
        approval: Approval,
        call: ToolCall,
        (seq, path, span): (CallSeq, String, Span),
    ) -> Result<(), Failure> {
        match approval {
            Approval::Postponed if self.journal.is_on() => Ok(()),
            Approval::Postponed => self.refuse_unasked(seq, &path, "the approver postponed the decision", &span),
            Approval::Approved if self.journal.is_on() => self.say(seq, Verdict::Approve).await,
            Approval::Denied(reason) if self.journal.is_on() => self.say(seq, Verdict::Deny(reason)).await,
            Approval::Approved => self.begin_call(seq, path, call, span),
            Approval::Denied(reason) => self.deny(seq, &path, reason.as_deref(), &span),
        }
    }

    /// Posts the decision of the host's approver.
    async fn say(&mut self, seq: CallSeq, verdict: Verdict) -> Result<(), Failure> {
        let Setting { host, execution, .. } = self.setting;
        let Some(asked) = self.journal.state().asked(seq) else { return Ok(()) };
        let by = host.approver.as_ref().map(|approver| approver.name().to_owned()).unwrap_or_default();
        let decision = Decision { seq, asked, verdict, by, reason: None, remember: Remember::Nothing };
        self.journal.say(&execution.id, &Instruction::Decision { decision, at: host.clock.now() }).await
    }

    pub(super) fn deny(&mut self, seq: CallSeq, path: &str, reason: Option<&str>, span: &Span) -> Result<(), Failure> {
        let denied = self.answering().denied(path, reason);
        self.refuse(seq, path, denied, span)
    }

    fn refuse(&mut self, seq: CallSeq, path: &str, failure: Failure, span: &Span) -> Result<(), Failure> {
        let reply = Reply::Failed(failure);
        self.setting.reporter.record(span, (seq, path), &reply);
        self.settle(seq, path, reply, None)
    }

    /// Records and reports the outcome of a call.
    pub(super) fn settle(
        &mut self,
        seq: CallSeq,
        path: &str,
        reply: Reply,
        cause: Option<ToolError>,
    ) -> Result<(), Failure> {
        let Setting { host, reporter, execution } = self.setting;
        let answer = Answer { seq, reply };
        let took = self.ledger.settle(&answer, host.clock.elapsed());
        let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        if self.journal.is_on()
            && let Some(settlement) =
                settlement(&answer.reply, host.catalogue.get(path).filter(|_| !execution.is_rollback()))
        {
            let lost = cause.as_ref().is_some_and(ToolError::has_unknown_effect);
            self.journal.note(|_| Ok(Entry::Settled(CallSettled { seq, settlement, took, lost })))?;
        }
        if let Reply::Result(json) = &answer.reply {
            reporter.with_names(seq, path, |names| self.details.output(seq, names, json.get()));
        }
        reporter.report(|reporter| {
            let result = match &answer.reply {
                Reply::Failed(failure) => {
                    Err(CallFailure { failure: reporter.failure(failure), cause: cause.map(Arc::new) })
                }
                Reply::Result(json) => Ok(reporter.json_content(seq, path, json.get())),
                Reply::Fired => Ok(reporter.json_content(seq, path, "")),
            };
            EventKind::CallSettled { seq, path: path.to_owned(), duration_ms: took, result }
        });
        self.answers.push(answer);
        Ok(())
    }
}

/// Returns the journal form of a reply to a call. None for a timer.
fn settlement(reply: &Reply, tool: Option<&Tool>) -> Option<Settlement> {
    match reply {
        Reply::Failed(failure) => Some(Settlement::Failed(Box::new(failure.clone()))),
        Reply::Result(_) if tool.is_some_and(Tool::is_ephemeral) => Some(Settlement::Ephemeral),
        Reply::Result(json) => Some(Settlement::Result(json.clone())),
        Reply::Fired => None,
    }
}
