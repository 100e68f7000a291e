//! One login: from the address that a person opens to the tokens.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::Uri;
use isobox_core::brief;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};

use super::OAuthClient;
use super::challenge::Challenge;
use super::grant::{ClientSecret, GrantError, Granted, ask, form};
use super::metadata::{AuthorizationServer, Endpoints, Found, endpoint, find, is_same_issuer};
use super::registration::register;
use super::waiting::{Doorway, Returned};
use crate::http::{HttpClient, Origin, parse_url};

/// A login that was completed, as it is kept.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Login {
    /// The address of the server that the tokens are for.
    pub(super) resource: String,
    pub(super) issuer: String,
    token_endpoint: String,
    pub(super) client_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
    #[serde(default)]
    posts_secret: bool,
    pub(super) scopes: Vec<String>,
    /// Whether the authorization server was stated, and is not told which resource a token is for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_stated: bool,
    pub(super) access_token: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) refresh_token: Option<String>,
    /// Seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<u64>,
}

/// A login that waits for a person.
pub(super) struct Flow {
    /// The address that the person opens.
    pub(super) url: String,
    client: HttpClient,
    doorway: Doorway,
    server: AuthorizationServer,
    resource: String,
    client_id: String,
    client_secret: Option<String>,
    /// The scopes that are asked for.
    pub(super) scopes: Vec<String>,
    state: String,
    verifier: String,
    /// Whether the server was stated, and is not told which resource a token is for.
    is_stated: bool,
}

/// The time before the end of a token from which on another one is asked for, in seconds.
const MARGIN: u64 = 30;

impl Flow {
    /// Prepares a login: finds the authorization server, registers a client if needed, and opens a port for the browser
    /// to come back to.
    ///
    /// `granted` are the scopes of an earlier login, which are kept.
    pub(super) async fn begin(
        client: &HttpClient,
        (resource, stated): (&Uri, Option<&Endpoints>),
        configured: &OAuthClient,
        challenge: &Challenge,
        granted: &[String],
    ) -> Result<Self, String> {
        let found = match stated {
            Some(endpoints) => endpoints.found(),
            None => found(client, resource, configured, challenge).await?,
        };
        let server = found.server;
        let authorization_endpoint = server.for_people()?;
        let doorway = Doorway::open(configured.redirect_port)
            .await
            .map_err(|error| format!("no port could be opened for the browser to come back to: {error}"))?;
        let (client_id, client_secret) = match (&configured.client_id, &server.registration_endpoint) {
            (Some(id), _) => (id.clone(), configured.client_secret.clone()),
            (None, Some(endpoint)) => {
                let registered = register(client, endpoint, &doorway.address).await?;
                (registered.id, registered.secret)
            }
            (None, None) => {
                return Err("its authorization server registers no clients; register one there, and name it with \
                            `oauth.clientId`"
                    .to_owned());
            }
        };
        let mut scopes = scopes(configured, found.scopes, challenge, granted);
        if server.offers_offline_access && !scopes.is_empty() {
            scopes.push("offline_access".to_owned());
        }
        scopes.sort();
        scopes.dedup();
        let (state, verifier) = (random()?, random()?);
        let resource = identifier(resource);
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
        let scope = scopes.join(" ");
        let mut fields = vec![
            ("response_type", "code"),
            ("client_id", &client_id),
            ("redirect_uri", &doorway.address),
            ("state", &state),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        if stated.is_none() {
            fields.push(("resource", &resource));
        }
        if !scope.is_empty() {
            fields.push(("scope", &scope));
        }
        if server.offers_offline_access {
            // Without it, authorization servers that follow OpenID Connect do not grant a refresh token.
            fields.push(("prompt", "consent"));
        }
        let separator = if authorization_endpoint.query().is_some() { '&' } else { '?' };
        let url = format!("{authorization_endpoint}{separator}{}", form(&fields));
        let client = client.clone();
        let is_stated = stated.is_some();
        Ok(Self {
            url,
            client,
            doorway,
            server,
            resource,
            client_id,
            client_secret,
            scopes,
            state,
            verifier,
            is_stated,
        })
    }

    /// Waits for the browser to come back, and gets the tokens.
    pub(super) async fn finish(self) -> Result<Login, String> {
        let code = self.doorway.wait(|returned| self.accept(returned)).await?;
        let token_endpoint = &self.server.token_endpoint;
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", &self.doorway.address),
            ("code_verifier", &self.verifier),
        ];
        if !self.is_stated {
            fields.push(("resource", &self.resource));
        }
        let secret = secret(self.client_secret.as_deref(), self.server.posts_secret);
        let granted = ask(&self.client, token_endpoint, &self.client_id, secret, &fields).await;
        let granted = granted.map_err(|error| error.to_string())?;
        let mut login = Login {
            resource: self.resource,
            issuer: self.server.issuer.unwrap_or_default(),
            token_endpoint: token_endpoint.to_string(),
            client_id: self.client_id,
            client_secret: self.client_secret,
            posts_secret: self.server.posts_secret,
            scopes: self.scopes,
            is_stated: self.is_stated,
            access_token: String::new(),
            refresh_token: None,
            expires: None,
        };
        login.take(granted);
        Ok(login)
    }

    /// Checks what the browser brought back. Returns none if it belongs to another login.
    fn accept(&self, returned: Returned) -> Option<Result<String, String>> {
        if returned.state.as_deref() != Some(&self.state) {
            return None;
        }
        let is_expected = match (&returned.issuer, &self.server.issuer) {
            (Some(issuer), Some(expected)) => issuer == expected,
            // The endpoints were stated, and nothing says who the server is.
            (Some(_), None) => true,
            (None, _) => !self.server.names_issuer,
        };
        Some(match (returned.code, returned.error) {
            _ if !is_expected => Err("the answer came from another authorization server".to_owned()),
            (_, Some(error)) => Err(format!("the authorization server refused: {}", brief(&error, 80))),
            (Some(code), None) => Ok(code),
            (None, None) => Err("the authorization server sent no code".to_owned()),
        })
    }
}

impl Login {
    /// Gets a token for a client, by its secret. No person takes part. `granted` are the scopes of an earlier token, which are
    /// kept.
    pub(super) async fn of_client(
        http: &HttpClient,
        resource: &Uri,
        configured: &OAuthClient,
        challenge: &Challenge,
        granted: &[String],
    ) -> Result<Self, String> {
        let (Some(id), Some(client_secret)) = (&configured.client_id, &configured.client_secret) else {
            return Err("`oauth` has no `clientId` or no `clientSecret`".to_owned());
        };
        let found = found(http, resource, configured, challenge).await?;
        let (server, resource) = (found.server, identifier(resource));
        let mut scopes = scopes(configured, found.scopes, challenge, granted);
        scopes.sort();
        scopes.dedup();
        let scope = scopes.join(" ");
        let mut fields = vec![("grant_type", "client_credentials"), ("resource", &*resource)];
        if !scope.is_empty() {
            fields.push(("scope", &scope));
        }
        let secret = secret(Some(client_secret), server.posts_secret);
        let granted =
            ask(http, &server.token_endpoint, id, secret, &fields).await.map_err(|error| error.to_string())?;
        let mut login = Self {
            resource: resource.clone(),
            issuer: server.issuer.unwrap_or_default(),
            token_endpoint: server.token_endpoint.to_string(),
            client_id: id.clone(),
            client_secret: None,
            posts_secret: server.posts_secret,
            scopes,
            is_stated: false,
            access_token: String::new(),
            refresh_token: None,
            expires: None,
        };
        login.take(granted);
        Ok(login)
    }

    /// Tells whether the access token has not expired.
    pub(super) fn is_fresh(&self) -> bool {
        self.expires.is_none_or(|expires| now() + MARGIN < expires)
    }

    /// Gets another access token.
    pub(super) async fn refresh(&mut self, client: &HttpClient) -> Result<(), GrantError> {
        let Some(refresh_token) = self.refresh_token.clone() else { return Err(GrantError::none_to_use()) };
        let url = endpoint(&self.token_endpoint).map_err(|_| GrantError::none_to_use())?;
        let mut fields = vec![("grant_type", "refresh_token"), ("refresh_token", refresh_token.as_str())];
        if !self.is_stated {
            fields.push(("resource", &self.resource));
        }
        let secret = secret(self.client_secret.as_deref(), self.posts_secret);
        let granted = ask(client, &url, &self.client_id, secret, &fields).await?;
        self.take(granted);
        Ok(())
    }

    fn take(&mut self, granted: Granted) {
        self.access_token = granted.access_token;
        // Servers may replace the refresh token at every use.
        self.refresh_token = granted.refresh_token.or(self.refresh_token.take());
        self.expires = granted.expires_in.map(|lifetime| now().saturating_add(lifetime.as_secs()));
        if let Some(scope) = granted.scope {
            self.scopes = scope.split_whitespace().map(str::to_owned).collect();
        }
    }
}

/// Finds the authorization server of a server, and checks that the configured client belongs to it.
async fn found(
    http: &HttpClient,
    resource: &Uri,
    configured: &OAuthClient,
    challenge: &Challenge,
) -> Result<Found, String> {
    let found = find(http, resource, challenge, configured.issuer.as_deref()).await?;
    check_issuer(found.server.issuer.as_deref().unwrap_or_default(), resource, configured)?;
    Ok(found)
}

/// Checks that a client belongs to an authorization server. A server can name any authorization server, and would get the secret of
/// the client there.
fn check_issuer(issuer: &str, resource: &Uri, configured: &OAuthClient) -> Result<(), String> {
    let shown = brief(issuer, 200);
    match &configured.issuer {
        Some(expected) if is_same_issuer(issuer, expected) => Ok(()),
        Some(expected) => Err(format!(
            "it names the authorization server `{shown}`, and not the one in `oauth.issuer` (`{}`)",
            brief(expected, 200)
        )),
        None if configured.client_secret.is_none() => Ok(()),
        None => {
            let origin = parse_url(issuer).and_then(|url| Origin::of(&url));
            if origin.is_ok() && origin == Origin::of(resource) {
                return Ok(());
            }
            Err(format!(
                "it names the authorization server `{shown}`, which is not known to be the one of the `clientSecret`; if it is, \
                 write \"issuer\": \"{shown}\" into `oauth`"
            ))
        }
    }
}

/// Returns the scopes to ask for: the configured ones or those that the server names, and those that a call lacked.
fn scopes(configured: &OAuthClient, named: Vec<String>, challenge: &Challenge, granted: &[String]) -> Vec<String> {
    let mut scopes = if configured.scopes.is_empty() { named } else { configured.scopes.clone() };
    if challenge.is_about_scope() {
        scopes.extend(challenge.scope.iter().flat_map(|scope| scope.split_whitespace()).map(str::to_owned));
        scopes.extend_from_slice(granted);
    }
    scopes
}

/// Returns the identifier of a server: its address without a query, which may contain secrets.
pub(super) fn identifier(resource: &Uri) -> String {
    let text = resource.to_string();
    text.split('?').next().unwrap_or_default().to_owned()
}

fn secret(secret: Option<&str>, is_posted: bool) -> ClientSecret<'_> {
    match (secret, is_posted) {
        (None, _) => ClientSecret::None,
        (Some(secret), false) => ClientSecret::Basic(secret),
        (Some(secret), true) => ClientSecret::Posted(secret),
    }
}

/// Returns 256 random bits as a text.
fn random() -> Result<String, String> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| "the system has no random numbers".to_owned())?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[expect(clippy::disallowed_methods, reason = "tokens expire in real time")]
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_sent_to_the_authorization_server_that_it_belongs_to() {
        let resource: Uri = "https://mcp.example/mcp".parse().unwrap();
        let open = OAuthClient::default().client_id("id".to_owned());
        let secret = open.clone().client_secret("s".to_owned());
        let bound = |client: &OAuthClient| client.clone().issuer("https://as.example/".to_owned());
        for (client, issuer, expected) in [
            (open.clone(), "https://evil.example", Ok(())),
            (secret.clone(), "https://mcp.example/as", Ok(())),
            (secret.clone(), "https://evil.example", Err("write \"issuer\": \"https://evil.example\" into `oauth`")),
            (secret.clone(), "https://mcp.example:8443", Err("write \"issuer\"")),
            (secret.clone(), "", Err("write \"issuer\"")),
            (bound(&secret), "https://as.example", Ok(())),
            (bound(&secret), "https://mcp.example", Err("not the one in `oauth.issuer` (`https://as.example/`)")),
            (bound(&open), "https://evil.example", Err("not the one in `oauth.issuer`")),
        ] {
            match (check_issuer(issuer, &resource, &client), expected) {
                (Ok(()), Ok(())) => {}
                (Err(found), Err(expected)) => assert!(found.contains(expected), "{issuer}: {found}"),
                (found, expected) => panic!("{issuer}: {found:?} instead of {expected:?}"),
            }
        }
    }
}
