//! Operations as they are called: what is left of the model once tools are described.

use std::collections::BTreeMap;

use hyper::{Method, Uri};
use serde::Serialize;
use serde_json::json;

use super::model::{Form, PartEncoding};
use crate::service::Location;

/// An operation that can be called.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    pub(super) method: Method,
    /// The template of its path.
    pub(super) path: String,
    /// The address that the path is appended to.
    pub(super) base: Uri,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Option<Body>,
    /// The media types that a response may have.
    pub(super) accepts: Vec<String>,
    /// The alternatives of schemes. None if the document states none.
    pub(super) security: Option<Vec<Vec<String>>>,
    pub(super) pages: Option<Paging>,
}

impl Operation {
    /// Returns what identifies the request: where it goes, and how the input becomes a part of it. Approvals are for it.
    pub(super) fn identity(&self) -> [String; 4] {
        let Self { method, path, base, parameters, body, .. } = self;
        [method.to_string(), base.to_string(), path.clone(), json!([parameters, body]).to_string()]
    }

    /// Tells whether a request may be repeated without another effect.
    pub(super) fn is_idempotent(&self) -> bool {
        self.method.is_idempotent()
    }

    /// Tells whether a request has no effect.
    pub(super) fn is_safe(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }
}

/// A parameter of an operation. Serialized, it is a part of what identifies a request, like the types below.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Parameter {
    /// Its name in the input of the tool.
    pub(super) property: String,
    /// Its name in the request.
    pub(super) name: String,
    pub(super) location: Location,
    pub(super) form: Form,
    pub(super) scalar: Scalar,
}

/// The type of a parameter, as far as texts are converted to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) enum Scalar {
    Text,
    Integer,
    Number,
    Boolean,
    /// An object, whose fields may have names of their own.
    Object,
}

/// The body of an operation.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Body {
    /// Its name in the input of the tool.
    pub(super) property: String,
    /// The name of the media type in the input of the tool, if there are several.
    pub(super) media_property: Option<String>,
    /// The media types, the preferred one first. Never empty.
    pub(super) media: Vec<BodyMedia>,
}

/// A media type of a body.
#[derive(Debug, Clone, Serialize)]
pub(super) struct BodyMedia {
    pub(super) media_type: String,
    pub(super) encoding: BTreeMap<String, PartEncoding>,
    /// The fields that the document declares: all of a form, and those of JSON that name a method. They identify nothing: the
    /// schema of the tool has them.
    #[serde(skip)]
    pub(super) fields: Vec<String>,
}

/// The way from a page of a list to the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Paging {
    /// The `Link` header of a response has the address of the next page.
    LinkHeader,
    /// The response has the address of the next page at these keys.
    NextLink { keys: Vec<String> },
    /// The response has a token at these keys, which is the value of a parameter for the next page.
    Token { keys: Vec<String>, property: String },
    /// A parameter counts pages. An empty page is the end.
    Number(Counter),
    /// A parameter skips items. An empty page is the end.
    Offset(Counter),
}

/// A parameter that counts pages or items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counter {
    pub(super) property: String,
    /// Its value for the first page, if the document names it.
    pub(super) first: Option<u64>,
    /// The property of a page that has the items. None if the document says that a page is a list itself.
    pub(super) list: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::super::model::Style;
    use super::*;

    fn operation(property: &str, name: &str, style: Style) -> Operation {
        let form = Form::Styled { style, explode: true, is_reserved_allowed: false };
        let (property, name) = (property.to_owned(), name.to_owned());
        Operation {
            method: Method::PUT,
            path: "/orders".to_owned(),
            base: Uri::from_static("https://a.example"),
            parameters: vec![Parameter { property, name, location: Location::Query, form, scalar: Scalar::Text }],
            body: None,
            accepts: Vec::new(),
            security: None,
            pages: None,
        }
    }

    fn with_body(media_property: Option<&str>, content_type: Option<&str>, fields: &[&str]) -> Operation {
        let encoding = PartEncoding { content_type: content_type.map(str::to_owned), style: None };
        let media = BodyMedia {
            media_type: "multipart/form-data".to_owned(),
            encoding: BTreeMap::from([("file".to_owned(), encoding)]),
            fields: fields.iter().map(|field| (*field).to_owned()).collect(),
        };
        let media_property = media_property.map(str::to_owned);
        let body = Body { property: "body".to_owned(), media_property, media: vec![media] };
        Operation { body: Some(body), ..operation("id", "id", Style::Form) }
    }

    #[test]
    fn requests_that_differ_have_different_identities() {
        let requests = [
            operation("id", "id", Style::Form),
            operation("id", "id", Style::DeepObject),
            operation("id", "key", Style::Form),
            operation("a b", "c", Style::Form),
            operation("a", "b c", Style::Form),
            with_body(None, None, &[]),
            with_body(None, Some("text/csv"), &[]),
            with_body(Some("contentType"), None, &[]),
            Operation { method: Method::PATCH, ..operation("id", "id", Style::Form) },
            Operation { path: "/invoices".to_owned(), ..operation("id", "id", Style::Form) },
            Operation { base: Uri::from_static("https://b.example"), ..operation("id", "id", Style::Form) },
        ];
        for (at, request) in requests.iter().enumerate() {
            for other in &requests[..at] {
                assert_ne!(request.identity(), other.identity());
            }
        }
    }

    #[test]
    fn fields_and_accepted_types_identify_no_request() {
        let request = with_body(None, None, &[]);
        assert_eq!(request.identity(), with_body(None, None, &["name"]).identity());
        let accepting = Operation { accepts: vec!["text/csv".to_owned()], ..request.clone() };
        assert_eq!(request.identity(), accepting.identity());
    }
}
