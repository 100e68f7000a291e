//! Sends a request to a service: with credentials, bounds and retries.

use std::time::Duration;

use hyper::StatusCode;
use tokio::time::sleep;

use super::credentials::{Credentials, Needed};
use super::error::ServiceError;
use super::logins::{Logins, token_url};
use super::response::leaves_effect_unknown;
use super::retry;
use super::secrets::ServiceSecrets;
use super::tokens::Tokens;
use crate::http::{HttpClient, HttpRequest, HttpResponse, Origin, RequestBounds};
use crate::oauth::{Authorizer, Challenge, LoginNeeded};

/// The client, credentials and bounds of a request.
pub(crate) struct Exchange<'a> {
    pub(crate) client: &'a HttpClient,
    pub(crate) credentials: &'a Credentials,
    pub(crate) tokens: &'a Tokens,
    pub(crate) logins: &'a Logins,
    pub(crate) secrets: &'a ServiceSecrets,
    /// The bounds of one attempt.
    pub(crate) bounds: RequestBounds,
    /// The maximum number of retries. 0 for a request that is not idempotent.
    pub(crate) retries: u32,
    /// Whether the request may change something. If it was sent and nothing usable came back, its effect is unknown.
    pub(crate) may_change: bool,
    /// The time that the call has left.
    pub(crate) time_left: Duration,
}

/// A response, and what is concealed in it.
pub(crate) struct Answered {
    pub(crate) response: HttpResponse,
    /// The secrets of the service, with the tokens that were sent.
    pub(crate) secrets: ServiceSecrets,
    /// Whether an earlier attempt may have had an effect.
    pub(crate) may_have_had_effect: bool,
}

impl Exchange<'_> {
    /// Sends a request and returns its response, whatever its status is. Returns why there is none.
    ///
    /// The request has the credentials that `security` asks for: see [`Credentials::needed`]. It is repeated if the
    /// service was not reached or asks for it, up to `retries` times. A token that the service does not accept is
    /// replaced once. If there is no other one, or the token lacks a scope, a person has to log in.
    pub(crate) async fn send(
        &self,
        security: Option<&[Vec<String>]>,
        request: &HttpRequest,
    ) -> Result<Answered, ServiceError> {
        let needed = self.credentials.needed(security);
        let retries = self.retries;
        let is_own = Origin::of(&request.url).ok().as_ref() == Some(&self.credentials.origin);
        let needs_token = is_own && needed.contains(&Needed::Token);
        let authorizer = if needs_token { self.logins.authorizer(self.credentials)? } else { None };
        let mut refused: Option<(String, Challenge)> = None;
        let (mut attempt, mut was_sent) = (0, false);
        loop {
            let token = match &authorizer {
                Some(authorizer) => Some(token_of_person(authorizer, refused.as_ref()).await?),
                None if needs_token => self.token(refused.as_ref().map(|(token, _)| token.as_str())).await?,
                None => None,
            };
            let mut authorised = request.clone();
            self.credentials.add(&mut authorised, &needed, token.as_deref())?;
            let before = refused.as_ref().map(|(token, _)| token.as_str());
            // A response may repeat either of them.
            let secrets = self.secrets.with(before.into_iter().chain(token.as_deref()));
            let wait = match self.client.send(authorised, self.bounds()).await {
                Ok(response) => {
                    if response.status == StatusCode::UNAUTHORIZED
                        && refused.is_none()
                        && let Some(token) = token
                    {
                        refused = Some((token, Challenge::of(&response.headers)));
                        continue;
                    }
                    if let Some(authorizer) = &authorizer
                        && lacks_login(&response)
                    {
                        return Err(authorizer.begin(Challenge::of(&response.headers)).await.into());
                    }
                    match retry::after_response(response.status, &response.headers, attempt) {
                        Some(wait) if attempt < retries && wait < self.time_left => {
                            was_sent |= leaves_effect_unknown(response.status);
                            wait
                        }
                        Some(_) | None => {
                            let may_have_had_effect = was_sent && self.may_change;
                            return Ok(Answered { response, secrets, may_have_had_effect });
                        }
                    }
                }
                Err(error) => {
                    was_sent |= error.kind.may_have_been_sent();
                    if attempt >= retries || !error.kind.may_pass() {
                        let failed = ServiceError::from(error.to_string());
                        let is_unknown = was_sent && self.may_change;
                        return Err(if is_unknown { failed.with_unknown_effect() } else { failed });
                    }
                    retry::usual(attempt)
                }
            };
            attempt += 1;
            sleep(wait).await;
        }
    }

    fn bounds(&self) -> RequestBounds {
        RequestBounds { timeout: self.bounds.timeout.min(self.time_left), ..self.bounds }
    }

    /// Returns the token of the client, if it has one.
    async fn token(&self, refused: Option<&str>) -> Result<Option<String>, String> {
        let Some(oauth) = &self.credentials.auth.oauth else { return Ok(None) };
        let url = token_url(oauth, self.credentials)?;
        self.tokens.get(self.client, oauth, &url, refused).await.map(Some)
    }
}

/// Returns the token of the person who has logged in. `refused` is one that the service did not accept.
async fn token_of_person(
    authorizer: &Authorizer,
    refused: Option<&(String, Challenge)>,
) -> Result<String, LoginNeeded> {
    if let Some((token, challenge)) = refused {
        return authorizer.renew(challenge.clone(), Some(token)).await;
    }
    match authorizer.token().await? {
        Some(token) => Ok(token),
        None => Err(authorizer.begin(Challenge::default()).await),
    }
}

/// Tells whether a response refuses the login: another one, or one with more scopes, may be accepted.
fn lacks_login(response: &HttpResponse) -> bool {
    match response.status {
        StatusCode::UNAUTHORIZED => true,
        StatusCode::FORBIDDEN => Challenge::of(&response.headers).is_about_scope(),
        _ => false,
    }
}
