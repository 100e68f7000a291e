//! Logins of people to a service: where they begin, and the tokens that they grant.

use std::sync::{Arc, Mutex, PoisonError};

use hyper::Uri;

use super::auth::{OAuth, OAuthGrant};
use super::credentials::Credentials;
use super::scheme::SecurityScheme;
use crate::http::{HttpClient, Origin, parse_url};
use crate::oauth::{Authorizer, Challenge, Endpoints, LoginNeeded, OAuthClient, TokenStore, endpoint};

/// The logins to one service.
pub(crate) struct Logins {
    service: String,
    client: HttpClient,
    store: Option<Arc<dyn TokenStore>>,
    /// The authorizer, and the addresses that it was made for.
    current: Mutex<Option<(Endpoints, Arc<Authorizer>)>>,
}

impl Logins {
    pub(crate) fn new(service: &str, client: HttpClient) -> Self {
        Self { service: service.to_owned(), client, store: None, current: Mutex::default() }
    }

    /// Sets the place in which logins are kept.
    pub(crate) fn keep_in(&mut self, store: Option<Arc<dyn TokenStore>>) {
        self.store = store;
    }

    /// Returns what provides the tokens of people, if the service is configured with logins.
    pub(crate) fn authorizer(&self, credentials: &Credentials) -> Result<Option<Arc<Authorizer>>, String> {
        let oauth = credentials.auth.oauth.as_ref();
        let Some(oauth) = oauth.filter(|oauth| oauth.grant == OAuthGrant::AuthorizationCode) else { return Ok(None) };
        let store = self.store.as_ref().ok_or("it needs a login, and there is no place to keep one")?;
        let endpoints = endpoints(oauth, credentials)?;
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, authorizer)) = current.as_ref().filter(|(known, _)| *known == endpoints) {
            return Ok(Some(Arc::clone(authorizer)));
        }
        let secret = Some(oauth.client_secret.clone()).filter(|secret| !secret.is_empty());
        let client = OAuthClient::default()
            .client_id(oauth.client_id.clone())
            .client_secret(secret)
            .scopes(oauth.scopes.clone())
            .redirect_port(oauth.redirect_port);
        let resource = parse_url(&credentials.origin.to_string())?;
        let authorizer = Authorizer::new(&self.service, resource, client, Arc::clone(store), self.client.clone());
        let authorizer = Arc::new(authorizer.stated(endpoints.clone()));
        *current = Some((endpoints, Arc::clone(&authorizer)));
        Ok(Some(authorizer))
    }

    /// Begins a login, unless there is one.
    pub(crate) async fn begin(&self, credentials: &Credentials) -> Result<Option<LoginNeeded>, String> {
        let authorizer = self.needed(credentials)?;
        let needed = match authorizer.token().await {
            Ok(Some(_)) => return Ok(None),
            Ok(None) => authorizer.begin(Challenge::default()).await,
            Err(needed) => needed,
        };
        if needed.url().is_some() { Ok(Some(needed)) } else { Err(needed.to_string()) }
    }

    /// Waits until the login that has begun is completed.
    pub(crate) async fn completed(&self, credentials: &Credentials) -> Result<(), String> {
        self.needed(credentials)?.completed().await
    }

    /// Forgets the login. Returns whether there was one.
    pub(crate) async fn forget(&self, credentials: &Credentials) -> Result<bool, String> {
        self.needed(credentials)?.forget().await
    }

    fn needed(&self, credentials: &Credentials) -> Result<Arc<Authorizer>, String> {
        self.authorizer(credentials)?.ok_or_else(|| {
            "it takes no logins: `auth.oauth` with a `clientId` and `\"login\": true` lets people log in".to_owned()
        })
    }
}

/// Returns the addresses of tokens and of logins. Those of the document count only if they belong to the service or to the
/// configured authorization server: a document must not lead a person, or the secret of a client, elsewhere.
fn endpoints(oauth: &OAuth, credentials: &Credentials) -> Result<Endpoints, String> {
    let token = token_url(oauth, credentials)?;
    let unusable = |key: &str, why: &str| format!("`{key}` is not usable: {why}");
    let token = endpoint(&token.to_string()).map_err(|why| unusable("tokenUrl", why))?;
    if let Some(configured) = &oauth.authorization_url {
        let authorization = endpoint(configured).map_err(|why| unusable("authorizationUrl", why))?;
        return Ok(Endpoints { authorization, token });
    }
    let stated = stated(credentials, |scheme| match scheme {
        SecurityScheme::OAuth { authorization_url, .. } => authorization_url.as_deref(),
        _ => None,
    });
    let is_known = |url: &Uri| {
        let origin = Origin::of(url).ok();
        origin == Some(credentials.origin.clone()) || origin == Origin::of(&token).ok()
    };
    match stated.and_then(|url| endpoint(url).ok()).filter(is_known) {
        Some(authorization) => Ok(Endpoints { authorization, token }),
        None => {
            Err("the operator has to set `authorizationUrl`: the document names none of the origin of the service or \
                     of `tokenUrl`"
                .to_owned())
        }
    }
}

/// Returns the address of tokens: the configured one, or the one of the document if it has the origin of the service.
pub(super) fn token_url(oauth: &OAuth, credentials: &Credentials) -> Result<Uri, String> {
    if let Some(configured) = &oauth.token_url {
        return parse_url(configured).map_err(|why| format!("`tokenUrl` is not usable: {why}"));
    }
    let stated = stated(credentials, |scheme| match scheme {
        SecurityScheme::OAuth { token_url, .. } => token_url.as_deref(),
        _ => None,
    });
    match stated.and_then(|url| parse_url(url).ok()) {
        Some(url) if Origin::of(&url).ok().as_ref() == Some(&credentials.origin) => Ok(url),
        Some(_) | None => {
            Err("the operator has to set `tokenUrl`: the document names none of the origin of the service".to_owned())
        }
    }
}

fn stated<'c>(credentials: &'c Credentials, of: impl Fn(&'c SecurityScheme) -> Option<&'c str>) -> Option<&'c str> {
    credentials.schemes.values().find_map(of)
}

#[cfg(test)]
mod tests {
    use super::super::auth::Auth;
    use super::*;

    #[test]
    fn a_document_cannot_lead_a_login_elsewhere() {
        let service = "https://api.example.com";
        for (configured, stated, expected) in [
            (
                (None, None),
                (Some("https://api.example.com/t"), Some("https://api.example.com/a")),
                Ok("https://api.example.com/a"),
            ),
            (
                (Some("https://login.example/t"), None),
                (None, Some("https://login.example/a")),
                Ok("https://login.example/a"),
            ),
            (
                (Some("https://login.example/t"), Some("https://people.example/a")),
                (None, None),
                Ok("https://people.example/a"),
            ),
            ((None, None), (Some("https://evil.example/t"), Some("https://evil.example/a")), Err("`tokenUrl`")),
            (
                (Some("https://login.example/t"), None),
                (None, Some("https://evil.example/a")),
                Err("`authorizationUrl`"),
            ),
            ((None, None), (Some("https://api.example.com/t"), None), Err("`authorizationUrl`")),
            ((Some("http://login.example/t"), Some("https://login.example/a")), (None, None), Err("not encrypted")),
            ((Some("https://login.example/t"), Some("http://login.example/a")), (None, None), Err("not encrypted")),
        ] {
            let text = |text: Option<&str>| text.map(str::to_owned);
            let oauth = OAuth::new("id", "").token_url(text(configured.0)).authorization_url(text(configured.1));
            let scheme = SecurityScheme::OAuth { token_url: text(stated.0), authorization_url: text(stated.1) };
            let credentials = Credentials {
                auth: Auth::default(),
                headers: Default::default(),
                schemes: [("oauth".to_owned(), scheme)].into(),
                origin: Origin::of(&service.parse().unwrap()).unwrap(),
            };
            let found = endpoints(&oauth, &credentials).map(|endpoints| endpoints.authorization.to_string());
            match expected {
                Ok(expected) => assert_eq!(found.as_deref(), Ok(expected)),
                Err(part) => assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{part}: {found:?}"),
            }
        }
    }
}
