//! Requests about snippets.

use isobox::snippets::{Example, NewSnippet, SaveSnippet, Snippet, SnippetVersion, Snippets};
use isobox::{Failure, Value};
use serde::Deserialize;
use serde_json::json;

use crate::engine::Shared;
use crate::execution::{By, Source};
use crate::ids::id_of;

/// A request about snippets.
#[derive(Deserialize)]
#[serde(tag = "verb", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(crate) enum SnippetRequest {
    List,
    Get {
        name: String,
        #[serde(default)]
        version: Option<u32>,
    },
    /// Saves the program of an execution.
    Save {
        from: String,
        #[serde(default)]
        force: bool,
        snippet: Described,
    },
    /// Saves a program that was not run before.
    Put {
        program: Source,
        #[serde(default)]
        force: bool,
        snippet: Described,
    },
    Delete {
        name: String,
        #[serde(default)]
        by: Option<By>,
    },
    Test {
        name: String,
        #[serde(default)]
        by: Option<By>,
    },
}

/// A snippet without its program.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Described {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    input_schema: Option<Value>,
    #[serde(default)]
    examples: Vec<Example>,
    #[serde(default)]
    by: Option<By>,
}

impl Shared {
    pub(crate) async fn shelve(&self, request: SnippetRequest) -> Result<Value, Failure> {
        match request {
            SnippetRequest::List => {
                let isobox = self.looked().await?;
                let snippets = isobox.snippets()?;
                let all = snippets.list().await?;
                Ok(all.iter().map(|one| record(snippets, one, one.latest())).collect::<Vec<_>>().into())
            }
            SnippetRequest::Get { name, version } => {
                let isobox = self.looked().await?;
                let snippets = isobox.snippets()?;
                let snippet = snippets.get(&name).await?;
                Ok(shown(snippets, &snippet, snippet.version(version)?))
            }
            SnippetRequest::Save { from, force, snippet } => {
                let Described { name, description, input_schema, examples, by } = snippet;
                let save = SaveSnippet::new(name, id_of(&from)?).description(description);
                let save = save.input_schema(input_schema).examples(examples);
                let save = if force { save.forced() } else { save };
                let isobox = self.workspace.durable().await?.isobox;
                let snippets = isobox.snippets()?;
                let saved = snippets.save(save, By::principal(by)).await?;
                Ok(shown(snippets, &saved, saved.latest()))
            }
            SnippetRequest::Put { program, force, snippet } => {
                let Described { name, description, input_schema, examples, by } = snippet;
                let new = NewSnippet::new(name, program.program()?).description(description);
                let new = new.input_schema(input_schema).examples(examples).is_forced(force);
                let isobox = self.workspace.durable().await?.isobox;
                let snippets = isobox.snippets()?;
                let saved = snippets.put(new, By::principal(by)).await?;
                Ok(shown(snippets, &saved, saved.latest()))
            }
            SnippetRequest::Delete { name, by } => {
                self.workspace.archive().await?.snippets()?.delete(&name, By::principal(by)).await?;
                Ok(Value::Null)
            }
            SnippetRequest::Test { name, by } => {
                let isobox = self.workspace.durable().await?.isobox;
                let tested = isobox.snippets()?.test(&name, By::principal(by)).await?;
                let told = tested.iter().map(|one| {
                    json!({
                        "example": one.example,
                        "passed": one.difference.is_none(),
                        "difference": one.difference,
                        "outcome": one.outcome,
                    })
                });
                Ok(told.collect::<Vec<_>>().into())
            }
        }
    }
}

/// Returns a version as JavaScript sees it in a list.
fn record(snippets: Snippets<'_>, snippet: &Snippet, version: &SnippetVersion) -> Value {
    let SnippetVersion { description, input_schema, from, by, saved, tools, examples, uses, .. } = version;
    let mut record = json!({
        "name": snippet.name,
        "version": version.version,
        "versions": snippet.versions.iter().map(|kept| kept.version).collect::<Vec<_>>(),
        "description": description,
        "by": by,
        "saved": saved,
        "tools": tools.keys().collect::<Vec<_>>(),
        "examples": examples,
        "uses": uses,
        "trust": snippets.trust(version),
        "hash": version.hash(),
    });
    if let Some(schema) = input_schema {
        record["inputSchema"] = schema.clone();
    }
    if let Some(from) = from {
        record["from"] = from.as_str().into();
    }
    record
}

/// Returns a version with its code.
fn shown(snippets: Snippets<'_>, snippet: &Snippet, version: &SnippetVersion) -> Value {
    let mut shown = record(snippets, snippet, version);
    shown["files"] = json!(version.program.files());
    shown["entry"] = version.program.entry().into();
    shown
}
