//! The tools of a world, as they are defined in one version after the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use isobox_core::{Catalogue, Tool};

/// All versions that there were, and which of them the processes have.
pub struct Versions {
    catalogues: Vec<Arc<Catalogue>>,
    /// By the numbers of the processes.
    of_processes: BTreeMap<u32, Arc<Catalogue>>,
}

impl Versions {
    /// The first one, which nobody has yet.
    pub fn new(first: Arc<Catalogue>) -> Self {
        Self { catalogues: vec![first], of_processes: BTreeMap::new() }
    }

    /// Whether no process has any.
    pub fn is_unused(&self) -> bool {
        self.of_processes.is_empty()
    }

    /// How many there were.
    pub fn count(&self) -> usize {
        self.catalogues.len()
    }

    /// The next one.
    pub fn add(&mut self, catalogue: Arc<Catalogue>) {
        self.catalogues.push(catalogue);
    }

    /// What a new process has, for as long as it lives.
    pub fn newest_for(&mut self, process: u32) -> Arc<Catalogue> {
        let newest = self.catalogues.last().expect("there is a first one");
        self.of_processes.insert(process, Arc::clone(newest));
        Arc::clone(newest)
    }

    /// What a tool is in a process.
    pub fn definition(&self, process: u32, path: &str) -> String {
        let tool = self.of_processes.get(&process).and_then(|catalogue| catalogue.get(path));
        tool.map(Tool::definition_hash).unwrap_or_default()
    }
}
