//! Decides about requests of programs. Decisions only; no I/O.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Uri};
use isobox_core::brief;

use super::options::{WebOptions, WebSecret};
use crate::http::{AddressPolicy, Origin, climbs, parse_url};

/// The checked form of [`WebOptions`].
pub(super) struct WebPolicy {
    allowed: Vec<Allowed>,
    /// The hosts with private addresses that are allowed by entries with a path or a port, and by nothing else.
    private: BTreeSet<String>,
    methods: Vec<Method>,
    headers: Vec<String>,
    secrets: BTreeMap<String, (Origin, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Allowed {
    /// Every address.
    All,
    /// The addresses of an origin whose path is below this one.
    Below(Origin, String),
}

/// The headers that every program may set.
const USUAL_HEADERS: [&str; 10] = [
    "accept",
    "accept-language",
    "content-language",
    "content-type",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-unmodified-since",
    "range",
    "user-agent",
];

/// The headers that a secret may be put into, beside those of the options. They have no other use than credentials.
const CREDENTIAL_HEADERS: [&str; 12] = [
    "api-key",
    "apikey",
    "authorization",
    "private-token",
    "x-access-token",
    "x-api-key",
    "x-api-token",
    "x-auth-key",
    "x-auth-token",
    "x-goog-api-key",
    "x-subscription-token",
    "x-token",
];

/// The headers that belong to the connection, and the beginnings of such names. Nobody can allow them.
const CONNECTION_HEADERS: [&str; 10] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

const REFERENCE: (&str, &str) = ("{{secret:", "}}");

impl WebOptions {
    /// Checks the options. Returns what is wrong with them.
    pub fn check(&self) -> Result<(), String> {
        WebPolicy::new(self).map(drop)
    }
}

impl WebPolicy {
    /// Checks the options. Returns what is wrong with them.
    pub(super) fn new(options: &WebOptions) -> Result<Self, String> {
        let method = |name: &String| match name.parse::<Method>() {
            Ok(Method::CONNECT | Method::TRACE) | Err(_) => {
                Err(format!("`{}` is not a method to allow", brief(name, 40)))
            }
            Ok(method) => Ok(method),
        };
        let secret = |(name, secret): (&String, &WebSecret)| {
            let wrong = |why: &str| format!("the origin of the secret `{}` cannot be used: {why}", brief(name, 80));
            let url = parse_url(&secret.origin).map_err(wrong)?;
            if url.path() != "/" || url.query().is_some() {
                return Err(wrong("it has a path; a secret belongs to a whole origin"));
            }
            Ok((name.clone(), (Origin::of(&url).map_err(wrong)?, secret.value.clone())))
        };
        let allowed: Vec<Allowed> = options.allow.iter().map(|text| Allowed::parse(text)).collect::<Result<_, _>>()?;
        let is_private_host = |host: &str| options.private_hosts.iter().any(|name| name.eq_ignore_ascii_case(host));
        let named = allowed.iter().filter_map(Allowed::host);
        let private = named.filter(|host| is_private(host) && !is_private_host(host)).map(str::to_owned).collect();
        Ok(Self {
            allowed,
            private,
            methods: options.methods.iter().map(method).collect::<Result<_, _>>()?,
            headers: options.headers.iter().map(|name| name.to_ascii_lowercase()).collect(),
            secrets: options.secrets.iter().map(secret).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the policy for addresses: a host may have a private address if the options say so, or if its name is one.
    pub(super) fn addresses(&self, options: &WebOptions) -> AddressPolicy {
        let named = self.private.iter().chain(&options.private_hosts).map(String::as_str);
        AddressPolicy::for_hosts(named).allowed_by("the operator can allow it with `privateHosts` of `fetch`")
    }

    /// Checks the address and the method of a request.
    pub(super) fn check(&self, method: &Method, url: &Uri) -> Result<Origin, String> {
        let origin = Origin::of(url).map_err(|why| format!("the address cannot be requested: {why}"))?;
        if climbs(url.path()) {
            return Err(format!("the path of an address of {origin} has a segment `.` or `..`"));
        }
        let is_private = self.private.contains(origin.host());
        let has = |allowed: &Allowed| match allowed {
            Allowed::All => !is_private,
            Allowed::Below(..) => allowed.has(&origin, url.path()),
        };
        if !self.allowed.iter().any(has) {
            return Err(format!(
                "programs may not request {origin}{}: the host allows {}",
                brief(url.path(), 100),
                self.shown_allowed()
            ));
        }
        if !self.methods.contains(method) {
            let allowed: Vec<&str> = self.methods.iter().map(Method::as_str).collect();
            return Err(format!(
                "programs may not use {}: the host allows {}",
                brief(method.as_str(), 40),
                allowed.join(", ")
            ));
        }
        Ok(origin)
    }

    fn shown_allowed(&self) -> String {
        const SHOWN: usize = 5;
        let texts: Vec<String> = self.allowed.iter().take(SHOWN).map(Allowed::to_string).collect();
        match self.allowed.len() {
            0 => "nothing".to_owned(),
            count if count > SHOWN => format!("{} and {} more", texts.join(", "), count - SHOWN),
            _ => texts.join(", "),
        }
    }

    /// Returns the headers of a request to an origin, with the secrets that they refer to.
    pub(super) fn headers(&self, given: &[(String, String)], origin: &Origin) -> Result<HeaderMap, String> {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            let name = name.to_ascii_lowercase();
            let is_reference = value.contains(REFERENCE.0);
            self.check_header(&name, is_reference.then_some(value.as_str()))?;
            let value = self.with_secrets(value, origin)?;
            let invalid = || format!("the header `{}` is not valid", brief(&name, 80));
            let mut value = HeaderValue::from_bytes(&latin1(&value).ok_or_else(invalid)?).map_err(|_| invalid())?;
            value.set_sensitive(is_reference);
            headers.append(HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid())?, value);
        }
        Ok(headers)
    }

    /// Checks that a program may set a header. `reference` is a value that refers to a secret.
    ///
    /// A program may write anything into a header of the options. Into a header for credentials it may write a secret and nothing
    /// else, so that a reference is no way around the options.
    fn check_header(&self, name: &str, reference: Option<&str>) -> Result<(), String> {
        let is_of_connection =
            CONNECTION_HEADERS.contains(&name) || name.starts_with("proxy-") || name.starts_with("sec-");
        let is_allowed = |allowed: &String| match allowed.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == allowed,
        };
        let is_allowed = !is_of_connection && self.headers.iter().any(is_allowed);
        let is_for_credentials = !is_of_connection && CREDENTIAL_HEADERS.contains(&name);
        let shown = brief(name, 80);
        match reference {
            _ if is_allowed => Ok(()),
            None if !is_of_connection && USUAL_HEADERS.contains(&name) => Ok(()),
            Some(value) if is_for_credentials && is_credential(value) => Ok(()),
            Some(_) if is_for_credentials => Err(format!(
                "the header `{shown}` may contain a secret alone, or behind one word (`Bearer`) and a space; the host can \
                 allow other values with `headers`"
            )),
            Some(_) => Err(format!(
                "no secret is put into the header `{shown}`; use a header for credentials, such as `authorization` or \
                 `x-api-key`, or have the host allow it with `headers`"
            )),
            None if is_for_credentials => Err(format!(
                "programs may not set the header `{shown}`; the host can allow it with `headers`, or offer a secret for it"
            )),
            None => Err(format!("programs may not set the header `{shown}`; the host can allow it with `headers`")),
        }
    }

    /// Puts secrets in the place of their references.
    fn with_secrets(&self, value: &str, origin: &Origin) -> Result<String, String> {
        let (mut whole, mut rest) = (String::new(), value);
        while let Some((before, after)) = rest.split_once(REFERENCE.0) {
            let (name, after) = after.split_once(REFERENCE.1).ok_or("a reference to a secret has no end")?;
            let Some((owner, secret)) = self.secrets.get(name) else {
                return Err(format!("there is no secret `{}`", brief(name, 80)));
            };
            if owner != origin {
                return Err(format!("the secret `{}` is for {owner}, and is not sent to {origin}", brief(name, 80)));
            }
            whole += before;
            whole += secret;
            rest = after;
        }
        Ok(whole + rest)
    }
}

impl Allowed {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "*" {
            return Ok(Self::All);
        }
        let wrong = |why: &str| format!("`{}` cannot be allowed: {why}", brief(text, 200));
        let url = parse_url(text).map_err(wrong)?;
        if url.query().is_some() || text.contains('#') {
            return Err(wrong("it has a query or a fragment; write the beginning of a path"));
        }
        if climbs(url.path()) {
            return Err(wrong("its path has a segment `.` or `..`"));
        }
        Ok(Self::Below(Origin::of(&url).map_err(wrong)?, url.path().to_owned()))
    }

    fn host(&self) -> Option<&str> {
        match self {
            Self::All => None,
            Self::Below(origin, _) => Some(origin.host()),
        }
    }

    fn has(&self, origin: &Origin, path: &str) -> bool {
        match self {
            Self::All => true,
            Self::Below(allowed, beginning) => {
                let rest = path.strip_prefix(beginning.as_str());
                let is_below = |rest: &str| beginning.ends_with('/') || rest.is_empty() || rest.starts_with('/');
                allowed == origin && rest.is_some_and(is_below)
            }
        }
    }
}

impl std::fmt::Display for Allowed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => formatter.write_str("every public address"),
            Self::Below(origin, path) => write!(formatter, "{origin}{path}"),
        }
    }
}

/// Tells whether a host is an address that is not public, or the name of this computer.
fn is_private(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| !AddressPolicy::default().allows(host, address))
}

/// Returns the bytes of a header, each of them a character.
fn latin1(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect()
}

/// Tells whether a value is a reference to a secret, alone or behind a scheme: `Bearer {{secret:name}}`.
fn is_credential(value: &str) -> bool {
    let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let reference = match value.split_once(' ') {
        Some((scheme, rest)) if !scheme.is_empty() && scheme.bytes().all(is_of_scheme) => rest,
        Some(_) | None => value,
    };
    let name = reference.strip_prefix(REFERENCE.0).and_then(|rest| rest.strip_suffix(REFERENCE.1));
    name.is_some_and(|name| !name.contains(REFERENCE.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(allow: &[&str]) -> WebPolicy {
        let mut options = WebOptions::for_output(isobox_core::ByteSize::mib(1));
        options.allow = allow.iter().map(|&text| text.to_owned()).collect();
        options.headers = vec!["X-Api-*".to_owned(), "authorization".to_owned()];
        let secret = |origin: &str| WebSecret { origin: origin.to_owned(), value: "t0ps3cret".to_owned() };
        options.secrets = [("hub".to_owned(), secret("https://api.hub.example"))].into();
        WebPolicy::new(&options).unwrap()
    }

    #[test]
    fn an_address_is_allowed_below_a_path_of_its_origin() {
        let policy = policy(&["https://a.example/v1/", "https://b.example/x", "http://127.0.0.1:3000"]);
        for (url, is_allowed) in [
            ("https://a.example/v1/pets?x=1", true),
            ("https://a.example/v1/", true),
            ("https://a.example/v1", false),
            ("https://a.example/v10/", false),
            ("https://a.example:8443/v1/", false),
            ("http://a.example/v1/", false),
            ("https://a.example.evil.example/v1/", false),
            ("https://b.example/x", true),
            ("https://b.example/x/y", true),
            ("https://b.example/xy", false),
            ("https://b.example/x/../y", false),
            ("https://a.example/v1/%2e%2e/admin", false),
            ("https://a.example/v1/..%2fadmin", false),
            ("https://a.example/v1/..%5cadmin", false),
            ("https://a.example/v1/..\\admin", false),
            ("https://a.example/v1/%252e%252e/admin", false),
            ("https://a.example/v1/..%252fadmin", false),
            ("https://a.example/v1/..%255cadmin", false),
            ("https://a.example/v1/..;/admin", false),
            ("https://a.example/v1/..;x=1/admin", false),
            ("https://a.example/v1/..%3b/admin", false),
            ("https://a.example/v1/%252e%252e%253b/admin", false),
            ("https://a.example/v1/x;y=..%2f..%2fadmin", false),
            ("https://a.example/v1/pets;of=../1", true),
            ("https://a.example/v1/100%2525", true),
            ("https://a.example/v1/.hidden/..x", true),
            ("http://127.0.0.1:3000/anything", true),
        ] {
            let checked = policy.check(&Method::GET, &parse_url(url).unwrap());
            assert_eq!(checked.is_ok(), is_allowed, "{url}: {checked:?}");
        }
    }

    #[test]
    fn a_private_host_is_reached_by_its_own_entries_only() {
        let allow = ["http://localhost:8931/echo/", "http://10.0.0.1/x/", "http://[::1]/", "https://8.8.8.8/dns/", "*"];
        let with = |private_hosts: &[&str]| {
            let mut options = WebOptions::for_output(isobox_core::ByteSize::mib(1));
            options.allow = allow.map(str::to_owned).to_vec();
            options.private_hosts = private_hosts.iter().map(|&host| host.to_owned()).collect();
            WebPolicy::new(&options).unwrap()
        };
        let is_allowed = |policy: &WebPolicy, url: &str| policy.check(&Method::GET, &parse_url(url).unwrap()).is_ok();
        let policy = with(&[]);
        for (url, expected) in [
            ("http://localhost:8931/echo/x", true),
            ("http://localhost:8931/other", false),
            ("http://LOCALHOST:8933/echo/", false),
            ("https://localhost:8931/echo/", false),
            ("http://10.0.0.1/x/y", true),
            ("http://10.0.0.1/", false),
            ("http://[::1]/y", true),
            ("http://[::1]:81/y", false),
            ("https://8.8.8.8/other", true),
            ("https://a.example/", true),
        ] {
            assert_eq!(is_allowed(&policy, url), expected, "{url}");
        }
        assert!(is_allowed(&with(&["Localhost"]), "http://localhost:8933/"), "the host may be private by its name");
    }

    #[test]
    fn a_refusal_names_what_is_allowed() {
        let policy = policy(&["https://a.example/v1/"]);
        let check = |method: Method, url: &str| policy.check(&method, &parse_url(url).unwrap()).unwrap_err();
        assert_eq!(
            check(Method::GET, "https://evil.example/x"),
            "programs may not request https://evil.example/x: the host allows https://a.example/v1/"
        );
        assert_eq!(
            check(Method::POST, "https://a.example/v1/x"),
            "programs may not use POST: the host allows GET, HEAD"
        );
    }

    #[test]
    fn wrong_options_are_refused() {
        let with = |change: fn(&mut WebOptions)| {
            let mut options = WebOptions::for_output(isobox_core::ByteSize::mib(1));
            change(&mut options);
            WebPolicy::new(&options).err()
        };
        assert_eq!(with(|_| {}), None);
        for (change, expected) in [
            (
                (|options| options.allow = vec!["ftp://a.example".to_owned()]) as fn(&mut WebOptions),
                "`ftp://a.example` cannot be allowed: it is neither http nor https",
            ),
            (
                |options| options.allow = vec!["https://a.example/?x=1".to_owned()],
                "`https://a.example/?x=1` cannot be allowed: it has a query or a fragment; write the beginning of a path",
            ),
            (|options| options.methods = vec!["TRACE".to_owned()], "`TRACE` is not a method to allow"),
            (
                |options| {
                    let secret = WebSecret { origin: "https://a.example/x".to_owned(), value: String::new() };
                    options.secrets = [("s".to_owned(), secret)].into();
                },
                "the origin of the secret `s` cannot be used: it has a path; a secret belongs to a whole origin",
            ),
        ] {
            assert_eq!(with(change).as_deref(), Some(expected));
        }
    }

    #[test]
    fn headers_of_the_connection_and_unknown_ones_are_refused() {
        let policy = policy(&["*"]);
        let origin = Origin::of(&parse_url("https://a.example").unwrap()).unwrap();
        for (name, is_allowed) in [
            ("Accept", true),
            ("content-type", true),
            ("X-Api-Version", true),
            ("Authorization", true),
            ("X-Other", false),
            ("Cookie", false),
            ("Host", false),
            ("Transfer-Encoding", false),
            ("Proxy-Authorization", false),
            ("bad name", false),
        ] {
            let headers = policy.headers(&[(name.to_owned(), "1".to_owned())], &origin);
            assert_eq!(headers.is_ok(), is_allowed, "{name}: {headers:?}");
        }
        let split = policy.headers(&[("accept".to_owned(), "a\r\nHost: b".to_owned())], &origin);
        assert_eq!(split.unwrap_err(), "the header `accept` is not valid");
    }

    #[test]
    fn a_secret_is_sent_to_its_origin_only() {
        let policy = policy(&["*"]);
        let headers = |url: &str, value: &str| {
            let origin = Origin::of(&parse_url(url).unwrap()).unwrap();
            policy.headers(&[("x-token".to_owned(), value.to_owned())], &origin)
        };
        let sent = headers("https://api.hub.example", "Bearer {{secret:hub}}").unwrap();
        assert_eq!(sent["x-token"], "Bearer t0ps3cret");
        assert!(sent["x-token"].is_sensitive());
        for (url, value, expected) in [
            (
                "https://evil.example",
                "{{secret:hub}}",
                "the secret `hub` is for https://api.hub.example, and is not sent to https://evil.example",
            ),
            (
                "http://api.hub.example",
                "{{secret:hub}}",
                "the secret `hub` is for https://api.hub.example, and is not sent to http://api.hub.example",
            ),
            ("https://api.hub.example", "{{secret:other}}", "there is no secret `other`"),
        ] {
            assert_eq!(headers(url, value).unwrap_err(), expected);
        }
    }

    #[test]
    fn a_secret_is_no_way_to_set_other_headers() {
        let policy = policy(&["*"]);
        let origin = Origin::of(&parse_url("https://api.hub.example").unwrap()).unwrap();
        for (name, value, expected) in [
            ("x-api-key", "{{secret:hub}}", Ok("t0ps3cret")),
            ("X-Auth-Token", "Token {{secret:hub}}", Ok("Token t0ps3cret")),
            // Headers that the host allows may have any value.
            ("authorization", "Token token={{secret:hub}}", Ok("Token token=t0ps3cret")),
            ("x-api-extra", "a={{secret:hub}}", Ok("a=t0ps3cret")),
            ("authorization", "{{secret:hub", Err("a reference to a secret has no end")),
            ("private-token", "{{secret:hub}}; x=1", Err("may contain a secret alone")),
            ("private-token", "a b {{secret:hub}}", Err("may contain a secret alone")),
            ("private-token", "a= {{secret:hub}}", Err("may contain a secret alone")),
            ("private-token", "{{secret:hub}}{{secret:hub}}", Err("may contain a secret alone")),
            ("X-Original-URL", "/admin?x={{secret:hub}}", Err("no secret is put into the header `x-original-url`")),
            ("x-http-method-override", "{{secret:hub}}", Err("no secret is put into the header")),
            ("Cookie", "sid=1; y={{secret:hub}}", Err("no secret is put into the header `cookie`")),
            ("accept", "{{secret:hub}}", Err("no secret is put into the header `accept`")),
            ("host", "{{secret:hub}}", Err("no secret is put into the header `host`")),
        ] {
            let sent = policy.headers(&[(name.to_owned(), value.to_owned())], &origin);
            match (sent, expected) {
                (Ok(sent), Ok(expected)) => assert_eq!(sent[&*name.to_ascii_lowercase()], expected, "{name}"),
                (Err(sent), Err(expected)) => assert!(sent.contains(expected), "{name}: {sent}"),
                (sent, expected) => panic!("{name}: {sent:?} instead of {expected:?}"),
            }
        }
    }
}
