//! `isobox.json`: the servers, the policy, and the limits of executions.
//!
//! The parser keeps the place of every value, so that all problems are reported at once with their places. Values of
//! the environment are substituted last and never shown: messages quote the file, not the substituted text.

mod answer;
mod continuations;
mod edit;
mod error;
mod excerpt;
mod experience;
mod fetch;
mod findings;
mod graphql;
mod json_value;
mod limits;
mod modules;
mod policy;
mod reach;
mod reader;
mod retention;
mod rules;
#[cfg(test)]
mod schema_tests;
mod servers;
mod services;
mod sessions;
mod snippets;
mod store;
mod syntax;
mod tools;
mod validation;
mod variables;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use isobox_connect::McpTarget;
use isobox_connect::WebOptions;
use isobox_core::experience::ExperienceOptions;
use isobox_core::policy::Policy;
use isobox_core::program::Rules;
use isobox_core::snippets::SnippetOptions;
use isobox_core::store::Retention;
use isobox_core::{
    AnswerOptions, ByteSize, Checks, Limits, OwnDecisions, Region, SessionOptions, ToolSettings, Validation,
};
use isobox_sandbox::{check_locale, check_zone};
use isobox_store::owned::{self, Guard};

pub use continuations::{ContinuationConfig, EarlierKey};
pub use edit::{ConfigText, parse_foreign};
pub use error::{ConfigError, ConfigPlace, Problem};
pub use graphql::GraphQlConfig;
pub use modules::ModuleConfig;
pub use reach::Reach;
pub use servers::McpServerConfig;
pub use services::OpenApiConfig;
pub use store::{StoreConfig, StoreProblem};

use findings::Findings;
use reader::{ConfigReader, Keys, Section};

/// The content of `isobox.json`.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Config {
    /// The MCP servers to start, by name and in the order of the file. Of two with the same identifier, the first keeps
    /// it.
    pub mcp_servers: IndexMap<String, McpServerConfig>,
    /// The web services with an OpenAPI document, by name and in the order of the file. They come after the MCP servers.
    pub openapi: IndexMap<String, OpenApiConfig>,
    /// The GraphQL services, by name and in the order of the file. They come after the web services.
    pub graphql: IndexMap<String, GraphQlConfig>,
    /// The requests that programs may make with `fetch`. None has no `fetch`.
    pub fetch: Option<WebOptions>,
    /// The names of disabled servers and services. Their other settings are ignored.
    pub disabled_servers: Vec<String>,
    /// The policy that calls are checked against, and whether owners decide about their own executions.
    pub policy: Policy,
    /// The settings of single tools, by their default path.
    pub tools: BTreeMap<String, ToolSettings>,
    /// The limits that every execution starts from.
    pub limits: Limits,
    /// The locale and the time zone of programs.
    pub region: Region,
    /// The options for answers to a model.
    pub answer: AnswerOptions,
    /// The strictness of schema validation.
    pub validation: Validation,
    /// Whether programs are checked before they run.
    pub checks: Checks,
    /// The rules over the syntax of programs.
    pub rules: Rules,
    /// The modules that programs may import, by specifier and in the order of the file.
    pub modules: IndexMap<String, ModuleConfig>,
    /// Whether and how the types of results are learned.
    pub experience: ExperienceOptions,
    /// From how many successes snippets are trusted.
    pub snippets: SnippetOptions,
    /// Whether rules and settings that name no tool are an error.
    pub is_strict: bool,
    /// The store of durable executions: none without a file, `.isobox/isobox.db` beside a file that does not name one.
    pub store: StoreConfig,
    /// The bounds of sessions whose globals programs use.
    pub sessions: SessionOptions,
    /// How pauses without a store are sealed.
    pub continuations: ContinuationConfig,
    /// The retention of executions.
    pub retention: Retention,
    /// The parts of the file without effect, each in one line with its place.
    pub warnings: Vec<String>,
    /// The effects on this machine before any program runs.
    pub reach: Reach,
}

/// A configuration file that was read and not parsed yet. Its content cannot change between a decision about it and
/// parsing.
#[derive(Debug, Clone)]
pub struct ConfigFile {
    path: PathBuf,
    content: Vec<u8>,
    stranger: Option<u32>,
}

impl ConfigFile {
    /// Reads a file. Refuses anything but a regular file, and a file that other users may change, because it names
    /// commands to start.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let read = || {
            let file = owned::open_to_read(path)?;
            let metadata = file.metadata()?;
            owned::check_rights(&metadata, path, Guard::Unchanged)?;
            let mut content = Vec::new();
            file.take(Config::MAX_SIZE.get() + 1).read_to_end(&mut content)?;
            if !Config::MAX_SIZE.holds(content.len()) {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            Ok(Self { path: path.to_owned(), content, stranger: owned::stranger(&metadata) })
        };
        read().map_err(|error| ConfigError::of_file(path, &error))
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the content.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// Returns the owner of the file if that is neither this user nor root.
    pub fn stranger(&self) -> Option<u32> {
        self.stranger
    }

    /// Parses the file. `environment` returns the values of variables. Relative working directories of servers, and the
    /// paths of documents and of a store, start at the folder of the file.
    pub fn parse(&self, environment: &dyn Fn(&str) -> Option<String>) -> Result<Config, ConfigError> {
        let (path, bytes) = (&*self.path, &*self.content);
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let intact = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                let mut findings = Findings::default();
                findings.add(intact.len(), "this is not UTF-8; save the file with that encoding".to_owned());
                let everything = 0..intact.len();
                return Err(ConfigError::new(Some(path), &intact, findings, std::slice::from_ref(&everything)));
            }
        };
        let mut config = Config::parse_as(Some(path), text, environment)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        config.mcp_servers.values_mut().for_each(|server| server.within(folder));
        config.openapi.values_mut().for_each(|service| service.within(folder));
        config.graphql.values_mut().for_each(|service| service.within(folder));
        config.modules.values_mut().for_each(|module| module.within(folder));
        config.store = config.store.within(folder);
        Ok(config)
    }
}

impl Config {
    /// The maximum size of a file.
    pub const MAX_SIZE: ByteSize = ByteSize::mib(1);

    /// Parses a text. `environment` returns the values of variables.
    ///
    /// Problems are collected rather than reported one at a time. Paths stay as they are written.
    pub fn parse(text: &str, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        Self::parse_as(None, text, environment)
    }

    /// Reads a file. Relative working directories of servers, and the path of a store, start at the folder of the file.
    pub fn read(path: &Path, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        ConfigFile::read(path)?.parse(environment)
    }

    fn parse_as(
        file: Option<&Path>,
        text: &str,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        // Some editors write a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let fail = |findings, secrets: &[_]| Err(ConfigError::new(file, text, findings, secrets));
        if !Self::MAX_SIZE.holds(text.len()) {
            return Err(ConfigError::too_large(file));
        }
        let document = match syntax::parse(text) {
            Ok(document) => document,
            Err(finding) => return fail(finding, &excerpt::all_values(text)),
        };
        let secrets = excerpt::secrets_of(text, &document);
        let mut reader = ConfigReader::new(text, environment);
        let mut config = config_of(&mut reader, &document);
        let servers = |is_remote: bool| {
            let servers = config.mcp_servers.iter();
            let servers = servers.filter(move |(_, server)| matches!(server.target, McpTarget::Remote(_)) == is_remote);
            servers.map(|(name, server)| (name.clone(), server.written.clone())).collect::<Vec<_>>()
        };
        config.reach.commands = servers(false);
        let remote = servers(true).into_iter();
        let openapi = config.openapi.iter().map(|(name, service)| (name.clone(), service.written.clone()));
        let graphql = config.graphql.iter().map(|(name, service)| (name.clone(), service.written.clone()));
        config.reach.services = remote.chain(openapi).chain(graphql).chain(config.reach.services).collect();
        (config.reach.files, config.reach.variables) = (reader.files(), reader.variables());
        config.reach.environment = reader.environment_set();
        let (problems, warnings) = reader.finish();
        if !problems.is_empty() {
            return fail(problems, &secrets);
        }
        config.warnings = error::lines(warnings, file, text);
        Ok(config)
    }
}

const KEYS: Keys = Keys {
    known: &[
        "mcpServers",
        "openapi",
        "graphql",
        "fetch",
        "policy",
        "ownDecisions",
        "tools",
        "limits",
        "locale",
        "timeZone",
        "answer",
        "validation",
        "checks",
        "rules",
        "modules",
        "experience",
        "snippets",
        "strict",
        "store",
        "sessions",
        "continuations",
        "retention",
    ],
    // Editors find the schema of the file by it.
    tolerated: &["$schema"],
    later: &["server"],
};

const CHECKS: [(&str, Checks); 3] = [("errors", Checks::Errors), ("warnings", Checks::Warnings), ("off", Checks::Off)];

const OWN_DECISIONS: [(&str, OwnDecisions); 2] = [("allow", OwnDecisions::Allow), ("deny", OwnDecisions::Deny)];

fn config_of(reader: &mut ConfigReader<'_>, document: &syntax::Value<'_>) -> Config {
    let mut config = Config::default();
    reader.refuse_duplicates(document);
    let Some(section) = reader.section("", document, &KEYS) else { return config };
    if let Some(value) = section.get("mcpServers") {
        (config.mcp_servers, config.disabled_servers) = servers::read(reader, value);
    }
    if let Some(value) = section.get("openapi") {
        let (services, disabled) = services::read(reader, value);
        config.openapi = services;
        config.disabled_servers.extend(disabled);
    }
    if let Some(value) = section.get("graphql") {
        let (services, disabled) = graphql::read(reader, value);
        config.graphql = services;
        config.disabled_servers.extend(disabled);
    }
    if let Some((options, written)) = section.get("fetch").and_then(|value| fetch::read(reader, value)) {
        config.fetch = Some(options);
        config.reach.services.push(("fetch".to_owned(), written));
    }
    if let Some(value) = section.get("policy") {
        config.policy = policy::read(reader, value);
    }
    let own_decisions = reader.choice(&section, "ownDecisions", &OWN_DECISIONS).unwrap_or_default();
    config.policy = config.policy.with_own_decisions(own_decisions);
    if let Some(value) = section.get("tools") {
        config.tools = tools::read(reader, value);
    }
    if let Some(value) = section.get("limits") {
        config.limits = limits::read(reader, value);
    }
    config.region = read_region(reader, &section);
    if let Some(value) = section.get("answer") {
        config.answer = answer::read(reader, value);
    }
    if let Some(value) = section.get("validation") {
        config.validation = validation::read(reader, value);
    }
    config.checks = reader.choice(&section, "checks", &CHECKS).unwrap_or_default();
    if let Some(value) = section.get("rules") {
        config.rules = rules::read(reader, value);
    }
    if let Some(value) = section.get("modules") {
        config.modules = modules::read(reader, value);
    }
    if let Some(value) = section.get("experience") {
        config.experience = experience::read(reader, value);
    }
    if let Some(value) = section.get("snippets") {
        config.snippets = snippets::read(reader, value);
    }
    config.is_strict = reader.truth(&section, "strict").unwrap_or_default();
    config.store = match section.get("store") {
        Some(value) => store::read(reader, value),
        None => StoreConfig::Sqlite(StoreConfig::DEFAULT_PATH.into()),
    };
    let written = section.get("store").map(store::written).unwrap_or_default();
    config.reach.store = reach::elsewhere(&config.store, &written);
    if let Some(value) = section.get("sessions") {
        config.sessions = sessions::read(reader, value);
    }
    if let Some(value) = section.get("continuations") {
        config.continuations = continuations::read(reader, value);
    }
    if let Some(value) = section.get("retention") {
        config.retention = retention::read(reader, value);
        config.reach.retention = reach::in_words(&config.retention);
    }
    config
}

/// Reads `locale` and `timeZone`.
fn read_region(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Region {
    let mut region = Region::default();
    if let Some(locale) = reader.text(section, "locale") {
        match check_locale(&locale.value) {
            Ok(_) => region = region.locale(locale.value),
            Err(reason) => {
                reader.problem(locale.start, "`locale`", locale.blame(reason, "it is not the tag of a locale"))
            }
        }
    }
    if let Some(zone) = reader.text(section, "timeZone") {
        match check_zone(&zone.value) {
            Ok(_) => region = region.time_zone(zone.value),
            Err(reason) => {
                reader.problem(zone.start, "`timeZone`", zone.blame(reason, "it is not the name of a time zone"))
            }
        }
    }
    region
}
