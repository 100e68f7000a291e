//! The knowledge about one tool, and its form in a store.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::observe::Enumerations;
use super::options::ExperienceOptions;
use super::redact::remove;
use super::shape::{MAX_BYTES, Shape};
use crate::Tool;
use crate::journal::StoreKey;
use crate::policy::Policy;

/// The knowledge from the results of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Learned {
    /// The version of the tool: [`ExperienceOptions::version`].
    version: String,
    /// The number of results, at most [`Learned::MOST_RESULTS`].
    results: u32,
    shape: Shape,
}

/// The purpose in the seal of what was learned.
const LEARNED: &[u8] = b"learned about ";

impl Learned {
    /// The number of results that is counted to.
    pub const MOST_RESULTS: u32 = 100;
    /// The maximum size in a store, in bytes.
    pub const MOST_BYTES: usize = MAX_BYTES + 256;

    /// Learns from one result. Returns none if nothing is learned from this tool, or if the policy redacts the whole
    /// result.
    pub fn of(tool: &Tool, mut result: Value, policy: &Policy, options: &ExperienceOptions) -> Option<Self> {
        let version = options.version(tool, policy)?;
        let is_left = policy.redactions(tool.names()).all(|pointer| remove(&mut result, pointer));
        let enumerations = if options.allows_enums(tool) { Enumerations::Allowed } else { Enumerations::Forbidden };
        is_left.then(|| Self { version, results: 1, shape: Shape::of(&result, enumerations) })
    }

    /// Returns the version of the tool.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the number of results, at most [`Learned::MOST_RESULTS`].
    pub fn results(&self) -> u32 {
        self.results
    }

    /// Adds what was learned later. What was learned about another version of the tool is replaced.
    pub fn merge(&mut self, later: &Self) {
        if self.version != later.version {
            self.clone_from(later);
            return;
        }
        self.results = self.results.saturating_add(later.results).min(Self::MOST_RESULTS);
        self.shape.merge(&later.shape);
        self.shape.fit();
    }

    /// Returns the JSON Schema of the results, which says that it was observed. None if nothing is known about them.
    pub fn schema(&self) -> Option<Value> {
        self.shape.observed(self.results)
    }

    /// Returns the form in which a store with this key keeps it.
    pub fn sealed(&self, key: &StoreKey, path: &str) -> Option<Vec<u8>> {
        let content = serde_json::to_vec(self).ok()?;
        Some(key.sealed(&[LEARNED, path.as_bytes(), &[0]], &content))
    }

    /// Reads the form of a store. Returns none if it was not sealed with this key for this tool, or was written by
    /// another version of Isobox.
    pub fn opened(key: &StoreKey, path: &str, sealed: &[u8]) -> Option<Self> {
        let content = key.opened(&[LEARNED, path.as_bytes(), &[0]], sealed)?;
        serde_json::from_slice(content).ok()
    }
}

impl Shape {
    /// Returns the JSON Schema of this many results, which says that it was observed. None if nothing is known about them.
    pub(crate) fn observed(&self, results: u32) -> Option<Value> {
        let mut schema = self.schema()?;
        let description = format!("Observed in {}, not promised by the tool.", counted(results));
        schema.insert("description".to_owned(), description.into());
        Some(Value::Object(schema))
    }

    /// Adds what another result shows.
    pub(crate) fn add(&mut self, other: &Self) {
        self.merge(other);
        self.fit();
    }
}

/// Says how many results there were. The text changes rarely, so that declarations can be cached.
fn counted(results: u32) -> String {
    const STEPS: [u32; 7] = [2, 3, 5, 10, 20, 50, Learned::MOST_RESULTS];
    match STEPS.iter().rev().find(|step| results >= **step) {
        Some(step) => format!("at least {step} results"),
        None => "one result".to_owned(),
    }
}
