//! Requests about executions and tools.

use std::time::Duration;

use isobox::checks::Certainty;
use isobox::journal::{Remember, Verdict};
use isobox::limits::CapacityLimits;
use isobox::rollback::Rollback;
use isobox::store::{Filter, Page, Restoration, State};
use isobox::tools::BriefingOptions;
use isobox::{ByteSize, Code, Decisions, ExecutionId, Failure, Isobox, PendingKind, Resume, Timestamp, Value, Woken};
use serde::Deserialize;
use serde_json::json;

use crate::engine::Shared;
use crate::execution::{By, ContinueRequest, EventContents, Source};
use crate::ids::{id_of, seq_of};
use crate::json::{resumed, value};
use crate::sessions::SessionRequest;
use crate::snippets::SnippetRequest;
use crate::tools::Definition;
use crate::transcripts::TranscriptRequest;
use crate::verdicts::{Verdicts, decision_of};

/// The maximum number of tokens for the modules of the host in a briefing.
const MODULES: usize = 1000;

/// A request about executions or tools.
#[derive(Deserialize)]
#[serde(tag = "method", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
enum Request {
    List {
        #[serde(default)]
        states: Vec<String>,
        #[serde(default)]
        after: Option<String>,
        limit: u32,
        #[serde(default)]
        updated_before: Option<u64>,
    },
    Get {
        id: String,
    },
    Decide {
        id: String,
        #[serde(default)]
        by: Option<By>,
        verdicts: Verdicts,
        #[serde(default)]
        revision: Option<u64>,
        #[serde(default)]
        reason: Option<String>,
        #[serde(default)]
        remember: Remember,
    },
    /// The answer to the interrupt of a call, or the result of a call in doubt.
    Resolve {
        id: String,
        seq: String,
        value: Value,
        #[serde(default)]
        by: Option<By>,
        #[serde(default)]
        revision: Option<u64>,
    },
    Resume {
        id: String,
        #[serde(default)]
        tools: Vec<Definition>,
        #[serde(default)]
        events: Option<EventContents>,
        #[serde(default)]
        only_if_decided: bool,
        /// The principal that resumes the execution although its store was restored from a backup.
        #[serde(default)]
        restored: Option<By>,
    },
    Continue(Box<ContinueRequest>),
    /// Wakes the executions that are due.
    Wake,
    /// Wakes executions when they are due, until the request is cancelled.
    Schedule,
    /// Holds every unfinished execution of a store that was restored from a backup.
    MarkRestored {
        #[serde(default)]
        by: Option<By>,
    },
    Reject {
        id: String,
        #[serde(default)]
        by: Option<By>,
        #[serde(default)]
        reason: Option<String>,
    },
    Cancel {
        id: String,
        #[serde(default)]
        by: Option<By>,
        #[serde(default)]
        reason: Option<String>,
    },
    Rollback {
        id: String,
        #[serde(default)]
        by: Option<By>,
        #[serde(default)]
        to: Option<String>,
        #[serde(default)]
        tools: Vec<Definition>,
    },
    Delete {
        id: String,
        #[serde(default)]
        by: Option<By>,
    },
    Prune {
        keep: usize,
        #[serde(default)]
        by: Option<By>,
    },
    Expire {
        older_than_ms: u64,
        #[serde(default)]
        by: Option<By>,
    },
    Search {
        query: String,
        limit: usize,
        #[serde(default)]
        roles: Vec<String>,
    },
    Describe {
        path: String,
        tokens: usize,
        #[serde(default)]
        roles: Vec<String>,
    },
    Types {
        #[serde(default)]
        roles: Vec<String>,
    },
    Briefing {
        #[serde(default)]
        template: Option<String>,
        #[serde(default)]
        declarations: Option<usize>,
        #[serde(default)]
        overview: Option<usize>,
        #[serde(default)]
        roles: Vec<String>,
    },
    Capacity {
        #[serde(default)]
        set: Option<SetCapacity>,
    },
    /// Checks a program without running it.
    Check {
        program: Source,
        #[serde(default)]
        roles: Vec<String>,
    },
    Snippets {
        request: SnippetRequest,
    },
    Sessions {
        request: SessionRequest,
    },
    Transcripts {
        request: TranscriptRequest,
    },
    Warnings,
    Close,
}

/// New limits of the capacity. An empty object resets them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetCapacity {
    #[serde(default)]
    memory: Option<ByteSize>,
    #[serde(default)]
    live: Option<u32>,
    #[serde(default)]
    queue: Option<u32>,
}

impl Shared {
    /// Answers a request.
    pub(crate) async fn handle(self: std::sync::Arc<Self>, number: u32, request: &str) -> Result<String, Failure> {
        let request: Request = serde_json::from_str(request)
            .map_err(|error| Failure::new(Code::Config, format!("the request: {error}")))?;
        Ok(crate::json::json(&self.answered(number, request).await?))
    }

    async fn answered(&self, number: u32, request: Request) -> Result<Value, Failure> {
        match request {
            Request::List { states, after, limit, updated_before } => {
                let states: Result<Vec<State>, _> = states.iter().map(|state| state.parse()).collect();
                let states = states.map_err(|error| Failure::new(Code::Config, error.to_string()))?;
                let updated_before = updated_before.map(Timestamp);
                let Page { executions, unreadable, next } =
                    self.looked().await?.executions(Filter { states, updated_before, after, limit }).await?;
                Ok(json!({ "executions": executions, "unreadable": unreadable, "next": next }))
            }
            Request::Get { id } => self.found(&id_of(&id)?).await,
            Request::Decide { id, by, verdicts, revision, reason, remember } => {
                let by = By::principal(by);
                let decisions = match (verdicts, revision) {
                    (Verdicts::Each(several), _) => {
                        let several: Result<Vec<_>, _> = several.into_iter().map(decision_of).collect();
                        Decisions::of(by, several?)
                    }
                    (Verdicts::All(word), Some(revision)) => {
                        let verdict = word.verdict(Some((reason.clone(), None)));
                        Decisions::about_all(by, revision, verdict)
                    }
                    (Verdicts::All(_), None) => {
                        return Err(Failure::new(Code::Config, "a decision about all calls needs their `revision`"));
                    }
                };
                let decisions = match revision {
                    Some(revision) => decisions.shown_at(revision),
                    None => decisions,
                };
                let decisions = reason.into_iter().fold(decisions, Decisions::reason).remember(remember);
                self.archive().await?.decide(&id_of(&id)?, decisions).await?;
                Ok(Value::Null)
            }
            Request::Resolve { id, seq, value, by, revision } => {
                let (isobox, id, seq) = (self.archive().await?, id_of(&id)?, seq_of(&seq)?);
                let pending = isobox.pending(&id).await?;
                let kind = pending.pending.iter().find(|call| call.seq == seq).map(|call| call.kind);
                let verdict = match kind {
                    Some(PendingKind::InDoubt) => Verdict::Happened(value),
                    Some(_) | None => Verdict::Answer(value),
                };
                let decisions = Decisions::new(By::principal(by), [(seq, verdict)]);
                isobox.decide(&id, decisions.shown_at(revision.unwrap_or(pending.revision))).await?;
                Ok(Value::Null)
            }
            Request::Resume { id, tools, events, only_if_decided, restored } => {
                let isobox = self.observed(self.workspace.durable().await?.isobox, number, events);
                let mut resume = Resume::default().cancelled_by(self.token(number)).tools(self.tools(tools)?);
                if only_if_decided {
                    resume = resume.only_if_decided();
                }
                if restored.is_some() {
                    resume = resume.restored(By::principal(restored));
                }
                resumed(isobox.resume(&id_of(&id)?, resume).await?)
            }
            Request::Wake => {
                let mut woken = Vec::new();
                let isobox = self.workspace.durable().await?.isobox;
                isobox.wake_due(&self.token(number), |one| woken.push(one)).await?;
                let told = |one: Woken| match one.outcome {
                    Ok(outcome) => json!({ "id": one.id, "outcome": outcome }),
                    Err(failure) => json!({ "id": one.id, "error": failure }),
                };
                Ok(woken.into_iter().map(told).collect::<Vec<_>>().into())
            }
            Request::Schedule => {
                // Stops when it is dropped: at the end of the request, or with the runtime.
                let scheduler = self.workspace.start_scheduler().await?;
                if scheduler.is_none() {
                    return Err(no_store());
                }
                self.token(number).cancelled().await;
                Ok(Value::Null)
            }
            Request::MarkRestored { by } => {
                let Restoration { held, .. } = self.archive().await?.mark_restored(By::principal(by)).await?;
                value(&held)
            }
            Request::Continue(request) => value(&self.resume_continuation(number, *request).await?),
            Request::Reject { id, by, reason } => {
                let (isobox, id) = (self.archive().await?, id_of(&id)?);
                isobox.reject(&id, By::principal(by), reason.as_deref()).await?;
                resumed(isobox.see_ended(&id, &self.token(number)).await?)
            }
            Request::Cancel { id, by, reason } => {
                let (isobox, id) = (self.archive().await?, id_of(&id)?);
                isobox.cancel(&id, By::principal(by), reason.as_deref()).await?;
                resumed(isobox.see_ended(&id, &self.token(number)).await?)
            }
            Request::Rollback { id, by, to, tools } => {
                let isobox = self.workspace.durable().await?.isobox;
                let options = Rollback::default().abandoned_by(self.token(number)).tools(self.tools(tools)?);
                let options = to.into_iter().fold(options, Rollback::to);
                value(&isobox.rollback(&id_of(&id)?, By::principal(by), options).await?)
            }
            Request::Delete { id, by } => {
                self.archive().await?.delete(&id_of(&id)?, By::principal(by)).await?;
                Ok(Value::Null)
            }
            Request::Prune { keep, by } => value(&self.archive().await?.prune(By::principal(by), keep).await?),
            Request::Expire { older_than_ms, by } => {
                let older_than = Duration::from_millis(older_than_ms);
                value(&self.archive().await?.expire(By::principal(by), older_than).await?.executions)
            }
            Request::Search { query, limit, roles } => {
                value(&self.with_snippets().await?.find(&query, limit, &roles).await)
            }
            Request::Describe { path, tokens, roles } => {
                let isobox = self.workspace.ready().await?.isobox;
                value(&isobox.catalogue().describe(&path, tokens, isobox.policy(), &roles)?)
            }
            Request::Types { roles } => {
                let isobox = self.workspace.ready().await?.isobox;
                let tools = isobox.catalogue().declarations(isobox.policy(), &roles);
                Ok(format!("{tools}{}", isobox.modules().declarations()).into())
            }
            Request::Briefing { template, declarations, overview, roles } => {
                let mut options = BriefingOptions::default();
                options.template = template.unwrap_or(options.template);
                options.declarations = declarations.unwrap_or(options.declarations);
                options.overview = overview.unwrap_or(options.overview);
                let isobox = self.with_snippets().await?;
                options.modules = isobox.modules().described(MODULES);
                Ok(isobox.briefing(&options, &roles).await.into())
            }
            Request::Capacity { set } => {
                let isobox = self.archive().await?;
                Ok(capacity(&isobox, set))
            }
            Request::Check { program, roles } => {
                let found = self.with_snippets().await?.check(&program.program()?, &roles).await?;
                let told = found.iter().map(|finding| {
                    let mut told = value(finding)?;
                    told["certain"] = (finding.certainty == Certainty::Certain).into();
                    Ok(told)
                });
                Ok(told.collect::<Result<Vec<_>, Failure>>()?.into())
            }
            Request::Snippets { request } => self.shelve(request).await,
            Request::Sessions { request } => self.session(request).await,
            Request::Transcripts { request } => Box::pin(self.transcribed(number, request)).await,
            Request::Warnings => {
                let ready = self.workspace.ready().await?;
                let problems = ready.problems.iter().map(ToString::to_string);
                let of_config = self.workspace.config().warnings.iter().cloned();
                let of_runtime = ready.isobox.warnings().into_iter().map(str::to_owned);
                Ok(problems.chain(of_config).chain(of_runtime).collect::<Vec<_>>().into())
            }
            Request::Close => {
                self.close(number).await;
                Ok(Value::Null)
            }
        }
    }

    async fn archive(&self) -> Result<Isobox, Failure> {
        self.workspace.archive().await
    }

    /// Returns the runtime with its store, to read. It has no store if none is configured.
    pub(crate) async fn looked(&self) -> Result<Isobox, Failure> {
        if self.workspace.config().store.keeps_executions() {
            self.workspace.look().await
        } else {
            self.archive().await
        }
    }

    /// Returns what is known of an execution: its program, its state, and its outcome if it is paused or has ended.
    async fn found(&self, id: &ExecutionId) -> Result<Value, Failure> {
        let isobox = self.looked().await?;
        let inspected = isobox.inspect(id).await?;
        let messages = isobox.inbox(id).await?.len();
        let program = isobox.shown(&inspected.beginning.program).await;
        Ok(json!({
            "id": id.as_str(),
            "status": inspected.state(messages),
            "revision": inspected.state.revision,
            "files": program.files(),
            "entry": program.entry(),
            "owner": inspected.beginning.principal().name(),
            "outcome": inspected.outcome(id, isobox.policy()),
        }))
    }
}

fn capacity(isobox: &Isobox, set: Option<SetCapacity>) -> Value {
    let capacity = isobox.capacity();
    match set {
        None => {}
        Some(SetCapacity { memory: None, live: None, queue: None }) => capacity.reset(),
        Some(SetCapacity { memory, live, queue }) => {
            let now = capacity.limits();
            capacity.set(CapacityLimits {
                memory: memory.unwrap_or(now.memory),
                live: live.unwrap_or(now.live),
                queue: queue.unwrap_or(now.queue),
            });
        }
    }
    let (limits, usage) = (capacity.limits(), capacity.usage());
    json!({
        "limits": { "memory": limits.memory, "live": limits.live, "queue": limits.queue },
        "usage": { "memory": usage.memory, "live": usage.live, "queued": usage.queued, "evicted": usage.evicted },
    })
}

fn no_store() -> Failure {
    Failure::new(Code::Config, "this runtime has no store")
        .hint("give it one: `new Isobox({ store: 'sqlite:isobox.db' })`")
}
