//! Makes the tools of a service from its model.

use std::collections::{BTreeMap, HashSet};

use hyper::Method;
use isobox_core::{OfferedTool, ToolHints};
use serde_json::{Map, Value, json};

use super::document::{Node, Place};
use super::fields::declared_fields;
use super::general_tools::{PAGES, REQUEST, SPEC, pages_tool, request_tool, spec_tool};
use super::model::{
    Api, Body as DescribedBody, BodySchema, Media, Operation as Described, Parameter as DescribedParameter,
};
use super::naming::{Names, Subject, names};
use super::operation::{Body, BodyMedia, Operation, Parameter, Scalar};
use super::options::OpenApiService;
use super::paging;
use super::schema::{Direction, Translator, binary};
use super::servers::{self, Base};
use super::terms::is_token;
use crate::service::response::is_text;
use crate::service::{Credentials, Folded, Location, Room, is_json};

/// The tools of a service, and how they are called.
#[derive(Debug, Default)]
pub(super) struct Offering {
    pub(super) tools: Vec<OfferedTool>,
    /// The operations by the names of their tools.
    pub(super) operations: BTreeMap<String, Operation>,
    pub(super) warnings: Vec<String>,
}

/// The maximum number of warnings. Further ones are counted.
const MAX_WARNINGS: usize = 20;
/// The maximum number of fields of all forms together. Operations may share one form.
const MAX_FIELDS: usize = 500_000;

/// Headers that a program cannot set: they belong to the connection or to the credentials, or make some services carry out another
/// request than the one that the policy has decided about.
const FORBIDDEN_HEADERS: [&str; 22] = [
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "origin",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
];
/// The beginnings of names of such headers.
const FORBIDDEN_BEGINNINGS: [&str; 3] = ["x-forwarded-", "x-original-", "x-rewrite-"];

/// Tells whether a program may set a header.
pub(super) fn is_allowed_header(name: &str) -> bool {
    let folded = Folded::of(name);
    is_token(name)
        && !FORBIDDEN_HEADERS.iter().any(|known| folded.is(&Folded::of(known)))
        && !FORBIDDEN_BEGINNINGS.iter().any(|beginning| folded.begins_with(&Folded::of(beginning)))
}

/// Makes the tools of a service.
pub(super) fn offer(
    connector: &str,
    api: &Api<'_>,
    service: &OpenApiService,
    credentials: &Credentials,
    base: &Base,
    place: &Place,
) -> Offering {
    let subject = |operation: &'_ Described<'_>| (operation.id.clone(), operation.tag.clone());
    let owned: Vec<_> = api.operations.iter().map(subject).collect();
    let subjects: Vec<Subject<'_>> = api
        .operations
        .iter()
        .zip(&owned)
        .map(|(operation, (id, tag))| Subject {
            id: id.as_deref(),
            tag: tag.as_deref(),
            method: &operation.method,
            path: &operation.path,
        })
        .collect();
    let names = names(connector, &subjects, &[SPEC, REQUEST]);
    let mut maker = Maker {
        api,
        service,
        credentials,
        base,
        place,
        room: Room::for_schemas(api.operations.len().saturating_mul(2)),
        fields: MAX_FIELDS,
        more: 0,
        offering: Offering::default(),
    };
    let taken: HashSet<&str> = names.iter().map(|names| names.path.as_str()).collect();
    for (described, names) in api.operations.iter().zip(&names) {
        maker.add(described, names, !taken.contains(format!("{}.{PAGES}", names.path).as_str()));
    }
    let address = maker.base.url.to_string();
    maker.offering.tools.extend([spec_tool(api), request_tool()].map(|tool| tool.bound_to([&address])));
    let Maker { mut offering, more, .. } = maker;
    if more > 0 {
        offering.warnings.push(format!("there are {more} more warnings about the document"));
    }
    offering
}

struct Maker<'a, 'd> {
    api: &'a Api<'d>,
    service: &'a OpenApiService,
    credentials: &'a Credentials,
    base: &'a Base,
    place: &'a Place,
    room: Room,
    /// The number of fields of forms that there is room for.
    fields: usize,
    /// The number of warnings that are not kept.
    more: usize,
    offering: Offering,
}

impl<'d> Maker<'_, 'd> {
    fn add(&mut self, described: &Described<'d>, names: &Names, may_page: bool) {
        let name = names.path.as_str();
        let base = match servers::of_operation(self.base, self.service, described.server.as_ref(), self.place) {
            Ok(base) => base,
            Err(why) => {
                self.warn(format!("`{name}` uses the server of the document, because its own is not usable: {why}"));
                self.base.url.clone()
            }
        };
        let Ok(method) = Method::from_bytes(described.method.as_bytes()) else {
            self.warn(format!("`{name}` is left out: its method cannot be sent"));
            return;
        };
        let mut media = Vec::new();
        for one in described.body.iter().flat_map(|body| &body.media) {
            let Some(one) = media_of(one, &mut self.fields) else {
                self.warn(format!(
                    "`{name}` is left out: there are too many fields in its form, or in all forms together"
                ));
                return;
            };
            media.push(one);
        }
        let is_sent = |parameter: &&DescribedParameter<'d>| {
            let is_allowed = parameter.location != Location::Header || is_allowed_header(&parameter.name);
            let is_of_call = parameter.location == Location::Header
                && !matches!(method, Method::GET | Method::HEAD)
                && self.service.call_headers.fills(&parameter.name);
            is_allowed && !is_of_call && !self.credentials.fills(parameter.location, &parameter.name)
        };
        let sent: Vec<&DescribedParameter<'d>> = described.parameters.iter().filter(is_sent).collect();
        let properties = properties(&sent, described.body.as_ref());
        let body = described.body.is_some().then(|| Body {
            property: properties.body.clone(),
            media_property: (media.len() > 1).then(|| properties.media.clone()),
            media,
        });
        let room = self.room.next();
        let mut translator = Translator::new(self.api.dialect, Direction::Input, room);
        let input = input_schema(&mut translator, &sent, described.body.as_ref(), &properties);
        let input = self.finished(translator, input, room);
        let parameters = sent.iter().zip(&properties.parameters).map(|(parameter, property)| Parameter {
            property: property.clone(),
            name: parameter.name.clone(),
            location: parameter.location,
            form: parameter.form.clone(),
            scalar: scalar(parameter),
        });
        let parameters: Vec<Parameter> = parameters.collect();
        let pages = if may_page { paging::detect(described, &parameters) } else { None };
        let operation = Operation {
            method,
            path: described.path.clone(),
            base,
            parameters,
            body,
            accepts: accepted(described),
            security: described.security.clone(),
            pages,
        };
        let output = self.output_schema(described);
        if operation.pages.is_some() {
            let pages = pages_tool(names, described, &input, output.as_ref());
            self.offering.tools.push(pages.bound_to(operation.identity()));
        }
        self.offering.tools.push(
            OfferedTool::new(name)
                .own_names(names.own.clone())
                .path(name.to_owned())
                .title(described.summary.clone())
                .description(description(described))
                .input_schema(input)
                .output_schema(output)
                .is_output_unchecked(true)
                .hints(hints(&operation))
                .bound_to(operation.identity()),
        );
        self.offering.operations.insert(name.to_owned(), operation);
    }

    fn output_schema(&mut self, described: &Described<'d>) -> Option<Value> {
        let media = described.responses.first()?;
        let room = self.room.next();
        if is_json(&media.media_type) {
            let Some(BodySchema::Node(node)) = &media.schema else { return None };
            let mut translator = Translator::new(self.api.dialect, Direction::Output, room);
            let schema = translator.translate(node);
            return Some(self.finished(translator, schema, room));
        }
        if is_text(&media.media_type) { Some(json!({ "type": "string" })) } else { Some(binary(Direction::Output)) }
    }

    /// Adds the definitions of a schema, and counts what it has used.
    fn finished(&mut self, translator: Translator<'d>, mut schema: Value, room: usize) -> Value {
        let (definitions, warnings, left) = translator.finish();
        self.room.spend(room - left);
        warnings.into_iter().for_each(|warning| self.warn(warning));
        if let (Value::Object(schema), false) = (&mut schema, definitions.is_empty()) {
            schema.insert("$defs".to_owned(), Value::Object(definitions));
        }
        schema
    }

    fn warn(&mut self, warning: String) {
        if self.offering.warnings.len() < MAX_WARNINGS {
            self.offering.warnings.push(warning);
        } else {
            self.more += 1;
        }
    }
}

/// Returns a media type of a body. None if there is no room for its fields.
fn media_of(media: &Media<'_>, room: &mut usize) -> Option<BodyMedia> {
    let fields = declared_fields(media)?;
    *room = room.checked_sub(fields.len())?;
    Some(BodyMedia { media_type: media.media_type.clone(), encoding: media.encoding.clone(), fields })
}

/// Returns the type that a text of a request is converted to.
fn scalar(parameter: &DescribedParameter<'_>) -> Scalar {
    let Some(Ok(schema)) = parameter.schema.as_ref().map(Node::resolved) else { return Scalar::Text };
    match schema.text("type") {
        Some("integer") => Scalar::Integer,
        Some("number") => Scalar::Number,
        Some("boolean") => Scalar::Boolean,
        Some("string" | "array") => Scalar::Text,
        // It may be an object, also if it does not say so.
        Some(_) => Scalar::Object,
        None if schema.get("enum").is_some() => Scalar::Text,
        None => Scalar::Object,
    }
}

/// The names of everything in the input of a tool.
struct Properties {
    /// The names of the parameters, in their order.
    parameters: Vec<String>,
    body: String,
    media: String,
}

/// Names the properties of an input. The body has the name `body`. Of parameters with the same name, the first location
/// keeps it, and the others have their location before it.
fn properties(parameters: &[&DescribedParameter<'_>], body: Option<&DescribedBody<'_>>) -> Properties {
    let mut taken: HashSet<String> = HashSet::new();
    let (body_name, media_name) = ("body".to_owned(), "contentType".to_owned());
    if let Some(body) = body {
        taken.insert(body_name.clone());
        if body.media.len() > 1 {
            taken.insert(media_name.clone());
        }
    }
    let mut order: Vec<usize> = (0..parameters.len()).collect();
    order.sort_by_key(|index| parameters[*index].location);
    let mut named = vec![String::new(); parameters.len()];
    for index in order {
        let DescribedParameter { name, location, .. } = parameters[index];
        let mut candidate = name.clone();
        while !taken.insert(candidate.clone()) {
            candidate = format!("{}_{candidate}", location.as_str());
        }
        named[index] = candidate;
    }
    Properties { parameters: named, body: body_name, media: media_name }
}

fn input_schema<'d>(
    translator: &mut Translator<'d>,
    parameters: &[&DescribedParameter<'d>],
    body: Option<&DescribedBody<'d>>,
    names: &Properties,
) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (parameter, property) in parameters.iter().zip(&names.parameters) {
        properties.insert(property.clone(), parameter_schema(translator, parameter));
        if parameter.is_required {
            required.push(property.clone());
        }
    }
    if let Some(body) = body {
        let mut schema = match &body.media[..] {
            [only] => body_schema(translator, only),
            [first, ..] if body.media.iter().all(|media| is_json(&media.media_type)) => body_schema(translator, first),
            several => {
                let mut schemas: Vec<Value> = several.iter().map(|media| body_schema(translator, media)).collect();
                schemas.dedup();
                if schemas.len() == 1 { schemas.remove(0) } else { json!({ "anyOf": schemas }) }
            }
        };
        describe(&mut schema, &body.description);
        properties.insert(names.body.clone(), schema);
        if body.media.len() > 1 {
            let types: Vec<&str> = body.media.iter().map(|media| media.media_type.as_str()).collect();
            let text = format!("The media type of the body. By default `{}`.", types[0]);
            properties.insert(names.media.clone(), json!({ "enum": types, "description": text }));
        }
        if body.is_required {
            required.push(names.body.clone());
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn parameter_schema<'d>(translator: &mut Translator<'d>, parameter: &DescribedParameter<'d>) -> Value {
    let mut schema = match &parameter.schema {
        Some(node) => translator.translate(node),
        None => json!({ "type": "string" }),
    };
    describe(&mut schema, &parameter.description);
    if let (Value::Object(schema), true) = (&mut schema, parameter.is_deprecated) {
        schema.insert("deprecated".to_owned(), Value::Bool(true));
    }
    schema
}

fn describe(schema: &mut Value, description: &str) {
    if let (Value::Object(schema), false) = (schema, description.is_empty()) {
        schema.insert("description".to_owned(), json!(isobox_core::shorten(description, 500)));
    }
}

fn body_schema<'d>(translator: &mut Translator<'d>, media: &Media<'d>) -> Value {
    match (&media.schema, media.media_type.as_str()) {
        (Some(BodySchema::Fields(fields)), _) => {
            let properties: Map<String, Value> =
                fields.iter().map(|field| (field.name.clone(), parameter_schema(translator, field))).collect();
            let required: Vec<&str> =
                fields.iter().filter(|field| field.is_required).map(|field| field.name.as_str()).collect();
            let mut schema = json!({ "type": "object", "properties": properties });
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            schema
        }
        (Some(BodySchema::Node(node)), media_type) if is_json(media_type) || is_form(media_type) => {
            translator.translate(node)
        }
        (None, media_type) if is_json(media_type) => json!({}),
        (None, media_type) if is_form(media_type) => json!({ "type": "object" }),
        (Some(_) | None, _) => binary(Direction::Input),
    }
}

fn is_form(media_type: &str) -> bool {
    matches!(media_type, "multipart/form-data" | "application/x-www-form-urlencoded")
}

fn accepted(described: &Described<'_>) -> Vec<String> {
    let mut types: Vec<String> = described.responses.iter().map(|media| media.media_type.clone()).collect();
    let mut known = HashSet::new();
    types.retain(|one| known.insert(one.clone()));
    types
}

/// Returns what the method says about effects.
fn hints(operation: &Operation) -> ToolHints {
    let hints = ToolHints::default().idempotent(operation.is_idempotent()).open_world(true);
    if operation.is_safe() {
        hints.read_only(true)
    } else {
        hints.read_only(false).destructive(if operation.method == Method::DELETE { Some(true) } else { None })
    }
}

fn description(described: &Described<'_>) -> String {
    let Described { summary, description, method, path, is_deprecated, .. } = described;
    let mut parts: Vec<&str> = Vec::new();
    if *is_deprecated {
        parts.push("Deprecated.");
    }
    if !summary.is_empty() {
        parts.push(summary);
    }
    if !description.is_empty() && description != summary {
        parts.push(description);
    }
    let request = format!("{method} {path}");
    parts.push(&request);
    parts.join("\n\n")
}
