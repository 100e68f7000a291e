//! The model of a service: what OpenAPI 3 and Swagger 2 documents say, in one form.

use std::collections::BTreeMap;

use serde::Serialize;

use super::document::Node;
use crate::service::{Location, SecurityScheme};

/// A service.
#[derive(Debug)]
pub(super) struct Api<'d> {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) operations: Vec<Operation<'d>>,
    pub(super) servers: Vec<Server>,
    pub(super) schemes: BTreeMap<String, SecurityScheme>,
    /// The version of the schemas.
    pub(super) dialect: Dialect,
}

/// The version of the schemas of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Swagger 2 and OpenAPI 3.0: an older draft with `nullable` and booleans for exclusive bounds.
    Old,
    /// OpenAPI 3.1 and later: JSON Schema 2020-12.
    New,
}

/// An operation: a method and a path.
#[derive(Debug)]
pub(super) struct Operation<'d> {
    pub(super) node: Node<'d>,
    /// The method, in upper case.
    pub(super) method: String,
    pub(super) path: String,
    pub(super) id: Option<String>,
    pub(super) tag: Option<String>,
    pub(super) summary: String,
    pub(super) description: String,
    pub(super) is_deprecated: bool,
    pub(super) parameters: Vec<Parameter<'d>>,
    pub(super) body: Option<Body<'d>>,
    /// The successful responses with their status, the best first.
    pub(super) responses: Vec<Media<'d>>,
    /// Whether a successful response has a `Link` header.
    pub(super) has_link_header: bool,
    /// The alternatives of schemes, each of which is enough. Empty if the operation needs no credentials, none if the
    /// document states nothing.
    pub(super) security: Option<Vec<Vec<String>>>,
    /// The server of this operation, if it is not the one of the service.
    pub(super) server: Option<Server>,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(super) struct Parameter<'d> {
    pub(super) name: String,
    pub(super) location: Location,
    pub(super) is_required: bool,
    pub(super) description: String,
    pub(super) is_deprecated: bool,
    pub(super) schema: Option<Node<'d>>,
    pub(super) form: Form,
}

/// The form of a parameter in a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) enum Form {
    Styled {
        style: Style,
        explode: bool,
        /// Whether reserved characters are sent as they are.
        is_reserved_allowed: bool,
    },
    /// The value in a media type, such as JSON.
    Content(String),
}

/// A style of serialization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    SpaceDelimited,
    PipeDelimited,
    /// `tsv` of Swagger 2.
    TabDelimited,
    DeepObject,
    /// Like `form`, without percent-encoding (OpenAPI 3.2).
    Cookie,
}

/// The body of a request.
#[derive(Debug)]
pub(super) struct Body<'d> {
    pub(super) is_required: bool,
    pub(super) description: String,
    /// The media types, the preferred one first. Never empty.
    pub(super) media: Vec<Media<'d>>,
}

/// Content in a media type.
#[derive(Debug, Clone)]
pub(super) struct Media<'d> {
    /// The media type without parameters, in lower case.
    pub(super) media_type: String,
    pub(super) schema: Option<BodySchema<'d>>,
    /// The encodings of the parts of a form, by their name.
    pub(super) encoding: BTreeMap<String, PartEncoding>,
}

/// The schema of a body.
#[derive(Debug, Clone)]
pub(super) enum BodySchema<'d> {
    /// A schema of the document.
    Node(Node<'d>),
    /// The fields of a form (Swagger 2).
    Fields(Vec<Parameter<'d>>),
}

/// The encoding of a part of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct PartEncoding {
    /// The media type of the part.
    pub(super) content_type: Option<String>,
    /// The style, if it is stated.
    pub(super) style: Option<(Style, bool)>,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    pub(super) url: String,
    pub(super) variables: BTreeMap<String, ServerVariable>,
}

/// A variable of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServerVariable {
    pub(super) default: String,
    /// The allowed values. Empty if every value is allowed.
    pub(super) allowed: Vec<String>,
}
