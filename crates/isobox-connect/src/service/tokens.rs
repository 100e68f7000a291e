//! Gets OAuth tokens, and keeps them until they expire.

use std::time::Duration;

use hyper::Uri;
use tokio::time::Instant;

use super::auth::{OAuth, OAuthGrant};
use crate::http::HttpClient;
use crate::oauth::{ClientSecret, ask};

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
        // Kept until another token is granted: the configured one may be used up.
        let refresh = current.as_ref().and_then(|token| token.refresh.clone());
        let scope = oauth.scopes.join(" ");
        let fields = fields(&oauth.grant, refresh.as_deref(), &scope);
        let secret = match oauth.client_secret.as_str() {
            "" => ClientSecret::None,
            secret => ClientSecret::Basic(secret),
        };
        let granted = ask(client, url, &oauth.client_id, secret, &fields).await.map_err(|error| error.to_string())?;
        let expires = granted.expires_in.and_then(|lifetime| now().checked_add(lifetime.saturating_sub(MARGIN)));
        let value = granted.access_token.clone();
        *current = Some(Token { value: granted.access_token, expires, refresh: granted.refresh_token.or(refresh) });
        Ok(value)
    }
}

/// Returns the fields of the request for a token.
fn fields<'a>(grant: &'a OAuthGrant, refresh: Option<&'a str>, scope: &'a str) -> Vec<(&'static str, &'a str)> {
    let mut fields = match grant {
        // Tokens of people come from their logins.
        OAuthGrant::ClientCredentials | OAuthGrant::AuthorizationCode => vec![("grant_type", "client_credentials")],
        OAuthGrant::RefreshToken(configured) => {
            vec![("grant_type", "refresh_token"), ("refresh_token", refresh.unwrap_or(configured))]
        }
    };
    if !scope.is_empty() {
        fields.push(("scope", scope));
    }
    fields
}

#[expect(clippy::disallowed_methods, reason = "tokens expire in real time")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_refresh_token_replaces_the_configured_one() {
        let grant = OAuthGrant::RefreshToken("old".into());
        assert_eq!(fields(&grant, None, ""), [("grant_type", "refresh_token"), ("refresh_token", "old")]);
        let expected = [("grant_type", "refresh_token"), ("refresh_token", "new"), ("scope", "a b")];
        assert_eq!(fields(&grant, Some("new"), "a b"), expected);
        assert_eq!(fields(&OAuthGrant::ClientCredentials, None, "a").len(), 2);
    }
}
