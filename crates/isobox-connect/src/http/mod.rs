//! An HTTP client with bounds: on addresses, redirects, sizes and time.
//!
//! The client connects only to public addresses, unless the configuration names the host. It keeps nothing between
//! requests but connections: no cookies, no caches. It follows redirects only as far as a request asks for it, and
//! drops everything that may be a credential when the origin changes.

mod address;
mod dial;
mod error;
mod origin;
#[cfg(any(feature = "openapi", feature = "web"))]
mod segments;
mod tls;

use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT,
};
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use percent_encoding::{CONTROLS, percent_encode};

pub(crate) use address::AddressPolicy;
pub(crate) use error::{HttpError, HttpErrorKind};
pub(crate) use origin::{Origin, Scheme, join_url, parse_url};
#[cfg(any(feature = "openapi", feature = "web"))]
pub(crate) use segments::climbs;

use dial::{Dialer, System};

/// A client. Clones share its connections.
#[derive(Clone)]
pub(crate) struct HttpClient {
    dialer: Dialer,
    plain: Client<Dialer, Full<Bytes>>,
    secure: Arc<OnceLock<Client<HttpsConnector<Dialer>, Full<Bytes>>>>,
}

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct HttpRequest {
    pub(crate) method: Method,
    pub(crate) url: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The bounds of one request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestBounds {
    /// The maximum time until the response is complete, with all redirects.
    pub(crate) timeout: Duration,
    /// The maximum size of the body of the response, in bytes. The rest is not read.
    pub(crate) max_body: usize,
    /// The maximum number of redirects to follow.
    pub(crate) redirects: u32,
}

/// A response.
#[derive(Debug, Clone)]
pub(crate) struct HttpResponse {
    pub(crate) status: StatusCode,
    #[cfg_attr(
        not(any(feature = "graphql", feature = "openapi", feature = "web")),
        expect(dead_code, reason = "logins need only the body")
    )]
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// Whether the body is longer than what was read.
    pub(crate) is_cut: bool,
    /// The address that answered, after redirects.
    #[cfg_attr(
        not(any(feature = "openapi", feature = "web")),
        expect(dead_code, reason = "GraphQL is never redirected")
    )]
    pub(crate) url: Uri,
}

/// A response whose body is read piece by piece.
pub(crate) struct HttpStream {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    body: Incoming,
    origin: Origin,
}

impl HttpStream {
    /// Returns the next piece of the body, or none at its end. Cancellation safe.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, HttpError> {
        while let Some(frame) = self.body.frame().await {
            let frame = frame.map_err(|error| HttpError::from_body(&error, &self.origin))?;
            // Trailers are of no use.
            if let Ok(data) = frame.into_data() {
                return Ok(Some(data));
            }
        }
        Ok(None)
    }

    /// Reads the body up to a size. Returns whether there is more.
    pub(crate) async fn read(&mut self, limit: usize) -> Result<(Bytes, bool), HttpError> {
        let mut body = BytesMut::new();
        while let Some(piece) = self.next().await? {
            let room = limit - body.len();
            body.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.len() > room {
                return Ok((body.freeze(), true));
            }
        }
        Ok((body.freeze(), false))
    }
}

/// The maximum size of the headers of a response, in bytes, and their maximum number.
const MAX_HEADER_BYTES: usize = 256 << 10;
const MAX_HEADERS: usize = 200;
/// The time after which an unused connection is closed.
const IDLE: Duration = Duration::from_secs(30);
/// The maximum number of unused connections to a host.
const MAX_IDLE: usize = 8;

impl HttpClient {
    /// Creates a client. Connects to nothing yet, and reads no certificates yet.
    pub(crate) fn new(policy: AddressPolicy, connect_timeout: Duration) -> Self {
        let dialer = Dialer { policy: Arc::new(policy), timeout: connect_timeout, network: Arc::new(System) };
        Self { plain: client(dialer.clone()), dialer, secure: Arc::default() }
    }

    /// Sends a request, and reads the response up to the bounds.
    ///
    /// A redirect that is not followed is returned like any other response. Only `GET` and `HEAD` are redirected.
    pub(crate) async fn send(&self, request: HttpRequest, bounds: RequestBounds) -> Result<HttpResponse, HttpError> {
        let origin = origin_of(&request.url)?;
        match tokio::time::timeout(bounds.timeout, self.follow(request, bounds)).await {
            Ok(answered) => answered,
            Err(_) => {
                let message = format!("{origin} did not answer within {:?}", bounds.timeout);
                Err(HttpError::new(HttpErrorKind::TimedOut, message))
            }
        }
    }

    async fn follow(&self, request: HttpRequest, bounds: RequestBounds) -> Result<HttpResponse, HttpError> {
        let (mut stream, url) = self.open_following(request, bounds.redirects).await?;
        let (body, is_cut) = stream.read(bounds.max_body).await?;
        let HttpStream { status, headers, .. } = stream;
        Ok(HttpResponse { status, headers, body, is_cut, url })
    }

    /// Sends a request, follows redirects, and returns the response without its body, with the address that answered.
    /// Neither the wait for the response nor its body is bounded.
    pub(crate) async fn open_following(
        &self,
        mut request: HttpRequest,
        redirects: u32,
    ) -> Result<(HttpStream, Uri), HttpError> {
        for left in (0..=redirects).rev() {
            let stream = self.open(&request).await?;
            let Some(next) = redirect(&request, &stream).filter(|_| left > 0) else {
                return Ok((stream, request.url));
            };
            request = next?;
        }
        Err(HttpError::new(HttpErrorKind::Broken, "too many redirects"))
    }

    /// Sends a request, and returns the response without its body. Follows no redirects. Neither the wait for the
    /// response nor its body is bounded.
    pub(crate) async fn open(&self, request: &HttpRequest) -> Result<HttpStream, HttpError> {
        let origin = origin_of(&request.url)?;
        let mut outgoing = Request::new(Full::new(request.body.clone()));
        *outgoing.method_mut() = request.method.clone();
        *outgoing.uri_mut() = request.url.clone();
        *outgoing.headers_mut() = request.headers.clone();
        let headers = outgoing.headers_mut();
        headers.entry(USER_AGENT).or_insert(HeaderValue::from_static("isobox"));
        // Without this header, a service may choose any encoding. This client knows none.
        headers.entry(ACCEPT_ENCODING).or_insert(HeaderValue::from_static("identity"));
        if request.body.is_empty() && states_length(&request.method) {
            headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
        let answered = match origin.scheme() {
            Scheme::Http => self.plain.request(outgoing).await,
            Scheme::Https => self.secure().request(outgoing).await,
        };
        let response = answered.map_err(|error| HttpError::from_client(&error, &origin))?;
        let (head, body) = Response::into_parts(response);
        Ok(HttpStream { status: head.status, headers: head.headers, body, origin })
    }

    fn secure(&self) -> &Client<HttpsConnector<Dialer>, Full<Bytes>> {
        self.secure.get_or_init(|| secure(TLS.clone(), self.dialer.clone()))
    }

    /// Sets the certificates that are trusted.
    #[cfg(test)]
    fn trusting(self, config: rustls::ClientConfig) -> Self {
        let secure = secure(config, self.dialer.clone());
        Self { secure: Arc::new(secure.into()), ..self }
    }

    /// Sets the network.
    #[cfg(test)]
    fn through(self, network: Arc<dyn dial::Network>) -> Self {
        let dialer = Dialer { network, ..self.dialer };
        Self { plain: client(dialer.clone()), dialer, secure: Arc::default() }
    }
}

fn secure(config: rustls::ClientConfig, dialer: Dialer) -> Client<HttpsConnector<Dialer>, Full<Bytes>> {
    client(HttpsConnectorBuilder::new().with_tls_config(config).https_only().enable_http1().wrap_connector(dialer))
}

/// The TLS settings: the certificates that the operating system trusts.
static TLS: LazyLock<rustls::ClientConfig> = LazyLock::new(|| {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring supports TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth()
});

fn client<C>(connector: C) -> Client<C, Full<Bytes>>
where
    C: hyper_util::client::legacy::connect::Connect + Clone,
{
    let mut builder = Client::builder(TokioExecutor::new());
    builder.timer(TokioTimer::new()).pool_timer(TokioTimer::new());
    builder.pool_idle_timeout(IDLE).pool_max_idle_per_host(MAX_IDLE);
    builder.http1_max_buf_size(MAX_HEADER_BYTES).http1_max_headers(MAX_HEADERS);
    builder.build(connector)
}

/// Tells whether a request of a method states the length of a body that is empty. Some services refuse a `POST` that does not
/// (411). hyper states only the length of a body that has bytes.
fn states_length(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::DELETE | Method::OPTIONS | Method::TRACE)
}

/// Returns the request that follows a redirect, if the response is one that may be followed.
fn redirect(request: &HttpRequest, response: &HttpStream) -> Option<Result<HttpRequest, HttpError>> {
    let is_redirect = matches!(response.status.as_u16(), 301 | 302 | 303 | 307 | 308);
    if !is_redirect || !matches!(request.method, Method::GET | Method::HEAD) {
        return None;
    }
    Some(redirected(request, &location(&response.headers)?))
}

/// Returns the address that a redirect leads to, with escapes for bytes that are not ASCII.
pub(crate) fn location(headers: &HeaderMap) -> Option<String> {
    Some(percent_encode(headers.get(LOCATION)?.as_bytes(), CONTROLS).to_string())
}

fn redirected(request: &HttpRequest, location: &str) -> Result<HttpRequest, HttpError> {
    /// The headers that are sent to another origin. All others may be credentials.
    const HARMLESS: [HeaderName; 3] = [ACCEPT, ACCEPT_LANGUAGE, USER_AGENT];
    let before = origin_of(&request.url)?;
    let wrong = |why: &str| {
        HttpError::new(HttpErrorKind::Invalid, format!("{before} redirects to an address that is not followed: {why}"))
    };
    let url = join_url(&request.url, location).map_err(wrong)?;
    let after = origin_of(&url)?;
    if before.scheme() == Scheme::Https && after.scheme() == Scheme::Http {
        return Err(wrong("it is not encrypted"));
    }
    let mut next = HttpRequest { url, ..request.clone() };
    if before != after {
        next.headers =
            HARMLESS.into_iter().filter_map(|name| Some((name.clone(), request.headers.get(&name)?.clone()))).collect();
        next.body = Bytes::new();
    }
    Ok(next)
}

fn origin_of(url: &Uri) -> Result<Origin, HttpError> {
    Origin::of(url).map_err(|why| HttpError::new(HttpErrorKind::Invalid, format!("an address is not usable: {why}")))
}

#[cfg(test)]
mod tests;
