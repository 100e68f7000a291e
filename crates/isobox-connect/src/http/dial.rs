//! Connects to a host: resolves its name, checks the addresses, and connects to a checked one.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hyper::Uri;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

use super::address::AddressPolicy;
use super::origin::Origin;

/// Connects to hosts. The address that was checked is the one that is connected to: the name is resolved once.
#[derive(Clone)]
pub(super) struct Dialer {
    pub(super) policy: Arc<AddressPolicy>,
    pub(super) timeout: Duration,
    pub(super) network: Arc<dyn Network>,
}

/// Resolves names and connects to addresses.
pub(super) trait Network: Send + Sync {
    fn resolve<'n>(&'n self, host: &'n str, port: u16) -> BoxFuture<'n, io::Result<Vec<SocketAddr>>>;
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<TcpStream>>;
}

/// The network of the machine.
pub(super) struct System;

impl Network for System {
    fn resolve<'n>(&'n self, host: &'n str, port: u16) -> BoxFuture<'n, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) })
    }

    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<TcpStream>> {
        Box::pin(TcpStream::connect(address))
    }
}

/// The maximum number of addresses that are tried.
const MAX_ADDRESSES: usize = 8;

/// The reason why no connection was made.
#[derive(Debug)]
pub(super) enum DialError {
    /// The address is not one of HTTP.
    Invalid(&'static str),
    /// The name has no address.
    Unresolved(io::Error),
    /// All addresses of the host are private, and the configuration does not name the host. With what to do about it.
    Forbidden(IpAddr, &'static str),
    /// No address accepted a connection.
    Refused(io::Error),
    TimedOut,
}

impl fmt::Display for DialError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) => formatter.write_str(why),
            Self::Unresolved(error) | Self::Refused(error) => error.fmt(formatter),
            Self::Forbidden(address, _) => write!(formatter, "{address} is not public"),
            Self::TimedOut => formatter.write_str("the time is up"),
        }
    }
}

impl std::error::Error for DialError {}

impl Service<Uri> for Dialer {
    type Response = TokioIo<TcpStream>;
    type Error = DialError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, DialError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), DialError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, url: Uri) -> Self::Future {
        let Self { policy, timeout: limit, network } = self.clone();
        Box::pin(async move {
            let connecting = connect(&*network, &policy, &url);
            timeout(limit, connecting).await.unwrap_or(Err(DialError::TimedOut)).map(TokioIo::new)
        })
    }
}

async fn connect(network: &dyn Network, policy: &AddressPolicy, url: &Uri) -> Result<TcpStream, DialError> {
    let origin = Origin::of(url).map_err(DialError::Invalid)?;
    let host = origin.host();
    let found = network.resolve(host.trim_matches(['[', ']']), origin.port()).await;
    let all: Vec<SocketAddr> = found.map_err(DialError::Unresolved)?.into_iter().take(MAX_ADDRESSES).collect();
    let allowed: Vec<SocketAddr> = all.iter().copied().filter(|one| policy.allows(host, one.ip())).collect();
    if allowed.is_empty() {
        return Err(match all.first() {
            Some(address) => DialError::Forbidden(address.ip(), policy.remedy(address.ip())),
            None => DialError::Unresolved(io::ErrorKind::NotFound.into()),
        });
    }
    let mut failed = io::Error::from(io::ErrorKind::NotConnected);
    for address in allowed {
        match network.connect(address).await {
            Ok(stream) => {
                stream.set_nodelay(true).map_err(DialError::Refused)?;
                return Ok(stream);
            }
            Err(error) => failed = error,
        }
    }
    Err(DialError::Refused(failed))
}
