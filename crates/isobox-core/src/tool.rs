//! Tools: what a program may call.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use jsonschema::Validator;
use serde_json::Value;

use crate::{Code, Failure};

/// A tool: an async function of the host with a path, a description and JSON Schemas.
pub struct Tool {
    path: ToolPath,
    description: String,
    input: Option<Schema>,
    output: Option<Schema>,
    handler: Box<Handler>,
}

type Handler = dyn Fn(ToolCall) -> BoxFuture<'static, Result<Value, ToolError>> + Send + Sync;

/// One call of a tool, as the tool sees it.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// What the program passed; it fits the tool's input schema.
    pub input: Value,
    /// The same for every attempt to make this very call: a tool that passes it on can be retried safely.
    pub key: String,
}

struct Schema {
    text: Value,
    validator: Validator,
}

impl Tool {
    /// A tool that takes the program's input and gives a result.
    ///
    /// Fails with `CONFIG` where the path is not one that a program could write.
    pub fn new<F, R>(path: &str, handler: F) -> Result<Self, Failure>
    where
        F: Fn(Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        Self::with_call(path, move |call| handler(call.input))
    }

    /// The same for a tool that wants to know more about the call than its input.
    pub fn with_call<F, R>(path: &str, handler: F) -> Result<Self, Failure>
    where
        F: Fn(ToolCall) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        Ok(Self {
            path: path.parse()?,
            description: String::new(),
            input: None,
            output: None,
            handler: Box::new(move |call| Box::pin(handler(call))),
        })
    }

    /// The same, with what it does in words.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// The same, checking every input against a JSON Schema; `CONFIG` where the schema is not one.
    pub fn input_schema(mut self, schema: Value) -> Result<Self, Failure> {
        self.input = Some(Schema::compile(&self.path, "input", schema)?);
        Ok(self)
    }

    /// The same, checking every result against a JSON Schema; `CONFIG` where the schema is not one.
    pub fn output_schema(mut self, schema: Value) -> Result<Self, Failure> {
        self.output = Some(Schema::compile(&self.path, "output", schema)?);
        Ok(self)
    }

    /// Where a program finds it: `mail.send` for `tools.mail.send`.
    pub fn path(&self) -> &ToolPath {
        &self.path
    }

    /// What it does in words.
    pub fn description_text(&self) -> &str {
        &self.description
    }

    /// The schema of its input.
    pub fn input_schema_text(&self) -> Option<&Value> {
        self.input.as_ref().map(|schema| &schema.text)
    }

    /// The schema of its result.
    pub fn output_schema_text(&self) -> Option<&Value> {
        self.output.as_ref().map(|schema| &schema.text)
    }

    pub(crate) fn check_input(&self, input: &Value) -> Result<(), Failure> {
        check(self.input.as_ref(), input, Code::InvalidInput, || format!("invalid input for tool `{}`", self.path))
    }

    pub(crate) fn check_output(&self, output: &Value) -> Result<(), Failure> {
        check(self.output.as_ref(), output, Code::InvalidOutput, || format!("invalid output of tool `{}`", self.path))
    }

    pub(crate) fn invoke(&self, call: ToolCall) -> BoxFuture<'static, Result<Value, ToolError>> {
        (self.handler)(call)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tool").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Schema {
    fn compile(path: &ToolPath, which: &str, schema: Value) -> Result<Self, Failure> {
        match jsonschema::validator_for(&schema) {
            Ok(validator) => Ok(Self { text: schema, validator }),
            Err(error) => {
                let message = format!("the {which} schema of tool `{path}` is not a JSON Schema: {error}");
                Err(Failure::new(Code::Config, message))
            }
        }
    }
}

/// How many mismatches a message names; the first are the ones that help.
const MISMATCHES_SHOWN: usize = 3;

fn check(schema: Option<&Schema>, value: &Value, code: Code, subject: impl Fn() -> String) -> Result<(), Failure> {
    let Some(schema) = schema else { return Ok(()) };
    if schema.validator.is_valid(value) {
        return Ok(());
    }
    let mut shown = Vec::new();
    let mut more = 0_usize;
    for error in schema.validator.iter_errors(value) {
        if shown.len() == MISMATCHES_SHOWN {
            more += 1;
            continue;
        }
        let place = error.instance_path().to_string();
        let place = if place.is_empty() { String::new() } else { format!("at {place}: ") };
        shown.push(crate::text::shorten(&format!("{place}{error}"), 300));
    }
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    Err(Failure::new(code, format!("{}: {}{more}", subject(), shown.join("; "))))
}

/// Where a tool is: identifiers joined by dots.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolPath(String);

impl ToolPath {
    /// The longest path there can be, in bytes.
    pub const MAX_LENGTH: usize = 512;

    /// The path as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for ToolPath {
    type Err = Failure;

    fn from_str(path: &str) -> Result<Self, Failure> {
        // The program's `tools` object answers these itself, so that it is no promise and no surprise to operators.
        const RESERVED: [&str; 4] = ["then", "toJSON", "toString", "valueOf"];
        let is_identifier = |segment: &str| {
            let mut characters = segment.chars();
            characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_' || first == '$')
                && characters.all(|character| character.is_ascii_alphanumeric() || character == '_' || character == '$')
        };
        let reason = if path.len() > Self::MAX_LENGTH {
            "it is too long"
        } else if !path.split('.').all(is_identifier) {
            "it has to be identifiers joined by dots"
        } else if path.split('.').any(|segment| RESERVED.contains(&segment)) {
            "`then`, `toJSON`, `toString` and `valueOf` cannot be part of it"
        } else {
            return Ok(Self(path.to_owned()));
        };
        let path = crate::text::shorten(path, 80);
        Err(Failure::new(Code::Config, format!("`{path}` cannot be the path of a tool: {reason}")))
    }
}

impl fmt::Display for ToolPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Why a tool failed: what the program may read, and what only the host sees.
#[derive(Debug)]
pub struct ToolError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// A failure that the program may read about.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), source: None }
    }

    /// A failure whose cause may hold what a program must not see: it learns only that the tool failed.
    ///
    /// Made for `map_err(ToolError::internal)?`.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { message: "the tool failed".to_owned(), source: Some(source.into()) }
    }

    /// The same, with a cause that only the host sees.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What the program reads.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| &**source as &(dyn Error + 'static))
    }
}

/// All the tools of a runtime, by path.
#[derive(Debug, Clone, Default)]
pub struct Tools(Arc<BTreeMap<String, Tool>>);

impl Tools {
    /// These tools; `CONFIG` where two have the same path.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Result<Self, Failure> {
        let mut by_path = BTreeMap::new();
        for tool in tools {
            if let Some(previous) = by_path.insert(tool.path.as_str().to_owned(), tool) {
                return Err(Failure::new(Code::Config, format!("two tools have the path `{}`", previous.path)));
            }
        }
        Ok(Self(Arc::new(by_path)))
    }

    /// The tool at a path.
    pub fn get(&self, path: &str) -> Option<&Tool> {
        self.0.get(path)
    }

    /// All of them, in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.0.values()
    }

    /// The paths that someone who wrote `path` may have meant, nearest first.
    pub fn nearest(&self, path: &str) -> Vec<&str> {
        const SHOWN: usize = 3;
        const LIKE: f64 = 0.75;
        let mut scored: Vec<(f64, &str)> = self
            .0
            .keys()
            .map(|known| (strsim::jaro_winkler(path, known), known.as_str()))
            .filter(|(score, _)| *score >= LIKE)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        scored.into_iter().take(SHOWN).map(|(_, known)| known).collect()
    }
}
