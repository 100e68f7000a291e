//! The options of a runtime: a configuration file, settings that replace its sections, and tools of JavaScript.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use isobox::config::{Config, ConfigError, StoreConfig};
use isobox::policy::Approver;
use isobox::program::Module;
use isobox::store::{Timing, memory_store};
use isobox::workspace::{Workspace, WorkspaceOptions};
use isobox::{ByteSize, Code, Continuations, Failure, Region, Timestamp, Value};
use serde::Deserialize;

use crate::bridge::Bridge;
use crate::tools::{AsksHost, Definition};

/// The maximum number of live executions, unless the host says otherwise. Each takes 4 GiB of address space, and a process may have
/// several versions of the package.
const MAX_LIVE: u32 = 2048;

/// The options of a runtime.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Options {
    /// The path of an `isobox.json`.
    #[serde(default)]
    file: Option<PathBuf>,
    /// Sections like those of an `isobox.json`. They replace those of the file.
    #[serde(default)]
    settings: serde_json::Map<String, Value>,
    /// Modules whose content JavaScript has.
    #[serde(default)]
    modules: Vec<OwnModule>,
    /// Values of environment variables for `${NAME}`.
    #[serde(default)]
    environment: std::collections::HashMap<String, String>,
    #[serde(default)]
    tools: Vec<Definition>,
    /// Whether JavaScript decides about calls that need approval.
    #[serde(default)]
    approves: bool,
    #[serde(default)]
    max_live: Option<NonZeroU32>,
    #[serde(default)]
    timing: Option<Leases>,
    #[serde(default)]
    continuations: Option<Sealing>,
}

/// The durations of leases and heartbeats, in milliseconds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Leases {
    #[serde(default)]
    lease_ms: Option<u64>,
    #[serde(default)]
    heartbeat_ms: Option<u64>,
    #[serde(default)]
    margin_ms: Option<u64>,
    #[serde(default)]
    outage_ms: Option<u64>,
    #[serde(default)]
    doubt_ms: Option<u64>,
}

impl From<Leases> for Timing {
    fn from(leases: Leases) -> Self {
        let usual = Self::default();
        let or = |given: Option<u64>, usual: Duration| given.map_or(usual, Duration::from_millis);
        usual
            .clone()
            .lease(or(leases.lease_ms, usual.lease))
            .heartbeat(or(leases.heartbeat_ms, usual.heartbeat))
            .margin(or(leases.margin_ms, usual.margin))
            .outage(or(leases.outage_ms, usual.outage))
            .doubt(leases.doubt_ms.map(Duration::from_millis))
    }
}

/// A module with its content.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OwnModule {
    specifier: String,
    content: Content,
    #[serde(default)]
    types: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Content {
    Source(String),
    Value(Value),
}

impl OwnModule {
    fn module(self) -> Result<Module, Failure> {
        let module = match self.content {
            Content::Source(source) => Module::code(self.specifier, source)?,
            Content::Value(value) => Module::json(self.specifier, value)?,
        };
        Ok(match self.types {
            Some(types) => module.types(types),
            None => module,
        })
    }
}

/// The settings for sealing continuations.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Sealing {
    #[serde(default)]
    secret: Option<String>,
    #[serde(default)]
    earlier: Vec<Earlier>,
    #[serde(default)]
    audience: Option<String>,
    #[serde(default)]
    lifetime_ms: Option<u64>,
    #[serde(default)]
    limit: Option<ByteSize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Earlier {
    secret: String,
    until: u64,
}

impl Options {
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        serde_json::from_str(text).map_err(|error| Failure::new(Code::Config, format!("the options: {error}")))
    }

    /// Creates the runtime, and what seals its continuations.
    pub(crate) fn build(mut self, bridge: &Arc<Bridge>) -> Result<(Workspace, Continuations), Failure> {
        let in_memory = self.settings.get("store") == Some(&"memory".into());
        if in_memory {
            self.settings.insert("store".to_owned(), "none".into());
        }
        let config = self.config().map_err(|error| Failure::new(Code::Config, error.to_string()))?;
        let approver = self.approves.then(|| Arc::new(AsksHost(Arc::clone(bridge))) as Arc<dyn Approver>);
        let tools: Result<Vec<_>, _> = self.tools.into_iter().map(|definition| definition.into_tool(bridge)).collect();
        let (tools, continuations) = (Mutex::new(tools?), continuations(self.continuations)?);
        let modules: Result<Vec<_>, _> = self.modules.into_iter().map(OwnModule::module).collect();
        let options = WorkspaceOptions::default()
            .modules(modules?)
            .timing(self.timing.map(Timing::from).unwrap_or_default())
            .max_live(self.max_live.or(NonZeroU32::new(MAX_LIVE)))
            .approver(approver)
            .store(in_memory.then(memory_store));
        let tools = move || Ok(tools.lock().unwrap_or_else(PoisonError::into_inner).clone());
        Ok((Workspace::with_tools(config, options, tools)?, continuations))
    }

    fn config(&self) -> Result<Config, ConfigError> {
        let environment = |name: &str| self.environment.get(name).cloned();
        let text = Value::Object(self.settings.clone()).to_string();
        let mut settings = Config::parse(&text, &environment)?;
        let Some(file) = &self.file else {
            // An object has a store only if it names one.
            if !self.settings.contains_key("store") {
                settings.store = StoreConfig::Nowhere;
            }
            return Ok(settings);
        };
        let mut config = Config::read(file, &environment)?;
        let own_decisions = settings.policy.own_decisions();
        for key in self.settings.keys() {
            match key.as_str() {
                "mcpServers" => config.mcp_servers.clone_from(&settings.mcp_servers),
                "openapi" => config.openapi.clone_from(&settings.openapi),
                "graphql" => config.graphql.clone_from(&settings.graphql),
                "fetch" => config.fetch.clone_from(&settings.fetch),
                "policy" => {
                    let own_decisions = config.policy.own_decisions();
                    config.policy = settings.policy.clone().with_own_decisions(own_decisions);
                }
                "ownDecisions" => {
                    config.policy = std::mem::take(&mut config.policy).with_own_decisions(own_decisions);
                }
                "tools" => config.tools.clone_from(&settings.tools),
                "limits" => config.limits = settings.limits.clone(),
                "locale" | "timeZone" => config.region = either(&settings.region, config.region),
                "validation" => config.validation = settings.validation,
                "checks" => config.checks = settings.checks,
                "rules" => config.rules = settings.rules.clone(),
                "modules" => config.modules.clone_from(&settings.modules),
                "sessions" => config.sessions = settings.sessions.clone(),
                "experience" => config.experience = settings.experience.clone(),
                "snippets" => config.snippets = settings.snippets.clone(),
                "answer" => config.answer = settings.answer.clone(),
                "strict" => config.is_strict = settings.is_strict,
                "store" => config.store = settings.store.clone(),
                "retention" => config.retention = settings.retention,
                _ => {}
            }
        }
        Ok(config)
    }
}

/// Returns a region with what `first` chooses, and with what `second` chooses otherwise.
pub(crate) fn either(first: &Region, second: Region) -> Region {
    let second = first.chosen_locale().map_or(second.clone(), |locale| second.locale(locale));
    first.chosen_time_zone().map_or(second.clone(), |zone| second.time_zone(zone))
}

fn continuations(sealing: Option<Sealing>) -> Result<Continuations, Failure> {
    let Some(Sealing { secret, earlier, audience, lifetime_ms, limit }) = sealing else {
        return Ok(Continuations::of_this_process());
    };
    let mut sealed = match secret {
        Some(secret) => Continuations::new(secret.as_bytes())?,
        None => Continuations::of_this_process(),
    };
    for Earlier { secret, until } in earlier {
        sealed = sealed.also(secret.as_bytes(), Timestamp(until))?;
    }
    if let Some(audience) = audience {
        sealed = sealed.audience(audience);
    }
    if let Some(lifetime) = lifetime_ms {
        sealed = sealed.lifetime(Duration::from_millis(lifetime));
    }
    if let Some(limit) = limit {
        sealed = sealed.limit(limit);
    }
    Ok(sealed)
}
