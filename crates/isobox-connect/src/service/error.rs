//! The failures of calls of a service.

use isobox_core::{ToolError, brief, lossy_text, parse_json};
use serde_json::{Map, Value, json};

use super::encoding::is_json;
use super::response::{is_text, media_type};
use crate::http::HttpResponse;
use crate::oauth::LoginNeeded;
use crate::secrets::Secrets;

/// The failure of a call: a message, and what the program finds on the error.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ServiceError {
    message: String,
    details: Map<String, Value>,
    /// The login that is missing, if that is the cause.
    login: Option<LoginNeeded>,
    /// Whether it is unknown if the request had an effect.
    has_unknown_effect: bool,
}

/// The maximum size of the body that a program finds on an error, in bytes.
const MAX_BODY: usize = 16 << 10;

impl ServiceError {
    /// Adds the status and the body of the response that says so.
    pub(crate) fn with_response(mut self, response: &HttpResponse, secrets: &Secrets) -> Self {
        self.details.insert("status".to_owned(), json!(response.status.as_u16()));
        if let Some(body) = body(response, secrets) {
            self.details.insert("body".to_owned(), body);
        }
        self
    }

    /// Marks a failure after which it is unknown whether the request had an effect.
    pub(crate) fn with_unknown_effect(self) -> Self {
        Self { has_unknown_effect: true, ..self }
    }

    /// Sets the message.
    #[cfg(feature = "graphql")]
    pub(crate) fn saying(self, message: String) -> Self {
        Self { message, ..self }
    }

    /// Returns the message.
    #[cfg(feature = "graphql")]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the login that is missing, if that is the cause.
    #[cfg(feature = "graphql")]
    pub(crate) fn login(&self) -> Option<&LoginNeeded> {
        self.login.as_ref()
    }

    /// Returns the error of a tool of this service: an interrupt if a login is missing.
    pub(crate) fn into_tool_error(self, service: &str, secrets: &Secrets) -> ToolError {
        if let Some(login) = &self.login {
            return login.interrupt();
        }
        let error = ToolError::new(format!("{}: {}", brief(service, 80), secrets.conceal(&self.message)));
        let error = if self.has_unknown_effect { error.with_unknown_effect() } else { error };
        self.details.into_iter().fold(error, |error, (key, value)| error.detail(key, value))
    }
}

impl<T: Into<String>> From<T> for ServiceError {
    fn from(message: T) -> Self {
        Self { message: message.into(), ..Self::default() }
    }
}

impl From<LoginNeeded> for ServiceError {
    fn from(login: LoginNeeded) -> Self {
        Self { message: login.to_string(), login: Some(login), ..Self::default() }
    }
}

/// Returns the body of a response for a program: the value of JSON that is not too large, otherwise the beginning of the
/// text. None if it is neither.
fn body(response: &HttpResponse, secrets: &Secrets) -> Option<Value> {
    let media_type = media_type(&response.headers);
    let may_be_json = is_json(&media_type) || media_type.is_empty();
    if response.body.is_empty() || !(may_be_json || is_text(&media_type)) {
        return None;
    }
    let text = secrets.conceal(&lossy_text(&response.body));
    if may_be_json
        && text.len() <= MAX_BODY
        && let Ok(mut value) = parse_json(text.as_bytes())
    {
        // A text of JSON may be escaped.
        secrets.conceal_value(&mut value);
        return Some(value);
    }
    Some(Value::String(text[..text.floor_char_boundary(MAX_BODY)].to_owned()))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use hyper::StatusCode;
    use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

    use super::*;

    fn details(media_type: &'static str, content: &[u8]) -> Value {
        let response = HttpResponse {
            status: StatusCode::NOT_FOUND,
            headers: HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media_type))]),
            body: Bytes::copy_from_slice(content),
            is_cut: false,
            url: "https://a.example/".parse().unwrap(),
        };
        let secrets = Secrets::new(&["hunter2".to_owned()], &[]);
        let error = ServiceError::from("no").with_response(&response, &secrets).into_tool_error("shop", &secrets);
        assert_eq!(error.message(), "shop: no");
        Value::Object(error.details().clone())
    }

    #[test]
    fn an_error_has_status_and_body_bounded_and_without_secrets() {
        for (media_type, content, expected) in [
            ("application/problem+json", &br#"{"a":"hunter2"}"#[..], json!({ "status": 404, "body": { "a": "***" } })),
            ("application/json", br#"{"a":"hunter\u0032"}"#, json!({ "status": 404, "body": { "a": "***" } })),
            ("application/json", b"{ broken", json!({ "status": 404, "body": "{ broken" })),
            ("text/plain", b"[1] hunter2", json!({ "status": 404, "body": "[1] ***" })),
            ("", b"[1]", json!({ "status": 404, "body": [1] })),
            ("image/png", b"\x89P", json!({ "status": 404 })),
            ("application/json", b"", json!({ "status": 404 })),
        ] {
            assert_eq!(details(media_type, content), expected, "{media_type}");
        }
        let long = format!("[\"{}\"]", "é".repeat(20_000));
        let cut = details("application/json", long.as_bytes());
        let cut = cut["body"].as_str().unwrap();
        assert!(cut.len() <= MAX_BODY && cut.len() > MAX_BODY - 4 && long.starts_with(cut));
    }
}
