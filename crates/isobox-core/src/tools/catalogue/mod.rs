//! Everything that programs may call, under one roof: tools of the host and of connectors, by path.
//!
//! A catalogue never changes: where a connector offers something else, a new one is built. So whatever is derived from it
//! (the index, declarations, what a model is told) is the same for as long as it is.

mod briefing;
mod build;
mod lookup;
mod naming;
mod unmatched;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::search::Index;
use crate::{Connector, Tool};

pub use briefing::BriefingOptions;
pub use build::{CatalogueBuilder, ConnectorSettings, Renaming, ToolSettings};
pub use lookup::{Described, Kind, SearchHit, SearchResults};
pub use unmatched::{Strictness, Unmatched};

use unmatched::Absent;

/// All the tools of a runtime.
pub struct Catalogue {
    tools: BTreeMap<String, Tool>,
    /// The same, in the order of the index.
    paths: Vec<String>,
    index: Index,
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
        self.tools.get(path)
    }

    /// All of them, in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values()
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
