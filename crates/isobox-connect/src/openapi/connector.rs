//! The connector: loads the document, and calls operations.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use hyper::header::{ACCEPT, HeaderMap, HeaderValue};
use hyper::{Method, StatusCode, Uri};
use isobox_core::connector::{Error, ErrorKind};
use isobox_core::{Connector, Offer, ToolCall, ToolError, brief};
use serde_json::{Map, Value, json};
use tokio::runtime::Handle;

use super::document::{DocumentLimits, Documents, Fetch, load};
use super::general_tools::{PAGES, REQUEST, SPEC};
use super::matching::{Matched, check_query, matched, with_query};
use super::offering::{Offering, offer};
use super::operation::Operation;
use super::options::{OpenApiOptions, OpenApiService};
use super::paging::{self, NextPage, next};
use super::reading::read;
use super::request::{Extras, build};
use super::routes::Routes;
use super::servers::base;
use super::spec_part;
use crate::http::{AddressPolicy, HttpClient, HttpRequest, Origin, RequestBounds, parse_url};
use crate::oauth::{LogIn, LoginNeeded, TokenStore};
use crate::service::{
    Answered, Credentials, Exchange, Loading, Logins, ServiceError, ServiceSecrets, Tokens, response, too_large,
};

/// The tools of a web service that an OpenAPI document describes.
///
/// The document is read when tools are first needed. Each operation is a tool, with its parameters and its body as one
/// object. The host adds the credentials, and sends them to the origin of the service only. `GET` and `HEAD` requests
/// are read-only; the policy decides about the others.
pub struct OpenApiConnector {
    name: String,
    service: OpenApiService,
    options: OpenApiOptions,
    client: HttpClient,
    secrets: ServiceSecrets,
    tokens: Tokens,
    logins: Logins,
    /// The document.
    document: Loading<Loaded>,
}

/// A document that was read.
struct Loaded {
    documents: Documents,
    operations: std::collections::BTreeMap<String, Operation>,
    routes: Routes,
    credentials: Credentials,
}

/// The maximum number of values in a document.
pub(super) const MAX_VALUES: usize = 3_000_000;
/// The number of pages that are read by default, and at most.
const USUAL_PAGES: u64 = 10;
const MOST_PAGES: u64 = 100;
/// The advice about a redirect.
const REDIRECTED: &str = " (redirects are not followed; the operator allows them with `redirects`)";

impl OpenApiConnector {
    /// Creates a connector with a name. Reads nothing yet.
    pub fn new(name: impl Into<String>, service: OpenApiService, options: OpenApiOptions) -> Self {
        let client = HttpClient::new(
            AddressPolicy::for_hosts(configured_hosts(&service).iter().map(String::as_str)),
            options.connect_timeout,
        );
        let document = match &service.spec {
            super::document::Place::Url(url) => url.as_str(),
            super::document::Place::File(_) => "",
        };
        let addresses = [service.base_url.as_deref().unwrap_or_default(), document];
        let secrets = ServiceSecrets::new(&service.secrets, &service.auth, &service.headers, &addresses);
        let name = name.into();
        let logins = Logins::new(&name, client.clone());
        Self {
            name,
            service,
            options,
            client,
            secrets,
            tokens: Tokens::default(),
            logins,
            document: Loading::default(),
        }
    }

    /// Sets the place in which logins of people are kept. Without one, a service that needs a login cannot be used.
    #[must_use]
    pub fn keep_logins_in(mut self, store: impl Into<Option<Arc<dyn TokenStore>>>) -> Self {
        self.logins.keep_in(store.into());
        self
    }

    /// Reads the document, and returns the tools that it describes.
    async fn load(&self) -> Result<(Loaded, Offer), Error> {
        let (name, service, options, client) =
            (self.name.clone(), self.service.clone(), self.options.clone(), self.client.clone());
        // Reading a large document takes longer than a task may block its thread.
        let runtime = Handle::current();
        let reading = tokio::task::spawn_blocking(move || {
            let documents = runtime.block_on(fetched(&service, &options, &client));
            documents.and_then(|documents| described(&name, &service, documents))
        });
        let read = reading.await.unwrap_or_else(|_| Err("reading it failed".to_owned()));
        read.map_err(|why| self.refused(&why))
    }

    fn refused(&self, why: &str) -> Error {
        let name = brief(&self.name, 80);
        let message =
            format!("the service `{name}` cannot be used: {}", self.secrets.quoted.conceal(&brief(why, 1_000)));
        Error::new(ErrorKind::Protocol, message)
            .hint(format!("correct `openapi.{name}` of the configuration, or its document"))
            .detail("connector", name)
    }

    async fn loaded(&self) -> Result<Arc<Loaded>, Error> {
        self.document.get(self.load()).await
    }

    async fn answer(&self, tool: &str, call: ToolCall) -> Result<Value, ToolError> {
        let loaded =
            self.loaded().await.map_err(|error| ToolError::new(error.message().to_owned()).caused_by(error))?;
        let input = match call.input {
            Value::Object(ref input) => input.clone(),
            Value::Null => Map::new(),
            _ => return Err(self.error("the input has to be an object")),
        };
        if tool == SPEC {
            let pointer = input.get("pointer").and_then(Value::as_str).unwrap_or_default();
            return spec_part::part(&loaded.documents, pointer).map_err(|why| self.error(why));
        }
        if tool == REQUEST {
            return self.request(&loaded, &input, &call).await;
        }
        if let Some(operation) = loaded.operations.get(tool) {
            return self.operate(&loaded, operation, &input, &call).await;
        }
        match paged(tool).and_then(|name| loaded.operations.get(name)) {
            Some(operation) => self.pages(&loaded, operation, input, &call).await,
            None => Err(self.error("the document no longer has this operation; run the program again")),
        }
    }

    async fn operate(
        &self,
        loaded: &Loaded,
        operation: &Operation,
        input: &Map<String, Value>,
        call: &ToolCall,
    ) -> Result<Value, ToolError> {
        let request = self.built(loaded, operation, input, &Extras::default(), call)?;
        let Answered { response, secrets, .. } = self.successful(loaded, operation, &request, call).await?;
        match operation.method {
            // Its headers are all that it has.
            Method::HEAD => response::whole(&response, &secrets),
            _ => response::value(&response, &secrets),
        }
        .map_err(|why| self.unusable(operation, response.status, why))
    }

    /// Makes a request that matches an operation, and returns its response, whatever its status is.
    async fn request(&self, loaded: &Loaded, input: &Map<String, Value>, call: &ToolCall) -> Result<Value, ToolError> {
        let Matched { operation, input, extras, .. } =
            matched(&loaded.operations, &loaded.credentials, input).map_err(|why| self.error(why))?;
        let request = self.built(loaded, operation, &input, &extras, call)?;
        let Answered { response, secrets, .. } = self
            .exchange(loaded, operation, call)
            .send(operation.security.as_deref(), &request)
            .await
            .map_err(|why| self.error(why))?;
        response::whole(&response, &secrets).map_err(|why| self.unusable(operation, response.status, why))
    }

    /// Reads pages until the last one, or until there are enough.
    async fn pages(
        &self,
        loaded: &Loaded,
        operation: &Operation,
        mut input: Map<String, Value>,
        call: &ToolCall,
    ) -> Result<Value, ToolError> {
        let wanted =
            input.remove("maxPages").and_then(|number| number.as_u64()).unwrap_or(USUAL_PAGES).clamp(1, MOST_PAGES);
        let before = input.remove("pagesRead").and_then(|number| number.as_u64()).unwrap_or(0);
        let limit = u64::from(self.options.max_pages.max(1));
        let most = wanted.min(limit.saturating_sub(before));
        if most == 0 {
            return Err(self.error(format!(
                "{limit} pages of this list were read, which is the maximum, and there are more; ask for less of it, or \
                 have the operator raise `maxPages` of the service"
            )));
        }
        let mut address = input.remove("nextPage");
        if address.is_none() {
            paging::begin(operation, &mut input);
        }
        let (mut pages, mut bytes) = (Vec::new(), 0);
        loop {
            let mut request = self.built(loaded, operation, &input, &Extras::default(), call)?;
            if let Some(address) = address.take() {
                let unknown = || self.error("`nextPage` has to be the one of an earlier result");
                let query = address.as_str().and_then(|address| address.strip_prefix('?')).ok_or_else(unknown)?;
                with_query(operation, input.clone(), query)
                    .map_err(|why| self.error(format!("`nextPage` is not a call of this operation: {why}")))?;
                request.url =
                    paging::address(operation, &loaded.credentials, &input, &request.url, query).ok_or_else(unknown)?;
            }
            let Answered { response, secrets, .. } = self.successful(loaded, operation, &request, call).await?;
            let page = response::content(&response).map_err(|why| self.unusable(operation, response.status, why))?;
            // What a program sees of a page does not lead to the next one where a credential is concealed.
            let following = next(operation, &loaded.credentials, &input, &response.url, &response.headers, &page.value)
                .map_err(|why| self.error(why))?;
            bytes += response.body.len();
            pages.push(page.shown(&secrets));
            let Some(following) = following else { return Ok(json!({ "pages": pages, "next": null })) };
            let count = u64::try_from(pages.len()).unwrap_or(u64::MAX);
            let is_enough = count >= most || !self.options.max_response.holds(bytes * 2);
            let mut is_refused = false;
            match following {
                NextPage::Input(next) => input = next,
                NextPage::Query(query) => {
                    // The pages that were read are not lost: the call for the next one is refused.
                    is_refused = with_query(operation, input.clone(), &query).is_err();
                    address = Some(Value::String(format!("?{query}")));
                }
            }
            if is_enough || is_refused {
                input.insert("maxPages".to_owned(), Value::from(wanted));
                input.insert("pagesRead".to_owned(), Value::from(before.saturating_add(count)));
                if let Some(address) = address {
                    input.insert("nextPage".to_owned(), address);
                }
                let mut next = Value::Object(input);
                secrets.credentials.conceal_value(&mut next);
                return Ok(json!({ "pages": pages, "next": next }));
            }
        }
    }

    /// Builds the request of an operation, and of no other one.
    fn built(
        &self,
        loaded: &Loaded,
        operation: &Operation,
        input: &Map<String, Value>,
        extras: &Extras,
        call: &ToolCall,
    ) -> Result<HttpRequest, ToolError> {
        let mut request = build(operation, input, extras, &boundary(call)).map_err(|why| self.error(why))?;
        check_query(operation, &loaded.credentials, request.url.query().unwrap_or_default())
            .and_then(|()| loaded.routes.check(operation, &request.url))
            .map_err(|why| self.error(why))?;
        if !operation.is_safe() {
            let (headers, origin) = (&self.service.call_headers, &loaded.credentials.origin);
            headers.add(&mut request, &call.context, origin).map_err(|why| self.error(why))?;
        }
        Ok(request)
    }

    /// Sends a request. Every response that is not successful is an error with its status and a part of its body.
    async fn successful(
        &self,
        loaded: &Loaded,
        operation: &Operation,
        request: &HttpRequest,
        call: &ToolCall,
    ) -> Result<Answered, ToolError> {
        let answered = self
            .exchange(loaded, operation, call)
            .send(operation.security.as_deref(), request)
            .await
            .map_err(|why| self.error(why))?;
        if answered.response.status.is_success() {
            return Ok(answered);
        }
        let Answered { response, secrets, may_have_had_effect } = answered;
        let subject = format!("{} {}", operation.method, brief(&operation.path, 200));
        let message = response::failure(&subject, &response, &secrets.quoted, REDIRECTED);
        let error = ServiceError::from(message).with_response(&response, &secrets.quoted);
        let error = self.unusable(operation, response.status, error);
        Err(if may_have_had_effect { error.with_unknown_effect() } else { error })
    }

    fn exchange<'a>(&'a self, loaded: &'a Loaded, operation: &Operation, call: &ToolCall) -> Exchange<'a> {
        let OpenApiOptions { timeout, max_response, redirects, retries, .. } = self.options;
        let max_body = usize::try_from(max_response.get()).unwrap_or(usize::MAX);
        Exchange {
            client: &self.client,
            credentials: &loaded.credentials,
            tokens: &self.tokens,
            logins: &self.logins,
            secrets: &self.secrets,
            bounds: RequestBounds { timeout, max_body, redirects },
            retries: if operation.is_idempotent() { retries } else { 0 },
            may_change: !operation.is_safe(),
            time_left: call.context.time_left,
        }
    }

    /// Returns the error of a call whose response has no result for the program.
    fn unusable(&self, operation: &Operation, status: StatusCode, why: impl Into<ServiceError>) -> ToolError {
        let error = self.error(why);
        let is_unknown = !operation.is_safe() && response::leaves_effect_unknown(status);
        if is_unknown { error.with_unknown_effect() } else { error }
    }

    fn error(&self, why: impl Into<ServiceError>) -> ToolError {
        why.into().into_tool_error(&self.name, &self.secrets.quoted)
    }
}

/// Returns the name of the operation whose pages a tool reads.
fn paged(tool: &str) -> Option<&str> {
    tool.strip_suffix(PAGES)?.strip_suffix('.')
}

/// Returns the hosts that the configuration names. Only they may have private addresses.
pub(super) fn configured_hosts(service: &OpenApiService) -> Vec<String> {
    let document = match &service.spec {
        super::document::Place::Url(url) => Some(url),
        super::document::Place::File(_) => None,
    };
    let token = service.auth.oauth.as_ref().and_then(|oauth| oauth.token_url.as_ref());
    let urls = [document, service.base_url.as_ref(), token];
    let host = |url: &String| Some(Origin::of(&parse_url(url).ok()?).ok()?.host().to_owned());
    urls.into_iter().flatten().filter_map(host).collect()
}

/// Reads the documents of a service.
async fn fetched(service: &OpenApiService, options: &OpenApiOptions, client: &HttpClient) -> Result<Documents, String> {
    let limit = usize::try_from(options.max_document.get()).unwrap_or(usize::MAX);
    let bounds = RequestBounds { timeout: options.timeout, max_body: limit, redirects: options.redirects };
    let fetch = |url: String, room: usize| -> BoxFuture<'_, Result<Vec<u8>, String>> {
        Box::pin(async move {
            let url = parse_url(&url).map_err(str::to_owned)?;
            let response = client
                .send(request_for(url), RequestBounds { max_body: room, ..bounds })
                .await
                .map_err(|error| error.to_string())?;
            match response.status.as_u16() {
                200 if response.is_cut => Err(too_large(room)),
                200 => Ok(response.body.to_vec()),
                status => Err(format!("the answer was {status}")),
            }
        })
    };
    let fetch: &Fetch<'_> = &fetch;
    let limits = DocumentLimits { bytes: limit, values: MAX_VALUES };
    load(service.spec.clone(), limits, fetch).await.map_err(|refusal| refusal.to_string())
}

/// Returns the request for a document.
pub(super) fn request_for(url: Uri) -> HttpRequest {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, application/yaml, */*;q=0.5"));
    HttpRequest { method: Method::GET, url, headers, body: Default::default() }
}

/// Makes the tools of a document that was read.
fn described(name: &str, service: &OpenApiService, documents: Documents) -> Result<(Loaded, Offer), String> {
    let (offering, credentials, instructions) = {
        let api = read(&documents).map_err(|refusal| refusal.to_string())?;
        let base = base(service, &api.servers, documents.place())?;
        let credentials = Credentials {
            auth: service.auth.clone(),
            headers: service.headers.clone(),
            schemes: api.schemes.clone(),
            origin: base.origin.clone(),
        };
        let offering = offer(name, &api, service, &credentials, &base, documents.place());
        let about = [api.title.as_str(), api.description.as_str()].into_iter().filter(|text| !text.is_empty());
        (offering, credentials, isobox_core::shorten(&about.collect::<Vec<_>>().join(": "), 1_000))
    };
    let Offering { tools, operations, warnings } = offering;
    let offer = Offer::default().tools(tools).instructions(instructions).warnings(warnings);
    let routes = Routes::of(&operations);
    Ok((Loaded { documents, operations, routes, credentials }, offer))
}

/// Returns the tools of a document, for fuzzing.
#[cfg(any(fuzzing, test))]
pub(crate) fn offer_of(data: &[u8]) -> Result<Offer, String> {
    let place = super::document::Place::File("/api/document.yaml".into());
    let documents =
        super::document::document_of(place.clone(), data, MAX_VALUES).map_err(|refusal| refusal.to_string())?;
    let service = OpenApiService::new(place).base_url("https://api.example.com".to_owned());
    described("api", &service, documents).map(|(_, offer)| offer)
}

/// Returns a text that separates the parts of a body: another one for every call.
fn boundary(call: &ToolCall) -> String {
    let key: String = call.context.key().chars().filter(char::is_ascii_alphanumeric).collect();
    format!("isobox{}", &key[key.len().saturating_sub(50)..])
}

impl LogIn for OpenApiConnector {
    fn login(&self) -> BoxFuture<'_, Result<Option<LoginNeeded>, Error>> {
        Box::pin(async {
            let loaded = self.loaded().await?;
            self.logins.begin(&loaded.credentials).await.map_err(|why| self.refused(&why))
        })
    }

    fn logged_in(&self) -> BoxFuture<'_, Result<(), Error>> {
        Box::pin(async {
            let loaded = self.loaded().await?;
            self.logins.completed(&loaded.credentials).await.map_err(|why| self.refused(&why))
        })
    }

    fn logout(&self) -> BoxFuture<'_, Result<bool, Error>> {
        Box::pin(async {
            let loaded = self.loaded().await?;
            self.logins.forget(&loaded.credentials).await.map_err(|why| self.refused(&why))
        })
    }
}

impl Connector for OpenApiConnector {
    fn name(&self) -> &str {
        &self.name
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(self.document.renew(self.load()))
    }

    fn equivalents(&self, tool: &str, input: &Value) -> Vec<(String, Value)> {
        self.amounts_to(tool, input).into_iter().collect()
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.answer(tool, call))
    }
}

/// Adds what the policy needs to know about general tools.
impl OpenApiConnector {
    fn amounts_to(&self, tool: &str, input: &Value) -> Option<(String, Value)> {
        let loaded = self.document.current()?;
        let mut input = input.as_object()?.clone();
        if tool == REQUEST {
            let Matched { name, input, .. } = matched(&loaded.operations, &loaded.credentials, &input).ok()?;
            return Some((name.to_owned(), Value::Object(input)));
        }
        for key in ["maxPages", "pagesRead"] {
            input.remove(key);
        }
        let name = paged(tool)?;
        if let Some(Value::String(address)) = input.remove("nextPage") {
            input = with_query(loaded.operations.get(name)?, input, address.strip_prefix('?')?).ok()?;
        }
        Some((name.to_owned(), Value::Object(input)))
    }
}

impl fmt::Debug for OpenApiConnector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OpenApiConnector").field("name", &self.name).finish_non_exhaustive()
    }
}
