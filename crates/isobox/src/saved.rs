//! Snippets: programs that are saved under a name.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use isobox_core::journal::{Entry, Wanted};
use isobox_core::program::Program;
use isobox_core::snippets::{Example, Needs, NewSnippet, Shelf, Snippet, SnippetVersion, Trust};
use isobox_core::store::Status;
use isobox_core::{
    BriefingOptions, Catalogue, Checks, Code, ConflictKind, ExecutionId, Failure, Host, Inspected, Keeper, Outcome,
    Principal, Right, SearchResults, Tool, check_snippet,
};
use serde_json::Value;
use tokio::time::timeout;

use crate::{Isobox, Run};

/// The maximum time for which a search, or the text for models, waits for the snippets of the store.
const PATIENCE: Duration = Duration::from_secs(1);

/// The snippets of a runtime's store. Programs run them with `codemode.run(name, input)`.
#[derive(Clone, Copy)]
pub struct Snippets<'i> {
    isobox: &'i Isobox,
    shelf: &'i Shelf,
}

/// The program of an execution, to be saved as a snippet.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SaveSnippet {
    /// The name.
    pub name: String,
    /// The execution.
    pub from: ExecutionId,
    /// The description of the snippet, for models and people.
    pub description: String,
    /// The JSON Schema of the input.
    pub input_schema: Option<Value>,
    /// Examples that can be run.
    pub examples: Vec<Example>,
    /// Whether an execution that has not completed may be saved, tools may be missing, and checks may find mistakes.
    pub is_forced: bool,
}

impl SaveSnippet {
    /// Saves the program of an execution under a name.
    pub fn new(name: impl Into<String>, from: ExecutionId) -> Self {
        let (name, description) = (name.into(), String::new());
        Self { name, from, description, input_schema: None, examples: Vec::new(), is_forced: false }
    }

    /// Sets `description`.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets `input_schema`.
    #[must_use]
    pub fn input_schema(mut self, schema: impl Into<Option<Value>>) -> Self {
        self.input_schema = schema.into();
        self
    }

    /// Sets `examples`.
    #[must_use]
    pub fn examples(mut self, examples: Vec<Example>) -> Self {
        self.examples = examples;
        self
    }

    /// Saves the program although its execution has not completed, tools are missing, or checks find mistakes.
    #[must_use]
    pub fn forced(mut self) -> Self {
        self.is_forced = true;
        self
    }
}

/// The outcome of an example.
#[derive(Debug)]
#[non_exhaustive]
pub struct TestedExample {
    /// The example.
    pub example: Example,
    /// The outcome of its run.
    pub outcome: Outcome,
    /// The difference from the expected result, or the reason why there is no result. None if it is as expected.
    pub difference: Option<String>,
}

impl Isobox {
    /// Returns the snippets of the store.
    ///
    /// # Errors
    ///
    /// `CONFIG` without a store.
    pub fn snippets(&self) -> Result<Snippets<'_>, Failure> {
        match &self.host.keeper {
            Some(keeper) => Ok(Snippets { isobox: self, shelf: &keeper.snippets }),
            None => Err(Failure::new(Code::Config, "this runtime has no store for snippets")
                .hint("give it a store: `\"store\": \"sqlite:.isobox/isobox.db\"` in isobox.json, or `Builder::store` in Rust")),
        }
    }
}

impl Isobox {
    /// Returns the tools and snippets that fit a query best, as `codemode.search` does. If the store cannot be read, only
    /// tools are found.
    pub async fn find(&self, query: &str, limit: usize, roles: &[String]) -> SearchResults {
        if let Some(keeper) = &self.host.keeper {
            match timeout(PATIENCE, keeper.snippets.shown(&self.host.catalogue)).await {
                Ok(Ok(Some(shown))) => {
                    return shown.search_now(query, limit, self.policy(), roles, self.host.learner.as_deref());
                }
                Ok(Ok(None)) => {}
                Ok(Err(error)) => tracing::warn!(%error, "the snippets cannot be read, and are not found"),
                Err(_) => tracing::warn!("the snippets cannot be read in time, and are not found"),
            }
        }
        self.search(query, limit, roles)
    }

    /// Returns the description of the tool that runs programs ([`Catalogue::briefing`](crate::tools::Catalogue::briefing)), with
    /// a line about snippets if there are some.
    pub async fn briefing(&self, options: &BriefingOptions, roles: &[String]) -> String {
        /// The maximum number of snippets that are named.
        const NAMED: usize = 20;
        let mut text = self.catalogue().briefing(options, self.policy(), roles);
        let all = match &self.host.keeper {
            Some(keeper) => match timeout(PATIENCE, keeper.snippets.list()).await {
                Ok(listed) => listed.unwrap_or_default(),
                Err(_) => Vec::new(),
            },
            None => Vec::new(),
        };
        if !all.is_empty() {
            let names: Vec<&str> = all.iter().take(NAMED).map(|snippet| snippet.name.as_str()).collect();
            let more = if all.len() > NAMED { ", …" } else { "" };
            text.push_str(&format!(
                "\nSaved snippets: `await codemode.run(name, input)`, where the name is {}{more}. `codemode.search` and \
                 `codemode.describe(name)` say what they do.\n",
                names.join(", ")
            ));
        }
        text
    }
}

impl Snippets<'_> {
    /// Returns all snippets, by name.
    ///
    /// # Errors
    ///
    /// `STORE`.
    pub async fn list(&self) -> Result<Vec<Snippet>, Failure> {
        Ok(self.shelf.list().await?)
    }

    /// Returns the catalogue of a runtime with these snippets beside its tools, as programs of that runtime would find them: a
    /// snippet whose tools are gone or changed says so. None if there are no snippets.
    ///
    /// # Errors
    ///
    /// `STORE`.
    pub async fn beside(&self, tools: &Isobox) -> Result<Option<Arc<Catalogue>>, Failure> {
        Ok(self.shelf.shown(&tools.host.catalogue).await?)
    }

    /// Returns a snippet with its versions.
    ///
    /// # Errors
    ///
    /// `INVALID_INPUT` if this is not a name, `NOT_FOUND`, `STORE`.
    pub async fn get(&self, name: &str) -> Result<Snippet, Failure> {
        self.shelf.get(name).await
    }

    /// Saves a program as a new version of a snippet. The tools that it needs are those that it names.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the principal does not have [`Right::Admin`]. `SYNTAX` if it is not a program. `CHECK` if it violates a rule
    /// or, unless it is [forced](NewSnippet::is_forced), has a certain mistake and the runtime refuses such programs.
    /// `INVALID_INPUT`, `SOURCE_TOO_LARGE`, `CONFLICT` if there are too many snippets, `STORE`.
    pub async fn put(&self, new: NewSnippet, by: impl Into<Principal>) -> Result<Snippet, Failure> {
        let by = by.into();
        by.require(Right::Admin)?;
        new.check()?;
        let checks = if new.is_forced { Checks::Off } else { self.isobox.host.checks };
        let checked = check_snippet(&self.isobox.host, &new.program, checks, by.roles()).await;
        checked.map_err(|failure| explained(failure, &new))?;
        self.shelf.save(new, by.name()).await
    }

    /// Saves the program of an execution as a new version of a snippet, with the tools that the execution called.
    ///
    /// # Errors
    ///
    /// As [`Snippets::put`]. Unless it is forced: `CONFLICT` if the execution has not completed, `UNKNOWN_TOOL` if a tool that
    /// it called is missing.
    pub async fn save(&self, save: SaveSnippet, by: impl Into<Principal>) -> Result<Snippet, Failure> {
        let SaveSnippet { name, from, description, input_schema, examples, is_forced } = save;
        let whole = self.isobox.inspect(&from).await?;
        if !is_forced && whole.state.final_status() != Some(Status::Completed) {
            let status = whole.state.final_status().map_or("not over", Status::as_str);
            let message = format!("execution {from} is {status}: only the code of a completed execution is saved");
            let kind = if whole.state.ended.is_some() { ConflictKind::Over } else { ConflictKind::NotOver };
            return Err(Failure::conflict(kind, message).hint("save it nevertheless with `--force`"));
        }
        let tools = self.tools_of(&whole, is_forced)?;
        let program = whole.beginning.program.into_owned();
        let new = NewSnippet::new(name, program).description(description).input_schema(input_schema);
        self.put(new.tools(tools).examples(examples).from(from).is_forced(is_forced), by).await
    }

    /// Returns the tools that an execution called, with the hashes of their definitions.
    fn tools_of(&self, whole: &Inspected, is_forced: bool) -> Result<BTreeMap<String, String>, Failure> {
        let mut tools = BTreeMap::new();
        let steps = whole.entries.iter().filter_map(|entry| match entry {
            Entry::Step(step) => Some(&step.calls),
            _ => None,
        });
        for asked in steps.flatten() {
            let Wanted::Tool { path, .. } = &asked.what else { continue };
            let is_own = matches!(path.as_str(), "search" | "describe") || path.starts_with("codemode.");
            match self.isobox.catalogue().get(path).map(Tool::definition_hash) {
                Some(definition) => drop(tools.insert(path.clone(), definition)),
                None if is_own || is_forced => {}
                None => {
                    let message =
                        format!("the execution called `{path}`, which is missing: its definition cannot be kept");
                    return Err(Failure::new(Code::UnknownTool, message)
                        .hint("start the server of the tool, or save it nevertheless with `--force`"));
                }
            }
        }
        Ok(tools)
    }

    /// Deletes a snippet with all its versions. Programs that run it go on.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the principal does not have [`Right::Admin`]. As [`Snippets::get`].
    pub async fn delete(&self, name: &str, by: impl Into<Principal>) -> Result<(), Failure> {
        by.into().require(Right::Admin)?;
        self.shelf.delete(name).await
    }

    /// Returns how far a version is trusted.
    pub fn trust(&self, version: &SnippetVersion) -> Trust {
        self.shelf.trust(version)
    }

    /// Returns the tools of a version that are not as they were when it was saved.
    pub fn needs(&self, version: &SnippetVersion) -> Needs {
        Needs::of(version, self.isobox.catalogue())
    }

    /// Returns a run of a snippet, for [`Isobox::run`]. The name may end with `@` and a version.
    pub fn run(&self, name: &str, input: &Value) -> Run {
        // The input is embedded as text, because an object literal would give `__proto__` a special meaning.
        let (name, input) = (Value::from(name), Value::from(input.to_string()));
        Run::new(Program::single(format!("return await codemode.run({name}, JSON.parse({input}))")))
    }

    /// Runs the examples of the newest version, one after the other, with the tools of the runtime. These runs are not counted:
    /// trust follows from the runs of programs.
    ///
    /// # Errors
    ///
    /// As [`Snippets::get`]. A run that fails is in the result.
    pub async fn test(&self, name: &str, by: impl Into<Principal>) -> Result<Vec<TestedExample>, Failure> {
        let by = by.into();
        let snippet = self.get(name).await?;
        let keeper = self.isobox.host.keeper.as_ref().map(Keeper::without_counting);
        let isobox = Isobox { host: Host { keeper, ..self.isobox.host.clone() }, ..self.isobox.clone() };
        let mut tested = Vec::new();
        for example in &snippet.latest().examples {
            let outcome = isobox.run(self.run(name, &example.input).principal(by.clone())).await;
            let difference = match &outcome {
                Outcome::Completed(completed) => example.difference(&completed.result),
                Outcome::Failed(failed) => Some(failed.error.to_string()),
                _ => Some("it has not ended".to_owned()),
            };
            tested.push(TestedExample { example: example.clone(), outcome, difference });
        }
        Ok(tested)
    }
}

/// Says in the failure of a check what to do.
fn explained(mut failure: Failure, new: &NewSnippet) -> Failure {
    if failure.code == Code::Check && !new.is_forced {
        let advice = "mistakes in calls can be saved nevertheless with `--force`";
        failure.hint = Some(failure.hint.map_or_else(|| advice.to_owned(), |hint| format!("{hint}; {advice}")));
        failure.message = format!("snippet `{}`: {}", new.name, failure.message);
    }
    failure
}
