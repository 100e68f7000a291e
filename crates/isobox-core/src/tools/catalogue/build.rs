//! Builds a catalogue: makes names unique and stable, and leaves out unusable parts with a warning.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::naming::{Named, check_reverts, first_free, is_of_reverts, label, named, part_names};
use super::unmatched::{Absence, Absent};
use super::{Catalogue, Namespace, root};
use crate::text::{brief, shorten, without_escapes};
use crate::tools::declarations::identifier_of;
use crate::tools::schema::{MAX_SCHEMA, Schema, objection};
use crate::tools::tool::Origin;
use crate::{Code, Connector, Defaults, Failure, Offer, OfferedTool, RevertCall, Tool, ToolCall, ToolHints, ToolPath};

/// A catalogue that is being built.
#[derive(Default)]
pub struct CatalogueBuilder {
    tools: BTreeMap<String, Tool>,
    namespaces: BTreeMap<String, Namespace>,
    renamings: Vec<Renaming>,
    warnings: Vec<String>,
    settings: BTreeMap<String, ToolSettings>,
    /// Paths that tools of connectors are renamed to. They are reserved even if the tools are missing.
    renamed_to: BTreeSet<String>,
    /// The first segments of the paths of the host's own tools.
    host_roots: BTreeSet<String>,
    /// The names of connectors in programs, including absent ones.
    roots: BTreeSet<String>,
    absent: Vec<Absent>,
    connectors: Vec<Arc<dyn Connector>>,
}

/// The host's settings for a connector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConnectorSettings {
    /// Whether the hints of its tools may loosen the policy, not only tighten it.
    pub is_trusted: bool,
    /// Its purpose, in one line.
    pub hint: String,
}

impl ConnectorSettings {
    setters! {
        is_trusted: bool,
        hint: impl Into<String>,
    }
}

/// The host's settings for a tool of a connector, by its default path or by its name at the connector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolSettings {
    /// The path that replaces the default one.
    pub rename: Option<ToolPath>,
    /// The description that replaces its own.
    pub description: Option<String>,
    /// Whether the tool is idempotent.
    pub is_idempotent: Option<bool>,
    /// Whether the tool only reads.
    pub is_read_only: Option<bool>,
    /// Whether every call needs approval.
    pub needs_approval: Option<bool>,
    /// The type of the function in TypeScript. It replaces the one that is derived from its schemas.
    pub types: Option<String>,
    /// The treatment of the defaults of its input schema. Overrides the runtime.
    pub defaults: Option<Defaults>,
    /// The call that reverts calls of the tool.
    pub revert: Option<RevertCall>,
}

impl ToolSettings {
    setters! {
        rename: impl Into<Option<ToolPath>>,
        description: impl Into<Option<String>>,
        is_idempotent: impl Into<Option<bool>>,
        is_read_only: impl Into<Option<bool>>,
        needs_approval: impl Into<Option<bool>>,
        types: impl Into<Option<String>>,
        defaults: impl Into<Option<Defaults>>,
        revert: impl Into<Option<RevertCall>>,
    }
}

/// A tool whose path differs from its name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renaming {
    /// The name of its connector.
    pub connector: String,
    /// Its name at the connector.
    pub name: String,
    /// Its path.
    pub path: String,
}

/// The maximum number of tools of a connector. Further ones are left out with a warning.
const MAX_TOOLS: usize = 20_000;
/// The maximum length of a description, in characters.
const MAX_DESCRIPTION: usize = 20_000;
/// The maximum length of an inventory, in characters.
const MAX_INVENTORY: usize = 4_000;
/// The maximum length of a tool's connector name in reports, in characters.
const MAX_NAME: usize = 200;
/// The maximum number of warnings about one connector.
const MAX_WARNINGS: usize = 50;
/// The maximum length of a connector's own warning, in characters.
const MAX_WARNING: usize = 300;

impl CatalogueBuilder {
    /// Adds settings for a tool of a connector. Must be called before the connectors are added.
    pub fn settings(&mut self, path: impl Into<String>, settings: ToolSettings) {
        self.renamed_to.extend(settings.rename.iter().map(|path| path.as_str().to_owned()));
        self.settings.insert(path.into(), settings);
    }

    /// Adds a tool of the host. Returns `CONFIG` if its path is taken, or that of its reverts.
    pub fn tool(&mut self, tool: Tool) -> Result<(), Failure> {
        let path = tool.path().as_str().to_owned();
        if self.tools.contains_key(&path) {
            return Err(Failure::new(Code::Config, format!("two tools have the path `{path}`")));
        }
        check_reverts(&self.tools, &tool)?;
        self.host_roots.insert(root(&path).to_owned());
        self.tools.insert(path, tool);
        Ok(())
    }

    /// Adds the offer of a connector under its name. The offer never affects the rest of the catalogue: tools whose
    /// path is taken get a number after it, and unusable parts are left out with a warning. The order of its tools
    /// makes no difference.
    ///
    /// Of connectors with the same name the first keeps it. All connectors must therefore be added in the same order
    /// every time, and those that offer nothing now with [`CatalogueBuilder::absent_connector`].
    pub fn connector(&mut self, connector: &Arc<dyn Connector>, offer: Offer, settings: &ConnectorSettings) {
        let root = self.take_root(connector.name());
        self.connectors.push(Arc::clone(connector));
        let known = self.warnings.len();
        let namespace = self.namespaces.entry(root.clone()).or_default();
        namespace.hint.clone_from(&settings.hint);
        namespace.instructions = shorten(&offer.instructions, MAX_DESCRIPTION);
        let own = offer.warnings.iter().map(|warning| format!("`{root}`: {}", brief(warning, MAX_WARNING)));
        self.warnings.extend(own);
        if offer.tools.len() > MAX_TOOLS {
            let count = offer.tools.len();
            self.warnings.push(format!("`{root}` offers {count} tools, of which {MAX_TOOLS} are used"));
        }
        let mut named = named(&root, connector.name(), offer.tools);
        named.truncate(MAX_TOOLS);
        let reserved: BTreeSet<String> = named.iter().map(|named| named.natural.clone()).collect();
        for named in named {
            self.offered(connector, named, settings, &reserved);
        }
        let more = (self.warnings.len() - known).saturating_sub(MAX_WARNINGS);
        if more > 0 {
            self.warnings.truncate(known + MAX_WARNINGS);
            self.warnings.push(format!("`{root}`: there are {more} more warnings about it"));
        }
    }

    /// Reserves the name of a connector that offers nothing now, so that later ones keep their usual names.
    pub fn absent_connector(&mut self, name: &str) {
        let root = self.take_root(name);
        self.missing(name, &root, Absence::Down);
    }

    /// Records a connector that the host has disabled, so that settings for its tools are not reported as mistakes.
    pub fn disabled_connector(&mut self, name: &str) {
        self.missing(name, &identifier_of(name), Absence::Disabled);
    }

    fn missing(&mut self, name: &str, root: &str, why: Absence) {
        let mut starts = vec![format!("{root}."), format!("{name}.")];
        let is_its_own = |path: &str| starts.iter().any(|start| path.starts_with(start));
        let own = self.settings.iter().filter(|(path, _)| is_its_own(path));
        let renamed: Vec<String> =
            own.filter_map(|(_, settings)| Some(settings.rename.as_ref()?.to_string())).collect();
        starts.extend(renamed);
        self.absent.push(Absent { name: name.to_owned(), starts, why });
    }

    /// Builds the catalogue.
    pub fn build(mut self) -> Catalogue {
        part_names(&mut self.tools);
        for path in self.tools.keys() {
            self.namespaces.entry(root(path).to_owned()).or_default().tools += 1;
        }
        // A tool at the top level is a namespace of its own.
        self.namespaces.retain(|_, namespace| namespace.tools > 0);
        Catalogue {
            tools: self.tools.into_iter().map(|(path, tool)| (path, Arc::new(tool))).collect(),
            index: OnceLock::new(),
            globals: Default::default(),
            namespaces: self.namespaces,
            renamings: self.renamings,
            // Warnings quote names and schemas of servers.
            warnings: self.warnings.iter().map(|warning| without_escapes(warning).into_owned()).collect(),
            absent: self.absent,
            unused_settings: self.settings.into_keys().collect(),
            connectors: self.connectors,
        }
    }

    /// Returns a unique name for a connector. The tools of other connectors are ignored, because they may change.
    fn take_root(&mut self, name: &str) -> String {
        let wanted = identifier_of(name);
        let is_free = |name: &str| {
            !self.roots.contains(name) && !self.host_roots.contains(name) && name.parse::<ToolPath>().is_ok()
        };
        let (root, number) = first_free(&wanted, 1, is_free);
        if number > 1 {
            let name = brief(name, 80);
            self.warnings.push(format!("the tools of `{name}` are found under `{root}`, because `{wanted}` is taken"));
        }
        self.roots.insert(root.clone());
        root
    }

    fn offered(
        &mut self,
        connector: &Arc<dyn Connector>,
        named: Named,
        settings: &ConnectorSettings,
        reserved: &BTreeSet<String>,
    ) {
        let Named { offered, natural, others, keys } = named;
        // A name at the service may also be the path of another tool of the connector.
        let keys = keys.iter().filter(|key| !reserved.contains(*key)).chain(std::iter::once(&natural));
        let configured = keys.into_iter().find_map(|key| self.settings.remove(key)).unwrap_or_default();
        let wanted = configured.rename.as_ref().map_or(natural.as_str(), ToolPath::as_str).to_owned();
        let (path, _) = first_free(&wanted, 1, |path| {
            let is_its_own = path == wanted && (configured.rename.is_some() || !self.renamed_to.contains(path));
            let is_nobodys = !self.renamed_to.contains(path) && !reserved.contains(path);
            let is_free = !self.tools.contains_key(path) && !is_of_reverts(&self.tools, path);
            (is_its_own || is_nobodys) && is_free && path.parse::<ToolPath>().is_ok()
        });
        if path != format!("{}.{}", connector.name(), label(&offered)) {
            let (connector, name) = (connector.name().to_owned(), shorten(label(&offered), MAX_NAME));
            self.renamings.push(Renaming { connector, name, path: path.clone() });
        }
        let mut others: Vec<String> = others.into_iter().chain([natural]).filter(|name| *name != path).collect();
        others.sort();
        others.dedup();
        let connector_name = connector.name().to_owned();
        let origin = Origin {
            connector: connector_name,
            name: offered.name.clone(),
            title: offered.title.clone(),
            others,
            shared: Vec::new(),
        };
        self.insert(connector, (offered, origin), &path, configured, settings);
    }

    fn insert(
        &mut self,
        connector: &Arc<dyn Connector>,
        (offered, origin): (OfferedTool, Origin),
        path: &str,
        configured: ToolSettings,
        settings: &ConnectorSettings,
    ) {
        let (connector, name, version) = (Arc::clone(connector), Arc::<str>::from(offered.name), offered.version);
        let general = offered.is_general.then(|| (Arc::clone(&connector), Arc::clone(&name)));
        let handler = move |mut call: ToolCall| {
            call.context.tool_version = version;
            let (connector, name) = (Arc::clone(&connector), Arc::clone(&name));
            async move { connector.call(&name, call).await }
        };
        let mut tool = match Tool::with_call(path, handler) {
            Ok(tool) => tool,
            Err(failure) => {
                self.warnings.push(format!("the tool `{path}` is left out: {}", failure.message));
                return;
            }
        };
        let description = configured.description.unwrap_or(offered.description);
        if description.chars().nth(MAX_DESCRIPTION).is_some() {
            self.warnings.push(format!("the description of `{path}` is cut to {MAX_DESCRIPTION} characters"));
        }
        tool = tool
            .description(shorten(&description, MAX_DESCRIPTION))
            .inventory(&shorten(&offered.inventory, MAX_INVENTORY))
            .origin(origin)
            .hints(offered.hints, settings.is_trusted)
            .bound_to(offered.binding)
            .idempotent(configured.is_idempotent.unwrap_or(settings.is_trusted && may_be_repeated(offered.hints)));
        if let Some((connector, name)) = general {
            tool = tool.general(Arc::new(move |input| connector.equivalents(&name, input)));
        }
        if offered.serves_fetch {
            tool = tool.behind_fetch();
        }
        if let Some(reads) = configured.is_read_only {
            tool = tool.read_only(reads);
        }
        if configured.needs_approval == Some(true) {
            tool = tool.with_approval();
        }
        if let Some(types) = configured.types {
            tool = tool.types(types);
        }
        if let Some(defaults) = configured.defaults {
            tool = tool.defaults(defaults);
        }
        if let Some(revert) = configured.revert {
            tool = tool.reverted_by(revert);
        }
        if let Some(schema) = offered.input_schema {
            tool = self.with_schema(tool, schema, Which::Input);
        }
        if let Some(schema) = offered.output_schema {
            let which = if offered.is_output_unchecked { Which::OutputShown } else { Which::Output };
            tool = self.with_schema(tool, schema, which);
        }
        self.tools.insert(path.to_owned(), tool);
    }

    /// Sets a schema. An unusable one is dropped, and the tool stays.
    fn with_schema(&mut self, tool: Tool, schema: Value, which: Which) -> Tool {
        let path = tool.path().as_str().to_owned();
        let size = serde_json::to_string(&schema).map_or(usize::MAX, |text| text.len());
        if size > MAX_SCHEMA {
            self.warnings.push(format!("the {which} schema of `{path}` has {size} bytes and is not used"));
            return tool;
        }
        if !schema.is_object() && !schema.is_boolean() {
            self.warnings
                .push(format!("the {which} schema of `{path}` is neither an object nor a boolean, and is not used"));
            return tool;
        }
        let schema = match objection(&schema) {
            _ if which == Which::OutputShown => Schema::shown(schema),
            None => Schema::offered(schema),
            Some(objection) => {
                self.warnings
                    .push(format!("the {which} schema of `{path}` {objection}, so that nothing is checked against it"));
                Schema::shown(schema)
            }
        };
        match which {
            Which::Input => tool.offered_input_schema(schema),
            Which::Output | Which::OutputShown => tool.offered_output_schema(schema),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    Input,
    Output,
    /// An output schema that results are not checked against.
    OutputShown,
}

impl std::fmt::Display for Which {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Input => "input",
            Self::Output | Self::OutputShown => "output",
        })
    }
}

/// Tells whether the hints of a tool say that it can be repeated safely.
fn may_be_repeated(hints: ToolHints) -> bool {
    hints.idempotent == Some(true) || hints.read_only == Some(true)
}

/// Returns the names of a tool's parameters.
pub(super) fn parameters(schema: Option<&Value>) -> Vec<&str> {
    const MAX_PARAMETERS: usize = 100;
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    properties.map(|entries| entries.keys().take(MAX_PARAMETERS).map(String::as_str).collect()).unwrap_or_default()
}
