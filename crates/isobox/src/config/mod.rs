//! `isobox.json`: which servers are started, which rules hold, what executions may use.
//!
//! The text is read with the place of every value in it, so that everything that is wrong can be shown where it stands,
//! and all at once. What comes from the environment is put in last and never shown: messages quote the file, not its
//! meaning.

mod answer;
mod error;
mod excerpt;
mod findings;
mod limits;
mod policy;
mod reach;
mod reader;
mod retention;
mod servers;
mod store;
mod syntax;
mod tools;
mod validation;
mod variables;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use isobox_core::policy::Policy;
use isobox_core::store::Retention;
use isobox_core::{AnswerOptions, ByteSize, Limits, OwnDecisions, ToolSettings, Validation};
use isobox_store::owned::{self, Guard};

pub use error::{ConfigError, ConfigPlace, Problem};
pub use reach::Reach;
pub use servers::McpServerConfig;
pub use store::{StoreConfig, StoreProblem};

use findings::Findings;
use reader::{ConfigReader, Keys};

/// What `isobox.json` says.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Config {
    /// The MCP servers to start, by name and in the order of the file: of two that come to the same identifier, the first
    /// keeps it.
    pub mcp_servers: IndexMap<String, McpServerConfig>,
    /// The names of the servers that are switched off; nothing else of them is looked at.
    pub disabled_servers: Vec<String>,
    /// What calls may do, and whether owners decide about their own executions.
    pub policy: Policy,
    /// What is said about single tools, by the path that they would have.
    pub tools: BTreeMap<String, ToolSettings>,
    /// The limits that every execution starts from.
    pub limits: Limits,
    /// What a model gets back.
    pub answer: AnswerOptions,
    /// How strictly values are held to schemas.
    pub validation: Validation,
    /// Whether rules and settings that name no tool are an error.
    pub is_strict: bool,
    /// Where executions are kept: nowhere without a file, in `.isobox/isobox.db` beside one that does not say it.
    pub store: StoreConfig,
    /// How long executions are kept.
    pub retention: Retention,
    /// What is in the file to no effect, each in one line with its place.
    pub warnings: Vec<String>,
    /// What it does on this machine before any program runs.
    pub reach: Reach,
}

/// A configuration file that was read, and not looked at yet. What is decided about its content holds for what is parsed.
#[derive(Debug, Clone)]
pub struct ConfigFile {
    path: PathBuf,
    content: Vec<u8>,
    stranger: Option<u32>,
}

impl ConfigFile {
    /// Reads a file. Anything but a regular file is refused, and so is one that other users may change: it names commands to
    /// start.
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All of it.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// The user to whom it belongs, where that is neither this user nor root.
    pub fn stranger(&self) -> Option<u32> {
        self.stranger
    }

    /// What it says. `environment` gives the values of variables. Relative working folders of servers, and the path of a store,
    /// start at the folder of the file.
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
        for server in config.mcp_servers.values_mut() {
            server.cwd = server.cwd.take().map(|cwd| folder.join(cwd));
        }
        config.store = config.store.within(folder);
        Ok(config)
    }
}

impl Config {
    /// The largest file that is read.
    pub const MAX_SIZE: ByteSize = ByteSize::mib(1);

    /// Reads a text. `environment` gives the values of variables.
    ///
    /// What is wrong is collected rather than reported one at a time. Paths stay as they are written.
    pub fn parse(text: &str, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        Self::parse_as(None, text, environment)
    }

    /// Reads a file. Relative working folders of servers, and the path of a store, start at the folder of the file.
    pub fn read(path: &Path, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        ConfigFile::read(path)?.parse(environment)
    }

    fn parse_as(
        file: Option<&Path>,
        text: &str,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        // Some editors mark UTF-8 so.
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
        let commands = config.mcp_servers.iter().map(|(name, server)| (name.clone(), server.written.clone()));
        config.reach.commands = commands.collect();
        config.reach.variables = reader.variables();
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
        "policy",
        "ownDecisions",
        "tools",
        "limits",
        "answer",
        "validation",
        "strict",
        "store",
        "retention",
    ],
    tolerated: &[],
    later: &["openapi", "fetch", "server"],
};

const OWN_DECISIONS: [(&str, OwnDecisions); 2] = [("allow", OwnDecisions::Allow), ("deny", OwnDecisions::Deny)];

fn config_of(reader: &mut ConfigReader<'_>, document: &syntax::Value<'_>) -> Config {
    let mut config = Config::default();
    reader.refuse_duplicates(document);
    let Some(section) = reader.section("", document, &KEYS) else { return config };
    if let Some(value) = section.get("mcpServers") {
        (config.mcp_servers, config.disabled_servers) = servers::read(reader, value);
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
    if let Some(value) = section.get("answer") {
        config.answer = answer::read(reader, value);
    }
    if let Some(value) = section.get("validation") {
        config.validation = validation::read(reader, value);
    }
    config.is_strict = reader.truth(&section, "strict").unwrap_or_default();
    config.store = match section.get("store") {
        Some(value) => store::read(reader, value),
        None => StoreConfig::Sqlite(StoreConfig::DEFAULT_PATH.into()),
    };
    let written = section.get("store").map(store::written).unwrap_or_default();
    config.reach.store = reach::elsewhere(&config.store, &written);
    if let Some(value) = section.get("retention") {
        config.retention = retention::read(reader, value);
    }
    config
}
