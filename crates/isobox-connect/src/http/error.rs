//! The error of a request.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::net::IpAddr;

use isobox_core::brief;

use super::dial::DialError;
use super::origin::Origin;
use super::tls;

/// The reason why a request got no usable response. Names the origin and never the rest of the address, which may
/// contain secrets.
#[derive(Debug, Clone)]
pub(crate) struct HttpError {
    #[cfg_attr(
        not(any(feature = "graphql", feature = "mcp", feature = "openapi", feature = "web")),
        expect(dead_code, reason = "logins report every kind alike")
    )]
    pub(crate) kind: HttpErrorKind,
    message: String,
}

/// The kind of an [`HttpError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HttpErrorKind {
    /// The request could not be built or sent as asked.
    Invalid,
    /// No connection was made, so the service has not seen the request.
    Unreachable,
    /// The certificate of the service is not accepted, or TLS failed otherwise.
    Insecure,
    /// The host has no address that the client may connect to.
    ForbiddenAddress,
    /// The time is up.
    TimedOut,
    /// The connection failed while a response was awaited or read.
    Broken,
}

#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi", feature = "web"))]
impl HttpErrorKind {
    /// Tells whether the service may have got the request, and carried it out.
    pub(crate) fn may_have_been_sent(self) -> bool {
        match self {
            Self::TimedOut | Self::Broken => true,
            Self::Invalid | Self::Unreachable | Self::Insecure | Self::ForbiddenAddress => false,
        }
    }
}

#[cfg(any(feature = "graphql", feature = "openapi"))]
impl HttpErrorKind {
    /// Tells whether another attempt may succeed.
    pub(crate) fn may_pass(self) -> bool {
        match self {
            Self::Unreachable | Self::Broken => true,
            Self::Invalid | Self::Insecure | Self::ForbiddenAddress | Self::TimedOut => false,
        }
    }
}

impl HttpError {
    pub(crate) fn new(kind: HttpErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// Describes a host that may not be connected to, because of its address.
    pub(crate) fn forbidden(origin: &Origin, address: IpAddr, remedy: &str) -> Self {
        let message = format!("{origin} has the address {address}, which is not public ({remedy})");
        Self::new(HttpErrorKind::ForbiddenAddress, message)
    }

    /// Describes an error of the client library.
    pub(super) fn from_client(error: &hyper_util::client::legacy::Error, origin: &Origin) -> Self {
        let causes = causes(error);
        if let Some(dial) = causes.iter().find_map(|cause| cause.downcast_ref::<DialError>()) {
            return Self::from_dial(dial, origin);
        }
        if let Some(error) = causes.iter().find_map(|cause| cause.downcast_ref::<rustls::Error>()) {
            let reason = tls::reason(error);
            return Self::new(HttpErrorKind::Insecure, format!("the TLS connection to {origin} failed: {reason}"));
        }
        let reason = brief(&causes.last().map(ToString::to_string).unwrap_or_default(), 200);
        if error.is_connect() {
            return Self::new(HttpErrorKind::Unreachable, format!("{origin} cannot be reached: {reason}"));
        }
        Self::new(HttpErrorKind::Broken, format!("the connection to {origin} failed: {reason}"))
    }

    fn from_dial(error: &DialError, origin: &Origin) -> Self {
        let reason = || brief(&error.to_string(), 200);
        let (kind, message) = match error {
            DialError::Invalid(why) => (HttpErrorKind::Invalid, format!("the address is not usable: {why}")),
            DialError::Unresolved(_) => {
                let message = format!(
                    "the host of {origin} is not found: {} (check its name, and the DNS of this machine)",
                    reason()
                );
                (HttpErrorKind::Unreachable, message)
            }
            DialError::Forbidden(address, remedy) => return Self::forbidden(origin, *address, remedy),
            DialError::Refused(error) => {
                let check = match error.kind() {
                    io::ErrorKind::ConnectionRefused => "check that the service runs, and its port",
                    _ => "check the address, and the network of this machine",
                };
                (HttpErrorKind::Unreachable, format!("{origin} cannot be reached: {} ({check})", reason()))
            }
            DialError::TimedOut => {
                let message = format!(
                    "{origin} cannot be reached: it did not accept a connection in time (check the address, \
                                       and firewalls on the way)"
                );
                (HttpErrorKind::Unreachable, message)
            }
        };
        Self::new(kind, message)
    }

    pub(super) fn from_body(error: &hyper::Error, origin: &Origin) -> Self {
        let reason = brief(&causes(error).last().map(ToString::to_string).unwrap_or_default(), 200);
        Self::new(HttpErrorKind::Broken, format!("the response of {origin} broke off: {reason}"))
    }
}

/// Returns an error and its causes, the innermost one last. Looks into the errors that `io::Error` wraps, which hide
/// themselves from `source`.
fn causes<'e>(error: &'e (dyn StdError + 'static)) -> Vec<&'e (dyn StdError + 'static)> {
    const MAX_CAUSES: usize = 20;
    let mut causes = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next.filter(|_| causes.len() < MAX_CAUSES) {
        causes.push(error);
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    causes
}

impl fmt::Display for HttpError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl StdError for HttpError {}
