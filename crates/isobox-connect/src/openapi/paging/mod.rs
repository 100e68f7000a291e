//! Finds out how the pages of a list follow each other. Decisions only; no I/O.

use std::collections::BTreeSet;

use hyper::Uri;
use hyper::header::{HeaderMap, LINK};
use isobox_core::{brief, lossy_text};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::collisions::{decoded, decoded_pairs};
use super::document::Node;
use super::model::{BodySchema, Operation as Described};
use super::operation::{Counter, Operation, Paging, Parameter};
use super::request::path as path_of;
use crate::http::{Origin, join_url};
use crate::service::{Credentials, Location, is_json};

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
/// The maximum number of schemas and properties of a response that are looked at.
const MAX_SEEN: usize = 1_000;

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
    let shape = Shape::of(described);
    for (name, keys) in TOKENS {
        let parameter = in_query(parameters, &[name]);
        if let (Some(parameter), Some(keys)) = (parameter, keys.iter().find_map(|key| shape.find(key))) {
            return Some(Paging::Token { keys, property: parameter.property.clone() });
        }
    }
    if described.has_link_header {
        return Some(Paging::LinkHeader);
    }
    if let Some(keys) = NEXT_LINKS.iter().find_map(|key| shape.find(key)) {
        return Some(Paging::NextLink { keys });
    }
    let list = shape.list()?;
    let counter = |parameter: &Parameter| Counter {
        property: parameter.property.clone(),
        first: first(described, &parameter.name),
        list: list.clone(),
    };
    if let Some(parameter) = in_query(parameters, &NUMBERS) {
        return Some(Paging::Number(counter(parameter)));
    }
    in_query(parameters, &OFFSETS).map(|parameter| Paging::Offset(counter(parameter)))
}

/// Finds a parameter of the query with one of these names.
fn in_query<'p>(parameters: &'p [Parameter], names: &[&str]) -> Option<&'p Parameter> {
    let is_it =
        |parameter: &&Parameter| parameter.location == Location::Query && names.contains(&parameter.name.as_str());
    parameters.iter().find(is_it)
}

/// Returns the value of a parameter of the query for the first page, if the document names it.
fn first(described: &Described<'_>, name: &str) -> Option<u64> {
    let mut parameters = described.parameters.iter();
    let parameter = parameters.find(|parameter| parameter.location == Location::Query && parameter.name == name)?;
    let schema = parameter.schema.as_ref()?.resolved().ok()?;
    ["default", "minimum"].into_iter().find_map(|key| schema.value.get(key)?.as_u64())
}

/// The shape of a response, as far as pages are concerned.
#[derive(Debug, Default)]
struct Shape {
    /// The names of properties, below an envelope or not.
    keys: BTreeSet<Vec<String>>,
    /// Whether the response is a list.
    is_list: bool,
    /// The properties of the response that are lists.
    lists: BTreeSet<String>,
    /// The number of schemas and properties that were looked at.
    seen: usize,
}

impl Shape {
    fn of(described: &Described<'_>) -> Self {
        let mut shape = Self::default();
        let Some(media) = described.responses.first().filter(|media| is_json(&media.media_type)) else { return shape };
        if let Some(BodySchema::Node(node)) = &media.schema {
            shape.look(node, &[], 0);
        }
        shape
    }

    fn look(&mut self, node: &Node<'_>, above: &[String], depth: usize) {
        /// The maximum depth of `allOf` and envelopes.
        const MAX_DEPTH: usize = 4;
        if depth > MAX_DEPTH || !self.may_see_more() {
            return;
        }
        let Ok(node) = node.resolved() else { return };
        if is_array(&node) && above.is_empty() {
            self.is_list = true;
        }
        for part in node.get("allOf").into_iter().flat_map(|all| all.items().take(MAX_SEEN).collect::<Vec<_>>()) {
            self.look(&part, above, depth + 1);
        }
        let properties = node.get("properties").into_iter();
        for (name, property) in properties.flat_map(|all| all.entries().take(MAX_SEEN).collect::<Vec<_>>()) {
            if !self.may_see_more() {
                return;
            }
            let mut keys = above.to_vec();
            keys.push(name.to_owned());
            self.keys.insert(keys.clone());
            if above.is_empty() {
                if property.resolved().is_ok_and(|property| is_array(&property)) {
                    self.lists.insert(name.to_owned());
                }
                if ENVELOPES.contains(&name) {
                    self.look(&property, &keys, depth + 1);
                }
            }
        }
    }

    /// Counts a schema or a property. Returns whether there is room for it: schemas that have each other as parts multiply.
    fn may_see_more(&mut self) -> bool {
        self.seen += 1;
        self.seen <= MAX_SEEN
    }

    /// Returns the property with the items of a page: none if the page is a list itself. Returns nothing at all if there is
    /// no list, or more than one.
    fn list(&self) -> Option<Option<String>> {
        match (self.is_list, self.lists.len()) {
            (true, _) => Some(None),
            (false, 1) => Some(self.lists.first().cloned()),
            (false, _) => None,
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
    /// The query of another address of the same operation, without the pairs that the host adds and that are fixed.
    Query(String),
}

/// Names the first page in an input that names none, where the document says which one it is.
pub(super) fn begin(operation: &Operation, input: &mut Map<String, Value>) {
    if let Some(Paging::Number(counter) | Paging::Offset(counter)) = &operation.pages
        && let Some(first) = counter.first
        && input.get(&counter.property).is_none_or(Value::is_null)
    {
        input.insert(counter.property.clone(), Value::from(first));
    }
}

/// Returns the address of a page: one with this query, and with the pairs that every address of the operation has.
pub(super) fn address(
    operation: &Operation,
    credentials: &Credentials,
    input: &Map<String, Value>,
    url: &Uri,
    query: &str,
) -> Option<Uri> {
    let (fixed, query) = (fixed_query(operation, input), without_own_pairs(operation, credentials, input, query));
    let parts: Vec<&str> = [fixed.as_str(), query.as_str()].into_iter().filter(|part| !part.is_empty()).collect();
    join_url(url, &format!("?{}", parts.join("&"))).ok()
}

/// Returns the query that every address of the operation has: the one of the service, and the one of the path.
fn fixed_query(operation: &Operation, input: &Map<String, Value>) -> String {
    let path = path_of(operation, input).unwrap_or_default();
    let own = path.split_once('?').map(|(_, query)| query);
    let parts: Vec<&str> = operation.base.query().into_iter().chain(own).filter(|part| !part.is_empty()).collect();
    parts.join("&")
}

/// Returns a query without the pairs that the host adds, and without those that every address of the operation has. A fixed name
/// that is a parameter, too, may have another value.
fn without_own_pairs(
    operation: &Operation,
    credentials: &Credentials,
    input: &Map<String, Value>,
    query: &str,
) -> String {
    let fixed = fixed_query(operation, input);
    let is_declared = |pair: &&str| {
        let name = decoded(pair.split('=').next().unwrap_or_default());
        let mut parameters = operation.parameters.iter();
        parameters.any(|parameter| parameter.location == Location::Query && parameter.name == name)
    };
    let (declared, others): (Vec<&str>, Vec<&str>) = fixed.split('&').partition(is_declared);
    let query = credentials.without_own_pairs(query, &others.join("&"));
    let is_fixed = |pair: &&str| declared.iter().any(|fixed| decoded(fixed) == decoded(pair));
    query.split('&').filter(|pair| !is_fixed(pair)).collect::<Vec<_>>().join("&")
}

/// Returns the way to the page after this one. None if it is the last one. Returns an error if there is another page, and it cannot
/// be read.
pub(super) fn next(
    operation: &Operation,
    credentials: &Credentials,
    input: &Map<String, Value>,
    url: &Uri,
    headers: &HeaderMap,
    page: &Value,
) -> Result<Option<NextPage>, String> {
    let with = |property: &str, value: Value| {
        let mut input = input.clone();
        input.insert(property.to_owned(), value);
        NextPage::Input(input)
    };
    let after = |counter: &Counter, usual: u64, step: usize| {
        let now = input.get(&counter.property).and_then(Value::as_u64).or(counter.first).unwrap_or(usual);
        let next = now.checked_add(u64::try_from(step).ok()?)?;
        Some(with(&counter.property, Value::from(next)))
    };
    let linked = |link: Option<&str>| match link {
        Some(link) => same_list(operation, credentials, input, url, link),
        None => Ok(None),
    };
    let Some(pages) = &operation.pages else { return Ok(None) };
    match pages {
        Paging::LinkHeader => linked(next_link(headers).as_deref()),
        Paging::NextLink { keys } => linked(link_of(lookup(page, keys))?),
        Paging::Token { keys, property } => match lookup(page, keys) {
            Some(Value::Number(token)) => Ok(Some(with(property, Value::Number(token.clone())))),
            Some(Value::String(token)) if !token.is_empty() && !is_address(token) => {
                let is_other = input.get(property).and_then(Value::as_str) != Some(token);
                Ok(is_other.then(|| with(property, Value::String(token.clone()))))
            }
            other => linked(link_of(other)?),
        },
        Paging::Number(counter) => {
            // A service that sends links knows better.
            match next_link(headers) {
                Some(link) => linked(Some(link.as_str())),
                None if headers.contains_key(LINK) || items(page, counter) == 0 => Ok(None),
                None => Ok(after(counter, 1, 1)),
            }
        }
        Paging::Offset(counter) => match items(page, counter) {
            0 => Ok(None),
            count => Ok(after(counter, 0, count)),
        },
    }
}

/// Returns the way to a page of the same list. None if the link leads to the page that has it.
///
/// Only the query is taken from a link, and sent to the address of the operation. So a link may spell that address in another way.
fn same_list(
    operation: &Operation,
    credentials: &Credentials,
    input: &Map<String, Value>,
    url: &Uri,
    link: &str,
) -> Result<Option<NextPage>, String> {
    let unusable = |why: &str| format!("there is another page, and its address cannot be used: {why}");
    let next = join_url(url, link).map_err(unusable)?;
    let origin = Origin::of(&next).map_err(unusable)?;
    let is_same_origin = Origin::of(url).is_ok_and(|own| own.is_variant_of(&origin));
    if !is_same_origin || segments(next.path()) != segments(url.path()) {
        return Err(format!(
            "there is another page, but its address is not the one of this operation: {origin}{}; call the operation itself \
             for the first page",
            brief(next.path(), 200)
        ));
    }
    let [here, there] =
        [url, &next].map(|url| without_own_pairs(operation, credentials, input, url.query().unwrap_or_default()));
    let is_other = decoded_pairs(&here) != decoded_pairs(&there);
    Ok(is_other.then_some(NextPage::Query(there)))
}

/// Returns the segments of a path, decoded. A slash at the end does not count.
fn segments(path: &str) -> Vec<Vec<u8>> {
    path.trim_end_matches('/').split('/').map(|segment| percent_decode_str(segment).collect()).collect()
}

/// Tells whether a text that may be a token is the address of the next page.
fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// Returns the link in a property for the next page: an address, or an object with one (HAL, JSON:API).
fn link_of(property: Option<&Value>) -> Result<Option<&str>, String> {
    let property = property.map(|property| property.get("href").unwrap_or(property));
    match property {
        None | Some(Value::Null | Value::Bool(false)) => Ok(None),
        Some(Value::Object(entries)) if entries.is_empty() => Ok(None),
        Some(Value::String(link)) => Ok(Some(link.as_str()).filter(|link| !link.is_empty())),
        Some(Value::Bool(true) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Err("there is another page, but the property for its address has none".to_owned())
        }
    }
}

fn lookup<'v>(page: &'v Value, keys: &[String]) -> Option<&'v Value> {
    keys.iter().try_fold(page, |value, key| value.get(key))
}

/// Counts the items of a page: of the page itself, or of the list that the document names, otherwise of its only list.
fn items(page: &Value, counter: &Counter) -> usize {
    match (page, &counter.list) {
        (Value::Array(items), _) => items.len(),
        (Value::Object(entries), Some(list)) => entries.get(list).and_then(Value::as_array).map_or(0, Vec::len),
        (Value::Object(entries), None) => {
            let mut lists = entries.values().filter_map(Value::as_array);
            match (lists.next(), lists.next()) {
                (Some(only), None) => only.len(),
                _ => 0,
            }
        }
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => 0,
    }
}

/// Returns the address with the relation `next` in the `Link` headers (RFC 8288).
fn next_link(headers: &HeaderMap) -> Option<String> {
    /// The maximum number of links that are looked at.
    const MAX_LINKS: usize = 100;
    let texts: Vec<String> = headers.get_all(LINK).iter().map(|value| lossy_text(value.as_bytes())).collect();
    let links = texts.iter().flat_map(|text| text.split('<').skip(1)).take(MAX_LINKS);
    let mut links = links.filter_map(|link| link.split_once('>'));
    links.find_map(|(address, rest)| is_next(rest).then(|| address.to_owned()))
}

fn is_next(parameters: &str) -> bool {
    parameters.split(';').any(|parameter| {
        let Some((name, value)) = parameter.trim().trim_end_matches(',').split_once('=') else { return false };
        let value = value.trim().trim_end_matches(',').trim().trim_matches('"');
        name.trim().eq_ignore_ascii_case("rel") && value.split_whitespace().any(|one| one.eq_ignore_ascii_case("next"))
    })
}

#[cfg(test)]
mod tests;
