//! Sends a request to a service: with credentials, bounds and retries.

use std::time::Duration;

use hyper::{StatusCode, Uri};
use tokio::time::sleep;

use super::auth::OAuth;
use super::credentials::{Credentials, Needed};
use super::retry;
use super::scheme::SecurityScheme;
use super::tokens::Tokens;
use crate::http::{HttpClient, HttpRequest, HttpResponse, Origin, RequestBounds, parse_url};

/// Everything that a request needs beside itself.
pub(crate) struct Exchange<'a> {
    pub(crate) client: &'a HttpClient,
    pub(crate) credentials: &'a Credentials,
    pub(crate) tokens: &'a Tokens,
    /// The bounds of one attempt.
    pub(crate) bounds: RequestBounds,
    /// The maximum number of retries. 0 for a request that is not idempotent.
    pub(crate) retries: u32,
    /// The time that the call has left.
    pub(crate) time_left: Duration,
}

impl Exchange<'_> {
    /// Sends a request and returns its response, whatever its status is. Returns why there is none.
    ///
    /// The request has the credentials that `security` asks for: see [`Credentials::needed`]. It is repeated if the
    /// service was not reached or asks for it, up to `retries` times. A token that the service does not accept is
    /// replaced once.
    pub(crate) async fn send(
        &self,
        security: Option<&[Vec<String>]>,
        request: &HttpRequest,
    ) -> Result<HttpResponse, String> {
        let needed = self.credentials.needed(security);
        let retries = self.retries;
        let mut refused: Option<String> = None;
        let mut attempt = 0;
        loop {
            let token = self.token(&needed, request, refused.as_deref()).await?;
            let mut authorised = request.clone();
            self.credentials.add(&mut authorised, &needed, token.as_deref())?;
            let wait = match self.client.send(authorised, self.bounds()).await {
                Ok(response) if response.status == StatusCode::UNAUTHORIZED && token.is_some() && refused.is_none() => {
                    refused = token;
                    continue;
                }
                Ok(response) => match retry::after_response(response.status, &response.headers, attempt) {
                    Some(wait) if attempt < retries && wait < self.time_left => wait,
                    Some(_) | None => return Ok(response),
                },
                Err(error) if attempt < retries && error.kind.may_pass() => retry::usual(attempt),
                Err(error) => return Err(error.to_string()),
            };
            attempt += 1;
            sleep(wait).await;
        }
    }

    fn bounds(&self) -> RequestBounds {
        RequestBounds { timeout: self.bounds.timeout.min(self.time_left), ..self.bounds }
    }

    /// Returns the token that a request needs, if it needs one.
    async fn token(
        &self,
        needed: &[Needed],
        request: &HttpRequest,
        refused: Option<&str>,
    ) -> Result<Option<String>, String> {
        let is_own = Origin::of(&request.url).ok().as_ref() == Some(&self.credentials.origin);
        let Some(oauth) = self.credentials.auth.oauth.as_ref().filter(|_| is_own && needed.contains(&Needed::Token))
        else {
            return Ok(None);
        };
        let url = token_url(oauth, self.credentials)?;
        self.tokens.get(self.client, oauth, &url, refused).await.map(Some)
    }
}

/// Returns the address of tokens: the configured one, or the one of the document if it has the origin of the service.
fn token_url(oauth: &OAuth, credentials: &Credentials) -> Result<Uri, String> {
    if let Some(configured) = &oauth.token_url {
        return parse_url(configured).map_err(|why| format!("`tokenUrl` is not usable: {why}"));
    }
    let stated = credentials.schemes.values().find_map(|scheme| match scheme {
        SecurityScheme::OAuth { token_url } => token_url.as_deref(),
        SecurityScheme::Bearer | SecurityScheme::Basic | SecurityScheme::ApiKey { .. } | SecurityScheme::Other(_) => {
            None
        }
    });
    let url = stated.and_then(|url| parse_url(url).ok());
    match url {
        Some(url) if Origin::of(&url).ok().as_ref() == Some(&credentials.origin) => Ok(url),
        Some(_) | None => {
            Err("the operator has to set `tokenUrl`: the document names none of the origin of the service".to_owned())
        }
    }
}
