//! Origins: what credentials are bound to.

use std::fmt;

use fluent_uri::UriRef;
use hyper::Uri;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// The scheme, host and port of an address. Credentials are sent only to the origin that they are configured for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    scheme: Scheme,
    host: String,
    port: u16,
}

/// A scheme that the client supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scheme {
    Http,
    Https,
}

/// The maximum length of an address, in bytes.
const MAX_URL: usize = 16 << 10;

impl Origin {
    /// Returns the origin of an address. Returns an error if the address is not an absolute one of HTTP, or contains a
    /// user name, which would be a credential outside the configuration.
    pub(crate) fn of(url: &Uri) -> Result<Self, &'static str> {
        let scheme = match url.scheme_str() {
            Some("http") => Scheme::Http,
            Some("https") => Scheme::Https,
            Some(_) => return Err("it is neither http nor https"),
            None => return Err("it is not absolute"),
        };
        let authority = url.authority().ok_or("it has no host")?;
        if authority.as_str().contains('@') {
            return Err("it contains a user name");
        }
        let host = authority.host().to_ascii_lowercase();
        if host.is_empty() || host == "[]" {
            return Err("it has no host");
        }
        let port = match (authority.port_u16(), scheme) {
            (Some(port), _) => port,
            (None, _) if authority.as_str().len() > authority.host().len() + 1 => {
                return Err("its port is not a number");
            }
            (None, scheme) => scheme.usual_port(),
        };
        Ok(Self { scheme, host, port })
    }

    pub(crate) fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the host in lower case. An IPv6 address is in brackets.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Tells whether two origins may be the same service: they differ in the scheme with its usual port, or in the name of
    /// this computer. Behind a proxy, services do not know by which address they are reached.
    #[cfg(feature = "openapi")]
    pub(crate) fn is_variant_of(&self, other: &Self) -> bool {
        fn host(origin: &Origin) -> &str {
            match origin.host.trim_end_matches('.') {
                "127.0.0.1" | "[::1]" => "localhost",
                host => host,
            }
        }
        let has_usual_port = |origin: &Self| origin.port == origin.scheme.usual_port();
        host(self) == host(other) && (self.port == other.port || (has_usual_port(self) && has_usual_port(other)))
    }
}

impl Scheme {
    fn usual_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.scheme {
            Scheme::Http => "http",
            Scheme::Https => "https",
        };
        write!(formatter, "{scheme}://{}", self.host)?;
        if self.port == self.scheme.usual_port() { Ok(()) } else { write!(formatter, ":{}", self.port) }
    }
}

/// Parses an absolute address of HTTP. Drops its fragment, and escapes the characters that an address cannot contain.
pub(crate) fn parse_url(text: &str) -> Result<Uri, &'static str> {
    if text.len() > MAX_URL {
        return Err("it is too long");
    }
    let (path, query) = path_and_query(text);
    let problem = |_| if has_other_scheme(text) { "it is neither http nor https" } else { "it is not a URL" };
    let url: Uri = address(&path, query).parse().map_err(problem)?;
    Origin::of(&url)?;
    Ok(url)
}

/// Tells whether an address begins with a scheme that is not one of HTTP, such as `data:`.
fn has_other_scheme(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character));
    is_scheme && !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https")
}

/// Resolves a relative reference against an absolute address (RFC 3986). Drops its fragment, and escapes the characters that an
/// address cannot contain.
pub(crate) fn join_url(base: &Uri, reference: &str) -> Result<Uri, &'static str> {
    if reference.len() > MAX_URL {
        return Err("it is too long");
    }
    let base = base.to_string();
    let ((base, base_query), (path, query)) = (path_and_query(&base), path_and_query(reference));
    // A query is never resolved. Browsers send it with characters that RFC 3986 does not know.
    let query = query.or(base_query.filter(|_| path.is_empty()));
    let base = fluent_uri::Uri::parse(base.as_str()).map_err(|_| "its base is not a URL")?;
    let path = UriRef::parse(path.as_str()).map_err(|_| "it is not a URL")?;
    let resolved = path.resolve_against(&base).map_err(|_| "it is not a URL")?;
    parse_url(&address(resolved.as_str(), query))
}

/// Splits an address into its escaped part before the query, and the query. Drops the fragment.
fn path_and_query(text: &str) -> (String, Option<&str>) {
    let text = text.split('#').next().unwrap_or_default();
    match text.split_once('?') {
        Some((path, query)) => (escaped(path), Some(query)),
        None => (escaped(text), None),
    }
}

/// Returns an address with an escaped query.
fn address(path: &str, query: Option<&str>) -> String {
    /// The query percent-encode set of the URL standard, which browsers follow.
    const ILLEGAL: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>');
    match query {
        Some(query) => format!("{path}?{}", utf8_percent_encode(query, ILLEGAL)),
        None => path.to_owned(),
    }
}

/// Escapes the path of an address. Its scheme and its authority stay as they are.
fn escaped(text: &str) -> String {
    /// The path percent-encode set of the URL standard, and the characters that RFC 3986 has no place for in a path.
    const ILLEGAL: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'<')
        .add(b'>')
        .add(b'[')
        .add(b'\\')
        .add(b']')
        .add(b'^')
        .add(b'`')
        .add(b'{')
        .add(b'|')
        .add(b'}');
    let has_authority = |scheme: &str| scheme.is_empty() || (scheme.ends_with(':') && !scheme.contains('/'));
    let start = match text.split_once("//") {
        Some((scheme, after)) if has_authority(scheme) => {
            text.len() - after.find('/').map_or(0, |end| after.len() - end)
        }
        Some(_) | None => 0,
    };
    let (authority, mut rest) = text.split_at(start);
    let mut escaped = authority.to_owned();
    while let Some((before, after)) = rest.split_once('%') {
        let is_escape = after.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        escaped.extend(utf8_percent_encode(before, ILLEGAL));
        escaped.push_str(if is_escape { "%" } else { "%25" });
        rest = after;
    }
    escaped.extend(utf8_percent_encode(rest, ILLEGAL));
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(url: &str) -> Result<String, &'static str> {
        Origin::of(&url.parse().unwrap()).map(|origin| origin.to_string())
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (url, expected) in [
            ("https://API.example.com/v1?x=1", Ok("https://api.example.com")),
            ("https://api.example.com:443", Ok("https://api.example.com")),
            ("https://api.example.com:8443/", Ok("https://api.example.com:8443")),
            ("http://[::1]:3000/", Ok("http://[::1]:3000")),
            ("ftp://example.com/", Err("it is neither http nor https")),
            ("/pets", Err("it is not absolute")),
            ("https://user:word@example.com/", Err("it contains a user name")),
        ] {
            assert_eq!(origin(url), expected.map(str::to_owned), "{url}");
        }
        assert_ne!(Origin::of(&"http://a.example".parse().unwrap()), Origin::of(&"https://a.example".parse().unwrap()));
    }

    #[test]
    fn references_are_resolved_as_the_standard_says() {
        let base = parse_url("https://a.example/b/c.yaml?q=1").unwrap();
        for (reference, expected) in [
            ("d.yaml", Ok("https://a.example/b/d.yaml")),
            ("../../../x#y", Ok("https://a.example/x")),
            ("//e.example/f", Ok("https://e.example/f")),
            ("?page=2", Ok("https://a.example/b/c.yaml?page=2")),
            ("file:///etc/passwd", Err("it is neither http nor https")),
            ("data:text/plain,a", Err("it is neither http nor https")),
            ("https://e .example/", Err("it is not a URL")),
            ("", Ok("https://a.example/b/c.yaml?q=1")),
            // Characters that an address cannot contain are escaped.
            ("a b|[c]^%zz%41", Ok("https://a.example/b/a%20b%7C%5Bc%5D%5E%25zz%41")),
            ("/ü?ü=\"a b\"&page[number]=2|3'", Ok("https://a.example/%C3%BC?%C3%BC=%22a%20b%22&page[number]=2|3'")),
            ("//[::1]:3000/a//[b]", Ok("https://[::1]:3000/a//%5Bb%5D")),
            ("/\\evil.example", Ok("https://a.example/%5Cevil.example")),
        ] {
            assert_eq!(
                join_url(&base, reference).map(|url| url.to_string()),
                expected.map(str::to_owned),
                "{reference}"
            );
        }
    }

    #[test]
    fn an_address_is_a_base_whatever_its_characters_are() {
        for (base, expected) in [
            ("https://a.example/x|y/[z]?q=[1]|2", "https://a.example/x%7Cy/d"),
            ("https://a.example/a b/100%", "https://a.example/a%20b/d"),
            ("https://a.example?q=1", "https://a.example/d"),
        ] {
            assert_eq!(join_url(&parse_url(base).unwrap(), "d").map(|url| url.to_string()), Ok(expected.to_owned()));
        }
        let escaped = parse_url("https://a.example/a b?c d=[e]#f").map(|url| url.to_string());
        assert_eq!(escaped.as_deref(), Ok("https://a.example/a%20b?c%20d=[e]"));
    }

    #[cfg(feature = "openapi")]
    #[test]
    fn a_service_may_spell_its_origin_in_another_way() {
        let origin = |url: &str| Origin::of(&url.parse().unwrap()).unwrap();
        for (one, other, expected) in [
            ("http://a.example", "https://a.example", true),
            ("http://localhost:8080", "http://127.0.0.1:8080", true),
            ("http://localhost:8080", "https://[::1]:8080", true),
            ("http://a.example:8080", "https://a.example", false),
            ("http://localhost:8080", "http://localhost:8081", false),
            ("https://a.example", "https://b.example", false),
        ] {
            assert_eq!(origin(one).is_variant_of(&origin(other)), expected, "{one} {other}");
        }
    }
}
