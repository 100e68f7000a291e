//! The judged set for search (`spec/search/`): tools of real interfaces, queries, and the relevant tools of each query.

mod baseline;

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

pub use baseline::Baseline;
use isobox::search::{Index, IndexEntry};

/// Tools, and queries with their relevant tools.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The tools.
    pub tools: Vec<JudgedTool>,
    /// The queries.
    pub queries: Vec<Query>,
}

/// A tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedTool {
    /// The path of the tool.
    pub path: String,
    /// The description of the tool.
    pub description: String,
    /// The names of the properties of its input.
    pub parameters: Vec<String>,
}

/// A query.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The half that the query belongs to.
    pub half: Half,
    /// The difficulty of the query.
    pub kind: String,
    /// The query.
    pub query: String,
    /// The paths of the relevant tools.
    pub relevant: Vec<String>,
}

/// The purpose that a query may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Half {
    /// Choosing weights and words.
    Tuning,
    /// Only the score.
    HeldOut,
}

/// The quality of answers, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The share of the relevant tools among the first five results.
    pub recall_at_5: f64,
    /// One divided by the rank of the first relevant tool.
    pub reciprocal_rank: f64,
}

impl Judged {
    /// Reads the set of interfaces of the web.
    ///
    /// # Panics
    ///
    /// If a file is missing or broken, or if it judges a tool that does not exist.
    pub fn load() -> Self {
        Self::read("tools.jsonl", "queries.jsonl")
    }

    /// Reads the set of everyday tools: files, repositories, mail, calendars.
    ///
    /// # Panics
    ///
    /// As [`Judged::load`].
    pub fn everyday() -> Self {
        Self::read("everyday-tools.jsonl", "everyday-queries.jsonl")
    }

    /// Reads the set of well-known servers: files, git, GitHub, databases, browsers, chat.
    ///
    /// # Panics
    ///
    /// As [`Judged::load`].
    pub fn servers() -> Self {
        Self::read("servers-tools.jsonl", "servers-queries.jsonl")
    }

    fn read(tools: &str, queries: &str) -> Self {
        let judged = Self { tools: lines(tools), queries: lines(queries) };
        for path in judged.queries.iter().flat_map(|query| &query.relevant) {
            assert!(judged.tools.iter().any(|tool| tool.path == *path), "there is no tool {path}");
        }
        judged
    }

    /// Builds the index of Isobox for the tools.
    pub fn index(&self) -> Index {
        let parameters: Vec<Vec<&str>> =
            self.tools.iter().map(|tool| tool.parameters.iter().map(String::as_str).collect()).collect();
        Index::new(self.tools.iter().zip(&parameters).map(|(tool, parameters)| IndexEntry {
            path: &tool.path,
            description: &tool.description,
            parameters,
        }))
    }

    /// Scores the answers to the queries of some halves. `search` returns the indices of tools, best first, at most 50.
    pub fn score(&self, halves: &[Half], search: impl Fn(&str) -> Vec<usize>) -> Score {
        self.score_where(|query| halves.contains(&query.half), search)
    }

    /// Returns the kinds of queries, in the order of their names.
    pub fn kinds(&self) -> BTreeSet<&str> {
        self.queries.iter().map(|query| query.kind.as_str()).collect()
    }

    /// Scores the answers to some queries. `search` is that of [`Judged::score`].
    pub fn score_where(&self, asks: impl Fn(&Query) -> bool, search: impl Fn(&str) -> Vec<usize>) -> Score {
        let (mut queries, mut recall, mut reciprocal) = (0.0, 0.0, 0.0);
        for query in self.queries.iter().filter(|query| asks(query)) {
            let answers = search(&query.query);
            let serves = |answer: &usize| query.relevant.contains(&self.tools[*answer].path);
            let found = answers.iter().take(5).filter(|answer| serves(answer)).count();
            queries += 1.0;
            recall += found as f64 / query.relevant.len() as f64;
            reciprocal += answers.iter().take(50).position(serves).map_or(0.0, |at| 1.0 / (at + 1) as f64);
        }
        let queries = f64::max(queries, 1.0);
        Score { recall_at_5: recall / queries, reciprocal_rank: reciprocal / queries }
    }
}

fn lines<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("search").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}: {line}", path.display())))
        .collect()
}
