//! Registers a client with an authorization server (RFC 7591).

use std::time::Duration;

use bytes::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Uri};
use isobox_core::{brief, parse_json};
use serde_json::{Value, json};

use crate::http::{HttpClient, HttpRequest, RequestBounds};

/// A registered client.
pub(super) struct Registered {
    pub(super) id: String,
    pub(super) secret: Option<String>,
}

const BOUNDS: RequestBounds = RequestBounds { timeout: Duration::from_secs(30), max_body: 64 << 10, redirects: 0 };

/// Registers a client that the browser returns to at `redirect`.
pub(super) async fn register(client: &HttpClient, endpoint: &Uri, redirect: &str) -> Result<Registered, String> {
    let body = json!({
        "client_name": "Isobox",
        "redirect_uris": [redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "application_type": "native",
    });
    let json_type = HeaderValue::from_static("application/json");
    let headers = HeaderMap::from_iter([(ACCEPT, json_type.clone()), (CONTENT_TYPE, json_type)]);
    let request =
        HttpRequest { method: Method::POST, url: endpoint.clone(), headers, body: Bytes::from(body.to_string()) };
    let failed = |why: String| {
        format!("no client could be registered ({why}); register one there, and name it with `oauth.clientId`")
    };
    let response = client.send(request, BOUNDS).await.map_err(|error| failed(error.to_string()))?;
    let answer = parse_json(&response.body).unwrap_or_default();
    let text = |key: &str| answer.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    if !response.status.is_success() {
        let said = text("error_description").or(text("error")).unwrap_or_default();
        return Err(failed(format!("the answer was {} {}", response.status.as_u16(), brief(said, 200))));
    }
    let id = text("client_id").ok_or_else(|| failed("the answer has no `client_id`".to_owned()))?;
    Ok(Registered { id: id.to_owned(), secret: text("client_secret").map(str::to_owned) })
}
