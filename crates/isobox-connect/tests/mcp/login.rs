//! Remote servers that ask for a login.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};

use isobox_connect::{ClientGrant, McpConnector, McpOptions, McpRemote, OAuthClient, TokenStore};
use isobox_core::{Connector, ToolError};
use serde_json::{Value, json};

use crate::support::{call, eventually};
use crate::web_server::{Answer, Request, WebServer};

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

/// What a server and its authorization server do.
#[derive(Default)]
struct Behaviour {
    /// The tokens that are accepted.
    accepted: Mutex<Vec<&'static str>>,
    /// Changes the metadata of the authorization server.
    metadata: Mutex<Value>,
    /// The tokens that are granted, in turn.
    grants: Mutex<Vec<Value>>,
    /// The tools that need the scope with their name.
    scoped: Mutex<Vec<&'static str>>,
}

/// Starts a server that is its own authorization server.
async fn guarded(behaviour: &Arc<Behaviour>) -> WebServer {
    let behaviour = Arc::clone(behaviour);
    WebServer::knowing_itself(move |own, request| answer(own, request, &behaviour)).await
}

fn answer(own: &str, request: &Request, behaviour: &Behaviour) -> Answer {
    let path = request.target.split('?').next().unwrap_or_default();
    match (request.method.as_str(), path) {
        ("GET", "/.well-known/oauth-protected-resource/mcp") => Answer::json(&json!({
            "resource": format!("{own}/mcp"), "authorization_servers": [own], "scopes_supported": ["read"],
        })),
        ("GET", "/.well-known/oauth-authorization-server") => {
            let mut metadata = json!({
                "issuer": own, "authorization_endpoint": format!("{own}/authorize"),
                "token_endpoint": format!("{own}/token"), "registration_endpoint": format!("{own}/register"),
                "code_challenge_methods_supported": ["S256"], "scopes_supported": ["read", "offline_access"],
                "authorization_response_iss_parameter_supported": true,
            });
            let changes = behaviour.metadata.lock().expect("no thread panicked").clone();
            for (key, value) in changes.as_object().into_iter().flatten() {
                metadata[key] = value.clone();
            }
            Answer::json(&metadata)
        }
        ("POST", "/register") => Answer::json(&json!({ "client_id": "registered" })),
        ("POST", "/token") => {
            let mut grants = behaviour.grants.lock().expect("no thread panicked");
            match grants.is_empty() {
                true => Answer::status("400 Bad Request").text(json!({ "error": "invalid_grant" }).to_string()),
                false => Answer::json(&grants.remove(0)),
            }
        }
        ("POST", "/mcp") => guarded_message(own, request, behaviour),
        _ => Answer::status("404 Not Found"),
    }
}

fn guarded_message(own: &str, request: &Request, behaviour: &Behaviour) -> Answer {
    let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let is_accepted =
        token.is_some_and(|token| behaviour.accepted.lock().expect("no thread panicked").contains(&token));
    if !is_accepted {
        let metadata = format!("{own}/.well-known/oauth-protected-resource/mcp");
        let challenge = format!("Bearer error=\"invalid_token\", resource_metadata=\"{metadata}\"");
        return Answer::status("401 Unauthorized").header("www-authenticate", &challenge);
    }
    let scoped = behaviour.scoped.lock().expect("no thread panicked").clone();
    if let Some(tool) = scoped.into_iter().find(|tool| request.message()["params"]["name"] == *tool) {
        let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{tool}\"");
        return Answer::status("403 Forbidden").header("www-authenticate", &challenge);
    }
    if request.message()["params"]["name"] == "refused" {
        return Answer::status("403 Forbidden").text(format!("{} may not do this", token.unwrap_or_default()));
    }
    match request.rpc().as_str() {
        "initialize" => Answer::result(
            request,
            json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                    "serverInfo": { "name": "fake", "version": "1" } }),
        ),
        "tools/list" => Answer::result(request, json!({ "tools": [{ "name": "echo" }] })),
        "tools/call" => Answer::result(request, json!({ "structuredContent": token })),
        "server/discover" => Answer::status("400 Bad Request"),
        _ => Answer::accepted(),
    }
}

fn connector(server: &WebServer, store: &Arc<Memory>, client: OAuthClient) -> McpConnector {
    let remote = McpRemote::new(server.url()).oauth(client);
    McpConnector::new("docs", remote, McpOptions::default().tokens(Arc::clone(store) as Arc<dyn TokenStore>))
}

/// Returns the value of a field of an address.
fn field(url: &str, name: &str) -> String {
    let query = url.split_once('?').expect("it has a query").1;
    let pair = query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).unwrap_or_default();
    percent_encoding::percent_decode_str(pair).decode_utf8_lossy().into_owned()
}

/// Sends the browser back to the client with these fields.
async fn come_back(url: &str, fields: &[(&str, &str)]) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let redirect = field(url, "redirect_uri");
    let address = redirect.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("an address");
    let query: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", value.replace(':', "%3A"))).collect();
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("it waits");
    let request = format!("GET /callback?{} HTTP/1.1\r\nhost: x\r\n\r\n", query.join("&"));
    stream.write_all(request.as_bytes()).await.expect("it is read");
    let mut page = String::new();
    stream.read_to_string(&mut page).await.expect("it answers");
    page
}

fn issuer(server: &WebServer) -> String {
    format!("http://{}", server.address)
}

fn payload(result: Result<Value, ToolError>) -> Value {
    let error = result.expect_err("it needs a login");
    error.interrupt_payload().unwrap_or_else(|| panic!("it is an interrupt: {error}")).clone()
}

#[tokio::test]
async fn a_person_logs_in_and_the_call_goes_on() {
    let behaviour = Arc::new(Behaviour::default());
    let server = guarded(&behaviour).await;
    let store = Arc::new(Memory::default());
    let docs = connector(&server, &store, OAuthClient::default());
    let asked = payload(call(&docs, "echo", json!({})).await);
    assert_eq!(
        (&asked["type"], &asked["server"], &asked["command"]),
        (&json!("login"), &json!("docs"), &json!("isobox login docs"))
    );
    let url = asked["url"].as_str().expect("an address").to_owned();
    assert!(url.starts_with(&format!("{}/authorize?", issuer(&server))), "{url}");
    assert_eq!(
        (field(&url, "client_id"), field(&url, "scope")),
        ("registered".to_owned(), "offline_access read".to_owned())
    );
    assert_eq!((field(&url, "code_challenge_method"), field(&url, "resource")), ("S256".to_owned(), server.url()));
    let again = payload(call(&docs, "echo", json!({})).await);
    assert_eq!(again["url"], url.as_str(), "one login at a time");

    *behaviour.grants.lock().expect("no thread panicked") =
        vec![json!({ "access_token": "t1", "token_type": "Bearer", "expires_in": 3_600, "refresh_token": "r1" })];
    *behaviour.accepted.lock().expect("no thread panicked") = vec!["t1"];
    let state = field(&url, "state");
    assert!(come_back(&url, &[("code", "c"), ("state", "forged")]).await.contains("was not asked for"));
    assert!(
        come_back(&url, &[("code", "c1"), ("state", &state), ("iss", &issuer(&server))]).await.contains("logged in")
    );
    docs.logged_in().await.expect("the login is complete");
    assert_eq!(call(&docs, "echo", json!({})).await.expect("it works"), json!("t1"));
    let exchanged =
        server.requests().into_iter().find(|request| request.target == "/token").expect("a token was asked for");
    assert_eq!(exchanged.field("grant_type").as_deref(), Some("authorization_code"));
    assert_eq!((exchanged.field("code").as_deref(), exchanged.field("resource")), (Some("c1"), Some(server.url())));
    assert_eq!(exchanged.field("code_verifier").map(|verifier| verifier.len()), Some(43));

    // Another process uses the login that is kept.
    let other = connector(&server, &store, OAuthClient::default());
    assert_eq!(call(&other, "echo", json!({})).await.expect("it works"), json!("t1"));
    assert!(other.logout().await.expect("it is forgotten"));
    assert!(store.0.lock().expect("no thread panicked").is_empty());
}

/// Returns a store with a login whose token has this many seconds left.
fn kept(server: &WebServer, seconds: i64) -> Arc<Memory> {
    let now = std::time::UNIX_EPOCH.elapsed().expect("a time").as_secs();
    let login = json!({
        "resource": server.url(), "issuer": issuer(server), "tokenEndpoint": format!("{}/token", issuer(server)),
        "clientId": "registered", "scopes": ["read"], "accessToken": "old", "refreshToken": "r1",
        "expires": now.saturating_add_signed(seconds),
    });
    let store = Arc::new(Memory::default());
    store.save(&server.url(), &login.to_string()).expect("it is kept");
    store
}

#[tokio::test]
async fn a_token_that_expires_or_is_refused_is_refreshed_once_for_all_calls() {
    for seconds in [-10, 3_600] {
        let behaviour = Arc::new(Behaviour::default());
        let server = guarded(&behaviour).await;
        let store = kept(&server, seconds);
        *behaviour.grants.lock().expect("no thread panicked") =
            vec![json!({ "access_token": "new", "refresh_token": "r2" })];
        *behaviour.accepted.lock().expect("no thread panicked") = vec!["new"];
        let docs = connector(&server, &store, OAuthClient::default());
        let calls = futures_util::future::join_all((0..8).map(|_| call(&docs, "echo", json!({})))).await;
        assert!(calls.into_iter().all(|result| result.expect("it works") == json!("new")));
        let refreshed: Vec<Request> =
            server.requests().into_iter().filter(|request| request.target == "/token").collect();
        assert_eq!(refreshed.len(), 1);
        assert_eq!(refreshed[0].field("refresh_token").as_deref(), Some("r1"));
        assert!(store.load(&server.url()).expect("it is read").expect("it is kept").contains("\"r2\""));
    }
}

#[tokio::test]
async fn a_login_that_cannot_be_refreshed_is_asked_for_again() {
    let behaviour = Arc::new(Behaviour::default());
    let server = guarded(&behaviour).await;
    let docs = connector(&server, &kept(&server, 3_600), OAuthClient::default());
    let asked = payload(call(&docs, "echo", json!({})).await);
    assert!(asked["url"].is_string(), "{asked}");
    let error = docs.offer().await.expect_err("it needs a login");
    assert!(error.message().contains("`docs`") && error.message().contains("needs a login"), "{error}");
}

#[tokio::test]
async fn a_call_that_needs_more_rights_asks_for_them_beside_those_it_has() {
    let behaviour = Arc::new(Behaviour::default());
    let server = guarded(&behaviour).await;
    *behaviour.accepted.lock().expect("no thread panicked") = vec!["old"];
    *behaviour.scoped.lock().expect("no thread panicked") = vec!["write"];
    let docs = connector(&server, &kept(&server, 3_600), OAuthClient::default());
    assert_eq!(call(&docs, "read", json!({})).await.expect("it works"), json!("old"));
    let asked = payload(call(&docs, "write", json!({})).await);
    let url = asked["url"].as_str().expect("an address");
    assert_eq!(field(url, "scope"), "offline_access read write");
    assert!(asked["message"].as_str().is_some_and(|message| message.contains("more rights (write)")), "{asked}");
}

#[tokio::test]
async fn a_call_that_needs_more_than_the_login_that_waits_begins_another_one() {
    let behaviour = Arc::new(Behaviour::default());
    let server = guarded(&behaviour).await;
    *behaviour.accepted.lock().expect("no thread panicked") = vec!["old"];
    *behaviour.scoped.lock().expect("no thread panicked") = vec!["write", "delete"];
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("bound").port();
    let docs = connector(&server, &kept(&server, 3_600), OAuthClient::default().redirect_port(free));
    let url = async |tool: &str| {
        let asked = payload(call(&docs, tool, json!({})).await);
        asked["url"].as_str().unwrap_or_else(|| panic!("an address: {asked}")).to_owned()
    };
    let first = url("write").await;
    assert_eq!(field(&first, "scope"), "offline_access read write");
    assert_eq!(url("write").await, first, "one login at a time");
    let second = url("delete").await;
    assert_eq!(field(&second, "scope"), "delete offline_access read write");
    assert_eq!(url("write").await, second, "it asks for enough");
}

#[tokio::test]
async fn a_configured_client_is_used_with_its_secret_and_its_port() {
    let behaviour = Arc::new(Behaviour::default());
    let server = guarded(&behaviour).await;
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("bound").port();
    let client = OAuthClient::default()
        .client_id("mine".to_owned())
        .client_secret("secret".to_owned())
        .scopes(vec!["a".to_owned()])
        .redirect_port(free);
    let docs = connector(&server, &Arc::default(), client);
    let needed = docs.login().await.expect("it can begin").expect("it is needed");
    let url = needed.url().expect("an address");
    assert_eq!(field(url, "client_id"), "mine");
    assert_eq!(field(url, "redirect_uri"), format!("http://127.0.0.1:{free}/callback"));
    assert!(!server.requests().iter().any(|request| request.target == "/register"));
    *behaviour.grants.lock().expect("no thread panicked") = vec![json!({ "access_token": "t" })];
    come_back(url, &[("code", "c"), ("state", &field(url, "state")), ("iss", &issuer(&server))]).await;
    docs.logged_in().await.expect("the login is complete");
    let exchanged = server.requests().into_iter().find(|request| request.target == "/token").expect("asked for");
    assert_eq!(exchanged.header("authorization"), Some("Basic bWluZTpzZWNyZXQ="));
}

#[tokio::test]
async fn a_login_that_goes_wrong_says_why() {
    for (fields, expected) in [
        (vec![("error", "access_denied")], "access_denied"),
        (vec![("code", "c"), ("iss", "https://evil.example")], "another authorization server"),
        (vec![("code", "c")], "another authorization server"),
    ] {
        let server = guarded(&Arc::default()).await;
        let docs = connector(&server, &Arc::default(), OAuthClient::default());
        let needed = docs.login().await.expect("it can begin").expect("it is needed");
        let url = needed.url().expect("an address").to_owned();
        let (state, own) = (field(&url, "state"), issuer(&server));
        let mut all = vec![("state", state.as_str())];
        all.extend(fields.iter().copied());
        if expected == "access_denied" {
            all.push(("iss", &own));
        }
        come_back(&url, &all).await;
        let error = docs.logged_in().await.expect_err("it failed");
        assert!(error.message().contains(expected), "{expected}: {error}");
    }
}

#[tokio::test]
async fn metadata_that_is_not_safe_stops_the_login() {
    for (changes, expected) in [
        (json!({ "issuer": "https://evil.example" }), "claims to be"),
        (json!({ "code_challenge_methods_supported": [] }), "PKCE"),
        (json!({ "token_endpoint": "http://evil.example/token" }), "not encrypted"),
        (json!({ "registration_endpoint": null }), "registers no clients"),
    ] {
        let behaviour = Arc::new(Behaviour::default());
        *behaviour.metadata.lock().expect("no thread panicked") = changes;
        let server = guarded(&behaviour).await;
        let docs = connector(&server, &Arc::default(), OAuthClient::default());
        let asked = payload(call(&docs, "echo", json!({})).await);
        assert_eq!(asked["url"], Value::Null);
        assert!(asked["message"].as_str().is_some_and(|message| message.contains(expected)), "{expected}: {asked}");
    }
}

#[tokio::test]
async fn a_server_cannot_lead_a_login_to_private_addresses() {
    // The server names metadata at the address where clouds serve credentials.
    let server = WebServer::new(|_| {
        let challenge = "Bearer resource_metadata=\"https://169.254.169.254/latest\"";
        Answer::status("401 Unauthorized").header("www-authenticate", challenge)
    })
    .await;
    let docs = connector(&server, &Arc::default(), OAuthClient::default());
    let asked = payload(call(&docs, "echo", json!({})).await);
    assert!(asked["message"].as_str().is_some_and(|message| message.contains("not public")), "{asked}");
}

#[tokio::test]
async fn credentials_of_the_configuration_are_used_instead_of_a_login() {
    let behaviour = Arc::new(Behaviour::default());
    *behaviour.accepted.lock().expect("no thread panicked") = vec!["mine"];
    let server = guarded(&behaviour).await;
    let headers = std::collections::BTreeMap::from([("Authorization".to_owned(), "Bearer mine".to_owned())]);
    let with = |headers| {
        let remote = McpRemote::new(server.url()).headers(headers);
        McpConnector::new(
            "docs",
            remote,
            McpOptions::default().tokens(Arc::new(Memory::default()) as Arc<dyn TokenStore>),
        )
    };
    assert_eq!(call(&with(headers), "echo", json!({})).await.expect("it works"), json!("mine"));
    let wrong = std::collections::BTreeMap::from([("Authorization".to_owned(), "Bearer wrong-token".to_owned())]);
    let refused = with(wrong);
    let error = refused.offer().await.expect_err("it is refused");
    assert!(error.message().contains("401") && !error.message().contains("wrong-token"), "{error}");
    eventually(|| server.requests().iter().any(|request| request.rpc() == "initialize").then_some(())).await;
    assert!(refused.login().await.expect_err("nobody logs in").message().contains("credentials of its own"));
}

fn machine() -> OAuthClient {
    let client = OAuthClient::default().client_id("machine".to_owned()).client_secret("secret".to_owned());
    client.grant(ClientGrant::ClientCredentials)
}

/// A connector without a store for logins, which a client needs none of.
fn unattended(server: &WebServer, client: OAuthClient) -> McpConnector {
    McpConnector::new("docs", McpRemote::new(server.url()).oauth(client), McpOptions::default())
}

fn asked_for(server: &WebServer) -> Vec<Request> {
    server.requests().into_iter().filter(|request| request.target == "/token").collect()
}

#[tokio::test]
async fn a_client_with_credentials_of_its_own_needs_no_person() {
    let behaviour = Arc::new(Behaviour::default());
    // An authorization server for machines has no page for people.
    *behaviour.metadata.lock().expect("no thread panicked") =
        json!({ "authorization_endpoint": null, "code_challenge_methods_supported": null });
    // The second token has expired as soon as it is granted.
    let grant = |(token, seconds): (&str, u32)| json!({ "access_token": token, "expires_in": seconds });
    *behaviour.grants.lock().expect("no thread panicked") =
        [("t1", 3_600), ("t2", 0), ("t3", 3_600)].map(grant).to_vec();
    *behaviour.accepted.lock().expect("no thread panicked") = vec!["t1"];
    let server = guarded(&behaviour).await;
    let docs = unattended(&server, machine());
    let calls = futures_util::future::join_all((0..8).map(|_| call(&docs, "echo", json!({})))).await;
    assert!(calls.into_iter().all(|result| result.expect("it works") == json!("t1")));
    let asked = asked_for(&server);
    assert_eq!(asked.len(), 1, "one token for all calls");
    let field = |name: &str| asked[0].field(name);
    assert_eq!(field("grant_type").as_deref(), Some("client_credentials"));
    assert_eq!((field("scope").as_deref(), field("resource")), (Some("read"), Some(server.url())));
    assert_eq!(asked[0].header("authorization"), Some("Basic bWFjaGluZTpzZWNyZXQ="));
    assert!(docs.login().await.expect("it works").is_none(), "no login is needed");

    // A token that is refused or has expired is replaced.
    *behaviour.accepted.lock().expect("no thread panicked") = vec!["t2", "t3"];
    assert_eq!(call(&docs, "echo", json!({})).await.expect("it works"), json!("t2"));
    assert_eq!(call(&docs, "echo", json!({})).await.expect("it works"), json!("t3"));
    assert_eq!(asked_for(&server).len(), 3);
}

#[tokio::test]
async fn a_client_that_needs_more_rights_asks_for_them() {
    let behaviour = Arc::new(Behaviour::default());
    let grants = ["t1", "t2"].map(|token| json!({ "access_token": token }));
    *behaviour.grants.lock().expect("no thread panicked") = grants.to_vec();
    *behaviour.accepted.lock().expect("no thread panicked") = vec!["t1", "t2"];
    *behaviour.scoped.lock().expect("no thread panicked") = vec!["write"];
    let server = guarded(&behaviour).await;
    let docs = unattended(&server, machine());
    // This server refuses for ever.
    let error = call(&docs, "write", json!({})).await.expect_err("it is refused");
    assert!(error.interrupt_payload().is_none(), "a person cannot help");
    assert!(error.message().contains("more rights (write), although a token was granted"), "{error}");
    assert_eq!(asked_for(&server)[1].field("scope").as_deref(), Some("read write"));
}

#[tokio::test]
async fn a_server_gets_no_secret_by_naming_its_own_authorization_server() {
    let thief = guarded(&Arc::default()).await;
    let server = WebServer::knowing_itself({
        let thief = issuer(&thief);
        move |own, request| match request.target.as_str() {
            "/.well-known/oauth-protected-resource/mcp" => {
                Answer::json(&json!({ "resource": format!("{own}/mcp"), "authorization_servers": [thief] }))
            }
            "/mcp" => Answer::status("401 Unauthorized"),
            _ => Answer::status("404 Not Found"),
        }
    })
    .await;
    let named = issuer(&thief);
    let error = call(&unattended(&server, machine()), "echo", json!({})).await.expect_err("it is not trusted");
    assert!(error.message().contains("\"issuer\"") && error.message().contains(&named), "{error}");
    let bound = machine().issuer("https://login.example".to_owned());
    let error = call(&unattended(&server, bound), "echo", json!({})).await.expect_err("it is another one");
    assert!(error.message().contains("`oauth.issuer` (`https://login.example`)"), "{error}");
    assert!(asked_for(&thief).is_empty(), "no secret was sent");
    let bound = machine().issuer(named);
    call(&unattended(&server, bound), "echo", json!({})).await.expect_err("it grants nothing");
    assert!(!asked_for(&thief).is_empty(), "the operator has named it");
}

#[tokio::test]
async fn a_token_that_a_result_or_a_refusal_repeats_is_concealed() {
    let behaviour = Arc::new(Behaviour::default());
    *behaviour.grants.lock().expect("no thread panicked") = vec![json!({ "access_token": "granted-token" })];
    *behaviour.accepted.lock().expect("no thread panicked") = vec!["granted-token"];
    let server = guarded(&behaviour).await;
    let docs = unattended(&server, machine());
    assert_eq!(call(&docs, "echo", json!({})).await.expect("it works"), json!("***"));
    let error = call(&docs, "refused", json!({})).await.expect_err("it is refused");
    assert!(error.message().contains("403: *** may not do this"), "{error}");
    assert!(!format!("{error:?}").contains("granted-token"), "{error:?}");
}

#[tokio::test]
async fn a_client_whose_credentials_are_refused_is_told_why() {
    let server = guarded(&Arc::default()).await;
    let docs = unattended(&server, machine());
    let error = docs.offer().await.expect_err("it is refused");
    assert!(error.message().contains("cannot be used with the configured client"), "{error}");
    assert!(error.message().contains("400 invalid_grant") && !format!("{error:?}").contains("secret\""), "{error:?}");
    let error = call(&docs, "echo", json!({})).await.expect_err("it is refused");
    assert!(error.interrupt_payload().is_none() && error.message().contains("configured client"), "{error}");
    let incomplete = OAuthClient::default().grant(ClientGrant::ClientCredentials);
    let error = call(&unattended(&server, incomplete), "echo", json!({})).await.expect_err("it has no secret");
    assert!(error.message().contains("`clientId`"), "{error}");
}
