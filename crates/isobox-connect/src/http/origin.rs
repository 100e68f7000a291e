//! Origins: what credentials are bound to.

use std::fmt;

use fluent_uri::UriRef;
use hyper::Uri;

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
            (None, Scheme::Http) => 80,
            (None, Scheme::Https) => 443,
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
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, usual) = match self.scheme {
            Scheme::Http => ("http", 80),
            Scheme::Https => ("https", 443),
        };
        write!(formatter, "{scheme}://{}", self.host)?;
        if self.port == usual { Ok(()) } else { write!(formatter, ":{}", self.port) }
    }
}

/// Parses an absolute address of HTTP. Drops its fragment.
pub(crate) fn parse_url(text: &str) -> Result<Uri, &'static str> {
    if text.len() > MAX_URL {
        return Err("it is too long");
    }
    let text = text.split('#').next().unwrap_or_default();
    let url: Uri = text.parse().map_err(|_| "it is not a URL")?;
    Origin::of(&url)?;
    Ok(url)
}

/// Resolves a relative reference against an absolute address (RFC 3986). Drops its fragment.
pub(crate) fn join_url(base: &Uri, reference: &str) -> Result<Uri, &'static str> {
    if reference.len() > MAX_URL {
        return Err("it is too long");
    }
    let base = fluent_uri::Uri::parse(base.to_string()).map_err(|_| "its base is not a URL")?;
    let reference = UriRef::parse(reference).map_err(|_| "it is not a URL")?;
    let resolved = reference.resolve_against(&base).map_err(|_| "it is not a URL")?;
    parse_url(resolved.as_str())
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
            ("file:///etc/passwd", Err("it is not a URL")),
            ("a b", Err("it is not a URL")),
        ] {
            assert_eq!(
                join_url(&base, reference).map(|url| url.to_string()),
                expected.map(str::to_owned),
                "{reference}"
            );
        }
    }
}
