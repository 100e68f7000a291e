//! The error of a connector.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{Code, Failure};

/// The reason why a connector cannot offer its tools. The connector stays usable, unless it was
/// [closed](ErrorKind::Closed): another attempt may succeed.
///
/// Servers and the command line report it as a [`Failure`] with its message, hint and details. The source stays with
/// the host.
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    details: Map<String, Value>,
    /// Shared, because all callers that wait for the same start get the same error.
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// The kind of a connector's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The service behind the connector could not be started or reached, or it ended.
    Unavailable,
    /// The service did not answer in time.
    TimedOut,
    /// The service answered with data that the connector does not understand.
    Protocol,
    /// The service answered with an error.
    Refused,
    /// The connector was closed.
    Closed,
    /// The connector itself has a defect.
    Internal,
}

impl Error {
    /// Creates an error. The message says in one line which connector failed and how.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, details: Map::new(), source: None }
    }

    /// Adds advice for the person who configured the connector.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a detail, which is reported beside the message.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// Adds the error that caused this one. It is not reported, so it may contain details of the host.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(Arc::from(source.into()));
        self
    }

    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as &(dyn std::error::Error + 'static))
    }
}

/// `CONFIG`, because a connector that does not work is mostly configured wrongly.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error.kind {
            ErrorKind::Unavailable | ErrorKind::TimedOut | ErrorKind::Protocol | ErrorKind::Refused => Code::Config,
            ErrorKind::Closed => Code::Aborted,
            ErrorKind::Internal => Code::Internal,
        };
        Self { hint: error.hint, details: error.details, ..Self::new(code, error.message) }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;
    use std::io;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_failure_has_the_words_of_its_error_and_not_its_source() {
        let error = Error::new(ErrorKind::Unavailable, "the service `a` could not be reached")
            .hint("start it")
            .detail("server", "a")
            .caused_by(io::Error::other("token 123"));
        let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(ToString::to_string).as_deref(), Some("token 123"));
        assert_eq!(
            serde_json::to_value(Failure::from(error)).unwrap(),
            json!({ "code": "CONFIG", "name": "ConfigError", "message": "the service `a` could not be reached",
                    "hint": "start it", "details": { "server": "a" } })
        );
    }

    #[test]
    fn the_code_of_a_failure_says_whether_the_connector_or_its_service_is_to_blame() {
        let code = |kind| Failure::from(Error::new(kind, "")).code;
        let services = [ErrorKind::Unavailable, ErrorKind::TimedOut, ErrorKind::Protocol, ErrorKind::Refused];
        assert_eq!(services.map(code), [Code::Config; 4]);
        assert_eq!([ErrorKind::Closed, ErrorKind::Internal].map(code), [Code::Aborted, Code::Internal]);
    }
}
