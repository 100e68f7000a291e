//! `openapi`: web services with an OpenAPI document.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use indexmap::IndexMap;
use isobox_connect::{Auth, CallHeaders, OAuth, OAuthGrant, OpenApiService, Place};
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section, shown};
use super::servers::redirect_port;
use super::syntax::Value;

/// A web service with an OpenAPI document. `Debug` hides credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenApiConfig {
    /// The service.
    pub service: OpenApiService,
    /// The maximum time for an answer.
    pub timeout: Option<Duration>,
    /// The maximum number of redirects of a request.
    pub redirects: Option<u32>,
    /// The maximum number of retries of an idempotent request.
    pub retries: Option<u32>,
    /// The maximum number of pages of a list.
    pub max_pages: Option<u32>,
    /// Its purpose, in one line.
    pub hint: String,
    /// The address or the document as written in the file, without values of our environment.
    pub written: String,
}

impl OpenApiConfig {
    /// Starts the path of a document at a folder.
    pub(super) fn within(&mut self, folder: &Path) {
        if let Place::File(path) = &self.service.spec {
            self.service.spec = Place::File(folder.join(path));
        }
    }
}

pub(super) const NO_TIME: &str =
    "`timeout` is 0, which leaves no time for any answer; leave it out where there is none";

pub(super) const KEYS: Keys = Keys {
    known: &[
        "spec",
        "baseUrl",
        "serverVariables",
        "auth",
        "headers",
        "idempotencyHeader",
        "fencingHeader",
        "timeout",
        "redirects",
        "retries",
        "maxPages",
        "hint",
        "disabled",
    ],
    tolerated: &[],
    later: &[],
};

pub(super) const AUTH: Keys = Keys { known: &["bearer", "basic", "apiKey", "oauth"], tolerated: &[], later: &[] };
pub(super) const BASIC: Keys = Keys { known: &["username", "password"], tolerated: &[], later: &[] };
pub(super) const OAUTH: Keys = Keys {
    known: &[
        "clientId",
        "clientSecret",
        "tokenUrl",
        "authorizationUrl",
        "scopes",
        "refreshToken",
        "login",
        "redirectPort",
    ],
    tolerated: &[],
    later: &[],
};

/// Reads the services, and the names of disabled ones.
pub(super) fn read<'d>(
    reader: &mut ConfigReader<'_>,
    value: &'d Value<'d>,
) -> (IndexMap<String, OpenApiConfig>, Vec<String>) {
    entries(reader, "openapi", value, service)
}

/// Reads the entries of services of one kind, and the names of disabled ones.
pub(super) fn entries<'d, T>(
    reader: &mut ConfigReader<'_>,
    key: &str,
    value: &'d Value<'d>,
    service: impl Fn(&mut ConfigReader<'_>, &str, &'d Value<'d>) -> Option<T>,
) -> (IndexMap<String, T>, Vec<String>) {
    let (mut services, mut disabled) = (IndexMap::new(), Vec::new());
    for (start, name, value) in reader.entries("", key, value).unwrap_or_default() {
        let is_disabled =
            value.as_object().and_then(|object| object.get_boolean("disabled")).is_some_and(|one| one.value);
        if name.is_empty() {
            let message = "a service needs a name; its tools are found under it";
            reader.problem(start, &format!("`{key}`"), message);
        } else if is_disabled {
            disabled.push(name.to_owned());
        } else if let Some(service) = service(reader, name, value) {
            services.insert(name.to_owned(), service);
        }
    }
    (services, disabled)
}

fn service<'d>(reader: &mut ConfigReader<'_>, name: &str, value: &'d Value<'d>) -> Option<OpenApiConfig> {
    let section = reader.section(format!("the service `{}`", shown(name)), value, &KEYS)?;
    reader.forget_variables();
    reader.truth(&section, "disabled");
    let spec = match section.get("spec") {
        Some(_) => reader.text(&section, "spec"),
        None => {
            let message = "there is no `spec`; name the file or the address of its OpenAPI document";
            reader.problem(section.start, &section.owner, message);
            None
        }
    };
    let base_url = reader.text(&section, "baseUrl").map(|text| text.value);
    let server_variables = texts(reader, &section, "serverVariables");
    let headers = texts(reader, &section, "headers");
    let call_headers = call_headers(reader, &section);
    let auth = section.get("auth").and_then(|value| auth(reader, &section.owner, value)).unwrap_or_default();
    let timeout = reader.duration(&section, "timeout", NO_TIME);
    let redirects = reader.count(&section, "redirects");
    let retries = reader.count(&section, "retries");
    let max_pages = reader.count(&section, "maxPages");
    if max_pages == Some(0) {
        let message = "`maxPages` is 0, so that no list can be read; leave it out for the default of 1000";
        reader.problem(section.start, &section.owner, message);
    }
    let hint = reader.text(&section, "hint").map(|text| text.value).unwrap_or_default();
    let literal = |key: &str| match section.get(key)? {
        Value::StringLit(literal) => Some(literal.value.to_string()),
        _ => None,
    };
    let place = Place::parse(&spec?.value);
    let written = match (&place, literal("baseUrl"), literal("spec")) {
        (Place::Url(_), Some(base), Some(spec)) => Some(format!("{base}, described by {spec}")),
        (_, base, spec) => base.or(spec),
    };
    if let (Place::File(_), Some(value)) = (&place, section.get("spec")) {
        reader.reads_file(value);
    }
    let service = OpenApiService::new(place)
        .base_url(base_url)
        .server_variables(server_variables)
        .auth(auth)
        .headers(headers)
        .call_headers(call_headers)
        .secrets(reader.forget_variables());
    let written = with_logins(written.unwrap_or_default(), &section);
    Some(OpenApiConfig { service, timeout, redirects, retries, max_pages, hint, written })
}

/// Adds the addresses that credentials of a service are sent to, as written in the file.
pub(super) fn with_logins(written: String, section: &Section<'_>) -> String {
    let auth = section.get("auth").and_then(|value| value.as_object());
    let Some(oauth) = auth.and_then(|auth| auth.get_object("oauth")) else { return written };
    let logins = ["authorizationUrl", "tokenUrl"].into_iter().filter_map(|key| oauth.get_string(key));
    let logins: Vec<&str> = logins.map(|literal| literal.value.as_ref()).collect();
    if logins.is_empty() { written } else { format!("{written}, with a login at {}", logins.join(", ")) }
}

/// Reads the names of the headers for the key and the token of a call.
pub(super) fn call_headers(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> CallHeaders {
    let mut name = |key: &str| reader.text(section, key).map(|text| text.value);
    CallHeaders::default().idempotency(name("idempotencyHeader")).fencing(name("fencingHeader"))
}

pub(super) fn texts(reader: &mut ConfigReader<'_>, section: &Section<'_>, key: &str) -> BTreeMap<String, String> {
    let entries = section.get(key).and_then(|value| reader.entries(&section.owner, key, value));
    let mut texts = BTreeMap::new();
    for (_, name, value) in entries.unwrap_or_default() {
        if let Some(text) = reader.text_of(&section.owner, &format!("{key}.{}", shown(name)), value, "a text") {
            texts.insert(name.to_owned(), text.value);
        }
    }
    texts
}

pub(super) fn auth<'d>(reader: &mut ConfigReader<'_>, owner: &str, value: &'d Value<'d>) -> Option<Auth> {
    let section = reader.section(format!("{owner}, `auth`"), value, &AUTH)?;
    let mut auth = reader.text(&section, "bearer").map_or_else(Auth::default, |text| Auth::bearer(text.value));
    if let Some(basic) = section.get("basic").and_then(|value| reader.section(section.owner.clone(), value, &BASIC)) {
        let name = required(reader, &basic, "username");
        let password = required(reader, &basic, "password");
        auth.basic = name.zip(password);
    }
    match section.get("apiKey") {
        Some(value @ Value::Object(_)) => {
            for (_, scheme, value) in reader.entries(&section.owner, "apiKey", value).unwrap_or_default() {
                let key = format!("apiKey.{}", shown(scheme));
                if let Some(text) = reader.text_of(&section.owner, &key, value, "a text") {
                    auth = auth.with_api_key(scheme.to_owned(), text.value);
                }
            }
        }
        Some(_) => {
            if let Some(text) = reader.text(&section, "apiKey") {
                auth = auth.with_api_key(None, text.value);
            }
        }
        None => {}
    }
    if let Some(section) = section.get("oauth").and_then(|value| reader.section(section.owner.clone(), value, &OAUTH)) {
        let id = required(reader, &section, "clientId");
        let mut text = |key: &str| reader.text(&section, key).map(|text| text.value);
        let (secret, url, refresh) = (text("clientSecret"), text("tokenUrl"), text("refreshToken"));
        let authorization_url = text("authorizationUrl");
        let is_login = reader.truth(&section, "login");
        let redirect_port = redirect_port(reader, &section);
        let scopes = reader.texts(&section, "scopes").unwrap_or_default().into_iter().map(|text| text.value).collect();
        // Without a secret, a client cannot get tokens by itself.
        let grant = match (refresh, is_login.unwrap_or(secret.is_none())) {
            (Some(token), _) => OAuthGrant::RefreshToken(token),
            (None, true) => OAuthGrant::AuthorizationCode,
            (None, false) => OAuthGrant::ClientCredentials,
        };
        let client = OAuth::new(id?, secret.unwrap_or_default())
            .token_url(url)
            .authorization_url(authorization_url)
            .scopes(scopes)
            .grant(grant)
            .redirect_port(redirect_port);
        auth = auth.with_oauth(client);
    }
    if auth.is_empty() {
        let message = "`auth` has no credentials; it has `bearer`, `basic`, `apiKey` or `oauth`";
        reader.problem(value.start(), owner, message);
    }
    Some(auth)
}

fn required(reader: &mut ConfigReader<'_>, section: &Section<'_>, key: &str) -> Option<String> {
    if section.get(key).is_none() {
        reader.problem(section.start, &section.owner, format!("there is no `{key}`"));
    }
    reader.text(section, key).map(|text| text.value)
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    #[test]
    fn no_pages_at_all_is_a_mistake() {
        let text = r#"{ "openapi": { "shop": { "spec": "a.json", "maxPages": 0 } } }"#;
        let error = Config::parse(text, &|_| None).expect_err("it cannot be meant").to_string();
        assert!(error.contains("`maxPages` is 0, so that no list can be read"), "{error}");
    }

    #[test]
    fn a_service_is_read_with_its_variables_and_conceals_them() {
        let text = r#"{ "openapi": {
            "shop": { "spec": "./shop.yaml", "baseUrl": "https://${HOST}/v1", "serverVariables": { "region": "eu" },
                "auth": { "bearer": "${TOKEN}", "basic": { "username": "u", "password": "p" }, "apiKey": { "a": "1", "b": "2" },
                    "oauth": { "clientId": "id", "clientSecret": "s", "tokenUrl": "https://t.example", "scopes": ["x"], "refreshToken": "r" } },
                "headers": { "X-A": "b" }, "idempotencyHeader": "Idempotency-Key", "timeout": "5s", "redirects": 2, "retries": 0, "maxPages": 50, "hint": "Pets." },
            "plain": { "spec": "https://a.example/api.json", "auth": { "apiKey": "${TOKEN}" } },
            "people": { "spec": "a.json", "auth": { "oauth": { "clientId": "id", "authorizationUrl": "https://t.example/a", "redirectPort": 7421 } } },
            "both": { "spec": "a.json", "auth": { "oauth": { "clientId": "id", "clientSecret": "s", "login": true } } },
            "machine": { "spec": "a.json", "auth": { "oauth": { "clientId": "id", "clientSecret": "s" } } },
            "off": { "disabled": true },
        } }"#;
        let environment = |name: &str| Some(format!("value-of-{name}"));
        let config = Config::parse(text, &environment).expect("it is a configuration");
        assert_eq!(config.disabled_servers, ["off"]);
        let OpenApiConfig { service, timeout, redirects, retries, max_pages, hint, written } = &config.openapi["shop"];
        assert_eq!(service.spec, Place::File("./shop.yaml".into()));
        assert_eq!(service.base_url.as_deref(), Some("https://value-of-HOST/v1"));
        assert_eq!((service.server_variables["region"].as_str(), service.headers["X-A"].as_str()), ("eu", "b"));
        assert_eq!(service.call_headers, CallHeaders::default().idempotency("Idempotency-Key".to_owned()));
        assert_eq!(service.secrets, ["value-of-HOST", "value-of-TOKEN"]);
        assert_eq!(
            (*timeout, *redirects, *retries, hint.as_str()),
            (Some(Duration::from_secs(5)), Some(2), Some(0), "Pets.")
        );
        assert_eq!(*max_pages, Some(50));
        assert_eq!(written, "https://${HOST}/v1, with a login at https://t.example");
        let Auth { bearer, basic, api_keys, oauth, .. } = &service.auth;
        assert_eq!(bearer.as_deref(), Some("value-of-TOKEN"));
        assert_eq!(*basic, Some(("u".to_owned(), "p".to_owned())));
        assert_eq!(api_keys.iter().map(|key| key.scheme.as_deref()).collect::<Vec<_>>(), [Some("a"), Some("b")]);
        let oauth = oauth.as_ref().expect("a client");
        assert_eq!((oauth.token_url.as_deref(), oauth.scopes.len()), (Some("https://t.example"), 1));
        assert!(oauth.grant == OAuthGrant::RefreshToken("r".to_owned()));
        let client = |name: &str| config.openapi[name].service.auth.oauth.clone().expect("a client");
        let people = client("people");
        assert_eq!(
            (people.authorization_url.as_deref(), people.redirect_port),
            (Some("https://t.example/a"), Some(7421))
        );
        assert!(people.grant == OAuthGrant::AuthorizationCode && client("both").grant == OAuthGrant::AuthorizationCode);
        assert!(client("machine").grant == OAuthGrant::ClientCredentials);
        assert_eq!(config.openapi["plain"].service.auth.api_keys[0].scheme, None);
        assert!(!format!("{config:?}").contains("value-of-TOKEN"));
        let services = [
            ("shop", written.as_str()),
            ("plain", "https://a.example/api.json"),
            ("people", "a.json, with a login at https://t.example/a"),
            ("both", "a.json"),
            ("machine", "a.json"),
        ];
        assert_eq!(config.reach.services, services.map(|(name, written)| (name.to_owned(), written.to_owned())));
        assert_eq!(config.reach.files.iter().collect::<Vec<_>>(), ["./shop.yaml", "a.json"]);
    }

    #[test]
    fn a_document_elsewhere_is_shown_beside_the_address_of_the_service() {
        let text =
            r#"{ "openapi": { "shop": { "spec": "https://b.example/api.json", "baseUrl": "https://a.example" } } }"#;
        let config = Config::parse(text, &|_| None).expect("it is a configuration");
        let written = "https://a.example, described by https://b.example/api.json";
        assert_eq!(config.reach.services, [("shop".to_owned(), written.to_owned())]);
        assert!(config.reach.files.is_empty());
    }
}
