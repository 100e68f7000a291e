//! Finds out how the pages of a list follow each other. Decisions only; no I/O.

use std::collections::BTreeSet;

use hyper::Uri;
use hyper::header::{HeaderMap, LINK};
use serde_json::{Map, Value};

use super::document::Node;
use super::model::{BodySchema, Operation as Described};
use super::operation::{Operation, Paging, Parameter};
use crate::http::{Origin, join_url};
use crate::service::{Location, is_json};

/// The names of parameters that take a token for the next page, and of the properties that have it.
const TOKENS: [(&str, &[&str]); 10] = [
    ("pageToken", &["nextPageToken"]),
    ("page_token", &["next_page_token", "nextPageToken"]),
    ("cursor", &["next_cursor", "nextCursor", "cursor", "next"]),
    ("next_cursor", &["next_cursor"]),
    ("after", &["after", "next_cursor", "end_cursor"]),
    ("nextToken", &["nextToken", "NextToken"]),
    ("NextToken", &["NextToken"]),
    ("next_token", &["next_token"]),
    ("continuationToken", &["continuationToken", "nextContinuationToken"]),
    ("marker", &["nextMarker", "next_marker", "NextMarker", "Marker"]),
];
/// The objects that properties of pages may be in.
const ENVELOPES: [&str; 8] =
    ["meta", "paging", "pagination", "links", "_links", "page_info", "pageInfo", "response_metadata"];
/// The names of properties that have the address of the next page.
const NEXT_LINKS: [&str; 8] =
    ["nextLink", "@odata.nextLink", "odata.nextLink", "next_page_url", "nextPageUrl", "next_url", "nextUrl", "next"];
const NUMBERS: [&str; 4] = ["page", "pageNumber", "page_number", "pageNo"];
const OFFSETS: [&str; 3] = ["offset", "skip", "start"];

/// Finds out how pages follow each other from what the document says. None if it says nothing.
pub(super) fn detect(described: &Described<'_>, parameters: &[Parameter]) -> Option<Paging> {
    if described.method != "GET" {
        return None;
    }
    if let Some(link) = described.node.get("x-ms-pageable") {
        let name = link.text("nextLinkName").unwrap_or("nextLink");
        return link
            .value
            .get("nextLinkName")
            .is_none_or(|name| !name.is_null())
            .then(|| Paging::NextLink { keys: vec![name.to_owned()] });
    }
    let query = |names: &[&str]| {
        let is_it =
            |parameter: &&Parameter| parameter.location == Location::Query && names.contains(&parameter.name.as_str());
        parameters.iter().find(is_it).map(|parameter| parameter.property.clone())
    };
    let shape = Shape::of(described);
    for (parameter, keys) in TOKENS {
        if let (Some(property), Some(keys)) = (query(&[parameter]), keys.iter().find_map(|key| shape.find(key))) {
            return Some(Paging::Token { keys, property });
        }
    }
    if described.has_link_header {
        return Some(Paging::LinkHeader);
    }
    if let Some(keys) = NEXT_LINKS.iter().find_map(|key| shape.find(key)) {
        return Some(Paging::NextLink { keys });
    }
    if !shape.is_list {
        return None;
    }
    if let Some(property) = query(&NUMBERS) {
        return Some(Paging::Number { property, first: 1 });
    }
    query(&OFFSETS).map(|property| Paging::Offset { property })
}

/// What a response looks like, as far as pages are concerned.
#[derive(Debug, Default)]
struct Shape {
    /// The names of properties, below an envelope or not.
    keys: BTreeSet<Vec<String>>,
    /// Whether the response is a list, or has exactly one.
    is_list: bool,
}

impl Shape {
    fn of(described: &Described<'_>) -> Self {
        let mut shape = Self::default();
        let Some(media) = described.responses.first().filter(|media| is_json(&media.media_type)) else { return shape };
        if let Some(BodySchema::Node(node)) = &media.schema {
            let mut lists = 0;
            shape.look(node, &[], &mut lists, 0);
            shape.is_list |= lists == 1;
        }
        shape
    }

    fn look(&mut self, node: &Node<'_>, above: &[String], lists: &mut usize, depth: usize) {
        /// The maximum depth of `allOf` and envelopes.
        const MAX_DEPTH: usize = 4;
        let Ok(node) = node.resolved() else { return };
        if depth > MAX_DEPTH {
            return;
        }
        if is_array(&node) && above.is_empty() {
            self.is_list = true;
        }
        for part in node.get("allOf").into_iter().flat_map(|all| all.items().collect::<Vec<_>>()) {
            self.look(&part, above, lists, depth + 1);
        }
        for (name, property) in node.get("properties").into_iter().flat_map(|all| all.entries().collect::<Vec<_>>()) {
            let mut keys = above.to_vec();
            keys.push(name.to_owned());
            self.keys.insert(keys.clone());
            if above.is_empty() {
                let is_list = property.resolved().is_ok_and(|property| is_array(&property));
                *lists += usize::from(is_list);
                if ENVELOPES.contains(&name) {
                    self.look(&property, &keys, lists, depth + 1);
                }
            }
        }
    }

    /// Returns the keys that lead to a property.
    fn find(&self, name: &str) -> Option<Vec<String>> {
        self.keys.iter().find(|keys| keys.last().is_some_and(|last| last == name)).cloned()
    }
}

fn is_array(node: &Node<'_>) -> bool {
    node.text("type") == Some("array")
}

/// The way to the next page.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum NextPage {
    /// Another input of the same operation.
    Input(Map<String, Value>),
    /// Another address of the same operation.
    Address(Uri),
}

/// Returns the way to the page after this one. None if it is the last one, or if the way leads elsewhere.
pub(super) fn next(
    operation: &Operation,
    input: &Map<String, Value>,
    url: &Uri,
    headers: &HeaderMap,
    page: &Value,
) -> Option<NextPage> {
    let with = |property: &str, value: Value| {
        let mut input = input.clone();
        input.insert(property.to_owned(), value);
        Some(NextPage::Input(input))
    };
    let number = |property: &str, first: u64| input.get(property).and_then(Value::as_u64).unwrap_or(first);
    match operation.pages.as_ref()? {
        Paging::LinkHeader => same_service(url, &next_link(headers)?),
        Paging::NextLink { keys } => same_service(url, lookup(page, keys)?.as_str().filter(|link| !link.is_empty())?),
        Paging::Token { keys, property } => match lookup(page, keys)? {
            Value::String(token) if !token.is_empty() && input.get(property).and_then(Value::as_str) != Some(token) => {
                with(property, Value::String(token.clone()))
            }
            Value::Number(token) => with(property, Value::Number(token.clone())),
            _ => None,
        },
        Paging::Number { property, first } => {
            // A service that sends links knows better.
            match next_link(headers) {
                Some(link) => same_service(url, &link),
                None if headers.contains_key(LINK) || items(page) == 0 => None,
                None => with(property, Value::from(number(property, *first) + 1)),
            }
        }
        Paging::Offset { property } => match u64::try_from(items(page)).ok()? {
            0 => None,
            count => with(property, Value::from(number(property, 0) + count)),
        },
    }
}

fn lookup<'v>(page: &'v Value, keys: &[String]) -> Option<&'v Value> {
    keys.iter().try_fold(page, |value, key| value.get(key))
}

/// Counts the items of a page: of the page itself, or of its only list.
fn items(page: &Value) -> usize {
    match page {
        Value::Array(items) => items.len(),
        Value::Object(entries) => {
            let mut lists = entries.values().filter_map(Value::as_array);
            match (lists.next(), lists.next()) {
                (Some(only), None) => only.len(),
                _ => 0,
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Returns an address if it is of the same origin and the same path: a page of the same list.
fn same_service(url: &Uri, link: &str) -> Option<NextPage> {
    let next = join_url(url, link).ok()?;
    let is_same = Origin::of(&next) == Origin::of(url) && next.path() == url.path() && next != *url;
    is_same.then_some(NextPage::Address(next))
}

/// Returns the address with the relation `next` in the `Link` headers (RFC 8288).
fn next_link(headers: &HeaderMap) -> Option<String> {
    /// The maximum number of links that are looked at.
    const MAX_LINKS: usize = 100;
    let texts = headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok());
    let links = texts.flat_map(|text| text.split('<').skip(1)).take(MAX_LINKS);
    links.filter_map(|link| link.split_once('>')).find_map(|(address, rest)| is_next(rest).then(|| address.to_owned()))
}

fn is_next(parameters: &str) -> bool {
    parameters.split(';').any(|parameter| {
        let Some((name, value)) = parameter.trim().trim_end_matches(',').split_once('=') else { return false };
        let value = value.trim().trim_end_matches(',').trim().trim_matches('"');
        name.trim().eq_ignore_ascii_case("rel") && value.split_whitespace().any(|one| one.eq_ignore_ascii_case("next"))
    })
}

#[cfg(test)]
mod tests {
    use hyper::Method;
    use hyper::header::HeaderValue;
    use serde_json::json;

    use super::super::document::documents_of;
    use super::super::model::{Form, Style};
    use super::super::operation::Scalar;
    use super::super::reading::read;
    use super::*;

    fn parameter(name: &str) -> Parameter {
        let form = Form::Styled { style: Style::Form, explode: true, is_reserved_allowed: false };
        Parameter {
            property: name.to_owned(),
            name: name.to_owned(),
            location: Location::Query,
            form,
            scalar: Scalar::Text,
        }
    }

    fn detected(operation: Value, schema: Value, query: &[&str]) -> Option<Paging> {
        let mut operation = operation;
        operation["responses"]["200"]["content"] = json!({ "application/json": { "schema": schema } });
        let documents = documents_of(json!({ "openapi": "3.0.0", "paths": { "/x": { "get": operation } } }));
        let api = read(&documents).unwrap();
        let parameters: Vec<Parameter> = query.iter().map(|name| parameter(name)).collect();
        detect(&api.operations[0], &parameters)
    }

    #[test]
    fn the_document_shows_the_way() {
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        let list = json!({ "type": "array" });
        let google = json!({ "properties": { "items": list, "nextPageToken": {} } });
        let nested = json!({ "allOf": [{ "properties": { "meta": { "properties": { "next_cursor": {} } } } }] });
        let link = json!({ "responses": { "200": { "headers": { "link": {} } } } });
        for (operation, schema, query, expected) in [
            (
                json!({}),
                google,
                &["pageToken"][..],
                Some(Paging::Token { keys: keys(&["nextPageToken"]), property: "pageToken".into() }),
            ),
            (
                json!({}),
                nested,
                &["cursor"],
                Some(Paging::Token { keys: keys(&["meta", "next_cursor"]), property: "cursor".into() }),
            ),
            (json!({ "x-ms-pageable": {} }), json!({}), &[], Some(Paging::NextLink { keys: keys(&["nextLink"]) })),
            (json!({ "x-ms-pageable": { "nextLinkName": null } }), json!({}), &[], None),
            (link, list.clone(), &[], Some(Paging::LinkHeader)),
            (json!({}), json!({ "properties": { "next": {} } }), &[], Some(Paging::NextLink { keys: keys(&["next"]) })),
            (json!({}), list.clone(), &["page"], Some(Paging::Number { property: "page".into(), first: 1 })),
            (
                json!({}),
                json!({ "properties": { "pets": list } }),
                &["offset"],
                Some(Paging::Offset { property: "offset".into() }),
            ),
            (json!({}), json!({ "properties": { "a": list, "b": list } }), &["page"], None),
            (json!({}), list, &["q"], None),
            (json!({}), json!({ "properties": { "page": {} } }), &["page"], None),
        ] {
            assert_eq!(detected(operation.clone(), schema.clone(), query), expected, "{operation} {schema} {query:?}");
        }
    }

    fn following(paging: Paging, input: Value, link: &str, page: Value) -> Option<NextPage> {
        let operation = Operation {
            method: Method::GET,
            path: "/pets".to_owned(),
            base: "https://a.example/".parse().unwrap(),
            parameters: Vec::new(),
            body: None,
            accepts: Vec::new(),
            security: None,
            pages: Some(paging),
        };
        let mut headers = HeaderMap::new();
        if !link.is_empty() {
            headers.insert(LINK, HeaderValue::from_str(link).unwrap());
        }
        let url = "https://a.example/pets?page=1".parse().unwrap();
        next(&operation, input.as_object().unwrap(), &url, &headers, &page)
    }

    #[test]
    fn the_next_page_is_found_and_never_elsewhere() {
        let address = |url: &str| Some(NextPage::Address(url.parse().unwrap()));
        let input = |value: Value| Some(NextPage::Input(value.as_object().unwrap().clone()));
        let token = || Paging::Token { keys: vec!["meta".into(), "next".into()], property: "cursor".into() };
        let link = || Paging::NextLink { keys: vec!["next".into()] };
        let number = || Paging::Number { property: "page".into(), first: 1 };
        let offset = || Paging::Offset { property: "offset".into() };
        for (paging, given, header, page, expected) in [
            (
                Paging::LinkHeader,
                json!({}),
                r#"<https://a.example/pets?page=2>; rel="next", <x>; rel="last""#,
                json!([]),
                address("https://a.example/pets?page=2"),
            ),
            (
                Paging::LinkHeader,
                json!({}),
                "<?page=2>; title=x; rel=next",
                json!([]),
                address("https://a.example/pets?page=2"),
            ),
            (Paging::LinkHeader, json!({}), r#"<?page=0>; rel="prev""#, json!([1]), None),
            (Paging::LinkHeader, json!({}), r#"<https://evil.example/pets?page=2>; rel="next""#, json!([]), None),
            (Paging::LinkHeader, json!({}), r#"</admin?page=2>; rel="next""#, json!([]), None),
            (Paging::LinkHeader, json!({}), r#"<?page=1>; rel="next""#, json!([]), None),
            (link(), json!({}), "", json!({ "next": "/pets?page=2" }), address("https://a.example/pets?page=2")),
            (link(), json!({}), "", json!({ "next": null }), None),
            (link(), json!({}), "", json!({ "next": "http://169.254.169.254/" }), None),
            (
                token(),
                json!({ "q": 1 }),
                "",
                json!({ "meta": { "next": "t" } }),
                input(json!({ "q": 1, "cursor": "t" })),
            ),
            (token(), json!({ "cursor": "t" }), "", json!({ "meta": { "next": "t" } }), None),
            (token(), json!({}), "", json!({ "meta": { "next": "" } }), None),
            (token(), json!({}), "", json!([]), None),
            (number(), json!({}), "", json!([1]), input(json!({ "page": 2 }))),
            (number(), json!({ "page": 5 }), "", json!({ "pets": [1] }), input(json!({ "page": 6 }))),
            (number(), json!({ "page": 5 }), "", json!([]), None),
            (number(), json!({}), r#"<?page=1>; rel="first""#, json!([1]), None),
            (offset(), json!({ "offset": 10 }), "", json!([1, 2]), input(json!({ "offset": 12 }))),
            (offset(), json!({}), "", json!({}), None),
        ] {
            assert_eq!(following(paging.clone(), given, header, page.clone()), expected, "{paging:?} {header} {page}");
        }
    }
}
