//! The versions of the tools of a world.

use std::collections::BTreeMap;
use std::sync::Arc;

use isobox_core::{Catalogue, Tool};

/// All versions, and the version of each process.
pub struct Versions {
    catalogues: Vec<Arc<Catalogue>>,
    /// The tools by the number of the process.
    of_processes: BTreeMap<u32, Arc<Catalogue>>,
}

impl Versions {
    /// Creates the versions with a first one that no process uses yet.
    pub fn new(first: Arc<Catalogue>) -> Self {
        Self { catalogues: vec![first], of_processes: BTreeMap::new() }
    }

    /// Tells whether no process uses any version.
    pub fn is_unused(&self) -> bool {
        self.of_processes.is_empty()
    }

    /// Returns the number of versions.
    pub fn count(&self) -> usize {
        self.catalogues.len()
    }

    /// Adds a version.
    pub fn add(&mut self, catalogue: Arc<Catalogue>) {
        self.catalogues.push(catalogue);
    }

    /// Returns the tools of a new process, which keeps them for life.
    pub fn newest_for(&mut self, process: u32) -> Arc<Catalogue> {
        let newest = self.catalogues.last().expect("there is a first one");
        self.of_processes.insert(process, Arc::clone(newest));
        Arc::clone(newest)
    }

    /// Returns the definition of a tool in a process.
    pub fn definition(&self, process: u32, path: &str) -> String {
        let tool = self.of_processes.get(&process).and_then(|catalogue| catalogue.get(path));
        tool.map(Tool::definition_hash).unwrap_or_default()
    }
}
