//! Reads what Swagger 2 says in its own way.

use std::collections::BTreeMap;

use super::document::Node;
use super::error::Refusal;
use super::model::{Body, BodySchema, Form, Media, Operation, Parameter, PartEncoding, Server, Style};
use super::openapi3::{api_key, has_link, success_rank};
use super::terms::{description, rank};
use crate::service::{Location, SecurityScheme, essence};

/// Reads the parameters, the body and the responses of an operation.
pub(super) fn complete<'d>(
    operation: &mut Operation<'d>,
    root: &Node<'d>,
    parameters: &[Node<'d>],
) -> Result<(), Refusal> {
    let (mut body, mut fields) = (None, Vec::new());
    for node in parameters {
        let location = match node.text("in").unwrap_or_default() {
            "path" => Location::Path,
            "query" => Location::Query,
            "header" => Location::Header,
            "cookie" => Location::Cookie,
            "body" => {
                body = Some(node.clone());
                continue;
            }
            "formData" => {
                fields.push(parameter(node, Location::Query));
                continue;
            }
            _ => return Err(node.refuse("the `in` of a parameter is path, query, header, formData or body")),
        };
        operation.parameters.push(parameter(node, location));
    }
    let node = operation.node.clone();
    let media_types = |key: &str| {
        let own = node.get(key).or_else(|| root.get(key));
        let items = own.into_iter().flat_map(|list| list.items().collect::<Vec<_>>());
        let mut types: Vec<String> = items.filter_map(|item| Some(essence(item.value.as_str()?))).collect();
        types.sort_by_key(|media_type| rank(media_type));
        types
    };
    operation.body = match (body, fields) {
        (Some(node), _) => Some(plain_body(&node, media_types("consumes"))),
        (None, fields) if fields.is_empty() => None,
        (None, fields) => Some(form_body(fields, &media_types("consumes"))),
    };
    let Some(responses) = node.get("responses") else { return Ok(()) };
    let mut successes = Vec::new();
    for (status, node) in responses.entries() {
        if let Some(rank) = success_rank(status) {
            successes.push((rank, node.resolved()?));
        }
    }
    successes.sort_by_key(|(rank, _)| *rank);
    let produced = media_types("produces").into_iter().next().unwrap_or_else(|| "application/json".to_owned());
    for (_, node) in successes {
        operation.has_link_header |= node.get("headers").is_some_and(|headers| has_link(&headers));
        if let Some(schema) = node.get("schema") {
            operation.responses.push(Media {
                media_type: produced.clone(),
                schema: Some(BodySchema::Node(schema)),
                encoding: BTreeMap::new(),
            });
        }
    }
    Ok(())
}

/// Reads a parameter. Its schema is the parameter itself.
fn parameter<'d>(node: &Node<'d>, location: Location) -> Parameter<'d> {
    let (style, explode) = match (node.text("collectionFormat"), location) {
        (Some("multi"), _) => (Style::Form, true),
        (_, Location::Path | Location::Header) => (Style::Simple, false),
        (Some("ssv"), _) => (Style::SpaceDelimited, false),
        (Some("tsv"), _) => (Style::TabDelimited, false),
        (Some("pipes"), _) => (Style::PipeDelimited, false),
        _ => (Style::Form, false),
    };
    Parameter {
        name: node.text("name").unwrap_or_default().to_owned(),
        location,
        is_required: location == Location::Path || node.truth("required").unwrap_or(false),
        description: node.text("description").map(description).unwrap_or_default(),
        is_deprecated: node.truth("deprecated").unwrap_or(false),
        schema: Some(node.get("schema").unwrap_or_else(|| node.clone())),
        form: Form::Styled { style, explode, is_reserved_allowed: false },
    }
}

fn plain_body<'d>(node: &Node<'d>, mut media_types: Vec<String>) -> Body<'d> {
    media_types.retain(|media_type| !is_form(media_type));
    if media_types.is_empty() {
        media_types.push("application/json".to_owned());
    }
    let media =
        |media_type| Media { media_type, schema: node.get("schema").map(BodySchema::Node), encoding: BTreeMap::new() };
    Body {
        is_required: node.truth("required").unwrap_or(false),
        description: node.text("description").map(description).unwrap_or_default(),
        media: media_types.into_iter().map(media).collect(),
    }
}

fn form_body<'d>(fields: Vec<Parameter<'d>>, media_types: &[String]) -> Body<'d> {
    let has_file =
        fields.iter().any(|field| field.schema.as_ref().is_some_and(|node| node.text("type") == Some("file")));
    let stated = media_types.iter().find(|media_type| is_form(media_type)).cloned();
    let media_type = match stated {
        Some(stated) if !has_file => stated,
        Some(_) | None if has_file => "multipart/form-data".to_owned(),
        Some(_) | None => "application/x-www-form-urlencoded".to_owned(),
    };
    let encoding = fields.iter().filter_map(list_encoding).collect();
    Body {
        is_required: fields.iter().any(|field| field.is_required),
        description: String::new(),
        media: vec![Media { media_type, schema: Some(BodySchema::Fields(fields)), encoding }],
    }
}

/// Returns how a list in a form is sent. Everything else is sent as in any form.
fn list_encoding(field: &Parameter<'_>) -> Option<(String, PartEncoding)> {
    let schema = field.schema.as_ref()?;
    let is_list = schema.text("type") == Some("array") || schema.text("collectionFormat").is_some();
    match field.form {
        Form::Styled { style, explode, .. } if is_list => {
            Some((field.name.clone(), PartEncoding { content_type: None, style: Some((style, explode)) }))
        }
        Form::Styled { .. } | Form::Content(_) => None,
    }
}

fn is_form(media_type: &str) -> bool {
    matches!(media_type, "multipart/form-data" | "application/x-www-form-urlencoded")
}

/// Reads the servers of a document.
pub(super) fn servers(root: &Node<'_>) -> Vec<Server> {
    let schemes: Vec<&str> = root
        .get("schemes")
        .map(|list| list.items().filter_map(|item| item.value.as_str()).collect())
        .unwrap_or_default();
    let base = root.text("basePath").unwrap_or_default();
    let url = match root.text("host") {
        Some(host) => {
            let scheme = if schemes.contains(&"https") || !schemes.contains(&"http") { "https" } else { "http" };
            format!("{scheme}://{host}{}{base}", if base.starts_with('/') || base.is_empty() { "" } else { "/" })
        }
        None if base.is_empty() => "/".to_owned(),
        None => base.to_owned(),
    };
    vec![Server { url, variables: BTreeMap::new() }]
}

/// Reads the security schemes of a document.
pub(super) fn schemes(root: &Node<'_>) -> Result<BTreeMap<String, SecurityScheme>, Refusal> {
    let mut read = BTreeMap::new();
    for (name, node) in root.get("securityDefinitions").into_iter().flat_map(|all| all.entries().collect::<Vec<_>>()) {
        let node = node.resolved()?;
        let scheme = match node.text("type").unwrap_or_default() {
            "basic" => SecurityScheme::Basic,
            "apiKey" => api_key(&node),
            "oauth2" => SecurityScheme::OAuth {
                token_url: node.text("tokenUrl").map(str::to_owned),
                authorization_url: node.text("authorizationUrl").map(str::to_owned),
            },
            other => SecurityScheme::Other(other.to_owned()),
        };
        read.insert(name.to_owned(), scheme);
    }
    Ok(read)
}
