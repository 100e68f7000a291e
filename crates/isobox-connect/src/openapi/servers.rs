//! Finds the address of a service. Decisions only; no I/O.

use std::collections::BTreeMap;

use hyper::Uri;
use isobox_core::brief;

use super::document::Place;
use super::model::Server;
use super::options::OpenApiService;
use super::template::{Part, parts};
use crate::http::{Origin, join_url, parse_url};

/// The address of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Base {
    pub(super) url: Uri,
    /// The origin that credentials are sent to.
    pub(super) origin: Origin,
}

/// Returns the address of a service: the configured one, or the first server of its document.
///
/// The server of a document that was fetched must have the origin of the document if there are credentials. Otherwise, a
/// change of the document could direct them elsewhere.
pub(super) fn base(service: &OpenApiService, servers: &[Server], place: &Place) -> Result<Base, String> {
    let url = match &service.base_url {
        Some(configured) => parse_url(configured).map_err(|why| format!("`baseUrl` is not usable: {why}"))?,
        None => {
            let default = Server { url: "/".to_owned(), variables: BTreeMap::new() };
            let server = servers.first().unwrap_or(&default);
            resolve(server, &service.server_variables, place)
                .map_err(|why| format!("the server of the document is not usable: {why}; set `baseUrl`"))?
        }
    };
    let origin = Origin::of(&url).map_err(str::to_owned)?;
    let has_credentials = !service.auth.is_empty() || !service.headers.is_empty();
    if let (None, Place::Url(document)) = (&service.base_url, place)
        && has_credentials
        && parse_url(document).and_then(|url| Origin::of(&url)).as_ref() != Ok(&origin)
    {
        return Err(format!(
            "the document names the server {origin}, which is not where the document is from; set `baseUrl` to the \
             service that the credentials are for"
        ));
    }
    Ok(Base { url, origin })
}

/// Returns the address of the server of one operation. The configured address replaces it.
pub(super) fn of_operation(
    base: &Base,
    service: &OpenApiService,
    own: Option<&Server>,
    place: &Place,
) -> Result<Uri, String> {
    match own {
        Some(server) if service.base_url.is_none() => resolve(server, &service.server_variables, place),
        Some(_) | None => Ok(base.url.clone()),
    }
}

/// Fills in the variables of a server, and resolves a relative address against the document.
fn resolve(server: &Server, variables: &BTreeMap<String, String>, place: &Place) -> Result<Uri, String> {
    let mut url = String::new();
    for part in parts(&server.url) {
        match part {
            Part::Text(text) => url.push_str(text),
            Part::Name(name) => {
                let declared = server.variables.get(name);
                let value = variables.get(name).or(declared.map(|variable| &variable.default));
                let shown = brief(name, 80);
                let value = value.filter(|value| !value.is_empty());
                let value = value
                    .ok_or_else(|| format!("its variable `{shown}` has no value; set it under `serverVariables`"))?;
                if let Some(variable) = declared
                    && !variable.allowed.is_empty()
                    && !variable.allowed.contains(value)
                {
                    let allowed = brief(&variable.allowed.join(", "), 200);
                    return Err(format!("its variable `{shown}` can only be one of: {allowed}"));
                }
                url.push_str(value);
            }
        }
    }
    let is_absolute = url.contains("://");
    match place {
        _ if is_absolute => parse_url(&url).map_err(str::to_owned),
        Place::Url(document) => parse_url(document).and_then(|base| join_url(&base, &url)).map_err(str::to_owned),
        Place::File(_) => Err("it is relative".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::ServerVariable;
    use super::*;
    use crate::service::Auth;

    fn server(url: &str) -> Server {
        let variable = |default: &str, allowed: &[&str]| ServerVariable {
            default: default.to_owned(),
            allowed: allowed.iter().map(|one| (*one).to_owned()).collect(),
        };
        let variables = [
            ("region", variable("eu", &["eu", "us"])),
            ("version", variable("v1", &[])),
            ("tenant", variable("", &[])),
        ];
        Server { url: url.to_owned(), variables: variables.map(|(name, variable)| (name.to_owned(), variable)).into() }
    }

    fn found(service: &OpenApiService, url: &str) -> Result<String, String> {
        base(service, &[server(url)], &service.spec).map(|base| base.url.to_string())
    }

    #[test]
    fn the_address_comes_from_the_configuration_or_the_document() {
        let file = OpenApiService::new(Place::File("/a.yaml".into()));
        let url = OpenApiService::new(Place::Url("https://docs.example.com/v3/api.json".into()));
        let with =
            |name: &str, value: &str| file.clone().server_variables([(name.to_owned(), value.to_owned())].into());
        for (service, server, expected) in [
            (file.clone(), "https://{region}.example.com/{version}", Ok("https://eu.example.com/v1")),
            (with("region", "us"), "https://{region}.example.com/", Ok("https://us.example.com/")),
            (with("region", "x"), "https://{region}.example.com/", Err("can only be one of: eu, us")),
            (file.clone(), "https://{tenant}.example.com/", Err("`tenant` has no value")),
            (with("tenant", "t"), "https://{tenant}.example.com/", Ok("https://t.example.com/")),
            (file.clone(), "/v1", Err("it is relative; set `baseUrl`")),
            (url.clone(), "/v1", Ok("https://docs.example.com/v1")),
            (url.clone(), "v1", Ok("https://docs.example.com/v3/v1")),
            (url.clone(), "https://api.example.com/", Ok("https://api.example.com/")),
            (url.clone().auth(Auth::bearer("t")), "https://api.example.com/", Err("set `baseUrl`")),
            (url.clone().auth(Auth::bearer("t")), "/v1", Ok("https://docs.example.com/v1")),
            (
                url.auth(Auth::bearer("t")).base_url("https://b.example".to_owned()),
                "https://c.example/",
                Ok("https://b.example/"),
            ),
            (file.clone(), "ftp://x/", Err("neither http nor https")),
            (file.base_url("nowhere".to_owned()), "/", Err("`baseUrl` is not usable")),
        ] {
            match (found(&service, server), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{server}"),
                (Err(found), Err(expected)) => assert!(found.contains(expected), "{server}: {found}"),
                (found, expected) => panic!("{server}: {found:?} instead of {expected:?}"),
            }
        }
    }
}
