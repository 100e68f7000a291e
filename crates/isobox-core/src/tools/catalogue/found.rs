//! The results of a search in a catalogue, and descriptions of them.

use serde::Serialize;

/// The answer to a search: the one shape of `codemode.search`, the CLI and MCP.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SearchResults {
    /// The best hits, best first.
    pub results: Vec<SearchHit>,
    /// The total number of hits.
    pub total: usize,
    /// Whether there are more than `results`.
    pub truncated: bool,
    /// The servers that have not started, if there are some: their tools are not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A tool that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SearchHit {
    /// The path.
    pub path: String,
    /// The description, shortened.
    pub description: String,
    /// The kind.
    pub kind: DescribedKind,
    /// The score. Comparable only within one answer.
    pub score: f64,
    /// Whether every call that is not denied needs approval.
    pub requires_approval: bool,
    /// The treatment of calls by their input, a sentence for each condition of the policy and one for all other inputs.
    /// Empty if the input does not matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// The signature in TypeScript, if there is room for it. In a long one, `…` stands for the result, nested types and
    /// optional properties. `codemode.describe` gives every signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// The kind of thing that can be found and described.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DescribedKind {
    /// A tool.
    Tool,
    /// Several tools below one path.
    Namespace,
    /// A snippet, which `codemode.run` runs.
    Snippet,
}

/// A description: the one shape of `codemode.describe`, the CLI and MCP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Described {
    /// The requested path.
    pub path: String,
    /// The kind.
    pub kind: DescribedKind,
    /// The description in words.
    pub description: String,
    /// Declarations in TypeScript.
    pub types: String,
}
