//! Snippets in searches and descriptions, beside tools.

use std::sync::Arc;

use super::{Needs, RUN, Snippet, SnippetVersion};
use crate::text::brief;
use crate::tools::declarations::comment_line;
use crate::{Catalogue, Code, Described, DescribedKind, Failure, Tool, ToolError, ToolPath};

impl Tool {
    /// Creates the tool by which a snippet is found and described. It is never called.
    pub(crate) fn of_snippet(name: &str) -> Result<Self, Failure> {
        let path = ToolPath::of_snippet(name).ok_or_else(|| {
            Failure::new(Code::InvalidInput, format!("`{}` cannot be the name of a snippet", brief(name, 80)))
        })?;
        Ok(Self::at(path, |_| async { Err(ToolError::internal("a snippet is run with `codemode.run`")) }))
    }

    /// Adds the description and the types of a version.
    pub(crate) fn of_version(self, version: &SnippetVersion) -> Result<Self, Failure> {
        let tool = self.description(version.description.clone());
        let tool = match &version.input_schema {
            Some(schema) => tool.input_schema(schema.clone())?,
            None => tool,
        };
        let observed = version.results.as_ref().and_then(|shape| shape.observed(version.uses.successes));
        Ok(tool.with_observed(observed.map(Arc::new)))
    }
}

/// Returns the tool by which the newest version of a snippet is found. None if its name is damaged.
pub(super) fn tool_of(snippet: &Snippet) -> Option<Tool> {
    Tool::of_snippet(&snippet.name).and_then(|tool| tool.of_version(snippet.latest())).ok()
}

/// Returns the tool with a note about the tools that are not as they were when the snippet was saved.
pub(super) fn noted(snippet: &Snippet, tool: &Tool, catalogue: &Catalogue) -> Tool {
    match Needs::of(snippet.latest(), catalogue).in_words() {
        None => tool.clone(),
        Some(words) => {
            let description = format!("Warning: it {words}. {}", tool.description_text());
            tool.clone().description(description.trim())
        }
    }
}

/// Returns the name of the snippet that a tool of a shown catalogue stands for.
pub(crate) fn name_of(tool: &Tool) -> Option<&str> {
    tool.path().as_str().strip_prefix(RUN)?.strip_prefix('.')
}

/// Returns the signature of the call that runs a snippet, from the signature of its tool.
pub(crate) fn run_signature(name: &str, signature: &str) -> String {
    signature.replacen(&format!("tools.{RUN}.{name}("), &format!("{RUN}(\"{name}\", "), 1)
}

/// Describes a snippet of a shown catalogue.
pub(crate) fn described(name: &str, shown: &Catalogue) -> Option<Described> {
    let tool = shown.get(&format!("{RUN}.{name}"))?;
    let signature = run_signature(name, &Catalogue::signature_of(tool));
    let description = tool.description_text().to_owned();
    let comment = comment_line(&description, 1_000);
    let declared = signature.replacen(&format!("{RUN}(\"{name}\", "), &format!("run(name: \"{name}\", "), 1);
    let types = format!("// {comment}\ndeclare const codemode: {{ {declared} }};\n");
    Some(Described { path: name.to_owned(), kind: DescribedKind::Snippet, description, types })
}
