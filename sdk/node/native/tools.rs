//! Tools whose functions are in JavaScript, and the approver that asks JavaScript.

use std::sync::Arc;
use std::time::Duration;

use isobox::policy::{Approval, ApprovalRequest, Approver, Policy};
use isobox::rollback::{RevertCall, Reverting};
use isobox::text::without_host_traces;
use isobox::tools::{CallContext, Catalogue, Progress};
use isobox::{BoxFuture, Code, Failure, Tool, ToolCall, ToolError, Value};
use serde::{Deserialize, Serialize};

use crate::bridge::{Answer, Bridge, Kind};
use crate::json::json;

/// The maximum time that a function of JavaScript takes to tell whether a call needs approval. Then it does.
const PREDICATE_WITHIN: Duration = Duration::from_secs(10);

/// A tool without its function, which JavaScript finds by `slot`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Definition {
    slot: u32,
    path: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    input_schema: Option<Value>,
    #[serde(default)]
    output_schema: Option<Value>,
    #[serde(default)]
    types: Option<String>,
    #[serde(default)]
    needs_approval: NeedsApproval,
    #[serde(default)]
    idempotent: bool,
    #[serde(default)]
    read_only: Option<bool>,
    #[serde(default)]
    ephemeral: bool,
    #[serde(default)]
    revert: Option<Revert>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum NeedsApproval {
    #[default]
    Never,
    Always,
    ByInput,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Revert {
    /// By the function of the tool in JavaScript.
    Function(bool),
    /// By a call of another tool.
    Call(RevertCall),
}

/// A call as JavaScript sees it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Call<'a> {
    slot: u32,
    input: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolution: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupt: Option<&'a Value>,
    execution_id: &'a str,
    seq: String,
    attempt: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_left_ms: Option<u64>,
    caller: &'a str,
    roles: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fencing_token: Option<u64>,
}

impl<'a> Call<'a> {
    fn new(slot: u32, input: &'a Value, context: &'a CallContext) -> Self {
        Self {
            slot,
            input,
            result: None,
            resolution: None,
            interrupt: None,
            execution_id: context.execution.as_str(),
            seq: context.seq.to_string(),
            attempt: context.attempt,
            time_left_ms: u64::try_from(context.time_left.as_millis()).ok(),
            caller: &context.caller.name,
            roles: &context.caller.roles,
            session: context.session.as_deref(),
            fencing_token: context.fencing_token,
        }
    }
}

/// The failure of a tool, as JavaScript reports it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Failed {
    #[serde(default)]
    kind: FailureKind,
    #[serde(default)]
    message: String,
    #[serde(default)]
    details: serde_json::Map<String, Value>,
    #[serde(default)]
    payload: Value,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum FailureKind {
    /// With a message for the program.
    #[default]
    Failed,
    /// With a message of anywhere, from which traces of the host are removed.
    Thrown,
    InvalidInput,
    InvalidOutput,
    InDoubt,
    Interrupt,
}

/// Returns the declarations of tools.
pub(crate) fn declare(definitions: &str) -> Result<String, Failure> {
    let definitions: Vec<Definition> = serde_json::from_str(definitions)
        .map_err(|error| Failure::new(Code::Config, format!("the definitions of tools: {error}")))?;
    let mut catalogue = Catalogue::builder();
    for definition in definitions {
        let path = definition.path.clone();
        catalogue.tool(definition.described(Tool::new(&path, |_| async { Ok(Value::Null) })?)?)?;
    }
    Ok(catalogue.build().declarations(&Policy::default(), &[]))
}

impl Definition {
    /// Adds what a model sees of the tool.
    fn described(self, mut tool: Tool) -> Result<Tool, Failure> {
        tool = tool.description(self.description);
        if let Some(schema) = self.input_schema {
            tool = tool.input_schema(schema)?;
        }
        if let Some(schema) = self.output_schema {
            tool = tool.output_schema(schema)?;
        }
        Ok(match self.types {
            Some(types) => tool.types(types),
            None => tool,
        })
    }

    /// Creates the tool.
    pub(crate) fn into_tool(mut self, bridge: &Arc<Bridge>) -> Result<Tool, Failure> {
        let (slot, calling) = (self.slot, Arc::clone(bridge));
        let mut tool = Tool::with_call(&self.path, move |call| {
            let bridge = Arc::clone(&calling);
            async move { called(&bridge, slot, call).await }
        })?;
        tool = tool.idempotent(self.idempotent);
        if let Some(reads) = self.read_only {
            tool = tool.read_only(reads);
        }
        if self.ephemeral {
            tool = tool.ephemeral();
        }
        tool = match self.needs_approval {
            NeedsApproval::Never => tool,
            NeedsApproval::Always => tool.with_approval(),
            NeedsApproval::ByInput => {
                let bridge = Arc::clone(bridge);
                tool.with_approval_when(move |input| needs_approval(&bridge, slot, input))
            }
        };
        let tool = match self.revert.take() {
            None | Some(Revert::Function(false)) => tool,
            Some(Revert::Call(call)) => tool.reverted_by(call),
            Some(Revert::Function(true)) => {
                let bridge = Arc::clone(bridge);
                tool.revert(move |reverting| {
                    let bridge = Arc::clone(&bridge);
                    async move { reverted(&bridge, slot, reverting).await }
                })
            }
        };
        self.described(tool)
    }
}

async fn called(bridge: &Arc<Bridge>, slot: u32, call: ToolCall) -> Result<Value, ToolError> {
    let ToolCall { input, resolution, interrupt, progress, context, .. } = call;
    let message =
        Call { resolution: resolution.as_ref(), interrupt: interrupt.as_ref(), ..Call::new(slot, &input, &context) };
    result(bridge.ask(Kind::Call, progress, json(&message)).answer().await)
}

async fn reverted(bridge: &Arc<Bridge>, slot: u32, reverting: Reverting) -> Result<Value, ToolError> {
    let Reverting { input, result: returned, context, resolution, .. } = reverting;
    let message =
        Call { result: returned.as_ref(), resolution: resolution.as_ref(), ..Call::new(slot, &input, &context) };
    result(bridge.ask(Kind::Revert, Progress::default(), json(&message)).answer().await)
}

/// Returns the result of a call from the answer of JavaScript.
fn result(answer: Option<Answer>) -> Result<Value, ToolError> {
    let Some(Answer { is_ok, json }) = answer else {
        return Err(ToolError::in_doubt("the thread of the tool ended before the tool answered"));
    };
    let unreadable = |error: serde_json::Error| ToolError::new("the tool returned what is not JSON").caused_by(error);
    if is_ok {
        return serde_json::from_str(&json).map_err(unreadable);
    }
    let Failed { kind, message, details, payload } = serde_json::from_str(&json).map_err(unreadable)?;
    let error = match kind {
        FailureKind::Failed => ToolError::new(message),
        FailureKind::Thrown => ToolError::new(without_host_traces(&message)),
        FailureKind::InvalidInput => ToolError::invalid_input(message),
        FailureKind::InvalidOutput => ToolError::invalid_output(message),
        FailureKind::InDoubt => ToolError::in_doubt(message),
        FailureKind::Interrupt => ToolError::interrupt(payload),
    };
    Err(details.into_iter().fold(error, |error, (key, value)| error.detail(key, value)))
}

/// Asks JavaScript whether a call with this input needs approval. It does if JavaScript does not answer in time.
fn needs_approval(bridge: &Arc<Bridge>, slot: u32, input: &Value) -> bool {
    let message = json(&serde_json::json!({ "slot": slot, "input": input }));
    let asked = bridge.ask(Kind::NeedsApproval, Progress::default(), message);
    // The policy decides at once. Only this execution waits: the thread gives its other work away.
    let answer = tokio::task::block_in_place(|| {
        tokio::runtime::Handle::current()
            .block_on(async { tokio::time::timeout(PREDICATE_WITHIN, asked.answer()).await })
    });
    !matches!(answer, Ok(Some(Answer { is_ok: true, json })) if json == "false")
}

/// Asks the function `approve` of the host.
pub(crate) struct AsksHost(pub(crate) Arc<Bridge>);

#[derive(Deserialize)]
struct Decided {
    approved: Option<bool>,
    #[serde(default)]
    reason: Option<String>,
}

impl Approver for AsksHost {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        let ApprovalRequest { execution, seq, path, input, why, .. } = request;
        let question = serde_json::json!({
            "executionId": execution.as_str(), "seq": seq.to_string(), "path": path, "input": input, "why": why,
        });
        let bridge = Arc::clone(&self.0);
        Box::pin(async move {
            match bridge.ask(Kind::Approve, Progress::default(), json(&question)).answer().await {
                Some(Answer { is_ok: true, json }) => match serde_json::from_str(&json) {
                    Ok(Decided { approved: Some(true), .. }) => Approval::Approved,
                    Ok(Decided { approved: Some(false), reason }) => Approval::Denied(reason),
                    Ok(Decided { approved: None, .. }) | Err(_) => Approval::Postponed,
                },
                Some(Answer { is_ok: false, .. }) | None => Approval::Postponed,
            }
        })
    }
}
