//! Reads what OpenAPI 3 says in its own way.

use std::collections::BTreeMap;

use super::document::Node;
use super::error::Refusal;
use super::model::{Body, BodySchema, Form, Media, Operation, Parameter, PartEncoding, Server, ServerVariable, Style};
use super::terms::{description, is_token, rank};
use crate::service::{Location, SecurityScheme, essence};

/// Reads the parameters, the body, the responses and the server of an operation.
pub(super) fn complete<'d>(
    operation: &mut Operation<'d>,
    item: &Node<'d>,
    parameters: &[Node<'d>],
) -> Result<(), Refusal> {
    for node in parameters {
        operation.parameters.extend(parameter(node)?);
    }
    let node = operation.node.clone();
    if let Some(body) = node.get("requestBody") {
        operation.body = read_body(&body.resolved()?);
    }
    if let Some(responses) = node.get("responses") {
        read_responses(operation, &responses)?;
    }
    let own = node.get("servers").or_else(|| item.get("servers"));
    operation.server = own.and_then(|servers| servers.items().find_map(|server| read_server(&server)));
    Ok(())
}

fn parameter<'d>(node: &Node<'d>) -> Result<Option<Parameter<'d>>, Refusal> {
    let (Some(name), Some(location)) = (node.text("name"), node.text("in")) else { return Ok(None) };
    let location = match location {
        "path" => Location::Path,
        "query" => Location::Query,
        "querystring" => Location::QueryString,
        "header" => Location::Header,
        "cookie" => Location::Cookie,
        // Left over from Swagger 2: a field of a form.
        "formData" | "body" => return Ok(None),
        _ => return Err(node.refuse("the `in` of a parameter is path, query, querystring, header or cookie")),
    };
    let content = node.get("content").and_then(|content| content.entries().next());
    let (schema, form) = match content {
        Some((media_type, content)) => (content.get("schema"), Form::Content(essence(media_type))),
        None => (node.get("schema"), styled(node, location)?),
    };
    Ok(Some(Parameter {
        name: name.to_owned(),
        location,
        is_required: location == Location::Path || node.truth("required").unwrap_or(false),
        description: node.text("description").map(description).unwrap_or_default(),
        is_deprecated: node.truth("deprecated").unwrap_or(false),
        schema,
        form,
    }))
}

fn styled(node: &Node<'_>, location: Location) -> Result<Form, Refusal> {
    let style = match node.text("style") {
        Some(written) => match style(written) {
            Some(style) => style,
            None => return Err(node.refuse("the `style` of the parameter is not known")),
        },
        None => match location {
            Location::Path | Location::Header => Style::Simple,
            Location::Query | Location::QueryString | Location::Cookie => Style::Form,
        },
    };
    let explode = node.truth("explode").unwrap_or(matches!(style, Style::Form | Style::Cookie | Style::DeepObject));
    Ok(Form::Styled { style, explode, is_reserved_allowed: node.truth("allowReserved").unwrap_or(false) })
}

fn style(written: &str) -> Option<Style> {
    Some(match written {
        "simple" => Style::Simple,
        "label" => Style::Label,
        "matrix" => Style::Matrix,
        "form" => Style::Form,
        "spaceDelimited" => Style::SpaceDelimited,
        "pipeDelimited" => Style::PipeDelimited,
        "deepObject" => Style::DeepObject,
        "cookie" => Style::Cookie,
        _ => return None,
    })
}

fn read_body<'d>(node: &Node<'d>) -> Option<Body<'d>> {
    let mut media = read_content(node.get("content")?);
    media.sort_by_key(|media| rank(&media.media_type));
    if media.is_empty() {
        return None;
    }
    Some(Body {
        is_required: node.truth("required").unwrap_or(false),
        description: node.text("description").map(description).unwrap_or_default(),
        media,
    })
}

fn read_content<'d>(content: Node<'d>) -> Vec<Media<'d>> {
    let media = |(media_type, node): (&'d str, Node<'d>)| Media {
        media_type: essence(media_type),
        encoding: node.get("encoding").map(|encoding| read_encoding(&encoding)).unwrap_or_default(),
        schema: node.get("schema").map(BodySchema::Node),
    };
    content.entries().map(media).collect()
}

fn read_encoding(node: &Node<'_>) -> BTreeMap<String, PartEncoding> {
    let part = |(name, part): (&str, Node<'_>)| {
        let style = part.text("style").and_then(style);
        let explode = |style| part.truth("explode").unwrap_or(style == Style::Form);
        let encoding = PartEncoding {
            content_type: part.text("contentType").map(str::to_owned),
            style: style.or(part.get("explode").map(|_| Style::Form)).map(|style| (style, explode(style))),
        };
        (name.to_owned(), encoding)
    };
    node.entries().map(|(name, node)| part((name, node))).collect()
}

fn read_responses<'d>(operation: &mut Operation<'d>, responses: &Node<'d>) -> Result<(), Refusal> {
    let mut successes: Vec<(usize, Node<'d>)> = Vec::new();
    for (status, node) in responses.entries() {
        if let Some(rank) = success_rank(status) {
            successes.push((rank, node.resolved()?));
        }
    }
    successes.sort_by_key(|(rank, _)| *rank);
    for (_, node) in successes {
        let mut media = node.get("content").map(read_content).unwrap_or_default();
        media.sort_by_key(|media| rank(&media.media_type));
        let has_link = node.get("headers").is_some_and(|headers| has_link(&headers));
        operation.has_link_header |= has_link;
        operation.responses.extend(media);
    }
    Ok(())
}

pub(super) fn has_link(headers: &Node<'_>) -> bool {
    headers.entries().any(|(name, _)| name.eq_ignore_ascii_case("link"))
}

/// Returns the rank of a successful status: the lower, the better. None if it is not successful.
pub(super) fn success_rank(status: &str) -> Option<usize> {
    match status.to_ascii_lowercase().as_str() {
        "200" => Some(0),
        "201" => Some(1),
        other if other.len() == 3 && other.starts_with('2') => Some(2),
        "default" => Some(3),
        _ => None,
    }
}

/// Reads the servers of a document.
pub(super) fn servers(root: &Node<'_>) -> Vec<Server> {
    let servers = root.get("servers");
    servers
        .into_iter()
        .flat_map(|servers| servers.items().collect::<Vec<_>>())
        .filter_map(|node| read_server(&node))
        .collect()
}

fn read_server(node: &Node<'_>) -> Option<Server> {
    let variable = |(name, node): (&str, Node<'_>)| {
        let text = |node: &Node<'_>| node.value.as_str().map_or_else(|| node.value.to_string(), str::to_owned);
        let variable = ServerVariable {
            default: node.get("default").as_ref().map(text).unwrap_or_default(),
            allowed: node.get("enum").map(|list| list.items().map(|item| text(&item)).collect()).unwrap_or_default(),
        };
        (name.to_owned(), variable)
    };
    let variables = node.get("variables").map(|all| all.entries().map(|(name, node)| variable((name, node))).collect());
    Some(Server { url: node.text("url")?.trim().to_owned(), variables: variables.unwrap_or_default() })
}

/// Reads the security schemes of a document.
pub(super) fn schemes(root: &Node<'_>) -> Result<BTreeMap<String, SecurityScheme>, Refusal> {
    let schemes = root.get("components").and_then(|components| components.get("securitySchemes"));
    let mut read = BTreeMap::new();
    for (name, node) in schemes.into_iter().flat_map(|schemes| schemes.entries().collect::<Vec<_>>()) {
        read.insert(name.to_owned(), scheme(&node.resolved()?));
    }
    Ok(read)
}

fn scheme(node: &Node<'_>) -> SecurityScheme {
    let kind = node.text("type").unwrap_or_default();
    match kind {
        "http" => match node.text("scheme").unwrap_or_default().to_ascii_lowercase().as_str() {
            "bearer" => SecurityScheme::Bearer,
            "basic" => SecurityScheme::Basic,
            other => SecurityScheme::Other(format!("http {other}")),
        },
        "apiKey" => api_key(node),
        "oauth2" => {
            let flows = node.get("flows");
            let url = |flow: &str, key: &str| flows.as_ref()?.get(flow)?.text(key).map(str::to_owned);
            SecurityScheme::OAuth {
                token_url: url("clientCredentials", "tokenUrl").or_else(|| url("authorizationCode", "tokenUrl")),
                authorization_url: url("authorizationCode", "authorizationUrl"),
            }
        }
        "openIdConnect" => SecurityScheme::OAuth { token_url: None, authorization_url: None },
        other => SecurityScheme::Other(other.to_owned()),
    }
}

/// Reads an API key, which all versions describe alike.
pub(super) fn api_key(node: &Node<'_>) -> SecurityScheme {
    let location = match node.text("in") {
        Some("header") => Location::Header,
        Some("query") => Location::Query,
        Some("cookie") => Location::Cookie,
        _ => return SecurityScheme::Other("apiKey without a place".to_owned()),
    };
    match node.text("name") {
        Some(name) if location != Location::Header || is_token(name) => {
            SecurityScheme::ApiKey { name: name.to_owned(), location }
        }
        _ => SecurityScheme::Other("apiKey without a name".to_owned()),
    }
}
