//! Services that people log in to.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};

use isobox_connect::{Auth, LogIn, OAuth, OAuthGrant, OpenApiConnector, OpenApiOptions, TokenStore};
use isobox_core::{CallContext, CallSeq, Connector, ExecutionId, ToolCall, ToolError};
use serde_json::{Value, json};

use crate::support::{Service, answer, ok};

/// Keeps logins in memory.
#[derive(Debug, Default)]
struct Memory(Mutex<HashMap<String, String>>);

impl TokenStore for Memory {
    fn load(&self, key: &str) -> io::Result<Option<String>> {
        Ok(self.0.lock().expect("no thread panicked").get(key).cloned())
    }

    fn save(&self, key: &str, login: &str) -> io::Result<()> {
        self.0.lock().expect("no thread panicked").insert(key.to_owned(), login.to_owned());
        Ok(())
    }

    fn remove(&self, key: &str) -> io::Result<bool> {
        Ok(self.0.lock().expect("no thread panicked").remove(key).is_some())
    }
}

fn connector(service: &Service, store: &Arc<Memory>) -> OpenApiConnector {
    let url = service.url();
    let flow =
        json!({ "authorizationUrl": format!("{url}/authorize"), "tokenUrl": format!("{url}/token"), "scopes": {} });
    let document = json!({
        "openapi": "3.0.3",
        "paths": { "/me": { "get": { "operationId": "me", "security": [{ "people": [] }] } }, "/open": { "get": { "operationId": "open", "security": [] } } },
        "components": { "securitySchemes": { "people": { "type": "oauth2", "flows": { "authorizationCode": flow } } } },
    });
    let oauth = OAuth::new("isobox", "").scopes(vec!["read".to_owned()]).grant(OAuthGrant::AuthorizationCode);
    let described = service.described(&document).auth(Auth::default().with_oauth(oauth));
    let store: Arc<dyn TokenStore> = Arc::clone(store) as Arc<dyn TokenStore>;
    OpenApiConnector::new("shop", described, OpenApiOptions::default().retries(0)).keep_logins_in(store)
}

async fn call(connector: &OpenApiConnector, tool: &str) -> Result<Value, ToolError> {
    let context = CallContext::new(ExecutionId::new(1, 2), CallSeq::new(3));
    connector.call(tool, ToolCall::new(json!({}), context)).await
}

/// Returns the address of the interrupt.
fn address(result: Result<Value, ToolError>) -> String {
    let error = result.expect_err("it needs a login");
    let payload = error.interrupt_payload().unwrap_or_else(|| panic!("it is an interrupt: {error}"));
    assert_eq!((&payload["type"], &payload["command"]), (&json!("login"), &json!("isobox login shop")));
    payload["url"].as_str().unwrap_or_else(|| panic!("an address: {payload}")).to_owned()
}

/// Returns the value of a field of an address.
fn field(url: &str, name: &str) -> String {
    let query = url.split_once('?').expect("it has a query").1;
    let pair = query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).unwrap_or_default();
    percent_encoding::percent_decode_str(pair).decode_utf8_lossy().into_owned()
}

/// Sends the browser back to the client.
async fn come_back(url: &str) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let redirect = field(url, "redirect_uri");
    let host = redirect.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("an address");
    let mut stream = tokio::net::TcpStream::connect(host).await.expect("it waits");
    // Some authorization servers say who they are.
    let query = format!("code=the-code&state={}&iss=https%3A%2F%2Fpeople.example", field(url, "state"));
    let request = format!("GET /callback?{query} HTTP/1.1\r\nhost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("it is read");
    let mut page = String::new();
    stream.read_to_string(&mut page).await.expect("it answers");
    assert!(page.contains("You are logged in"), "{page}");
}

#[tokio::test]
async fn a_person_logs_in_and_the_call_goes_on() {
    let granted = |token: &str| ok(&json!({ "access_token": token, "refresh_token": "refresh", "expires_in": 3_600 }));
    let service = Service::new(vec![
        ok(&json!("open")),
        granted("first"),
        ok(&json!("me")),
        answer(&["401 Unauthorized"], ""),
        granted("second"),
        ok(&json!("me again")),
        answer(&["403 Forbidden", "www-authenticate: Bearer error=\"insufficient_scope\", scope=\"write\""], ""),
    ])
    .await;
    let store = Arc::new(Memory::default());
    let shop = connector(&service, &store);
    assert_eq!(call(&shop, "open").await.expect("it needs no login"), json!("open"));
    let url = address(call(&shop, "me").await);
    assert!(url.starts_with(&format!("{}/authorize?", service.url())), "{url}");
    assert_eq!((field(&url, "client_id"), field(&url, "scope")), ("isobox".to_owned(), "read".to_owned()));
    assert_eq!((field(&url, "code_challenge_method"), field(&url, "resource")), ("S256".to_owned(), String::new()));
    assert_eq!(address(call(&shop, "me").await), url, "one login waits");
    assert_eq!(service.requests().len(), 1, "nothing is sent without a login");
    come_back(&url).await;
    shop.logged_in().await.expect("it is completed");
    assert_eq!(shop.login().await.expect("it can be asked"), None);
    assert_eq!(call(&shop, "me").await.expect("it is logged in"), json!("me"));
    let requests = service.requests();
    assert_eq!(requests[1].line, "POST /token");
    for part in ["grant_type=authorization_code", "code=the-code", "code_verifier=", "client_id=isobox"] {
        assert!(requests[1].body.contains(part), "{part}: {}", requests[1].body);
    }
    assert!(requests[2].head.contains("authorization: bearer first"), "{}", requests[2].head);

    // Another process uses the login. A token that is refused is replaced, and one that lacks a scope needs a person.
    let shop = connector(&service, &store);
    assert_eq!(call(&shop, "me").await.expect("it is refreshed"), json!("me again"));
    let requests = service.requests();
    assert!(
        requests[4].body.contains("grant_type=refresh_token") && requests[4].body.contains("refresh_token=refresh")
    );
    assert!(requests[5].head.contains("authorization: bearer second"), "{}", requests[5].head);
    let url = address(call(&shop, "me").await);
    assert_eq!(field(&url, "scope"), "read write");
    assert!(shop.logout().await.expect("it can be forgotten"));
    assert!(!shop.logout().await.expect("there is none"));
}

#[tokio::test]
async fn a_service_without_logins_says_so() {
    let service = Service::new(vec![ok(&json!(1))]).await;
    let error = service.connector(json!({})).login().await.expect_err("it takes none");
    assert!(error.message().contains("takes no logins"), "{error}");
    let store = Arc::new(Memory::default());
    let forgetful = connector(&service, &store).keep_logins_in(None);
    let error = call(&forgetful, "me").await.expect_err("it cannot keep a login");
    assert!(error.message().contains("there is no place to keep one"), "{error}");
}
