//! Reads a document as a model. What the versions of OpenAPI have in common is here.

use std::collections::HashSet;

use isobox_core::{brief, shorten};
use serde_json::Value;

use super::document::{Documents, Node};
use super::error::Refusal;
use super::model::{
    Api, Body, BodySchema, Dialect, Form, Media, Operation, Parameter, PartEncoding, Server, ServerVariable, Style,
};
use super::template;
use super::terms::{description, is_token};
use super::{openapi3, swagger2};
use crate::service::Location;

/// The version of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Swagger2,
    OpenApi3(Dialect),
}

/// The maximum number of operations of a document.
const MAX_OPERATIONS: usize = 20_000;
/// The maximum number of parameters of an operation.
const MAX_PARAMETERS: usize = 5_000;
/// The maximum size of all operations together, as [`size`] counts it. Operations may share what they refer to, and each has a copy.
const MAX_SIZE: usize = 256 << 20;
/// The maximum number of security schemes.
const MAX_SCHEMES: usize = 200;
/// The maximum length of a path, and of a name, in bytes.
const MAX_PATH: usize = 2_000;
const MAX_NAME: usize = 500;

const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// Reads a document.
pub(super) fn read(documents: &Documents) -> Result<Api<'_>, Refusal> {
    let root = documents.root();
    let version = version(&root)?;
    let (servers, schemes) = match version {
        Version::Swagger2 => (swagger2::servers(&root), swagger2::schemes(&root)?),
        Version::OpenApi3(_) => (openapi3::servers(&root), openapi3::schemes(&root)?),
    };
    if schemes.len() > MAX_SCHEMES {
        return Err(root.refuse(format!("there are more than {MAX_SCHEMES} security schemes")));
    }
    let info = root.get("info");
    let of_info = |key: &str| info.as_ref().and_then(|info| info.text(key)).map(description).unwrap_or_default();
    let mut api = Api {
        title: of_info("title"),
        description: of_info("description"),
        operations: Vec::new(),
        servers,
        schemes,
        dialect: match version {
            Version::Swagger2 => Dialect::Old,
            Version::OpenApi3(dialect) => dialect,
        },
    };
    let Some(paths) = root.get("paths") else {
        if root.get("components").is_some() || root.get("webhooks").is_some() {
            return Ok(api);
        }
        return Err(root.refuse("there are no `paths`"));
    };
    if !paths.value.is_object() {
        return Err(paths.refuse("`paths` has to be an object"));
    }
    let mut room = MAX_SIZE;
    for (path, item) in paths.entries().filter(|(path, _)| path.starts_with('/')) {
        if path.len() > MAX_PATH {
            return Err(item.refuse("the path is too long"));
        }
        read_path(&mut api, &mut room, version, path, &item)?;
    }
    Ok(api)
}

/// Finds the version of a document, or why it is not one of OpenAPI.
pub(super) fn version(root: &Node<'_>) -> Result<Version, Refusal> {
    let written = |key: &str| match root.value.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    if !root.value.is_object() {
        return Err(root.refuse("this is not an OpenAPI document: it is not an object"));
    }
    if let Some(version) = written("openapi") {
        return match version.split('.').take(2).collect::<Vec<_>>()[..] {
            ["3", "0"] => Ok(Version::OpenApi3(Dialect::Old)),
            ["3", "1" | "2"] => Ok(Version::OpenApi3(Dialect::New)),
            _ => {
                let version = brief(&version, 40);
                Err(root.refuse(format!("version {version} of OpenAPI is not supported; 3.0, 3.1, 3.2 and 2.0 are")))
            }
        };
    }
    match written("swagger") {
        Some(version) if version == "2" || version.starts_with("2.") => Ok(Version::Swagger2),
        Some(version) => {
            let version = brief(&version, 40);
            Err(root.refuse(format!("version {version} of Swagger is not supported; 2.0 is")))
        }
        None => Err(root.refuse("this is not an OpenAPI document: it has neither `openapi` nor `swagger`")),
    }
}

fn read_path<'d>(
    api: &mut Api<'d>,
    room: &mut usize,
    version: Version,
    path: &str,
    item: &Node<'d>,
) -> Result<(), Refusal> {
    let referenced = item.reference().is_some();
    let target = item.resolved()?;
    if !target.value.is_object() {
        return if target.value.is_null() { Ok(()) } else { Err(target.refuse("a path has to be an object")) };
    }
    // A reference may have operations beside it.
    let places = if referenced { vec![target, item.clone()] } else { vec![target] };
    for place in places {
        for (method, node) in place.entries() {
            let is_method = METHODS.iter().any(|known| method.eq_ignore_ascii_case(known));
            if is_method && node.value.is_object() {
                let operation = read_operation(version, &method.to_ascii_uppercase(), path, &place, &node)?;
                add(api, room, operation)?;
            }
        }
        if let Some(more) = place.get("additionalOperations") {
            for (method, node) in more.entries().filter(|(_, node)| node.value.is_object()) {
                if !is_token(method) || method.eq_ignore_ascii_case("connect") {
                    return Err(node.refuse("this is not a method of HTTP"));
                }
                add(api, room, read_operation(version, method, path, &place, &node)?)?;
            }
        }
    }
    Ok(())
}

/// Adds an operation. `room` is what is left of [`MAX_SIZE`].
fn add<'d>(api: &mut Api<'d>, room: &mut usize, operation: Operation<'d>) -> Result<(), Refusal> {
    if api.operations.len() == MAX_OPERATIONS {
        return Err(operation.node.refuse(format!("there are more than {MAX_OPERATIONS} operations")));
    }
    let left = room.checked_sub(size(&operation));
    *room = left.ok_or_else(|| operation.node.refuse("the operations up to this one are too large together"))?;
    api.operations.push(operation);
    Ok(())
}

/// Returns about how many bytes an operation takes.
fn size(operation: &Operation<'_>) -> usize {
    /// The size of a part without its texts.
    const PART: usize = 200;
    let of_parameter = |parameter: &Parameter<'_>| PART + parameter.name.len() + parameter.description.len();
    let of_media = |media: &Media<'_>| {
        let fields: usize = match &media.schema {
            Some(BodySchema::Fields(fields)) => fields.iter().map(of_parameter).sum(),
            Some(BodySchema::Node(_)) | None => 0,
        };
        let text = |part: &PartEncoding| part.content_type.as_ref().map_or(0, String::len);
        let encodings = media.encoding.iter().map(|(name, part)| PART + name.len() + text(part)).sum::<usize>();
        PART + media.media_type.len() + fields + encodings
    };
    let of_body = |body: &Body<'_>| body.description.len() + body.media.iter().map(of_media).sum::<usize>();
    let of_variable = |(name, variable): (&String, &ServerVariable)| {
        let allowed = variable.allowed.iter().map(|value| PART + value.len()).sum::<usize>();
        PART + name.len() + variable.default.len() + allowed
    };
    let of_server = |server: &Server| PART + server.url.len() + server.variables.iter().map(of_variable).sum::<usize>();
    let schemes = operation.security.iter().flatten();
    PART + operation.summary.len()
        + operation.description.len()
        + operation.parameters.iter().map(of_parameter).sum::<usize>()
        + operation.body.as_ref().map_or(0, of_body)
        + operation.responses.iter().map(of_media).sum::<usize>()
        + schemes.map(|all| PART + all.iter().map(|name| PART + name.len()).sum::<usize>()).sum::<usize>()
        + operation.server.as_ref().map_or(0, of_server)
}

fn read_operation<'d>(
    version: Version,
    method: &str,
    path: &str,
    item: &Node<'d>,
    node: &Node<'d>,
) -> Result<Operation<'d>, Refusal> {
    let root = node.documents.root();
    let nodes = all_parameters(item, node)?;
    let text = |key: &str| node.text(key).map(description).unwrap_or_default();
    let mut operation = Operation {
        node: node.clone(),
        method: method.to_owned(),
        path: path.to_owned(),
        id: node.text("operationId").map(str::trim).filter(|id| !id.is_empty()).map(|id| shorten(id, MAX_NAME)),
        tag: node.get("tags").and_then(|tags| Some(tags.value.get(0)?.as_str()?.trim().to_owned())),
        summary: text("summary"),
        description: text("description"),
        is_deprecated: node.truth("deprecated").unwrap_or(false),
        parameters: Vec::new(),
        body: None,
        responses: Vec::new(),
        has_link_header: false,
        security: security(&root, node),
        server: None,
    };
    operation.tag = operation.tag.filter(|tag| !tag.is_empty()).map(|tag| shorten(&tag, MAX_NAME));
    match version {
        Version::Swagger2 => swagger2::complete(&mut operation, &root, &nodes)?,
        Version::OpenApi3(_) => openapi3::complete(&mut operation, item, &nodes)?,
    }
    operation.parameters.extend(undeclared(&operation));
    Ok(operation)
}

/// Returns the parameters of an operation and of its path, with references followed. Those of the operation replace
/// those of the path.
fn all_parameters<'d>(item: &Node<'d>, node: &Node<'d>) -> Result<Vec<Node<'d>>, Refusal> {
    let mut known = HashSet::new();
    let mut all = Vec::new();
    for list in [node.get("parameters"), item.get("parameters")].into_iter().flatten() {
        for parameter in list.items() {
            let parameter = parameter.resolved()?;
            let Some(name) = parameter.text("name") else {
                return Err(parameter.refuse("a parameter needs a `name`"));
            };
            let Some(location) = parameter.text("in") else {
                return Err(parameter.refuse("a parameter needs an `in`"));
            };
            if name.len() > MAX_NAME {
                return Err(parameter.refuse("the name of the parameter is too long"));
            }
            // The body has one name only.
            let name = if location == "body" { "" } else { name };
            if known.insert((name, location)) {
                all.push(parameter);
            }
            if all.len() > MAX_PARAMETERS {
                return Err(node.refuse(format!("it has more than {MAX_PARAMETERS} parameters")));
            }
        }
    }
    Ok(all)
}

/// Returns the parameters of the path that are not declared. They are texts.
fn undeclared<'d>(operation: &Operation<'d>) -> Vec<Parameter<'d>> {
    let is_declared = |name: &str| {
        operation.parameters.iter().any(|parameter| parameter.location == Location::Path && parameter.name == name)
    };
    let mut names = template::names(&operation.path);
    names.retain(|name| !is_declared(name));
    names.sort_unstable();
    names.dedup();
    let parameter = |name: &str| Parameter {
        name: name.to_owned(),
        location: Location::Path,
        is_required: true,
        description: String::new(),
        is_deprecated: false,
        schema: None,
        form: Form::Styled { style: Style::Simple, explode: false, is_reserved_allowed: false },
    };
    names.into_iter().map(parameter).collect()
}

/// Returns the alternatives of schemes that an operation needs. None if the document states nothing.
fn security(root: &Node<'_>, node: &Node<'_>) -> Option<Vec<Vec<String>>> {
    let security = node.get("security").or_else(|| root.get("security"))?;
    let alternative = |requirement: Node<'_>| requirement.entries().map(|(name, _)| name.to_owned()).collect();
    Some(security.items().map(alternative).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::documents_of;
    use super::*;

    #[test]
    fn what_operations_share_is_bounded_in_all_of_them_together() {
        let parameter =
            |number: usize| json!({ "name": format!("p{number}"), "in": "query", "description": "d".repeat(500) });
        let parameters: Vec<Value> = (0..4_000).map(parameter).collect();
        let paths = |count: usize| -> serde_json::Map<String, Value> {
            (0..count).map(|number| (format!("/{number}"), json!({ "$ref": "#/shared" }))).collect()
        };
        let document = |count: usize| {
            let shared = json!({ "parameters": parameters, "get": {} });
            documents_of(json!({ "openapi": "3.0.0", "paths": paths(count), "shared": shared }))
        };
        assert_eq!(read(&document(10)).unwrap().operations.len(), 10);
        let refused = read(&document(1_000)).unwrap_err().to_string();
        assert!(refused.contains("too large together"), "{refused}");
    }
}
