//! Tools: what a program may call.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::Stream;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::policy::{Subject, ToolNames};
use crate::tools::call::ToolCall;
use crate::tools::progress::last_of;
use crate::tools::schema::{Checked, Schema};
use crate::tools::tool_error::ToolError;
use crate::{Code, Defaults, Failure, ToolHints, ToolPath};

/// A tool: an async function of the host with a path, a description and JSON Schemas. Clones are cheap: they share everything.
#[derive(Clone)]
pub struct Tool(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    path: ToolPath,
    description: String,
    input: Option<Arc<Schema>>,
    output: Option<Arc<Schema>>,
    /// Says why an input that fits the schema is none all the same.
    objection: Option<Arc<Objection>>,
    types: Option<String>,
    hints: ToolHints,
    is_trusted: bool,
    is_idempotent: bool,
    approval: WantsApproval,
    is_ephemeral: bool,
    defaults: Option<Defaults>,
    origin: Option<Origin>,
    handler: Arc<Handler>,
}

/// Where a tool of a connector comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The name of its connector, as it is configured.
    pub(crate) connector: String,
    /// Its name there.
    pub(crate) name: String,
    /// Its name for people.
    pub(crate) title: String,
    /// Its other names that no other tool has.
    pub(crate) others: Vec<String>,
    /// Its other names that another tool has as well.
    pub(crate) shared: Vec<String>,
}

/// Whether a person has to approve calls of a tool, where no rule says otherwise.
#[derive(Clone)]
enum WantsApproval {
    Never,
    Always,
    When(Arc<dyn Fn(&Value) -> bool + Send + Sync>),
}

/// Which calls of a tool a person has to approve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalNeed {
    /// None.
    #[default]
    Never,
    /// All.
    Always,
    /// Those that a function of the host picks by their input.
    ByInput,
}

type Handler = dyn Fn(ToolCall) -> Invocation + Send + Sync;

/// Returns why a value is no input of a tool, in words.
pub(crate) type Objection = dyn Fn(&Value) -> Option<String> + Send + Sync;

/// A tool at work.
pub type Invocation = BoxFuture<'static, Result<Value, ToolError>>;

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
        Ok(Self(Arc::new(Inner {
            path: path.parse()?,
            description: String::new(),
            input: None,
            output: None,
            objection: None,
            types: None,
            hints: ToolHints::default(),
            is_trusted: true,
            is_idempotent: false,
            approval: WantsApproval::Never,
            is_ephemeral: false,
            defaults: None,
            origin: None,
            handler: Arc::new(move |call| Box::pin(handler(call))),
        })))
    }

    /// A tool that gives one output after the other: the last one is its result, and the observer of the runtime is told of
    /// those before it, as progress. The stream is dropped when nobody waits for the call any more.
    ///
    /// The call fails with the first error of the stream, and where there is no output at all. An output that nothing
    /// follows at once is told before it is known whether it is the last one.
    pub fn streaming<F, S>(path: &str, handler: F) -> Result<Self, Failure>
    where
        F: Fn(ToolCall) -> S + Send + Sync + 'static,
        S: Stream<Item = Result<Value, ToolError>> + Send + 'static,
    {
        Self::with_call(path, move |call| {
            let progress = call.progress.clone();
            last_of(handler(call), progress)
        })
    }

    /// The same, with what it does in words.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.inner_mut().description = description.into();
        self
    }

    /// The same, checking every input against a JSON Schema; `CONFIG` where the schema is not one.
    pub fn input_schema(mut self, schema: Value) -> Result<Self, Failure> {
        self.inner_mut().input = Some(Arc::new(schema_of_host(&self.0.path, "input", schema)?));
        Ok(self)
    }

    /// The same, checking every result against a JSON Schema; `CONFIG` where the schema is not one.
    pub fn output_schema(mut self, schema: Value) -> Result<Self, Failure> {
        self.inner_mut().output = Some(Arc::new(schema_of_host(&self.0.path, "output", schema)?));
        Ok(self)
    }

    /// The same, with the type of the function in TypeScript, shown instead of what the schemas amount to:
    /// `(input: { to: string }) => Promise<void>`.
    #[must_use]
    pub fn types(mut self, types: impl Into<String>) -> Self {
        self.inner_mut().types = Some(types.into());
        self
    }

    /// The same, but a person has to approve every call, unless a rule of the policy says otherwise.
    #[must_use]
    pub fn with_approval(mut self) -> Self {
        self.inner_mut().approval = WantsApproval::Always;
        self
    }

    /// The same, but a person has to approve calls whose input is such, unless a rule of the policy says otherwise. Where the
    /// function panics, they have to.
    #[must_use]
    pub fn with_approval_when(mut self, is_such: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Self {
        self.inner_mut().approval = WantsApproval::When(Arc::new(is_such));
        self
    }

    /// The same, where doing it twice is doing it once, or is not.
    #[must_use]
    pub fn idempotent(mut self, is_idempotent: bool) -> Self {
        self.inner_mut().is_idempotent = is_idempotent;
        self
    }

    /// The same, where results must not be stored: where one is needed again after a resume, the tool is called again.
    /// Such a tool cannot require approval.
    #[must_use]
    pub fn ephemeral(mut self) -> Self {
        self.inner_mut().is_ephemeral = true;
        self
    }

    /// The same, where the defaults of its input schema are filled in, or are not, whatever the runtime does.
    #[must_use]
    pub fn defaults(mut self, defaults: Defaults) -> Self {
        self.inner_mut().defaults = Some(defaults);
        self
    }

    /// The same, with something around every call that the tool gets: the call, and what would make it.
    #[must_use]
    pub fn around<F>(mut self, around: F) -> Self
    where
        F: Fn(ToolCall, &dyn Fn(ToolCall) -> Invocation) -> Invocation + Send + Sync + 'static,
    {
        let handler = Arc::clone(&self.0.handler);
        self.inner_mut().handler = Arc::new(move |call| around(call, &*handler));
        self
    }

    /// The same, where every input that fits the schema also has to be free of objections.
    #[cfg(feature = "schemars")]
    pub(crate) fn objection(mut self, objection: Arc<Objection>) -> Self {
        self.inner_mut().objection = Some(objection);
        self
    }

    /// The same, with what its connector says about its effects.
    pub(crate) fn hints(mut self, hints: ToolHints, is_trusted: bool) -> Self {
        self.inner_mut().hints = hints;
        self.inner_mut().is_trusted = is_trusted;
        self
    }

    /// The same, with where it comes from.
    pub(crate) fn origin(mut self, origin: Origin) -> Self {
        self.inner_mut().origin = Some(origin);
        self
    }

    pub(crate) fn origin_mut(&mut self) -> Option<&mut Origin> {
        self.inner_mut().origin.as_mut()
    }

    /// The same with a schema that its connector offers.
    pub(crate) fn offered_input_schema(mut self, schema: Schema) -> Self {
        self.inner_mut().input = Some(Arc::new(schema));
        self
    }

    pub(crate) fn offered_output_schema(mut self, schema: Schema) -> Self {
        self.inner_mut().output = Some(Arc::new(schema));
        self
    }

    /// Where a program finds it: `mail.send` for `tools.mail.send`.
    pub fn path(&self) -> &ToolPath {
        &self.0.path
    }

    /// What it does in words.
    pub fn description_text(&self) -> &str {
        &self.0.description
    }

    /// The schema of its input.
    pub fn input_schema_text(&self) -> Option<&Value> {
        self.0.input.as_deref().map(Schema::text)
    }

    /// The schema of its result.
    pub fn output_schema_text(&self) -> Option<&Value> {
        self.0.output.as_deref().map(Schema::text)
    }

    /// The type of the function in TypeScript, where it was written by hand.
    pub fn types_text(&self) -> Option<&str> {
        self.0.types.as_deref()
    }

    /// Returns which of its calls a person has to approve, where no rule says otherwise.
    pub(crate) fn approval_need(&self) -> ApprovalNeed {
        match self.0.approval {
            WantsApproval::Never => ApprovalNeed::Never,
            WantsApproval::Always => ApprovalNeed::Always,
            WantsApproval::When(_) => ApprovalNeed::ByInput,
        }
    }

    /// Returns whether the defaults of its input schema are filled in, where it says so itself.
    pub(crate) fn own_defaults(&self) -> Option<Defaults> {
        self.0.defaults
    }

    /// Whether doing it twice is doing it once.
    pub fn is_idempotent(&self) -> bool {
        self.0.is_idempotent
    }

    /// Whether results must not be stored.
    pub fn is_ephemeral(&self) -> bool {
        self.0.is_ephemeral
    }

    /// Whether it is a connector's, and not the host's own.
    pub(crate) fn is_offered(&self) -> bool {
        self.0.origin.is_some()
    }

    /// What it is called, by programs and elsewhere.
    pub fn names(&self) -> ToolNames<'_> {
        let path = self.0.path.as_str();
        match &self.0.origin {
            Some(Origin { others, shared, .. }) => ToolNames { path, others, shared },
            None => path.into(),
        }
    }

    /// A hash of everything that identifies it, that a person is shown of it, and that decides what it is given: its path, the
    /// connector and the tool there that are behind the path, title, description, schemas, types and hints. An approval holds
    /// for as long as this is the same.
    pub fn definition_hash(&self) -> String {
        use sha2::{Digest, Sha256};
        let mut digest = Sha256::new();
        let schema = |schema: Option<&Value>| schema.map(Value::to_string).unwrap_or_default();
        let hints = format!("{:?} {:?} {:?}", self.0.hints, self.0.is_trusted, self.0.origin.is_some());
        let no_origin = Origin::default();
        let Origin { connector, name, title, .. } = self.0.origin.as_ref().unwrap_or(&no_origin);
        for part in [
            self.0.path.as_str(),
            connector,
            name,
            title,
            &self.0.description,
            &schema(self.input_schema_text()),
            &schema(self.output_schema_text()),
            self.0.types.as_deref().unwrap_or_default(),
            &hints,
        ] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What a policy is asked about, before the input is known.
    pub fn subject(&self) -> Subject<'_> {
        self.subject_wanting(!matches!(self.0.approval, WantsApproval::Never))
    }

    /// What a policy is asked about a call with this input.
    pub(crate) fn subject_of(&self, input: &Value) -> Subject<'_> {
        self.subject_wanting(match &self.0.approval {
            WantsApproval::Never => false,
            WantsApproval::Always => true,
            WantsApproval::When(is_such) => catch_unwind(AssertUnwindSafe(|| is_such(input))).unwrap_or(true),
        })
    }

    fn subject_wanting(&self, wants_approval: bool) -> Subject<'_> {
        Subject { names: self.names(), hints: self.0.hints, is_trusted: self.0.is_trusted, wants_approval }
    }

    /// The input with the defaults of its schema where they are wanted, by this tool or else by the runtime.
    pub(crate) fn with_defaults(&self, input: Value, wanted: Defaults) -> Value {
        let filled = match &self.0.input {
            Some(schema) if self.fills_defaults(wanted) => schema.filled(&input),
            Some(_) | None => None,
        };
        filled.unwrap_or(input)
    }

    /// Whether defaults are filled in where its schema has some.
    pub(crate) fn fills_defaults(&self, wanted: Defaults) -> bool {
        self.0.defaults.unwrap_or(wanted) == Defaults::Fill
    }

    pub(crate) fn check_input(&self, input: &Value) -> Result<(), Failure> {
        let wrong =
            |why: &str| Failure::new(Code::InvalidInput, format!("invalid input for tool `{}`: {why}", self.0.path));
        match self.0.input.as_ref().map_or(Checked::Fits, |schema| schema.check_input(input)) {
            Checked::Fits => match self.0.objection.as_ref().and_then(|objection| objection(input)) {
                None => Ok(()),
                Some(why) => Err(wrong(&why)),
            },
            Checked::Misfits(why) => Err(wrong(&why)),
            Checked::Undecided => Err(wrong("it is too large to be checked against the schema")
                .hint("pass less in one call: fewer items, or shorter texts")),
        }
    }

    /// How far an output was checked; an error where it does not fit.
    pub(crate) fn check_output(&self, output: &Value) -> Result<OutputCheck, Failure> {
        match self.0.output.as_ref().map_or(Checked::Fits, |schema| schema.check_output(output)) {
            Checked::Fits => Ok(OutputCheck::Done),
            Checked::Undecided => Ok(OutputCheck::TooLarge),
            Checked::Misfits(why) => {
                Err(Failure::new(Code::InvalidOutput, format!("invalid output of tool `{}`: {why}", self.0.path)))
            }
        }
    }

    pub(crate) fn invoke(&self, call: ToolCall) -> Invocation {
        (self.0.handler)(call)
    }

    /// Returns what a builder method changes; other clones keep what they have.
    fn inner_mut(&mut self) -> &mut Inner {
        Arc::make_mut(&mut self.0)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tool").field("path", &self.0.path).finish_non_exhaustive()
    }
}

fn schema_of_host(path: &ToolPath, which: &str, schema: Value) -> Result<Schema, Failure> {
    Schema::of_host(schema).map_err(|error| {
        Failure::new(Code::Config, format!("the {which} schema of tool `{path}` is not a JSON Schema: {error}"))
    })
}

/// How far an output was checked against its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputCheck {
    /// It fits, or there is nothing to check it against.
    Done,
    /// Whether it fits would take too long to find out.
    TooLarge,
}
