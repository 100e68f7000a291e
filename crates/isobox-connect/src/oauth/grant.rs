//! Asks a token endpoint for tokens (RFC 6749).

use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Uri};
use isobox_core::{brief, parse_json};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::http::{HttpClient, HttpRequest, RequestBounds};

/// The proof of the identity of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientSecret<'a> {
    /// No proof: the client has no secret.
    None,
    /// In a header.
    Basic(&'a str),
    /// In the body.
    Posted(&'a str),
}

/// The tokens that were granted.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Granted {
    pub(crate) access_token: String,
    pub(crate) refresh_token: Option<String>,
    pub(crate) expires_in: Option<Duration>,
    /// The scopes that were granted, if they differ from those that were asked for.
    pub(crate) scope: Option<String>,
}

/// The reason why nothing was granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrantError {
    /// Whether the authorization server decided so, and another attempt with the same grant is useless.
    pub(crate) is_final: bool,
    message: String,
}

impl GrantError {
    /// Describes a login without anything to ask with.
    pub(super) fn none_to_use() -> Self {
        Self { is_final: true, message: "there is no refresh token".to_owned() }
    }
}

impl fmt::Display for GrantError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "no token was granted: {}", self.message)
    }
}

impl std::error::Error for GrantError {}

/// The maximum size of an answer, in bytes.
const MAX_ANSWER: usize = 256 << 10;
const BOUNDS: RequestBounds = RequestBounds { timeout: Duration::from_secs(30), max_body: MAX_ANSWER, redirects: 0 };

/// Asks for tokens.
pub(crate) async fn ask(
    client: &HttpClient,
    url: &Uri,
    id: &str,
    secret: ClientSecret<'_>,
    fields: &[(&str, &str)],
) -> Result<Granted, GrantError> {
    let failed = |is_final, message: String| GrantError { is_final, message };
    let request = request(url, id, secret, fields);
    let response = client.send(request, BOUNDS).await.map_err(|error| failed(false, error.to_string()))?;
    let answer = parse_json(&response.body).unwrap_or_default();
    // Some servers answer errors with 200.
    let code = answer.get("error").and_then(Value::as_str);
    if !response.status.is_success() || code.is_some() {
        let status = response.status.as_u16();
        let said = brief(code.unwrap_or_default(), 80);
        return Err(failed((400..500).contains(&status), format!("the answer was {status} {said}")));
    }
    parse(&answer).map_err(|message| failed(false, message.to_owned()))
}

fn request(url: &Uri, id: &str, secret: ClientSecret<'_>, fields: &[(&str, &str)]) -> HttpRequest {
    let mut fields = fields.to_vec();
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    match secret {
        ClientSecret::None => fields.push(("client_id", id)),
        ClientSecret::Posted(secret) => fields.extend([("client_id", id), ("client_secret", secret)]),
        ClientSecret::Basic(secret) => {
            let pair = format!("{}:{}", escape(id), escape(secret));
            if let Ok(mut value) = HeaderValue::from_str(&format!("Basic {}", STANDARD.encode(pair))) {
                value.set_sensitive(true);
                headers.insert(AUTHORIZATION, value);
            }
        }
    }
    HttpRequest { method: Method::POST, url: url.clone(), headers, body: Bytes::from(form(&fields)) }
}

/// Encodes fields as a form, or as the query of an address.
pub(super) fn form(fields: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", escape(value))).collect();
    pairs.join("&")
}

fn escape(text: &str) -> String {
    const UNSAFE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, UNSAFE).to_string()
}

fn parse(answer: &Value) -> Result<Granted, &'static str> {
    let text = |key: &str| answer.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    if text("token_type").is_some_and(|kind| !kind.eq_ignore_ascii_case("bearer")) {
        return Err("the token is not a bearer token");
    }
    Ok(Granted {
        access_token: text("access_token").ok_or("the answer has no `access_token`")?,
        refresh_token: text("refresh_token"),
        expires_in: answer.get("expires_in").and_then(Value::as_u64).map(Duration::from_secs),
        scope: text("scope"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_client_asks_as_the_standard_says() {
        let url: Uri = "https://a.example/token".parse().unwrap();
        let body = |request: &HttpRequest| String::from_utf8(request.body.to_vec()).unwrap();
        let fields = [("grant_type", "client_credentials"), ("scope", "a b")];
        let own = request(&url, "id", ClientSecret::Basic("se:cret"), &fields);
        assert_eq!(body(&own), "grant_type=client_credentials&scope=a%20b");
        assert_eq!(own.headers[AUTHORIZATION], format!("Basic {}", STANDARD.encode("id:se%3Acret")));
        assert!(own.headers[AUTHORIZATION].is_sensitive());
        let open =
            request(&url, "id", ClientSecret::None, &[("grant_type", "refresh_token"), ("refresh_token", "old")]);
        assert_eq!(body(&open), "grant_type=refresh_token&refresh_token=old&client_id=id");
        assert!(!open.headers.contains_key(AUTHORIZATION));
        let posted = request(&url, "id", ClientSecret::Posted("s&t"), &[]);
        assert_eq!(body(&posted), "client_id=id&client_secret=s%26t");
    }

    #[test]
    fn answers_are_checked() {
        let full = json!({ "access_token": "t", "token_type": "Bearer", "expires_in": 3_600, "refresh_token": "r" });
        let granted = parse(&full).unwrap();
        assert_eq!((granted.access_token.as_str(), granted.refresh_token.as_deref()), ("t", Some("r")));
        assert_eq!(granted.expires_in, Some(Duration::from_secs(3_600)));
        for wrong in [json!({ "access_token": "" }), json!([]), json!({ "access_token": "t", "token_type": "mac" })] {
            assert!(parse(&wrong).is_err(), "{wrong}");
        }
    }
}
