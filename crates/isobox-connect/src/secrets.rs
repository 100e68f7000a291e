//! Conceals secrets in the output of a counterpart.

#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
use std::borrow::Cow;

#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
use percent_encoding::percent_decode_str;
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
use serde_json::{Map, Value};

/// Values that are concealed in texts of a counterpart.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

/// The minimum length of a concealed value. A text without every `1` or `on` would be unreadable.
const SHORTEST: usize = 4;
/// The minimum length of a concealed value from the configuration itself, where words like `true` and `debug` are
/// common.
const SHORTEST_WRITTEN: usize = 6;

impl Secrets {
    /// Collects secrets: values that the configuration took from the environment, and values that are written in it.
    pub(crate) fn new<'a>(
        taken: impl IntoIterator<Item = &'a String>,
        written: impl IntoIterator<Item = &'a String>,
    ) -> Self {
        let taken = taken.into_iter().flat_map(|value| lines(value, SHORTEST));
        let written = written.into_iter().flat_map(|value| lines(value, SHORTEST_WRITTEN));
        Self::longest_first(taken.chain(written).map(str::to_owned).collect())
    }

    /// Collects the credentials that are concealed in results, without common words: a result without every `postgres` or `password`
    /// would be wrong.
    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    pub(crate) fn of_credentials<'a>(
        taken: impl IntoIterator<Item = &'a String>,
        written: impl IntoIterator<Item = &'a String>,
    ) -> Self {
        let taken = taken.into_iter().filter(|value| !is_common(value));
        Self::new(taken, written.into_iter().filter(|value| !is_common(value)))
    }

    /// Returns these secrets and values that were granted later.
    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    pub(crate) fn with<'v>(&self, granted: impl IntoIterator<Item = &'v str>) -> Self {
        let granted = granted.into_iter().flat_map(|value| lines(value, SHORTEST)).map(str::to_owned);
        Self::longest_first(self.0.iter().cloned().chain(granted).collect())
    }

    /// Sorts longer values first, because one value may be part of another.
    fn longest_first(mut values: Vec<String>) -> Self {
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        Self(values)
    }

    /// Replaces the secrets in a text.
    pub(crate) fn conceal(&self, text: &str) -> String {
        let mut text = text.to_owned();
        self.conceal_text(&mut text);
        text
    }

    /// Replaces the secrets in all texts of a value, keys included. A text without a secret is not copied. The value must not be
    /// nested deeper than the stack allows.
    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    pub(crate) fn conceal_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.conceal_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.conceal_value(item)),
            Value::Object(entries) => {
                self.conceal_keys(entries);
                entries.values_mut().for_each(|value| self.conceal_value(value));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Replaces the secrets in the keys of an object.
    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    pub(crate) fn conceal_keys(&self, entries: &mut Map<String, Value>) {
        let has_secret = |key: &String| self.0.iter().any(|secret| key.contains(secret.as_str()));
        if entries.keys().any(has_secret) {
            let taken = std::mem::take(entries);
            entries.extend(taken.into_iter().map(|(key, value)| (self.conceal(&key), value)));
        }
    }

    /// Replaces the secrets in a text. One without a secret is not copied.
    pub(crate) fn conceal_text(&self, text: &mut String) {
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                *text = text.replace(secret.as_str(), "***");
            }
        }
    }
}

/// Returns the credentials among values with names, such as headers or variables, in the forms in which a counterpart may repeat
/// them. A value may also be an address with a credential.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
pub(crate) fn credentials_of<'v>(named: impl IntoIterator<Item = (&'v str, &'v str)>) -> Vec<String> {
    named.into_iter().flat_map(|(name, value)| named_credential(name, value).chain(credentials_inside(value))).collect()
}

/// Returns a value with a name if it is a credential, and does not look inside it.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn named_credential(name: &str, value: &str) -> impl Iterator<Item = String> {
    let is_one = is_credential(name) && !is_about_credentials(name) && !is_count(name, value);
    is_one.then(|| forms(value)).into_iter().flatten()
}

/// Returns the credentials in a value that has parts: an address, or settings such as `Server=db;Password=…`. Settings may have
/// addresses in them. What an address has in its query is not looked into, so that no value is read more than three times.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn credentials_inside(value: &str) -> Vec<String> {
    let settings = || value.split([';', ' ']).filter_map(|pair| pair.split_once('=')).filter(|(name, _)| is_name(name));
    let mut found = credentials_in_address(value);
    // A single one is a variable of its own.
    if settings().nth(1).is_some() {
        for (name, value) in settings() {
            found.extend(named_credential(name, value).chain(credentials_in_address(value)));
        }
    }
    found
}

/// Returns the credentials in an address: what proves the user before the host, and the values of the query that are named like
/// credentials. Returns none for other texts.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
pub(crate) fn credentials_in_address(address: &str) -> Vec<String> {
    let Some((_, rest)) = address.split_once("://") else { return Vec::new() };
    let rest = rest.split('#').next().unwrap_or_default();
    let (route, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = route.split_once('/').unwrap_or((route, ""));
    let proof = authority.rsplit_once('@').and_then(|(user, host)| match user.split_once(':') {
        // One that the rest of the address shows, as in `postgres://shop:shop@db/shop`, is no secret.
        Some((name, password)) => {
            let mut shown = host.split([':', ',']).chain(path.split('/')).chain([name]);
            (!shown.any(|part| part == password)).then_some(password)
        }
        // A token may be in the place of the user, as in `https://TOKEN@github.com`.
        None => (!is_words(user)).then_some(user),
    });
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let in_query = pairs.flat_map(|(name, value)| named_credential(name, value));
    proof.into_iter().flat_map(forms).chain(in_query).collect()
}

/// Returns the credentials in the arguments of a command: `--token=…`, `--api-key …`, `API_KEY=…`, `Authorization: …`, and
/// those of addresses. `taken` are the values that come from the environment.
#[cfg(feature = "mcp")]
pub(crate) fn credentials_in_arguments(arguments: &[String], taken: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut option = "";
    for argument in arguments {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) if argument.starts_with('-') => (name, value),
            None if argument.starts_with('-') => {
                option = argument;
                continue;
            }
            Some(_) | None => (option, argument.as_str()),
        };
        option = "";
        for (name, value) in std::iter::once((name, value)).chain(named_inside(name, value)) {
            let is_taken = || taken.iter().any(|taken| taken == value);
            let is_kept = is_sure(name) || is_taken() || !is_words(value);
            if is_credential(name)
                && !is_about_credentials(name)
                && !is_path(value)
                && is_kept
                && !is_count(name, value)
            {
                found.extend(forms(value));
            }
        }
        found.extend(credentials_inside(value));
    }
    found
}

/// Returns the name and the value in the value of an option: `--env API_KEY=…`, `--header "Authorization: …"`. What follows a colon
/// without a space is a value in headers only: `auth-proxy:v1.2` is an image.
#[cfg(feature = "mcp")]
fn named_inside<'v>(option: &str, value: &'v str) -> Option<(&'v str, &'v str)> {
    let is_header = || option == "-H" || option.ends_with("header");
    let (name, rest) = value.split_at(value.find(['=', ':'])?);
    let inner = match rest.strip_prefix('=') {
        Some(inner) => inner,
        None => rest.strip_prefix(':').filter(|inner| inner.starts_with(' ') || is_header())?.trim_start(),
    };
    is_name(name).then_some((name, inner))
}

/// Tells whether a text is a name, such as the one of a variable or a header.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn is_name(text: &str) -> bool {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.chars().all(is_part)
}

/// Tells whether a name says something about credentials, instead of being the one of a credential: `--auth-mode`, `KEY_FILE`.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn is_about_credentials(name: &str) -> bool {
    #[rustfmt::skip]
    const ABOUT: [&str; 33] = [
        "address", "algorithm", "alias", "audience", "count", "dir", "directory", "domain", "endpoint", "file", "folder", "host",
        "issuer", "length", "limit", "method", "mode", "name", "path", "prefix", "provider", "realm", "region", "scheme", "size",
        "socket", "strategy", "timeout", "ttl", "type", "url", "username", "version",
    ];
    ABOUT.contains(&&*last_word(name))
}

/// Returns the last word of a name, in lower case.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn last_word(name: &str) -> String {
    name.rsplit(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Tells whether a text is the place of something: a path, or an address.
#[cfg(feature = "mcp")]
fn is_path(text: &str) -> bool {
    text.contains("://") || ["/", "./", "../", "~"].iter().any(|start| text.starts_with(start))
}

/// Tells whether a text is made of words, as names and modes are. Credentials have digits or other signs, or are long.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn is_words(text: &str) -> bool {
    const LONGEST: usize = 24;
    text.len() <= LONGEST && text.chars().all(|sign| sign.is_ascii_alphabetic() || matches!(sign, '-' | '_' | '.'))
}

/// Tells whether a value is a number or a truth value, as in `MAX_TOKENS=128000`. Long numbers, and those of passwords, are not.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn is_count(name: &str, value: &str) -> bool {
    const LONGEST: usize = 12;
    let is_one = value.len() <= LONGEST && (value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok());
    is_one && !is_sure(name)
}

/// Tells whether the value of a header, a parameter or a variable with this name is a credential, whatever it looks like.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn is_sure(name: &str) -> bool {
    let is_password = matches!(&*last_word(name), "pass" | "pwd") && !name.eq_ignore_ascii_case("pwd");
    let name = name.to_ascii_lowercase();
    is_password || ["passphrase", "passw", "secret"].iter().any(|part| name.contains(part))
}

/// Tells whether the value of a header, a parameter or a variable with this name is a credential.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn is_credential(name: &str) -> bool {
    const PARTS: [&str; 6] = ["auth", "cookie", "credential", "key", "session", "token"];
    /// Words that name a credential behind other words: `GITHUB_PAT`.
    const LAST: [&str; 3] = ["creds", "jwt", "pat"];
    /// Words with such a part that name something else: `GIT_AUTHOR_NAME`. `authorization` is none of them.
    #[rustfmt::skip]
    const OTHERS: [&str; 13] = [
        "auth0", "authelia", "authentik", "author", "keyboard", "keycloak", "keyring", "keyspace", "keystone", "keyword", "monkey",
        "tokeniser", "tokenizer",
    ];
    let last = last_word(name);
    if is_sure(name) || (LAST.contains(&&*last) && name.trim_start_matches('-').len() > last.len()) {
        return true;
    }
    let name = name.to_ascii_lowercase().replace("authoris", "auth").replace("authoriz", "auth");
    let name = OTHERS.iter().fold(name, |name, other| name.replace(other, " "));
    PARTS.iter().any(|part| name.contains(part))
}

/// Tells whether a value is a word that stands in many results: a kind of credential, a setting, or a password that is tried first.
/// To conceal it would protect nothing.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn is_common(value: &str) -> bool {
    #[rustfmt::skip]
    const COMMON: [&str; 50] = [
        "admin", "administrator", "anonymous", "basic", "bearer", "changeit", "changeme", "database", "default", "demo",
        "development", "disabled", "docker", "elastic", "enabled", "example", "guest", "local", "localhost", "mariadb", "master",
        "minio", "minioadmin", "mongo", "mongodb", "mysql", "neo4j", "none", "null", "oauth", "oauth2", "optional", "oracle",
        "passwd", "password", "postgres", "postgresql", "production", "public", "rabbitmq", "redis", "required", "root", "secret",
        "service", "staging", "test", "testing", "token", "user",
    ];
    COMMON.contains(&&*value.trim().to_ascii_lowercase())
}

/// Returns the forms in which a counterpart may repeat a credential: as it was sent, without its scheme, and decoded.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn forms(value: &str) -> Vec<String> {
    const SCHEMES: [&str; 3] = ["basic", "bearer", "token"];
    let bare = value.split_once(' ').filter(|(word, _)| SCHEMES.contains(&word.to_ascii_lowercase().as_str()));
    let bare = bare.map(|(_, bare)| bare.to_owned());
    // Those in the query of an address may be escaped.
    let decoded = percent_decode_str(value).decode_utf8().ok().filter(|decoded| decoded != value);
    std::iter::once(value.to_owned()).chain(bare).chain(decoded.map(Cow::into_owned)).collect()
}

/// Splits a value into lines, because output is quoted line by line.
fn lines(value: &str, shortest: usize) -> impl Iterator<Item = &str> {
    value.lines().map(str::trim).filter(move |line| line.len() >= shortest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_from_the_environment_is_concealed_and_what_is_too_short_is_not() {
        let taken = ["abcd", "xyz", "abcd-efgh", "first line\nsecond line\n"].map(str::to_owned);
        let written = ["hunter2-hunter2", "debug"].map(str::to_owned);
        let secrets = Secrets::new(&taken, &written);
        for (text, expected) in [
            ("bad token hunter2-hunter2 (debug)", "bad token *** (debug)"),
            ("abcd abcd-efgh xyz", "*** *** xyz"),
            ("no such folder: /srv/data", "no such folder: /srv/data"),
            ("key: second line", "key: ***"),
        ] {
            assert_eq!(secrets.conceal(text), expected);
        }
    }

    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    #[test]
    fn a_name_tells_a_credential_from_ordinary_data() {
        for (name, is_it) in [
            ("Authorization", true),
            ("X-Authorisation", true),
            ("X-Auth", true),
            ("OAUTH_SECRET", true),
            ("AUTHOR_API_KEY", true),
            ("AUTHORIZED_KEYS", true),
            ("GIT_AUTHOR_NAME", false),
            ("AUTHORITY_HOST", false),
            ("keywords", false),
            ("--tokenizer", false),
            ("X-Version", false),
            ("DB_PASS", true),
            ("MYSQL_PWD", true),
            ("--pass", true),
            ("GPG_PASSPHRASE", true),
            ("GITHUB_PAT", true),
            ("--github-pat", true),
            ("PWD", false),
            ("--pat", false),
            ("BYPASS", false),
            ("AUTH0_DOMAIN", false),
            ("AUTH0_CLIENT_SECRET", true),
            ("KEYCLOAK_CLIENT", false),
            ("KEYCLOAK_TOKEN", true),
            ("KEYSPACE", false),
        ] {
            assert_eq!(is_credential(name), is_it, "{name}");
        }
    }

    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    #[test]
    fn a_number_is_a_credential_only_if_it_is_long_or_a_password() {
        for (name, value, is_it) in [
            ("MAX_TOKENS", "128000", false),
            ("SESSION_CACHE", "false", false),
            ("TOKEN_RATE", "0.25", false),
            ("PASSWORD", "128000", true),
            ("API_KEY", "1234567890123456", true),
            ("API_KEY", "abc-128000", true),
            ("AUTH_MODE", "device-code", false),
            ("PASSWORD_FILE", "/run/secrets/db", false),
            ("TOKEN_URL", "https://a.example/token", false),
            ("TOKEN_URL", "https://a.example/?token=abc", true),
        ] {
            assert_eq!(!credentials_of([(name, value)]).is_empty(), is_it, "{name}={value}");
        }
    }

    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    #[test]
    fn credentials_are_found_in_addresses() {
        for (address, expected) in [
            ("postgres://ada:pass%2Fword1@db/x", &["pass%2Fword1", "pass/word1"][..]),
            ("https://ghp_0123@github.com/a", &["ghp_0123"]),
            ("https://a.example/x?page=2&api_key=k1&limit_tokens=5#token=no", &["k1"]),
            ("ssh://git@github.com/a", &[]),
            ("https://a.example/@ada:b", &[]),
            ("ada:word@a", &[]),
            ("postgres://shop:shop@db:5432/x", &[]),
            ("postgres://ada:shop@db/shop?a=b", &[]),
            ("mongodb://ada:two@one:1,two:2", &[]),
            ("redis://:word1@cache", &["word1"]),
            ("redis://ada:@cache", &[]),
        ] {
            assert_eq!(credentials_in_address(address), expected, "{address}");
        }
        for (settings, expected) in [
            ("Server=db;User Id=sa;Password=word1;", &["word1"][..]),
            ("AccountName=a;AccountKey=abc+/==;EndpointSuffix=b", &["abc+/=="]),
            ("host=db password=word1 dbname=x", &["word1"]),
            ("a=b; max_tokens=5", &[]),
            ("--sort-key=created_at --keys=a,b", &[]),
        ] {
            assert_eq!(credentials_of([("CONNECTION", settings)]), expected, "{settings}");
        }
        assert_eq!(credentials_of([("DATABASE_URL", "postgres://ada:word@db")]), ["word"]);
    }

    #[cfg(feature = "mcp")]
    #[test]
    fn credentials_are_found_in_arguments_and_ordinary_words_are_not() {
        let taken = ["from-env".to_owned(), "quick".to_owned()];
        for (arguments, expected) in [
            (&["--token=t0k3n", "x"][..], &["t0k3n"][..]),
            (&["--api-key", "k-123"], &["k-123"]),
            (&["-e", "API_KEY=k-123", "-e", "LEVEL=debug"], &["k-123"]),
            (&["--header", "Authorization: Bearer abc1"], &["Bearer abc1", "abc1"]),
            (&["--header=X-Api-Key:k-123"], &["k-123"]),
            (&["--password", "letmein"], &["letmein"]),
            (&["--token", "from-env"], &["from-env"]),
            (&["postgres://ada:word1@db/x"], &["word1"]),
            (&["--db=postgres://ada:word1@db/x"], &["word1"]),
            (&["--token-url", "https://a.example/?v=1"], &[]),
            (&["--max-tokens", "128000", "--tokenizer", "cl100k_base"], &[]),
            (&["--auth", "oauth-device", "--auth-mode=oauth2", "--speed", "quick"], &[]),
            (&["--key", "/etc/key1.pem", "--cert-key", "./key2.pem"], &[]),
            (&["--token", "--verbose", "x1y2z3"], &[]),
            (&["-y", "@scope/server-keys", "."], &[]),
            (&["run", "auth-proxy:v1.2.3", "--key-file", "key1.pem"], &[]),
            (&["-H", "X-Api-Key:k-123"], &["k-123"]),
            (&["Server=db;Password=word1"], &["word1"]),
        ] {
            let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            assert_eq!(credentials_in_arguments(&arguments, &taken), expected, "{arguments:?}");
        }
    }

    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    #[test]
    fn common_words_stay_in_results() {
        let values = ["postgres", "Password", "oauth2", "postgres-7f3"].map(str::to_owned);
        for secrets in [Secrets::of_credentials(&values, &[]), Secrets::of_credentials(&[], &values)] {
            assert_eq!(
                secrets.conceal("Password of postgres by oauth2: postgres-7f3"),
                "Password of postgres by oauth2: ***"
            );
        }
    }

    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    #[test]
    fn a_value_is_concealed_at_every_depth_and_what_was_granted_later_too() {
        let secrets = Secrets::new(&["hunter2".to_owned()], &[]).with(["granted", "abc"]);
        let mut value = serde_json::json!({
            "a": ["x hunter2 y", { "hunter2": "granted" }], "granted-hunter2": { "b": "abc" }, "c": [1, true, null],
        });
        secrets.conceal_value(&mut value);
        let expected = serde_json::json!({
            "a": ["x *** y", { "***": "***" }], "***-***": { "b": "abc" }, "c": [1, true, null],
        });
        assert_eq!(value, expected);
    }

    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    #[test]
    fn addresses_within_addresses_are_not_followed() {
        let nested = "a://b?c=".repeat(100_000);
        assert_eq!(credentials_of([("X", nested.as_str())]), Vec::<String>::new());
        let settings = "Url=https://ada:word1-of-db@db?token=t0ken&u=a://b:hidden1@c;Mode=x";
        let mut found = credentials_of([("X", settings)]);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, ["t0ken", "word1-of-db"]);
    }
}
