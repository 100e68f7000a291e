//! Builds requests from the inputs of tools. Decisions only; no I/O.

mod names;

use bytes::Bytes;
use hyper::Uri;
use hyper::header::{ACCEPT, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue};
use isobox_core::brief;
use serde_json::{Map, Value};

use super::body;
use super::model::{Form, Style};
use super::operation::{Operation, Parameter};
use super::serialise::{Pair, REPEATED_NAMES, ambiguity, escape_in, inline, pairs};
use super::template::{Part, parts};
use crate::http::{self, HttpRequest};
use crate::service::{Escape, Location, escape, is_json};

use names::Names;

/// Parts of a request that no operation declares: for the low-level `request`.
#[derive(Debug, Clone, Default)]
pub(super) struct Extras {
    pub(super) query: Vec<Pair>,
    pub(super) headers: Vec<(String, String)>,
}

/// The maximum length of a built address, in bytes.
pub(super) const MAX_URL: usize = 32 << 10;

/// Builds the request of an operation, without credentials. `boundary` separates the parts of a multipart body.
pub(super) fn build(
    operation: &Operation,
    input: &Map<String, Value>,
    extras: &Extras,
    boundary: &str,
) -> Result<HttpRequest, String> {
    let mut headers = HeaderMap::new();
    let accepted = if operation.accepts.is_empty() { "*/*".to_owned() } else { accepted(&operation.accepts) };
    headers.insert(ACCEPT, header_value("accept", &accepted)?);
    let (mut query, mut cookies): (Vec<String>, Vec<String>) = Default::default();
    let mut room = REPEATED_NAMES;
    let (mut in_query, mut in_cookies) =
        (Names::of(operation, Location::Query), Names::of(operation, Location::Cookie));
    for parameter in &operation.parameters {
        let Some(value) = input.get(&parameter.property).filter(|value| !value.is_null()) else { continue };
        check_length(parameter, value)?;
        check_separators(parameter, value)?;
        match parameter.location {
            Location::Path => {}
            Location::Query => query.extend(pairs_of(&mut in_query, parameter, value, &mut room)?),
            Location::QueryString => query.extend(whole_query(&mut in_query, parameter, value, &mut room)?),
            Location::Cookie => cookies.extend(pairs_of(&mut in_cookies, parameter, value, &mut room)?),
            Location::Header => {
                let text = match &parameter.form {
                    Form::Styled { style, explode, .. } => {
                        inline(&parameter.name, value, *style, *explode, Escape::Nothing)
                    }
                    Form::Content(media_type) => content(media_type, value)?,
                };
                headers.append(header_name(&parameter.name)?, header_value(&parameter.name, &text)?);
            }
        }
    }
    query.extend(written(&extras.query));
    for (name, value) in &extras.headers {
        headers.insert(header_name(name)?, header_value(name, value)?);
    }
    if !cookies.is_empty() {
        headers.insert(COOKIE, header_value("cookie", &cookies.join("; "))?);
    }
    let mut sent = Bytes::new();
    if let Some(body) = &operation.body
        && let Some(value) = input.get(&body.property)
    {
        let chosen = body.media_property.as_ref().and_then(|property| input.get(property)).and_then(Value::as_str);
        let (media_type, bytes) = body::encode(body, chosen, value, boundary)?;
        headers.insert(CONTENT_TYPE, header_value("content-type", &media_type)?);
        sent = bytes;
    }
    let url = address(&operation.base, &path(operation, input)?, &query)?;
    Ok(HttpRequest { method: operation.method.clone(), url, headers, body: sent })
}

/// Refuses a list or an object that is too long for any address and any header, before it is written out with names.
fn check_length(parameter: &Parameter, value: &Value) -> Result<(), String> {
    let length = value.as_array().map(Vec::len).or_else(|| value.as_object().map(Map::len));
    match length {
        Some(length) if length > MAX_URL => {
            Err(format!("`{}` has more than {MAX_URL} values", brief(&parameter.property, 80)))
        }
        Some(_) | None => Ok(()),
    }
}

/// Refuses a value that a service would take apart in other places than those where it was put together.
fn check_separators(parameter: &Parameter, value: &Value) -> Result<(), String> {
    let Form::Styled { style, explode, is_reserved_allowed } = parameter.form else { return Ok(()) };
    let how = escape_in(parameter.location, style, is_reserved_allowed);
    match ambiguity(value, style, explode, how) {
        None => Ok(()),
        Some(separator) => Err(format!(
            "`{}` contains {separator:?}, which separates values there: the service would read other values",
            brief(&parameter.property, 80)
        )),
    }
}

/// Returns the value of `Accept`: JSON first, and anything rather than nothing.
fn accepted(media_types: &[String]) -> String {
    let mut wanted: Vec<String> = media_types.iter().filter(|one| one.contains('/')).take(10).cloned().collect();
    wanted.retain(|one| one != "*/*");
    wanted.push("*/*;q=0.1".to_owned());
    wanted.join(", ")
}

/// Fills the template of a path.
///
/// A value stays in its segment: it is escaped, and it may neither be empty nor lead to another segment after a server
/// has decoded it.
pub(super) fn path(operation: &Operation, input: &Map<String, Value>) -> Result<String, String> {
    let template = operation.path.split('#').next().unwrap_or_default();
    let mut filled = String::new();
    for part in parts(template) {
        match part {
            Part::Text(text) => filled.push_str(&literal(text)),
            Part::Name(name) => {
                let is_it = |parameter: &&Parameter| parameter.location == Location::Path && parameter.name == name;
                let Some(parameter) = operation.parameters.iter().find(is_it) else {
                    return Err(format!("the path has a parameter `{}` that is not declared", brief(name, 80)));
                };
                let property = brief(&parameter.property, 80);
                let value = input.get(&parameter.property).filter(|value| !value.is_null());
                let value = value.ok_or_else(|| format!("`{property}` is missing, which is a part of the path"))?;
                check_length(parameter, value)?;
                let text = match &parameter.form {
                    Form::Styled { style, explode, .. } => inline(name, value, *style, *explode, Escape::All),
                    Form::Content(media_type) => escape(&content(media_type, value)?, Escape::All),
                };
                if text.is_empty() {
                    return Err(format!("`{property}` is empty, which would be another path"));
                }
                if climbs(value) {
                    return Err(format!("`{property}` contains `.` or `..` as a segment, which would be another path"));
                }
                filled.push_str(&text);
            }
        }
    }
    let route = filled.split('?').next().unwrap_or_default();
    // Literal text and a value may be a dot segment together.
    if http::climbs(route) {
        return Err("the path contains `.` or `..` as a segment".to_owned());
    }
    Ok(filled)
}

/// Tells whether a value has a dot segment, for servers that decode slashes before they route.
fn climbs(value: &Value) -> bool {
    match value {
        Value::String(text) => http::climbs(text),
        Value::Array(items) => items.iter().any(climbs),
        Value::Object(entries) => entries.iter().any(|(key, value)| http::climbs(key) || climbs(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Escapes what cannot be in a path, and keeps what is escaped already.
fn literal(text: &str) -> String {
    const ILLEGAL: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'<')
        .add(b'>')
        .add(b'`')
        .add(b'{')
        .add(b'}')
        .add(b'|')
        .add(b'\\')
        .add(b'^');
    percent_encoding::utf8_percent_encode(text, ILLEGAL).to_string()
}

/// Returns what is sent of a parameter in the query or in the cookies: `name=value`.
fn pairs_of(
    names: &mut Names<'_>,
    parameter: &Parameter,
    value: &Value,
    room: &mut usize,
) -> Result<Vec<String>, String> {
    match &parameter.form {
        Form::Styled { style, explode, is_reserved_allowed } => {
            let how = escape_in(parameter.location, *style, *is_reserved_allowed);
            let pairs = pairs(&parameter.name, value, *style, *explode, how, room)?;
            names.check(parameter, &pairs)?;
            Ok(written(&pairs))
        }
        Form::Content(media_type) => {
            let how = match parameter.location {
                Location::Cookie => Escape::Cookie,
                Location::Path | Location::Query | Location::QueryString | Location::Header => Escape::All,
            };
            Ok(written(&[(escape(&parameter.name, how), escape(&content(media_type, value)?, how))]))
        }
    }
}

/// Returns what is sent of a parameter that is the whole query.
fn whole_query(
    names: &mut Names<'_>,
    parameter: &Parameter,
    value: &Value,
    room: &mut usize,
) -> Result<Vec<String>, String> {
    match (&parameter.form, value) {
        (Form::Content(media_type), _) if media_type != "application/x-www-form-urlencoded" => {
            Ok(vec![escape(&content(media_type, value)?, Escape::All)])
        }
        (_, Value::Object(entries)) => {
            let mut sent: Vec<Pair> = Vec::new();
            for (name, value) in entries {
                sent.extend(pairs(name, value, Style::Form, true, Escape::All, room)?);
            }
            names.check(parameter, &sent)?;
            Ok(written(&sent))
        }
        _ => Err(format!("`{}` has to be an object", brief(&parameter.property, 80))),
    }
}

fn written(pairs: &[Pair]) -> Vec<String> {
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect()
}

/// Returns a value in a media type.
fn content(media_type: &str, value: &Value) -> Result<String, String> {
    match value {
        _ if is_json(media_type) => Ok(value.to_string()),
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(format!("a parameter of the type `{}` has to be a text", brief(media_type, 80)))
        }
    }
}

/// Appends a path and the parts of a query to a base.
pub(super) fn address(base: &Uri, path: &str, query: &[String]) -> Result<Uri, String> {
    let (path, fixed) = path.split_once('?').unwrap_or((path, ""));
    let start = base.path().trim_end_matches('/');
    let fixed = base.query().into_iter().chain([fixed]);
    let parts: Vec<&str> = fixed.chain(query.iter().map(String::as_str)).filter(|part| !part.is_empty()).collect();
    let query = if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) };
    let (Some(scheme), Some(authority)) = (base.scheme_str(), base.authority()) else {
        return Err("the service has no address".to_owned());
    };
    let text = format!("{scheme}://{authority}{start}{path}{query}");
    if text.len() > MAX_URL {
        return Err(format!("the address of the request has more than {MAX_URL} bytes"));
    }
    text.parse().map_err(|_| "the path of the operation is not a valid one".to_owned())
}

fn header_name(name: &str) -> Result<HeaderName, String> {
    name.parse().map_err(|_| format!("`{}` cannot be the name of a header", brief(name, 80)))
}

fn header_value(name: &str, value: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_bytes(value.as_bytes())
        .map_err(|_| format!("the header `{}` cannot contain a control character", brief(name, 80)))
}

#[cfg(test)]
mod tests;
