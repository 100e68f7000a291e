//! Operations as they are called: what is left of the model once tools are described.

use std::collections::BTreeMap;
use std::fmt;

use hyper::{Method, Uri};

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
    /// Returns what identifies the request: where it goes, and how the input becomes a part of it.
    pub(super) fn identity(&self) -> Vec<String> {
        let Self { method, path, base, parameters, body, .. } = self;
        let mut identity = vec![method.to_string(), base.to_string(), path.clone()];
        for Parameter { property, name, location, form, scalar } in parameters {
            identity.push(format!("{property} {name} {location:?} {form:?} {scalar:?}"));
        }
        identity.extend(body.iter().map(|body| format!("{body:?}")));
        identity
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

/// A parameter of an operation.
#[derive(Debug, Clone)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Text,
    Integer,
    Number,
    Boolean,
    /// An object, whose fields may have names of their own.
    Object,
}

/// The body of an operation.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// Its name in the input of the tool.
    pub(super) property: String,
    /// The name of the media type in the input of the tool, if there are several.
    pub(super) media_property: Option<String>,
    /// The media types, the preferred one first. Never empty.
    pub(super) media: Vec<BodyMedia>,
}

/// A media type of a body.
#[derive(Clone)]
pub(super) struct BodyMedia {
    pub(super) media_type: String,
    pub(super) encoding: BTreeMap<String, PartEncoding>,
    /// The fields that the document declares: all of a form, and those of JSON that name a method.
    pub(super) fields: Vec<String>,
}

/// Omits the fields. What identifies a request is made of this text, and the schema of the tool has them already.
impl fmt::Debug for BodyMedia {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { media_type, encoding, fields: _ } = self;
        formatter.debug_struct("BodyMedia").field("media_type", media_type).field("encoding", encoding).finish()
    }
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
