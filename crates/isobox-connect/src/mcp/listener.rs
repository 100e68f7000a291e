//! The client side of the protocol: hears of changes, and answers what servers ask.
#![expect(deprecated, reason = "servers of earlier protocol versions still ask for roots and sampling")]

use std::sync::Arc;

use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestMethod, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestParams, ElicitResult, ElicitationCapability, ErrorCode, ErrorData, FormElicitationCapability,
    Implementation, JsonObject, ListRootsResult, ProtocolVersion, RootsCapabilities, SamplingCapability,
    TASKS_EXTENSION_ID, UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, RoleClient};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::McpOptions;
use super::context::Context;
use super::host::McpRoot;
use super::questions::{Origin, Questions};

/// Hears of changes, and answers what a server asks.
pub(super) struct Listener {
    context: Arc<Context>,
    questions: Arc<Questions>,
}

impl Listener {
    pub(super) fn new(context: &Arc<Context>, questions: Arc<Questions>) -> Self {
        Self { context: Arc::clone(context), questions }
    }

    /// Returns the calls of the session that the server may ask about.
    pub(super) fn questions(&self) -> &Arc<Questions> {
        &self.questions
    }
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let elicitation = ElicitationCapability::new()
            .with_form(FormElicitationCapability::new())
            .with_url(UrlElicitationCapability::new());
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(elicitation);
        capabilities.extensions = Some([(TASKS_EXTENSION_ID.to_owned(), JsonObject::new())].into_iter().collect());
        let McpOptions { roots, sampler, .. } = &self.context.options;
        capabilities.roots = (!roots.is_empty()).then(RootsCapabilities::default);
        capabilities.sampling = sampler.as_ref().map(|_| SamplingCapability::default());
        ClientConfig::new(capabilities, Implementation::new("isobox", env!("CARGO_PKG_VERSION")))
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let params = serde_json::to_value(request).unwrap_or_default();
        let origin = context.extensions.get::<Origin>();
        tokio::select! {
            answer = self.questions.ask(origin, params) => Ok(answer),
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the question was withdrawn", None)),
        }
    }

    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        read_back(roots(&self.context))
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        if self.context.options.sampler.is_none() {
            return Err(ErrorData::method_not_found::<CreateMessageRequestMethod>());
        }
        let params = serde_json::to_value(params).unwrap_or_default();
        let sampled = tokio::select! {
            sampled = sample(&self.context, params) => sampled,
            () = context.ct.cancelled() => Err("the request was withdrawn".to_owned()),
        };
        sampled.map_err(|reason| ErrorData::new(ErrorCode(-1), reason, None)).and_then(read_back)
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        changed(&self.context.changes);
    }

    async fn on_prompt_list_changed(&self, _context: NotificationContext<RoleClient>) {
        changed(&self.context.changes);
    }

    async fn on_resource_list_changed(&self, _context: NotificationContext<RoleClient>) {
        changed(&self.context.changes);
    }
}

/// Returns the result of `roots/list`.
pub(super) fn roots(context: &Context) -> Value {
    let root = |root: &McpRoot| match &root.name {
        Some(name) => json!({ "uri": root.uri, "name": name }),
        None => json!({ "uri": root.uri }),
    };
    json!({ "roots": context.options.roots.iter().map(root).collect::<Vec<_>>() })
}

/// Returns the result of `sampling/createMessage`, or the reason why there is none.
pub(super) async fn sample(context: &Context, mut params: Value) -> Result<Value, String> {
    context.secrets.conceal_value(&mut params);
    match &context.options.sampler {
        Some(sampler) => sampler.sample(&context.name, params).await,
        None => Err("this client has no model to ask".to_owned()),
    }
}

/// Converts a result of the host to the type that rmcp sends.
fn read_back<T: DeserializeOwned>(result: Value) -> Result<T, ErrorData> {
    serde_json::from_value(result)
        .map_err(|error| ErrorData::internal_error(format!("the host answered wrongly: {error}"), None))
}

/// Counts a change of the tools, prompts or resources.
pub(super) fn changed(changes: &watch::Sender<u64>) {
    changes.send_modify(|generation| *generation = generation.wrapping_add(1));
}
