//! Makes a request of a program: checks it, sends it, and follows redirects as far as they are allowed.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderValue, SET_COOKIE};
use hyper::{Method, Uri};
use serde_json::{Map, Value, json};

use super::options::WebOptions;
use super::policy::WebPolicy;
use super::transport::Route;
use crate::http::{self, HttpRequest, HttpResponse, Origin, RequestBounds, join_url, parse_url};
use crate::secrets::Secrets;

/// A request as a program asks for it.
pub(super) struct Asked {
    method: Method,
    url: Uri,
    headers: Vec<(String, String)>,
    body: Bytes,
    redirect: Redirect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Redirect {
    Follow,
    Error,
    Manual,
}

/// The route, policy and options of a request.
pub(super) struct Exchange<'a> {
    pub(super) route: &'a Route,
    pub(super) policy: &'a WebPolicy,
    pub(super) options: &'a WebOptions,
    pub(super) secrets: &'a Secrets,
    /// The time that the call has left.
    pub(super) time_left: Duration,
}

impl Asked {
    /// Reads the input of a tool. Returns what is wrong with it.
    pub(super) fn read(input: &Value) -> Result<Self, String> {
        let text = |key: &str| input.get(key).and_then(Value::as_str);
        let url = parse_url(text("url").ok_or("`url` is missing")?);
        let method = text("method").unwrap_or("GET").parse().map_err(|_| "`method` is not a method of HTTP")?;
        let redirect = match text("redirect") {
            None | Some("follow") => Redirect::Follow,
            Some("error") => Redirect::Error,
            Some("manual") => Redirect::Manual,
            Some(_) => return Err("`redirect` has to be `follow`, `error` or `manual`".to_owned()),
        };
        let body = match (text("body"), text("bodyBase64")) {
            (Some(body), None) => Bytes::copy_from_slice(body.as_bytes()),
            (None, Some(body)) => BASE64.decode(body).map_err(|_| "`bodyBase64` is not base64")?.into(),
            (None, None) => Bytes::new(),
            (Some(_), Some(_)) => return Err("there are both a `body` and a `bodyBase64`".to_owned()),
        };
        Ok(Self {
            method,
            url: url.map_err(|why| format!("`url` cannot be requested: {why}"))?,
            headers: headers_of(input.get("headers"))?,
            body,
            redirect,
        })
    }

    /// Tells whether the request changes nothing, by its method.
    pub(super) fn is_read(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    /// Returns the request that follows a redirect with this status, as `fetch` does it. Headers are not sent to another
    /// origin, because they may be credentials.
    fn redirected(mut self, status: u16, location: &str) -> Result<Self, String> {
        let before = Origin::of(&self.url)?;
        let wrong = |why: &str| format!("{before} redirects to an address that is not followed: {why}");
        self.url = join_url(&self.url, location).map_err(wrong)?;
        if status == 303 || (matches!(status, 301 | 302) && self.method == Method::POST) {
            self.body = Bytes::new();
            self.headers.retain(|(name, _)| !name.to_ascii_lowercase().starts_with("content-"));
            if self.method != Method::HEAD {
                self.method = Method::GET;
            }
        }
        let after = Origin::of(&self.url)?;
        if before.scheme() == crate::http::Scheme::Https && after.scheme() == crate::http::Scheme::Http {
            return Err(wrong("it is not encrypted"));
        }
        if before != after {
            self.headers.retain(|(name, _)| {
                matches!(&*name.to_ascii_lowercase(), "accept" | "accept-language" | "content-type")
            });
        }
        Ok(self)
    }
}

/// Reads headers: an object, or a list of pairs.
fn headers_of(value: Option<&Value>) -> Result<Vec<(String, String)>, String> {
    let wrong = || "`headers` has to be an object of texts, or a list of pairs of texts".to_owned();
    let pair = |name: &str, value: &Value| Ok((name.to_owned(), value.as_str().ok_or_else(wrong)?.to_owned()));
    match value {
        None => Ok(Vec::new()),
        Some(Value::Object(object)) => object.iter().map(|(name, value)| pair(name, value)).collect(),
        Some(Value::Array(pairs)) => pairs
            .iter()
            .map(|entry| match entry.as_array().map(Vec::as_slice) {
                Some([Value::String(name), value]) => pair(name, value),
                _ => Err(wrong()),
            })
            .collect(),
        Some(_) => Err(wrong()),
    }
}

impl Exchange<'_> {
    /// Makes a request, and returns the response for the program. Sets `was_sent` once a server may have handled it.
    pub(super) async fn make(&self, mut asked: Asked, was_sent: &mut bool) -> Result<Value, String> {
        let bounds = RequestBounds {
            timeout: self.options.timeout.min(self.time_left),
            max_body: usize::try_from(self.options.max_response.get()).unwrap_or(usize::MAX),
            redirects: 0,
        };
        let (mut left, mut is_redirected) = (self.options.redirects, false);
        loop {
            let origin = self.policy.check(&asked.method, &asked.url)?;
            let mut headers = self.policy.headers(&asked.headers, &origin)?;
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            let (method, url, body) = (asked.method.clone(), asked.url.clone(), asked.body.clone());
            let sent = self.route.send(HttpRequest { method, url, headers, body }, bounds).await;
            *was_sent |= sent.as_ref().err().is_none_or(|error| error.kind.may_have_been_sent());
            let response = sent.map_err(|error| error.to_string())?;
            let Some(location) = location(&response) else { return self.shown(&response, is_redirected) };
            match asked.redirect {
                Redirect::Error => return Err(format!("{origin} redirects, and the request does not allow that")),
                Redirect::Follow if left > 0 => {}
                Redirect::Follow | Redirect::Manual => return self.shown(&response, is_redirected),
            }
            asked = asked.redirected(response.status.as_u16(), &location)?;
            (left, is_redirected) = (left - 1, true);
        }
    }

    fn shown(&self, response: &HttpResponse, is_redirected: bool) -> Result<Value, String> {
        if response.is_cut {
            return Err(format!("the response is larger than {} bytes; ask for less", response.body.len()));
        }
        let encoding = response.headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok());
        if encoding.is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
            return Err("the response is compressed, although that was not asked for".to_owned());
        }
        let headers: Vec<Value> = response
            .headers
            .iter()
            .filter(|(name, _)| *name != SET_COOKIE)
            .map(|(name, value)| {
                let value: String = value.as_bytes().iter().copied().map(char::from).collect();
                json!([name.as_str(), self.secrets.conceal(&value)])
            })
            .collect();
        let mut shown = Map::new();
        shown.insert("status".to_owned(), json!(response.status.as_u16()));
        shown.insert("statusText".to_owned(), json!(response.status.canonical_reason().unwrap_or_default()));
        shown.insert("headers".to_owned(), Value::Array(headers));
        shown.insert("url".to_owned(), json!(self.secrets.conceal(&response.url.to_string())));
        shown.insert("redirected".to_owned(), json!(is_redirected));
        match std::str::from_utf8(&response.body) {
            Ok(text) => shown.insert("body".to_owned(), json!(self.secrets.conceal(text))),
            Err(_) => shown.insert("bodyBase64".to_owned(), json!(BASE64.encode(&response.body))),
        };
        Ok(Value::Object(shown))
    }
}

/// Returns the address that a response redirects to.
fn location(response: &HttpResponse) -> Option<String> {
    let is_redirect = matches!(response.status.as_u16(), 301 | 302 | 303 | 307 | 308);
    if is_redirect { http::location(&response.headers) } else { None }
}

#[cfg(test)]
mod tests {
    use hyper::header::LOCATION;

    use super::*;

    fn asked(method: &str) -> Asked {
        let input = json!({
            "url": "https://a.example/x", "method": method, "body": "b",
            "headers": [["Authorization", "t"], ["Accept", "*/*"], ["Content-Type", "text/plain"]],
        });
        Asked::read(&input).unwrap()
    }

    #[test]
    fn a_redirect_changes_the_method_and_drops_headers_as_fetch_does() {
        for (status, method, location, expected) in [
            (302, "POST", "/y", ("GET", "https://a.example/y", "Authorization,Accept", 0)),
            (303, "PUT", "/y", ("GET", "https://a.example/y", "Authorization,Accept", 0)),
            (302, "PUT", "/y", ("PUT", "https://a.example/y", "Authorization,Accept,Content-Type", 1)),
            (307, "POST", "https://b.example/", ("POST", "https://b.example/", "Accept,Content-Type", 1)),
            (301, "GET", "//b.example/z", ("GET", "https://b.example/z", "Accept,Content-Type", 1)),
            (
                302,
                "GET",
                "a b|c?[d]=|",
                ("GET", "https://a.example/a%20b%7Cc?[d]=|", "Authorization,Accept,Content-Type", 1),
            ),
        ] {
            let next = asked(method).redirected(status, location).unwrap();
            let names: Vec<&str> = next.headers.iter().map(|(name, _)| name.as_str()).collect();
            let is = (next.method.as_str(), &*next.url.to_string(), &*names.join(","), next.body.len());
            assert_eq!(is, expected, "{status} {method} {location}");
        }
        let insecure = asked("GET").redirected(302, "http://a.example/").err().unwrap();
        assert_eq!(insecure, "https://a.example redirects to an address that is not followed: it is not encrypted");
    }

    #[test]
    fn a_redirect_may_lead_to_an_address_that_is_not_ascii() {
        for (given, expected) in [("/ü".as_bytes(), "/%C3%BC"), (b"/\xfc", "/%FC"), (b"/a b", "/a b")] {
            let headers = [(LOCATION, HeaderValue::from_bytes(given).unwrap())].into_iter().collect();
            assert_eq!(http::location(&headers).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_wrong_input_is_refused() {
        for (input, expected) in [
            (json!({}), "`url` is missing"),
            (json!({ "url": "/x" }), "`url` cannot be requested: it is not absolute"),
            (json!({ "url": "https://a.example", "method": "a b" }), "`method` is not a method of HTTP"),
            (
                json!({ "url": "https://a.example", "redirect": "x" }),
                "`redirect` has to be `follow`, `error` or `manual`",
            ),
            (json!({ "url": "https://a.example", "bodyBase64": "?" }), "`bodyBase64` is not base64"),
            (
                json!({ "url": "https://a.example", "headers": [1] }),
                "`headers` has to be an object of texts, or a list of pairs of texts",
            ),
        ] {
            assert_eq!(Asked::read(&input).err().as_deref(), Some(expected), "{input}");
        }
    }
}
