//! Chooses the credentials of a request, and adds them. Decisions only; no I/O.

use std::collections::BTreeMap;

use base64::Engine;
use hyper::Uri;
use hyper::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue};
use percent_encoding::percent_decode_str;

use super::auth::Auth;
use super::encoding::{BASE64, Escape, escape};
use super::folded::Folded;
use super::scheme::{Location, SecurityScheme};
use crate::http::{HttpRequest, Origin};

/// The credentials for a service, and where they are sent.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub(crate) auth: Auth,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) schemes: BTreeMap<String, SecurityScheme>,
    /// The only origin that gets them.
    pub(crate) origin: Origin,
}

/// A credential that a request needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Needed {
    Bearer,
    Basic,
    ApiKey {
        name: String,
        location: Location,
        value: String,
    },
    /// A token that is granted on demand.
    Token,
}

impl Credentials {
    /// Chooses the credentials for an operation: those of the first alternative that is configured as a whole. If none
    /// is, or if the document states none, all that are configured.
    pub(crate) fn needed(&self, security: Option<&[Vec<String>]>) -> Vec<Needed> {
        let Some(alternatives) = security else { return self.everything() };
        if alternatives.is_empty() {
            return Vec::new();
        }
        let of =
            |alternative: &Vec<String>| alternative.iter().map(|name| self.of_scheme(name)).collect::<Option<Vec<_>>>();
        let found = alternatives.iter().filter(|alternative| !alternative.is_empty()).find_map(of);
        found.unwrap_or_else(|| self.everything())
    }

    fn of_scheme(&self, name: &str) -> Option<Needed> {
        let Auth { bearer, basic, api_keys, oauth } = &self.auth;
        match self.schemes.get(name)? {
            SecurityScheme::Basic => basic.as_ref().map(|_| Needed::Basic),
            SecurityScheme::Bearer | SecurityScheme::OAuth { .. } => match (oauth, bearer) {
                (Some(_), _) => Some(Needed::Token),
                (None, Some(_)) => Some(Needed::Bearer),
                (None, None) => None,
            },
            SecurityScheme::ApiKey { name: key, location } => {
                let own = api_keys.iter().find(|one| one.scheme.as_deref() == Some(name));
                let value =
                    own.or_else(|| api_keys.iter().find(|one| one.scheme.is_none())).map(|one| one.value.clone());
                match value {
                    Some(value) => Some(Needed::ApiKey { name: key.clone(), location: *location, value }),
                    // Some documents describe a bearer token as a key.
                    None if key.eq_ignore_ascii_case("authorization") && bearer.is_some() => Some(Needed::Bearer),
                    None => None,
                }
            }
            SecurityScheme::Other(_) => None,
        }
    }

    fn everything(&self) -> Vec<Needed> {
        let Auth { bearer, basic, oauth, .. } = &self.auth;
        let mut needed: Vec<Needed> = match (oauth, bearer, basic) {
            (Some(_), _, _) => vec![Needed::Token],
            (None, Some(_), _) => vec![Needed::Bearer],
            (None, None, Some(_)) => vec![Needed::Basic],
            (None, None, None) => Vec::new(),
        };
        let keys = self.schemes.iter().filter(|(_, scheme)| matches!(scheme, SecurityScheme::ApiKey { .. }));
        let keys = keys.filter_map(|(name, _)| self.of_scheme(name));
        needed.extend(keys.filter(|key| matches!(key, Needed::ApiKey { .. })));
        needed
    }

    /// Tells whether the host fills in this parameter, so that programs do not.
    pub(crate) fn fills(&self, location: Location, name: &str) -> bool {
        let is_same = |other: &str| match location {
            Location::Header | Location::Query | Location::QueryString | Location::Cookie => {
                Folded::of(other).is(&Folded::of(name))
            }
            Location::Path => other == name,
        };
        let is_key = |(scheme, value): (&String, &SecurityScheme)| match value {
            SecurityScheme::ApiKey { name, location: place } => {
                *place == location && is_same(name) && self.of_scheme(scheme).is_some()
            }
            SecurityScheme::Bearer
            | SecurityScheme::Basic
            | SecurityScheme::OAuth { .. }
            | SecurityScheme::Other(_) => false,
        };
        (location == Location::Header && self.headers.keys().any(|header| is_same(header)))
            || self.schemes.iter().any(is_key)
    }

    /// Returns a query without the pairs that the host adds: those of API keys, and those of a query that every address has.
    pub(crate) fn without_own_pairs(&self, query: &str, fixed: &str) -> String {
        let keys = self.schemes.iter().filter_map(|(scheme, value)| match value {
            SecurityScheme::ApiKey { name, location: Location::Query } => self.of_scheme(scheme).map(|_| name.clone()),
            SecurityScheme::ApiKey { .. }
            | SecurityScheme::Bearer
            | SecurityScheme::Basic
            | SecurityScheme::OAuth { .. }
            | SecurityScheme::Other(_) => None,
        });
        let names = keys.chain(fixed.split('&').map(name_of)).filter(|name| !name.is_empty());
        let names: Vec<Folded> = names.map(|name| Folded::of(&name)).collect();
        let is_own = |pair: &str| {
            let folded = Folded::of(&name_of(pair));
            names.iter().any(|name| folded.is_within(name))
        };
        query.split('&').filter(|pair| !is_own(pair)).collect::<Vec<_>>().join("&")
    }

    /// Adds credentials to a request. Adds nothing to a request to another origin.
    pub(crate) fn add(&self, request: &mut HttpRequest, needed: &[Needed], token: Option<&str>) -> Result<(), String> {
        if Origin::of(&request.url).ok().as_ref() != Some(&self.origin) {
            return Ok(());
        }
        for (name, value) in &self.headers {
            let name: HeaderName = name.parse().map_err(|_| "the name of a configured header is not valid")?;
            request.headers.insert(name, secret(value)?);
        }
        for one in needed {
            match one {
                Needed::Bearer => {
                    let bearer = self.auth.bearer.as_deref().unwrap_or_default();
                    request.headers.insert(AUTHORIZATION, secret(&format!("Bearer {bearer}"))?);
                }
                Needed::Token => {
                    request.headers.insert(AUTHORIZATION, secret(&format!("Bearer {}", token.unwrap_or_default()))?);
                }
                Needed::Basic => {
                    let (name, password) =
                        self.auth.basic.as_ref().map(|(name, word)| (&**name, &**word)).unwrap_or_default();
                    let encoded = BASE64.encode(format!("{name}:{password}"));
                    request.headers.insert(AUTHORIZATION, secret(&format!("Basic {encoded}"))?);
                }
                Needed::ApiKey { name, location, value } => add_key(request, name, *location, value)?,
            }
        }
        Ok(())
    }
}

fn add_key(request: &mut HttpRequest, name: &str, location: Location, value: &str) -> Result<(), String> {
    match location {
        Location::Header | Location::Path | Location::QueryString => {
            let name: HeaderName = name.parse().map_err(|_| "the name of the API key is not a header")?;
            request.headers.insert(name, secret(value)?);
        }
        Location::Query => {
            let pair = format!("{}={}", escape(name, Escape::All), escape(value, Escape::All));
            let url = without_pairs(&request.url, name);
            let separator = if url.contains('?') { '&' } else { '?' };
            request.url = format!("{url}{separator}{pair}").parse::<Uri>().map_err(|_| "the API key is not valid")?;
        }
        Location::Cookie => {
            let own = format!("{}={}", escape(name, Escape::Cookie), escape(value, Escape::Cookie));
            let given = request.headers.get(COOKIE).and_then(|cookies| cookies.to_str().ok()).unwrap_or_default();
            let others = given.split("; ").filter(|pair| !pair.is_empty() && !is_named(pair, name));
            let all: Vec<&str> = others.chain([own.as_str()]).collect();
            request.headers.insert(COOKIE, secret(&all.join("; "))?);
        }
    }
    Ok(())
}

/// Returns an address without the pairs of its query that have a name. A program cannot put a credential of its own beside that of
/// the host.
fn without_pairs(url: &Uri, name: &str) -> String {
    let url = url.to_string();
    let Some((route, query)) = url.split_once('?') else { return url };
    let others: Vec<&str> = query.split('&').filter(|pair| !is_named(pair, name)).collect();
    if others.is_empty() { route.to_owned() } else { format!("{route}?{}", others.join("&")) }
}

/// Tells whether a pair has a name, or is a part of a value with it: `name[0]`. The name may be spelled in another way.
fn is_named(pair: &str, name: &str) -> bool {
    Folded::of(&name_of(pair)).is_within(&Folded::of(name))
}

/// Returns the name of a pair, decoded.
fn name_of(pair: &str) -> String {
    let key = pair.split('=').next().unwrap_or_default().replace('+', " ");
    percent_decode_str(&key).decode_utf8_lossy().trim().to_owned()
}

/// Returns a header that is not shown in debug output.
fn secret(value: &str) -> Result<HeaderValue, String> {
    let mut value = HeaderValue::from_str(value).map_err(|_| "a configured credential has a control character")?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use hyper::{HeaderMap, Method};

    use super::*;
    use crate::service::OAuth;

    fn credentials(auth: Auth) -> Credentials {
        let key = |name: &str, location| SecurityScheme::ApiKey { name: name.to_owned(), location };
        let schemes = [
            ("bearer", SecurityScheme::Bearer),
            ("basic", SecurityScheme::Basic),
            ("oauth", SecurityScheme::OAuth { token_url: None, authorization_url: None }),
            ("header", key("X-Key", Location::Header)),
            ("query", key("key", Location::Query)),
            ("cookie", key("sid", Location::Cookie)),
            ("disguised", key("Authorization", Location::Header)),
            ("other", SecurityScheme::Other("mutualTLS".to_owned())),
        ];
        Credentials {
            auth,
            headers: [("X-Version".to_owned(), "7".to_owned())].into(),
            schemes: schemes.map(|(name, scheme)| (name.to_owned(), scheme)).into(),
            origin: Origin::of(&"https://api.example.com".parse().unwrap()).unwrap(),
        }
    }

    fn request(url: &str) -> HttpRequest {
        HttpRequest { method: Method::GET, url: url.parse().unwrap(), headers: HeaderMap::new(), body: Bytes::new() }
    }

    fn sent(auth: Auth, security: &[&[&str]]) -> String {
        let credentials = credentials(auth);
        let security: Vec<Vec<String>> =
            security.iter().map(|all| all.iter().map(|one| (*one).to_owned()).collect()).collect();
        let mut request = request("https://api.example.com/x?a=1");
        request.headers.insert(COOKIE, HeaderValue::from_static("b=2"));
        let needed = credentials.needed(Some(&security));
        credentials.add(&mut request, &needed, Some("granted")).unwrap();
        let header =
            |name: &str| request.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or("-").to_owned();
        format!("{} {} {} {}", request.url.query().unwrap(), header("authorization"), header("x-key"), header("cookie"))
    }

    #[test]
    fn the_document_says_which_credentials_a_request_needs() {
        let key = |scheme: Option<&str>, value: &str| Auth::default().with_api_key(scheme.map(str::to_owned), value);
        for (auth, security, expected) in [
            (Auth::bearer("t"), &[&["bearer"][..]][..], "a=1 Bearer t - b=2"),
            (Auth::bearer("t"), &[&["oauth"]], "a=1 Bearer t - b=2"),
            (Auth::bearer("t"), &[&["disguised"]], "a=1 Bearer t - b=2"),
            (Auth::basic("u", "p"), &[&["basic"]], "a=1 Basic dTpw - b=2"),
            (key(None, "k"), &[&["header"]], "a=1 - k b=2"),
            (key(None, "k&x"), &[&["query"]], "a=1&key=k%26x - - b=2"),
            (key(None, "k"), &[&["cookie"]], "a=1 - - b=2; sid=k"),
            (
                key(Some("header"), "k").with_api_key("query".to_owned(), "q"),
                &[&["header", "query"]],
                "a=1&key=q - k b=2",
            ),
            (Auth::bearer("t"), &[&["basic"], &["bearer"]], "a=1 Bearer t - b=2"),
            (Auth::default().with_oauth(OAuth::new("id", "secret")), &[&["oauth"]], "a=1 Bearer granted - b=2"),
            // Nothing is needed.
            (Auth::bearer("t"), &[], "a=1 - - b=2"),
            // Nothing that is needed is configured: what is configured is tried.
            (Auth::bearer("t"), &[&["other"]], "a=1 Bearer t - b=2"),
        ] {
            assert_eq!(sent(auth, security), expected, "{security:?}");
        }
    }

    #[test]
    fn a_program_has_no_credentials_of_its_own_beside_those_of_the_host() {
        let credentials = credentials(Auth::default().with_api_key(None, "k"));
        let sent = |query: &str, cookies: &str| {
            let mut request = request(&format!("https://api.example.com/x{query}"));
            request.headers.insert(COOKIE, HeaderValue::from_str(cookies).unwrap());
            credentials.add(&mut request, &credentials.needed(None), None).unwrap();
            let cookies = request.headers[COOKIE].to_str().unwrap().to_owned();
            (request.url.query().unwrap().to_owned(), cookies)
        };
        for (query, cookies, expected) in [
            ("", "", ("key=k", "sid=k")),
            ("?key=forged", "sid=forged", ("key=k", "sid=k")),
            ("?a=1&k%65y=forged&b=2", "a=1; sid=forged; b=2", ("a=1&b=2&key=k", "a=1; b=2; sid=k")),
            ("?key[0]=forged&key%5B%5D=forged&key", "s%69d=forged;", ("key=k", "sid=k")),
            ("?keys=1&my[key]=2", "sids=1", ("keys=1&my[key]=2&key=k", "sids=1; sid=k")),
            ("?key.a=forged&+key=forged&[key=1", "", ("[key=1&key=k", "sid=k")),
            ("?KEY=forged&Key[0]=forged&a=1", "SID=forged; S%49d=forged; a=1", ("a=1&key=k", "a=1; sid=k")),
        ] {
            assert_eq!(sent(query, cookies), (expected.0.to_owned(), expected.1.to_owned()), "{query} {cookies}");
        }
    }

    #[test]
    fn pairs_of_the_host_are_taken_out_of_a_query() {
        let with_key = credentials(Auth::default().with_api_key(None, "k"));
        let without_key = credentials(Auth::bearer("t"));
        for (credentials, query, expected) in [
            (&with_key, "page=2&key=k&v=1", "page=2"),
            (&with_key, "k%65y=k&page=2&key[0]=k&+v=3", "page=2"),
            (&with_key, "keys=1&page=2", "keys=1&page=2"),
            (&with_key, "KEY=k&page=2&V=7", "page=2"),
            (&with_key, "key=k", ""),
            (&without_key, "page=2&key=k&v=1", "page=2&key=k"),
        ] {
            assert_eq!(credentials.without_own_pairs(query, "v=1&"), expected, "{query}");
        }
        assert_eq!(without_key.without_own_pairs("page=2&v=1", ""), "page=2&v=1");
    }

    #[test]
    fn another_origin_gets_nothing() {
        let credentials = credentials(Auth::bearer("t"));
        for url in ["https://evil.example/", "http://api.example.com/", "https://api.example.com:8443/"] {
            let mut request = request(url);
            credentials.add(&mut request, &credentials.needed(None), None).unwrap();
            assert!(request.headers.is_empty(), "{url}");
        }
        let mut request = request("https://API.example.com:443/");
        credentials.add(&mut request, &credentials.needed(None), None).unwrap();
        assert_eq!((request.headers.len(), format!("{:?}", request.headers).contains("Bearer")), (2, false));
    }

    #[test]
    fn parameters_that_the_host_fills_in_are_known() {
        let keys = credentials(Auth::default().with_api_key(None, "k"));
        assert!(keys.fills(Location::Query, "key") && keys.fills(Location::Header, "x-KEY"));
        assert!(keys.fills(Location::Header, "X_Key") && keys.fills(Location::Header, "X.Key"));
        assert!(keys.fills(Location::Header, "x-version") && !keys.fills(Location::Query, "keys"));
        assert!(keys.fills(Location::Query, "KEY") && keys.fills(Location::Cookie, "Sid"));
        assert!(!keys.fills(Location::Cookie, "key") && !keys.fills(Location::Path, "key"));
        assert!(!credentials(Auth::bearer("t")).fills(Location::Query, "key"));
    }
}
