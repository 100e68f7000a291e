//! The parts that connectors of web services share: credentials, tokens, retries, and the reading of responses.

mod auth;
mod call_headers;
mod credentials;
mod encoding;
mod error;
mod exchange;
mod file;
mod folded;
mod loading;
mod logins;
pub(crate) mod response;
mod retry;
mod room;
mod scheme;
mod secrets;
mod tokens;

pub use auth::{ApiKey, Auth, OAuth, OAuthGrant};
pub use call_headers::CallHeaders;
pub(crate) use credentials::Credentials;
pub(crate) use encoding::{BASE64, Escape, escape, essence, is_json};
pub(crate) use error::ServiceError;
pub(crate) use exchange::{Answered, Exchange};
pub(crate) use file::{file_error, read_file, too_large};
pub(crate) use folded::Folded;
pub(crate) use loading::Loading;
pub(crate) use logins::Logins;
pub(crate) use room::Room;
pub(crate) use scheme::{Location, SecurityScheme};
pub(crate) use secrets::ServiceSecrets;
pub(crate) use tokens::Tokens;
