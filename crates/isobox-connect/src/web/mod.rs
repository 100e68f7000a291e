//! The web for programs: the tools behind their `fetch`, under a policy of the host.

mod connector;
mod exchange;
mod options;
mod policy;
mod transport;

pub use connector::WebConnector;
pub use options::{WebOptions, WebSecret};
pub use transport::{WebBounds, WebRequest, WebResponse, WebTransport};
