//! The way of the requests of programs to the network: the client of this crate, or a transport of the host.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use hyper::Uri;
use isobox_core::{ByteSize, brief};

use crate::http::{
    AddressPolicy, HttpClient, HttpError, HttpErrorKind, HttpRequest, HttpResponse, Origin, RequestBounds,
};

/// A request for a [`WebTransport`]: a type of the crate `http`, with an absolute address.
pub type WebRequest = hyper::Request<Bytes>;
/// A response of a [`WebTransport`]: a type of the crate `http`, with the whole body.
pub type WebResponse = hyper::Response<Bytes>;

/// The bounds of one request. They are also enforced after the transport has answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WebBounds {
    /// The time after which the request is dropped.
    pub timeout: Duration,
    /// The maximum size of the body. A transport can stop reading after it: a larger body is an error.
    pub max_response: ByteSize,
}

/// Sends the requests of programs in place of the built-in client: by the client of the host, by a proxy, or to a double
/// in tests.
///
/// Everything that [`WebOptions`](super::WebOptions) says is checked before: addresses, methods, headers and redirects.
/// Secrets are already in the headers. The policy and the journal apply as to every call. One check is the transport's: it
/// connects by itself, so it has to refuse names that resolve to private addresses. Addresses that are written in a
/// request are checked before.
pub trait WebTransport: Send + Sync {
    /// Sends a request, and returns the whole response. The future is dropped when the time is up.
    ///
    /// Must neither follow redirects nor decompress without removing `content-encoding`. Programs see the message of an
    /// error, without secrets.
    fn send(
        &self,
        request: WebRequest,
        bounds: WebBounds,
    ) -> BoxFuture<'_, Result<WebResponse, Box<dyn Error + Send + Sync>>>;
}

/// The way of a request to the network.
pub(super) enum Route {
    /// The client of this crate. It checks the addresses of names while it connects.
    Client(HttpClient),
    /// A transport of the host.
    Host { transport: Arc<dyn WebTransport>, addresses: AddressPolicy },
}

impl Route {
    /// Sends a request. Follows no redirects.
    pub(super) async fn send(&self, request: HttpRequest, bounds: RequestBounds) -> Result<HttpResponse, HttpError> {
        match self {
            Self::Client(client) => client.send(request, bounds).await,
            Self::Host { transport, addresses } => {
                let origin = check_written_address(&request.url, addresses)?;
                send_by(&**transport, &origin, request, bounds).await
            }
        }
    }
}

async fn send_by(
    transport: &dyn WebTransport,
    origin: &Origin,
    request: HttpRequest,
    bounds: RequestBounds,
) -> Result<HttpResponse, HttpError> {
    let HttpRequest { method, url, headers, body } = request;
    let mut outgoing = WebRequest::new(body);
    *outgoing.method_mut() = method;
    *outgoing.uri_mut() = url.clone();
    *outgoing.headers_mut() = headers;
    let RequestBounds { timeout, max_body, redirects: _ } = bounds;
    let max_response = ByteSize::bytes(u64::try_from(max_body).unwrap_or(u64::MAX));
    let sending = transport.send(outgoing, WebBounds { timeout, max_response });
    let response = match tokio::time::timeout(timeout, sending).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => {
            let reason = brief(&error.to_string(), 200);
            let message = format!("the transport of the host got no response of {origin}: {reason}");
            return Err(HttpError::new(HttpErrorKind::Broken, message));
        }
        Err(_) => {
            let message = format!("{origin} did not answer within {timeout:?}");
            return Err(HttpError::new(HttpErrorKind::TimedOut, message));
        }
    };
    let (head, body) = response.into_parts();
    let is_cut = body.len() > max_body;
    let body = body.slice(..body.len().min(max_body));
    Ok(HttpResponse { status: head.status, headers: head.headers, body, is_cut, url })
}

/// Refuses an address that is private as it is written, without resolving names.
fn check_written_address(url: &Uri, addresses: &AddressPolicy) -> Result<Origin, HttpError> {
    let invalid = |why: &str| HttpError::new(HttpErrorKind::Invalid, format!("the address cannot be requested: {why}"));
    let origin = Origin::of(url).map_err(invalid)?;
    let host = origin.host();
    let name = host.trim_end_matches('.');
    let last = name.rsplit('.').next().unwrap_or_default();
    let address = if let Ok(address) = host.trim_matches(['[', ']']).parse() {
        address
    } else if last == "localhost" {
        IpAddr::V4(Ipv4Addr::LOCALHOST)
    } else if last.starts_with("0x") || last.bytes().all(|byte| byte.is_ascii_digit()) {
        // Some clients read such names as addresses.
        return Err(invalid("its host is a number, and not an IP address in its usual form"));
    } else {
        return Ok(origin);
    };
    match addresses.allows(host, address) {
        true => Ok(origin),
        false => Err(HttpError::forbidden(&origin, address, addresses.remedy(address))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_as_written() {
        let addresses = AddressPolicy::for_hosts(["127.0.0.1", "localhost"]);
        for (url, expected) in [
            ("https://example.com/", None),
            ("https://0xford.example/", None),
            ("https://8.8.8.8/", None),
            ("http://127.0.0.1:3000/", None),
            ("http://localhost/", None),
            ("http://10.0.0.1/", Some(HttpErrorKind::ForbiddenAddress)),
            ("http://[::1]/", Some(HttpErrorKind::ForbiddenAddress)),
            ("http://169.254.169.254/latest/", Some(HttpErrorKind::ForbiddenAddress)),
            ("http://x.localhost/", Some(HttpErrorKind::ForbiddenAddress)),
            ("http://localhost./", Some(HttpErrorKind::ForbiddenAddress)),
            ("http://2130706433/", Some(HttpErrorKind::Invalid)),
            ("http://0x7f.1/", Some(HttpErrorKind::Invalid)),
            ("http://127.0.0.0x1/", Some(HttpErrorKind::Invalid)),
            ("http://127.0.0.1./", Some(HttpErrorKind::Invalid)),
        ] {
            let checked = check_written_address(&url.parse().unwrap(), &addresses);
            assert_eq!(checked.err().map(|error| error.kind), expected, "{url}");
        }
    }
}
