//! Matches a request of a program to an operation. Decisions only; no I/O.

use std::collections::BTreeMap;

use isobox_core::brief;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::collisions::{METHOD_REFUSED, decoded_pairs, fixed_pairs};
use super::deep_parts::DeepParts;
use super::model::{Form, Style};
use super::offering::is_allowed_header;
use super::operation::{Operation, Parameter, Scalar};
use super::request::{Extras, MAX_URL, path as path_of};
use super::serialise::{REPEATED_NAMES, pairs};
use super::template::{Part, parts};
use crate::service::{Credentials, Escape, Folded, Location, SecurityScheme};

/// The maximum number of headers that a program may set. A request has room for some thousands.
const MAX_HEADERS: usize = 200;

/// A request that is a call of an operation.
#[derive(Debug)]
pub(super) struct Matched<'o> {
    /// The name of the tool of the operation.
    pub(super) name: &'o str,
    pub(super) operation: &'o Operation,
    /// The input of that tool.
    pub(super) input: Map<String, Value>,
    /// The parts of the request that the operation does not declare.
    pub(super) extras: Extras,
}

/// Finds the operation of a request: `{ method, path, query, headers, body, contentType }`. Returns why there is none.
///
/// Everything that the operation declares becomes its input, so that the policy can decide about it. The rest is sent
/// too, if it cannot be confused with something declared.
pub(super) fn matched<'o>(
    operations: &'o BTreeMap<String, Operation>,
    credentials: &Credentials,
    request: &Map<String, Value>,
) -> Result<Matched<'o>, String> {
    let text = |key: &str| request.get(key).and_then(Value::as_str);
    let method = text("method").unwrap_or("GET").to_ascii_uppercase();
    let path = text("path").ok_or("`path` is missing")?;
    if path.contains(['?', '#']) {
        return Err("`path` has no query; put it into `query`".to_owned());
    }
    if path.len() > MAX_URL {
        return Err(format!("`path` has more than {MAX_URL} bytes"));
    }
    let candidates = operations.iter().filter(|(_, operation)| operation.method.as_str() == method);
    let fitting = candidates.filter_map(|(name, operation)| {
        let values = values(&operation.path, path)?;
        // What is written out counts more than what a parameter takes.
        Some((literal_length(&operation.path), name, operation, values))
    });
    let best = fitting.max_by_key(|(literal, name, ..)| (*literal, std::cmp::Reverse(*name)));
    let Some((_, name, operation, values)) = best else {
        return Err(format!("no operation of the document is {} {}", brief(&method, 20), brief(path, 200)));
    };
    let mut matched = Matched { name, operation, input: Map::new(), extras: Extras::default() };
    for parameter in operation.parameters.iter().filter(|parameter| parameter.location == Location::Path) {
        let value = values.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value);
        if let Some(value) = value {
            matched.input.insert(parameter.property.clone(), typed(value, parameter.scalar));
        }
    }
    let query = request.get("query").and_then(Value::as_object);
    if query.is_some_and(|query| query.len() > MAX_URL) {
        return Err(format!("`query` has more than {MAX_URL} parameters"));
    }
    let names = query.into_iter().flatten().map(|(name, _)| name.as_str());
    check_filled(credentials, names)?;
    matched.add_query(request.get("query"))?;
    matched.add_headers(request.get("headers"), credentials)?;
    match (request.get("body"), &operation.body) {
        (None | Some(Value::Null), _) => {}
        (Some(_), None) => return Err("the operation takes no body".to_owned()),
        (Some(value), Some(body)) => {
            matched.input.insert(body.property.clone(), value.clone());
            if let (Some(chosen), Some(property)) = (text("contentType"), &body.media_property) {
                matched.input.insert(property.clone(), Value::String(chosen.to_owned()));
            }
        }
    }
    Ok(matched)
}

/// Returns the input that a query amounts to, beside the rest of an input. Returns why the query is not usable.
pub(super) fn with_query(
    operation: &Operation,
    input: Map<String, Value>,
    query: &str,
) -> Result<Map<String, Value>, String> {
    let (mut decoded, mut parts) = (Map::new(), DeepParts::new(operation));
    let is_declared = |name: &str| {
        let mut parameters = operation.parameters.iter();
        parameters.any(|parameter| parameter.location == Location::Query && parameter.name == name)
    };
    let fixed = fixed_pairs(&operation.base, &path_of(operation, &input).unwrap_or_default());
    // The query of a page repeats what is fixed.
    let pairs = decoded_pairs(query).into_iter().filter(|pair| !fixed.contains(pair) || is_declared(&pair.0));
    // Some services number the items of a list in the address of a page: `ids[0]` for `ids[]`.
    let list_of = |name: &str| {
        let (list, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        let is_index = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        let list = format!("{list}[]");
        (is_index && !is_declared(name) && is_declared(&list)).then_some(list)
    };
    for (name, value) in pairs {
        let name = list_of(&name).unwrap_or(name);
        if !is_declared(&name) && parts.add(&name, &value)? {
            continue;
        }
        let value = Value::String(value);
        match decoded.get_mut(&name) {
            Some(Value::Array(items)) => items.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
            None => {
                decoded.insert(name, value);
            }
        }
    }
    let mut matched = Matched { name: "", operation, input, extras: Extras::default() };
    parts.complete(&mut matched.input, &decoded)?;
    matched.add_query(Some(&Value::Object(decoded)))?;
    Ok(matched.input)
}

impl Matched<'_> {
    fn declared(&self, location: Location, is_it: impl Fn(&str) -> bool) -> Option<&Parameter> {
        self.operation.parameters.iter().find(|parameter| parameter.location == location && is_it(&parameter.name))
    }

    fn add_query(&mut self, query: Option<&Value>) -> Result<(), String> {
        let Some(query) = query.and_then(Value::as_object).filter(|query| !query.is_empty()) else { return Ok(()) };
        let (undeclared, mut room) = (Undeclared::of(self.operation), REPEATED_NAMES);
        for (name, value) in query {
            if let Some(parameter) = self.declared(Location::Query, |declared| declared == name) {
                let value = match value {
                    Value::String(text) => typed(text, parameter.scalar),
                    other => other.clone(),
                };
                let property = parameter.property.clone();
                self.input.insert(property, value);
                continue;
            }
            undeclared.check(name, value)?;
            self.extras.query.extend(pairs(name, value, Style::Form, true, Escape::All, &mut room)?);
        }
        Ok(())
    }

    fn add_headers(&mut self, headers: Option<&Value>, credentials: &Credentials) -> Result<(), String> {
        let headers = headers.and_then(Value::as_object);
        if headers.is_some_and(|headers| headers.len() > MAX_HEADERS) {
            return Err(format!("`headers` has more than {MAX_HEADERS} headers"));
        }
        for (name, value) in headers.into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            if !is_allowed_header(name) || credentials.fills(Location::Header, name) {
                return Err(format!("the header `{}` is set by the host", brief(name, 80)));
            }
            if let Some(parameter) = self.declared(Location::Header, |declared| declared.eq_ignore_ascii_case(name)) {
                let (property, value) = (parameter.property.clone(), typed(&value, parameter.scalar));
                self.input.insert(property, value);
                continue;
            }
            let folded = Folded::of(name);
            if let Some(parameter) = self.declared(Location::Header, |declared| folded.is(&Folded::of(declared))) {
                return Err(other_name(name, &parameter.name));
            }
            self.extras.headers.push((name.clone(), value));
        }
        Ok(())
    }
}

/// Decides about parameters of a query that an operation does not declare.
struct Undeclared<'o> {
    /// Whether the fields of a declared object have names of their own.
    spreads: bool,
    declared: Vec<(&'o str, Folded)>,
    /// The names that the address and the path have already.
    fixed: Vec<Folded>,
}

impl<'o> Undeclared<'o> {
    fn of(operation: &'o Operation) -> Self {
        let spreads = operation.parameters.iter().any(|parameter| match parameter.form {
            Form::Styled { style, explode: true, .. } if style != Style::DeepObject => {
                parameter.location == Location::Query && parameter.scalar == Scalar::Object
            }
            Form::Styled { .. } | Form::Content(_) => false,
        });
        let has_whole = operation.parameters.iter().any(|parameter| parameter.location == Location::QueryString);
        let declared = operation.parameters.iter().filter(|parameter| parameter.location == Location::Query);
        let fixed = fixed_pairs(&operation.base, &operation.path);
        Self {
            spreads: spreads || has_whole,
            declared: declared.map(|parameter| (&*parameter.name, Folded::of(&parameter.name))).collect(),
            fixed: fixed.iter().map(|(name, _)| Folded::of(name)).collect(),
        }
    }

    /// Refuses what a service could read as something else: the policy does not see what is not declared.
    fn check(&self, name: &str, value: &Value) -> Result<(), String> {
        let (folded, shown) = (Folded::of(name), brief(name, 80));
        // `filter[a]` is a part of `filter`, and fields of an exploded object have names of their own.
        if self.spreads || self.declared.iter().any(|(_, known)| folded.is_part_of(known)) {
            return Err(format!("`{shown}` may be a part of a declared parameter; pass that parameter as a whole"));
        }
        if let Some((known, _)) = self.declared.iter().find(|(_, known)| folded.is(known)) {
            return Err(other_name(name, known));
        }
        if self.fixed.iter().any(|known| folded.is_within(known)) {
            return Err(format!("the query parameter `{shown}` is set by the operation"));
        }
        if folded.is_method() {
            return Err(METHOD_REFUSED.to_owned());
        }
        if value.is_object() {
            return Err(format!("`{shown}` is an object, whose fields would be sent under names of their own"));
        }
        Ok(())
    }
}

fn other_name(name: &str, declared: &str) -> String {
    format!("some services read `{}` as `{}`; use that name", brief(name, 80), brief(declared, 80))
}

/// Refuses a query in which a field of an object is sent under the name of a credential of the host.
pub(super) fn check_query(operation: &Operation, credentials: &Credentials, query: &str) -> Result<(), String> {
    let fixed = fixed_pairs(&operation.base, &operation.path);
    let pairs = decoded_pairs(query);
    let names = pairs.iter().map(|(name, _)| name.as_str());
    check_filled(credentials, names.filter(|name| !fixed.iter().any(|(known, _)| known == name)))
}

/// Refuses names that the host fills in.
fn check_filled<'n>(credentials: &Credentials, names: impl Iterator<Item = &'n str>) -> Result<(), String> {
    let filled = filled_names(credentials);
    let is_filled = |name: &&str| {
        let folded = Folded::of(name);
        filled.iter().any(|known| folded.is_within(known))
    };
    match names.filter(|_| !filled.is_empty()).find(is_filled) {
        Some(name) => Err(format!("the query parameter `{}` is set by the host", brief(name, 80))),
        None => Ok(()),
    }
}

/// Returns the names in a query that the host fills in.
fn filled_names(credentials: &Credentials) -> Vec<Folded> {
    let filled = |scheme: &SecurityScheme| match scheme {
        SecurityScheme::ApiKey { name, location: Location::Query } if credentials.fills(Location::Query, name) => {
            Some(Folded::of(name))
        }
        SecurityScheme::ApiKey { .. }
        | SecurityScheme::Bearer
        | SecurityScheme::Basic
        | SecurityScheme::OAuth { .. }
        | SecurityScheme::Other(_) => None,
    };
    credentials.schemes.values().filter_map(filled).collect()
}

/// Converts a text to the type that the operation declares.
fn typed(text: &str, scalar: Scalar) -> Value {
    let converted = match scalar {
        Scalar::Integer => text.parse::<i64>().ok().map(Value::from),
        Scalar::Number => text.parse::<serde_json::Number>().ok().map(Value::Number),
        Scalar::Boolean => text.parse::<bool>().ok().map(Value::Bool),
        Scalar::Text | Scalar::Object => None,
    };
    converted.unwrap_or_else(|| Value::String(text.to_owned()))
}

fn literal_length(template: &str) -> usize {
    let length = |part| match part {
        Part::Text(text) => text.len(),
        Part::Name(_) => 0,
    };
    parts(template).into_iter().map(length).sum()
}

/// Matches a path to a template. Returns the values of its parameters, decoded.
fn values<'t>(template: &'t str, path: &str) -> Option<Vec<(&'t str, String)>> {
    let template = template.split(['?', '#']).next().unwrap_or_default();
    let (wanted, given): (Vec<&str>, Vec<&str>) = (template.split('/').collect(), path.split('/').collect());
    if wanted.len() != given.len() {
        return None;
    }
    let mut values = Vec::new();
    for (wanted, given) in wanted.into_iter().zip(given) {
        segment(wanted, given, &mut values)?;
    }
    Some(values)
}

fn segment<'t>(template: &'t str, given: &str, values: &mut Vec<(&'t str, String)>) -> Option<()> {
    let parts = parts(template);
    let mut rest = given;
    for (index, part) in parts.iter().enumerate() {
        match part {
            Part::Text(text) => rest = rest.strip_prefix(text)?,
            Part::Name(name) => {
                let end = match parts.get(index + 1) {
                    Some(Part::Text(next)) => rest.find(next)?,
                    Some(Part::Name(_)) => return None,
                    None => rest.len(),
                };
                let value = percent_decode_str(&rest[..end]).decode_utf8().ok().filter(|value| !value.is_empty())?;
                values.push((name, value.into_owned()));
                rest = &rest[end..];
            }
        }
    }
    rest.is_empty().then_some(())
}

#[cfg(test)]
mod tests {
    use hyper::Method;
    use serde_json::json;

    use super::*;
    use crate::http::Origin;
    use crate::service::Auth;

    fn parameter(name: &str, location: Location, scalar: Scalar) -> Parameter {
        let form = Form::Styled { style: Style::Form, explode: true, is_reserved_allowed: false };
        Parameter { property: name.to_owned(), name: name.to_owned(), location, form, scalar }
    }

    fn operations() -> BTreeMap<String, Operation> {
        let operation = |method: Method, path: &str, parameters: Vec<Parameter>| Operation {
            method,
            path: path.to_owned(),
            base: "https://a.example/?tenant=a".parse().unwrap(),
            parameters,
            body: None,
            accepts: Vec::new(),
            security: None,
            pages: None,
        };
        let id = || parameter("id", Location::Path, Scalar::Integer);
        let query = vec![
            id(),
            parameter("limit", Location::Query, Scalar::Integer),
            parameter("filter", Location::Query, Scalar::Text),
            parameter("ids[]", Location::Query, Scalar::Text),
            parameter("X-A", Location::Header, Scalar::Text),
        ];
        [
            ("get", operation(Method::GET, "/pets/{id}", query)),
            ("mine", operation(Method::GET, "/pets/mine", Vec::new())),
            ("remove", operation(Method::DELETE, "/pets/{id}", vec![id()])),
            (
                "export",
                operation(
                    Method::GET,
                    "/pets/{id}.{format}",
                    vec![id(), parameter("format", Location::Path, Scalar::Text)],
                ),
            ),
            ("search", operation(Method::GET, "/search", vec![parameter("by", Location::Query, Scalar::Object)])),
            (
                "act",
                operation(Method::GET, "/act?Action=List", vec![parameter("page", Location::Query, Scalar::Integer)]),
            ),
        ]
        .map(|(name, operation)| (name.to_owned(), operation))
        .into()
    }

    fn found(request: Value) -> Result<(String, Value, usize), String> {
        let key = SecurityScheme::ApiKey { name: "key".to_owned(), location: Location::Query };
        let credentials = Credentials {
            auth: Auth::default().with_api_key(None, "k"),
            headers: [("X-Version".to_owned(), "1".to_owned())].into(),
            schemes: [("key".to_owned(), key)].into(),
            origin: Origin::of(&"https://a.example".parse().unwrap()).unwrap(),
        };
        let operations = operations();
        let matched = matched(&operations, &credentials, request.as_object().unwrap())?;
        let extras = matched.extras.query.len() + matched.extras.headers.len();
        Ok((matched.name.to_owned(), Value::Object(matched.input), extras))
    }

    #[test]
    fn a_request_is_the_call_of_an_operation() {
        for (request, name, input, extras) in [
            (json!({ "path": "/pets/7" }), "get", json!({ "id": 7 }), 0),
            (json!({ "path": "/pets/a%2Fb" }), "get", json!({ "id": "a/b" }), 0),
            (json!({ "path": "/pets/mine" }), "mine", json!({}), 0),
            (json!({ "path": "/pets/7.json" }), "export", json!({ "id": 7, "format": "json" }), 0),
            (json!({ "method": "delete", "path": "/pets/7" }), "remove", json!({ "id": 7 }), 0),
            (
                json!({ "path": "/pets/7", "query": { "limit": "3", "other": [1, 2] }, "headers": { "x-a": "b", "X-B": "c" } }),
                "get",
                json!({ "id": 7, "limit": 3, "X-A": "b" }),
                3,
            ),
        ] {
            assert_eq!(found(request.clone()), Ok((name.to_owned(), input, extras)), "{request}");
        }
    }

    #[test]
    fn the_query_of_a_page_is_an_input() {
        let operations = operations();
        let given = json!({ "id": 1, "limit": 2 }).as_object().unwrap().clone();
        let input = |query: &str| with_query(&operations["get"], given.clone(), query).map(Value::Object);
        assert_eq!(
            input("limit=30&page=x+y&filter=a&filter=b%26c"),
            Ok(json!({ "id": 1, "limit": 30, "filter": ["a", "b&c"] }))
        );
        assert_eq!(input("ids[0]=a&ids%5B1%5D=b"), Ok(json!({ "id": 1, "limit": 2, "ids[]": ["a", "b"] })));
        assert!(input("filter%5Ba%5D=1").is_err() && input("ids[a]=1").is_err() && input("ids=1").is_err());
        let acted = |query: &str| with_query(&operations["act"], Map::new(), query).map(Value::Object);
        assert_eq!(acted("tenant=a&Action=List&page=2"), Ok(json!({ "page": 2 })));
        for query in ["Action=Delete&page=2", "action=Delete", "tenant=b", "PAGE=3"] {
            assert!(acted(query).is_err(), "{query}");
        }
    }

    #[test]
    fn what_is_no_operation_or_could_get_around_the_policy_is_refused() {
        let many: Map<String, Value> = (0..100_000).map(|number| (format!("x{number}"), json!("1"))).collect();
        for (request, expected) in [
            (json!({ "path": "/admin" }), "no operation of the document is GET /admin"),
            (json!({ "method": "PUT", "path": "/pets/7" }), "no operation"),
            (json!({ "path": "/pets/7/../8" }), "no operation"),
            (json!({ "path": "/pets//" }), "no operation"),
            (json!({ "path": "/pets/7?limit=3" }), "`path` has no query"),
            (json!({}), "`path` is missing"),
            (json!({ "path": "/pets/7", "query": { "filter[a]": 1 } }), "a part of a declared parameter"),
            (json!({ "path": "/pets/7", "query": { "FILTER.a": 1 } }), "a part of a declared parameter"),
            (json!({ "path": "/pets/7", "query": { "ids[0]": 1 } }), "a part of a declared parameter"),
            (json!({ "path": "/pets/7", "query": { "ids": 1 } }), "a part of a declared parameter"),
            (json!({ "path": "/search", "query": { "x": 1 } }), "a part of a declared parameter"),
            (json!({ "path": "/pets/7", "query": { "x": { "limit": "3" } } }), "`x` is an object"),
            (json!({ "path": "/pets/7", "query": { "x": { "_method": "DELETE" } } }), "`x` is an object"),
            (json!({ "path": "/pets/7", "query": { "LIMIT": 3 } }), "some services read `LIMIT` as `limit`"),
            (json!({ "path": "/act", "query": { "Action": "Delete" } }), "`Action` is set by the operation"),
            (json!({ "path": "/act", "query": { "action": "Delete" } }), "`action` is set by the operation"),
            (json!({ "path": "/act", "query": { "tenant": "b" } }), "`tenant` is set by the operation"),
            (json!({ "path": "/pets/7", "headers": { "x_a": "b" } }), "some services read `x_a` as `X-A`"),
            (json!({ "path": "/pets/7", "headers": { "Host": "x" } }), "set by the host"),
            (json!({ "path": "/pets/7", "headers": { "Authorization": "x" } }), "set by the host"),
            (json!({ "path": "/pets/7", "headers": { "x-version": "x" } }), "set by the host"),
            (json!({ "path": "/pets/7", "headers": { "x_version": "x" } }), "set by the host"),
            (json!({ "path": "/pets/7", "headers": { "X-HTTP-Method-Override": "DELETE" } }), "set by the host"),
            (json!({ "path": "/pets/7", "headers": { "x_method_override": "DELETE" } }), "set by the host"),
            (json!({ "path": "/pets/7", "headers": { "X-Original-URL": "/admin" } }), "set by the host"),
            (json!({ "path": "/pets/7", "headers": { "X-Forwarded-For": "127.0.0.1" } }), "set by the host"),
            (json!({ "path": "/pets/7", "query": { "_method": "DELETE" } }), "carry out another request"),
            (json!({ "path": "/pets/7", "query": { ".METHOD": "DELETE" } }), "carry out another request"),
            (
                json!({ "path": "/pets/7", "query": { "X-HTTP-Method-Override": "DELETE" } }),
                "carry out another request",
            ),
            (json!({ "path": "/pets/7", "headers": { "X.HTTP.Method.Override": "DELETE" } }), "set by the host"),
            (json!({ "path": "/pets/7", "query": { "k.ey": "x", "key.a": "x" } }), "`key.a` is set by the host"),
            (json!({ "path": "/pets/7", "query": { "key": "x" } }), "the query parameter `key` is set by the host"),
            (json!({ "path": "/pets/7", "query": { "key[0]": "x" } }), "set by the host"),
            (json!({ "path": "/pets/7", "query": { "KEY": "x" } }), "the query parameter `KEY` is set by the host"),
            (json!({ "path": "/pets/7", "body": 1 }), "takes no body"),
            (json!({ "path": "/".repeat(1 << 20) }), "`path` has more than 32768 bytes"),
            (json!({ "path": "/pets/7", "query": { "n".repeat(100_000): vec![1; 100_000] } }), "for too many values"),
            (json!({ "path": "/pets/7", "query": many }), "`query` has more than 32768 parameters"),
            (json!({ "path": "/pets/7", "headers": many }), "`headers` has more than 200 headers"),
        ] {
            let error = found(request.clone()).unwrap_err();
            assert!(error.contains(expected), "{request}: {error}");
        }
    }
}
