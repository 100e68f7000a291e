//! Runs programs, and continues them without a store.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use isobox::calls::CallDetails;
use isobox::events::{Contents, Event, Label, Observer};
use isobox::limits::{InFlightExcess, Unsettled, parse_duration};
use isobox::sessions::BusySession;
use isobox::{
    ByteSize, Checks, Code, Continue, Decisions, Failure, Isobox, LoweredLimits, Outcome, Principal, Program, Region,
    Run, Value,
};
use serde::{Deserialize, Deserializer};

use crate::bridge::{Bridge, Kind};
use crate::engine::Shared;
use crate::ids::id_of;
use crate::json::json;
use crate::options::either;
use crate::tools::Definition;
use crate::verdicts::{Verdicts, decision_of};

/// A run of a program or a snippet.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RunRequest {
    what: What,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    keep: Keep,
    #[serde(default)]
    limits: RunLimits,
    #[serde(default)]
    principal: Option<By>,
    #[serde(default)]
    session: Option<String>,
    #[serde(default)]
    globals: Option<Busy>,
    #[serde(default)]
    checks: Option<CheckWord>,
    #[serde(default)]
    details: CallDetails,
    #[serde(default)]
    label: Option<Label>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    region: Option<Region>,
    #[serde(default)]
    tools: Vec<Definition>,
    #[serde(default)]
    events: Option<EventContents>,
}

/// The thing that is run: a program, or a snippet.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum What {
    Program(Source),
    Snippet(SnippetRun),
}

/// A snippet to run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SnippetRun {
    name: String,
    #[serde(default)]
    input: Value,
}

/// A program: its text, or its files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Source {
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    entry: Option<String>,
}

impl Source {
    pub(crate) fn program(self) -> Result<Program, Failure> {
        let Self { code, files, entry } = self;
        if let Some(code) = code {
            return Ok(Program::single(code));
        }
        let entry = entry.or_else(|| files.keys().next().cloned()).unwrap_or_default();
        Program::new(files, entry).map_err(|fault| Failure::new(Code::Config, fault.to_string()))
    }
}

/// The behaviour if another program uses the session.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum Busy {
    Wait,
    Refuse,
}

impl From<Busy> for BusySession {
    fn from(busy: Busy) -> Self {
        match busy {
            Busy::Wait => Self::Wait,
            Busy::Refuse => Self::Refuse,
        }
    }
}

/// The setting for checks of the program before it runs.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum CheckWord {
    Off,
    Warnings,
    Errors,
}

impl From<CheckWord> for Checks {
    fn from(word: CheckWord) -> Self {
        match word {
            CheckWord::Off => Self::Off,
            CheckWord::Warnings => Self::Warnings,
            CheckWord::Errors => Self::Errors,
        }
    }
}

/// The place in which an execution is kept while it waits.
#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum Keep {
    /// In the store, if there is one.
    #[default]
    IfPossible,
    /// Nowhere: the execution does not wait.
    Nothing,
    /// In the store.
    Store,
    /// In a continuation, which JavaScript keeps.
    Continuation,
    /// Nowhere: effects are held back, and the calls that the program would make are listed.
    Plan,
}

/// The amount of content in events.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
pub(crate) enum EventContents {
    Nothing,
    Sizes,
    Progress,
    Values,
}

impl From<EventContents> for Contents {
    fn from(contents: EventContents) -> Self {
        match contents {
            EventContents::Nothing => Self::Nothing,
            EventContents::Sizes => Self::Sizes,
            EventContents::Progress => Self::Progress,
            EventContents::Values => Self::Values,
        }
    }
}

/// A principal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct By {
    name: String,
    #[serde(default)]
    roles: Vec<String>,
}

impl By {
    pub(crate) fn principal(by: Option<Self>) -> Principal {
        by.map_or_else(Principal::host, |By { name, roles }| Principal::named(name).with_roles(roles))
    }
}

/// Lowered limits. Durations are texts like `5s`, sizes texts like `64MiB` or numbers.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct RunLimits {
    #[serde(deserialize_with = "duration")]
    timeout: Option<Duration>,
    #[serde(deserialize_with = "duration")]
    cpu: Option<Duration>,
    memory: Option<ByteSize>,
    stack: Option<ByteSize>,
    source: Option<ByteSize>,
    result: Option<ByteSize>,
    input: Option<ByteSize>,
    output: Option<ByteSize>,
    logs: Option<ByteSize>,
    calls: Option<u32>,
    in_flight: Option<u32>,
    in_flight_excess: Option<InFlightExcess>,
    durable_value: Option<ByteSize>,
    journal: Option<ByteSize>,
    snapshot: Option<ByteSize>,
    #[serde(deserialize_with = "duration")]
    settle: Option<Duration>,
    unsettled: Option<Unsettled>,
    facts: Option<ByteSize>,
    #[serde(deserialize_with = "duration")]
    lifetime: Option<Duration>,
}

fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| parse_duration(&text)).transpose().map_err(serde::de::Error::custom)
}

impl RunLimits {
    fn lowered(self) -> LoweredLimits {
        LoweredLimits::default()
            .timeout(self.timeout)
            .cpu(self.cpu)
            .memory(self.memory)
            .stack(self.stack)
            .source(self.source)
            .result(self.result)
            .input(self.input)
            .output(self.output)
            .logs(self.logs)
            .calls(self.calls)
            .in_flight(self.in_flight)
            .in_flight_excess(self.in_flight_excess)
            .durable_value(self.durable_value)
            .journal(self.journal)
            .snapshot(self.snapshot)
            .settle(self.settle)
            .unsettled(self.unsettled)
            .facts(self.facts)
            .lifetime(self.lifetime)
    }
}

/// The answer to a continuation.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ContinueRequest {
    continuation: String,
    execution_id: String,
    revision: u64,
    #[serde(default)]
    by: Option<By>,
    verdicts: Verdicts,
    #[serde(default)]
    tools: Vec<Definition>,
    #[serde(default)]
    events: Option<EventContents>,
}

impl Shared {
    /// Runs a program, and returns its outcome.
    pub(crate) async fn run(self: Arc<Self>, number: u32, request: &str) -> Result<String, Failure> {
        let request: RunRequest = serde_json::from_str(request)
            .map_err(|error| Failure::new(Code::Config, format!("the options of the run: {error}")))?;
        let RunRequest { what, id, keep, limits, principal, session, tools, events, .. } = request;
        let mut run = match what {
            What::Program(source) => Run::new(source.program()?),
            What::Snippet(SnippetRun { name, input }) => self.workspace.archive().await?.snippets()?.run(&name, &input),
        };
        run = run
            .limits(limits.lowered())
            .cancelled_by(self.token(number))
            .details(request.details)
            .tools(self.tools(tools)?);
        if principal.is_some() {
            run = run.principal(By::principal(principal));
        }
        if let Some(id) = id {
            run = run.id(id_of(&id)?);
        }
        if let Some(session) = session {
            run = run.session(session);
        }
        if let Some(busy) = request.globals {
            run = run.globals(busy.into());
        }
        if let Some(checks) = request.checks {
            run = run.checks(checks.into());
        }
        if let Some(label) = request.label {
            run = run.label(label);
        }
        if let Some(seed) = request.seed {
            run = run.seed(seed);
        }
        if let Some(region) = request.region {
            run = run.region(either(&region, self.workspace.config().region.clone()));
        }
        let outcome = match keep {
            Keep::IfPossible => {
                let isobox = self.observed(self.workspace.durable().await?.isobox, number, events);
                let run = if isobox.keeps_executions() { run.durable() } else { run };
                Box::pin(isobox.run(run)).await
            }
            Keep::Nothing => {
                let isobox = self.observed(self.with_snippets().await?, number, events);
                Box::pin(isobox.run(run)).await
            }
            Keep::Store => {
                let isobox = self.observed(self.workspace.durable().await?.isobox, number, events);
                Box::pin(isobox.run(run.durable())).await
            }
            Keep::Plan => return Ok(json(&Box::pin(self.workspace.ready().await?.isobox.plan(run)).await)),
            Keep::Continuation => {
                let isobox = self.observed(self.workspace.ready().await?.isobox, number, events);
                Box::pin(isobox.run_stateless(run, &self.continuations)).await
            }
        };
        Ok(json(&outcome))
    }

    /// Continues a program that was paused without a store.
    pub(crate) async fn resume_continuation(&self, number: u32, request: ContinueRequest) -> Result<Outcome, Failure> {
        let ContinueRequest { continuation, execution_id, revision, by, verdicts, tools, events } = request;
        let (by, id) = (By::principal(by), id_of(&execution_id)?);
        let answer = match verdicts {
            Verdicts::All(word) => Continue::decided(&id, Decisions::about_all(by, revision, word.verdict(None))),
            Verdicts::Each(several) if several.is_empty() => Continue::undecided(),
            Verdicts::Each(several) => {
                let several: Result<Vec<_>, Failure> = several.into_iter().map(decision_of).collect();
                Continue::decided(&id, Decisions::of(by, several?).shown_at(revision))
            }
        };
        let isobox = self.observed(self.workspace.ready().await?.isobox, number, events);
        let answer = answer.tools(self.tools(tools)?);
        let token = self.token(number);
        let resumed = Box::pin(isobox.resume_stateless(&continuation, &self.continuations, answer));
        tokio::select! {
            biased;
            () = token.cancelled() => Err(Failure::new(Code::Aborted, "the caller cancelled the execution")),
            resumed = resumed => resumed,
        }
    }

    /// Returns the runtime with its tools, and with the snippets of its store if the store can be opened.
    pub(crate) async fn with_snippets(&self) -> Result<Isobox, Failure> {
        match self.workspace.durable().await {
            Ok(ready) => Ok(ready.isobox),
            Err(_) => Ok(self.workspace.ready().await?.isobox),
        }
    }

    /// Returns the runtime with an observer that sends events to JavaScript, if they are wanted.
    pub(crate) fn observed(&self, isobox: Isobox, number: u32, events: Option<EventContents>) -> Isobox {
        match events {
            None => isobox,
            Some(contents) => {
                isobox.observed_by(SendsEvents { bridge: Arc::clone(&self.bridge), number }, contents.into())
            }
        }
    }
}

struct SendsEvents {
    bridge: Arc<Bridge>,
    number: u32,
}

impl Observer for SendsEvents {
    fn observe(&self, event: &Event) {
        self.bridge.send(Kind::Event, self.number, json(event));
    }
}
