//! The callbacks of rmcp.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities,
    ServerConfig, SubscriptionFilter, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::announcing::Announced;
use super::arguments::{Call, InvalidCall, MOST_RESULTS, Offered};
use super::asking::{AskBy, Asked, MOST_QUESTIONS, answer_in};
use super::leaving::unless_left;
use super::progress::{ProgressSender, progress};
use super::{CodeMode, Executed};

/// Translates protocol requests to calls of a [`CodeMode`].
pub(super) struct Handler<C> {
    code_mode: Arc<C>,
    announced: Arc<Announced>,
    has_left: CancellationToken,
}

impl<C: CodeMode> Handler<C> {
    /// Creates a handler. `has_left` is cancelled when the client has disconnected.
    pub(super) fn new(code_mode: Arc<C>, announced: Arc<Announced>, has_left: CancellationToken) -> Self {
        Self { code_mode, announced, has_left }
    }

    async fn call(&self, call: Call, context: RequestContext<RoleServer>) -> CallToolResponse {
        let executed = match call {
            Call::Execute { code } => {
                let run = |token, progress| self.code_mode.execute(code, token, progress);
                telling(&context, &self.has_left, run).await
            }
            Call::Plan { code } => {
                let plan = |token, _| self.code_mode.plan(code, token);
                telling(&context, &self.has_left, plan).await
            }
            Call::Resume { execution } => {
                let resume = |token, progress| self.code_mode.resume(execution, token, progress);
                telling(&context, &self.has_left, resume).await
            }
            Call::Search { query, limit } => {
                let found = self.code_mode.search(query, limit).await;
                let result = CallToolResult::success(vec![ContentBlock::text(found.to_string())]);
                return structured(result, found).into();
            }
        };
        self.settled(executed, &context).await
    }

    /// Passes on the answer to a question that an earlier call returned.
    async fn answer(
        &self,
        (reference, answer): (String, Value),
        context: RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let go_on = |token, progress| self.code_mode.answer(reference, answer, token, progress);
        let executed = telling(&context, &self.has_left, go_on).await;
        self.settled(executed, &context).await
    }

    /// Asks the person at the client what a paused program wants to know, and returns what the model gets in the end.
    async fn settled(&self, mut executed: Executed, context: &RequestContext<RoleServer>) -> CallToolResponse {
        if let Some(ask_by) = executed.question.as_ref().and_then(|_| AskBy::of(context)) {
            for _ in 0..MOST_QUESTIONS {
                let Some(question) = executed.question.take() else { break };
                match ask_by.ask(&question, &context.ct).await {
                    Asked::Answered(answer) => {
                        let go_on =
                            |token, progress| self.code_mode.answer(question.reference, answer, token, progress);
                        executed = telling(context, &self.has_left, go_on).await;
                    }
                    Asked::Later(result) => return (*result).into(),
                    Asked::Unanswered => break,
                }
            }
        }
        answered(executed, context.protocol_version().as_ref()).into()
    }

    fn offered(&self) -> Offered {
        if self.code_mode.can_pause() { Offered::ResumeToo } else { Offered::ExecuteAndSearch }
    }
}

/// Runs the work and forwards its progress if the client asked for it.
async fn telling<W: Future<Output = Executed>>(
    context: &RequestContext<RoleServer>,
    has_left: &CancellationToken,
    work: impl FnOnce(CancellationToken, Option<ProgressSender>) -> W,
) -> Executed {
    let (sender, forwarding) = match context.meta.get_progress_token() {
        Some(token) => {
            let (sender, forwarding) = progress(context.peer.clone(), token);
            (Some(sender), Some(forwarding))
        }
        None => (None, None),
    };
    let work = unless_left(context.ct.clone(), has_left, |given_up| work(given_up, sender));
    let Some(forwarding) = forwarding else { return work.await };
    tokio::select! {
        biased;
        executed = work => executed,
        never = forwarding => match never {},
    }
}

fn answered(executed: Executed, version: Option<&ProtocolVersion>) -> CallToolResult {
    let Executed { outcome, text, blocks, is_error, question: _ } = executed;
    // A block that is not one, or that came after the version of the client, stays in the text only.
    let is_known = |block: &Value| match (block.get("type").and_then(Value::as_str), version) {
        (Some("audio"), Some(version)) => *version >= ProtocolVersion::V_2025_03_26,
        (Some("resource_link"), Some(version)) => *version >= ProtocolVersion::V_2025_06_18,
        _ => true,
    };
    let blocks = blocks.into_iter().filter(is_known).filter_map(|block| serde_json::from_value(block).ok());
    let content: Vec<ContentBlock> = std::iter::once(ContentBlock::text(text)).chain(blocks).collect();
    let result = if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    structured(result, outcome)
}

impl<C: CodeMode> ServerHandler for Handler<C> {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build())
            .with_server_info(Implementation::new("isobox", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let description = guarded(self.code_mode.describe()).await?;
        self.announced.listed(&description, context.protocol_version().as_ref());
        let mut tools = vec![execute_tool(description), search_tool()];
        match self.offered() {
            Offered::ExecuteAndSearch => {}
            Offered::ResumeToo => tools.push(resume_tool()),
        }
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let answer = answer_in(&request).filter(|_| self.code_mode.can_pause());
        match (Call::read(&request.name, request.arguments, self.offered()), answer) {
            (Ok(Call::Execute { .. } | Call::Resume { .. }), Some(answer)) => {
                guarded(self.answer(answer, context)).await
            }
            (Ok(call), _) => guarded(self.call(call, context)).await,
            (Err(InvalidCall::UnknownTool(message)), _) => Err(ErrorData::invalid_params(message, None)),
            (Err(InvalidCall::Arguments(message)), _) => {
                Ok(CallToolResult::error(vec![ContentBlock::text(message)]).into())
            }
        }
    }

    fn accepted_subscription_filter(&self, _requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.announced.follow(&context).await;
        Ok(())
    }

    /// Handles calls that rmcp cannot parse and methods that it does not know.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != "tools/call" {
            let message = format!("Method not found: {}", isobox_core::brief(&request.method, 80));
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None));
        }
        // Clients pass on what a model wrote as arguments, such as an object in a string. The model can correct that.
        let params = request.params.unwrap_or_default();
        let call = params.get("name").and_then(Value::as_str).zip(params.get("arguments"));
        match call.and_then(|(tool, arguments)| Call::not_an_object(tool, arguments, self.offered())) {
            Some(message) => {
                let mut result = CallToolResult::error(vec![ContentBlock::text(message)]);
                // rmcp does this for the results that it knows.
                let version = context.protocol_version();
                result.result_type.take_if(|_| version.is_none_or(|version| version < ProtocolVersion::V_2026_07_28));
                Ok(CustomResult::new(serde_json::to_value(result).unwrap_or_default()))
            }
            None => {
                Err(ErrorData::invalid_params("A call must have a `name`, a string, and `arguments`, an object.", None))
            }
        }
    }
}

/// Converts a panic to an error, so that the client does not wait for ever.
async fn guarded<T>(work: impl Future<Output = T>) -> Result<T, ErrorData> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.map_err(|_panic| ErrorData::internal_error("Isobox failed because of an internal defect.", None))
}

fn structured(mut result: CallToolResult, content: Value) -> CallToolResult {
    result.structured_content = Some(content);
    result
}

fn execute_tool(description: String) -> Tool {
    let schema = schema(json!({
        "type": "object",
        "properties": {
            "code": { "type": "string", "description": "The program: JavaScript or TypeScript." },
            "plan": {
                "type": "boolean",
                "description": "Whether to hold effects back, and only tell which calls the program would make.",
            },
        },
        "required": ["code"],
        "additionalProperties": false,
    }));
    Tool::new("execute", description, schema).with_title("Run a program")
}

fn search_tool() -> Tool {
    let schema = schema(json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "description": "What the tool should do, in a few words." },
            "limit": { "type": "integer", "minimum": 1, "maximum": MOST_RESULTS, "description": "The maximum number of results." },
        },
        "required": ["query"],
        "additionalProperties": false,
    }));
    let annotations = ToolAnnotations::new().read_only(true).open_world(false);
    Tool::new("search", "Finds tools that programs can call, by what they do.", schema)
        .with_title("Find tools")
        .with_annotations(annotations)
}

fn resume_tool() -> Tool {
    let schema = schema(json!({
        "type": "object",
        "properties": {
            "executionId": { "type": "string", "description": "The execution id that `execute` returned for the paused or sleeping program." },
        },
        "required": ["executionId"],
        "additionalProperties": false,
    }));
    let description = "Collects the outcome of a paused program after a person has decided elsewhere, or of a sleeping program \
                       after its timer. It cannot decide: until then it returns what the program waits for again.";
    Tool::new("resume", description, schema).with_title("Collect the outcome of a paused or sleeping program")
}

fn schema(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(schema) => Arc::new(schema),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Arc::default(),
    }
}
