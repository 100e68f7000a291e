//! `graphql`: GraphQL services.

use std::path::Path;
use std::time::Duration;

use indexmap::IndexMap;
use isobox_connect::GraphQlService;
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, shown};
use super::services::{NO_TIME, auth, call_headers, entries, texts, with_logins};
use super::syntax::Value;

/// A GraphQL service. `Debug` hides credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphQlConfig {
    /// The service.
    pub service: GraphQlService,
    /// The maximum time for an answer.
    pub timeout: Option<Duration>,
    /// The maximum number of retries of a query.
    pub retries: Option<u32>,
    /// Its purpose, in one line.
    pub hint: String,
    /// The address as written in the file, without values of our environment.
    pub written: String,
}

impl GraphQlConfig {
    /// Starts the path of a schema at a folder.
    pub(super) fn within(&mut self, folder: &Path) {
        if let Some(path) = &self.service.schema {
            self.service.schema = Some(folder.join(path));
        }
    }
}

pub(super) const KEYS: Keys = Keys {
    known: &[
        "url",
        "schema",
        "auth",
        "headers",
        "idempotencyHeader",
        "fencingHeader",
        "timeout",
        "retries",
        "hint",
        "disabled",
    ],
    tolerated: &[],
    later: &[],
};

/// Reads the services, and the names of disabled ones.
pub(super) fn read<'d>(
    reader: &mut ConfigReader<'_>,
    value: &'d Value<'d>,
) -> (IndexMap<String, GraphQlConfig>, Vec<String>) {
    entries(reader, "graphql", value, service)
}

fn service<'d>(reader: &mut ConfigReader<'_>, name: &str, value: &'d Value<'d>) -> Option<GraphQlConfig> {
    let section = reader.section(format!("the service `{}`", shown(name)), value, &KEYS)?;
    reader.forget_variables();
    reader.truth(&section, "disabled");
    let url = match section.get("url") {
        Some(_) => reader.text(&section, "url"),
        None => {
            let message = "there is no `url`; it is the address that takes GraphQL documents";
            reader.problem(section.start, &section.owner, message);
            None
        }
    };
    let schema = reader.text(&section, "schema").map(|text| text.value.into());
    section.get("schema").into_iter().for_each(|value| reader.reads_file(value));
    let headers = texts(reader, &section, "headers");
    let call_headers = call_headers(reader, &section);
    let credentials = section.get("auth").and_then(|value| auth(reader, &section.owner, value)).unwrap_or_default();
    if let Some(value) = section.get("auth").filter(|_| !credentials.api_keys.is_empty()) {
        let message = "`auth.apiKey` is only for services with an OpenAPI document; set the key as one of `headers`";
        reader.problem(value.start(), &section.owner, message);
    }
    let timeout = reader.duration(&section, "timeout", NO_TIME);
    let retries = reader.count(&section, "retries");
    let hint = reader.text(&section, "hint").map(|text| text.value).unwrap_or_default();
    let written = match section.get("url") {
        Some(Value::StringLit(literal)) => literal.value.to_string(),
        Some(_) | None => String::new(),
    };
    let written = with_logins(written, &section);
    let service = GraphQlService::new(url?.value)
        .schema(schema)
        .auth(credentials)
        .headers(headers)
        .call_headers(call_headers)
        .secrets(reader.forget_variables());
    Some(GraphQlConfig { service, timeout, retries, hint, written })
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    #[test]
    fn a_service_is_read_with_its_variables_and_conceals_them() {
        let text = r#"{ "graphql": {
            "shop": { "url": "https://${HOST}/graphql", "schema": "./shop.graphql", "auth": { "bearer": "${TOKEN}" },
                "headers": { "X-Key": "k" }, "fencingHeader": "X-Fence", "timeout": "5s", "retries": 0, "hint": "Products." },
            "plain": { "url": "https://a.example/graphql" },
            "off": { "disabled": true },
        } }"#;
        let environment = |name: &str| Some(format!("value-of-{name}"));
        let config = Config::parse(text, &environment).expect("it is a configuration");
        assert_eq!(config.disabled_servers, ["off"]);
        let GraphQlConfig { service, timeout, retries, hint, written } = &config.graphql["shop"];
        assert_eq!(service.url, "https://value-of-HOST/graphql");
        assert_eq!(service.schema.as_deref(), Some(Path::new("./shop.graphql")));
        assert_eq!(service.auth.bearer.as_deref(), Some("value-of-TOKEN"));
        assert_eq!(service.headers["X-Key"], "k");
        assert_eq!(service.call_headers.fencing.as_deref(), Some("X-Fence"));
        assert_eq!(service.secrets, ["value-of-HOST", "value-of-TOKEN"]);
        assert_eq!((*timeout, *retries, hint.as_str()), (Some(Duration::from_secs(5)), Some(0), "Products."));
        assert_eq!(written, "https://${HOST}/graphql");
        assert_eq!(config.graphql["plain"].service.schema, None);
        assert!(!format!("{config:?}").contains("value-of-TOKEN"));
        let services = [("shop", "https://${HOST}/graphql"), ("plain", "https://a.example/graphql")];
        assert_eq!(config.reach.services, services.map(|(name, written)| (name.to_owned(), written.to_owned())));
        assert_eq!(config.reach.files.iter().collect::<Vec<_>>(), ["./shop.graphql"]);
    }
}
