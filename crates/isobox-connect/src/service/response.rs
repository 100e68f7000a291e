//! Turns responses into values and errors of tools. Decisions only; no I/O.

use base64::Engine;
use hyper::StatusCode;
use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use isobox_core::{OneLine, lines_without_escapes, lossy_text, parse_json, shorten};
use serde_json::{Value, json};

use super::encoding::{BASE64, essence, is_json};
use super::secrets::ServiceSecrets;
use crate::http::HttpResponse;
use crate::secrets::Secrets;

/// The maximum number of characters of a body in an error.
const ERROR_CHARACTERS: usize = 2_000;
/// The maximum length of a header that programs see, in characters.
const HEADER_CHARACTERS: usize = 4_000;

/// The content of a response.
pub(crate) struct Content {
    /// The value, as the service sent it.
    pub(crate) value: Value,
    /// Whether the value contains the bytes of the response in base64.
    is_binary: bool,
    /// The text of bytes in a charset that is not decoded, as far as it is ASCII.
    text: Option<String>,
}

impl Content {
    fn readable(value: Value) -> Self {
        Self { value, is_binary: false, text: None }
    }

    /// Returns bytes in the form in which programs get images of other connectors.
    fn binary(media_type: &str, bytes: &[u8]) -> Self {
        let kind = match media_type.split('/').next() {
            Some("image") => "image",
            Some("audio") => "audio",
            _ => "blob",
        };
        let value = json!({ "type": kind, "mimeType": media_type, "data": BASE64.encode(bytes) });
        Self { value, is_binary: true, text: None }
    }

    /// Returns the value for a program: without credentials. Bytes stay as they are, unless they are a text with credentials: the
    /// program gets that as far as it is ASCII.
    pub(crate) fn shown(mut self, secrets: &ServiceSecrets) -> Value {
        if let Some(text) = self.text.take().map(Value::String) {
            let mut concealed = text.clone();
            secrets.credentials.conceal_value(&mut concealed);
            if concealed != text {
                return concealed;
            }
        }
        if !self.is_binary {
            secrets.credentials.conceal_value(&mut self.value);
        }
        self.value
    }
}

/// Returns the value of a successful response for a program, or why it has none.
pub(crate) fn value(response: &HttpResponse, secrets: &ServiceSecrets) -> Result<Value, String> {
    content(response).map(|content| content.shown(secrets))
}

/// Returns the content of a successful response, or why it has none.
pub(crate) fn content(response: &HttpResponse) -> Result<Content, String> {
    if response.is_cut {
        return Err(format!(
            "the response is larger than {} bytes; ask for less, for instance for fewer items or fields",
            response.body.len()
        ));
    }
    if let Some(encoding) = response.headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok())
        && !encoding.eq_ignore_ascii_case("identity")
    {
        return Err("the response is compressed, although that was not asked for".to_owned());
    }
    let media_type = media_type(&response.headers);
    if response.body.is_empty() {
        return Ok(Content::readable(Value::Null));
    }
    if is_json(&media_type) {
        let parsed = parse_json(&response.body).map(Content::readable);
        return parsed.map_err(|error| format!("the response is not valid JSON: {error}"));
    }
    if is_text(&media_type) {
        let text = decoded(&response.body, &charset(&response.headers));
        return Ok(text.map_or_else(
            || Content { text: Some(lossy_text(&response.body)), ..Content::binary(&media_type, &response.body) },
            |text| Content::readable(Value::String(text)),
        ));
    }
    if media_type.is_empty() {
        // Without a type, JSON and text are told apart from bytes by what they are.
        return Ok(match (parse_json(&response.body), std::str::from_utf8(&response.body)) {
            (Ok(value), _) => Content::readable(value),
            (Err(_), Ok(text)) => Content::readable(Value::String(text.to_owned())),
            (Err(_), Err(_)) => Content::binary("application/octet-stream", &response.body),
        });
    }
    Ok(Content::binary(&media_type, &response.body))
}

/// Tells whether a response of which a program gets only an error leaves it unknown what the request did: a success that
/// cannot be read, or the answer of a gateway that has lost the service.
pub(crate) fn leaves_effect_unknown(status: StatusCode) -> bool {
    status.is_success() || matches!(status, StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT)
}

/// Tells whether content of a media type is text.
pub(crate) fn is_text(media_type: &str) -> bool {
    const TEXTS: [&str; 7] = [
        "application/xml",
        "application/javascript",
        "application/yaml",
        "application/x-yaml",
        "application/x-ndjson",
        "application/jsonl",
        "application/x-www-form-urlencoded",
    ];
    media_type.starts_with("text/")
        || media_type.ends_with("+xml")
        || media_type.ends_with("+yaml")
        || TEXTS.contains(&media_type)
}

/// Returns the media type of a response, or an empty text.
pub(super) fn media_type(headers: &HeaderMap) -> String {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(essence).unwrap_or_default()
}

/// Returns the charset of a response in lower case, or an empty text.
fn charset(headers: &HeaderMap) -> String {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let charset = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    charset.map(|(_, value)| value.trim().trim_matches('"').to_ascii_lowercase()).unwrap_or_default()
}

/// Returns the text of bytes. None if their charset is not one of those that need no tables.
fn decoded(bytes: &[u8], charset: &str) -> Option<String> {
    match charset {
        "" | "utf-8" | "utf8" | "us-ascii" => Some(lossy_text(bytes)),
        "iso-8859-1" | "latin1" => Some(bytes.iter().copied().map(char::from).collect()),
        _ => None,
    }
}

/// Returns a response with its status and its headers, whatever the status is.
pub(crate) fn whole(response: &HttpResponse, secrets: &ServiceSecrets) -> Result<Value, String> {
    let body = value(response, secrets)?;
    let mut headers = serde_json::Map::new();
    for (name, value) in &response.headers {
        // The session of the host is not a matter of programs.
        if name.as_str() != "set-cookie" {
            let value = secrets.quoted.conceal(&lossy_text(value.as_bytes()));
            headers.insert(name.as_str().to_owned(), Value::String(shorten(&value, HEADER_CHARACTERS)));
        }
    }
    Ok(json!({ "status": response.status.as_u16(), "headers": headers, "body": body }))
}

/// Describes a response that is not successful: the status, and a bounded part of the body. `redirected` says what to do
/// about a redirect.
pub(crate) fn failure(subject: &str, response: &HttpResponse, secrets: &Secrets, redirected: &str) -> String {
    let status = response.status;
    let reason = status.canonical_reason().map(|reason| format!(" {reason}")).unwrap_or_default();
    let media_type = media_type(&response.headers);
    let body = if is_json(&media_type) || is_text(&media_type) || media_type.is_empty() {
        let text = secrets.conceal(&lossy_text(&response.body));
        let lines: Vec<String> = lines_without_escapes(text.trim()).map(OneLine::into_owned).collect();
        shorten(&lines.join("\n"), ERROR_CHARACTERS)
    } else {
        String::new()
    };
    let mut message = format!("{subject}: {}{reason}", status.as_u16());
    if !body.is_empty() {
        message.push_str(&format!(": {body}"));
    }
    message.push_str(advice(status, redirected));
    message
}

/// Returns what to do about a status.
pub(crate) fn advice(status: StatusCode, redirected: &str) -> &str {
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => " (the operator sets the credentials under `auth`)",
        _ if status.is_redirection() => redirected,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use hyper::header::HeaderValue;

    use super::*;

    fn response(status: u16, media_type: &str, body: &[u8]) -> HttpResponse {
        let mut headers = HeaderMap::new();
        if !media_type.is_empty() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_str(media_type).unwrap());
        }
        headers.insert("set-cookie", HeaderValue::from_static("session=1"));
        HttpResponse {
            status: StatusCode::from_u16(status).unwrap(),
            headers,
            body: Bytes::copy_from_slice(body),
            is_cut: false,
            url: "https://a.example/".parse().unwrap(),
        }
    }

    fn secrets() -> ServiceSecrets {
        ServiceSecrets::default().with(["hunter2"])
    }

    #[test]
    fn a_value_follows_the_media_type() {
        for (media_type, body, expected) in [
            ("application/json; charset=utf-8", &b"{\"a\":1}"[..], json!({ "a": 1 })),
            ("application/problem+json", b"[1]", json!([1])),
            ("text/csv", b"a,b", json!("a,b")),
            ("application/json", b"\xef\xbb\xbf[1]", json!([1])),
            ("text/plain; format=flowed; charset=\"UTF-8\"", "ü".as_bytes(), json!("ü")),
            ("text/plain;charset=iso-8859-1", b"\xfc hunter2", json!("ü ***")),
            (
                "text/plain; Charset=shift_jis",
                b"\x82\xa0",
                json!({ "type": "blob", "mimeType": "text/plain", "data": "gqA=" }),
            ),
            ("text/plain; charset=windows-1252", b"\xfc hunter2", json!("\u{fffd} ***")),
            ("application/atom+xml", b"<a/>", json!("<a/>")),
            ("image/png", b"\x89P", json!({ "type": "image", "mimeType": "image/png", "data": "iVA=" })),
            ("application/pdf", b"hi", json!({ "type": "blob", "mimeType": "application/pdf", "data": "aGk=" })),
            ("", b"{\"a\":1}", json!({ "a": 1 })),
            ("", b"plain", json!("plain")),
            ("", b"\xff", json!({ "type": "blob", "mimeType": "application/octet-stream", "data": "/w==" })),
            ("application/json", b"", json!(null)),
            // Credentials are concealed, except in bytes.
            ("application/json", br#"{"hunter2":["a hunter\u0032",2]}"#, json!({ "***": ["a ***", 2] })),
            ("text/plain", b"a hunter2", json!("a ***")),
            ("", b"{\"a\":\"hunter2\"}", json!({ "a": "***" })),
            ("", b"a hunter2", json!("a ***")),
            ("image/png", b"hunter2", json!({ "type": "image", "mimeType": "image/png", "data": "aHVudGVyMg==" })),
        ] {
            assert_eq!(value(&response(200, media_type, body), &secrets()), Ok(expected), "{media_type}");
        }
        let refused = |response: &HttpResponse| value(response, &secrets()).unwrap_err();
        assert!(refused(&response(200, "application/json", b"<html>")).contains("not valid JSON"));
        let cut = HttpResponse { is_cut: true, ..response(200, "text/plain", b"abc") };
        assert!(refused(&cut).contains("larger than 3 bytes"));
        let mut packed = response(200, "text/plain", b"abc");
        packed.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(refused(&packed).contains("compressed"));
    }

    #[test]
    fn an_error_has_status_and_a_bounded_body_without_secrets() {
        let secrets = Secrets::new(&["hunter2".to_owned()], &[]);
        let message =
            failure("GET /pets", &response(404, "application/json", b"{\"token\":\"hunter2\"}"), &secrets, "");
        assert_eq!(message, "GET /pets: 404 Not Found: {\"token\":\"***\"}");
        let long = failure("x", &response(500, "text/html", &b"y".repeat(100_000)), &secrets, "");
        assert!(long.chars().count() < 2_100);
        let escapes = failure("x", &response(500, "text/plain", b"\x1b[2J"), &secrets, "");
        assert!(!escapes.contains('\u{1b}'), "{escapes}");
        assert!(failure("x", &response(401, "image/png", b"\x89P"), &secrets, "").ends_with("under `auth`)"));
        assert!(failure("x", &response(302, "", b""), &secrets, " (redirects)").contains("redirects"));
    }

    #[test]
    fn a_whole_response_has_no_cookies_and_no_credentials() {
        let whole = whole(&response(404, "text/plain", b"no hunter2"), &secrets()).unwrap();
        assert_eq!(whole, json!({ "status": 404, "headers": { "content-type": "text/plain" }, "body": "no ***" }));
    }
}
