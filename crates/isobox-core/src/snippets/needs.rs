//! Compares the tools that a snippet needs with those at the time when it was saved.

use serde::Serialize;

use super::SnippetVersion;
use crate::text::brief;
use crate::{Catalogue, Code, Failure, Tool};

/// The tools of a snippet that are not as they were when it was saved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Needs {
    /// The tools that are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// The tools whose definitions have changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
}

impl Needs {
    /// Compares the tools of a version with those of a catalogue.
    pub fn of(version: &SnippetVersion, catalogue: &Catalogue) -> Self {
        let mut needs = Self::default();
        for (path, definition) in &version.tools {
            match catalogue.get(path).map(Tool::definition_hash) {
                None => needs.gone.push(path.clone()),
                Some(now) if now != *definition => needs.changed.push(path.clone()),
                Some(_) => {}
            }
        }
        needs
    }

    /// Tells whether all tools are as they were.
    pub fn are_met(&self) -> bool {
        self.gone.is_empty() && self.changed.is_empty()
    }

    /// Says which tools are not as they were. None if all are.
    pub fn in_words(&self) -> Option<String> {
        let gone = named(&self.gone).map(|tools| format!("needs {tools}, which is gone"));
        let changed = named(&self.changed).map(|tools| format!("was saved with another definition of {tools}"));
        match (gone, changed) {
            (None, None) => None,
            (Some(words), None) | (None, Some(words)) => Some(words),
            (Some(gone), Some(changed)) => Some(format!("{gone}, and {changed}")),
        }
    }

    /// Refuses to run a snippet without its tools.
    pub(crate) fn check(&self, name: &str) -> Result<(), Failure> {
        let Some(tools) = named(&self.gone) else { return Ok(()) };
        let message = format!("snippet `{name}` needs {tools}, which is gone");
        Err(Failure::new(Code::UnknownTool, message).hint("do without it, or save it again with tools that are there"))
    }
}

fn named(tools: &[String]) -> Option<String> {
    const SHOWN: usize = 3;
    let mut names: Vec<String> = tools.iter().take(SHOWN).map(|path| format!("`{}`", brief(path, 80))).collect();
    if tools.len() > SHOWN {
        names.push(format!("{} more", tools.len() - SHOWN));
    }
    (!names.is_empty()).then(|| names.join(", "))
}
