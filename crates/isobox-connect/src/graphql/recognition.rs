//! Recognises GraphQL services, for people who name an address and nothing else.

use bytes::Bytes;
use hyper::Method;
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use isobox_core::parse_json;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::options::GraphQlOptions;
use crate::http::{AddressPolicy, HttpClient, HttpRequest, Origin, parse_url};
use crate::service::{essence, is_json};

/// The maximum size of an answer that is read, in bytes.
const MAX_ANSWER: usize = 64 << 10;

/// Asks an address for the name of its query type, and tells whether it answers as a GraphQL service does. The address is
/// sent no credentials. Returns false if it cannot be reached.
pub async fn is_graphql(url: &str, options: &GraphQlOptions) -> bool {
    timeout(options.timeout, answer(url, options)).await.ok().flatten().is_some_and(|answer| is_answer(&answer))
}

async fn answer(url: &str, options: &GraphQlOptions) -> Option<Value> {
    let url = parse_url(url).ok()?;
    let origin = Origin::of(&url).ok()?;
    let client = HttpClient::new(AddressPolicy::for_hosts([origin.host()]), options.connect_timeout);
    let json_type = HeaderValue::from_static("application/json");
    let accepted = HeaderValue::from_static("application/graphql-response+json, application/json;q=0.9");
    let headers = HeaderMap::from_iter([(ACCEPT, accepted), (CONTENT_TYPE, json_type)]);
    let body = Bytes::from(json!({ "query": "{ __typename }" }).to_string());
    let (mut stream, _) =
        client.open_following(HttpRequest { method: Method::POST, url, headers, body }, 0).await.ok()?;
    let media_type = stream.headers.get(CONTENT_TYPE)?.to_str().ok().map(essence)?;
    // Another body may have no end.
    let (body, _) = if is_json(&media_type) { stream.read(MAX_ANSWER).await.ok()? } else { return None };
    parse_json(&body).ok()
}

/// Tells whether a value is an answer of GraphQL: the name of a type, or a list of errors with messages.
fn is_answer(value: &Value) -> bool {
    let is_error = |error: &Value| error.get("message").is_some_and(Value::is_string);
    let errors = value.get("errors").and_then(Value::as_array);
    value.pointer("/data/__typename").is_some_and(Value::is_string)
        || errors.is_some_and(|errors| !errors.is_empty() && errors.iter().all(is_error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_graphql_are_told_from_others() {
        for (answer, expected) in [
            (json!({ "data": { "__typename": "Query" } }), true),
            (json!({ "errors": [{ "message": "who are you" }] }), true),
            (json!({ "data": { "__typename": null } }), false),
            (json!({ "errors": [] }), false),
            (json!({ "errors": { "query": ["is unknown"] } }), false),
            (json!({ "errors": ["bad request"] }), false),
            (json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32600, "message": "no" } }), false),
            (json!([]), false),
        ] {
            assert_eq!(is_answer(&answer), expected, "{answer}");
        }
    }
}
