//! Tells whether the path of a request is the one of another operation. Decisions only; no I/O.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use hyper::{Method, Uri};
use isobox_core::brief;
use percent_encoding::percent_decode_str;

use super::operation::Operation;
use super::template::{Part, parts};

/// The paths of all operations.
#[derive(Debug, Default)]
pub(super) struct Routes(HashMap<Place, Vec<Route>>);

/// The properties that operations share if they may get the same request.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Place {
    /// The method, in upper case.
    method: String,
    /// The host of the service with its port, in lower case.
    authority: String,
    /// The number of segments.
    length: usize,
}

/// The path of an operation.
#[derive(Debug)]
struct Route {
    segments: Vec<Segment>,
    /// The template.
    path: String,
}

/// The literal texts of a segment of a path: before, between and behind its parameters. In lower case, because some services
/// ignore case.
#[derive(Debug, PartialEq, Eq)]
struct Segment(Vec<String>);

impl Routes {
    /// Returns the paths of operations.
    pub(super) fn of(operations: &BTreeMap<String, Operation>) -> Self {
        let mut routes = Self::default();
        for operation in operations.values() {
            let route = Route::of(operation);
            let place = Place::of(&operation.method, &operation.base, route.segments.len());
            routes.0.entry(place).or_default().push(route);
        }
        routes
    }

    /// Refuses a request of an operation with the path of another one: values are the literal text of that one. The policy has
    /// decided about the first one only.
    pub(super) fn check(&self, operation: &Operation, url: &Uri) -> Result<(), String> {
        if !operation.path.contains('{') {
            return Ok(());
        }
        let own = Route::of(operation);
        // Services answer `HEAD` with what answers `GET`.
        let also = (operation.method == Method::HEAD).then_some(Method::GET);
        for method in [operation.method.clone()].into_iter().chain(also) {
            for given in readings(url.path()) {
                let place = Place::of(&method, &operation.base, given.len());
                let mut routes = self.0.get(&place).into_iter().flatten();
                if let Some(other) = routes.find(|route| route.fits(&given) && route.comes_before(&own)) {
                    return Err(format!(
                        "the values make this the path of another operation, {} {}; call that one",
                        brief(&place.method, 20),
                        brief(&other.path, 200)
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Place {
    fn of(method: &Method, base: &Uri, length: usize) -> Self {
        let authority = base.authority().map(|authority| authority.as_str().to_ascii_lowercase()).unwrap_or_default();
        Self { method: method.as_str().to_ascii_uppercase(), authority, length }
    }
}

impl Route {
    fn of(operation: &Operation) -> Self {
        let template = operation.path.split(['?', '#']).next().unwrap_or_default();
        let base = Part::Text(operation.base.path().trim_end_matches('/'));
        let (mut segments, mut texts, mut text) = (Vec::new(), Vec::new(), String::new());
        for part in [base].into_iter().chain(parts(template)) {
            match part {
                Part::Name(_) => texts.push(std::mem::take(&mut text)),
                Part::Text(literal) => {
                    for (index, piece) in literal.split('/').enumerate() {
                        if index > 0 {
                            texts.push(std::mem::take(&mut text));
                            segments.push(Segment(std::mem::take(&mut texts)));
                        }
                        text.push_str(&folded(&decoded(piece)));
                    }
                }
            }
        }
        texts.push(text);
        segments.push(Segment(texts));
        segments.retain(|segment| !segment.is_empty());
        Self { segments, path: operation.path.clone() }
    }

    fn fits(&self, given: &[String]) -> bool {
        self.segments.iter().zip(given).all(|(segment, given)| segment.fits(given).is_some())
    }

    /// Tells whether a service may choose this operation in place of another one whose path was filled.
    fn comes_before(&self, other: &Self) -> bool {
        let length = |route: &Self| route.segments.iter().map(Segment::length).sum::<usize>();
        match self.segments.len().cmp(&other.segments.len()) {
            // A service that drops empty segments does not see a value without a text, such as `/` or `;v=1`.
            Ordering::Less => length(self) >= length(other),
            Ordering::Equal => self.segments.iter().zip(&other.segments).any(|(own, other)| own.comes_before(other)),
            // A service that decodes slashes first sees more segments.
            Ordering::Greater => length(self) > length(other),
        }
    }
}

impl Segment {
    fn is_empty(&self) -> bool {
        matches!(&self.0[..], [text] if text.is_empty())
    }

    /// Returns the length of the literal texts.
    fn length(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }

    /// Tells whether this has a literal text where another one has a parameter.
    fn comes_before(&self, other: &Self) -> bool {
        other.0.len() > 1 && self != other && self.length() >= other.length()
    }

    /// Matches a text, of which every parameter takes at least one character. Returns none if it does not match.
    fn fits(&self, given: &str) -> Option<()> {
        let (first, others) = self.0.split_first()?;
        let mut rest = given.strip_prefix(first.as_str())?;
        let Some((last, between)) = others.split_last() else { return rest.is_empty().then_some(()) };
        rest = rest.strip_suffix(last.as_str())?;
        for text in between {
            let mut characters = rest.chars();
            characters.next()?;
            (_, rest) = characters.as_str().split_once(text.as_str())?;
        }
        (!rest.is_empty()).then_some(())
    }
}

/// Returns the segments of a path as services may read it: decoded after it is taken apart, before, or twice, and each of them
/// without what a value has behind a semicolon, which some services take for parameters of the segment.
fn readings(path: &str) -> Vec<Vec<String>> {
    /// Stands for a semicolon of the document. A path cannot contain it.
    const WRITTEN: &str = "\0";
    let path = path.replace(';', WRITTEN);
    let once = decoded(&path);
    let is_given = |segment: &String| !segment.is_empty();
    let apart = |path: &str| path.split(['/', '\\']).map(folded).filter(is_given).collect::<Vec<_>>();
    let segments = path.split('/').map(|segment| folded(&decoded(segment)));
    let mut all: Vec<Vec<String>> = vec![segments.filter(is_given).collect(), apart(&once), apart(&decoded(&once))];
    let has_parameters = |segments: &&Vec<String>| segments.iter().any(|segment| segment.contains(';'));
    let bare = |segment: &String| segment.split(';').next().unwrap_or_default().to_owned();
    let bare = |segments: &Vec<String>| segments.iter().map(bare).filter(is_given).collect::<Vec<String>>();
    let without: Vec<Vec<String>> = all.iter().filter(has_parameters).map(bare).collect();
    all.extend(without);
    // Some services drop blanks and control characters around a segment, and dots behind it.
    let trimmed: Vec<Vec<String>> = all
        .iter()
        .map(|segments| segments.iter().map(|segment| trimmed(segment)).filter(is_given).collect::<Vec<String>>())
        .filter(|segments| !all.contains(segments))
        .collect();
    all.extend(trimmed);
    let written = |segment: String| segment.replace(WRITTEN, ";");
    all.into_iter().map(|segments| segments.into_iter().map(written).collect()).collect()
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn trimmed(segment: &str) -> String {
    let is_blank = |character: char| character.is_whitespace() || character.is_control();
    let segment = segment.trim_start_matches(is_blank);
    segment.trim_end_matches(|character: char| character == '.' || is_blank(character)).to_owned()
}

fn folded(text: &str) -> String {
    text.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(method: &str, path: &str) -> Operation {
        Operation {
            method: Method::from_bytes(method.as_bytes()).unwrap(),
            path: path.to_owned(),
            base: "https://a.example/v1/".parse().unwrap(),
            parameters: Vec::new(),
            body: None,
            accepts: Vec::new(),
            security: None,
            pages: None,
        }
    }

    #[test]
    fn a_value_cannot_make_a_path_the_one_of_another_operation() {
        let names = [
            "POST /users/{id}",
            "POST /users/purge",
            "POST /users/{id}/purge",
            "POST /{a}/{b}/{c}",
            "GET /users/{id}",
            "GET /users/{id}.{format}",
            "GET /users/me?full=1",
            "HEAD /users/{id}",
            "GET /{kind}/all",
            "GET /x/{a}-{b}",
            "GET /x/caf%C3%A9 1",
            "copy /users/{id}",
            "COPY /users/now",
            "GET /users/",
            "GET /users{id}",
        ];
        let split = |name: &str| name.split_once(' ').map(|(method, path)| operation(method, path)).unwrap();
        let routes = Routes::of(&names.map(|name| (name.to_owned(), split(name))).into());
        for (name, path, other) in [
            ("POST /users/{id}", "/v1/users/7", None),
            ("POST /users/{id}", "/v1/users/purged", None),
            ("POST /users/{id}", "/v1/users/me", None),
            ("POST /users/{id}", "/v1/users/purge", Some("POST /users/purge")),
            ("POST /users/{id}", "/v1/users/PURGE", Some("POST /users/purge")),
            ("POST /users/{id}", "/v1/users/%70urge", Some("POST /users/purge")),
            ("POST /users/{id}", "/v1/users/%2570urge", Some("POST /users/purge")),
            ("POST /users/{id}", "/v1/users/purge%2F", Some("POST /users/purge")),
            ("POST /users/{id}", "/v1/users/7%2Fpurge", Some("POST /users/{id}/purge")),
            ("POST /users/{id}", "/v1/users/7%5Cpurge", Some("POST /users/{id}/purge")),
            ("POST /users/{id}", "/v1/users/7%2Fother", None),
            ("POST /users/{id}", "/v1/users/purge%3Bv=1", Some("POST /users/purge")),
            ("POST /users/{id}", "/v1/users/purge%253Bv", Some("POST /users/purge")),
            ("POST /users/{id}", "/v1/users/7%3Bv%2Fpurge", Some("POST /users/{id}/purge")),
            ("POST /users/{id}", "/v1/users/7%3Bpurge", None),
            ("GET /users{id}", "/v1/users;id=7", None),
            ("GET /users/{id}", "/v1/users/%3Bv=1", Some("GET /users/")),
            ("GET /users/{id}", "/v1/users/%2F", Some("GET /users/")),
            ("POST /users/{id}", "/v1/users/%3Bv=1", None),
            ("POST /users/{id}/purge", "/v1/users/purge/purge", None),
            // Without a parameter, there is nothing to fill.
            ("POST /users/purge", "/v1/users/purge", None),
            ("GET /users/{id}", "/v1/users/7.json", Some("GET /users/{id}.{format}")),
            ("GET /users/{id}", "/v1/users/7.", None),
            ("GET /users/{id}", "/v1/users/me", Some("GET /users/me?full=1")),
            ("GET /users/{id}", "/v1/users/me.", Some("GET /users/me?full=1")),
            ("GET /users/{id}", "/v1/users/me%20", Some("GET /users/me?full=1")),
            ("GET /users/{id}", "/v1/users/%20me%20", Some("GET /users/me?full=1")),
            ("GET /users/{id}", "/v1/users/me%09", Some("GET /users/me?full=1")),
            ("GET /users/{id}", "/v1/users/me%00", Some("GET /users/me?full=1")),
            ("GET /users/{id}", "/v1/users/ann%20.", None),
            ("GET /users/{id}", "/v1/users/purge", None),
            ("GET /users/{id}.{format}", "/v1/users/7.json", None),
            ("HEAD /users/{id}", "/v1/users/me", Some("GET /users/me?full=1")),
            ("HEAD /users/{id}", "/v1/users/7", None),
            // Both have a literal text where the other one has a parameter.
            ("GET /users/{id}", "/v1/users/all", Some("GET /{kind}/all")),
            ("GET /{kind}/all", "/v1/users/all", Some("GET /users/{id}")),
            ("GET /{kind}/all", "/v1/pets/all", None),
            ("GET /x/{a}-{b}", "/v1/x/caf%C3%A9-1", None),
            ("GET /{kind}/all", "/v1/x/caf%C3%A9%201", Some("GET /x/caf%C3%A9 1")),
            ("copy /users/{id}", "/v1/users/now", Some("COPY /users/now")),
        ] {
            let url = format!("https://a.example{path}").parse().unwrap();
            let checked = routes.check(&split(name), &url);
            let expected = other
                .map(|other| format!("the values make this the path of another operation, {other}; call that one"));
            assert_eq!(checked.err(), expected, "{name}: {path}");
        }
        let mut elsewhere = split("POST /users/{id}");
        elsewhere.base = "https://b.example/v1".parse().unwrap();
        assert_eq!(routes.check(&elsewhere, &"https://b.example/v1/users/purge".parse().unwrap()), Ok(()));
    }
}
