//! Tools that a program may call.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures_util::stream::Stream;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::policy::{Subject, ToolNames};
use crate::text::digest;
use crate::tools::amounting::{Amounting, Equivalents};
use crate::tools::call::{Invocation, ToolCall};
use crate::tools::progress::last_of;
use crate::tools::revert::{Revert, RevertCall};
use crate::tools::schema::Schema;
use crate::tools::tool_error::ToolError;
use crate::{Defaults, Failure, ToolHints, ToolPath};

/// A tool: an async function of the host with a path, a description and JSON Schemas. Clones are cheap and share
/// everything.
#[derive(Clone)]
pub struct Tool(pub(super) Arc<Inner>);

#[derive(Clone)]
pub(super) struct Inner {
    pub(super) path: ToolPath,
    description: String,
    /// The length of the part of the description that belongs to the definition. The rest may change with every offer.
    lasting: Option<usize>,
    pub(super) input: Option<Arc<Schema>>,
    pub(super) output: Option<Arc<Schema>>,
    /// Returns why an input that fits the schema is not valid.
    pub(super) objection: Option<Arc<Objection>>,
    /// The schema of the results that were seen. It is only shown, and is no part of the definition.
    observed: Option<Arc<Value>>,
    types: Option<String>,
    hints: ToolHints,
    is_trusted: bool,
    /// Whether the tool only reads, as the host says. Without that, the hints of a trusted connector count.
    reads: Option<bool>,
    is_idempotent: bool,
    approval: WantsApproval,
    is_ephemeral: bool,
    defaults: Option<Defaults>,
    origin: Option<Origin>,
    /// Returns the calls of other tools that a call amounts to.
    equivalents: Option<Arc<Equivalents>>,
    serves_fetch: bool,
    /// The target of calls of a tool of a connector: see [`OfferedTool::binding`](crate::OfferedTool::binding).
    binding: String,
    pub(super) revert: Option<Revert>,
    handler: Arc<Handler>,
}

/// The origin of a tool of a connector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The configured name of its connector.
    pub(crate) connector: String,
    /// Its name at the connector.
    pub(crate) name: String,
    /// Its display name.
    pub(crate) title: String,
    /// Other names that no other tool has.
    pub(crate) others: Vec<String>,
    /// Other names that another tool also has.
    pub(crate) shared: Vec<String>,
}

/// The calls of a tool that need approval, unless a rule decides otherwise.
#[derive(Clone)]
enum WantsApproval {
    Never,
    Always,
    When(Arc<dyn Fn(&Value) -> bool + Send + Sync>),
}

/// The calls of a tool that need approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalNeed {
    /// No calls.
    #[default]
    Never,
    /// All calls.
    Always,
    /// The calls that a function of the host selects by their input.
    ByInput,
}

type Handler = dyn Fn(ToolCall) -> Invocation + Send + Sync;

/// Returns why a value is not a valid input of a tool.
pub(crate) type Objection = dyn Fn(&Value) -> Option<String> + Send + Sync;

impl Tool {
    /// Creates a tool from a function of its input.
    ///
    /// Returns `CONFIG` if a program could not write the path.
    pub fn new<F, R>(path: &str, handler: F) -> Result<Self, Failure>
    where
        F: Fn(Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        Self::with_call(path, move |call| handler(call.input))
    }

    /// Creates a tool from a function that also receives the context of the call.
    pub fn with_call<F, R>(path: &str, handler: F) -> Result<Self, Failure>
    where
        F: Fn(ToolCall) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        Ok(Self::at(path.parse()?, handler))
    }

    /// Creates a tool at a path that may be one of Isobox itself.
    pub(crate) fn at<F, R>(path: ToolPath, handler: F) -> Self
    where
        F: Fn(ToolCall) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        Self(Arc::new(Inner {
            path,
            description: String::new(),
            lasting: None,
            input: None,
            output: None,
            objection: None,
            observed: None,
            types: None,
            hints: ToolHints::default(),
            is_trusted: true,
            reads: None,
            is_idempotent: false,
            approval: WantsApproval::Never,
            is_ephemeral: false,
            defaults: None,
            origin: None,
            equivalents: None,
            serves_fetch: false,
            binding: String::new(),
            revert: None,
            handler: Arc::new(move |call| Box::pin(handler(call))),
        }))
    }

    /// Creates a tool with a stream of outputs: the last one is its result, and earlier ones are progress reports. The
    /// stream is dropped when the call is cancelled.
    ///
    /// The call fails with the first error of the stream, and if the stream is empty. An output that is not followed at
    /// once is reported before it is known whether it is the last one.
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

    /// Sets the description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.inner_mut().description = description.into();
        self
    }

    /// Checks every input against a JSON Schema. Returns `CONFIG` if the schema is invalid.
    pub fn input_schema(mut self, schema: Value) -> Result<Self, Failure> {
        self.inner_mut().input = Some(Arc::new(Schema::of_host(&self.0.path, "input", schema)?));
        Ok(self)
    }

    /// Checks every result against a JSON Schema. Returns `CONFIG` if the schema is invalid.
    pub fn output_schema(mut self, schema: Value) -> Result<Self, Failure> {
        self.inner_mut().output = Some(Arc::new(Schema::of_host(&self.0.path, "output", schema)?));
        Ok(self)
    }

    /// Sets the type of the function in TypeScript, shown instead of the one that is derived from the schemas: `(input:
    /// { to: string }) => Promise<void>`.
    #[must_use]
    pub fn types(mut self, types: impl Into<String>) -> Self {
        self.inner_mut().types = Some(types.into());
        self
    }

    /// Requires approval for every call, unless a rule of the policy decides otherwise.
    #[must_use]
    pub fn with_approval(mut self) -> Self {
        self.inner_mut().approval = WantsApproval::Always;
        self
    }

    /// Requires approval for calls whose input the function selects, unless a rule of the policy decides otherwise. A
    /// panic of the function requires approval.
    #[must_use]
    pub fn with_approval_when(mut self, is_such: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Self {
        self.inner_mut().approval = WantsApproval::When(Arc::new(is_such));
        self
    }

    /// Sets whether the tool only reads. A [plan](crate::plan) calls such tools, and a rollback has nothing to revert for them.
    #[must_use]
    pub fn read_only(mut self, reads: bool) -> Self {
        self.inner_mut().reads = Some(reads);
        self
    }

    /// Sets whether the tool is idempotent.
    #[must_use]
    pub fn idempotent(mut self, is_idempotent: bool) -> Self {
        self.inner_mut().is_idempotent = is_idempotent;
        self
    }

    /// Marks results as not to be stored. If one is needed again after a resume, or in a fork, the tool is called again: such
    /// a call must do no harm when it is repeated, whether or not the tool is idempotent. The tool cannot require approval.
    #[must_use]
    pub fn ephemeral(mut self) -> Self {
        self.inner_mut().is_ephemeral = true;
        self
    }

    /// Sets whether the defaults of its input schema are added. Overrides the runtime.
    #[must_use]
    pub fn defaults(mut self, defaults: Defaults) -> Self {
        self.inner_mut().defaults = Some(defaults);
        self
    }

    /// Wraps every call of the tool in a function, which gets the call and the next function.
    #[must_use]
    pub fn around<F>(mut self, around: F) -> Self
    where
        F: Fn(ToolCall, &dyn Fn(ToolCall) -> Invocation) -> Invocation + Send + Sync + 'static,
    {
        let handler = Arc::clone(&self.0.handler);
        self.inner_mut().handler = Arc::new(move |call| around(call, &*handler));
        self
    }

    /// Adds a check for inputs that fit the schema.
    #[cfg(feature = "schemars")]
    pub(crate) fn objection(mut self, objection: Arc<Objection>) -> Self {
        self.inner_mut().objection = Some(objection);
        self
    }

    /// Sets the hints of its connector.
    pub(crate) fn hints(mut self, hints: ToolHints, is_trusted: bool) -> Self {
        self.inner_mut().hints = hints;
        self.inner_mut().is_trusted = is_trusted;
        self
    }

    /// Adds what the tool can be used with now to its description, but not to its definition.
    pub(crate) fn inventory(mut self, inventory: &str) -> Self {
        let inner = self.inner_mut();
        inner.lasting = Some(inner.description.len());
        if !inventory.is_empty() && !inner.description.is_empty() {
            inner.description.push_str("\n\n");
        }
        inner.description.push_str(inventory);
        self
    }

    /// Sets the schema of the results that were seen.
    pub(crate) fn with_observed(mut self, schema: Option<Arc<Value>>) -> Self {
        if self.0.observed != schema {
            self.inner_mut().observed = schema;
        }
        self
    }

    /// Sets the origin.
    #[must_use]
    pub(crate) fn origin(mut self, origin: Origin) -> Self {
        self.inner_mut().origin = Some(origin);
        self
    }

    pub(crate) fn origin_mut(&mut self) -> Option<&mut Origin> {
        self.inner_mut().origin.as_mut()
    }

    /// Tells whether this is the tool of a connector with this name.
    pub(crate) fn is_offered_as(&self, connector: &str, name: &str) -> bool {
        self.0.origin.as_ref().is_some_and(|origin| origin.name == name && origin.connector == connector)
    }

    /// Returns its connector and its name there, or null for a tool of the host.
    pub(crate) fn source(&self) -> Value {
        self.0.origin.as_ref().map_or(Value::Null, |origin| Value::from(vec![&*origin.connector, &*origin.name]))
    }

    /// Makes this a tool behind the `fetch` of programs.
    pub(crate) fn behind_fetch(mut self) -> Self {
        self.inner_mut().serves_fetch = true;
        self
    }

    /// Tells whether this is a tool behind the `fetch` of programs.
    pub(crate) fn serves_fetch(&self) -> bool {
        self.0.serves_fetch
    }

    /// Sets what its calls go to.
    pub(crate) fn bound_to(mut self, binding: String) -> Self {
        self.inner_mut().binding = binding;
        self
    }

    /// Sets the function that returns the calls that a call amounts to.
    pub(crate) fn general(mut self, equivalents: Arc<Equivalents>) -> Self {
        self.inner_mut().equivalents = Some(equivalents);
        self
    }

    /// Returns the calls that a call amounts to.
    ///
    /// # Errors
    ///
    /// `INTERNAL` if the connector panics: no rule can decide about calls that are not known.
    pub(crate) fn equivalents(&self, input: &Value) -> Result<Amounting<'_>, Failure> {
        let (Some(equivalents), Some(origin)) = (&self.0.equivalents, &self.0.origin) else {
            return Ok(Amounting::default());
        };
        Amounting::of(self.path(), &origin.connector, &**equivalents, input)
    }

    /// Sets the input schema that its connector offers.
    pub(crate) fn offered_input_schema(mut self, schema: Schema) -> Self {
        self.inner_mut().input = Some(Arc::new(schema));
        self
    }

    pub(crate) fn offered_output_schema(mut self, schema: Schema) -> Self {
        self.inner_mut().output = Some(Arc::new(schema));
        self
    }

    /// Returns the path in programs: `mail.send` for `tools.mail.send`.
    pub fn path(&self) -> &ToolPath {
        &self.0.path
    }

    /// Returns the description.
    pub fn description_text(&self) -> &str {
        &self.0.description
    }

    /// Returns the schema of its input.
    pub fn input_schema_text(&self) -> Option<&Value> {
        self.0.input.as_deref().map(Schema::text)
    }

    /// Returns the schema of its result.
    pub fn output_schema_text(&self) -> Option<&Value> {
        self.0.output.as_deref().map(Schema::text)
    }

    /// Returns the schema of the results that were seen, if the tool does not say what its results are. Results are not
    /// checked against it.
    pub fn observed_schema(&self) -> Option<&Value> {
        self.0.observed.as_deref()
    }

    /// Tells whether the type of its results is learned from them: the tool does not say what they are, they may be
    /// kept, and they do not depend on another tool.
    pub fn can_be_learned_from(&self) -> bool {
        let Inner { output, types, is_ephemeral, equivalents, serves_fetch, .. } = &*self.0;
        output.is_none() && types.is_none() && !is_ephemeral && equivalents.is_none() && !serves_fetch
    }

    /// Returns the type of the function in TypeScript, if it was written by hand.
    pub fn types_text(&self) -> Option<&str> {
        self.0.types.as_deref()
    }

    /// Returns the calls that need approval, unless a rule decides otherwise.
    pub(crate) fn approval_need(&self) -> ApprovalNeed {
        match self.0.approval {
            WantsApproval::Never => ApprovalNeed::Never,
            WantsApproval::Always => ApprovalNeed::Always,
            WantsApproval::When(_) => ApprovalNeed::ByInput,
        }
    }

    /// Returns whether the defaults of its input schema are added, if the tool overrides the runtime.
    pub(crate) fn own_defaults(&self) -> Option<Defaults> {
        self.0.defaults
    }

    /// Tells whether the tool is idempotent.
    pub fn is_idempotent(&self) -> bool {
        self.0.is_idempotent
    }

    /// Tells whether results must not be stored.
    pub fn is_ephemeral(&self) -> bool {
        self.0.is_ephemeral
    }

    /// Tells whether the tool is known to change nothing.
    pub(crate) fn only_reads(&self) -> bool {
        self.0.reads.unwrap_or(self.0.is_trusted && self.0.hints.read_only == Some(true))
    }

    /// Tells whether the tool comes from a connector, not from the host.
    pub(crate) fn is_offered(&self) -> bool {
        self.0.origin.is_some()
    }

    /// Returns all names of the tool.
    pub fn names(&self) -> ToolNames<'_> {
        let path = self.0.path.as_str();
        match &self.0.origin {
            Some(Origin { others, shared, .. }) => ToolNames { path, others, shared, hidden: &[] },
            None => path.into(),
        }
    }

    /// Returns a hash of everything that identifies the tool, that approvers see, and that affects its input or its
    /// effects: its path, its connector and name there, what its calls go to, title, description, schemas, types, hints,
    /// and how its calls are reverted. An approval is valid while the hash is the same. Its inventory is not part of it.
    pub fn definition_hash(&self) -> String {
        let schema = |schema: Option<&Value>| schema.map(Value::to_string).unwrap_or_default();
        let hints = format!("{:?} {:?} {:?}", self.0.hints, self.0.is_trusted, self.0.origin.is_some());
        let no_origin = Origin::default();
        let Origin { connector, name, title, .. } = self.0.origin.as_ref().unwrap_or(&no_origin);
        let revert = match &self.0.revert {
            None => String::new(),
            Some(Revert::Own(_)) => "by itself".to_owned(),
            Some(Revert::Call(RevertCall { call, input })) => format!("by {call} with {input}"),
        };
        digest([
            self.0.path.as_str(),
            connector,
            name,
            title,
            self.0.lasting.and_then(|end| self.0.description.get(..end)).unwrap_or(&self.0.description),
            &schema(self.input_schema_text()),
            &schema(self.output_schema_text()),
            self.0.types.as_deref().unwrap_or_default(),
            &hints,
            &self.0.binding,
            &revert,
        ])
    }

    /// Returns the subject for the policy before the input is known.
    pub fn subject(&self) -> Subject<'_> {
        self.subject_wanting(!matches!(self.0.approval, WantsApproval::Never))
    }

    /// Returns the subject for the policy for a call with this input.
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

    /// Returns the input with the defaults of its schema, if the tool or else the runtime adds them.
    pub(crate) fn with_defaults(&self, input: Value, wanted: Defaults) -> Value {
        let schema = self.0.input.as_ref().filter(|_| self.fills_defaults(wanted));
        schema.and_then(|schema| schema.filled(&input)).unwrap_or(input)
    }

    /// Tells whether defaults of its schema are added.
    pub(crate) fn fills_defaults(&self, wanted: Defaults) -> bool {
        self.0.defaults.unwrap_or(wanted) == Defaults::Fill
    }

    pub(crate) fn invoke(&self, call: ToolCall) -> Invocation {
        (self.0.handler)(call)
    }

    /// Returns the tool for a change by a builder method. Other clones are not affected.
    pub(super) fn inner_mut(&mut self) -> &mut Inner {
        Arc::make_mut(&mut self.0)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tool").field("path", &self.0.path).finish_non_exhaustive()
    }
}
