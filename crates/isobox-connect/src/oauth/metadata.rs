//! Finds the authorization server of a server (RFC 9728, RFC 8414), and checks what both say about themselves.

use std::time::Duration;

use bytes::Bytes;
use hyper::header::{ACCEPT, HeaderMap, HeaderValue};
use hyper::{Method, Uri};
use isobox_core::{brief, parse_json};
use serde_json::Value;

use super::challenge::Challenge;
use crate::http::{HttpClient, HttpRequest, Origin, RequestBounds, Scheme, parse_url};

/// An authorization server, as far as a login needs to know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AuthorizationServer {
    /// The identifier of the server. None if nothing says what it is.
    pub(super) issuer: Option<String>,
    /// The endpoint that a person opens. Servers for clients alone have none.
    pub(super) authorization_endpoint: Option<Uri>,
    pub(super) token_endpoint: Uri,
    pub(super) registration_endpoint: Option<Uri>,
    /// Whether the secret of a client is sent in the body, because the server does not accept it in a header.
    pub(super) posts_secret: bool,
    /// Whether the server says who it is when it sends the browser back (RFC 9207).
    pub(super) names_issuer: bool,
    /// Whether the server supports PKCE, without which the login of a person is not safe.
    pub(super) supports_pkce: bool,
    /// Whether it grants refresh tokens for the scope `offline_access` only.
    pub(super) offers_offline_access: bool,
}

/// The authorization server of a server, and the scopes that the server asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) server: AuthorizationServer,
    pub(super) scopes: Vec<String>,
}

/// The authorization server of a service, as the operator or the document of the service states it. Such servers need no
/// metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoints {
    /// The address that a person opens.
    pub(crate) authorization: Uri,
    /// The address of tokens.
    pub(crate) token: Uri,
}

impl Endpoints {
    /// Returns the server, as far as a login needs to know it.
    pub(super) fn found(&self) -> Found {
        let server = AuthorizationServer {
            issuer: None,
            authorization_endpoint: Some(self.authorization.clone()),
            token_endpoint: self.token.clone(),
            registration_endpoint: None,
            posts_secret: false,
            names_issuer: false,
            supports_pkce: true,
            offers_offline_access: false,
        };
        Found { server, scopes: Vec::new() }
    }
}

const BOUNDS: RequestBounds = RequestBounds { timeout: Duration::from_secs(15), max_body: 256 << 10, redirects: 3 };

/// Finds the authorization server of the server at `resource`.
///
/// The server names it in its metadata. If it names several, `expected` is preferred. Servers of the protocol of 2025-03-26 have no
/// metadata, and are their own authorization servers.
pub(super) async fn find(
    client: &HttpClient,
    resource: &Uri,
    challenge: &Challenge,
    expected: Option<&str>,
) -> Result<Found, String> {
    let described = resource_metadata(client, resource, challenge).await?;
    let asked = challenge.scope.as_deref().map(|scope| scope.split_whitespace().map(str::to_owned).collect());
    let Some(metadata) = described else {
        let origin = Origin::of(resource).map_err(str::to_owned)?.to_string();
        let server = match authorization_server(client, &origin).await? {
            Some(server) => server,
            None => AuthorizationServer::by_default(&origin)?,
        };
        return Ok(Found { server, scopes: asked.unwrap_or_default() });
    };
    let scopes = asked.unwrap_or_else(|| texts(&metadata, "scopes_supported"));
    let named = texts(&metadata, "authorization_servers");
    let preferred = expected.and_then(|expected| named.iter().find(|issuer| is_same_issuer(issuer, expected)));
    let issuer = preferred.or(named.first()).ok_or("its metadata names no authorization server")?;
    let server = authorization_server(client, issuer).await?;
    let server = server.ok_or_else(|| format!("the authorization server `{}` has no metadata", brief(issuer, 200)))?;
    Ok(Found { server, scopes })
}

/// Tells whether two texts identify the same authorization server.
pub(super) fn is_same_issuer(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}

/// Returns the metadata of a server, if it has any.
async fn resource_metadata(
    client: &HttpClient,
    resource: &Uri,
    challenge: &Challenge,
) -> Result<Option<Value>, String> {
    const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
    let origin = Origin::of(resource).map_err(str::to_owned)?;
    let named = challenge.resource_metadata.as_deref();
    let places = match named {
        Some(url) => vec![url.to_owned()],
        None => {
            let path = resource.path().trim_end_matches('/');
            let mut places = vec![format!("{origin}{WELL_KNOWN}{path}"), format!("{origin}{WELL_KNOWN}")];
            places.dedup();
            places
        }
    };
    for place in places {
        let url = endpoint(&place).map_err(|why| format!("the address of its metadata is not usable: {why}"))?;
        let Some(metadata) = get(client, url).await? else { continue };
        let claimed = metadata.get("resource").and_then(Value::as_str).unwrap_or_default();
        if !covers(claimed, resource) {
            return Err(format!("its metadata is about another server (`{}`)", brief(claimed, 200)));
        }
        return Ok(Some(metadata));
    }
    match named {
        Some(_) => Err("its metadata is not where it says".to_owned()),
        None => Ok(None),
    }
}

/// Tells whether a resource identifier stands for an address: the same origin, and the beginning of its path.
fn covers(claimed: &str, resource: &Uri) -> bool {
    let Ok(claimed) = parse_url(claimed) else { return false };
    let prefix = claimed.path().trim_end_matches('/');
    let is_prefix = resource.path().strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    Origin::of(&claimed) == Origin::of(resource) && is_prefix
}

/// Returns the metadata of an authorization server, if it has any.
async fn authorization_server(client: &HttpClient, issuer: &str) -> Result<Option<AuthorizationServer>, String> {
    let url =
        endpoint(issuer).map_err(|why| format!("the address of its authorization server is not usable: {why}"))?;
    let origin = Origin::of(&url).map_err(str::to_owned)?;
    let path = url.path().trim_end_matches('/');
    let mut places = vec![
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
        format!("{origin}{path}/.well-known/openid-configuration"),
    ];
    places.dedup();
    for place in places {
        let place = parse_url(&place).map_err(str::to_owned)?;
        let Some(metadata) = get(client, place).await? else { continue };
        return AuthorizationServer::read(&metadata, issuer).map(Some);
    }
    Ok(None)
}

impl AuthorizationServer {
    fn read(metadata: &Value, issuer: &str) -> Result<Self, String> {
        let claimed = metadata.get("issuer").and_then(Value::as_str).unwrap_or_default();
        if !is_same_issuer(claimed, issuer) {
            let (claimed, issuer) = (brief(claimed, 200), brief(issuer, 200));
            return Err(format!("the authorization server `{issuer}` claims to be `{claimed}`"));
        }
        let at = |key: &str| -> Result<Option<Uri>, String> {
            let Some(text) = metadata.get(key).and_then(Value::as_str) else { return Ok(None) };
            endpoint(text)
                .map(Some)
                .map_err(|why| format!("the `{key}` of its authorization server is not usable: {why}"))
        };
        let needed = |key: &str| at(key)?.ok_or_else(|| format!("its authorization server names no `{key}`"));
        let methods = texts(metadata, "token_endpoint_auth_methods_supported");
        let accepts = |method: &str| methods.iter().any(|one| one == method);
        Ok(Self {
            // The exact text is compared when the browser comes back.
            issuer: Some(claimed.to_owned()),
            authorization_endpoint: at("authorization_endpoint")?,
            token_endpoint: needed("token_endpoint")?,
            registration_endpoint: at("registration_endpoint")?,
            posts_secret: accepts("client_secret_post") && !accepts("client_secret_basic"),
            supports_pkce: texts(metadata, "code_challenge_methods_supported").iter().any(|method| method == "S256"),
            names_issuer: metadata.get("authorization_response_iss_parameter_supported") == Some(&Value::Bool(true)),
            offers_offline_access: texts(metadata, "scopes_supported").iter().any(|scope| scope == "offline_access"),
        })
    }

    /// Returns the endpoint that a person opens. Returns why a person cannot log in.
    pub(super) fn for_people(&self) -> Result<&Uri, String> {
        if !self.supports_pkce {
            return Err("its authorization server does not support PKCE, without which a login is not safe".to_owned());
        }
        let endpoint = self.authorization_endpoint.as_ref();
        endpoint.ok_or_else(|| "its authorization server names no `authorization_endpoint`".to_owned())
    }

    /// Returns the endpoints that servers without metadata have (protocol version 2025-03-26).
    fn by_default(origin: &str) -> Result<Self, String> {
        let at = |path: &str| endpoint(&format!("{origin}{path}")).map_err(str::to_owned);
        Ok(Self {
            issuer: Some(origin.to_owned()),
            authorization_endpoint: Some(at("/authorize")?),
            token_endpoint: at("/token")?,
            registration_endpoint: Some(at("/register")?),
            posts_secret: false,
            supports_pkce: true,
            names_issuer: false,
            offers_offline_access: false,
        })
    }
}

/// Parses an address that credentials or decisions depend on: encrypted, or of this computer.
pub(crate) fn endpoint(text: &str) -> Result<Uri, &'static str> {
    let url = parse_url(text)?;
    let origin = Origin::of(&url)?;
    let is_local = matches!(origin.host(), "localhost" | "127.0.0.1" | "[::1]");
    if origin.scheme() == Scheme::Https || is_local { Ok(url) } else { Err("it is not encrypted") }
}

/// Gets a JSON document. Returns none if there is no such document.
async fn get(client: &HttpClient, url: Uri) -> Result<Option<Value>, String> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let request = HttpRequest { method: Method::GET, url, headers, body: Bytes::new() };
    let response = client.send(request, BOUNDS).await.map_err(|error| error.to_string())?;
    if response.status.is_client_error() {
        return Ok(None);
    }
    if !response.status.is_success() || response.is_cut {
        return Err(format!("its metadata was answered with {}", response.status.as_u16()));
    }
    // A page instead of a document: many servers answer every address with one.
    Ok(parse_json(&response.body).ok().filter(Value::is_object))
}

fn texts(object: &Value, key: &str) -> Vec<String> {
    /// The maximum number of entries that are read.
    const MOST: usize = 200;
    let entries = object.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    entries.iter().take(MOST).filter_map(|entry| entry.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn metadata_must_be_about_the_server() {
        let resource: Uri = "https://a.example/mcp/v1".parse().unwrap();
        for (claimed, expected) in [
            ("https://a.example/mcp/v1", true),
            ("https://a.example/mcp/", true),
            ("https://A.example", true),
            ("https://a.example/mc", false),
            ("https://a.example/mcp/v1/x", false),
            ("https://b.example/mcp/v1", false),
            ("http://a.example/mcp/v1", false),
            ("", false),
        ] {
            assert_eq!(covers(claimed, &resource), expected, "{claimed}");
        }
    }

    #[test]
    fn an_authorization_server_must_be_who_it_is_asked_for_and_safe() {
        let full = || {
            json!({ "issuer": "https://as.example", "authorization_endpoint": "https://as.example/authorize",
                    "token_endpoint": "https://as.example/token", "code_challenge_methods_supported": ["plain", "S256"],
                    "token_endpoint_auth_methods_supported": ["client_secret_post"] })
        };
        let read = |change: &dyn Fn(&mut Value)| {
            let mut metadata = full();
            change(&mut metadata);
            let server = AuthorizationServer::read(&metadata, "https://as.example/")?;
            server.for_people()?;
            Ok::<_, String>(server)
        };
        let server = read(&|_| {}).unwrap();
        assert_eq!((server.issuer.as_deref(), server.posts_secret), (Some("https://as.example"), true));
        for (change, expected) in [
            (("issuer", json!("https://evil.example")), "claims to be"),
            (("authorization_endpoint", json!("http://as.example/authorize")), "not encrypted"),
            (("token_endpoint", json!("file:///etc/passwd")), "token_endpoint"),
            (("token_endpoint", Value::Null), "names no `token_endpoint`"),
            (("code_challenge_methods_supported", json!(["plain"])), "PKCE"),
            (("code_challenge_methods_supported", Value::Null), "PKCE"),
            (("authorization_endpoint", Value::Null), "names no `authorization_endpoint`"),
        ] {
            let (key, value) = change;
            let error = read(&|metadata| metadata[key] = value.clone()).unwrap_err();
            assert!(error.contains(expected), "{key}: {error}");
        }
    }
}
