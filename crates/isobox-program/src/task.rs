//! The messages between a host and the preparer, the sandbox in which the parser runs.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Fault, Interface, LinkedModule, Module, Place, Prepared, Program, Rules, Survey};

/// A request to the preparer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Task<'a> {
    /// Prepare a program, so that the engine can run it.
    Prepare(Preparation<'a>),
    /// Explain why the engine refused a prepared program.
    Explain(Cow<'a, Refused>),
    /// Mask all literals and comments of a program.
    Mask(Cow<'a, Program>),
    /// Prepare the modules of the host.
    Link(Cow<'a, [Module]>),
}

/// A program to prepare, and what to look for in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Preparation<'a> {
    /// The program.
    pub program: Cow<'a, Program>,
    /// The modules of the host that it may import.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub modules: Cow<'a, [Interface]>,
    /// The rules of the host.
    #[serde(skip_serializing_if = "has_no_rules", default)]
    pub rules: Cow<'a, Rules>,
    /// The globals that are namespaces of tools, beside `tools`. Without a list, tool calls are not looked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub namespaces: Option<Cow<'a, [String]>>,
}

impl<'a> Preparation<'a> {
    /// Creates the task to prepare a program, and to look for nothing.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program: Cow::Borrowed(program),
            modules: Cow::Borrowed(&[]),
            rules: Cow::Owned(Rules::default()),
            namespaces: None,
        }
    }
}

fn is_empty(modules: &[Interface]) -> bool {
    modules.is_empty()
}

fn has_no_rules(rules: &Rules) -> bool {
    rules.is_empty()
}

/// A prepared program that the engine refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Refused {
    /// The program before preparation.
    pub program: Program,
    /// The program after preparation.
    pub prepared: Prepared,
    /// The place that the engine reported, in the author's text.
    pub place: Option<Place>,
    /// The engine's error message.
    pub message: String,
}

/// The answer to a [`Task`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Answer {
    /// The program is ready to run.
    Prepared(Surveyed),
    /// The program has a mistake. Also the answer to [`Task::Explain`].
    Fault(Fault),
    /// The program with its literals and comments masked. Every character keeps its line and column.
    Masked(Program),
    /// The modules of the host are ready to be imported, in the order of the task.
    Linked(Vec<LinkedModule>),
}

/// A prepared program, and what was seen in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Surveyed {
    /// The program. Its files may import modules of the host, which are not among its files.
    pub program: Prepared,
    /// What was seen in it. Answers that are cached share it.
    #[serde(skip_serializing_if = "says_nothing", default, with = "shared")]
    pub survey: Arc<Survey>,
}

fn says_nothing(survey: &Arc<Survey>) -> bool {
    survey.is_empty()
}

/// Reads and writes a shared survey.
mod shared {
    use super::{Arc, Deserialize, Deserializer, Serialize, Serializer, Survey};

    pub(super) fn serialize<S: Serializer>(survey: &Arc<Survey>, serializer: S) -> Result<S::Ok, S::Error> {
        survey.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Survey>, D::Error> {
        Survey::deserialize(deserializer).map(Arc::new)
    }
}
