//! The connector: loads the schema, and calls functions.

use std::fmt;
use std::sync::Arc;

use apollo_compiler::Schema;
use apollo_compiler::executable::OperationType;
use apollo_compiler::validation::Valid;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use hyper::Method;
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use isobox_core::connector::{Error, ErrorKind};
use isobox_core::{CallContext, Connector, Offer, ToolCall, ToolError, brief};
use serde_json::{Map, Value, json};
use std::time::Duration;

use super::answer::{self, Answer};
use super::document::{Checked, Request, checked, of_function};
use super::functions::Functions;
use super::general_tools::{QUERY, SCHEMA};
use super::introspection;
use super::offering::{offer, shown};
use super::options::{GraphQlOptions, GraphQlService};
use super::schema;
use crate::http::{AddressPolicy, HttpClient, HttpRequest, Origin, RequestBounds, parse_url};
use crate::oauth::{LogIn, LoginNeeded, TokenStore};
use crate::service::{
    Answered, Credentials, Exchange, Loading, Logins, ServiceError, ServiceSecrets, Tokens, file_error, read_file,
    response,
};

/// The tools of a GraphQL service.
///
/// The schema is read when tools are first needed. Each query and each mutation is a tool, with its arguments as one
/// object. The host adds the credentials, and sends them to the origin of the service only. Queries are read-only; the
/// policy decides about mutations.
pub struct GraphQlConnector {
    name: String,
    service: GraphQlService,
    options: GraphQlOptions,
    client: HttpClient,
    secrets: ServiceSecrets,
    tokens: Tokens,
    logins: Logins,
    schema: Loading<Loaded>,
}

/// A schema that was read.
struct Loaded {
    schema: Valid<Schema>,
    functions: Functions,
}

impl GraphQlConnector {
    /// Creates a connector with a name. Reads nothing yet.
    pub fn new(name: impl Into<String>, service: GraphQlService, options: GraphQlOptions) -> Self {
        let token = service.auth.oauth.as_ref().and_then(|oauth| oauth.token_url.as_deref());
        let host = |url: &str| Some(Origin::of(&parse_url(url).ok()?).ok()?.host().to_owned());
        let hosts: Vec<String> = [Some(service.url.as_str()), token].into_iter().flatten().filter_map(host).collect();
        let policy = AddressPolicy::for_hosts(hosts.iter().map(String::as_str));
        let client = HttpClient::new(policy, options.connect_timeout);
        let secrets = ServiceSecrets::new(&service.secrets, &service.auth, &service.headers, &[service.url.as_str()]);
        let (name, tokens, schema) = (name.into(), Tokens::default(), Loading::default());
        let logins = Logins::new(&name, client.clone());
        Self { name, service, options, client, secrets, tokens, logins, schema }
    }

    /// Sets the place in which logins of people are kept. Without one, a service that needs a login cannot be used.
    #[must_use]
    pub fn keep_logins_in(mut self, store: impl Into<Option<Arc<dyn TokenStore>>>) -> Self {
        self.logins.keep_in(store.into());
        self
    }

    fn credentials(&self) -> Result<Credentials, String> {
        let url = parse_url(&self.service.url).map_err(|why| format!("`url` is not usable: {why}"))?;
        Ok(Credentials {
            auth: self.service.auth.clone(),
            headers: self.service.headers.clone(),
            schemes: Default::default(),
            origin: Origin::of(&url)?,
        })
    }

    /// Reads the schema, and returns its tools.
    async fn load(&self) -> Result<(Loaded, Offer), Error> {
        parse_url(&self.service.url).map_err(|why| self.refused(&format!("`url` is not usable: {why}")))?;
        let text = match &self.service.schema {
            Some(_) => None,
            None => Some(self.introspected().await?),
        };
        let (path, limit) = (self.service.schema.clone(), self.options.max_schema.get());
        let url = self.service.url.clone();
        // Reading a large schema takes longer than a task may block its thread.
        let reading = tokio::task::spawn_blocking(move || {
            let (text, place) = match (text, path) {
                (None, Some(path)) => {
                    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
                    let read = read_file(&path, None, limit);
                    let bytes = read.map_err(|error| format!("{}: {}", path.display(), file_error(&error)))?;
                    (isobox_core::lossy_text(&bytes), path.display().to_string())
                }
                (text, _) => (text.unwrap_or_default(), "the introspected schema".to_owned()),
            };
            let schema = schema::read(&text).map_err(|why| format!("{place}: {why}"))?;
            let (mut offer, functions) = offer(&schema);
            offer.tools = offer.tools.into_iter().map(|tool| tool.bound_to([&url])).collect();
            let about = schema.schema_definition.description.as_deref().unwrap_or_default();
            let instructions = isobox_core::shorten(about, 1_000);
            Ok((Loaded { schema, functions }, offer.instructions(instructions)))
        });
        let read = reading.await.unwrap_or_else(|_| Err("reading its schema failed".to_owned()));
        read.map_err(|why| self.refused(&why))
    }

    /// Asks the service for its schema. Returns the answer as JSON.
    async fn introspected(&self) -> Result<String, Error> {
        let request = Request {
            query: introspection::QUERY.to_owned(),
            variables: Map::new(),
            operation_name: None,
            kind: OperationType::Query,
        };
        let limit = usize::try_from(self.options.max_schema.get()).unwrap_or(usize::MAX);
        let answer =
            self.send(&request, limit, self.options.timeout, None).await.map_err(|error| match error.login() {
                Some(login) => self.refused(error.message()).hint(login.advice()).caused_by(login.clone()),
                None => self.refused(&format!("the introspection failed: {}", error.message())),
            })?;
        answer.data().map(|data| data.to_string()).map_err(|error| {
            let why = error.message();
            self.refused(&format!(
                "the introspection failed: {why}; save the schema of the service as a file and name it as `schema`"
            ))
        })
    }

    /// Sends a request, and reads the answer. A mutation belongs to a call.
    async fn send(
        &self,
        request: &Request,
        max_body: usize,
        time_left: Duration,
        call: Option<&CallContext>,
    ) -> Result<Answer, ServiceError> {
        let url = parse_url(&self.service.url).map_err(|why| format!("`url` is not usable: {why}"))?;
        let credentials = self.credentials()?;
        let mut headers = HeaderMap::new();
        let accepted = "application/graphql-response+json, application/json;q=0.9";
        headers.insert(ACCEPT, HeaderValue::from_static(accepted));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let mut body = json!({ "query": request.query, "variables": request.variables });
        if let Some(name) = &request.operation_name {
            body["operationName"] = json!(name);
        }
        let body = Bytes::from(body.to_string());
        let exchange = Exchange {
            client: &self.client,
            credentials: &credentials,
            tokens: &self.tokens,
            logins: &self.logins,
            secrets: &self.secrets,
            bounds: RequestBounds { timeout: self.options.timeout, max_body, redirects: 0 },
            retries: if request.kind.is_query() { self.options.retries } else { 0 },
            may_change: !request.kind.is_query(),
            time_left,
        };
        let call = call.filter(|_| !request.kind.is_query());
        let mut request = HttpRequest { method: Method::POST, url, headers, body };
        if let Some(call) = call {
            self.service.call_headers.add(&mut request, call, &credentials.origin)?;
        }
        let Answered { response, secrets, .. } = exchange.send(None, &request).await?;
        answer::read(&response, &secrets).map_err(|error| {
            let is_unknown = exchange.may_change && response::leaves_effect_unknown(response.status);
            if is_unknown { error.with_unknown_effect() } else { error }
        })
    }

    async fn answer(&self, tool: &str, call: ToolCall) -> Result<Value, ToolError> {
        self.result(tool, call).await.map_err(|why| why.into_tool_error(&self.name, &self.secrets.quoted))
    }

    async fn result(&self, tool: &str, call: ToolCall) -> Result<Value, ServiceError> {
        // The policy has decided with this schema.
        let loaded = self.schema.current().ok_or("its schema was not read yet")?;
        let input = match call.input {
            Value::Object(input) => input,
            Value::Null => Map::new(),
            _ => return Err("the input has to be an object".into()),
        };
        let limit = usize::try_from(self.options.max_response.get()).unwrap_or(usize::MAX);
        let time_left = call.context.time_left;
        if tool == SCHEMA {
            return Ok(Value::String(shown(&loaded.schema, input.get("type").and_then(Value::as_str))?));
        }
        if tool == QUERY {
            let Checked { request, .. } = checked(&loaded.schema, &loaded.functions, &input)?;
            return self.send(&request, limit, time_left, Some(&call.context)).await?.whole();
        }
        let function = loaded.functions.by_tool.get(tool);
        let function = function.ok_or("the schema no longer has this function; run the program again")?;
        let request = of_function(&loaded.schema, function, input)?;
        self.send(&request, limit, time_left, Some(&call.context)).await?.field(&function.field)
    }

    fn refused(&self, why: &str) -> Error {
        let name = brief(&self.name, 80);
        let message =
            format!("the service `{name}` cannot be used: {}", self.secrets.quoted.conceal(&brief(why, 1_500)));
        Error::new(ErrorKind::Protocol, message)
            .hint(format!("correct `graphql.{name}` of the configuration, or its schema"))
            .detail("connector", name)
    }
}

/// Returns the tools of a schema, for fuzzing.
#[cfg(any(fuzzing, test))]
pub(crate) fn offer_of(text: &str) -> Result<Offer, String> {
    Ok(offer(&*schema::read(text)?).0)
}

impl LogIn for GraphQlConnector {
    fn login(&self) -> BoxFuture<'_, Result<Option<LoginNeeded>, Error>> {
        Box::pin(async {
            let credentials = self.credentials().map_err(|why| self.refused(&why))?;
            self.logins.begin(&credentials).await.map_err(|why| self.refused(&why))
        })
    }

    fn logged_in(&self) -> BoxFuture<'_, Result<(), Error>> {
        Box::pin(async {
            let credentials = self.credentials().map_err(|why| self.refused(&why))?;
            self.logins.completed(&credentials).await.map_err(|why| self.refused(&why))
        })
    }

    fn logout(&self) -> BoxFuture<'_, Result<bool, Error>> {
        Box::pin(async {
            let credentials = self.credentials().map_err(|why| self.refused(&why))?;
            self.logins.forget(&credentials).await.map_err(|why| self.refused(&why))
        })
    }
}

impl Connector for GraphQlConnector {
    fn name(&self) -> &str {
        &self.name
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(self.schema.renew(self.load()))
    }

    fn equivalents(&self, tool: &str, input: &Value) -> Vec<(String, Value)> {
        let Some((loaded, input)) = self.schema.current().zip(input.as_object()).filter(|_| tool == QUERY) else {
            return Vec::new();
        };
        // A document that is refused here is refused by the call.
        checked(&loaded.schema, &loaded.functions, input).map(|checked| checked.calls).unwrap_or_default()
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.answer(tool, call))
    }
}

impl fmt::Debug for GraphQlConnector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GraphQlConnector").field("name", &self.name).finish_non_exhaustive()
    }
}
