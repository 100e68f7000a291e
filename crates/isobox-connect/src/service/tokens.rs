//! Gets OAuth tokens, and keeps them until they expire.

use std::time::Duration;

use base64::Engine;
use bytes::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Uri};
use isobox_core::{brief, parse_json};
use serde_json::Value;
use tokio::time::Instant;

use super::auth::{OAuth, OAuthGrant};
use super::encoding::{BASE64, Escape, escape};
use crate::http::{HttpClient, HttpRequest, RequestBounds};

/// The token of a client. Locked while a token is asked for, so that it is asked for once for all callers.
#[derive(Default)]
pub(crate) struct Tokens {
    current: tokio::sync::Mutex<Option<Token>>,
}

struct Token {
    value: String,
    expires: Option<Instant>,
    /// A newer refresh token. Services may replace the configured one at every use.
    refresh: Option<String>,
}

/// The time before the end of a token from which on another one is asked for.
const MARGIN: Duration = Duration::from_secs(30);
/// The maximum size of the answer to a request for a token, in bytes.
const MAX_ANSWER: usize = 256 << 10;

impl Tokens {
    /// Returns a token that is valid, or why there is none. `refused` is one that the service did not accept.
    pub(crate) async fn get(
        &self,
        client: &HttpClient,
        oauth: &OAuth,
        url: &Uri,
        refused: Option<&str>,
    ) -> Result<String, String> {
        let mut current = self.current.lock().await;
        let is_valid = |token: &&Token| {
            Some(token.value.as_str()) != refused && token.expires.is_none_or(|expires| now() < expires)
        };
        if let Some(token) = current.as_ref().filter(is_valid) {
            return Ok(token.value.clone());
        }
        let refresh = current.take().and_then(|token| token.refresh);
        let request = request(oauth, url, refresh.as_deref());
        let bounds = RequestBounds { timeout: Duration::from_secs(30), max_body: MAX_ANSWER, redirects: 0 };
        let response = client.send(request, bounds).await.map_err(|error| format!("no token was granted: {error}"))?;
        let answer = parse_json(&response.body).unwrap_or_default();
        if !response.status.is_success() {
            let why = answer.get("error").and_then(Value::as_str).unwrap_or_default();
            return Err(format!(
                "no token was granted: the answer was {} {}",
                response.status.as_u16(),
                brief(why, 80)
            ));
        }
        let mut token = parse(&answer)?;
        let value = token.value.clone();
        token.refresh = token.refresh.or(refresh);
        *current = Some(token);
        Ok(value)
    }
}

/// Builds the request for a token (RFC 6749).
fn request(oauth: &OAuth, url: &Uri, refresh: Option<&str>) -> HttpRequest {
    let mut fields: Vec<(&str, &str)> = match &oauth.grant {
        OAuthGrant::ClientCredentials => vec![("grant_type", "client_credentials")],
        OAuthGrant::RefreshToken(configured) => {
            vec![("grant_type", "refresh_token"), ("refresh_token", refresh.unwrap_or(configured))]
        }
    };
    let scope = oauth.scopes.join(" ");
    if !scope.is_empty() {
        fields.push(("scope", &scope));
    }
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    if oauth.client_secret.is_empty() {
        fields.push(("client_id", &oauth.client_id));
    } else {
        let pair = format!("{}:{}", escape(&oauth.client_id, Escape::All), escape(&oauth.client_secret, Escape::All));
        if let Ok(mut value) = HeaderValue::from_str(&format!("Basic {}", BASE64.encode(pair))) {
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
    }
    let pair = |(name, value): &(&str, &str)| format!("{name}={}", escape(value, Escape::All));
    let body: Vec<String> = fields.iter().map(pair).collect();
    HttpRequest { method: Method::POST, url: url.clone(), headers, body: Bytes::from(body.join("&")) }
}

fn parse(answer: &Value) -> Result<Token, String> {
    let text = |key: &str| answer.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let value = text("access_token").ok_or("no token was granted: the answer has no `access_token`")?;
    let lifetime = answer.get("expires_in").and_then(Value::as_u64).map(Duration::from_secs);
    let expires = lifetime.and_then(|lifetime| now().checked_add(lifetime.saturating_sub(MARGIN)));
    Ok(Token { value, expires, refresh: text("refresh_token") })
}

#[expect(clippy::disallowed_methods, reason = "tokens expire in real time")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_client_asks_as_the_standard_says() {
        let url: Uri = "https://a.example/token".parse().unwrap();
        let body = |request: &HttpRequest| String::from_utf8(request.body.to_vec()).unwrap();
        let own = request(&OAuth::new("id", "se:cret").scopes(vec!["a".into(), "b c".into()]), &url, None);
        assert_eq!(body(&own), "grant_type=client_credentials&scope=a%20b%20c");
        assert_eq!(own.headers[AUTHORIZATION], format!("Basic {}", BASE64.encode("id:se%3Acret")));
        let refreshing = OAuth::new("id", "").grant(OAuthGrant::RefreshToken("old".into()));
        assert_eq!(body(&request(&refreshing, &url, None)), "grant_type=refresh_token&refresh_token=old&client_id=id");
        assert!(body(&request(&refreshing, &url, Some("new"))).contains("refresh_token=new"));
    }

    #[tokio::test]
    async fn answers_are_checked() {
        let token = parse(&json!({ "access_token": "t", "expires_in": 3_600, "refresh_token": "r" })).unwrap();
        assert_eq!((token.value.as_str(), token.refresh.as_deref(), token.expires.is_some()), ("t", Some("r"), true));
        assert!(parse(&json!({ "access_token": "" })).is_err());
        assert!(parse(&json!([])).is_err());
    }
}
