//! Runs snippets: decides about calls of `codemode.run`, and takes their ends.

pub(super) mod family;
pub(super) mod state;

use std::time::Duration;

use serde_json::Value;
use serde_json::value::to_raw_value;
use tracing::Span;

use crate::checks::prepare_by_rules;
use crate::driver::log_book::LINE_OVERHEAD;
use crate::driver::{Reply, Returned};
use crate::experience::Shape;
use crate::journal::{
    CallSettled, Entry, Settlement, SharedCode, SnippetBudget, SnippetEnded, SnippetStarted, add_warning, unwritable,
};
use crate::policy::bridge::Route;
use crate::program::without_literals;
use crate::report::observer::{CallFailure, EventKind};
use crate::run::calls::ledger::ToolRequest;
use crate::run::explain::timed_out;
use crate::run::host::setting::Setting;
use crate::run::run_loop::RunLoop;
use crate::run::session_use::outage;
use crate::run::snippet_runs::family::{EndedSnippet, Start};
use crate::run::waiting::until;
use crate::snippets::{Asked, MOST_AT_ONCE, Needs, RUN, Resolved, Shelf, Snippet, Use, add_masked};
use crate::store::Error;
use crate::{CallSeq, Catalogue, Code, Failure, Log, Tool};

/// The maximum number of snippets that run at the same time. Further ones of the program wait for their turn.
const MOST_RUNNING: usize = 8;
/// The maximum with those that snippets run, which cannot wait: the snippet that they wait for may wait for them.
const MOST_NESTED: usize = MOST_AT_ONCE as usize;
/// The maximum time for which a search waits for the snippets of the store.
const PATIENCE: Duration = Duration::from_secs(1);

impl RunLoop<'_> {
    /// Decides about a call of `codemode.run`, and starts the snippet if it may run.
    pub(super) async fn run_snippet(&mut self, request: ToolRequest) -> Result<(), Failure> {
        let ToolRequest { seq, path, input } = request;
        let reporter = self.setting.reporter;
        if self.waits_for_others(seq, &input) {
            return Ok(());
        }
        let approved = self.snippets.approved.remove(&seq);
        let is_approved = approved.is_some();
        if !is_approved {
            reporter.report(|_| EventKind::CallStarted { seq, path: path.clone() });
        }
        let span = reporter.call_span(seq, &path, &input);
        let resolved = match approved {
            Some(shown) => self.resolve_approved(shown).await?,
            None => match self.check_calls(seq) {
                Ok(()) => self.resolve(seq, &input).await?,
                Err(failure) => Err(failure),
            },
        };
        let resolved = match resolved {
            Ok(resolved) => resolved,
            Err(failure) => return self.refuse_snippet(seq, failure, &span),
        };
        if !is_approved {
            let shown = resolved.shown();
            match self.bridge.route_run(&shown) {
                Err(failure) => return self.refuse_snippet(seq, failure, &span),
                Ok(Route::Ask(_)) if self.has_returned => {
                    self.ledger.ask(seq);
                    self.ledger.leave_asked();
                    return Ok(());
                }
                Ok(Route::Ask(why)) => {
                    let shown = with_masked(self.setting, &resolved, shown, self.deadline).await;
                    return self.ask(seq, RUN.to_owned(), shown, why, span).await;
                }
                Ok(Route::Call | Route::Answered(_)) => {}
            }
        }
        match code_of(self.setting, &resolved, self.deadline).await {
            Ok(code) => self.start_snippet(seq, resolved, code),
            Err(failure) => self.refuse_snippet(seq, failure, &span),
        }
    }

    /// Queues a call that was approved, as it was shown.
    pub(super) fn run_approved(&mut self, seq: CallSeq, shown: Value) {
        self.snippets.approved.insert(seq, shown);
        self.ledger.queue_again(ToolRequest { seq, path: RUN.to_owned(), input: Value::Null });
    }

    /// Parks a call of the program while too many snippets run.
    fn waits_for_others(&mut self, seq: CallSeq, input: &Value) -> bool {
        let is_full = seq.parent().is_none() && self.snippets.running.len() >= MOST_RUNNING;
        if is_full && !self.has_returned {
            self.ledger.park(seq);
            self.snippets.parked.push_back(ToolRequest { seq, path: RUN.to_owned(), input: input.clone() });
        }
        is_full && !self.has_returned
    }

    /// Queues the call that has been parked the longest, if it can start at once. A call that is then refused takes no place,
    /// so that the next one follows it.
    pub(super) fn unpark_next(&mut self) {
        let can_start = self.snippets.running.len() < MOST_RUNNING && self.ledger.has_room();
        if can_start && let Some(request) = self.snippets.parked.pop_front() {
            self.ledger.unpark(request);
        }
    }

    fn refuse_snippet(&mut self, seq: CallSeq, failure: Failure, span: &Span) -> Result<(), Failure> {
        let reply = Reply::Failed(failure);
        self.setting.reporter.record(span, (seq, RUN), &reply);
        self.settle(seq, RUN, reply, None)
    }

    /// Finds the version that a call asks for, and checks that it can be run with its input.
    ///
    /// # Errors
    ///
    /// The inner failure is the result of the call. The outer one stops the execution.
    async fn resolve(&mut self, seq: CallSeq, input: &Value) -> Result<Result<Resolved, Failure>, Failure> {
        let host = self.setting.host;
        let asked = match self.read_asked(seq, input) {
            Ok(asked) => asked,
            Err(failure) => return Ok(Err(failure)),
        };
        let Some(keeper) = &host.keeper else {
            return Ok(Err(Failure::new(Code::NotFound, "there are no snippets: this runtime has no store")));
        };
        let (snippets, name) = (&*keeper.snippets, asked.name.as_str());
        let found = self.ask_shelf(move || snippets.find(name)).await?.flatten();
        Ok(found.and_then(|found| check_found(asked, &found, (snippets, &host.catalogue))))
    }

    /// Reads what a call asks for. Refuses it if no further snippet may run.
    fn read_asked(&self, seq: CallSeq, input: &Value) -> Result<Asked, Failure> {
        let asked = Asked::read(input)?;
        if self.has_returned {
            return Err(Failure::new(Code::Aborted, "the program has returned: no further snippet is run"));
        }
        if seq.child(0).is_none() {
            let message = format!("snippets are nested deeper than {} levels", CallSeq::MAX_DEPTH - 1);
            return Err(Failure::new(Code::CallLimit, message).hint("a snippet that runs itself needs an end"));
        }
        self.check_running()?;
        Ok(asked)
    }

    /// Returns the version that was shown to the person who approved the call. Checks again what may have changed since:
    /// how many snippets run, and the tools of the version, unless it was deleted.
    ///
    /// # Errors
    ///
    /// The inner failure is the result of the call. The outer one stops the execution: the approval of a durable one is in its
    /// journal, and counts when it is resumed.
    async fn resolve_approved(&mut self, shown: Value) -> Result<Result<Resolved, Failure>, Failure> {
        let host = self.setting.host;
        let resolved = match self.check_running().and_then(|()| Resolved::of_shown(shown)) {
            Ok(resolved) => resolved,
            Err(failure) => return Ok(Err(failure)),
        };
        let Some(keeper) = &host.keeper else { return Ok(Ok(resolved)) };
        let (snippets, name) = (&*keeper.snippets, resolved.name.as_str());
        let snippet = match self.ask_shelf(move || snippets.look_up(name)).await? {
            Ok(snippet) => snippet,
            Err(failure) => return Ok(Err(failure)),
        };
        Ok(check_again(resolved, snippet.as_ref(), &host.catalogue))
    }

    /// Reads the snippets of the store. A durable execution bridges a short outage.
    ///
    /// # Errors
    ///
    /// The inner failure is the result of the call of an execution that is not durable. The outer one stops the execution. The
    /// call of a durable one is then not settled, so that it is made when the execution is resumed.
    async fn ask_shelf<T, F>(&mut self, ask: impl Fn() -> F) -> Result<Result<T, Failure>, Failure>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let host = self.setting.host;
        // The time of an outage is not the program's.
        let patience = if self.journal.is_on() { outage(host) } else { Duration::ZERO };
        let limit = self.deadline.saturating_add(patience);
        let found = until(&*host.clock, limit, self.journal.ask(ask)).await;
        self.excuse_store();
        match found.ok_or_else(|| timed_out(&self.setting.execution.limits))? {
            Err(error) if !self.journal.is_on() => Ok(Err(error.into())),
            found => Ok(Ok(self.heed(found)?)),
        }
    }

    /// Refuses a snippet while as many run as may run with those that snippets run.
    fn check_running(&self) -> Result<(), Failure> {
        if self.snippets.running.len() < MOST_NESTED {
            return Ok(());
        }
        let message = format!("more than {MOST_NESTED} snippets run at the same time");
        Err(Failure::new(Code::InFlightLimit, message).hint("run some of them after the others"))
    }

    fn start_snippet(&mut self, seq: CallSeq, resolved: Resolved, code: SharedCode) -> Result<(), Failure> {
        let (hash, budget) = (resolved.hash(), self.budget());
        let Resolved { name, version, input, warning, .. } = resolved;
        let input = to_raw_value(&input).map_err(unwritable)?;
        // The journal has the code of a version once. Modules may have changed since, and a replay runs what the journal has.
        let known = self.journal.state().codes.get(&hash).cloned();
        let is_known = known.is_some();
        let code = known.unwrap_or(code);
        let is_repeated = !self.snippets.known.insert(hash.clone()) || is_known;
        if is_repeated {
            self.snippets.repeated.insert(seq);
        }
        if let (false, Some(warning)) = (self.journal.is_on(), &warning) {
            add_warning(&mut self.snippets.warnings, warning.clone());
        }
        self.snippets.hashes.insert(seq, hash.clone());
        let approved_by = self.snippets.approved_by.remove(&seq);
        self.journal.note(|_| {
            let code = (!is_known).then(|| code.clone());
            let (name, input) = (name.clone(), input.clone());
            let started =
                SnippetStarted { name, version, hash, code, input, budget, approved_by, warning, is_repeated };
            let settlement = Settlement::Snippet(Box::new(started));
            Ok(Entry::Settled(CallSettled { seq, settlement, took: 0, lost: false }))
        })?;
        self.snippets.running.insert(seq, (name.clone(), version));
        self.starts.push(Start { seq, name, code, input: input.get().to_owned(), budget });
        Ok(())
    }

    /// Starts a snippet whose start the journal has, and whose program has not got it.
    pub(super) fn start_recorded(&mut self, seq: CallSeq, started: &SnippetStarted) -> Result<(), Failure> {
        let SnippetStarted { name, version, hash, input, budget, .. } = started;
        let Some(code) = self.journal.state().code_of(started) else {
            let message = format!("the journal does not have the code that call {seq} runs");
            return Err(Failure::new(Code::Diverged, message));
        };
        if started.is_repeated {
            self.snippets.repeated.insert(seq);
        }
        self.snippets.running.insert(seq, (name.clone(), *version));
        self.snippets.hashes.insert(seq, hash.clone());
        self.starts.push(Start { seq, name: name.clone(), code, input: input.get().to_owned(), budget: *budget });
        Ok(())
    }

    /// Adds the warnings about snippets to the end of the program.
    pub(super) fn add_warnings(&mut self, returned: &mut Returned) {
        let recorded = &self.journal.state().warnings;
        returned.hints.extend(self.snippets.warnings.drain(..).chain(recorded.iter().cloned()));
    }

    /// Has searches and descriptions find the snippets of the store, if it can be read.
    pub(super) async fn show_snippets(&mut self) {
        let host = self.setting.host;
        let Some(keeper) = &host.keeper else { return };
        let limit = host.clock.elapsed().saturating_add(PATIENCE).min(self.deadline);
        match until(&*host.clock, limit, keeper.snippets.shown(&host.catalogue)).await {
            Some(Ok(shown)) => self.bridge.show(shown),
            Some(Err(error)) => tracing::warn!(%error, "the snippets cannot be read, and are not shown"),
            None => tracing::warn!("the snippets cannot be read in time, and are not shown"),
        }
    }

    /// Returns what is left of the budgets of the execution.
    fn budget(&self) -> SnippetBudget {
        let limits = &self.setting.execution.limits;
        let used = |logs: &[Log]| logs.iter().map(|log| (log.message.len() + LINE_OVERHEAD) as u64).sum::<u64>();
        let logged = if self.journal.is_on() { used(&self.journal.state().logs) } else { used(&self.logs) };
        let made = u32::try_from(self.ledger.made()).unwrap_or(u32::MAX);
        let facts = if self.journal.is_on() { &self.journal.state().facts } else { &self.facts };
        let found: u64 = facts.iter().map(|(name, value)| (name.len() + value.to_string().len()) as u64).sum();
        SnippetBudget {
            calls: limits.calls.saturating_sub(made),
            logs: limits.logs.get().saturating_sub(logged),
            facts: limits.facts.get().saturating_sub(found),
        }
    }

    /// Refuses a call above the limit of the execution. Each program is limited inside the sandbox, and all of them
    /// together are limited here.
    pub(super) fn check_calls(&self, seq: CallSeq) -> Result<(), Failure> {
        let limit = self.setting.execution.limits.calls;
        // A program without snippets is limited inside the sandbox alone.
        if self.ledger.made() <= limit as usize || self.ledger.made_before(seq) < limit as usize {
            return Ok(());
        }
        let message = format!("the program and its snippets made more than {limit} tool calls");
        Err(Failure::new(Code::CallLimit, message)
            .hint("do more with each call, or raise the limit `calls`")
            .detail("limit", limit))
    }

    /// Records and reports the ends of snippets.
    pub(super) fn end_snippets(&mut self, ended: Vec<EndedSnippet>) -> Vec<SnippetEnded> {
        let Setting { host, reporter, .. } = self.setting;
        let mut entries = Vec::with_capacity(ended.len());
        for EndedSnippet { seq, result } in ended {
            let took = self.ledger.end_snippet(seq, result.as_ref().err(), host.clock.elapsed());
            let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
            if let Some((name, version)) = self.snippets.running.remove(&seq) {
                let recorded = self.journal.state().running.get(&seq);
                let was_repeated = recorded.is_some_and(|running| running.is_repeated);
                let recorded = recorded.map(|running| running.hash.clone());
                let hash = self.snippets.hashes.remove(&seq).or(recorded).unwrap_or_default();
                let result = result.as_ref().ok().map(Shape::of_result);
                let is_repeated = self.snippets.repeated.remove(&seq) || was_repeated;
                self.snippets.uses.push(Use { name, version, hash, result, is_repeated });
            }
            if let Ok(value) = &result {
                self.details.output(seq, host.catalogue.names(RUN), &value.to_string());
            }
            reporter.report(|reporter| {
                let result = match &result {
                    Ok(value) => Ok(reporter.content(seq, RUN, value)),
                    Err(failure) => Err(CallFailure { failure: reporter.failure(failure), cause: None }),
                };
                EventKind::CallSettled { seq, path: RUN.to_owned(), duration_ms: took, result }
            });
            entries.push(SnippetEnded { seq, failure: result.err().map(Box::new), took });
        }
        entries
    }
}

/// Returns the prepared code of a snippet. It sees the modules of the host, and keeps to its rules, which may be others than
/// when it was saved.
async fn code_of(setting: Setting<'_>, resolved: &Resolved, deadline: Duration) -> Result<SharedCode, Failure> {
    let Setting { host, execution, .. } = setting;
    let preparing = prepare_by_rules(host, &resolved.program, execution.limits.timeout);
    let prepared = until(&*host.clock, deadline, preparing).await;
    let prepared = prepared.unwrap_or_else(|| Err(timed_out(&execution.limits)));
    let prepared = prepared.map_err(|failure| of_snippet(failure, &resolved.name))?;
    Ok(SharedCode::new(resolved.program.clone(), prepared))
}

/// Adds the code without its literals to what people decide about, if they must not see what the policy redacts. If masking takes
/// until the deadline, they do not see the code.
async fn with_masked(setting: Setting<'_>, resolved: &Resolved, mut shown: Value, deadline: Duration) -> Value {
    let host = setting.host;
    if host.policy.redacts() {
        let masking = without_literals(&*host.driver, &*host.clock, &resolved.program);
        if let Some(masked) = until(&*host.clock, deadline, masking).await {
            add_masked(&mut shown, &masked);
        }
    }
    shown
}

/// Checks that the version that a call asks for can be run with its input.
fn check_found(
    asked: Asked,
    (snippet, tool): &(Snippet, Tool),
    (shelf, catalogue): (&Shelf, &Catalogue),
) -> Result<Resolved, Failure> {
    let version = snippet.version(asked.version)?;
    let needs = Needs::of(version, catalogue);
    needs.check(&asked.name)?;
    if version.version == snippet.latest().version {
        tool.check_input(&asked.input)
    } else {
        Tool::of_snippet(&asked.name)?.of_version(version)?.check_input(&asked.input)
    }
    .map_err(|failure| of_snippet(failure, &asked.name))?;
    let warning = warning_of(&needs, &asked.name);
    Ok(Resolved { warning, ..Resolved::new(asked, version, shelf.trust(version)) })
}

/// Checks the tools of a version that was approved, unless it was deleted.
fn check_again(resolved: Resolved, snippet: Option<&Snippet>, catalogue: &Catalogue) -> Result<Resolved, Failure> {
    let version = snippet.and_then(|snippet| snippet.version(Some(resolved.version)).ok());
    let Some(version) = version.filter(|version| version.hash() == resolved.hash()) else { return Ok(resolved) };
    let needs = Needs::of(version, catalogue);
    needs.check(&resolved.name)?;
    Ok(Resolved { warning: warning_of(&needs, &resolved.name), ..resolved })
}

/// Returns the warning for the author of a program that runs a snippet whose tools have changed.
fn warning_of(needs: &Needs, name: &str) -> Option<String> {
    needs.in_words().map(|words| format!("snippet `{name}` {words}"))
}

fn of_snippet(mut failure: Failure, name: &str) -> Failure {
    // The name is said once.
    let message = failure.message.replacen(&format!(" for tool `{RUN}.{name}`"), "", 1);
    failure.message = format!("snippet `{name}`: {message}");
    (failure.line, failure.column) = (None, None);
    failure
}
