//! Everything that programs may call, under one roof: tools of the host and of connectors, by path.
//!
//! A catalogue never changes: where a connector offers something else, a new one is built. So whatever is derived from it
//! (the index, declarations, what a model is told) is the same for as long as it is.

mod briefing;
mod build;
mod lookup;
mod naming;
mod unmatched;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::search::{Entry, Index};
use crate::{Code, Connector, Failure, Tool};

pub use briefing::BriefingOptions;
pub use build::{CatalogueBuilder, ConnectorSettings, Renaming, ToolSettings};
pub use lookup::{Described, Kind, SearchHit, SearchResults};
pub use unmatched::{Strictness, Unmatched};

use build::parameters;
use naming::share_names;
use unmatched::Absent;

/// All the tools of a runtime.
pub struct Catalogue {
    tools: BTreeMap<String, Arc<Tool>>,
    /// Made when it is first needed: of most catalogues for one execution it never is.
    index: OnceLock<Index>,
    /// The names of the namespaces at the top, made when they are first needed.
    roots: OnceLock<Arc<[String]>>,
    namespaces: BTreeMap<String, Namespace>,
    renamings: Vec<Renaming>,
    warnings: Vec<String>,
    /// Connectors whose tools are not there.
    absent: Vec<Absent>,
    /// Tools for which something is configured, and which no connector offers.
    unused_settings: Vec<String>,
    connectors: Vec<Arc<dyn Connector>>,
}

/// The tools below one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Namespace {
    /// What it is for, in a line of the host's.
    pub hint: String,
    /// How its tools are meant to be used together, in the words of its connector.
    pub instructions: String,
    /// How many tools are in it.
    pub tools: usize,
}

impl Catalogue {
    /// A catalogue to be filled.
    pub fn builder() -> CatalogueBuilder {
        CatalogueBuilder::default()
    }

    /// The tool at a path.
    pub fn get(&self, path: &str) -> Option<&Tool> {
        self.tools.get(path).map(|tool| &**tool)
    }

    /// Returns the same catalogue with further tools of the host, for one execution.
    ///
    /// # Errors
    ///
    /// `CONFIG` where the path of one is taken.
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
            namespaces.entry(root(&path).to_owned()).or_default().tools += 1;
            added.insert(path.clone());
            all.insert(path, Arc::new(tool));
        }
        share_names(&mut all, &added);
        Ok(Self {
            tools: all,
            index: OnceLock::new(),
            roots: OnceLock::new(),
            namespaces,
            renamings: self.renamings.clone(),
            warnings: self.warnings.clone(),
            absent: self.absent.clone(),
            unused_settings: self.unused_settings.clone(),
            connectors: self.connectors.clone(),
        })
    }

    /// Returns the index over all tools, in the order of their paths.
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let parameters: Vec<_> = self.iter().map(|tool| parameters(tool.input_schema_text())).collect();
            Index::new(self.iter().zip(&parameters).map(|(tool, parameters)| Entry {
                path: tool.path().as_str(),
                description: tool.description_text(),
                parameters,
            }))
        })
    }

    /// All of them, in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values().map(|tool| &**tool)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The namespaces at the top, by name.
    pub fn namespaces(&self) -> &BTreeMap<String, Namespace> {
        &self.namespaces
    }

    /// Returns the names of the namespaces at the top.
    pub(crate) fn roots(&self) -> &Arc<[String]> {
        self.roots.get_or_init(|| self.namespaces.keys().cloned().collect())
    }

    /// Tools whose path is not what their connector's and their own name would make it.
    pub fn renamings(&self) -> &[Renaming] {
        &self.renamings
    }

    /// Where its tools come from, beside the host.
    pub(crate) fn connectors(&self) -> &[Arc<dyn Connector>] {
        &self.connectors
    }

    /// What had to be given up, each naming its tool. Rules and settings that name no tool are found by
    /// [`Catalogue::check_names`].
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// Returns the first name of a path.
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
