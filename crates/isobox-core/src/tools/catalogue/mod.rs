//! The catalogue of everything that programs may call: tools of the host and of connectors, by path.
//!
//! A catalogue never changes: if a connector's offer changes, a new one is built. Everything that is derived from it
//! (the index, declarations, the briefing) therefore stays the same.

mod briefing;
mod build;
mod found;
mod lookup;
mod naming;
mod unknown_parts;
mod unmatched;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::search::{Index, IndexEntry};
use crate::{Code, Connector, Failure, Tool};

pub use briefing::BriefingOptions;
pub use build::{CatalogueBuilder, ConnectorSettings, Renaming, ToolSettings};
pub use found::{Described, DescribedKind, SearchHit, SearchResults};
pub use unmatched::{Strictness, Unmatched};

use build::parameters;
use naming::{check_reverts, share_names};
use unmatched::Absent;

/// All the tools of a runtime.
pub struct Catalogue {
    tools: BTreeMap<String, Arc<Tool>>,
    /// Built on first use. Most catalogues of a single execution never need it.
    index: OnceLock<Index>,
    /// The globals that programs find, without and with the top-level namespaces. Collected on first use.
    globals: [OnceLock<Arc<[String]>>; 2],
    namespaces: BTreeMap<String, Namespace>,
    renamings: Vec<Renaming>,
    warnings: Vec<String>,
    /// Connectors whose tools are missing.
    absent: Vec<Absent>,
    /// Configured tools that no connector offers.
    unused_settings: Vec<String>,
    connectors: Vec<Arc<dyn Connector>>,
}

/// The tools below one top-level name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Namespace {
    /// Its purpose, in a line of the host.
    pub hint: String,
    /// Instructions for using its tools together, from its connector.
    pub instructions: String,
    /// The number of its tools.
    pub tools: usize,
}

impl Catalogue {
    /// Creates a builder.
    pub fn builder() -> CatalogueBuilder {
        CatalogueBuilder::default()
    }

    /// Returns the tool at a path.
    pub fn get(&self, path: &str) -> Option<&Tool> {
        self.tools.get(path).map(|tool| &**tool)
    }

    /// Returns the tool with this path, or else the one that has this name at its connector.
    pub(crate) fn named(&self, name: &str) -> Option<&Tool> {
        self.get(name).or_else(|| self.iter().find(|tool| tool.names().own().any(|own| own == name)))
    }

    /// Returns the tool of a connector by its name there.
    pub(crate) fn offered_as(&self, connector: &str, name: &str) -> Option<&Tool> {
        self.tools.values().find(|tool| tool.is_offered_as(connector, name)).map(|tool| &**tool)
    }

    /// Returns the same catalogue with further tools of the host, for one execution.
    ///
    /// # Errors
    ///
    /// `CONFIG` if a path is taken, or that of the reverts of a tool.
    pub fn with_tools(&self, tools: impl IntoIterator<Item = Tool>) -> Result<Self, Failure> {
        let mut all = self.tools.clone();
        let mut namespaces = self.namespaces.clone();
        let mut added = BTreeSet::new();
        for tool in tools {
            let path = tool.path().as_str().to_owned();
            if all.contains_key(&path) {
                let message = format!("the execution brings a tool with the path `{path}`, which is taken");
                return Err(Failure::new(Code::Config, message).hint("give it another path"));
            }
            check_reverts(&all, &tool)?;
            namespaces.entry(root(&path).to_owned()).or_default().tools += 1;
            added.insert(path.clone());
            all.insert(path, Arc::new(tool));
        }
        share_names(&mut all, &added);
        Ok(self.with_all(all, namespaces))
    }

    /// Returns the same catalogue with the tools that revert calls of these ones with functions of the host.
    pub(crate) fn with_reverts_of(&self, reverted: &[&Tool]) -> Self {
        let mut all = self.tools.clone();
        let reverts = reverted.iter().filter_map(|tool| tool.revert_tool());
        let reverts: BTreeMap<String, Arc<Tool>> =
            reverts.map(|tool| (tool.path().as_str().to_owned(), Arc::new(tool))).collect();
        share_names(&mut all, &reverts.keys().cloned().collect());
        all.extend(reverts);
        self.with_all(all, self.namespaces.clone())
    }

    /// Returns the same catalogue with the schemas of results that were seen, for the tools that have one.
    #[must_use]
    pub fn with_observed(&self, observed: impl Fn(&Tool) -> Option<Arc<Value>>) -> Self {
        let observing = |tool: &Arc<Tool>| match observed(tool) {
            Some(schema) => Arc::new(Tool::clone(tool).with_observed(Some(schema))),
            None => Arc::clone(tool),
        };
        let tools = self.tools.iter().map(|(path, tool)| (path.clone(), observing(tool))).collect();
        self.with_all(tools, self.namespaces.clone())
    }

    /// Returns the same catalogue with each tool changed. Their paths must stay the same.
    pub(crate) fn with_each(&self, change: impl Fn(&Tool) -> Tool) -> Self {
        let tools = self.tools.iter().map(|(path, tool)| (path.clone(), Arc::new(change(tool)))).collect();
        self.with_all(tools, self.namespaces.clone())
    }

    /// Returns a copy with these tools instead.
    fn with_all(&self, tools: BTreeMap<String, Arc<Tool>>, namespaces: BTreeMap<String, Namespace>) -> Self {
        Self {
            tools,
            index: OnceLock::new(),
            globals: Default::default(),
            namespaces,
            renamings: self.renamings.clone(),
            warnings: self.warnings.clone(),
            absent: self.absent.clone(),
            unused_settings: self.unused_settings.clone(),
            connectors: self.connectors.clone(),
        }
    }

    /// Returns the index over all tools, in the order of their paths.
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let parameters: Vec<_> = self.iter().map(|tool| parameters(tool.input_schema_text())).collect();
            Index::new(self.iter().zip(&parameters).map(|(tool, parameters)| IndexEntry {
                path: tool.path().as_str(),
                description: tool.description_text(),
                parameters,
            }))
        })
    }

    /// Returns all tools in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values().map(|tool| &**tool)
    }

    /// Returns the number of tools.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Tells whether there are no tools.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Returns the top-level namespaces, by name.
    pub fn namespaces(&self) -> &BTreeMap<String, Namespace> {
        &self.namespaces
    }

    /// Returns what programs find as globals: `fetch:` and the namespace of the tools behind `fetch`, if there are some, and
    /// the names of the top-level namespaces on request.
    pub(crate) fn globals(&self, with_namespaces: bool) -> &Arc<[String]> {
        let [alone, together] = &self.globals;
        let globals = if with_namespaces { together } else { alone };
        globals.get_or_init(|| {
            let roots = self.namespaces.keys().filter(|_| with_namespaces).cloned();
            roots.chain(self.fetch_namespace().map(|namespace| format!("fetch:{namespace}"))).collect()
        })
    }

    /// Returns the namespace of the tools behind `fetch`.
    fn fetch_namespace(&self) -> Option<&str> {
        self.iter().filter(|tool| tool.serves_fetch()).find_map(|tool| match tool.path().as_str().rsplit_once('.')? {
            (namespace, "get" | "send") => Some(namespace),
            _ => None,
        })
    }

    /// Tells whether a path would be a tool behind `fetch` if the host allowed its methods.
    pub(crate) fn is_missing_method(&self, path: &str) -> bool {
        let is_behind_fetch =
            |(namespace, name)| matches!(name, "get" | "send") && self.fetch_namespace() == Some(namespace);
        self.get(path).is_none() && path.rsplit_once('.').is_some_and(is_behind_fetch)
    }

    /// Returns the tools whose path differs from the names of their connector and their own.
    pub fn renamings(&self) -> &[Renaming] {
        &self.renamings
    }

    /// Returns the connectors of its tools.
    pub(crate) fn connectors(&self) -> &[Arc<dyn Connector>] {
        &self.connectors
    }

    /// Returns warnings about omitted parts. Each names its tool. [`Catalogue::check_names`] finds rules and settings
    /// that name no tool.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// Returns the first segment of a path.
fn root(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Catalogue").field("tools", &self.tools.len()).finish_non_exhaustive()
    }
}
