//! The connector: two tools, one for requests that read and one for the others.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use isobox_core::connector::{Error, ErrorKind};
use isobox_core::{Connector, Offer, OfferedTool, ToolCall, ToolError, ToolHints};
use serde_json::{Value, json};

use super::exchange::{Asked, Exchange};
use super::options::WebOptions;
use super::policy::WebPolicy;
use super::transport::{Route, WebTransport};
use crate::http::HttpClient;
use crate::secrets::Secrets;

/// The tools behind the `fetch` of programs: `web.get` makes `GET` and `HEAD` requests, `web.send` all others.
///
/// The options say what may be requested; the policy of the runtime also applies, with these paths. Secrets are put in by
/// name, and concealed in what comes back.
pub struct WebConnector {
    options: WebOptions,
    /// The policy, or the reason why the options cannot be used.
    policy: Result<WebPolicy, String>,
    route: Route,
    secrets: Secrets,
}

const NAME: &str = "web";
const GET: &str = "get";
const SEND: &str = "send";

impl WebConnector {
    /// Creates a connector. If the [options](WebOptions::check) cannot be used, it offers no tools and says why.
    pub fn new(options: WebOptions) -> Self {
        let policy = WebPolicy::new(&options);
        let addresses = policy.as_ref().map(|policy| policy.addresses(&options)).unwrap_or_default();
        let route = Route::Client(HttpClient::new(addresses, options.connect_timeout));
        let secrets = Secrets::new(options.secrets.values().map(|secret| &secret.value), []);
        Self { options, policy, route, secrets }
    }

    /// Sends the requests by a transport of the host, in place of the built-in client.
    #[must_use]
    pub fn transport(mut self, transport: Arc<dyn WebTransport>) -> Self {
        let addresses = self.policy.as_ref().map(|policy| policy.addresses(&self.options)).unwrap_or_default();
        self.route = Route::Host { transport, addresses };
        self
    }

    async fn answer(&self, tool: &str, call: ToolCall) -> Result<Value, ToolError> {
        let error = |why: String| ToolError::fetch(format!("{NAME}: {}", self.secrets.conceal(&why)));
        let asked = Asked::read(&call.input).map_err(error)?;
        if (tool == GET) != asked.is_read() {
            return Err(error("`web.get` is for GET and HEAD, and `web.send` for all other methods".to_owned()));
        }
        let Self { options, policy, route, secrets } = self;
        let policy = policy.as_ref().map_err(|why| error(why.clone()))?;
        let exchange = Exchange { route, policy, options, secrets, time_left: call.context.time_left };
        let (is_read, mut was_sent) = (asked.is_read(), false);
        let made = exchange.make(asked, &mut was_sent).await;
        made.map_err(|why| {
            let error = error(why);
            if was_sent && !is_read { error.with_unknown_effect() } else { error }
        })
    }
}

fn offered(name: &str, description: &str, methods: &[String]) -> OfferedTool {
    let pair = json!({ "type": "array", "items": { "type": "string" } });
    let mut input = json!({
        "type": "object",
        "required": ["url"],
        "additionalProperties": false,
        "properties": {
            "url": { "type": "string" },
            "method": { "type": "string", "enum": methods },
            "headers": { "anyOf": [
                { "type": "object", "additionalProperties": { "type": "string" } },
                { "type": "array", "items": pair },
            ] },
            "redirect": { "type": "string", "enum": ["follow", "error", "manual"] },
            "body": { "type": "string" },
            "bodyBase64": { "type": "string", "description": "the body, if it is not text" },
        },
    });
    if name == GET {
        for key in ["body", "bodyBase64"] {
            input["properties"].as_object_mut().map(|properties| properties.remove(key));
        }
    } else {
        input["required"] = json!(["url", "method"]);
    }
    let output = json!({
        "type": "object",
        "required": ["status", "statusText", "headers", "url", "redirected"],
        "properties": {
            "status": { "type": "integer" },
            "statusText": { "type": "string" },
            "headers": { "type": "array", "items": pair },
            "url": { "type": "string" },
            "redirected": { "type": "boolean" },
            "body": { "type": "string" },
            "bodyBase64": { "type": "string", "description": "the body, if it is not text" },
        },
    });
    let hints = ToolHints::default().read_only(name == GET).idempotent(name == GET).open_world(true);
    OfferedTool::new(name)
        .description(description)
        .input_schema(input)
        .output_schema(output)
        .hints(hints)
        .serves_fetch(true)
}

impl Connector for WebConnector {
    fn name(&self) -> &str {
        NAME
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        if let Err(why) = &self.policy {
            let error = Error::new(ErrorKind::Protocol, format!("programs have no `fetch`: {why}"))
                .hint("correct `fetch` of the configuration");
            return Box::pin(std::future::ready(Err(error)));
        }
        let (reading, other): (Vec<String>, Vec<String>) =
            self.options.methods.iter().cloned().partition(|method| matches!(&**method, "GET" | "HEAD"));
        let mut tools = Vec::new();
        if !reading.is_empty() {
            tools.push(offered(GET, "Requests an address of the web. `fetch(url)` does it too.", &reading));
        }
        if !other.is_empty() {
            let description = "Sends data to an address of the web. `fetch(url, { method, body })` does it too.";
            tools.push(offered(SEND, description, &other));
        }
        Box::pin(std::future::ready(Ok(Offer::default().tools(tools))))
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.answer(tool, call))
    }
}

impl fmt::Debug for WebConnector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WebConnector").field("options", &self.options).finish_non_exhaustive()
    }
}
