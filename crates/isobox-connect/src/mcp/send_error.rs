//! The reasons why a message did not reach a server.

use std::fmt;

use rmcp::model::ClientJsonRpcMessage;

use crate::http::HttpError;
use crate::oauth::LoginNeeded;

/// The reason why a message was not sent, or was not accepted.
#[derive(Debug, Clone)]
pub(super) enum SendError {
    /// The connection is closed.
    Closed,
    /// The server does not read its standard input.
    Stuck,
    /// The server does not know the session any more. It has not handled the message.
    SessionLost,
    /// The server has not handled the message, because it does not know who sent it.
    LoginNeeded(LoginNeeded),
    /// The server answered with an HTTP status that is no success.
    Status { status: u16, text: String },
    /// The request failed. Whether the server has handled the message is known only if it was not sent.
    Http { message: String, was_sent: bool },
}

impl SendError {
    /// Tells whether the server refused the message itself, as a server of another era does.
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self, Self::Status { status: 400 | 404 | 405 | 406 | 410 | 415 | 422 | 501, .. })
    }

    /// Tells whether a server that does not know `server/discover` may answer it so. Some older servers fail on it with
    /// any status. Excluded are those about missing credentials and about a server that is away or busy.
    pub(super) fn is_refusal_of_discovery(&self) -> bool {
        match self {
            Self::Status { status, .. } => !matches!(status, 401 | 429 | 502..=504),
            Self::Closed | Self::Stuck | Self::SessionLost | Self::LoginNeeded(_) | Self::Http { .. } => false,
        }
    }

    /// Tells whether the server may have handled the message.
    pub(super) fn leaves_effect_unknown(&self) -> bool {
        match self {
            Self::Http { was_sent, .. } => *was_sent,
            Self::Status { status, .. } => *status >= 500,
            Self::Closed | Self::Stuck | Self::SessionLost | Self::LoginNeeded(_) => false,
        }
    }

    /// Tells whether another attempt may succeed without a change of the message.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Stuck | Self::Http { .. } => true,
            Self::Status { status, .. } => matches!(status, 429 | 500 | 502..=599),
            Self::Closed | Self::SessionLost | Self::LoginNeeded(_) => false,
        }
    }
}

impl From<HttpError> for SendError {
    fn from(error: HttpError) -> Self {
        Self::Http { message: error.to_string(), was_sent: error.kind.may_have_been_sent() }
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => formatter.write_str("the connection is closed"),
            Self::Stuck => formatter.write_str("the server does not read its standard input"),
            Self::SessionLost => formatter.write_str("the server has ended the session"),
            Self::LoginNeeded(needed) => needed.fmt(formatter),
            Self::Status { status, text } if text.is_empty() => write!(formatter, "HTTP status {status}"),
            Self::Status { status, text } => write!(formatter, "HTTP status {status}: {text}"),
            Self::Http { message, .. } => formatter.write_str(message),
        }
    }
}

impl std::error::Error for SendError {}

/// Encodes a message.
pub(super) fn encode(message: &ClientJsonRpcMessage) -> Result<Vec<u8>, SendError> {
    serde_json::to_vec(message)
        .map_err(|error| SendError::Http { message: format!("a message cannot be encoded: {error}"), was_sent: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_tells_whether_the_server_refuses_or_is_away() {
        let status = |status| SendError::Status { status, text: String::new() };
        for (number, refuses_discovery, may_pass) in [
            (200, true, false),
            (301, true, false),
            (400, true, false),
            (401, false, false),
            (403, true, false),
            (404, true, false),
            (405, true, false),
            (429, false, true),
            (500, true, true),
            (501, true, false),
            (502, false, true),
            (503, false, true),
            (504, false, true),
            (520, true, true),
        ] {
            let error = status(number);
            assert_eq!((error.is_refusal_of_discovery(), error.may_pass()), (refuses_discovery, may_pass), "{number}");
        }
        let away = SendError::Http { message: String::new(), was_sent: false };
        assert!(away.may_pass() && !away.is_refusal_of_discovery());
        assert!(!SendError::SessionLost.may_pass() && !SendError::Closed.may_pass());
    }
}
